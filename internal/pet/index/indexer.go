// Package index keeps the store's pets in step with the chains. One Indexer reads one open realm.
// It reads all pets at a pinned block (reading.go), then follows the realm's events and reads what
// the store's queue names (follow.go), and undoes reorgs (undo.go). Each Step is a bounded piece of
// work. One transaction writes it together with the Position of the next step, so a process may die
// at any moment.
package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"sync"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
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
	realm    pet.Realm
	registry *pet.Registry
	chain    Chain
	store    Store
	log      *slog.Logger

	// Poll is the time between the starts of two checks for new blocks when the indexer has caught up.
	// If a check takes long, the next one begins after a quarter of this time.
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

	head      evm.Block // the last pinned block
	prefetch  *prefetch // the reading that was started for the next step, or nil
	window    window    // blocks in a search for logs, adapted to the node
	rereads   bool      // the last step followed the chain to its head, and there is something to reread
	swept     time.Time // when the last sweep began
	spanFault error     // error of the last step that read a span; a step that follows events does not clear it
	rate      rate
	tries     map[uint64]int // how often each unreadable pet was tried, by id

	metrics  *metrics
	mu       sync.Mutex
	progress Progress // guarded by mu
}

// New makes the indexer of one open realm.
func New(realm pet.Realm, registry *pet.Registry, chain Chain, store Store, log *slog.Logger) *Indexer {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Indexer{
		realm: realm, registry: registry, chain: chain, store: store, log: log.With("realm", realm.Key),
		Poll: time.Second, SweepEvery: 10 * time.Second, SweepIDs: 100, RetryAfter: time.Minute,
		tries: map[uint64]int{}, window: window{blocks: 1024, ceiling: maxWindow},
		metrics: newMetrics(realm.Key), progress: Progress{Realm: realm.Key},
	}
}

// source identifies the contract and its getter. If it changes, the realm is read from the start.
func (x *Indexer) source() string {
	return fmt.Sprintf("%s/%s/%s", x.realm.Chain, x.realm.Contract.Hex(), x.realm.Getter)
}

// form identifies the collection's fields and the realm's custody addresses. If they change, all
// rows are read again.
func (x *Indexer) form() string {
	text := fmt.Sprint(x.registry.Collection.Layout, x.realm.Custody)
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(text)))
}

// Run calls Step until ctx ends. After a fault, which it logs, it tries again after a growing
// pause. The pause stays short if a block was removed, or if the nodes lack a block that they may
// be about to receive.
func (x *Indexer) Run(ctx context.Context) error {
	faults := 0
	x.setProgress(func(p *Progress) { p.Moved = time.Now() })
	for ctx.Err() == nil {
		begun := time.Now()
		result, err := x.Step(ctx)
		wait := max(x.Poll-time.Since(begun), x.Poll/4)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			faults++
			longest := 30 * time.Second
			if errors.Is(err, evm.ErrAbsent) || errors.Is(err, evm.ErrReorg) {
				longest = 2 * x.Poll
			}
			wait = min(x.Poll<<min(faults-1, 5), longest)
			x.log.Warn("pets: a step of the indexer failed", "error", err, "again_in", wait)
		case result.More:
			faults = 0
			continue
		default:
			faults = 0
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return nil
}

// What a step did.
const (
	DidRead   = "read"    // a part of the first reading
	DidFollow = "follow"  // followed blocks, or read single ids of the queue
	DidReread = "reread"  // read a part of a span
	DidUndo   = "undo"    // took back blocks
	DidWait   = "wait"    // nothing: the chain has no new block
	DidLag    = "lagging" // nothing: the nodes are behind the last followed block
)

// A Result says what a step did, and whether there is more to do now.
type Result struct {
	Did  string
	More bool
}

// Step does one bounded piece of work and writes it in one transaction.
func (x *Indexer) Step(ctx context.Context) (Result, error) {
	result, err := x.step(ctx)
	if err != nil {
		err = fmt.Errorf("indexing %s: %w", x.realm.Key, err)
		result.Did = "error"
	}
	x.metrics.steps.WithLabelValues(result.Did).Inc()
	x.setProgress(func(p *Progress) {
		p.Fault = cmp.Or(err, x.spanFault)
		if err == nil && result.Did != DidLag {
			p.Moved = time.Now()
		}
	})
	return result, err
}

// step chooses the next piece of work. A step that reads a span comes only after a step that
// followed the chain to its head, and reads at the block that it reached. So neither starves.
func (x *Indexer) step(ctx context.Context) (Result, error) {
	work, err := x.store.PetWork(ctx, x.realm.Key, strayIDs)
	if err != nil {
		return Result{}, err
	}
	x.metrics.aside.Set(float64(work.Aside))
	x.setProgress(func(p *Progress) {
		p.Aside = work.Aside
		if p.Aside == 0 {
			p.Unfit = nil
		}
	})
	p := work.Position
	rereads := x.rereads
	x.rereads = false
	switch {
	case p == nil:
		return x.begin(ctx, Position{Since: x.since()})
	case work.Reindex || p.Source != x.source():
		return x.begin(ctx, Position{Since: x.since(), Again: true})
	case !p.Following():
		return x.read(ctx, *p)
	case rereads && work.Span != nil:
		result, err := x.reread(ctx, *p, *work.Span, stepIDs)
		x.spanFault = err
		return result, err
	case rereads && x.sweepDue():
		result, err := x.sweep(ctx, *p)
		x.spanFault = err
		return result, err
	}
	return x.follow(ctx, work)
}

// write writes a step and counts it.
func (x *Indexer) write(ctx context.Context, did string, more bool, b Batch) (Result, error) {
	s := b.common()
	s.Realm = x.realm
	s.Registry = x.registry
	out, err := x.store.WritePets(ctx, b)
	if err != nil {
		return Result{}, err
	}
	x.count(s, did, out)
	return Result{Did: did, More: more}, nil
}
