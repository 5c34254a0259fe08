package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/store/database"
)

// Moved is the error for a store that was moved away, or that a move is still filling.
type Moved struct {
	Address  string // the other store, without user and password
	Arriving bool   // the move to this store is not finished
	At       time.Time
}

func (e *Moved) Error() string {
	if e.Arriving {
		return fmt.Sprintf("petsupply move began at %s to fill this store from %s and has not finished; "+
			"if it was interrupted, run it again", e.At.Format(time.RFC3339), e.Address)
	}
	return fmt.Sprintf("the store was moved to %s at %s; change \"store\" in the configuration to that address",
		e.Address, e.At.Format(time.RFC3339))
}

// Names of the lease row: leaseOfLeader in a usable store, leaseMoved after a move, and
// leaseArriving while a move fills the store.
const (
	leaseOfLeader = "leader"
	leaseMoved    = "moved"
	leaseArriving = "arriving"
)

// readMoved returns the mark that a move left in the store, or nil.
func readMoved(ctx context.Context, q querier) (*Moved, error) {
	return first(ctx, q, func(scan scanFunc, m *Moved) error {
		var name string
		err := scan(&name, &m.Address, millis{&m.At})
		m.Arriving = name == leaseArriving
		return err
	}, `SELECT name, holder, expires FROM lease WHERE name <> $1`, leaseOfLeader)
}

// setLease renames the lease row and ends the current leader's term.
func (s *Store) setLease(ctx context.Context, tx *sql.Tx, name, holder string) error {
	at := s.now().UnixMilli()
	if name == leaseOfLeader {
		at = 0
	}
	_, err := tx.ExecContext(ctx, `UPDATE lease SET name = $1, holder = $2, expires = $3, epoch = epoch + 1`,
		name, holder, at)
	return err
}

// usable returns a *Moved error if the store was moved or is being filled.
func (s *Store) usable(ctx context.Context) error {
	m, err := readMoved(ctx, s.db)
	if err == nil && m != nil {
		return m
	}
	return err
}

// A Move describes the move of a store.
type Move struct {
	From, To         string // addresses
	FromName, ToName string // the addresses without user and password
	Lease            time.Duration
	// Carry moves data that belongs to the store but is outside it. It is called after everything
	// is copied, before the old store is marked as moved.
	Carry    func() error
	Progress func(rows int)
}

// moverName is the leader's name while a store is moved.
const moverName = "petsupply move"

// Run moves the store. First it takes the lease, so that nobody else writes. Then it copies
// everything to an empty store, compares both, marks the old store as moved, and makes the new one
// usable. If it is interrupted before the mark, the old store is unchanged. After any interruption,
// call Run again. Until it has finished, the new store cannot be used.
func (m Move) Run(ctx context.Context) error {
	from, err := database.OpenExisting(ctx, m.From, 0)
	if err != nil {
		return err
	}
	old := newStore(from)
	defer old.Close()
	was, err := readMoved(ctx, from)
	if err != nil {
		return err
	}
	if was != nil && (was.Arriving || was.Address != m.ToName) {
		return was
	}
	if was != nil { // the last step of an earlier run may be missing
		return m.finish(ctx, was)
	}
	to, drop, err := openTarget(ctx, m.To)
	if err != nil {
		return err
	}
	defer to.Close()
	if err := old.takeLease(ctx, m.Lease); err != nil {
		drop()
		return err
	}
	defer old.Resign(context.WithoutCancel(ctx)) // if this fails, the lease expires by itself
	filled := false
	err = old.fenced(ctx, func(tx *sql.Tx) error {
		tables, err := database.Tables(ctx)
		if err == nil {
			err = old.db.LockTables(ctx, tx, tables)
		}
		if err == nil {
			err = to.fill(ctx, side{old.db, tx}, m.FromName, m.Progress)
		}
		if err != nil {
			return err
		}
		filled = true
		if err := m.Carry(); err != nil {
			return err
		}
		return old.setLease(ctx, tx, leaseMoved, m.ToName)
	})
	if err != nil {
		if !filled {
			to.Close()
			drop()
		}
		return err
	}
	return to.settle(ctx, m.FromName)
}

// finish does the last step of a move if the old store is already marked.
func (m Move) finish(ctx context.Context, was *Moved) error {
	db, err := database.OpenExisting(ctx, m.To, 0)
	if err != nil {
		return errors.Join(was, err)
	}
	to := newStore(db)
	defer to.Close()
	if now, err := readMoved(ctx, db); err != nil || now == nil {
		return errors.Join(was, err) // if now is nil, the move was already finished
	}
	return to.settle(ctx, m.FromName)
}

// takeLease takes the lease at once, or returns an error if another process has it.
func (s *Store) takeLease(ctx context.Context, lease time.Duration) error {
	won, err := s.Campaign(ctx, moverName, lease)
	if err != nil || won {
		return err
	}
	holder, err := s.Leader(ctx)
	if err != nil {
		return err
	}
	return fmt.Errorf("%w (the leader is %s)", errLed, holder)
}

// errLed: a service leads the store.
var errLed = errors.New("a running service leads the store; stop it and its followers first")

// settle makes the store usable after a move has filled it. source is the address of the old store,
// without user and password.
func (s *Store) settle(ctx context.Context, source string) error {
	return transact(ctx, s.db.Leader, func(tx *sql.Tx) error {
		was, err := readMoved(ctx, tx)
		if err != nil || was == nil {
			return err
		}
		if !was.Arriving || was.Address != source {
			return was
		}
		return s.setLease(ctx, tx, leaseOfLeader, "")
	})
}
