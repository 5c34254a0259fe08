package directory_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/testkit/traits"
)

// counted is a store with a census.
type counted struct{ fakeStore }

func (s *counted) PetCensus(context.Context) (*pet.Census, error) {
	c := &pet.Census{Collection: traits.Pets()}
	for _, p := range s.pets {
		c.Counts = append(c.Counts, pet.Count{Realm: p.Realm, Pets: 1})
	}
	return c, s.err()
}

func TestTheCensusOutlivesTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &counted{fakeStore: fakeStore{pets: map[uint64]pet.Pet{1: {ID: 1, Realm: "first"}}}}
		d := directory.New(directory.Config{Kingdom: &pet.Kingdom{Collection: traits.Pets()}, Reader: s, Feed: s})
		defer d.Close()
		s.down.Store(true)
		if _, err := d.Census(t.Context()); !errors.Is(err, pet.ErrUnavailable) {
			t.Errorf("without a store: %v", err)
		}
		s.down.Store(false)
		all := func() uint64 {
			c, err := d.Census(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			n, _ := c.Count(pet.Query{})
			return n
		}
		reads := s.reads.Load()
		for range 2 {
			if n := all(); n != 1 || s.reads.Load() != reads+1 {
				t.Errorf("%d pets, by %d reads", n, s.reads.Load()-reads)
			}
		}
		s.pets[2] = pet.Pet{ID: 2, Realm: "first"}
		time.Sleep(2 * time.Second)
		if n := all(); n != 2 {
			t.Errorf("%d pets a moment later", n)
		}
		s.down.Store(true)
		time.Sleep(2 * time.Second)
		if n := all(); n != 2 {
			t.Errorf("%d pets while the store is away", n)
		}
	})
}

// fed is a store with the changes from oldest to newest.
type fed struct {
	fakeStore
	oldest, newest uint64
}

func (s *fed) LastPetChange(context.Context) (pet.FeedMark, error) {
	return pet.FeedMark{Seq: s.newest}, s.err()
}

func (s *fed) ChangesSince(_ context.Context, since *uint64, limit int) (list []pet.Change, _ error) {
	seq := s.oldest
	if since != nil {
		if seq = *since + 1; seq < s.oldest {
			return nil, pet.OutsideFeed{Oldest: s.oldest, Newest: s.newest}
		}
	}
	for ; seq <= s.newest && len(list) < limit; seq++ {
		list = append(list, pet.Change{Seq: seq})
	}
	return list, s.err()
}

func TestLatestChanges(t *testing.T) {
	for _, test := range []struct {
		name                   string
		oldest, newest, before uint64
		want                   []uint64
	}{
		{"no changes", 1, 0, 0, nil},
		{"a few", 1, 2, 0, []uint64{2, 1}},
		{"many", 1, 9, 0, []uint64{9, 8, 7}},
		{"old ones were dropped", 8, 9, 0, []uint64{9, 8}},
		{"before another", 1, 9, 7, []uint64{6, 5, 4}},
		{"before the second", 1, 9, 2, []uint64{1}},
		{"before the first", 1, 9, 1, nil},
		{"before one that does not exist yet", 1, 9, 100, []uint64{9, 8, 7}},
		{"before the oldest that is kept", 8, 9, 8, nil},
		{"before one after the oldest that is kept", 8, 9, 9, []uint64{8}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &fed{oldest: test.oldest, newest: test.newest}
			d := directory.New(directory.Config{Kingdom: &pet.Kingdom{Collection: traits.Pets()}, Reader: s, Feed: s})
			defer d.Close()
			list, err := d.LatestChanges(t.Context(), test.before, 3)
			var got []uint64
			for _, c := range list {
				got = append(got, c.Seq)
			}
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("%v, %v", got, err)
			}
			s.down.Store(true)
			if _, err := d.LatestChanges(t.Context(), test.before, 3); !errors.Is(err, pet.ErrUnavailable) {
				t.Errorf("without the store: %v", err)
			}
		})
	}
}
