package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"petsupply/internal/pet"
)

// The indexes of listings are not part of the schema. They depend on the collection, and are
// created after a realm was first read, because the first reading is faster without them. Every
// condition has an index, because a listing walks the index of one condition.

// errNotIndexed: not all indexes of listings are complete yet.
var errNotIndexed = errors.New("the store is still being indexed for listings")

// listingIndexes returns the definitions of the indexes for the collection's listings, by name.
func (f *petForm) listingIndexes() map[string]string {
	// A pet has one row for each of its places. The row of the place where it is has here = 1. The
	// owner and realm indexes have all rows. If they had only those with here = 1, a planner that
	// lacks statistics would use one of them for any query with here = 1.
	out := map[string]string{
		"pet_by_owner": "(owner, here, id)",
		"pet_by_realm": "(realm, here, id)",
		"pet_by_name":  "(substr(name, 1, 64), id) WHERE here = 1 AND length(name) > 0",
	}
	for _, field := range f.columns {
		out["pet_by_"+column(field)] = "(" + column(field) + ", id) WHERE here = 1"
	}
	return out
}

// listable returns an error while listings with conditions, or by a field, must wait: until all pets
// have the collection's form, and until the indexes are complete. A store with few pets needs no
// indexes.
func (s *Store) listable(ctx context.Context) error {
	form := s.pets()
	if err := s.converted(ctx); err != nil || form.indexed.Load() {
		return err
	}
	whole, _, err := s.petIndexes(ctx)
	if err != nil {
		return err
	}
	for name := range form.listingIndexes() {
		if !slices.Contains(whole, name) {
			return s.few(ctx)
		}
	}
	form.indexed.Store(true)
	return nil
}

// WhyNotListed says why listings with conditions must wait, or returns "" if they need not.
func (s *Store) WhyNotListed(ctx context.Context) string {
	err := s.listable(ctx)
	if errors.Is(err, errConverting) || errors.Is(err, errNotIndexed) {
		return err.Error()
	}
	return ""
}

// maxUnindexed is the number of pets up to which listings need no indexes.
const maxUnindexed = 20_000

// few returns nil if the store has so few pets that a listing may read them all, and otherwise
// errNotIndexed.
func (s *Store) few(ctx context.Context) error {
	more, err := first(ctx, s.db, readColumn[int64], fmt.Sprintf(`SELECT id FROM pet LIMIT 1 OFFSET %d`, maxUnindexed))
	if more != nil {
		err = errNotIndexed
	}
	return err
}

// petIndexes returns the names of the complete indexes of pets, and of those whose creation was
// interrupted.
func (s *Store) petIndexes(ctx context.Context) (whole, broken []string, err error) {
	query := `SELECT name, 1 FROM sqlite_master WHERE type = 'index' AND tbl_name = 'pet'`
	if s.db.Kind == "postgres" {
		query = `SELECT c.relname, CASE WHEN i.indisvalid THEN 1 ELSE 0 END FROM pg_index i
			JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = to_regclass('pet')`
	}
	_, err = list(ctx, s.db, func(scan scanFunc, name *string) error {
		valid := 0
		err := scan(name, &valid)
		if valid == 1 {
			whole = append(whole, *name)
		} else {
			broken = append(broken, *name)
		}
		return err
	}, query)
	return whole, broken, err
}

// IndexPets prepares the listings of the collection: it fills the columns of pets, counts pets, and
// creates indexes. Only the leader may call it, and only while no realm is being read for the first
// time. If it is interrupted, the next call continues.
func (s *Store) IndexPets(ctx context.Context) error {
	for done := false; !done; {
		err := s.fenced(ctx, func(tx *sql.Tx) (err error) {
			done, err = s.convertMore(ctx, tx)
			return err
		})
		if err != nil {
			return fmt.Errorf("converting pets to the fields of the collection: %w", err)
		}
	}
	return s.makeIndexes(ctx)
}

// makeIndexes drops indexes that are broken or that no listing uses, and creates missing ones.
func (s *Store) makeIndexes(ctx context.Context) error {
	whole, broken, err := s.petIndexes(ctx)
	if err != nil {
		return fmt.Errorf("reading the indexes of pets: %w", err)
	}
	concurrently := ""
	if s.db.Kind == "postgres" {
		concurrently = "CONCURRENTLY "
	}
	need := s.pets().listingIndexes()
	for _, name := range slices.Concat(whole, broken) {
		_, needed := need[name]
		if !strings.HasPrefix(name, "pet_by_") || needed && slices.Contains(whole, name) {
			continue
		}
		if _, err := s.db.ExecContext(ctx, "DROP INDEX "+concurrently+"IF EXISTS "+name); err != nil {
			return fmt.Errorf("dropping the index %s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(need)) {
		if slices.Contains(whole, name) {
			continue
		}
		if _, err := s.db.ExecContext(ctx,
			"CREATE INDEX "+concurrently+"IF NOT EXISTS "+name+" ON pet "+need[name]); err != nil {
			return fmt.Errorf("creating the index %s: %w", name, err)
		}
	}
	return nil
}

// maxConvertedRows limits the pets that one transaction converts.
const maxConvertedRows = 2000

// convertMore converts some more pets to the collection's form. It reports whether all are converted.
func (s *Store) convertMore(ctx context.Context, tx *sql.Tx) (done bool, err error) {
	form, below, err := s.formToWrite(ctx, tx)
	if err != nil || below == math.MaxInt64 {
		return err == nil, err
	}
	end := int64(math.MaxInt64)
	for _, here := range []string{"1", "0"} {
		id, err := first(ctx, tx, readColumn[int64],
			fmt.Sprintf(`SELECT id FROM pet WHERE here = %s AND id >= $1 ORDER BY id LIMIT 1 OFFSET %d`,
				here, maxConvertedRows), int64(below))
		if err != nil {
			return false, err
		}
		if id != nil {
			end = min(end, max(*id, int64(below)+1))
		}
	}
	t := &petTx{Tx: tx, store: s, form: form, counts: newCounts(form, uint64(end))}
	var places []pet.Place
	for _, here := range []string{"1", "0"} {
		err := s.queryPlaces(ctx, tx, selectPlaces+"pet WHERE here = "+here+" AND id >= $1 AND id < $2",
			[]any{int64(below), end},
			func(p *pet.Place) { places = append(places, *p) })
		if err != nil {
			return false, err
		}
	}
	for i := range places {
		if places[i].Here {
			t.counts.add(&places[i].Pet, 1)
		}
	}
	if err := s.putPlaces(ctx, tx, form, places); err != nil {
		return false, err
	}
	if err := t.counts.save(ctx, t); err != nil {
		return false, err
	}
	_, err = tx.ExecContext(ctx, `UPDATE pet_form SET below_id = $1`, end)
	return end == math.MaxInt64, err
}
