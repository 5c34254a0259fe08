package store

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

// After a realm is removed from the configuration, its pets are in no listing and no count. Its
// guests are at home again.
func TestPetsOfARemovedRealmAreForgotten(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		var natives []pet.Observation
		for n := range uint64(2500) {
			natives = append(natives, see(third+1+n, alice, traits.V2()))
		}
		guest, burned := see(second+1, alice, traits.V2()), see(third+1, common.Address{}, "")
		write(t, s, batch{Realm: realm("second"), At: block(1),
			Observations: []pet.Observation{see(second+1, bridge, traits.V2()),
				see(second+2, alice, traits.V2())}})
		write(t, s, batch{Realm: realm("third"), At: block(2), Observations: append(natives, guest)})
		write(t, s, batch{Realm: realm("third"), At: block(3), Observations: []pet.Observation{burned}})
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		left := &pet.Registry{Collection: registry.Collection, Realms: []pet.Realm{realm("first"), realm("second")}}
		if stray, err := s.StrayPets(t.Context(), left); err != nil || stray["third"] != 2500 || len(stray) != 1 {
			t.Fatalf("the pets of realms that are not configured: %v, %v", stray, err)
		}
		if n, err := s.ForgetRealm(t.Context(), left, "third"); n != 2501 || err != nil {
			t.Fatalf("%d pets are forgotten, %v", n, err)
		}
		pets, _, err := s.ListPets(t.Context(), pet.Query{Limit: 9}, pet.PagePosition{})
		if err != nil || len(pets) != 2 || pets[0].ID != second+1 || pets[0].Realm != "second" || !pets[0].InTransit {
			t.Errorf("the listing has %+v, %v", pets, err)
		}
		if n, _ := censusOf(t, s).Count(pet.Query{}); n != 2 {
			t.Errorf("the census counts %d", n)
		}
		if _, ok := one(t, s, third+2); ok {
			t.Error("a pet of the removed realm is there")
		}
		if p, ok := one(t, s, third+1); ok {
			t.Errorf("the burned pet is %+v", p)
		}
		last, err := s.PetHistory(t.Context(), third+2, 1)
		if err != nil || len(last) != 1 || last[0].Kind != pet.Gone {
			t.Errorf("the feed says %+v, %v", last, err)
		}
		if w, err := s.PetWork(t.Context(), "third", 1); err != nil || w.Position != nil {
			t.Errorf("the realm would go on at %+v, %v", w.Position, err)
		}
	})
}
