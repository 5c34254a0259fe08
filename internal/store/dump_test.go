package store

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

// ownTables are left out of a dump: internal data, and data for the operator only.
var ownTables = []string{"lease", "pet_realm", "pet_mark", "pet_wanted", "pet_import", "pet_unannounced",
	"schema_fingerprint", "supply_event", "supply_notice", "webhook", "webhook_aside"}

// dump lists the rows of a store as text.
func dump(t *testing.T, s *Store) (head DumpHead, rows []Row, texts []string) {
	t.Helper()
	begin := func(h DumpHead) error { head = h; return nil }
	err := s.Dump(t.Context(), begin, func(r Row) error {
		rows, texts = append(rows, r), append(texts, fmt.Sprintf("%s %v %q", r.Table, r.Columns, r.Values))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return head, rows, texts
}

// A dump of one engine can be restored to the other. The restored store gives the same dump.
func TestDumpAndRestore(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		realms := append(demo.Realms(), pet.Realm{Key: "Zenith"}) // sorts first by bytes, last in a dictionary
		pets := []pet.Pet{{ID: 100, Realm: demo.Realms()[0].Key, Name: extremeName, Value: extreme},
			{ID: 101, Realm: "Zenith"}}
		for i := range uint64(40) {
			pets = append(pets, pet.Pet{ID: i + 1, Realm: demo.Realms()[0].Key, Name: "\xff\x00\u202e", Value: traits.V2()})
		}
		if _, err := s.ImportPets(t.Context(), &pet.Kingdom{Collection: traits.Pets(), Realms: realms}, pets); err != nil {
			t.Fatal(err)
		}
		head, rows, want := dump(t, s)
		if len(rows) < 41 {
			t.Fatalf("%d rows", len(rows))
		}
		file := filepath.Join(t.TempDir(), "again.db")
		err := Restore(t.Context(), file, head.Schema, func(yield func(Row, error) bool) {
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		again, _, got := dump(t, open(t, "sqlite://"+file))
		if again != head || !slices.Equal(got, want) {
			t.Errorf("the restored store's dump differs: %+v and %d rows, want %+v and %d", again, len(got), head, len(want))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("%s\nwant %s", got[i], want[i])
				}
			}
		}
	})
}

// Every table is declared as published or internal.
func TestEveryTableIsPublishedOrOwn(t *testing.T) {
	s := open(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db"))
	tables, err := list(t.Context(), s.db, readColumn[string],
		`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
	if err != nil || len(tables) < 10 {
		t.Fatalf("want at least 10 tables, got %v, %v", tables, err)
	}
	for _, name := range tables {
		published := slices.Contains(publishedTables, name)
		if published == slices.Contains(ownTables, name) {
			t.Errorf("table %s is neither in publishedTables nor in ownTables", name)
		}
	}
}

func TestRestoreRefusesInvalidRows(t *testing.T) {
	head, _, _ := dump(t, open(t, "sqlite://"+filepath.Join(t.TempDir(), "store.db")))
	for _, r := range []Row{
		{Table: "lease", Columns: []string{"name"}, Values: []any{"x"}},
		{Table: "pet", Columns: []string{"id) VALUES (1); DROP TABLE pet; --"}, Values: []any{int64(1)}},
		{Table: "pet", Columns: []string{"id", "realm"}, Values: []any{int64(1)}},
		{Table: "pet", Columns: []string{"nothing"}, Values: []any{int64(1)}},
		{Table: "pet"},
	} {
		one := func(yield func(Row, error) bool) { yield(r, nil) }
		err := Restore(context.Background(), filepath.Join(t.TempDir(), "x.db"), head.Schema, one)
		if err == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
}
