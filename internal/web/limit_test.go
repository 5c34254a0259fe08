package web

import (
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"
)

func TestCostlyWorkIsLimited(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = Limit{PerSecond: 2, Burst: 3}
	k := newKit(t, cfg)
	for i := range 3 {
		if w := k.get("/pets/tokens?limit=1"); w.Code != 200 {
			t.Fatalf("listing %d: %d", i, w.Code)
		}
	}
	w := k.get("/pets/tokens?limit=1")
	if w.Code != 429 || w.Header().Get("Retry-After") != "1" || w.Header().Get("RateLimit") != `"costly";r=0;t=1` || w.Header().Get("RateLimit-Policy") != `"costly";q=3;w=2` {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for range 20 {
		if w := k.get("/supply/jewel/totalsupply"); w.Code != 200 {
			t.Errorf("an answer from memory was limited: %d", w.Code)
		}
	}
	k.clock.advance(500 * time.Millisecond)
	if w := k.get("/pets/tokens?limit=1"); w.Code != 200 {
		t.Errorf("half a second later: %d", w.Code)
	}
}

func TestABatchPaysForWhatIsNotInMemory(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = Limit{PerSecond: 1, Burst: 10}
	k := newKit(t, cfg)
	k.remember(3)
	if w := k.get("/pets/tokens?ids=1,2,3,4,5,6"); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for range 20 {
		if w := k.get("/pets/tokens?ids=3,2,1"); w.Code != 200 {
			t.Fatalf("pets in memory were limited: %d", w.Code)
		}
	}
	// Seven are left. Whoever has one left may ask for a whole batch, and pays
	// for all of it.
	ids := strings.Repeat("999999999999,", 19) + "1"
	if w := k.get("/pets/tokens?ids=" + ids); w.Code != 200 {
		t.Fatalf("a batch larger than what is left: %d", w.Code)
	}
	w := k.get("/pets/tokens?ids=" + ids)
	if w.Code != 429 || w.Header().Get("Retry-After") != "13" {
		t.Errorf("the batch after: %d %v", w.Code, w.Header())
	}
	k.clock.advance(13 * time.Second)
	if w := k.get("/pets/tokens?ids=" + ids); w.Code != 200 {
		t.Errorf("when it was said to come back: %d", w.Code)
	}
}

func TestAHistoryPaysForItsPoints(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = Limit{PerSecond: 1, Burst: 10}
	k := newKit(t, cfg)
	for _, points := range []string{"200", "2000"} {
		if w := k.get("/supply/jewel/history?points=" + points); w.Code != 200 {
			t.Fatalf("%s points: %d %s", points, w.Code, w.Body)
		}
	}
	if w := k.get("/supply/jewel/history?points=2"); w.Code != 429 || w.Header().Get("Retry-After") != "2" {
		t.Errorf("after eleven of ten: %d %v", w.Code, w.Header())
	}
}

func TestCaller(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}
	l := newLimiter(Limit{PerSecond: 1, Trusted: trusted}, func() {})
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"192.0.2.1:99", nil, "192.0.2.1"},
		{"192.0.2.1:99", []string{"203.0.113.9"}, "192.0.2.1"}, // not a proxy of ours: a stranger's word
		{"10.1.1.1:99", []string{"203.0.113.9"}, "203.0.113.9"},
		{"10.1.1.1:99", []string{"6.6.6.6, 203.0.113.9, 10.2.2.2"}, "203.0.113.9"}, // the first is the caller's own claim
		{"10.1.1.1:99", []string{"6.6.6.6", "203.0.113.9"}, "203.0.113.9"},
		{"10.1.1.1:99", []string{"nonsense"}, "10.1.1.1"},
		{"10.1.1.1:99", nil, "10.1.1.1"},
		{"[fd00::1]:99", []string{"2001:db8::7"}, "2001:db8::7"},
		{"[::ffff:192.0.2.1]:99", nil, "192.0.2.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.peer
		for _, f := range c.forwarded {
			r.Header.Add("X-Forwarded-For", f)
		}
		if got := l.caller(r).String(); got != c.want {
			t.Errorf("%s %q: %s, not %s", c.peer, c.forwarded, got, c.want)
		}
	}
}

func TestALimitRemembersOnlySoMany(t *testing.T) {
	l := newLimiter(Limit{PerSecond: 1, Burst: 1}, func() {})
	now := time.Now()
	a := netip.MustParseAddr("10.0.0.0")
	for range 3 * maxCallers {
		l.spend(a, now, 1)
		a = a.Next()
	}
	if n := len(l.young) + len(l.old); n > 2*maxCallers {
		t.Errorf("%d addresses are remembered", n)
	}
	customer, neighbour := netip.MustParseAddr("2001:db8::1"), netip.MustParseAddr("2001:db8::2")
	if l.spend(Network(customer), now, 1) != 0 || l.spend(Network(neighbour), now, 1) == 0 {
		t.Error("two addresses of one network have a bucket each")
	}
}
