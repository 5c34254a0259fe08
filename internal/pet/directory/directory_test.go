package directory_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/testkit/traits"
)

// fakeStore is a store that can be made unreachable.
type fakeStore struct {
	down   atomic.Bool
	pets   map[uint64]pet.Pet
	reread atomic.Bool // the next look at the feed finds a reread realm
	reset  atomic.Bool // the feed went back
	reads  atomic.Int64
}

const band = uint64(pet.Band)

func offset(n uint64) *uint64 { return &n }

var errDown = errors.New("connection refused")

func (s *fakeStore) err() error {
	if s.reads.Add(1); s.down.Load() {
		return errDown
	}
	return nil
}

func (s *fakeStore) PetsByID(_ context.Context, ids []uint64) (map[uint64]pet.Pet, error) {
	found := map[uint64]pet.Pet{}
	for _, id := range ids {
		if p, ok := s.pets[id]; ok {
			found[id] = p
		}
	}
	return found, s.err()
}

func (s *fakeStore) ListPets(context.Context, pet.Query, pet.PagePosition) ([]pet.Pet, pet.PagePosition, error) {
	return nil, pet.PagePosition{}, s.err()
}
func (s *fakeStore) PetHistory(context.Context, uint64, int) ([]pet.Change, error) {
	return nil, s.err()
}
func (s *fakeStore) ChangesSince(context.Context, *uint64, int) ([]pet.Change, error) {
	return nil, s.err()
}
func (s *fakeStore) PetCensus(context.Context) (*pet.Census, error) { return &pet.Census{}, s.err() }
func (s *fakeStore) PetOwners(context.Context, []common.Address) (pet.Owners, error) {
	return pet.Owners{}, s.err()
}
func (s *fakeStore) LastPetChange(context.Context) (pet.FeedMark, error) {
	return pet.FeedMark{}, s.err()
}
func (s *fakeStore) WantPet(context.Context, uint64, []string) error { return s.err() }
func (s *fakeStore) PetChanges(_ context.Context, after pet.FeedMark, _ int) ([]pet.FeedMark, error) {
	if s.reset.Swap(false) {
		return nil, pet.ErrFeedReset
	}
	if s.reread.Swap(false) {
		return []pet.FeedMark{{Seq: after.Seq + 1, ID: pet.NoID}}, nil
	}
	return nil, s.err()
}

// node is a chain with configured answers.
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

func fakeDirectory(t *testing.T, s *fakeStore, n *node) *directory.Directory {
	t.Helper()
	d := directory.New(directory.Config{Reader: s, Feed: s, Chains: map[string]directory.Chain{"second": n},
		ChainReads: 2, Timeout: time.Second, Kingdom: &pet.Kingdom{Collection: traits.Pets(), Realms: []pet.Realm{
			{Key: "first", Offset: offset(0), Getter: pet.Getters{"v1"}, Closed: true},
			{Key: "second", Offset: offset(band), Getter: pet.Getters{"v2"}, Chain: "second"},
		}}})
	return d
}

func TestUnavailableIsNotNotFound(t *testing.T) {
	s, n := &fakeStore{}, &node{}
	d := fakeDirectory(t, s, n)
	if _, err := d.Pet(t.Context(), 5); !errors.Is(err, pet.ErrNotFound) || n.calls.Load() != 0 {
		t.Errorf("an unknown pet of a closed realm: %v", err)
	}
	n.err = evm.ErrUnavailable
	if _, err := d.Pet(t.Context(), band+500); !errors.Is(err, pet.ErrUnavailable) || errors.Is(err, pet.ErrNotFound) {
		t.Errorf("while the node is down: %v", err)
	}
	n.err = nil
	if _, err := d.Pet(t.Context(), band+500); !errors.Is(err, pet.ErrNotFound) {
		t.Errorf("once the node is back: %v", err)
	}
	s.down.Store(true)
	for _, id := range []uint64{5, band + 500} {
		if _, err := d.Pet(t.Context(), id); !errors.Is(err, pet.ErrUnavailable) {
			t.Errorf("pet %d while the store is down: %v", id, err)
		}
	}
}

// TestCallersDoNotFillTheLog: each fault is logged once, however many callers ask while nothing
// answers.
func TestCallersDoNotFillTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the minute never ends here
		var log bytes.Buffer
		s, n := &fakeStore{}, &node{err: evm.ErrUnavailable}
		d := fakeDirectory(t, s, n)
		d.Log = slog.New(slog.NewTextHandler(&log, nil))
		defer d.Close()
		for _, down := range []bool{false, true} {
			s.down.Store(down)
			for i := range uint64(100) {
				d.Pet(t.Context(), band+500+i)
				d.List(t.Context(), pet.Query{})
			}
		}
		if lines := strings.Count(log.String(), "\n"); lines != 2 {
			t.Errorf("the log has %d lines: %.1000s", lines, &log)
		}
	})
}

func TestAChainIsAskedOnceAndAMissingPetIsRememberedBriefly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &node{wait: make(chan struct{})}
		d := fakeDirectory(t, &fakeStore{}, n)
		defer d.Close()
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				if _, err := d.Pet(t.Context(), band+500); !errors.Is(err, pet.ErrNotFound) {
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
		d.Pet(t.Context(), band+500)
		if c := n.calls.Load(); c != 1 {
			t.Errorf("a missing pet was asked for again at once")
		}
		time.Sleep(5 * time.Second) // the pet may have hatched
		d.Pet(t.Context(), band+500)
		if c := n.calls.Load(); c != 2 {
			t.Errorf("a missing pet is remembered for too long: %d calls", c)
		}
	})
}

func TestChainReadsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &node{wait: make(chan struct{})} // the node hangs
		d := fakeDirectory(t, &fakeStore{}, n)
		defer d.Close()
		var group sync.WaitGroup
		for id := range uint64(20) {
			group.Go(func() {
				if _, err := d.Pet(t.Context(), band+500+id); !errors.Is(err, pet.ErrUnavailable) {
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

func TestMemoryAnswersWhileTheStoreIsUnreachable(t *testing.T) {
	s := &fakeStore{pets: map[uint64]pet.Pet{5: {ID: 5, Realm: "first"}}}
	d := fakeDirectory(t, s, &node{})
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go d.Run(ctx)
	for began := time.Now(); ; { // until the directory remembers the pet
		if _, err := d.Pet(t.Context(), 5); err != nil {
			t.Fatal(err)
		}
		s.down.Store(true)
		p, err := d.Pet(t.Context(), 5)
		if err == nil && p.ID == 5 {
			break
		}
		s.down.Store(false)
		if time.Since(began) > 20*time.Second {
			t.Fatalf("the directory never remembers the pet: %v", err)
		}
	}
}

func TestAnUnknownIDIsReadOnlyOnce(t *testing.T) {
	s, n := &fakeStore{}, &node{}
	d := fakeDirectory(t, s, n)
	t.Cleanup(d.Close)
	for i := range uint64(500) { // like a client that tries random ids
		if _, err := d.Pet(t.Context(), band+100+i*i*7919); !errors.Is(err, pet.ErrNotFound) {
			t.Fatal(err)
		}
	}
	if calls := n.calls.Load(); calls != 1 {
		t.Errorf("500 ids above the realm's last cost %d reads", calls)
	}
	n.calls.Store(0)
	for range 3 {
		for i := range uint64(10) {
			if _, err := d.Pet(t.Context(), band+50+i); !errors.Is(err, pet.ErrNotFound) {
				t.Fatal(err)
			}
		}
	}
	if calls := n.calls.Load(); calls != 10 {
		t.Errorf("10 ids that were given out and are nowhere cost %d reads", calls)
	}
}

func TestABurnedPetIsNotFoundAndSaysSo(t *testing.T) {
	s, n := &fakeStore{pets: map[uint64]pet.Pet{band + 5: {ID: band + 5, Burned: true}}}, &node{err: evm.ErrUnavailable}
	d := fakeDirectory(t, s, n)
	for range 2 {
		if _, err := d.Pet(t.Context(), band+5); !errors.Is(err, pet.ErrBurned) || !errors.Is(err, pet.ErrNotFound) {
			t.Errorf("one of it: %v", err)
		}
		if _, found := d.Peek(band + 5); found {
			t.Error("memory returns the burned pet")
		}
	}
	list, err := d.Pets(t.Context(), []uint64{band + 5})
	if err != nil || !errors.Is(list[0].Err, pet.ErrBurned) || list[0].ID != band+5 || list[0].Pet != (pet.Pet{}) {
		t.Errorf("a batch with it: %+v, %v", list, err)
	}
	if n.calls.Load() != 0 {
		t.Error("the chain of a burned pet was asked")
	}
}

func TestMemoryIsForgottenWhenTheFeedGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeStore{pets: map[uint64]pet.Pet{5: {ID: 5, Realm: "first", Block: 9}}}
		d := fakeDirectory(t, s, &node{})
		defer d.Close()
		told := 0
		d.Subscribe(func(ids []uint64) {
			if ids == nil {
				told++
			}
		})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go d.Run(ctx)
		synctest.Wait()
		want := func(block uint64) {
			t.Helper()
			if p, err := d.Pet(t.Context(), 5); err != nil || p.Block != block {
				t.Errorf("%+v, %v, not of block %d", p, err, block)
			}
		}
		want(9)
		s.pets = map[uint64]pet.Pet{5: {ID: 5, Realm: "first", Block: 7}} // an older store was restored
		want(9)
		s.reset.Store(true)
		time.Sleep(time.Second)
		want(7)
		if told != 1 {
			t.Errorf("subscribers were told %d times that any pet may have changed, want once", told)
		}
		if _, found := d.Peek(5); !found {
			t.Error("nothing is remembered any more")
		}
	})
}

// A realm was read again. Memory forgets its pets, and subscribers learn that any pet may have
// changed.
func TestMemoryIsForgottenWhenARealmIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeStore{pets: map[uint64]pet.Pet{5: {ID: 5, Realm: "first", Block: 9}}}
		d := fakeDirectory(t, s, &node{})
		defer d.Close()
		var heard [][]uint64
		d.Subscribe(func(ids []uint64) { heard = append(heard, ids) })
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go d.Run(ctx)
		synctest.Wait()
		for _, block := range []uint64{9, 7} {
			if p, err := d.Pet(t.Context(), 5); err != nil || p.Block != block {
				t.Errorf("%+v, %v, not of block %d", p, err, block)
			}
			s.pets = map[uint64]pet.Pet{5: {ID: 5, Realm: "first", Block: 7}}
			s.reread.Store(block == 9)
			time.Sleep(time.Second)
		}
		if len(heard) != 1 || heard[0] != nil {
			t.Errorf("heard %v", heard)
		}
		if _, found := d.Peek(5); !found {
			t.Error("nothing is remembered any more")
		}
	})
}

// lateStore answers a second after it has read.
type lateStore struct{ *fakeStore }

func (s lateStore) PetsByID(ctx context.Context, ids []uint64) (map[uint64]pet.Pet, error) {
	found, err := s.fakeStore.PetsByID(ctx, ids)
	time.Sleep(time.Second)
	return found, err
}

// A pet is read and changes before changes are followed. No event will show that the pet is out of
// date, so it is not remembered.
func TestPetsReadBeforeTheFeedIsFollowedAreNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeStore{pets: map[uint64]pet.Pet{5: {ID: 5, Realm: "first", Block: 1}}}
		d := fakeDirectory(t, s, &node{})
		defer d.Close()
		d.Reader = lateStore{s}
		go d.Pet(t.Context(), 5)
		synctest.Wait()
		s.pets = map[uint64]pet.Pet{5: {ID: 5, Realm: "first", Block: 2}}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go d.Run(ctx)
		time.Sleep(2 * time.Second)
		if p, err := d.Pet(t.Context(), 5); err != nil || p.Block != 2 {
			t.Errorf("remembered: %+v, %v", p, err)
		}
	})
}
