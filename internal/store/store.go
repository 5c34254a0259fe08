// Package store keeps readings and pets in SQL. Open a Store on a file or on
// PostgreSQL; one text of SQL serves both. How either is opened and its tables are
// made is in database.
//
// Who may write: only the leader publishes figures (Save), indexes pets
// (WritePets) and keeps proofs, checkpoints and how far receivers have come. All of
// that goes through fenced, whose transaction takes effect only if nobody has taken
// the lease over since this process got it. Any process may ask for a decision
// (AskDecision) or a look at a pet (WantPet), add measurements of the past
// (AppendPast), import pets (ImportPets), forget what a webhook took after all
// (DropWebhookAside), and campaign for the lease itself.
package store

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/store/database"
	"petsupply/internal/turns"
)

// A Store is one database. It is safe for concurrent use.
type Store struct {
	db *database.DB

	// Reads of many rows wait in these, and leave connections to those of a single row.
	histories, listings *turns.Queue

	// Now is the clock of leases and decisions, and NewID makes the ids of decisions.
	// Set them before use; nil: the engine's clock and time.Now, and rand.Text.
	Now   func() time.Time
	NewID func() string
	// KeepEvidence is how many rows of a token and kind keep their evidence. Set it
	// before use; 0: 1,000.
	KeepEvidence int

	// form is the collection that pets are kept for.
	form    atomic.Pointer[petForm]
	indexes sync.Map // of pets, by name: those that are known to be there

	// epoch is this process's own term as leader, 0 while it has none.
	epoch atomic.Int64
}

// Open opens the database that url names, as database.Open does.
func Open(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*Store, error) {
	db, err := database.Open(ctx, url, lease, log)
	if err != nil {
		return nil, err
	}
	return inUse(ctx, db)
}

// inUse returns the store of a database. It is a *Moved error if it was moved.
func inUse(ctx context.Context, db *database.DB) (*Store, error) {
	s := newStore(db)
	if err := s.usable(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// ErrNoStore: there is no store at that address.
var ErrNoStore = database.ErrNoStore

// OpenExisting opens a store that is there already, as database.OpenExisting does.
func OpenExisting(ctx context.Context, url string, lease time.Duration) (*Store, error) {
	db, err := database.OpenExisting(ctx, url, lease)
	if err != nil {
		return nil, err
	}
	return inUse(ctx, db)
}

// OpenReads opens a replica of a PostgreSQL store to read there, as
// database.OpenReads does.
func OpenReads(url string) (*Store, error) {
	db, err := database.OpenReads(url)
	if err != nil {
		return nil, err
	}
	return newStore(db), nil
}

func newStore(db *database.DB) *Store {
	quarter := db.Stats().MaxOpenConnections / 4
	return &Store{db: db, histories: turns.New("lists", quarter, maxWaiting), listings: turns.New("lists", quarter, maxWaiting)}
}

// maxWaiting is how many callers wait for their turn at each of the queues.
const maxWaiting = 32

// Close ends every connection.
func (s *Store) Close() error { return s.db.Close() }

// Kind is "sqlite" or "postgres".
func (s *Store) Kind() string { return s.db.Kind }

// CheckFile returns an error if the file of a SQLite store was removed or replaced.
func (s *Store) CheckFile() error {
	if s.db.CheckFile == nil {
		return nil
	}
	return s.db.CheckFile()
}

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.PingContext(ctx) }

// Check looks for damage in a SQLite file, as database.DB.Check does.
func (s *Store) Check(ctx context.Context) error { return s.db.Check(ctx) }

// now returns the time for what is written by our own clock.
func (s *Store) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// clock is the expression for now, in milliseconds.
func (s *Store) clock() string {
	if s.Now == nil {
		return s.db.Clock
	}
	return strconv.FormatInt(s.Now().UnixMilli(), 10)
}
