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
