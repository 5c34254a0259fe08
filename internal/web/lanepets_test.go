package web

import (
	"net"
	"net/netip"
	"testing"

	"petsupply/internal/web/answer"
	"petsupply/internal/web/express"
)

// inLane reports whether the lane answers a target of the host localhost:8080, for an address.
func (k *kit) inLane(from, target string) bool {
	peer := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(from + ":1"))
	head, _ := k.Find(&express.Request{Target: target, Host: "localhost:8080", From: peer, At: k.clock.now()})
	return head != nil
}

func TestTheLaneReadsPetsFromTheStore(t *testing.T) {
	k := newKit(t, oneHost())
	if !k.inLane("192.0.2.1", "/pets/token/7") {
		t.Error("a pet of the store was not answered")
	}
	if k.inLane("192.0.2.1", "/pets/token/999999999999") {
		t.Error("a pet that does not exist was answered")
	}
	stalled := make(chan struct{})
	k.store.stalled.Store(&stalled)
	defer close(stalled)
	if k.inLane("192.0.2.1", "/pets/token/8") {
		t.Error("answered before the store")
	}
}

// A pet from the store costs the same in the lane as behind it. What an address cannot pay, and what
// comes from a trusted proxy, is left to net/http.
func TestThePeerPaysInTheLane(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 1, Burst: 3, Trusted: []netip.Prefix{netip.MustParsePrefix("198.51.100.0/24")}}
	k := newKit(t, cfg)
	for _, row := range []struct {
		from string
		want bool
	}{
		{"192.0.2.1", true}, {"192.0.2.1", true}, {"192.0.2.1", true}, {"192.0.2.1", false},
		{"192.0.2.2", true}, {"198.51.100.1", false},
	} {
		if got := k.inLane(row.from, "/pets/token/7"); got != row.want {
			t.Errorf("%+v: got %t", row, got)
		}
	}
}
