package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/store"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

// A filledStore is a store with a number of pets.
type filledStore struct {
	*store.Store
	engine string
	pets   int
	bytes  float64 // size of the pets on disk
}

// growth compares looking up a pet in a large store and in a small one.
func growth(ctx context.Context, h *harness) ([]row, error) {
	sizes := []int{10_000, 1_000_000, 5_000_000}
	if h.quick {
		sizes = []int{1_000, 10_000, 50_000}
	}
	stores, err := h.stores(ctx, sizes)
	defer func() {
		for _, s := range stores {
			s.Close()
		}
	}()
	if err != nil {
		return nil, err
	}
	half, most := make([][]float64, len(stores)), make([][]float64, len(stores))
	for round := range h.rounds + 1 {
		took, err := lookups(ctx, stores, 4000)
		if err != nil {
			return nil, err
		}
		for i := range stores {
			if round > 0 {
				half[i], most[i] = append(half[i], median(took[i])), append(most[i], quantile(took[i], 0.99))
			}
		}
	}
	var rows []row
	for i, s := range stores {
		h.say("  %s with %s pets: p50 %.0f µs, p99 %.0f µs, %.0f bytes a pet", s.engine,
			ledger.Grouped(strconv.Itoa(s.pets)), median(half[i]), median(most[i]), s.bytes/float64(s.pets))
		if s.pets == sizes[0] {
			continue
		}
		small := i - i%len(sizes) // the same engine's smallest store
		name := fmt.Sprintf("look-up among %s pets, %s", ledger.Grouped(strconv.Itoa(s.pets)), s.engine)
		a, b := compare(name, "µs", 1/1.5, pair(half[i], half[small])), compare(name+", p99", "µs", 1/1.5,
			pair(most[i], most[small]))
		a.Against, b.Against = ledger.Grouped(strconv.Itoa(sizes[0]))+" pets", ledger.Grouped(strconv.Itoa(sizes[0]))+" pets"
		a.Note = fmt.Sprintf("%s uses %.0f bytes of disk for a pet, without the indexes for listings.", s.engine, s.bytes/float64(s.pets))
		rows = append(rows, a, b)
	}
	return rows, nil
}

func pair(ours, peer []float64) []pairing {
	var list []pairing
	for i := range ours {
		list = append(list, pairing{ours[i], peer[i]})
	}
	return list
}

// stores makes a store of each size on each engine, both engines at once.
func (h *harness) stores(ctx context.Context, sizes []int) ([]*filledStore, error) {
	pg, err := h.postgres()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	stores := make([]*filledStore, 2*len(sizes))
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) {
		for i, n := range sizes {
			if stores[i], err = h.filledSQLite(ctx, n); err != nil {
				return fmt.Errorf("making a store of %d pets on SQLite: %w", n, err)
			}
		}
		return nil
	})
	group.Go(func() (err error) {
		for i, n := range sizes {
			if stores[len(sizes)+i], err = h.filledPostgres(ctx, pg, n); err != nil {
				return fmt.Errorf("making a store of %d pets on PostgreSQL: %w", n, err)
			}
		}
		return nil
	})
	err = group.Wait()
	h.say("  stores made in %s", time.Since(began).Round(time.Second))
	var made []*filledStore
	for _, s := range stores {
		if s != nil {
			made = append(made, s)
		}
	}
	return made, err
}

// filledSQLite imports this many pets into a new store.
func (h *harness) filledSQLite(ctx context.Context, pets int) (*filledStore, error) {
	name := fmt.Sprintf("growth-%d", pets)
	file := filepath.Join(h.dir, name+".db")
	s, err := h.filled(ctx, name, "sqlite://"+file, pets)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	return &filledStore{s, "SQLite", pets, float64(info.Size())}, nil
}

func (h *harness) filledPostgres(ctx context.Context, pg *postgres.Server, pets int) (*filledStore, error) {
	name := databaseOf(pets)
	address, err := pg.Database(name)
	if err != nil {
		return nil, err
	}
	s, err := h.filled(ctx, name, address, pets)
	if err != nil {
		return nil, err
	}
	filled := &filledStore{Store: s, engine: "PostgreSQL", pets: pets}
	return filled, filled.weigh(pg)
}

func databaseOf(pets int) string { return fmt.Sprintf("growth%d", pets) }

// weigh prepares the database as a service's autovacuum would, and measures the size of the pets.
func (s *filledStore) weigh(pg *postgres.Server) error {
	err := pg.Execute(databaseOf(s.pets), "VACUUM ANALYZE")
	if err != nil {
		return err
	}
	s.bytes, err = pg.Number(databaseOf(s.pets), "SELECT pg_total_relation_size('pet')::float8")
	return err
}

func (h *harness) filled(ctx context.Context, name, address string, pets int) (*store.Store, error) {
	if _, err := h.importPets(ctx, name, address, pets); err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, address, time.Minute, nil)
	if err == nil {
		s.SetCollection(traits.Pets())
	}
	return s, err
}

// fillSQLite makes a store in a file and fills it with statements, without waiting for the disk.
func fillSQLite(ctx context.Context, file string, statements ...string) (*store.Store, error) {
	s, err := store.Open(ctx, "sqlite://"+file, time.Minute, nil)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=synchronous(OFF)&_pragma=busy_timeout(5000)&_pragma=cache_size(-400000)")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	for _, line := range append(statements, "PRAGMA wal_checkpoint(TRUNCATE)") {
		if _, err := db.ExecContext(ctx, line); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// lookups reads random pets one by one, from each store alternately, and returns the microseconds
// of each read.
func lookups(ctx context.Context, stores []*filledStore, n int) ([][]float64, error) {
	took := make([][]float64, len(stores))
	for range n {
		for i, s := range stores {
			id := 1 + rand.Uint64N(uint64(s.pets))
			began := time.Now()
			found, err := s.PetsByID(ctx, []uint64{id})
			took[i] = append(took[i], float64(time.Since(began).Nanoseconds())/1000)
			if err != nil {
				return nil, err
			}
			if p, ok := found[id]; !ok || traits.Number(p.Value, "appearance") != 1+id%24 ||
				traits.Number(p.Value, "hungry") != 1_700_000_000+id {
				return nil, fmt.Errorf("%s gave %+v for pet %d", s.engine, found, id)
			}
		}
	}
	return took, nil
}
