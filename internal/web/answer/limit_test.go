package answer

import (
	"fmt"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"
)

func TestCaller(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	l := newLimiter(Limit{PerSecond: 1, Trusted: trusted})
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"192.0.2.1:99", nil, "192.0.2.1"},
		{"192.0.2.1:99", []string{"203.0.113.9"}, "192.0.2.1"}, // not a proxy of ours, so its header is not trusted
		{"10.1.1.1:99", []string{"203.0.113.9"}, "203.0.113.9"},
		// the caller wrote the first address
		{"10.1.1.1:99", []string{"6.6.6.6, 203.0.113.9, 10.2.2.2"}, "203.0.113.9"},
		{"10.1.1.1:99", []string{"6.6.6.6", "203.0.113.9"}, "203.0.113.9"},
		{"10.1.1.1:99", []string{"nonsense"}, "10.1.1.1"},
		{"10.1.1.1:99", nil, "10.1.1.1"},
		{"[fd00::1]:99", []string{"2001:db8::7"}, "2001:db8::7"},
		{"[::ffff:192.0.2.1]:99", nil, "192.0.2.1"},
	} {
		t.Run(fmt.Sprint(c.peer, c.forwarded), func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = c.peer
			for _, f := range c.forwarded {
				r.Header.Add("X-Forwarded-For", f)
			}
			if got := l.caller(r).String(); got != c.want {
				t.Errorf("%s %q: %s, not %s", c.peer, c.forwarded, got, c.want)
			}
		})
	}
}

func TestALimitRemembersABoundedNumberOfAddresses(t *testing.T) {
	l := newLimiter(Limit{PerSecond: 1, Burst: 1})
	now := time.Now()
	a := netip.MustParseAddr("10.0.0.0")
	for range 3 * maxCallers {
		l.spend(a, now, 1)
		a = a.Next()
	}
	if n := len(l.buckets); n > maxCallers {
		t.Errorf("%d addresses are remembered", n)
	}
	customer := netip.MustParseAddr("2001:db8::1")
	neighbour := netip.MustParseAddr("2001:db8::2")
	if l.spend(Network(customer), now, 1) != 0 || l.spend(Network(neighbour), now, 1) == 0 {
		t.Error("two addresses of one network have a bucket each")
	}
}
