// Package index keeps the store's pets true to the chains. One Indexer reads
// one open realm: it reads all pets at a pinned block (bootstrap.go), then
// follows the realm's events (follow.go), undoes what blocks said that were
// taken back (reorg.go), and reads old rows again now and then (sweep.go). Each
// Step is one bounded piece of work, written in one transaction with the
// Position that the next step begins at, so a process may die at any moment.
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

// The outcomes of a step that are no faults.
var (
	// ErrCaughtUp: there is nothing more to do until the chain moves.
	ErrCaughtUp = errors.New("caught up")
	// ErrReorg: the chain took blocks back; what they said is undone.
	ErrReorg = errors.New("blocks were taken back")
	// errLagging: caught up with nodes that are behind what was followed before.
	errLagging = fmt.Errorf("%w with nodes that are behind", ErrCaughtUp)
)

const (
	depth     = 128 // blocks that are kept for a reorg
	dense     = 32  // blocks of a step near the head, each with its header
	readIDs   = 500 // pets in one read
	reads     = 4   // reads at once
	stepIDs   = 2000
	wantedIDs = 500 // wanted pets in one step
)

// An Indexer keeps the store's pets of one realm true to its chain. It is the
// only one that writes what that realm says; one goroutine calls Step or Run.
type Indexer struct {
	realm   pet.Realm
	kingdom *pet.Kingdom
	chain   Chain
	store   Store
	log     *slog.Logger

	// Poll is how often the chain is asked for new blocks once caught up.
	Poll time.Duration
	// SweepEvery is how often a few old rows are read again; 0 for never.
	SweepEvery time.Duration
	// SweepIDs is how many, at least: a large realm is swept within a week.
	SweepIDs int
	// RetryAfter is when a pet that could not be read is asked for again; the
	// pause doubles each time, up to 64 times as long.
	RetryAfter time.Duration

	head     evm.Block // last pinned
	prefetch *prefetch // what the next step will ask for, nil if it is not being read
	window   window    // of a search for logs, adapted to the node
	swept    time.Time
	rate     rate
	undoing  undoing
	tries    map[uint64]int // of pets that could not be read, by id

	metrics  *metrics
	mu       sync.Mutex
	progress Progress // guarded by mu
}

// New makes the indexer of one open realm of a kingdom.
func New(realm pet.Realm, kingdom *pet.Kingdom, chain Chain, store Store, log *slog.Logger) *Indexer {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Indexer{
		realm: realm, kingdom: kingdom, chain: chain, store: store, log: log.With("realm", realm.Key),
		Poll: time.Second, SweepEvery: 10 * time.Second, SweepIDs: 100, RetryAfter: time.Minute, tries: map[uint64]int{},
		window: window{blocks: 1024, ceiling: maxWindow}, metrics: newMetrics(realm.Key), progress: Progress{Realm: realm.Key},
	}
}

// custody names the addresses that a realm's owners are judged by.
func (x *Indexer) custody() string { return fmt.Sprint(x.realm.Custody) }

// source names what is read: a contract, and by which getters. If it changes, the
// realm is read afresh.
func (x *Indexer) source() string {
	return fmt.Sprintf("%s/%s/%s", x.realm.Chain, x.realm.Contract.Hex(), strings.Join(x.realm.Getter, "+"))
}

// fields names the collection's fields. The store refuses changes of them that are
// more than fields added at the end.
func (x *Indexer) fields() string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(x.kingdom.Collection.Layout.String())))
}
