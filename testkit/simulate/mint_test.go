package simulate

import (
	"context"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/pet/index"
)

// A mint is served within the indexer's pause plus two seconds of its block, although the chain
// finalizes blocks two minutes later.
func TestAMintIsServedSoon(t *testing.T) {
	const every = 2 * time.Second
	s := Scenario{Seed: 5, Minutes: 20, Every: 2, Instances: 1, Pets: &PetPlan{Each: 5, Busy: 2}}
	for range 3 {
		s.Chains = append(s.Chains, Chain{BlockTime: 2, Finality: "finalized", Depth: 64, Quorum: 2, Timeout: 5,
			MaxLag:    600,
			Multicall: true, Delays: []int{50, 100, 150}})
		s.Pets.Realms = append(s.Pets.Realms, RealmPlan{Version: 2})
	}
	dir := storeDirectory(t)
	defer os.RemoveAll(dir)
	synctest.Test(t, func(t *testing.T) {
		r := newRun(s, dir)
		ctx, cancel := context.WithCancel(t.Context())
		r.ctx = ctx
		x := r.open(ctx, 0)
		defer x.close()
		defer cancel()
		if leads, err := x.db.Campaign(ctx, "the instance", time.Hour); err != nil || !leads {
			t.Fatalf("taking the lease: %v, %v", leads, err)
		}
		for _, realm := range r.petRealms {
			indexer := index.New(realm, x.pets.registry, x.chains[realm.Chain].AtLatest(), x.db, r.log)
			indexer.Poll = every
			x.pets.indexers = append(x.pets.indexers, indexer)
			x.pets.loops.Go(func() { _ = indexer.Run(ctx) })
		}
		for r.reading(x) {
			time.Sleep(time.Second)
		}
		served := 0
		unseen := map[uint64]bool{}
		for _, id := range r.petIDs() {
			unseen[id] = !r.exists(id, r.since())
		}
		born := map[uint64]time.Duration{}
		for r.since() < 10*time.Minute {
			time.Sleep(100 * time.Millisecond)
			for id, wait := range unseen {
				if wait && r.exists(id, r.since()) {
					unseen[id] = false
					born[id] = r.since()
				}
			}
			for id, at := range born {
				_, err := x.pets.dir.Pet(ctx, id)
				switch {
				case err == nil:
					served++
					delete(born, id)
				case r.since() > at+every+2*time.Second:
					t.Fatalf("pet %d was minted at %s, and at %s the answer is: %v", id, at, r.since(), err)
				}
			}
		}
		if served < 20 {
			t.Errorf("only %d pets were minted and served", served)
		}
	})
}
