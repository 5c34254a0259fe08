package site

import (
	"errors"
	"testing"
	"time"

	"petsupply/internal/pet"
)

func ids(list []pet.Pet) map[uint64]int {
	out := map[uint64]int{}
	for i, p := range list {
		out[p.ID] = i
	}
	return out
}

func TestStrip(t *testing.T) {
	fake := &fakePets{pets: map[uint64]pet.Pet{}}
	for id := uint64(1); id <= 200; id++ {
		fake.pets[id] = pet.Pet{ID: id}
	}
	var s strip
	now := time.Now()
	hasFamily := func(p *pet.Pet) bool { return p.ID%2 == 1 }
	first := s.pets(t.Context(), fake, hasFamily, now)
	if len(first) != stripLong || len(ids(first)) != stripLong {
		t.Fatalf("it shows %d pets, %d different", len(first), len(ids(first)))
	}
	for _, p := range first {
		if !hasFamily(&p) {
			t.Errorf("pet %d was chosen, although other pets have a family", p.ID)
		}
	}
	if again := s.pets(t.Context(), fake, hasFamily, now.Add(stripTurn-1)); len(ids(again)) != stripLong ||
		ids(again)[first[3].ID] != 3 {
		t.Error("it changed before its time")
	}
	later, kept := s.pets(t.Context(), fake, hasFamily, now.Add(stripTurn)), 0
	for i, p := range later {
		if first[i].ID == p.ID {
			kept++
		}
	}
	if kept != stripLong-1 {
		t.Errorf("%d of %d stayed in their place, want all but one", kept, stripLong)
	}
	s.saw([]uint64{150, 151, 150})
	if got := s.pets(t.Context(), fake, hasFamily, now.Add(stripTurn)); got[0].ID != 150 || got[1].ID != 151 ||
		len(ids(got)) != stripLong {
		t.Errorf("after changes it begins with %d, %d and has %d", got[0].ID, got[1].ID, len(ids(got)))
	}
	var busy []uint64
	for id := uint64(1); id <= 100; id++ {
		busy = append(busy, id)
	}
	s.saw(busy)
	if s.saw(nil); len(s.recent) != stripLong/2 || s.recent[0] != 100 {
		t.Errorf("after a hundred changes it remembers %v", s.recent)
	}
	fake.away = errors.New("away")
	if got := s.pets(t.Context(), fake, hasFamily, now.Add(5*stripTurn)); len(got) != 0 {
		t.Errorf("without a store it shows %d", len(got))
	}
}

func TestStripOfFewPets(t *testing.T) {
	fake := &fakePets{pets: map[uint64]pet.Pet{1: {ID: 1}, 2: {ID: 2}}}
	var s strip
	if got := s.pets(t.Context(), fake, func(*pet.Pet) bool { return false }, time.Now()); len(got) != 2 {
		t.Errorf("it shows %d of 2", len(got))
	}
}
