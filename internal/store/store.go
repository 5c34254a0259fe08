// Package store keeps readings and pets in SQL. Open a Store on a file or on
// PostgreSQL; one text of SQL serves both.
//
// Who may write: only the leader publishes figures (Save) and indexes pets
// (WritePets). Both go through fenced, whose transaction takes effect only
// if nobody has taken the lease over since this process got it. Any process may ask for a release
// (AskRelease) or a look at a pet (WantPet), add measurements of the past
// (AppendPast), import pets (ImportPets), and campaign for the lease itself.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"
)

// A Store is one database. It is safe for concurrent use.
type Store struct {
	db    *sql.DB
	clock string // the engine's expression for now, in milliseconds
	kind  string // "sqlite" or "postgres"

	// leader are connections for the leader's writes alone, so that however many
	// read, figures are saved and the lease is renewed.
	leader *sql.DB
	// What reads many rows leaves connections to whoever looks one thing up.
	histories, listings gate

	// epoch is this process's own term as leader, 0 while it has none.
	epoch atomic.Int64
}

// Open connects to the database that url names ("sqlite:///var/lib/p.db",
// "postgres://…"), and brings its tables up to date. Transactions that stay
// idle for longer than half of lease are ended by PostgreSQL itself, so that a
// stalled leader cannot hold its successor up.
func Open(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*Store, error) {
	switch scheme, rest, _ := strings.Cut(url, "://"); scheme {
	case "sqlite":
		return openFile(ctx, rest, log)
	case "postgres", "postgresql":
		return openServer(ctx, url, lease, log)
	default:
		return nil, fmt.Errorf("store %q: want sqlite:///path/to/file.db or postgres://…", scheme+"://…")
	}
}

// leaderConnections are the leader's own: one that writes, one that renews the
// lease meanwhile, and one to spare.
const leaderConnections = 3

// newStore makes a store of a kind with so many connections that anyone may
// use, and the leader's beside them.
func newStore(kind, clock string, connections int, open func() (*sql.DB, error)) (*Store, error) {
	db, err := open()
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	leader, err := open()
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(8) // opening one costs more than a query
	leader.SetMaxOpenConns(leaderConnections)
	return &Store{
		db: db, leader: leader, kind: kind, clock: clock,
		histories: newGate(connections / 4), listings: newGate(connections / 4),
	}, nil
}

// Close ends every connection.
func (s *Store) Close() error { return errors.Join(s.leader.Close(), s.db.Close()) }

// Kind is "sqlite" or "postgres".
func (s *Store) Kind() string { return s.kind }

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.PingContext(ctx) }
