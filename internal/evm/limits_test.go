package evm

import (
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"

	"petsupply/internal/evm/jsonrpc"
)

// TestLimits: each provider is measured separately and exactly.
func TestLimits(t *testing.T) {
	k := newKingdom(t, 4, anvil.Options{})
	must(t, k.Mine(t.Context(), 200))
	top, err := k.Height(t.Context())
	must(t, err)
	k.proxies[1].Set(faultproxy.Forgets(32, "missing trie node 12ab (path )"))
	k.proxies[2].Set(faultproxy.LogRange(100, -32000, "exceed maximum block range: 100"))
	k.proxies[3].Set(faultproxy.RPCError())
	got := k.dial(t, Config{Quorum: 3}).Limits(t.Context(), []common.Address{k.token})
	for i, want := range []Limits{
		{Provider: "a", Head: top, State: top - 1, AllState: true, Logs: top + 1},
		{Provider: "b", Head: top, State: 31, Logs: top + 1},
		{Provider: "c", Head: top, State: top - 1, AllState: true, Logs: 100},
	} {
		if got[i] != want {
			t.Errorf("measured %+v, want %+v", got[i], want)
		}
	}
	if err := got[3].Err; err == nil || got[3].Provider != "d" || got[3].State != 0 {
		t.Errorf("measured %+v of a provider that refuses", got[3])
	}
	for _, depth := range []uint64{1, 2, 3, 64, 127, 128} {
		k.proxies[1].Set(faultproxy.Forgets(depth, "historical state 12ab is not available"))
		if got := k.dial(t, Config{Quorum: 3}).Limits(t.Context(), nil)[1]; got.State != depth-1 || got.Err != nil {
			t.Errorf("measured %+v of a node that keeps %d states", got, depth)
		}
	}
	var f *jsonrpc.Fault
	k.proxies[2].Set(faultproxy.LogRange(0, -32000, "block range is too wide"))
	if got := k.dial(t, Config{Quorum: 3}).Limits(t.Context(), nil)[2]; !errors.As(got.Err, &f) || got.Logs != 0 {
		t.Errorf("measured %+v of a node that searches nothing", got)
	}
}
