package directory_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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
	why    string // why pets of open realms may be missing
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
func (s *fakeStore) LastPetChange(context.Context) (pet.FeedMark, error) {
	return pet.FeedMark{}, s.err()
}
func (s *fakeStore) MissingPets(_ context.Context, home pet.Realm, open []string, ids []uint64) ([]uint64, error) {
	if s.why != "" && !home.Closed {
		return nil, s.err()
	}
	return ids, s.err()
}
func (s *fakeStore) WhyUnread(context.Context, []string) (string, error) { return s.why, s.err() }
func (s *fakeStore) PetChanges(_ context.Context, after pet.FeedMark, _ int) ([]pet.FeedMark, error) {
	if s.reset.Swap(false) {
		return nil, pet.ErrFeedReset
	}
	if s.reread.Swap(false) {
		return []pet.FeedMark{{Seq: after.Seq + 1, ID: pet.NoID}}, nil
	}
	return nil, s.err()
}

func fakeDirectory(t *testing.T, s *fakeStore) *directory.Directory {
	t.Helper()
	realms := []pet.Realm{
		{Key: "first", Offset: offset(0), Getter: "v1", Closed: true},
		{Key: "second", Offset: offset(band), Getter: "v2", Chain: "second"},
	}
	registry := &pet.Registry{Collection: traits.Pets(), Realms: realms}
	return directory.New(directory.Config{Reader: s, Feed: s, Registry: registry})
}

func TestUnavailableIsNotNotFound(t *testing.T) {
	s := &fakeStore{why: "second is still being read, 41 %"}
	d := fakeDirectory(t, s)
	if _, err := d.Pet(t.Context(), 5); !errors.Is(err, pet.ErrNotFound) {
		t.Errorf("an unknown pet of a closed realm: %v", err)
	}
	ask := func(want error, when string) {
		t.Helper()
		_, err := d.Pet(t.Context(), band+500)
		list, _ := d.Pets(t.Context(), []uint64{band + 500, band + 501, band + 500})
		for _, err := range []error{err, list[0].Err, list[1].Err, list[2].Err} {
			if !errors.Is(err, want) || want == pet.ErrUnavailable && errors.Is(err, pet.ErrNotFound) {
				t.Errorf("%s: %v, want %v", when, err, want)
			}
		}
	}
	ask(pet.ErrUnavailable, "while the realm is being read")
	_, err := d.Pet(t.Context(), band+500)
	if unread, ok := errors.AsType[*pet.NotYetRead](err); !ok || unread.Reason != s.why {
		t.Errorf("the reason is %v", err)
	}
	s.why = ""
	ask(pet.ErrNotFound, "once the realm was read")
	s.down.Store(true)
	ask(pet.ErrUnavailable, "while the store is down")
}

// TestCallersDoNotFillTheLog: each fault is logged once, however many callers ask while nothing
// answers.
func TestCallersDoNotFillTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the minute never ends here
		var log bytes.Buffer
		s := &fakeStore{why: "second is still being read"}
		d := fakeDirectory(t, s)
		d.Log = slog.New(slog.NewTextHandler(&log, nil))
		for _, down := range []bool{false, true} {
			s.down.Store(down)
			for i := range uint64(100) {
				d.Pet(t.Context(), band+500+i)
				d.List(t.Context(), pet.Query{})
			}
		}
		if lines := strings.Count(log.String(), "\n"); lines != 1 {
			t.Errorf("the log has %d lines: %.1000s", lines, &log)
		}
	})
}

func TestMemoryAnswersWhileTheStoreIsUnreachable(t *testing.T) {
	s := &fakeStore{pets: map[uint64]pet.Pet{5: {ID: 5, Realm: "first"}}}
	d := fakeDirectory(t, s)
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
		if time.Since(began) > 3*time.Minute {
			t.Fatalf("the directory never remembers the pet: %v", err)
		}
	}
}

func TestABurnedPetIsNotFoundAndSaysSo(t *testing.T) {
	s := &fakeStore{pets: map[uint64]pet.Pet{band + 5: {ID: band + 5, Burned: true}}}
	d := fakeDirectory(t, s)
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
}

func TestMemoryIsForgottenWhenTheFeedGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &fakeStore{pets: map[uint64]pet.Pet{5: {ID: 5, Realm: "first", Block: 9}}}
		d := fakeDirectory(t, s)
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
		d := fakeDirectory(t, s)
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
		d := fakeDirectory(t, s)
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
