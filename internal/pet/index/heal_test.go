package index_test

import (
	"context"
	"math/big"
	"path/filepath"
	"testing"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/testkit/contracts"
)

func TestABurnedPetIsNowhere(t *testing.T) {
	k := found(t, "latest",
		contracts.Options{Version: 2, Offset: big.NewInt(0)},
		contracts.Options{Version: 2, Offset: big.NewInt(pet.Band)})
	home, host := k.lands[0], k.lands[1]
	home.do(t, "hatch", alice, num(9), num(1))
	must(t, home.Mine(t.Context(), 3))
	a := k.index(t)
	a.catchUp(t)
	body := mustBody(t, home, 5)
	home.do(t, "burn", num(5))
	a.catchUp(t)
	a.check(t)
	found, err := a.PetsByID(t.Context(), []uint64{5, 6, 70})
	if p := found[5]; err != nil || !p.Burned || found[6].Burned || len(found) != 2 {
		t.Errorf("after it was burned: %+v, %v", found, err)
	}
	history, err := a.PetHistory(t.Context(), 5, 1)
	if err != nil || len(history) != 1 || history[0].Kind != pet.Burned {
		t.Errorf("its latest change: %+v, %v", history, err)
	}
	host.do(t, "arrive", bob, body) // the bridge burns and mints
	a.catchUp(t)
	a.check(t)
	if p := a.everyPet(t)[5]; p.Realm != "second" || p.InTransit || p.Owner != bob {
		t.Errorf("minted elsewhere: %+v", p)
	}
}

func TestPetsBurnedAtHomeAndMintedElsewhereAreFoundAtTheStart(t *testing.T) {
	k := found(t, "latest",
		contracts.Options{Version: 2, Offset: big.NewInt(0)},
		contracts.Options{Version: 2, Offset: big.NewInt(pet.Band)})
	home, host := k.lands[0], k.lands[1]
	home.do(t, "hatch", alice, num(9), num(1))
	body := mustBody(t, home, 5)
	home.do(t, "burn", num(5))
	host.do(t, "arrive", bob, body)
	must(t, host.Mine(t.Context(), 200)) // its events are too old to be kept for a reorg
	for name, order := range map[string][]int{"home first": {0, 1}, "host first": {1, 0}} {
		a := k.index(t)
		for _, i := range order {
			a.settle(t, a.indexers[i])
		}
		a.catchUp(t)
		if n := a.check(t); n != 9 {
			t.Errorf("%s: %d pets", name, n)
		}
	}
}

func TestANewCustodyAddressTakesEffectAtOnce(t *testing.T) {
	k := found(t, "latest", contracts.Options{Version: 2, Offset: big.NewInt(0)})
	l := k.lands[0]
	l.do(t, "hatch", alice, num(9), num(1))
	l.do(t, "send", num(5), num(1))
	known := l.realm.Custody
	l.realm.Custody, k.realms[0].Custody = nil, nil
	url := "sqlite://" + filepath.Join(t.TempDir(), "pets.db")
	a := k.indexAt(t, url)
	a.catchUp(t)
	if p := a.everyPet(t)[5]; p.InTransit {
		t.Fatalf("before the address is configured: %+v", p)
	}
	must(t, a.Resign(t.Context()))
	l.realm.Custody, k.realms[0].Custody = known, known
	a = k.indexAt(t, url)
	a.catchUp(t)
	a.check(t)
	if p := a.everyPet(t)[5]; !p.InTransit {
		t.Errorf("once it is configured: %+v", p)
	}
}

// counted is a chain that counts searches for logs.
type counted struct {
	index.Chain
	searched uint64 // number of searched blocks
}

func (c *counted) Logs(ctx context.Context, q evm.LogQuery) ([]evm.Log, error) {
	c.searched += q.To - q.From + 1
	return c.Chain.Logs(ctx, q)
}

func TestARereadRealmFindsItsGuestsWithoutSearchingTheWholeChain(t *testing.T) {
	k := found(t, "latest",
		contracts.Options{Version: 2, Offset: big.NewInt(0)},
		contracts.Options{Version: 2, Offset: big.NewInt(pet.Band)})
	home, host := k.lands[0], k.lands[1]
	home.do(t, "hatch", alice, num(9), num(1))
	k.bridge(t, 5, 0, 1)
	must(t, host.Mine(t.Context(), 1200))
	url := "sqlite://" + filepath.Join(t.TempDir(), "pets.db")
	a := k.indexAt(t, url)
	a.settle(t, a.indexers[0]) // the host is added later
	must(t, a.Resign(t.Context()))
	a = k.indexAt(t, url)
	c := &counted{Chain: host.dial(t)}
	for _, version := range []string{"v2", "v1"} { // then its struct changes, so the realm is read from the start
		k.realms[1].Getter, host.realm.Getter = version, version
		a.indexers[1] = index.New(k.realms[1], realmsOf(k.realms...), c, a.Store, nil)
		a.indexers[1].SweepEvery, c.searched = 0, 0
		a.catchUp(t)
		if p := a.everyPet(t)[5]; p.Realm != "second" || p.InTransit || p.Owner != bob {
			t.Errorf("%s: a guest: %+v", version, p)
		}
		if c.searched > 200 {
			t.Errorf("%s: %d blocks were searched for events", version, c.searched)
		}
	}
}
