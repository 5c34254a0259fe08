package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// TestImportedTraits: if contracts have no traits, a pet has the imported ones, whether it was
// imported or seen first.
func TestImportedTraits(t *testing.T) {
	c, err := collection.Parse("plain.yaml",
		[]byte("name: Plain\nfields: [{name: power, type: uint8, filter: true}, {name: title, type: string, is: name}]"))
	if err != nil {
		t.Fatal(err)
	}
	rg := &pet.Registry{Collection: c, Realms: []pet.Realm{{Key: "open", Offset: &zero, Chain: "c"}}}
	power := func(n int) collection.Value {
		v, _, err := c.FromTexts(map[string]string{"power": fmt.Sprint(n)})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		s.SetCollection(c)
		put := func(want int, pets ...pet.Pet) {
			t.Helper()
			for i := range pets {
				pets[i].Realm = "open"
			}
			if n, err := s.ImportPets(t.Context(), rg, pets); err != nil || n != want {
				t.Fatalf("%d of %d are new or different, %v", n, len(pets), err)
			}
		}
		seen := func(number uint64, b batch, owners ...common.Address) {
			t.Helper()
			b.Realm, b.Registry, b.At = rg.Realms[0], rg, block(number)
			for i, owner := range owners {
				b.Observations = append(b.Observations, pet.Observation{ID: uint64(i) + 1, Owner: owner})
			}
			if _, err := s.WritePets(t.Context(), b.step()); err != nil {
				t.Fatal(err)
			}
		}
		is := func(id uint64, owner common.Address, name string, v collection.Value) {
			t.Helper()
			if p, _ := one(t, s, id); p.Owner != owner || p.Name != name || p.Value != v {
				t.Errorf("pet %d is %+v", id, p)
			}
		}
		put(2, pet.Pet{ID: 1, Value: power(5), Name: "Ada"}, pet.Pet{ID: 4, Value: power(9)})
		seen(1, batch{First: true}, alice, bob, bob)
		is(1, alice, "Ada", power(5))
		is(2, bob, "", "")
		if _, ok := one(t, s, 4); ok {
			t.Error("a pet that is on no chain is published")
		}
		// Import the rest, and one of the first again with a different value.
		put(3, pet.Pet{ID: 1, Value: power(6), Name: "Ada"}, pet.Pet{ID: 2, Value: power(7)},
			pet.Pet{ID: 3, Value: power(8)})
		put(0, pet.Pet{ID: 2, Value: power(7)})
		is(1, alice, "Ada", power(6))
		is(2, bob, "", power(7))
		changes, err := s.PetHistory(t.Context(), 1, 9)
		if err != nil || len(changes) != 1 ||
			!cmp.Equal(changes[0].Fields, []pet.Delta{{Field: "power", From: "5", To: "6"}}) {
			t.Errorf("the history has %+v, %v", changes, err)
		}
		// The pet is transferred and burned, and then these blocks are undone.
		seen(2, batch{}, bob)
		is(1, bob, "Ada", power(6))
		seen(3, batch{}, common.Address{})
		if p, _ := one(t, s, 1); !p.Burned {
			t.Errorf("a burned pet is %+v", p)
		}
		if _, err := s.WritePets(t.Context(), batch{Registry: rg, Realm: rg.Realms[0], At: block(1), Undo: true,
			Want: map[uint64]time.Time{1: time.Now()}}.step()); err != nil {
			t.Fatal(err)
		}
		seen(1, batch{}, alice)
		is(1, alice, "Ada", power(6))
		seen(4, batch{}, alice, bob, bob, alice) // minted after it was imported
		is(4, alice, "", power(9))
		found, _, err := s.ListPets(t.Context(), pet.Query{Limit: 9, Traits: map[string][]int{"power": {9}}},
			pet.PagePosition{})
		if err != nil || len(found) != 1 || found[0].ID != 4 {
			t.Errorf("a listing has %+v, %v", found, err)
		}
	})
}

// Each batch of an import has one change that names its realm, if some pets are new or had no traits.
// Other pets get changes of their own.
func TestEachBatchOfAnImportIsInTheFeed(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := things(t, fieldA, fieldB)
		s := leadingThings(t, url, c)
		rg := &pet.Registry{Collection: c, Realms: []pet.Realm{{Key: "first", Offset: &zero, Closed: true}}}
		seq := uint64(0)
		put := func(changed int, want []string, values ...collection.Value) {
			t.Helper()
			total := 0
			for i, v := range values { // each in its own transaction
				n, err := s.ImportPets(t.Context(), rg,
					[]pet.Pet{{ID: second + uint64(i), Realm: "first", Owner: alice, Value: v}})
				if err != nil {
					t.Fatal(err)
				}
				total += n
			}
			got := feed(t, s, seq)
			if seq += uint64(len(got)); total != changed || !slices.Equal(got, want) {
				t.Errorf("%d are new or different, and the feed says %q, want %q", total, got, want)
			}
		}
		first := []collection.Value{thing(t, c, "a", 1), thing(t, c, "a", 2), thing(t, c, "a", 3)}
		put(3, []string{"reread first", "reread first", "reread first"}, first...)
		put(0, nil, first...)
		put(1, []string{"changed 0 a:1-9"}, thing(t, c, "a", 9))
		put(2, []string{"changed 0 a:9-8 b:-1", "changed 1 b:-2"}, thing(t, c, "a", 8, "b", 1),
			thing(t, c, "a", 2, "b", 2))
	})
}
