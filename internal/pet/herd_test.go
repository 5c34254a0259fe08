package pet_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/testkit/contracts"
)

// herd opens a herd on the archive, and runs it for the length of the test.
func (a *archive) herd(t *testing.T) *pet.Herd {
	t.Helper()
	chains := map[string]pet.Latest{}
	for _, l := range a.k.lands {
		chains[l.realm.Chain] = l.dial(t)
	}
	h, err := pet.NewHerd(pet.HerdConfig{Realms: a.k.realms, Chains: chains, Shelf: a.Store, Feed: a.Store, Poll: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { h.Run(ctx) })
	t.Cleanup(func() { stop(); done.Wait() })
	return h
}

func TestHerdReadsThrough(t *testing.T) {
	k := found(t, "latest",
		contracts.Options{Version: 1, Offset: big.NewInt(0)},
		contracts.Options{Version: 2, Offset: big.NewInt(int64(band))},
		contracts.Options{Version: 2, Offset: big.NewInt(int64(2 * band)), Relative: true})
	a := k.index(t)
	a.catchUp(t)
	h := a.herd(t)
	k.lands[1].do(t, "hatch", alice, num(5), num(1))
	k.bridge(t, band+2, 1, 2)
	k.lands[1].do(t, "send", num(band+3), num(1))

	p, err := h.Pet(t.Context(), band+1)
	if err != nil || p.Realm != "second" || p.Owner != alice || p.InTransit {
		t.Fatalf("a pet at home: %+v, %v", p, err)
	}
	if p, err = h.Pet(t.Context(), band+2); err != nil || p.Realm != "third" || p.Owner != bob {
		t.Errorf("a pet abroad: %+v, %v", p, err)
	}
	if p, err = h.Pet(t.Context(), band+3); err != nil || !p.InTransit {
		t.Errorf("a pet on its way: %+v, %v", p, err)
	}
	for _, id := range []uint64{0, 1, band, band + 6, 2*band + 1, 5 * band} {
		if _, err := h.Pet(t.Context(), id); !errors.Is(err, pet.ErrNotFound) {
			t.Errorf("pet %d: %v", id, err)
		}
	}
	found, err := h.Pets(t.Context(), []uint64{band + 5, band + 9, band + 1, band + 5, 9 * band})
	if err != nil || len(found) != 5 {
		t.Fatal(found, err)
	}
	for i, want := range []error{nil, pet.ErrNotFound, nil, nil, pet.ErrNotFound} {
		if f := found[i]; !errors.Is(f.Err, want) || f.Err == nil && f.Pet.ID != f.ID {
			t.Errorf("%d: %+v", i, f)
		}
	}
	// What was met is handed to the indexer, even if its events were missed.
	w, err := a.PetWork(t.Context(), "second", 10)
	if err != nil || len(w.Wanted) != 4 {
		t.Errorf("wanted: %v, %v", w.Wanted, err)
	}
	a.catchUp(t)
	a.check(t)
}

func TestHerdNoticesChanges(t *testing.T) {
	k := found(t, "latest", contracts.Options{Version: 2, Offset: big.NewInt(0)})
	k.lands[0].do(t, "hatch", alice, num(5), num(1))
	a := k.index(t)
	a.catchUp(t)
	h := a.herd(t)
	told := make(chan []uint64, 10)
	h.Subscribe(func(ids []uint64) { told <- ids })
	for i := range 5 {
		name := fmt.Sprint("name ", i)
		if _, err := h.Pet(t.Context(), 3); err != nil { // so that it is in memory
			t.Fatal(err)
		}
		k.lands[0].do(t, "rename", num(3), name)
		a.catchUp(t)
		select {
		case ids := <-told:
			if len(ids) != 1 || ids[0] != 3 {
				t.Fatalf("told of %v", ids)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("nobody was told")
		}
		if p, err := h.Pet(t.Context(), 3); err != nil || p.Name != name {
			t.Fatalf("after %q the herd says %q, %v", name, p.Name, err)
		}
	}
	history, err := h.History(t.Context(), 3)
	if err != nil || len(history) != 5 || history[4].Fields[0] != (pet.Delta{Field: "name", From: "name 3", To: "name 4"}) {
		t.Errorf("history: %+v, %v", history, err)
	}
	if n, err := h.Count(t.Context()); err != nil || n != 5 {
		t.Errorf("%d pets, %v", n, err)
	}
	if id, err := h.Random(t.Context()); err != nil || id < 1 || id > 5 {
		t.Errorf("some pet: %d, %v", id, err)
	}
	if _, err := h.History(t.Context(), 99); !errors.Is(err, pet.ErrNotFound) {
		t.Errorf("history of nobody: %v", err)
	}
	if _, err := h.List(t.Context(), pet.Query{Cursor: "forged"}); !errors.Is(err, pet.ErrBadCursor) {
		t.Errorf("a forged cursor: %v", err)
	}
	page, err := h.List(t.Context(), pet.Query{Limit: 3})
	if err != nil || len(page.Pets) != 3 || page.Next == "" {
		t.Fatalf("%+v, %v", page, err)
	}
	page, err = h.List(t.Context(), pet.Query{Limit: 3, Cursor: page.Next})
	if err != nil || len(page.Pets) != 2 || page.Next != "" || page.Pets[0].ID != 4 {
		t.Errorf("%+v, %v", page, err)
	}
}

// shelf is a store that can be away.
type shelf struct {
	away  atomic.Bool
	pets  map[uint64]pet.Pet
	reads atomic.Int64
}

var errAway = errors.New("connection refused")

func (s *shelf) err() error {
	if s.reads.Add(1); s.away.Load() {
		return errAway
	}
	return nil
}

func (s *shelf) PetsByID(_ context.Context, ids []uint64) (map[uint64]pet.Pet, error) {
	found := map[uint64]pet.Pet{}
	for _, id := range ids {
		if p, ok := s.pets[id]; ok {
			found[id] = p
		}
	}
	return found, s.err()
}

func (s *shelf) ListPets(context.Context, pet.Query, uint64) ([]pet.Pet, uint64, error) {
	return nil, 0, s.err()
}
func (s *shelf) PetHistory(context.Context, uint64, int) ([]pet.Change, error) { return nil, s.err() }
func (s *shelf) PetCounts(context.Context) (map[string]uint64, error)          { return nil, s.err() }
func (s *shelf) LastPetChange(context.Context) (uint64, error)                 { return 0, s.err() }
func (s *shelf) WantPet(context.Context, uint64, []string) error               { return s.err() }
func (s *shelf) PetNear(context.Context, string, float64) (uint64, error)      { return 0, s.err() }
func (s *shelf) PetChanges(_ context.Context, seq uint64, _ int) ([]uint64, uint64, error) {
	return nil, seq, s.err()
}

// node is a chain that answers as it is told.
type node struct {
	calls atomic.Int64
	err   error
	wait  chan struct{} // closed: answers at once
}

func (n *node) Latest(ctx context.Context, calls []evm.Call) (evm.Block, [][]byte, error) {
	n.calls.Add(1)
	if n.wait != nil {
		select {
		case <-n.wait:
		case <-ctx.Done():
			return evm.Block{}, nil, ctx.Err()
		}
	}
	next := common.BigToHash(big.NewInt(100))
	return evm.Block{Number: 1}, [][]byte{nil, nil, next[:]}, n.err
}

func fakeHerd(t *testing.T, s *shelf, n *node) *pet.Herd {
	t.Helper()
	h, err := pet.NewHerd(pet.HerdConfig{Shelf: s, Feed: s, Chains: map[string]pet.Latest{"second": n}, Asking: 2, Timeout: time.Second, Realms: []pet.Realm{
		{Key: "first", Offset: offset(0), Struct: "v1", Closed: true},
		{Key: "second", Offset: offset(band), Struct: "v2", Chain: "second"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestHerdSaysWhatItCannotSay(t *testing.T) {
	s, n := &shelf{}, &node{}
	h := fakeHerd(t, s, n)
	if _, err := h.Pet(t.Context(), 5); !errors.Is(err, pet.ErrNotFound) || n.calls.Load() != 0 {
		t.Errorf("an unknown pet of a closed realm: %v", err)
	}
	n.err = evm.ErrUnavailable
	if _, err := h.Pet(t.Context(), band+500); !errors.Is(err, pet.ErrUnavailable) || errors.Is(err, pet.ErrNotFound) {
		t.Errorf("while the node is away: %v", err)
	}
	n.err = nil
	if _, err := h.Pet(t.Context(), band+500); !errors.Is(err, pet.ErrNotFound) {
		t.Errorf("once the node is back: %v", err)
	}
	s.away.Store(true)
	for _, id := range []uint64{5, band + 500} {
		if _, err := h.Pet(t.Context(), id); !errors.Is(err, pet.ErrUnavailable) {
			t.Errorf("pet %d while the store is away: %v", id, err)
		}
	}
}

func TestHerdAsksOnceAndRemembersBriefly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &node{wait: make(chan struct{})}
		h := fakeHerd(t, &shelf{}, n)
		defer h.Close()
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				if _, err := h.Pet(t.Context(), band+500); !errors.Is(err, pet.ErrNotFound) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		close(n.wait)
		group.Wait()
		if c := n.calls.Load(); c != 1 {
			t.Errorf("50 callers at once made %d calls", c)
		}
		h.Pet(t.Context(), band+500)
		if c := n.calls.Load(); c != 1 {
			t.Errorf("a pet that is not there was asked for again at once")
		}
		time.Sleep(5 * time.Second) // it may have hatched
		h.Pet(t.Context(), band+500)
		if c := n.calls.Load(); c != 2 {
			t.Errorf("that a pet is not there is remembered for too long: %d calls", c)
		}
	})
}

func TestHerdAsksFewAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &node{wait: make(chan struct{})} // hangs
		h := fakeHerd(t, &shelf{}, n)
		defer h.Close()
		var group sync.WaitGroup
		for id := range uint64(20) {
			group.Go(func() {
				if _, err := h.Pet(t.Context(), band+500+id); !errors.Is(err, pet.ErrUnavailable) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		if c := n.calls.Load(); c != 2 {
			t.Errorf("%d calls at once, want 2", c)
		}
		began := time.Now()
		group.Wait()
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("callers waited %v", took)
		}
	})
}

func TestHerdAnswersFromMemoryWhileTheStoreIsAway(t *testing.T) {
	s := &shelf{pets: map[uint64]pet.Pet{5: {ID: 5, Realm: "first"}}}
	h := fakeHerd(t, s, &node{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go h.Run(ctx)
	for began := time.Now(); ; { // until it remembers
		if _, err := h.Pet(t.Context(), 5); err != nil {
			t.Fatal(err)
		}
		s.away.Store(true)
		p, err := h.Pet(t.Context(), 5)
		if err == nil && p.ID == 5 {
			break
		}
		s.away.Store(false)
		if time.Since(began) > 20*time.Second {
			t.Fatalf("it never remembers: %v", err)
		}
	}
}
