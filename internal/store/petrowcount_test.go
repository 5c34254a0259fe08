package store

import (
	"context"
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"modernc.org/libc"
	sqlite "modernc.org/sqlite/lib"

	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

// awayPets fills the store with n pets. Every second pet is a guest of the third realm, and its
// home has it in custody.
func awayPets(t *testing.T, s *Store, n int) {
	t.Helper()
	write(t, s, batch{Realm: realm("second"), At: block(1),
		Observations: []pet.Observation{see(second, alice, traits.V2())}})
	fields := map[string]string{"egg": "i % 5", "rarity": "i % 3", "element": "i % 8", "appearance": "i % 1000",
		"background": "i % 11",
		"shiny":      "CASE WHEN i % 5000 = 4999 THEN 1 ELSE 0 END", "hungryat": "i % 1000003"}
	columns, values := []string{}, []string{}
	for _, f := range s.pets().columns {
		value, ok := fields[f.Name]
		if !ok {
			value = fields[strings.ToLower(f.Name)]
		}
		if value == "" {
			value = "i % 7"
		}
		columns, values = append(columns, column(f)), append(values, value)
	}
	for _, part := range []string{
		`'second', i % 2, 2 - (1 - i % 2),
			CASE WHEN i % 2 = 0 THEN $2 WHEN i % 3001 = 0 THEN $4 ELSE $3 END, %s FROM numbers`,
		`'third', 1, 2, $3, %s FROM numbers WHERE i % 2 = 0 AND $2 <> $4`,
	} {
		query := fmt.Sprintf(`INSERT INTO pet (id, block, changed_at, since_block, arrived_at, in_transit,
				name, traits, realm, here, presence, owner, %s)
			WITH RECURSIVE numbers (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < %d)
			SELECT %d + i, 1, 1, 1, 1, 0, $1, (SELECT traits FROM pet WHERE id = %d), `,
			strings.Join(columns, ", "), n, second, second) +
			strings.Replace(part, "%s", strings.Join(values, ", "), 1)
		if s.db.Kind == "postgres" {
			for _, arg := range []string{"$1", "$2", "$3", "$4"} {
				query = strings.ReplaceAll(query, arg, "CAST("+arg+" AS BYTEA)")
			}
		}
		args := []any{[]byte{}, packAddress(bridge), packAddress(alice), packAddress(bob)}
		if _, err := s.db.ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.IndexPets(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.db.Kind == "postgres" {
		if _, err := s.db.ExecContext(t.Context(), "VACUUM ANALYZE pet"); err != nil {
			t.Fatal(err)
		}
	}
}

// machineSteps counts the steps of SQLite's virtual machine on counted connections.
var machineSteps atomic.Int64

func countStep(*libc.TLS, uintptr) int32 {
	machineSteps.Add(1)
	return 0
}

// A rowCounter counts the rows of a table that one connection reads.
type rowCounter struct {
	store *Store
	table string
}

// stepsOfARow is the most steps that SQLite takes to read and compare a row.
const stepsOfARow = 40

func countRows(t *testing.T, s *Store, table string) *rowCounter {
	t.Helper()
	c := &rowCounter{s, table}
	s.db.SetMaxOpenConns(1)
	if s.db.Kind != "sqlite" {
		return c
	}
	conn, err := s.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	err = conn.Raw(func(driver any) error {
		fields := reflect.ValueOf(driver).Elem().FieldByName("engineConn").Elem().Elem()
		step := struct {
			f func(*libc.TLS, uintptr) int32
		}{countStep}
		sqlite.Xsqlite3_progress_handler((*libc.TLS)(fields.FieldByName("tls").UnsafePointer()),
			uintptr(fields.FieldByName("db").Uint()),
			1, *(*uintptr)(unsafe.Pointer(&step)), 0)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// read returns how many rows were read so far.
func (c *rowCounter) read(t *testing.T) (rows int64) {
	t.Helper()
	if c.store.db.Kind == "sqlite" {
		return machineSteps.Load() / stepsOfARow
	}
	for _, query := range []string{`SELECT pg_stat_force_next_flush()`, `SELECT pg_stat_clear_snapshot()`} {
		if _, err := c.store.db.ExecContext(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	var scanned, indexed sql.NullInt64
	err := c.store.db.QueryRowContext(context.Background(), `
		SELECT (SELECT SUM(seq_tup_read) FROM pg_stat_user_tables WHERE relname = $1),
		(SELECT SUM(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = $1)`, c.table).Scan(&scanned, &indexed)
	if err != nil {
		t.Fatal(err)
	}
	return scanned.Int64 + indexed.Int64
}

// Listings by any filter, order and owner read a bounded number of rows, however many pets exist
// and are away.
func TestListingsReadABoundedNumberOfRows(t *testing.T) {
	const pets = 100_000
	const most = 20_000
	// Pages that must be whole, because a rare condition leads the walk.
	whole := map[string]int{"rare": 20, "rare at home": 20, "poor abroad": 0, "never": 0}
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		awayPets(t, s, pets)
		counter := countRows(t, s, "pet")
		filters := map[string]pet.Query{
			"all": {}, "home": {Realms: []string{"second"}}, "abroad": {Realms: []string{"third"}},
			"nowhere": {Realms: []string{"arena"}},
			"rich":    {Owner: &alice}, "poor": {Owner: &bob}, "the bridge's": {Owner: &bridge},
			"rich abroad": {Owner: &alice, Realms: []string{"third"}},
			"poor abroad": {Owner: &bob, Realms: []string{"third"}},
			"common":      {Traits: map[string][]int{"egg": {2}}}, "rare": {Traits: map[string][]int{"shiny": {1}}},
			"never":           {Traits: map[string][]int{"egg": {77}}},
			"rare at home":    {Realms: []string{"second"}, Traits: map[string][]int{"shiny": {1}}},
			"two at odds":     {Realms: []string{"second"}, Traits: map[string][]int{"egg": {2}, "element": {3}}},
			"common and poor": {Owner: &bob, Traits: map[string][]int{"egg": {2}}},
			"many lists": {Realms: []string{"second", "third"}, Traits: map[string][]int{"egg": {0, 1, 2, 3},
				"rarity": {0, 1, 2}, "element": {0, 1, 2, 3, 4, 5, 6, 7},
				"background": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}},
			"never together":       {Traits: map[string][]int{"season": {1}, "gathering": {2}}},
			"lists at odds":        {Owner: &alice, Traits: map[string][]int{"egg": {2, 3}, "background": {77, 78}}},
			"rare and common list": {Traits: map[string][]int{"shiny": {0, 1}, "element": {3, 77}}},
			"rare with lists":      {Traits: map[string][]int{"shiny": {1}, "element": {3, 4, 5}, "rarity": {1, 2}}},
			"rich and common": {Owner: &alice,
				Traits: map[string][]int{"egg": {2}, "rarity": {1}, "background": {7}}},
		}
		for name, q := range filters {
			for _, order := range []pet.Order{pet.ByID, pet.Newest, "hungry", "rarity"} {
				q.Order, q.Limit = order, 50
				from := pet.PagePosition{}
				for page := range 3 {
					before := counter.read(t)
					list, next, err := s.ListPets(t.Context(), q, from)
					if err != nil {
						t.Fatal(err)
					}
					if rows := counter.read(t) - before; rows > most {
						t.Errorf("%s by %q, page %d: %d rows of %d pets", name, order, page, rows, pets)
					}
					if want, ok := whole[name]; ok && (len(list) != want || next != (pet.PagePosition{})) {
						t.Errorf("%s by %q: the first page has %d pets, and goes on at %v; want %d",
							name, order, len(list), next, want)
					}
					if from = next; next == (pet.PagePosition{}) {
						break
					}
				}
			}
		}
		for _, n := range []uint64{1, 512, 700} {
			ids := make([]uint64, n)
			for i := range ids {
				ids[i] = second + uint64(i)*97
			}
			before := counter.read(t)
			found, err := s.PetsByID(t.Context(), ids)
			if rows := counter.read(t) - before; err != nil || len(found) != int(n) || rows > int64(8*n) {
				t.Errorf("a look-up of %d pets found %d and read %d rows, %v", n, len(found), rows, err)
			}
		}
	})
}
