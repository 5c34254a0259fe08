package index_test

import (
	"errors"
	"math/big"
	"testing"

	"petsupply/testkit/contracts"
	"petsupply/testkit/faultproxy"
)

// pruned is a kingdom of one realm on a node that keeps little state.
func pruned(t *testing.T, keeps uint64, words string) (*kingdom, *land) {
	t.Helper()
	k := found(t, "latest", contracts.Options{Version: 2, Offset: big.NewInt(0), Refresh: true})
	l := k.lands[0]
	proxy := faultproxy.Test(t, l.URL)
	proxy.Set(faultproxy.Forgets(keeps+1, words))
	l.evm.Providers[0].URL = proxy.URL
	return k, l
}

func TestAnOutageOfAnyLengthHealsOnANodeThatKeepsLittleState(t *testing.T) {
	for name, node := range map[string]struct {
		keeps uint64
		words string
	}{
		"geth":   {100, "historical state 8f1ff5c8c5a1b1e2 is not available"},
		"coreth": {31, "missing trie node 8f1ff5c8 (path ) state 0x8f1ff5c8 is not available, not found"},
	} {
		t.Run(name, func(t *testing.T) {
			k, l := pruned(t, node.keeps, node.words)
			l.do(t, "hatch", alice, num(20), num(1))
			a := k.index(t)
			a.catchUp(t)
			for _, pause := range []int{40, 82, 250} {
				for i := range uint64(4) {
					l.do(t, "feed", num(1+i), uint8(pause%200))
					l.do(t, "hatch", bob, num(1), num(i))
					must(t, l.Mine(t.Context(), pause/4))
				}
				l.do(t, "rename", num(7), "Reader")
				l.do(t, "feedMany", num(0), num(900), uint8(pause%200)) // a batch over everything
				a.catchUp(t)
				a.check(t)
			}
		})
	}
}

func TestAReorgWhileCatchingUpIsUndone(t *testing.T) {
	k, l := pruned(t, 31, "missing trie node 8f1ff5c8 (path )")
	l.do(t, "hatch", alice, num(20), num(1))
	must(t, l.Mine(t.Context(), 3))
	a := k.index(t)
	a.catchUp(t)
	l.do(t, "feed", num(3), uint8(1))
	must(t, l.Mine(t.Context(), 200))
	l.do(t, "rename", num(3), "taken back")
	l.do(t, "hatch", bob, num(1), num(1))
	must(t, step(t, a.indexers[0]))
	if p := a.everyPet(t)[3]; p.Name == "taken back" {
		t.Fatal("the first step read state after the blocks that it followed")
	}
	must(t, l.Reorg(t.Context(), 2, l.tx("feed", num(5), uint8(7))))
	must(t, l.Mine(t.Context(), 3))
	steps := 0
	for ; steps < 20; steps++ {
		err := step(t, a.indexers[0])
		if errors.Is(err, errCaughtUp) {
			break
		}
		if err != nil && !errors.Is(err, errUndid) {
			t.Fatal(err)
		}
		if phase := a.indexers[0].Progress().Phase; phase != "follow" {
			t.Fatalf("the realm is read from the start: %s", phase)
		}
	}
	a.catchUp(t)
	if n := a.check(t); n != 20 {
		t.Errorf("%d pets", n)
	}
}

func TestABlockWithMoreLogsThanTheNodeGivesAtOnce(t *testing.T) {
	k := found(t, "latest", contracts.Options{Version: 2, Offset: big.NewInt(0), Refresh: true})
	l := k.lands[0]
	proxy := faultproxy.Test(t, l.URL)
	proxy.Set(faultproxy.LogSize(10, "query returned more than 10 results"))
	l.evm.Providers[0].URL = proxy.URL
	l.do(t, "hatch", alice, num(20), num(1))
	a := k.index(t)
	a.catchUp(t)
	l.do(t, "hatch", bob, num(30), num(2))
	l.do(t, "rename", num(7), "Reader")
	a.catchUp(t)
	if n := a.check(t); n != 50 {
		t.Errorf("%d pets", n)
	}
}
