package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strconv"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
)

// A petTx has the places of some pets during one transaction. It reads the places once, applies one
// observation after another, and writes the differences.
type petTx struct {
	*sql.Tx
	store *Store
	form  *petForm

	ids    []uint64
	places map[uint64][]pet.Place // places after the transaction
	stored map[uint64][]pet.Place // places before the transaction

	counts  counts   // changes of the counts of pets
	lost    []uint64 // pets that went into transit, or were burned
	changes []pet.Change
	silent  bool // changes of single pets are not added to changes
}

// newPetTx reads every place of the given pets.
func (s *Store) newPetTx(ctx context.Context, tx *sql.Tx, ids []uint64) (*petTx, error) {
	form, below, err := s.formToWrite(ctx, tx)
	if err != nil {
		return nil, err
	}
	ids = slices.Clone(ids)
	slices.Sort(ids)
	t := &petTx{Tx: tx, store: s, form: form, ids: slices.Compact(ids), counts: newCounts(form, below),
		places: make(map[uint64][]pet.Place, len(ids)), stored: make(map[uint64][]pet.Place, len(ids))}
	for _, here := range []int{1, 0} {
		if err := t.load(ctx, here); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// load reads places of the pets: with here = 1, the place where each pet is; with here = 0, the
// other places. If the ids are close together, as in a first reading, it reads a range of ids.
func (t *petTx) load(ctx context.Context, here int) error {
	n := len(t.ids)
	if n > 1 && t.ids[n-1]-t.ids[0] < uint64(2*n) {
		query := selectPlaces + "pet WHERE here = " + strconv.Itoa(here) + " AND id >= $1 AND id <= $2"
		args := []any{int64(t.ids[0]), int64(t.ids[n-1])}
		return t.store.queryPlaces(ctx, t, query, args, func(p *pet.Place) {
			if _, asked := slices.BinarySearch(t.ids, p.ID); asked {
				t.loaded(p)
			}
		})
	}
	return eachQuery(t.ids, here, func(query string, args []any) error {
		return t.store.queryPlaces(ctx, t, query, args, t.loaded)
	})
}

func (t *petTx) loaded(p *pet.Place) {
	t.places[p.ID] = append(t.places[p.ID], *p)
	t.stored[p.ID] = append(t.stored[p.ID], *p)
}

// update changes one pet's places with fn, and notes what follows from the change.
func (t *petTx) update(id uint64, fn func([]pet.Place) ([]pet.Place, *pet.Change)) {
	before := pet.Published(t.places[id])
	after, change := fn(t.places[id])
	t.places[id] = after
	now := pet.Published(after)
	t.counts.add(before, -1)
	t.counts.add(now, 1)
	switch {
	case now != nil:
		if now.InTransit && (before == nil || !before.InTransit || before.Realm != now.Realm) {
			t.lost = append(t.lost, id)
		}
	case before != nil && len(after) > 0:
		t.lost = append(t.lost, id) // burned in this realm, perhaps minted in another
	}
	if change != nil && !t.silent {
		t.changes = append(t.changes, *change)
	}
}

// save writes the differences between the stored and the new places.
func (t *petTx) save(ctx context.Context) error {
	puts := make([]pet.Place, 0, len(t.ids))
	gone := map[string][]uint64{} // by realm
	left := map[string][]uint64{} // by realm
	for _, id := range t.ids {
		for _, old := range t.stored[id] {
			i := slices.IndexFunc(t.places[id], func(p pet.Place) bool { return p.Realm == old.Realm })
			if i < 0 {
				gone[old.Realm] = append(gone[old.Realm], id)
			} else if old.Here && !t.places[id][i].Here {
				left[old.Realm] = append(left[old.Realm], id)
			}
		}
		for _, p := range t.places[id] {
			if !slices.Contains(t.stored[id], p) {
				puts = append(puts, p)
			}
		}
	}
	for realm, ids := range gone {
		if err := t.store.db.ExecEach(ctx, t.Tx, `DELETE FROM pet WHERE id`, realm, ids); err != nil {
			return err
		}
	}
	for realm, ids := range left { // before putPlaces, so that a pet never has two rows with here = 1
		if err := t.store.db.ExecEach(ctx, t.Tx, `UPDATE pet SET here = 0 WHERE id`, realm, ids); err != nil {
			return err
		}
	}
	if err := t.store.putPlaces(ctx, t.Tx, t.form, puts); err != nil {
		return err
	}
	if err := t.counts.save(ctx, t); err != nil {
		return err
	}
	return t.saveChanges(ctx)
}

// announce adds one change that covers all pets of a realm.
func (t *petTx) announce(realm string, block uint64, at time.Time) {
	t.changes = append(t.changes, pet.Change{ID: pet.NoID, Kind: pet.Reread, Realm: realm, Block: block, At: at})
}

// saveChanges appends the changes to the feed. Numbers have no gaps and follow the order of
// commits, because only one transaction at a time can lock the lease row.
func (t *petTx) saveChanges(ctx context.Context) error {
	if len(t.changes) == 0 {
		return nil
	}
	slices.SortStableFunc(t.changes, func(a, b pet.Change) int { return cmp.Compare(a.ID, b.ID) })
	var seq int64
	if err := t.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) FROM pet_change`).Scan(&seq); err != nil {
		return err
	}
	columns := []string{"seq", "id", "block_time", "block", "realm", "kind", "fields"}
	return database.InsertRows(ctx, t.store.db, t.Tx, "pet_change", columns, "", t.changes,
		func(args []any, c *pet.Change) []any {
			seq++
			return append(args, seq, int64(c.ID), toMillis(c.At), int64(c.Block), c.Realm, c.Kind, asJSON{c.Fields})
		})
}
