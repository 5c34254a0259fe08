package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

// tryScale runs scale alone, because it takes longer than make bench may.
func tryScale(ctx context.Context, pets int, out io.Writer) error {
	h, err := newHarness(ctx, "", true, out)
	if err != nil {
		return err
	}
	defer h.close()
	return h.scale(ctx, pets)
}

// scale measures, in PostgreSQL, the figures of docs/BENCHMARKS.md for collections that are too large
// for make bench. It does the same work on a collection of this size and on a smaller one. The
// smaller one has a twentieth of the pets, but at most a million.
func (h *harness) scale(ctx context.Context, pets int) error {
	pg, err := h.postgres()
	if err != nil {
		return err
	}
	sizes := []int{min(pets/20, 1_000_000), pets}
	stores := make([]*filledStore, len(sizes))
	for i, n := range sizes {
		began := time.Now()
		if stores[i], err = h.filledPostgres(ctx, pg, n); err != nil {
			return err
		}
		defer stores[i].Close()
		if err := stores[i].indexForListings(ctx, pg); err != nil {
			return err
		}
		h.say("%s pets: %s to fill and index, %.0f bytes a pet", ledger.Grouped(strconv.Itoa(n)),
			time.Since(began).Round(time.Second), stores[i].bytes/float64(n))
	}
	if err := sizesOnDisk(h, pg, pets); err != nil {
		return err
	}
	for _, w := range scaleWork {
		for i, s := range stores {
			took, err := w.measure(ctx, s, min(w.times, 1+pets/1000))
			if err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
			h.say("%-42s among %11s: p50 %8.2f ms, p99 %8.2f ms", w.name, ledger.Grouped(strconv.Itoa(sizes[i])), median(took),
				quantile(took, 0.99))
		}
	}
	return nil
}

// indexForListings makes the indexes that the leader of a service makes. It measures the size with
// them.
func (s *filledStore) indexForListings(ctx context.Context, pg *postgres.Server) error {
	if led, err := s.Campaign(ctx, "bench", time.Hour); err != nil || !led {
		return fmt.Errorf("taking the lease: got it: %t, error: %v", led, err)
	}
	if err := s.IndexPets(ctx); err != nil {
		return err
	}
	return s.weigh(pg)
}

// A scaleTask is work that is done several times at random places of the collection.
type scaleTask struct {
	name  string
	times int // fewer in a small collection
	do    func(ctx context.Context, s *filledStore) error
}

func (w scaleTask) measure(ctx context.Context, s *filledStore, times int) (millis []float64, err error) {
	for i := range times + times/4 + 1 { // the first ones are the warm-up
		began := time.Now()
		if err := w.do(ctx, s); err != nil {
			return nil, err
		}
		if i > times/4 {
			millis = append(millis, time.Since(began).Seconds()*1000)
		}
	}
	return millis, nil
}

func (s *filledStore) anyID() uint64 { return 1 + rand.Uint64N(uint64(s.pets)) }

// list reads a page of a listing from a random pet on.
func list(q pet.Query) func(context.Context, *filledStore) error {
	q.Limit = 50
	return func(ctx context.Context, s *filledStore) error {
		_, _, err := s.ListPets(ctx, q, pet.PagePosition{ID: s.anyID()})
		return err
	}
}

var scaleWork = []scaleTask{
	{"look-up", 4000, func(ctx context.Context, s *filledStore) error {
		_, err := s.PetsByID(ctx, []uint64{s.anyID()})
		return err
	}},
	{"page of all pets", 400, list(pet.Query{})},
	{"page by a common trait", 400, list(pet.Query{Traits: map[string][]int{"rarity": {2}}})},
	{"page by four traits", 400, list(pet.Query{Traits: map[string][]int{"shiny": {1}, "rarity": {4}, "egg": {3},
		"background": {7}}})},
	{"page by a trait that nobody has", 400, list(pet.Query{Traits: map[string][]int{"rarity": {2}, "element": {9}}})},
	{"page of the newest of a trait", 400, list(pet.Query{Order: pet.Newest, Traits: map[string][]int{"rarity": {2}}})},
	{"page of the hungriest", 400, list(pet.Query{Order: "hungry"})},
	{"page of the hungriest of two traits", 400,
		list(pet.Query{Order: "hungry", Traits: map[string][]int{"egg": {3}, "element": {2}}})},
	{"page of one creature", 400, list(pet.Query{Traits: map[string][]int{"egg": {3}, "appearance": {13}}})},
	{"census", 40, func(ctx context.Context, s *filledStore) error {
		_, err := s.PetCensus(ctx)
		return err
	}},
	{"page of an owner", 400, func(ctx context.Context, s *filledStore) error {
		owner := common.BigToAddress(new(big.Int).SetUint64(petOwner(s.anyID())))
		_, _, err := s.ListPets(ctx, pet.Query{Owner: &owner, Limit: 50}, pet.PagePosition{})
		return err
	}},
	{"ids of a sweep's step", 200, func(ctx context.Context, s *filledStore) error {
		_, err := s.PetIDs(ctx, "first", pet.Span{From: s.anyID(), To: uint64(s.pets)}, 2000)
		return err
	}},
	{"6,000 changed pets written", 8, func(ctx context.Context, s *filledStore) error {
		from := s.anyID()
		return writeObservations(ctx, s, func(i uint64) uint64 { return 1 + (from+i)%uint64(s.pets) }, false)
	}},
	{"6,000 new pets written", 8, func(ctx context.Context, s *filledStore) error {
		from := uint64(s.pets) + 1 + rand.Uint64N(1<<40)
		return writeObservations(ctx, s, func(i uint64) uint64 { return from + i }, true)
	}},
}

// writeObservations writes 6,000 pets in one fenced transaction. The indexer writes fewer at a time.
func writeObservations(ctx context.Context, s *filledStore, id func(uint64) uint64, first bool) error {
	realm := nativeRealm(common.Address{1})
	step := index.Step{Realm: realm, Kingdom: &pet.Kingdom{Collection: traits.Pets(), Realms: []pet.Realm{realm}},
		At: onlyBlock}
	step.At.Number = 1 << 30
	for i := range uint64(6000) {
		var owner common.Address
		binary.BigEndian.PutUint64(owner[12:], rand.Uint64()|1)
		step.Pets = append(step.Pets, pet.Observation{ID: id(i), Owner: owner, Value: traits.V2("appearance", 3,
			"season", 1)})
	}
	var b index.Batch = &index.Following{Step: step}
	if first {
		b = &index.Reading{Step: step}
	}
	_, err := s.WritePets(ctx, b)
	return err
}

// sizesOnDisk prints the sizes of the table, of the indexes that look-ups use, and of all indexes.
func sizesOnDisk(h *harness, pg *postgres.Server, pets int) error {
	for _, size := range []string{"pg_relation_size('pet')", "pg_relation_size('pet_pkey')", "pg_relation_size('pet_by_owner')",
		"pg_indexes_size('pet')"} {
		bytes, err := pg.Number(databaseOf(pets), "SELECT "+size+"::float8")
		if err != nil {
			return err
		}
		h.say("%s: %.0f bytes a pet", size, bytes/float64(pets))
	}
	return nil
}
