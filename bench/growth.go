package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"petsupply/internal/store"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

// A filledStore is a store with so many pets.
type filledStore struct {
	*store.Store
	engine string
	pets   int
	bytes  float64 // of the pets on disk, indexes included
}

// growth compares looking a pet up in a large store with a small one.
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
		h.say("  %s with %s pets: p50 %.0f µs, p99 %.0f µs, %.0f bytes a pet", s.engine, ledger.Grouped(strconv.Itoa(s.pets)), median(half[i]), median(most[i]), s.bytes/float64(s.pets))
		if s.pets == sizes[0] {
			continue
		}
		small := i - i%len(sizes) // the same engine's
		name := fmt.Sprintf("lookup among %s pets, %s", ledger.Grouped(strconv.Itoa(s.pets)), s.engine)
		a, b := compare(name, "µs", 1/1.5, pair(half[i], half[small])), compare(name+", p99", "µs", 1/1.5, pair(most[i], most[small]))
		a.Against, b.Against = ledger.Grouped(strconv.Itoa(sizes[0]))+" pets", ledger.Grouped(strconv.Itoa(sizes[0]))+" pets"
		a.Note = fmt.Sprintf("%s keeps %.0f bytes a pet on disk, indexes included.", s.engine, s.bytes/float64(s.pets))
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
			if stores[len(sizes)+i], err = filledPostgres(ctx, pg, n); err != nil {
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

// petValues are a pet's columns as functions of its number i, in a form that
// both engines read.
const petValues = `i, 1700000000 + i, 1700000000 + i, 1000000 + i, 1700000000000, 1, 0, 1 + i % 24, 1, 2, 0, i % 5, i / 5 % 5, i / 25 % 8, i % 17 / 16, i % 11,
	0, 1, 2, i % 200, i % 20, i % 90, i % 15, i % 170, i % 25, i % 8, 0, 'first'`

const petTable = `INSERT INTO pet (id, hungry, equippable, block, changed, since, arrived, appearance, here, hold, transit, egg, rarity, element, shiny, background,
	origin, season, bonuses, gathering, gathering_scalar, crafting, crafting_scalar, combat, combat_scalar, food, v1, realm, owner, name, equipped, fed_by) `

func (h *harness) filledSQLite(ctx context.Context, pets int) (*filledStore, error) {
	file := filepath.Join(h.dir, fmt.Sprintf("growth-%d.db", pets))
	s, err := fillSQLite(ctx, file, fmt.Sprintf(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) %s SELECT %s,
		CAST(printf('%%020d', i / 12 * 7919 %% 1000003) AS BLOB), CASE WHEN i %% 10 = 0 THEN CAST('Pet ' || i AS BLOB) ELSE x'' END, x'', x'' FROM n`, pets, petTable, petValues))
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	return &filledStore{s, "SQLite", pets, float64(info.Size())}, nil
}

// fillSQLite makes a store in a file and fills it by a statement, without waiting
// for the disk.
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

func filledPostgres(ctx context.Context, pg *postgres.Server, pets int) (*filledStore, error) {
	name := fmt.Sprintf("growth%d", pets)
	address, err := pg.Database(name)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, address, time.Minute, nil)
	if err != nil {
		return nil, err
	}
	if err := fillPostgres(ctx, address, pets); err != nil {
		return nil, err
	}
	bytes, err := pg.Number(name, "SELECT pg_total_relation_size('pet')::float8")
	return &filledStore{s, "PostgreSQL", pets, bytes}, err
}

// fillPostgres writes the pets and counts them; indexes are made afterwards, which
// takes a fraction of the time.
func fillPostgres(ctx context.Context, address string, pets int) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'pet' AND indexname <> 'pet_pkey'")
	if err != nil {
		return err
	}
	var drop, create []string
	var name, definition string
	if _, err := pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
		drop, create = append(drop, "DROP INDEX "+name), append(create, definition)
		return nil
	}); err != nil {
		return err
	}
	fill := fmt.Sprintf(`%s SELECT %s, lpad((i / 12 * 7919 %% 1000003)::text, 20, '0')::bytea,
		CASE WHEN i %% 10 = 0 THEN ('Pet ' || i)::bytea ELSE '' END, '', '' FROM generate_series(1::bigint, %d) AS n (i)`, petTable, petValues, pets)
	count := []string{
		"INSERT INTO pet_kind SELECT realm, egg, rarity, element, shiny, background, COUNT(*) FROM pet GROUP BY realm, egg, rarity, element, shiny, background",
		"INSERT INTO pet_creature SELECT egg, appearance, COUNT(*) FROM pet GROUP BY egg, appearance",
		"VACUUM ANALYZE pet",
	}
	for _, statement := range slices.Concat(drop, []string{fill}, create, count) {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	return nil
}

// lookups reads pets one by one, at random, from each store in turn, and
// returns the microseconds that each took.
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
			if p, ok := found[id]; !ok || traits.Number(p.Value, "appearance") != 1+id%24 || traits.Number(p.Value, "hungry") != 1_700_000_000+id {
				return nil, fmt.Errorf("%s gave %+v for pet %d", s.engine, found, id)
			}
		}
	}
	return took, nil
}
