package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
)

// PetWork returns what a realm's indexer finds to do, with at most limit
// wanted ids.
func (s *Store) PetWork(ctx context.Context, realm string, limit int) (index.Work, error) {
	var w index.Work
	read := func(query string, fn func(*sql.Rows) error) error {
		rows, err := s.db.QueryContext(ctx, query, realm)
		if err != nil {
			return err
		}
		return each(rows, func() error { return fn(rows) })
	}
	err := read(`SELECT cursor FROM pet_realm WHERE realm = $1 AND cursor <> ''`, func(rows *sql.Rows) error {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		w.Position = new(index.Position)
		return json.Unmarshal([]byte(text), w.Position)
	})
	if err == nil {
		err = read(`SELECT number, taken, hash, touched FROM pet_mark WHERE realm = $1 ORDER BY number`, func(rows *sql.Rows) error {
			m, err := scanMark(rows)
			w.Marks = append(w.Marks, m)
			return err
		})
	}
	if err == nil {
		err = read(fmt.Sprintf(`SELECT id FROM pet_wanted WHERE realm = $1 ORDER BY asked, id LIMIT %d`, limit), func(rows *sql.Rows) error {
			var id uint64
			err := rows.Scan(&id)
			w.Wanted = append(w.Wanted, id)
			return err
		})
	}
	if err != nil {
		return w, fmt.Errorf("reading how far the index of %s is: %w", realm, err)
	}
	return w, nil
}

// touched is the stored form of what a mark's block touched.
type touched struct {
	IDs   []uint64   `json:"ids,omitempty"`
	Spans []pet.Span `json:"spans,omitempty"`
}

func scanMark(rows *sql.Rows) (index.BlockMark, error) {
	var m index.BlockMark
	var taken int64
	var hash, text string
	if err := rows.Scan(&m.Number, &taken, &hash, &text); err != nil {
		return m, err
	}
	var t touched
	err := json.Unmarshal([]byte(text), &t)
	m.Hash, m.Time, m.IDs, m.Spans = common.HexToHash(hash), fromMillis(taken), t.IDs, t.Spans
	return m, err
}

// PetIDs returns ids that realm is known to have or have had, from the given
// one up to the given one, ascending, at most limit.
func (s *Store) PetIDs(ctx context.Context, realm string, in pet.Span, limit int) ([]uint64, error) {
	rows, err := s.db.QueryContext(ctx, fmt.Sprintf(`SELECT id FROM pet WHERE realm = $1 AND id >= $2 AND id <= $3 ORDER BY id LIMIT %d`, limit),
		realm, int64(min(in.From, pet.MaxID)), int64(min(in.To, pet.MaxID)))
	if err != nil {
		return nil, fmt.Errorf("listing the ids of %s: %w", realm, err)
	}
	var ids []uint64
	err = each(rows, func() error {
		var id uint64
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("listing the ids of %s: %w", realm, err)
	}
	return ids, nil
}

// WritePets writes a step of a realm's indexer, all of it or nothing, and only
// while this process leads.
func (s *Store) WritePets(ctx context.Context, b index.Batch) (index.Written, error) {
	var out index.Written
	err := s.fenced(ctx, func(tx *sql.Tx) error {
		var err error
		out, err = s.writeBatch(ctx, tx, b)
		return err
	})
	if err != nil {
		return index.Written{}, fmt.Errorf("writing %d pets of %s: %w", len(b.Observations)+len(b.Swept), b.Realm.Key, err)
	}
	return out, nil
}

func (s *Store) writeBatch(ctx context.Context, tx *sql.Tx, b index.Batch) (index.Written, error) {
	l := ledger{counts: map[string]int{}, upserts: upserts[s.kind]}
	undo := b.Undo
	if b.Bootstrap {
		undo = new(evm.Block)
	}
	if err := l.load(ctx, tx, b.Observations, b.Swept); err != nil {
		return index.Written{}, err
	}
	settle := func(seen pet.Observation) bool {
		in := pet.ObservedAt{Realm: b.Realm, Block: b.At.Number, Time: b.At.Time, Since: b.Since[seen.ID], Undo: undo}
		return l.settle(seen.ID, b.Realms, func(old []pet.Place) ([]pet.Place, *pet.Change) {
			return pet.Settle(old, b.Realms, seen, in)
		})
	}
	for _, seen := range b.Observations {
		settle(seen)
	}
	drift := 0
	for _, seen := range b.Swept {
		if settle(seen) {
			drift++
		}
		if p := here(l.places[seen.ID]); p != nil && p.InTransit {
			l.lost = append(l.lost, seen.ID) // it may be in a realm that was added since
		}
	}
	if err := l.save(ctx, tx); err != nil {
		return index.Written{}, err
	}
	if err := wantBatch(ctx, tx, b, l.lost); err != nil {
		return index.Written{}, err
	}
	if err := putMarks(ctx, tx, b); err != nil {
		return index.Written{}, err
	}
	text, err := json.Marshal(b.Position)
	if err != nil {
		return index.Written{}, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pet_realm (realm, cursor, pets) VALUES ($1, $2, 0)
		ON CONFLICT (realm) DO UPDATE SET cursor = excluded.cursor`, b.Realm.Key, string(text))
	return index.Written{Changed: l.changedIDs(), Drift: drift}, err
}

// wantBatch strikes what was answered, and asks every other open realm for
// the pets that were lost sight of.
func wantBatch(ctx context.Context, tx *sql.Tx, b index.Batch, lost []uint64) error {
	for _, id := range b.Answered {
		if _, err := tx.ExecContext(ctx, `DELETE FROM pet_wanted WHERE realm = $1 AND id = $2`, b.Realm.Key, int64(id)); err != nil {
			return err
		}
	}
	now := time.Now().UnixMilli()
	for _, id := range b.Again {
		if _, err := tx.ExecContext(ctx, wantPet, b.Realm.Key, int64(id), now); err != nil {
			return err
		}
	}
	for _, r := range b.Realms {
		for _, id := range lost {
			if r.Closed || r.Key == b.Realm.Key {
				continue
			}
			if _, err := tx.ExecContext(ctx, wantPet, r.Key, int64(id), now); err != nil {
				return err
			}
		}
	}
	return nil
}

// putMarks keeps the marks that a rewind may need, and no others.
func putMarks(ctx context.Context, tx *sql.Tx, b index.Batch) error {
	if b.Undo != nil {
		if _, err := tx.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1 AND number > $2`, b.Realm.Key, int64(b.Undo.Number)); err != nil {
			return err
		}
	}
	for _, m := range b.Marks {
		text, err := json.Marshal(touched{m.IDs, m.Spans})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO pet_mark (realm, number, taken, hash, touched) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (realm, number) DO UPDATE SET taken = excluded.taken, hash = excluded.hash, touched = excluded.touched`,
			b.Realm.Key, int64(m.Number), toMillis(m.Time), m.Hash.Hex(), string(text))
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1 AND number < $2`, b.Realm.Key, int64(b.Keep))
	return err
}

// ImportPets puts pets as they are told, whoever leads: it is an operator's
// act, for realms that no indexer reads. Pets that are in transit by it are
// looked for in the open realms. It returns how many were new or different.
func (s *Store) ImportPets(ctx context.Context, realms []pet.Realm, pets []pet.Pet) (int, error) {
	n := 0
	err := s.unfenced(ctx, func(tx *sql.Tx) error {
		// The row's lock keeps the leader's transactions apart from this one.
		if _, err := tx.ExecContext(ctx, `UPDATE lease SET epoch = epoch WHERE name = 'leader'`); err != nil {
			return err
		}
		l := ledger{counts: map[string]int{}, upserts: upserts[s.kind], silent: true}
		told := make([]pet.Observation, len(pets))
		for i, p := range pets {
			told[i].ID = p.ID
		}
		if err := l.load(ctx, tx, told); err != nil {
			return err
		}
		for _, p := range pets {
			l.settle(p.ID, realms, func(old []pet.Place) ([]pet.Place, *pet.Change) { return pet.Install(old, realms, p) })
		}
		n = l.news
		if err := l.save(ctx, tx); err != nil {
			return err
		}
		return wantBatch(ctx, tx, index.Batch{Realms: realms}, l.lost)
	})
	if err != nil {
		return 0, fmt.Errorf("importing %d pets: %w", len(pets), err)
	}
	return n, nil
}

// each calls fn on every row, and closes rows.
func each(rows *sql.Rows, fn func() error) error {
	defer rows.Close()
	for rows.Next() {
		if err := fn(); err != nil {
			return err
		}
	}
	return rows.Err()
}
