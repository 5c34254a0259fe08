package demo

import (
	"iter"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply"
)

// TestNodesReturnTheDataOfTheWorld: nodes return the same data that the demo's past is made of.
func TestNodesReturnTheDataOfTheWorld(t *testing.T) {
	at := End.Add(40*day + 1234*time.Second)
	w := NewWorld(func() time.Time { return at }, nil)
	registry := &pet.Registry{Collection: collection.Pets(), Realms: Realms()}
	asked := map[string]supply.Chain{}
	direct := map[string]supply.Chain{}
	for name, c := range w.Chains() {
		node, err := evm.Dial(evm.Config{Name: name, ID: c.ID(), Quorum: 1, Finality: "latest",
			Timeout: 10 * time.Second, MaxLag: time.Minute, Multicall: multicall, Transport: w.Nodes(), Now: w.Now,
			Providers: []evm.Provider{{Name: name, URL: NodeURL(name)}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer node.Close()
		asked[name] = node
		direct[name] = c
		i := slices.IndexFunc(registry.Realms, func(r pet.Realm) bool { return r.Chain == name })
		head, err := c.Pin(t.Context(), time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		calls := registry.StateCalls(registry.Realms[i],
			[]uint64{1, 10, 60, 110, pet.Band + 2, pet.Band + 5, 2*pet.Band + 1200, 7000})
		byNode, err := node.Read(t.Context(), head, calls)
		if err != nil {
			t.Fatal(err)
		}
		if here, err := c.Read(t.Context(), head, calls); err != nil || !cmp.Equal(byNode, here) {
			t.Errorf("%s: %v\n%s", name, err, cmp.Diff(here, byNode))
		}
		q := evm.LogQuery{From: head.Number - 5000, To: head.Number, Addresses: []common.Address{calls[0].To}}
		byLogs, err := node.Logs(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		here, err := c.Logs(t.Context(), q)
		if err != nil || len(here) == 0 || !cmp.Equal(byLogs, here, cmpopts.EquateEmpty()) {
			t.Errorf("%s: %d logs, %v\n%s", name, len(here), err, cmp.Diff(here, byLogs))
		}
	}
	byNode := supply.Measure(t.Context(), Tokens(), asked, at)
	for i, r := range supply.Measure(t.Context(), Tokens(), direct, at) {
		if r.Err != nil || byNode[i].Err != nil || !r.Snapshot.Equal(byNode[i].Snapshot.Figures) {
			t.Errorf("%s differs when read through a node: %v, %v", r.Token.Path, r.Err, byNode[i].Err)
		}
	}
}

// TestTheKingdomLasts: no amount becomes impossible in thirty years, and figures move
// from one minute to the next.
func TestTheKingdomLasts(t *testing.T) {
	for at := Start; at.Before(Start.AddDate(30, 0, 0)); at = at.Add(67*day + 31*time.Minute) {
		later := supply.Measure(t.Context(), Tokens(), Chains(at.Add(time.Minute)), at.Add(time.Minute))
		for i, r := range supply.Measure(t.Context(), Tokens(), Chains(at), at) {
			if r.Err != nil || later[i].Err != nil {
				t.Fatalf("%s at %s: %v, %v", r.Token.Path, at, r.Err, later[i].Err)
			}
			if r.Snapshot.Equal(later[i].Snapshot.Figures) {
				t.Errorf("%s does not change at %s", r.Token.Path, at)
			}
		}
	}
}

// TestBridgesMove: an amount leaves one side of a bridge before it arrives on the other.
func TestBridgesMove(t *testing.T) {
	escrow := lines["jewel"][1].tide
	remote := lines["jewel"][2].tide
	less := 0
	for at := End; at.Before(End.Add(60 * day)); at = at.Add(5 * time.Hour) {
		here := escrow.at(at)
		there := remote.at(at)
		if here.Cmp(there) <= 0 {
			t.Fatalf("at %s the portal has %s for %s on the other side", at, here, there)
		}
		if escrow.at(at.Add(time.Hour)).Cmp(here) < 0 {
			less++
		}
	}
	if less == 0 || less == 12*24 {
		t.Errorf("in %d of 288 hours more came back than went over", less)
	}
}

// TestEveryChangeHasAnEvent: if a pet differs between two times, each contract in which it
// differs has an event that names it.
func TestEveryChangeHasAnEvent(t *testing.T) {
	w := NewWorld(time.Now, nil)
	seen := map[string]int{}
	for from := End; from.Before(End.Add(40 * day)); from = from.Add(10 * day) {
		to := from.Add(10 * day)
		for i, r := range Realms() {
			touched := w.Touched(r, from, to)
			for _, e := range w.pets.between(i, from, to) {
				seen[e.kind]++
			}
			for id := range w.everyID() {
				if w.shows(i, id, from) != w.shows(i, id, to) && !slices.Contains(touched, id) {
					t.Fatalf("%s: pet %d changed between %s and %s without an event", r.Key, id, from, to)
				}
			}
		}
	}
	for _, kind := range []string{"fed", "renamed", "sold", "travel", "burned"} {
		if seen[kind] == 0 {
			t.Errorf("no pet was %s: %v", kind, seen)
		}
	}
}

// everyID returns pets of all habits.
func (w *World) everyID() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for r := range uint64(3) {
			for n := uint64(1); n <= petsPerRealm; n += 7 {
				if !yield(r*pet.Band + n) {
					return
				}
			}
		}
	}
}

// shows returns everything that a realm says of a pet.
func (w *World) shows(realm int, id uint64, at time.Time) string {
	has := w.pets.ownerIn(realm, id, at)
	if has == (common.Address{}) {
		return ""
	}
	return has.Hex() + string(w.pets.body(w.pets.at(id, at), true))
}
