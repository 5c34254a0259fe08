package directory_test

import (
	"context"
	"errors"
	"maps"
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

// sorted is a store that lists its pets by one trait and in an order, a few at a time.
type sorted struct{ fakeStore }

func (s *sorted) ListPets(_ context.Context, q pet.Query,
	from pet.PagePosition) (out []pet.Pet, next pet.PagePosition, _ error) {
	ids := slices.Sorted(maps.Keys(s.pets))
	if q.Order == pet.Newest {
		slices.Reverse(ids)
	}
	for _, id := range ids {
		switch {
		case q.Order == pet.ByID && id < from.ID, q.Order == pet.Newest && from.ID > 0 &&
			id >= from.ID, int(id%3) != q.Traits["rarity"]:
			continue
		case len(out) == q.Limit && q.Order == pet.ByID:
			return out, pet.PagePosition{ID: id}, nil
		case len(out) == q.Limit:
			return out, pet.PagePosition{ID: out[len(out)-1].ID}, nil
		}
		out = append(out, s.pets[id])
	}
	return out, next, nil
}

// A listing of several selections has each pet once, in one order across all pages.
func TestAListingOfSeveralSelections(t *testing.T) {
	s := &sorted{fakeStore{pets: map[uint64]pet.Pet{}}}
	var want []uint64
	for id := uint64(1); id <= 50; id++ {
		s.pets[id] = pet.Pet{ID: id}
		if id%3 != 0 {
			want = append(want, id)
		}
	}
	d := directory.New(directory.Config{Kingdom: &pet.Kingdom{Collection: traits.Pets()}, Reader: s, Feed: s})
	defer d.Close()
	for _, order := range []pet.Order{pet.ByID, pet.Newest} {
		t.Run("order "+string(order), func(t *testing.T) {
			q := pet.Query{Traits: map[string]int{"rarity": 1},
				Or: []pet.Query{{Traits: map[string]int{"rarity": 2}}}, Order: order, Limit: 7}
			var got []uint64
			for range 20 {
				page, err := d.List(t.Context(), q)
				if err != nil || len(page.Pets) > q.Limit {
					t.Fatal(len(page.Pets), err)
				}
				for _, p := range page.Pets {
					got = append(got, p.ID)
				}
				if q.PageToken = page.Next; page.Next == "" {
					break
				}
			}
			if order == pet.Newest {
				slices.Reverse(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
