package evm

import (
	"errors"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"
)

// TestPruned: if too many nodes have dropped the state, the error is errPruned, for every client's
// message, with Multicall3 and without. The nodes are not at fault, and one that still has the
// state is found.
func TestPruned(t *testing.T) {
	for name, bare := range map[string]bool{"multicall": false, "batch": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKingdom(t, 3, anvil.Options{Bare: bare})
			top, err := k.Height(t.Context())
			must(t, err)
			for i, words := range []string{
				"historical state 12ab is not available",
				"missing trie node 12ab (path ) state 0x12ab is not available, not found",
				"missing trie node 12ab (path )",
			} {
				k.proxies[i].Set(faultproxy.Forgets(4, words))
			}
			calls := []Call{{To: k.token, Data: totalSupply}, {To: k.token, Balance: true},
				{To: k.token, Data: []byte{1, 2, 3, 4}, MayRevert: true}}
			c := k.dial(t, Config{Quorum: 2})
			_, err = k.refresh(t, c)
			must(t, err)
			near, err := c.Block(t.Context(), top-3)
			must(t, err)
			far, err := c.Block(t.Context(), top-4)
			must(t, err)
			if _, err := c.Read(t.Context(), near, calls); err != nil {
				t.Errorf("state that is there: %v", err)
			}
			_, err = c.Read(t.Context(), far, calls)
			if !errors.Is(err, errPruned) || errors.Is(err, ErrUnavailable) ||
				!strings.Contains(err.Error(), "keeps no state of block") {
				t.Errorf("state that is gone: %v", err)
			}
			told := 0
			for _, h := range c.Health() {
				if strings.Contains(h.Pruned, "4 blocks before its newest") {
					told++
				}
				if h.State != "ok" || h.Errors != 0 {
					t.Errorf("health is %+v", h)
				}
			}
			if told < 2 {
				t.Errorf("%d of 3 providers show what they lacked: %+v", told, c.Health())
			}
			k.proxies[0].Set(faultproxy.None())
			if _, err = c.Read(t.Context(), far, calls); !errors.Is(err, errPruned) {
				t.Errorf("with one of two that keeps all: %v", err)
			}
			k.proxies[1].Set(faultproxy.None())
			if _, err = c.Read(t.Context(), far, calls); err != nil {
				t.Errorf("with two that keep all: %v", err)
			}
		})
	}
}

// TestPrunedIsShownAWhile: Pruned is shown for a while, and no longer.
func TestPrunedIsShownAWhile(t *testing.T) {
	var h health
	now := time.Unix(1_800_000_000, 0)
	if !h.lacked(now, "keeps no state of block 5") || h.lacked(now, "keeps no state of block 6") {
		t.Error("dropped state is not reported as news exactly once")
	}
	if h.snapshot(now).Pruned != "keeps no state of block 6" || h.snapshot(now.Add(showPruned+1)).Pruned != "" {
		t.Errorf("it is shown as %q, and later as %q", h.snapshot(now).Pruned, h.snapshot(now.Add(showPruned+1)).Pruned)
	}
}
