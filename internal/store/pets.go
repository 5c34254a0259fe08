package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/internal/pet/index"
)

// *Store is where a directory finds pets, and where the indexers keep them.
var (
	_ directory.Reader = (*Store)(nil)
	_ directory.Feed   = (*Store)(nil)
	_ index.Store      = (*Store)(nil)
)

// PetsByID returns the published pets of the ids that are known.
func (s *Store) PetsByID(ctx context.Context, ids []uint64) (map[uint64]pet.Pet, error) {
	found := make(map[uint64]pet.Pet, len(ids))
	err := chunks(ids, func(part []uint64) error {
		return s.lookUp(ctx, petsAmong(len(part), "1"), idArgs(part), func(p pet.Place) { found[p.ID] = p.Pet })
	})
	if err != nil {
		return nil, fmt.Errorf("looking up %d pets: %w", len(ids), err)
	}
	return found, nil
}

// scanned is how many rows one page of a listing looks at, at most: about
// what takes a tenth of a second.
const scanned = 100_000

// ListPets returns the pets after the given id that q selects, in the order of
// ids, and the id after which to go on; 0 if there are no more.
func (s *Store) ListPets(ctx context.Context, q pet.Query, after uint64) ([]pet.Pet, uint64, error) {
	end, err := s.pageEnd(ctx, q, after)
	if err != nil {
		return nil, 0, fmt.Errorf("listing pets: %w", err)
	}
	where, args := filter(q, after)
	if end > 0 {
		args = append(args, int64(end))
		where += fmt.Sprintf(" AND id <= $%d", len(args))
	}
	rows, err := s.db.QueryContext(ctx, fmt.Sprintf(`SELECT %s FROM pet WHERE %s ORDER BY id LIMIT %d`, petColumns, where, q.Limit+1), args...)
	if err != nil {
		return nil, 0, fmt.Errorf("listing pets: %w", err)
	}
	list := make([]pet.Pet, 0, q.Limit)
	if err := eachPlace(rows, func(p pet.Place) { list = append(list, p.Pet) }); err != nil {
		return nil, 0, fmt.Errorf("listing pets: %w", err)
	}
	if len(list) > q.Limit {
		list = list[:q.Limit]
		return list, list[q.Limit-1].ID, nil
	}
	return list, end, nil
}

// pageEnd returns the last id that a page after the given one may look at, 0
// if it may look at all. Where an index leads straight to the pets, it may.
func (s *Store) pageEnd(ctx context.Context, q pet.Query, after uint64) (uint64, error) {
	if q.Egg == nil && q.Rarity == nil && q.Element == nil && q.Shiny == nil && q.Background == nil || q.Owner != nil {
		return 0, nil
	}
	where, args := filter(pet.Query{Realm: q.Realm}, after)
	var end int64
	err := s.db.QueryRowContext(ctx, fmt.Sprintf(`SELECT id FROM pet WHERE %s ORDER BY id LIMIT 1 OFFSET %d`, where, scanned), args...).Scan(&end)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return uint64(end), err
}

// filter words a query's conditions, with their arguments.
func filter(q pet.Query, after uint64) (string, []any) {
	terms, args := []string{"here = 1", "id > $1"}, []any{int64(min(after, math.MaxInt64))}
	add := func(column string, value any) {
		args = append(args, value)
		terms = append(terms, fmt.Sprintf("%s = $%d", column, len(args)))
	}
	for _, f := range []struct {
		column string
		value  *int
	}{
		{"egg", q.Egg}, {"rarity", q.Rarity}, {"element", q.Element}, {"shiny", q.Shiny}, {"background", q.Background},
	} {
		if f.value != nil {
			add(f.column, max(min(*f.value, math.MaxInt16), -1))
		}
	}
	if q.Realm != nil {
		add("realm", *q.Realm)
	}
	if q.Owner != nil {
		add("owner", packAddress(*q.Owner))
	}
	return strings.Join(terms, " AND "), args
}

// PetCounts returns how many pets are in each realm.
func (s *Store) PetCounts(ctx context.Context) (map[string]uint64, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT realm, pets FROM pet_realm`)
	if err != nil {
		return nil, fmt.Errorf("counting pets: %w", err)
	}
	defer rows.Close()
	counts := make(map[string]uint64)
	for rows.Next() {
		var realm string
		var n int64
		if err := rows.Scan(&realm, &n); err != nil {
			return nil, fmt.Errorf("counting pets: %w", err)
		}
		if n > 0 {
			counts[realm] = uint64(n)
		}
	}
	return counts, rows.Err()
}

// PetHistory returns the latest changes seen in a pet, newest first.
func (s *Store) PetHistory(ctx context.Context, id uint64, limit int) ([]pet.Change, error) {
	rows, err := s.db.QueryContext(ctx, fmt.Sprintf(`
		SELECT seq, id, taken, block, realm, kind, fields FROM pet_change WHERE id = $1 ORDER BY seq DESC LIMIT %d`, limit), int64(id))
	if err != nil {
		return nil, fmt.Errorf("reading the history of pet %d: %w", id, err)
	}
	defer rows.Close()
	list := []pet.Change{}
	for rows.Next() {
		var c pet.Change
		var taken int64
		var fields string
		if err := rows.Scan(&c.Seq, &c.ID, &taken, &c.Block, &c.Realm, &c.Kind, &fields); err != nil {
			return nil, fmt.Errorf("reading the history of pet %d: %w", id, err)
		}
		if err := json.Unmarshal([]byte(fields), &c.Fields); err != nil {
			return nil, fmt.Errorf("reading the history of pet %d: %w", id, err)
		}
		c.At = fromMillis(taken)
		list = append(list, c)
	}
	return list, rows.Err()
}

// LastPetChange returns the sequence number of the latest change, 0 if there
// was none.
func (s *Store) LastPetChange(ctx context.Context) (uint64, error) {
	var seq int64
	err := s.db.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) FROM pet_change`).Scan(&seq)
	if err != nil {
		return 0, fmt.Errorf("reading the latest change of pets: %w", err)
	}
	return uint64(seq), nil
}

// PetChanges returns which pets changed after seq, in order, at most limit,
// and the sequence number up to which that is all.
func (s *Store) PetChanges(ctx context.Context, seq uint64, limit int) ([]uint64, uint64, error) {
	rows, err := s.db.QueryContext(ctx, fmt.Sprintf(`SELECT seq, id FROM pet_change WHERE seq > $1 ORDER BY seq LIMIT %d`, limit), int64(seq))
	if err != nil {
		return nil, seq, fmt.Errorf("reading changes of pets: %w", err)
	}
	defer rows.Close()
	var ids []uint64
	for rows.Next() {
		var at, id int64
		if err := rows.Scan(&at, &id); err != nil {
			return nil, seq, fmt.Errorf("reading changes of pets: %w", err)
		}
		ids, seq = append(ids, uint64(id)), uint64(at)
	}
	return ids, seq, rows.Err()
}

// WantPet asks the indexers of the given realms to look at a pet. Any process
// may ask, whoever leads.
func (s *Store) WantPet(ctx context.Context, id uint64, realms []string) error {
	now := time.Now().UnixMilli()
	for _, realm := range realms {
		if _, err := s.db.ExecContext(ctx, wantPet, realm, int64(id), now); err != nil {
			return fmt.Errorf("asking for pet %d in %s: %w", id, realm, err)
		}
	}
	return nil
}

const wantPet = `INSERT INTO pet_wanted (realm, id, asked) VALUES ($1, $2, $3) ON CONFLICT (realm, id) DO NOTHING`

// packAddress keeps no bytes for the zero address.
func packAddress(a common.Address) []byte {
	if a == (common.Address{}) {
		return []byte{}
	}
	return a[:]
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
