package directory_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
)

// ranked is a store whose pets are listed newest first.
type ranked struct {
	fakeStore
	lists int
}

func (s *ranked) ListPets(_ context.Context, q pet.Query, from pet.PagePosition) (found []pet.Pet, next pet.PagePosition, _ error) {
	s.lists++
	var all []pet.Pet
	for _, p := range s.pets {
		if p.Rarity == uint8(q.Traits["rarity"]) && (from.ID == 0 || p.ID < from.ID) && (q.Realm == nil || p.Realm == *q.Realm) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b pet.Pet) int { return cmp.Compare(b.ID, a.ID) })
	if len(all) > q.Limit {
		return all[:q.Limit], pet.PagePosition{ID: all[q.Limit-1].ID}, nil
	}
	return all, next, nil
}

func (s *ranked) PetCensus(context.Context) (*pet.Census, error) {
	counts := map[pet.Kind]uint64{}
	for _, p := range s.pets {
		counts[p.Kind()]++
	}
	c := new(pet.Census)
	for k, n := range counts {
		c.Kinds = append(c.Kinds, pet.KindCount{Kind: k, Pets: n})
	}
	return c, s.err()
}

func TestTheRarestComeFirst(t *testing.T) {
	s := &ranked{fakeStore: fakeStore{pets: map[uint64]pet.Pet{}}}
	var want []uint64
	for _, rarity := range []uint8{255, 4, 1, 0} {
		for id := uint64(40); id > 0; id-- {
			if map[uint8]bool{255: id == 7, 4: id%9 == 0, 1: id%4 == 0 && id%9 != 0}[rarity] || rarity == 0 && id != 7 && id%9 != 0 && id%4 != 0 {
				s.pets[id] = pet.Pet{ID: id, Realm: "first", Traits: pet.Traits{Rarity: rarity}}
				want = append(want, id)
			}
		}
	}
	d := directory.New(directory.Config{Reader: s, Feed: s})
	defer d.Close()
	for limit := 1; limit < 42; limit++ {
		var got []uint64
		q := pet.Query{Order: pet.ByRarity, Limit: limit}
		for pages := 0; ; pages++ {
			page, err := d.List(t.Context(), q)
			if err != nil || pages > 60 {
				t.Fatalf("after %d pages: %v", pages, err)
			}
			for _, p := range page.Pets {
				got = append(got, p.ID)
			}
			if q.PageToken = page.Next; q.PageToken == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("by %d: %v, not %v", limit, got, want)
		}
	}
	elsewhere, before := "elsewhere", s.lists
	if page, err := d.List(t.Context(), pet.Query{Order: pet.ByRarity, Realm: &elsewhere}); err != nil || len(page.Pets) > 0 || s.lists != before {
		t.Errorf("what the census has none of was looked for %d times: %v, %v", s.lists-before, page.Pets, err)
	}
}

func TestTheCensusOutlivesTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &ranked{fakeStore: fakeStore{pets: map[uint64]pet.Pet{1: {ID: 1, Realm: "first"}}}}
		d := directory.New(directory.Config{Reader: s, Feed: s})
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
