package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"petsupply/internal/pet"
)

const changeColumns = `SELECT seq, id, block_time, block, realm, kind, fields FROM pet_change `

func scanChange(scan scanFunc, c *pet.Change) error {
	return scan(&c.Seq, &c.ID, millis{&c.At}, &c.Block, &c.Realm, &c.Kind, asJSON{&c.Fields})
}

func scanFeedMark(scan scanFunc, m *pet.FeedMark) error {
	return scan(&m.Seq, &m.ID, &m.Taken, &m.Block)
}

// ChangesSince returns at most limit changes of pets, in order. It begins after the change whose
// number is *since, or with the oldest kept change if since is nil. The error is a pet.OutsideFeed
// if *since is larger than the number of the newest change, or if the next change was pruned.
func (s *Store) ChangesSince(ctx context.Context, since *uint64, limit int) ([]pet.Change, error) {
	leave, err := s.turns.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return changesSince(ctx, s.db.DB, since, limit)
}

// changesSince is ChangesSince without waiting in the queue.
func changesSince(ctx context.Context, db *sql.DB, since *uint64, limit int) (_ []pet.Change, err error) {
	defer wrap(&err, "reading changes of pets")
	var after uint64
	if since != nil {
		after = min(*since, pet.MaxID) // no change has a larger number, and int64 would overflow
	}
	changes, err := list(ctx, db, scanChange,
		fmt.Sprintf(changeColumns+`WHERE seq > $1 ORDER BY seq LIMIT %d`, limit), int64(after))
	if err != nil {
		return nil, err
	}
	// Numbers have no gaps. If the first change is number since+1, none is missing.
	if since == nil || len(changes) > 0 && changes[0].Seq == after+1 {
		return changes, nil
	}
	var kept pet.OutsideFeed
	err = db.QueryRowContext(ctx,
		`SELECT COALESCE(MIN(seq), 0), COALESCE(MAX(seq), 0) FROM pet_change`).Scan(&kept.Oldest, &kept.Newest)
	if err == nil && (after+1 < kept.Oldest || after > kept.Newest) {
		err = kept
	}
	return changes, err
}

// maxPrunedRows limits the changes that one transaction prunes, because the transaction locks the
// lease row.
const maxPrunedRows = 1000

// PruneChanges drops at most maxPrunedRows of the changes before a time, oldest first, and returns
// how many it dropped. It never drops the newest change, because the number of the next change is
// counted from there. Only the leader may call PruneChanges.
func (s *Store) PruneChanges(ctx context.Context, before time.Time) (n int, err error) {
	defer wrap(&err, "dropping old changes of pets")
	err = s.fenced(ctx, func(tx *sql.Tx) error {
		oldest, err := list(ctx, tx, scanFeedMark,
			fmt.Sprintf(`SELECT seq, id, block_time, block FROM pet_change ORDER BY seq LIMIT %d`, maxPrunedRows+1))
		if err != nil {
			return err
		}
		for n = 0; n < len(oldest)-1 && oldest[n].Taken < before.UnixMilli(); n++ {
		}
		if n == 0 {
			return nil
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM pet_change WHERE seq < $1`, int64(oldest[n].Seq))
		return err
	})
	if err != nil {
		n = 0
	}
	return n, err
}
