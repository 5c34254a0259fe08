package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/supply"
)

// keepEvidence is how many of a token's newest rows of history keep their evidence. Of older rows,
// the first of each day keeps its evidence.
const keepEvidence = 1000

// Save writes all changes in one transaction, with their leaves in the log and their notices. It
// returns the sequence number of the write. If the Seq of a change's record is not 0, and the
// stored record has another Seq, the error is errOtherRecord. Only the leader may call Save.
func (s *Store) Save(ctx context.Context, changes []supply.Change) (int64, error) {
	var seq int64
	err := s.fenced(ctx, func(tx *sql.Tx) error {
		// The lease row is locked, so no other transaction takes the same sequence number. Numbers
		// follow the clock, so that none is used twice, even after a backup is restored.
		if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) + 1 FROM published`).Scan(&seq); err != nil {
			return err
		}
		seq = max(seq, s.now().UnixMicro())
		var leaves [][]byte
		var notices []supply.Notice
		for _, c := range changes {
			if err := s.save(ctx, tx, seq, c); err != nil {
				return fmt.Errorf("storing the record of %s: %w", c.Record.Token, err)
			}
			leaves = append(leaves, c.Leaves()...)
			notices = append(notices, c.Notices()...)
		}
		if err := s.appendNotices(ctx, tx, notices); err != nil {
			return err
		}
		return s.appendLeaves(ctx, tx, leaves)
	})
	return seq, err
}

// errOtherRecord: the stored record is not the one that a change is based on. The store went back
// in time, or another process has written.
var errOtherRecord = errors.New("another process changed the stored record, or the store was restored")

func (s *Store) save(ctx context.Context, tx *sql.Tx, seq int64, c supply.Change) error {
	var stored int64
	err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(seq), 0) FROM published WHERE token = $1`,
		c.Record.Token).Scan(&stored)
	if err != nil {
		return err
	}
	if was := c.Record.Seq; was != 0 && was != stored {
		return errOtherRecord
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO published (token, seq, record) VALUES ($1, $2, $3)
		ON CONFLICT (token) DO UPDATE SET seq = excluded.seq, record = excluded.record`,
		c.Record.Token, seq, asJSON{c.Record})
	if err != nil {
		return err
	}
	if c.Publishes {
		if err := appendRow(ctx, tx, c.Record.Snapshot); err != nil {
			return err
		}
		if err := s.prune(ctx, tx, c.Record.Token); err != nil {
			return err
		}
	}
	if c.Dropped != "" {
		_, err := tx.ExecContext(ctx, `DELETE FROM proof WHERE token = $1 AND snapshot = $2`, c.Record.Token, c.Dropped)
		if err != nil {
			return err
		}
	}
	if v := c.Ledger; v != nil {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO ledger (token, hash, since, document) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			c.Record.Token, v.Hash, v.Since.UnixMilli(), asJSON{v})
		if err != nil {
			return err
		}
	}
	for _, d := range c.Decided {
		_, err := tx.ExecContext(ctx, `UPDATE decision SET decided = $2, granted = $3 WHERE id = $1`,
			d.ID, s.now().UnixMilli(), bit(d.Granted))
		if err != nil {
			return err
		}
	}
	return nil
}

// appendRow adds a published snapshot to the history, with the token's next number. No two rows get
// the same number, because only the leader adds rows, and its transaction locks the lease row.
func appendRow(ctx context.Context, tx *sql.Tx, n *supply.Snapshot) error {
	day := n.AsOf.UTC().Truncate(24 * time.Hour).UnixMilli()
	var daily int
	var number int64
	err := tx.QueryRowContext(ctx, `
		SELECT CASE WHEN EXISTS (SELECT 1 FROM reading
				WHERE token = $1 AND taken >= $2 AND taken < $3 AND daily = 1)
			THEN 0 ELSE 1 END,
			(SELECT COALESCE(MAX(number), 0) + 1 FROM reading WHERE token = $1)`,
		n.Token, day, day+24*time.Hour.Milliseconds()).Scan(&daily, &number)
	if err != nil {
		return err
	}
	// If the clock of the chains went back, a search for an earlier time finds the later publication.
	_, err = tx.ExecContext(ctx, `UPDATE reading SET least = $2 WHERE token = $1 AND least > $2`, n.Token,
		n.AsOf.UnixMilli())
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		INSERT INTO reading (token, number, taken, least, measured, snapshot, ledger,
			total, circulating, burned, locked, reserved, blocks, daily, evidence)
		VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		n.Token, number, n.AsOf.UnixMilli(), n.MeasuredAt.UnixMilli(), n.ID, n.LedgerHash,
		n.Total.String(), n.Circulating.String(), n.Burned.String(), n.Locked.String(), n.Reserved.String(),
		asJSON{n.Blocks}, daily, asJSON{n.Evidence})
	return err
}

// prune removes old evidence from the rows of one token, as keepEvidence describes.
func (s *Store) prune(ctx context.Context, tx *sql.Tx, token string) error {
	_, err := tx.ExecContext(ctx, `
		UPDATE reading SET evidence = NULL
		WHERE token = $1 AND evidence IS NOT NULL AND daily = 0 AND number <
			(SELECT number FROM reading WHERE token = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)`,
		token, cmp.Or(s.KeepEvidence, keepEvidence)-1)
	return err
}
