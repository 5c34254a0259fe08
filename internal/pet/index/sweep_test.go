package index

import (
	"context"
	"testing"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

// numbered is the store of a realm whose pets are numbered from 0.
type numbered struct {
	Store
	pets uint64
}

func (s numbered) PetIDs(_ context.Context, _ string, in pet.Span, limit int) (ids []uint64, _ error) {
	for id := in.From; id <= in.To && id < s.pets && len(ids) < limit; id++ {
		ids = append(ids, id)
	}
	return ids, nil
}

func TestRepeatedAnnouncementsOfAllPetsStarveNone(t *testing.T) {
	const pets = 10*stepIDs + 7
	x := New(pet.Realm{Key: "home"}, &pet.Kingdom{Collection: traits.Pets()}, nil, numbered{pets: pets}, nil)
	var p Position
	read := map[uint64]int{}
	for range 3 * (pets/stepIDs + 1) { // before each step the contract announces all pets
		p.Owed = mergeSpans(append(p.Owed, pet.Span{To: pet.MaxID}))
		ids, err := x.owed(t.Context(), &p)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			read[id]++
		}
	}
	for id := range uint64(pets) {
		if read[id] < 2 {
			t.Fatalf("in three rounds pet %d was read %d times", id, read[id])
		}
	}
	for steps := 0; len(p.Owed) > 0; steps++ { // the queue empties when the announcements end
		if _, err := x.owed(t.Context(), &p); err != nil || steps > 13 {
			t.Fatalf("still owed: %v, %v", p.Owed, err)
		}
	}
}

func TestTheSweepReadsPetZeroAndAllWithinAWeek(t *testing.T) {
	const pets = 250
	x := New(pet.Realm{Key: "home"}, &pet.Kingdom{Collection: traits.Pets()}, nil, numbered{pets: pets}, nil)
	var p Position
	read := map[uint64]int{}
	for range 6 {
		x.swept = time.Time{}
		ids, err := x.sweep(t.Context(), &p, evm.Block{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			read[id]++
		}
	}
	for id := range uint64(pets) {
		if read[id] != 2 {
			t.Errorf("in two rounds pet %d was read %d times", id, read[id])
		}
	}
	for natives, want := range map[uint64]int{0: 100, 1_000_000: 100, 100_000_000: 1654, 1 << 60: stepIDs} {
		got := x.sweepIDs(natives)
		if got != want {
			t.Errorf("%d of %d rows are swept at a time, want %d", got, natives, want)
		}
	}
}
