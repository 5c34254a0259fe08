// Package store keeps token figures and pets in an SQL database. Open a Store on a SQLite file or
// on PostgreSQL; the same SQL serves both. Package database opens the engines and creates the
// tables.
//
// Only the leader publishes figures (Save), indexes pets (WritePets), and saves proofs, checkpoints
// and webhook cursors. All of this goes through fenced, whose transaction takes effect only if
// nobody has taken over this process's lease. Any process may ask for a decision (AskDecision) or for
// realms to be read again (Reindex), import pets (ImportPets), forget a realm (ForgetRealm), and
// campaign for the lease.
package store

import (
	"context"
	"log/slog"
	"strconv"
	"sync/atomic"
	"time"

	"petsupply/internal/store/database"
	"petsupply/internal/turns"
)

// A Store is one database. It is safe for concurrent use.
type Store struct {
	db *database.DB

	// Reads of many rows queue here. They get half of the connections, which leaves the others for
	// reads of single rows.
	turns *turns.Queue

	// Now is the clock, and NewID makes the ids of decisions. Set them before use. If Now is nil,
	// leases follow the engine's clock, and everything else follows time.Now. If NewID is nil,
	// rand.Text makes the ids.
	Now   func() time.Time
	NewID func() string
	// KeepEvidence is how many of a token's newest snapshots keep their evidence. Of older ones, the
	// first of each day keeps it. Set KeepEvidence before use. The default 0 means 1,000.
	KeepEvidence int

	// form is how pets of the collection are stored.
	form atomic.Pointer[petForm]

	// epoch is this process's term as leader, or 0.
	epoch atomic.Int64
	// opened is the content of the lease row when this process opened the store. While the row stays
	// the same, nobody may lead here: the store may be a copy.
	opened leaseRow
}

// Open opens the database at url, as database.Open does.
func Open(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*Store, error) {
	db, err := database.Open(ctx, url, lease, log)
	if err != nil {
		return nil, err
	}
	return inUse(ctx, db)
}

// inUse returns the store of a database, or a *Moved error if the store was moved.
func inUse(ctx context.Context, db *database.DB) (*Store, error) {
	s := newStore(db)
	err := usable(ctx, db)
	if err == nil {
		s.opened, err = s.readLease(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

var (
	ErrNoStore = database.ErrNoStore // there is no store at that address
	ErrExists  = database.ErrExists  // there is something at the address of a new store
)

// OpenExisting opens an existing store, as database.OpenExisting does.
func OpenExisting(ctx context.Context, url string, lease time.Duration) (*Store, error) {
	db, err := database.OpenExisting(ctx, url, lease)
	if err != nil {
		return nil, err
	}
	return inUse(ctx, db)
}

func newStore(db *database.DB) *Store {
	return &Store{db: db, turns: turns.New("lists", db.Stats().MaxOpenConnections/2, maxWaiting)}
}

// maxWaiting is how many callers may wait for reads of many rows.
const maxWaiting = 1024

// Close closes all connections.
func (s *Store) Close() error { return s.db.Close() }

// Kind returns "sqlite" or "postgres".
func (s *Store) Kind() string { return s.db.Kind }

// CheckFile returns an error if the file of a SQLite store was removed or replaced.
func (s *Store) CheckFile() error {
	if s.db.CheckFile == nil {
		return nil
	}
	return s.db.CheckFile()
}

// Check looks for damage in a SQLite file, as database.DB.Check does.
func (s *Store) Check(ctx context.Context) error { return s.db.Check(ctx) }

// now returns s.Now(), or the time of this process's clock if s.Now is nil.
func (s *Store) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// clock returns the SQL expression for the current time in milliseconds.
func (s *Store) clock() string {
	if s.Now == nil {
		return s.db.Clock
	}
	return strconv.FormatInt(s.Now().UnixMilli(), 10)
}
