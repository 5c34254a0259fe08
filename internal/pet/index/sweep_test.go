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

// A sweptStore counts how often each pet was read.
type sweptStore struct {
	numbered
	read     map[uint64]int
	position Position
}

func (s *sweptStore) WritePets(_ context.Context, b Batch) (Written, error) {
	r := b.(*Rereading)
	for id := r.Done.From; id <= r.Done.To && id < s.pets; id++ {
		s.read[id]++
	}
	s.position = r.Position
	return Written{}, nil
}

// readNothing is a chain whose pets are not there.
type readNothing struct{ Chain }

func (readNothing) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	return make([][]byte, len(calls)), nil
}
func (readNothing) Pin(context.Context, time.Time) (evm.Block, error) { return evm.Block{}, nil }

func TestTheSweepReadsPetZeroAndAllWithinAWeek(t *testing.T) {
	const pets = 250
	x := New(pet.Realm{Key: "home"}, &pet.Registry{Collection: traits.Pets()}, readNothing{}, numbered{pets: pets}, nil)
	var p Position
	store := &sweptStore{numbered: numbered{pets: pets}, read: map[uint64]int{}}
	x.store = store
	for range 6 {
		if _, err := x.sweep(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		p = store.position
	}
	read := store.read
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
