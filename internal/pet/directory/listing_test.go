package directory_test

import (
	"context"
	"errors"
	"strings"
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
	c := &pet.Census{Counts: map[pet.Count]uint64{}}
	for _, p := range s.pets {
		c.Counts[pet.Count{Realm: p.Realm}]++
	}
	return c, s.err()
}

func TestTheCensusOutlivesTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &counted{fakeStore: fakeStore{pets: map[uint64]pet.Pet{1: {ID: 1, Realm: "first"}}}}
		d := directory.New(directory.Config{Registry: &pet.Registry{Collection: traits.Pets()}, Reader: s, Feed: s})
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

func TestListingsRefuseParametersThatDoNotSelect(t *testing.T) {
	refuses := directory.New(directory.Config{Registry: &pet.Registry{Collection: traits.Pets()}}).Refuses
	for param, want := range map[string]string{
		"page": "the parameter cursor", "offset": "the parameter cursor", "sort": "by id",
		"eggType": "use the parameter egg", "eggtype": "use the parameter egg",
		"profBonus": "use the parameter gathering",
		"hungryAt":  "the filters are realm, owner, season, egg, ",
		"hungry":    "the filters are ", "FedBy": "the filters are ",
		"Rarity": "did you mean rarity?", "OWNER": "did you mean owner?",
	} {
		if why := refuses(param); !strings.Contains(why, want) {
			t.Errorf("%s is refused with %q, want %q", param, why, want)
		}
	}
	for _, param := range []string{"egg", "season", "realm", "owner", "cursor", "limit", "utm_source"} {
		if why := refuses(param); why != "" {
			t.Errorf("%s is refused: %s", param, why)
		}
	}
}
