package store

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/testkit/traits"
)

// A pet is renamed, bridged, has a change undone, and is burned. PetAt returns what was published
// at each time.
func TestPetAtReturnsThePublishedState(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		id := second + 1
		rng := rand.New(rand.NewPCG(17, 2))
		var kept []pet.Pet // by second; id 0 means none
		realmOf, owner, name, v := "second", alice, "a\x00b\xff", traits.V2("egg", 1)
		step := func(n uint64, undo *evm.Block) {
			seen := []pet.Observation{named(see(id, owner, v), name)}
			write(t, s, index.Batch{Realm: realm(realmOf), At: block(n), Undo: undo, Observations: seen,
				Touched: map[uint64]bool{id: true}})
			p, _ := one(t, s, id)
			for uint64(len(kept)) <= n {
				kept = append(kept, pet.Pet{})
			}
			kept[n] = p
			if p.Burned {
				kept[n] = pet.Pet{Burned: true}
			}
		}
		for n := range uint64(60) {
			switch {
			case n < 5: // does not exist yet
				kept = append(kept, pet.Pet{})
				continue
			case n == 40:
				step(n, ptr(block(38)))
				continue
			case n == 50:
				owner = common.Address{}
			case n > 50:
			case n%10 == 9 && realmOf == "second":
				owner = bridge
				step(n, nil)
				realmOf, owner = "third", bob
				v = traits.V1("egg", 1)
			case n%3 == 0:
				name = string(rune('a'+rng.IntN(20))) + "\xff"
				v = traits.V2("hungryat", rng.Uint64(), "equippedto", rng.Uint64(), "fedby",
					common.BigToAddress(big.NewInt(rng.Int64())).Hex())
			case n%3 == 1:
				name, v = extremeName, traits.V2("shiny", n)
			}
			step(n, nil)
		}
		for _, s := range []*Store{s, open(t, url)} {
			for n := range kept {
				checkPast(t, s, id, block(uint64(n)).Time.Add(500*time.Millisecond), kept[n], block(5).Time)
			}
		}
	})
}

func checkPast(t *testing.T, s *Store, id uint64, at time.Time, want pet.Pet, first time.Time) {
	t.Helper()
	got, err := s.PetAt(t.Context(), id, at)
	var early *pet.BeforeFirst
	switch {
	case want.Burned:
		if !errors.Is(err, pet.ErrBurned) {
			t.Errorf("at %s: %v, %v", at, got, err)
		}
	case want.ID == 0:
		if !errors.As(err, &early) || !early.First.Equal(first) {
			t.Errorf("at %s: %v, %v", at, got, err)
		}
	case err != nil:
		t.Errorf("at %s: %v", at, err)
	default:
		// A change that was undone without a trace affects only these fields.
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(pet.Pet{}, "Block", "ChangedAt")); diff != "" {
			t.Errorf("at %s:\n%s", at, diff)
		}
	}
}

// Pets that existed before they were first read have a past from then on.
func TestPetsFromTheirFirstReading(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		id := second + 2
		write(t, s, index.Batch{Realm: realm("second"), At: block(10), Bootstrap: true,
			Observations: []pet.Observation{named(see(id, alice, traits.V2()), "old")}})
		check := func() {
			var early *pet.BeforeFirst
			if _, err := s.PetAt(t.Context(), id, block(9).Time); !errors.As(err, &early) || !early.First.Equal(block(10).Time) {
				t.Errorf("before it was read: %v", err)
			}
			if p, err := s.PetAt(t.Context(), id, block(15).Time); err != nil || p.Name != "old" {
				t.Errorf("as it was first read: %v, %v", p, err)
			}
		}
		check()
		write(t, s, index.Batch{Realm: realm("second"), At: block(20),
			Observations: []pet.Observation{named(see(id, alice, traits.V2()), "new")}})
		check()
		write(t, s, index.Batch{Realm: realm("second"), At: block(30),
			Observations: []pet.Observation{see(id, common.Address{}, traits.V2())}})
		check()
		if p, err := s.PetAt(t.Context(), id, block(29).Time); err != nil || p.Name != "new" || p.Owner != alice {
			t.Errorf("before it was burned: %v, %v", p, err)
		}
		if _, err := s.PetAt(t.Context(), id, block(30).Time); !errors.Is(err, pet.ErrBurned) {
			t.Errorf("after it was burned: %v", err)
		}
		if _, err := s.PetAt(t.Context(), second+3, block(20).Time); !errors.Is(err, pet.ErrNotFound) {
			t.Errorf("a pet that never existed: %v", err)
		}
	})
}

func FuzzUnpackPet(f *testing.F) {
	s := leading(f, "sqlite://"+f.TempDir()+"/x.db")
	if _, err := s.WritePets(f.Context(), index.Batch{Realm: realm("second"), Kingdom: kingdom, At: block(1),
		Observations: []pet.Observation{see(7, alice, extreme)}}); err != nil {
		f.Fatal(err) // make the first version known to the store
	}
	p := pet.Pet{ID: 7, Name: extremeName, Value: extreme, Realm: "second", Owner: alice, Block: 1 << 60,
		ChangedAt: block(1).Time}
	f.Add(packPet(&p, 1))
	f.Add([]byte{})
	f.Add([]byte{packedForm, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := s.unpackPet(t.Context(), 7, b)
		if err != nil || got == nil {
			return
		}
		again, err := s.unpackPet(t.Context(), 7, packPet(got, 1))
		if err != nil || !cmp.Equal(got, again) {
			t.Errorf("%x is %v, and packed again %v", b, got, again)
		}
	})
}
