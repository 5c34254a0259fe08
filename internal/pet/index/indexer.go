// Package index keeps the store's pets in step with the chains. One Indexer reads one open realm.
// It reads all pets at a pinned block (bootstrap.go), then follows the realm's events (follow.go),
// undoes reorgs (reorg.go), and reads old rows again now and then (sweep.go). Each Step is a
// bounded piece of work. One transaction writes it together with the Position of the next step, so
// a process may die at any moment.
package index

import (
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"strings"
	"sync"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// Outcomes of a step that are not faults.
var (
	// ErrCaughtUp: there is nothing to do until the chain has a new block.
	ErrCaughtUp = errors.New("caught up")
	// ErrReorg: a reorg removed blocks, and their changes were undone.
	ErrReorg = errors.New("a reorg removed blocks")
	// errLagging: caught up, but the nodes are behind the last followed block.
	errLagging = fmt.Errorf("%w, but the nodes are behind the last followed block", ErrCaughtUp)
)

const (
	depth   = 128  // blocks that a reorg may remove without a read from the start
	dense   = 32   // blocks in one step near the head, where every header is read
	readIDs = 500  // pets in one read
	reads   = 4    // reads at the same time
	stepIDs = 2000 // pets in one step
	// strayIDs limits the pets in one step if their ids may be far apart. The store takes several
	// times as long to write such pets, because each is on a page of its own.
	strayIDs = 500
)

// An Indexer keeps the store's pets of one realm in step with its chain. No other indexer writes
// places in this realm. Only one goroutine may call Step or Run.
type Indexer struct {
	realm   pet.Realm
	kingdom *pet.Kingdom
	chain   Chain
	store   Store
	log     *slog.Logger

	// Poll is the pause between checks for new blocks when the indexer has caught up.
	Poll time.Duration
	// SweepEvery is the pause between sweeps; 0 means no sweeps. A sweep reads some pets again
	// although no event named them.
	SweepEvery time.Duration
	// SweepIDs is the least number of rows in a sweep. Sweeps of a large realm have more
	// rows: see sweepWithin.
	SweepIDs int
	// RetryAfter is the pause before an unreadable pet is read again. It doubles each time, up to
	// 64 times this value.
	RetryAfter time.Duration

	head     evm.Block // the last pinned block
	prefetch *prefetch // the reading that was started for the next step, or nil
	window   window    // blocks in a search for logs, adapted to the node
	swept    time.Time // when the last sweep began
	rate     rate
	undoing  undoing
	tries    map[uint64]int // how often each unreadable pet was tried, by id

	metrics  *metrics
	mu       sync.Mutex
	progress Progress // guarded by mu
}

// New makes the indexer of one open realm.
func New(realm pet.Realm, kingdom *pet.Kingdom, chain Chain, store Store, log *slog.Logger) *Indexer {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Indexer{
		realm: realm, kingdom: kingdom, chain: chain, store: store, log: log.With("realm", realm.Key),
		Poll: time.Second, SweepEvery: 10 * time.Second, SweepIDs: 100, RetryAfter: time.Minute, tries: map[uint64]int{},
		window: window{blocks: 1024, ceiling: maxWindow}, metrics: newMetrics(realm.Key),
		progress: Progress{Realm: realm.Key},
	}
}

// custody identifies the realm's custody addresses.
func (x *Indexer) custody() string { return fmt.Sprint(x.realm.Custody) }

// source identifies the contract and its getters. If it changes, the realm is read from the start.
func (x *Indexer) source() string {
	return fmt.Sprintf("%s/%s/%s", x.realm.Chain, x.realm.Contract.Hex(), strings.Join(x.realm.Getter, "+"))
}

// fields identifies the collection's fields. If they change, all rows are read again. The only
// change that the store accepts is new fields at the end.
func (x *Indexer) fields() string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(x.kingdom.Collection.Layout.String())))
}
