package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// errNotLeader: another process has taken the lease, or this one never had it. The write was rolled
// back.
var errNotLeader = errors.New("no longer the leader")

// maxExpiry limits how far in the future a lease can end. With a ttl above a minute, the limit is
// ten times the ttl. A lease that ends later was written before the database's clock was set back.
// It counts as free, because otherwise nobody could lead until it ends.
const maxExpiry = 10 * time.Minute

// Campaign takes the lease if it is free, or renews it if this process holds it. The lease then
// ends ttl from now by the database's clock. Campaign reports whether this process leads. If this
// process has lost the lease, Campaign returns false once before it takes the lease again, because
// data from the old term may be out of date. If the store was moved, the error is a *Moved.
func (s *Store) Campaign(ctx context.Context, holder string, ttl time.Duration) (bool, error) {
	if epoch := s.epoch.Load(); epoch != 0 {
		held, err := s.renew(ctx, epoch, ttl)
		if err == nil && !held {
			s.epoch.CompareAndSwap(epoch, 0)
		}
		return held, err
	}
	var epoch int64
	err := transact(ctx, s.db.Leader, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `
			UPDATE lease SET holder = $1, epoch = epoch + 1, expires = `+s.clock()+` + $2
			WHERE expires <= `+s.clock()+` OR expires > `+s.clock()+` + $3 RETURNING epoch`,
			holder, ttl.Milliseconds(), max(10*ttl, maxExpiry).Milliseconds()).Scan(&epoch)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE pet_realm SET compared = 0`) // only this term's comparisons count
		return err
	})
	if errors.Is(err, sql.ErrNoRows) {
		return false, usable(ctx, s.db)
	}
	if err != nil {
		return false, fmt.Errorf("asking for the lease: %w", err)
	}
	s.epoch.Store(epoch)
	return true, nil
}

// A leaseRow is a content of the lease row.
type leaseRow struct{ epoch, expires int64 }

func (s *Store) readLease(ctx context.Context) (now leaseRow, err error) {
	defer wrap(&err, "reading the lease")
	err = s.db.QueryRowContext(ctx, `SELECT epoch, expires FROM lease`).Scan(&now.epoch, &now.expires)
	return now, err
}

func (s *Store) renew(ctx context.Context, epoch int64, ttl time.Duration) (bool, error) {
	res, err := s.db.Leader.ExecContext(ctx, `
		UPDATE lease SET expires = `+s.clock()+` + $2 WHERE epoch = $1`,
		epoch, ttl.Milliseconds())
	if err != nil {
		return false, fmt.Errorf("renewing the lease: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Resign ends this process's term at once, so that another process need not wait.
func (s *Store) Resign(ctx context.Context) (err error) {
	defer wrap(&err, "releasing the lease")
	epoch := s.epoch.Swap(0)
	if epoch == 0 {
		return nil
	}
	_, err = s.db.Leader.ExecContext(ctx, `UPDATE lease SET expires = 0 WHERE epoch = $1`, epoch)
	return err
}

// Leader returns the holder of the lease, or "" if nobody holds it.
func (s *Store) Leader(ctx context.Context) (holder string, err error) {
	defer wrap(&err, "reading who leads")
	err = s.db.Leader.QueryRowContext(ctx, `
		SELECT holder FROM lease WHERE expires > `+s.clock()).Scan(&holder)
	return holder, ifNone(err, nil)
}

// besideLeader runs fn in one transaction, in any process. The transaction locks the lease row, so
// it cannot overlap with a leader's transaction. If the store was moved, the error is a *Moved.
func (s *Store) besideLeader(ctx context.Context, fn func(*sql.Tx) error) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE lease SET epoch = epoch`); err != nil {
			return err
		}
		if err := usable(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	})
}

// fenced is the only way to write data that only the leader may write. It runs fn in one
// transaction, which takes effect only if nobody has taken over the lease. The first statement
// checks the epoch of the lease row and locks the row, so a successor waits until the transaction
// ends. An expired lease is still valid while nobody else leads.
func (s *Store) fenced(ctx context.Context, fn func(*sql.Tx) error) error {
	epoch := s.epoch.Load()
	if epoch == 0 {
		return errNotLeader
	}
	return transact(ctx, s.db.Leader, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `UPDATE lease SET epoch = epoch WHERE epoch = $1`, epoch)
		if err != nil {
			return fmt.Errorf("checking the lease: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return errors.Join(errNotLeader, err)
		}
		return fn(tx)
	})
}
