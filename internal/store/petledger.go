package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"petsupply/internal/pet"
)

// A ledger carries the places of some pets through one transaction.
type ledger struct {
	places  map[uint64][]pet.Place // as they will be
	stored  map[uint64][]pet.Place // as they are
	order   []uint64
	counts  map[string]int // by realm, how many more pets are there
	lost    []uint64       // pets that went into transit
	upserts map[int]string // the engine's
	silent  bool           // first sights are no changes
	log     []pet.Change
	news    int // pets new or different
}

// load reads every place of the pets that are seen.
func (l *ledger) load(ctx context.Context, tx *sql.Tx, seen ...[]pet.Observation) error {
	l.places, l.stored = map[uint64][]pet.Place{}, map[uint64][]pet.Place{}
	for _, list := range seen {
		for _, s := range list {
			if _, ok := l.places[s.ID]; !ok {
				l.places[s.ID] = nil
				l.order = append(l.order, s.ID)
			}
		}
	}
	for _, here := range []string{"1", "0"} {
		if err := l.loadPlaces(ctx, tx, here); err != nil {
			return err
		}
	}
	return nil
}

// loadPlaces reads the places that are here, or those that are not. Pets
// whose ids lie close together, as in a bootstrap, are read as a range.
func (l *ledger) loadPlaces(ctx context.Context, tx *sql.Tx, here string) error {
	read := func(query string, args ...any) error {
		rows, err := tx.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		return eachPlace(rows, func(p pet.Place) {
			if _, asked := l.places[p.ID]; asked {
				l.places[p.ID] = append(l.places[p.ID], p)
				l.stored[p.ID] = append(l.stored[p.ID], p)
			}
		})
	}
	if len(l.order) > 1 {
		low, high := slices.Min(l.order), slices.Max(l.order)
		if high-low < uint64(2*len(l.order)) {
			return read(petsWithin(here), int64(low), int64(high))
		}
	}
	return chunks(l.order, func(part []uint64) error { return read(petsAmong(len(part), here), idArgs(part)...) })
}

// settle brings one pet's places to what fn says, and reports whether what is
// published of it changed.
func (l *ledger) settle(id uint64, realms []pet.Realm, fn func([]pet.Place) ([]pet.Place, *pet.Change)) bool {
	before := here(l.places[id])
	after, change := fn(l.places[id])
	l.places[id] = after
	now := here(after)
	if before != nil {
		l.counts[before.Realm]--
	}
	if now != nil {
		l.counts[now.Realm]++
		if now.InTransit && (before == nil || !before.InTransit) {
			l.lost = append(l.lost, id)
		}
	}
	if change == nil {
		return false
	}
	l.news++
	if !l.silent || change.Kind != pet.Appeared {
		l.log = append(l.log, *change)
	}
	return true
}

func here(places []pet.Place) *pet.Place {
	for i := range places {
		if places[i].Here {
			return &places[i]
		}
	}
	return nil
}

func (l *ledger) changedIDs() []uint64 {
	ids := make([]uint64, len(l.log))
	for i, c := range l.log {
		ids[i] = c.ID
	}
	return ids
}

// save writes every difference between the places as they are and will be.
func (l *ledger) save(ctx context.Context, tx *sql.Tx) error {
	puts := make([]pet.Place, 0, len(l.order))
	for _, id := range l.order {
		for _, old := range l.stored[id] {
			if i := slices.IndexFunc(l.places[id], func(p pet.Place) bool { return p.Realm == old.Realm }); i < 0 {
				if _, err := tx.ExecContext(ctx, `DELETE FROM pet WHERE realm = $1 AND id = $2`, old.Realm, int64(id)); err != nil {
					return err
				}
			} else if old.Here && !l.places[id][i].Here {
				// First, so that at no moment two rows say here.
				if _, err := tx.ExecContext(ctx, `UPDATE pet SET here = 0 WHERE realm = $1 AND id = $2`, old.Realm, int64(id)); err != nil {
					return err
				}
			}
		}
		for _, p := range l.places[id] {
			if !slices.Contains(l.stored[id], p) {
				puts = append(puts, p)
			}
		}
	}
	if err := putPlaces(ctx, tx, l.upserts, puts); err != nil {
		return err
	}
	if err := l.saveCounts(ctx, tx); err != nil {
		return err
	}
	return l.saveChanges(ctx, tx)
}

func (l *ledger) saveCounts(ctx context.Context, tx *sql.Tx) error {
	for realm, n := range l.counts {
		if n == 0 {
			continue
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO pet_realm (realm, cursor, pets) VALUES ($1, '', $2)
			ON CONFLICT (realm) DO UPDATE SET pets = pet_realm.pets + excluded.pets`, realm, n)
		if err != nil {
			return err
		}
	}
	return nil
}

// saveChanges appends to the history. Sequence numbers have no gaps and the
// order of commits, for the lease's row lets one transaction in at a time.
func (l *ledger) saveChanges(ctx context.Context, tx *sql.Tx) error {
	if len(l.log) == 0 {
		return nil
	}
	slices.SortStableFunc(l.log, func(a, b pet.Change) int { return cmp.Compare(a.ID, b.ID) })
	var seq int64
	if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) FROM pet_change`).Scan(&seq); err != nil {
		return err
	}
	for _, c := range l.log {
		fields, err := json.Marshal(c.Fields)
		if err != nil {
			return err
		}
		seq++
		_, err = tx.ExecContext(ctx, `INSERT INTO pet_change (seq, id, taken, block, realm, kind, fields) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			seq, int64(c.ID), toMillis(c.At), int64(c.Block), c.Realm, c.Kind, string(fields))
		if err != nil {
			return err
		}
	}
	return nil
}
