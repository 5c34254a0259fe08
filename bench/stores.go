package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"petsupply/internal/store"
	"petsupply/testkit/traits"
)

// lookUp compares looking up a pet among a million in PostgreSQL with looking it up among 10,000.
func lookUp(ctx context.Context, h *harness) (row, error) {
	many, few := 1_000_000, 10_000
	if h.quick {
		many, few = 10_000, 1_000
	}
	large, err := h.storeOf(ctx, many)
	if err != nil {
		return row{}, err
	}
	defer large.Close()
	small, err := h.storeOf(ctx, few)
	if err != nil {
		return row{}, err
	}
	defer small.Close()
	rounds, err := h.takeTurns("µs",
		func() (float64, error) { return lookUps(ctx, large, many) },
		func() (float64, error) { return lookUps(ctx, small, few) })
	return compare("look-up among 1 million pets, PostgreSQL", "µs", "among 10,000 pets", 1/1.5, rounds), err
}

// storeOf makes a store of this many pets.
func (h *harness) storeOf(ctx context.Context, pets int) (*store.Store, error) {
	database := "pets" + strconv.Itoa(pets)
	if _, err := h.importPets(ctx, database, pets); err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, h.pg.Address(database), time.Minute, nil)
	if err == nil {
		s.SetCollection(traits.Pets())
	}
	return s, err
}

// lookUps reads random pets one by one, and returns the median of the microseconds.
func lookUps(ctx context.Context, s *store.Store, pets int) (float64, error) {
	var took []float64
	for range 4000 {
		id := 1 + rand.Uint64N(uint64(pets))
		began := time.Now()
		found, err := s.PetsByID(ctx, []uint64{id})
		took = append(took, float64(time.Since(began).Nanoseconds())/1000)
		if err != nil {
			return 0, err
		}
		if p, ok := found[id]; !ok || traits.Number(p.Value, "hungry") != 1_700_000_000+id {
			return 0, fmt.Errorf("the store gave %+v for pet %d", found, id)
		}
	}
	return median(took), nil
}

// history reads a token's history of a year in 200 points. There is one row a minute.
func history(ctx context.Context, h *harness) (row, error) {
	const minutes = 365 * 24 * 60
	pg, err := h.postgres()
	if err != nil {
		return row{}, err
	}
	address, err := pg.Database("history")
	if err != nil {
		return row{}, err
	}
	s, err := store.Open(ctx, address, time.Minute, nil)
	if err != nil {
		return row{}, err
	}
	defer s.Close()
	err = pg.Execute("history",
		fmt.Sprintf(`INSERT INTO reading (token, number, taken, least, measured, snapshot, ledger, total, circulating, burned,
			locked, reserved, blocks, daily) SELECT 'jewel', i, i * 60000, i * 60000, i * 60000, CAST(i AS TEXT), 'ledger',
			CAST(i AS TEXT), '1', '0', '0', '0', '[]', 0 FROM generate_series(1::bigint, %d) AS n (i)`, minutes),
		"VACUUM ANALYZE reading")
	if err != nil {
		return row{}, err
	}
	var took []float64
	for range 20 * h.rounds {
		began := time.Now()
		points, err := s.History(ctx, "jewel", time.UnixMilli(0), time.UnixMilli(60_000*minutes), 200)
		took = append(took, ms(began))
		if err != nil || len(points) != 200 || points[199].Total.String() != strconv.Itoa(minutes) {
			return row{}, fmt.Errorf("the history of %d figures has %d points and is wrong (%v)", minutes, len(points), err)
		}
	}
	return within("history of a year in 200 points, PostgreSQL", "ms", 20, took[len(took)/10:]), nil
}
