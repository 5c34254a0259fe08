package index_test

import (
	"math/big"
	"testing"

	"petsupply/internal/pet"
	"petsupply/testkit/contracts"
)

const band = uint64(pet.Band)

func TestIndexFollowsFourRealms(t *testing.T) {
	k := four(t, "latest")
	first, second, third, arena := k.lands[0], k.lands[1], k.lands[2], k.lands[3]
	first.do(t, "hatch", alice, num(30), num(1))
	second.do(t, "hatch", alice, num(2100), num(2)) // the first reading takes more than one step
	third.do(t, "hatch", alice, num(40), num(3))
	// There are guests of every kind before anything is read.
	k.bridge(t, 3, 0, 1)
	k.bridge(t, band+4, 1, 2)
	k.bridge(t, band+5, 1, 3)
	k.bridge(t, 2*band+6, 2, 3)
	second.do(t, "send", num(band+7), num(9)) // now in transit
	a := k.index(t)
	a.catchUp(t)
	if n := a.check(t); n != 2170 {
		t.Fatalf("%d pets after the first reading", n)
	}
	pets := a.everyPet(t)
	for id, want := range map[uint64]string{1: "first", 3: "second", band + 4: "third", band + 5: "arena",
		2*band + 6: "arena"} {
		if p := pets[id]; p.Realm != want || p.InTransit {
			t.Errorf("pet %d is in %s, in transit: %v; want %s", id, p.Realm, p.InTransit, want)
		}
	}
	if last, err := a.LastPetChange(t.Context()); err != nil || last.Seq > 20 {
		t.Errorf("the first reading wrote %d changes, %v", last.Seq, err)
	}

	var some []uint64 // the pets that change
	for i := range uint64(60) {
		some = append(some, i, band+i, 2*band+i, band+2090+i)
	}
	for round, act := range []func(){
		func() { second.do(t, "rename", num(band+1), "Ψ \u202e<b>\x00") },
		func() { first.do(t, "feed", num(1), uint8(3)) },
		func() { third.do(t, "feedMany", num(2*band+1), num(2*band+30), uint8(2)) },
		func() { third.do(t, "feedMany", num(2*band), num(2*band+900), uint8(4)) }, // a batch over everything
		func() { second.do(t, "hatch", bob, num(3), num(9)) },
		func() { second.do(t, "reroll", num(band+9)) },
		func() { second.do(t, "reveal", num(band+9), num(5)) },
		func() { first.do(t, "transferFrom", alice, bob, num(2)) },
		func() {
			second.do(t, "equip", num(band+10), new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1)))
		},
		func() { k.bridge(t, band+4, 2, 1) }, // back home
		func() { k.bridge(t, band+5, 3, 2) }, // from one host to the next
		func() { arena.do(t, "send", num(2*band+6), num(0)) },
		func() { k.bridge(t, 2, 0, 3) },
		func() { k.bridge(t, 2, 3, 0) },
		func() { must(t, second.Mine(t.Context(), 300)) }, // more blocks than are kept
	} {
		act()
		a.catchUp(t)
		if a.checkAmong(t, some, false); t.Failed() {
			t.Fatalf("after action %d", round)
		}
	}
	a.check(t)
	history, err := a.PetHistory(t.Context(), band+5, 10)
	if err != nil || len(history) == 0 || history[0].Kind != pet.Moved {
		t.Errorf("history of a pet that moved: %+v, %v", history, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestHostIsListedByIndexAndByEvents(t *testing.T) {
	for name, enumerable := range map[string]bool{"index": true, "events": false} {
		t.Run(name, func(t *testing.T) {
			k := found(t, "latest",
				contracts.Options{Version: 2, Offset: big.NewInt(0)},
				contracts.Options{Version: 2, Offset: big.NewInt(int64(band))},
				contracts.Options{Version: 2, Offset: big.NewInt(int64(2 * band))},
				contracts.Options{Version: 2, Enumerable: enumerable})
			k.lands[0].do(t, "hatch", alice, num(12), num(1))
			for id := uint64(1); id < 9; id++ {
				k.bridge(t, id, 0, 3)
			}
			k.bridge(t, 3, 3, 0)
			// Index only the host, so that no home realm asks for its guests.
			a := k.index(t)
			a.settle(t, a.indexers[3])
			if n := len(a.everyPet(t)); n != 7 {
				t.Errorf("the host has %d pets", n)
			}
			a.catchUp(t)
			a.check(t)
		})
	}
}
