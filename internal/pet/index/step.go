// Package index keeps the store's pets true to the chains. One Indexer reads
// one open realm: it reads all pets at a pinned block (bootstrap.go), then
// follows the realm's events (follow.go), undoes what blocks said that were
// taken back (reorg.go), and reads old rows again now and then (sweep.go). Each
// Step is one bounded piece of work, written in one transaction with the
// Position that the next step begins at, so a process may die at any moment.
package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"petsupply/internal/pet"
)

// The outcomes of a step that are no faults.
var (
	// ErrCaughtUp: there is nothing more to do until the chain moves.
	ErrCaughtUp = errors.New("caught up")
	// ErrReorg: the chain took blocks back; what they said is undone.
	ErrReorg = errors.New("blocks were taken back")
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
	realm  pet.Realm
	realms []pet.Realm
	chain  Chain
	store  Store
	log    *slog.Logger

	// Poll is how often the chain is asked for new blocks once caught up.
	Poll time.Duration
	// SweepEvery is how often a few old rows are read again; 0 for never.
	SweepEvery time.Duration
	// SweepIDs is how many.
	SweepIDs int

	prefetch *prefetch // the natives of the next step, nil if they are not being read
	window   window    // of a search for logs, adapted to the node
	swept    time.Time
	rate     rate

	metrics  *metrics
	mu       sync.Mutex
	progress Progress // guarded by mu
}

// New makes the indexer of one open realm among realms.
func New(realm pet.Realm, realms []pet.Realm, chain Chain, store Store, log *slog.Logger) *Indexer {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Indexer{
		realm: realm, realms: realms, chain: chain, store: store, log: log.With("realm", realm.Key),
		Poll: time.Second, SweepEvery: 10 * time.Second, SweepIDs: 100,
		window: window{blocks: 1024, ceiling: maxWindow}, metrics: newMetrics(realm.Key), progress: Progress{Realm: realm.Key},
	}
}

// Run steps until ctx ends. A fault is logged and tried again, a little later
// each time; it never ends the loop.
func (x *Indexer) Run(ctx context.Context) error {
	faults := 0
	for ctx.Err() == nil {
		err := x.Step(ctx)
		wait := time.Duration(0)
		switch {
		case err == nil, errors.Is(err, ErrReorg):
			faults = 0
		case errors.Is(err, ErrCaughtUp):
			faults, wait = 0, x.Poll
		case ctx.Err() != nil:
			return nil
		default:
			faults++
			wait = min(x.Poll<<min(faults-1, 5), 30*time.Second)
			x.log.Warn("pets: indexing", "error", err, "again_in", wait)
		}
		if wait == 0 {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return nil
}

// Step does one bounded piece of work and writes it in one transaction. It
// returns ErrCaughtUp when there is no more to do, ErrReorg when it undid
// blocks, and nil when it should be called again at once.
func (x *Indexer) Step(ctx context.Context) error {
	err := x.step(ctx)
	outcome := "ok"
	var fault error
	switch {
	case errors.Is(err, ErrReorg):
		outcome = "reorg"
	case errors.Is(err, ErrCaughtUp):
		outcome = "caught_up"
	case err != nil:
		outcome = "error"
		err = fmt.Errorf("indexing %s: %w", x.realm.Key, err)
		fault = err
	}
	x.metrics.steps.WithLabelValues(outcome).Inc()
	x.setProgress(func(p *Progress) { p.Fault = fault })
	return err
}

func (x *Indexer) step(ctx context.Context) error {
	work, err := x.store.PetWork(ctx, x.realm.Key, wantedIDs)
	if err != nil {
		return err
	}
	batch, outcome := x.work(ctx, work)
	if batch != nil {
		if err := x.write(ctx, *batch); err != nil {
			return err
		}
	}
	return outcome
}

// work does what comes next, and returns what is to be written of it, nil if
// nothing is, and the step's outcome once it is written.
func (x *Indexer) work(ctx context.Context, w Work) (*Batch, error) {
	p := w.Position
	switch {
	case p == nil:
		return x.start(ctx, Position{ByEvent: x.realm.Offset == nil || x.realm.StartBlock > 0, Events: x.realm.StartBlock})
	case p.Source != x.source():
		return x.start(ctx, Position{Afresh: true, ByEvent: true, Events: x.realm.StartBlock})
	case p.Phase == phaseNatives:
		return x.natives(ctx, *p)
	case p.Phase == phaseGuests:
		return x.guests(ctx, *p)
	case p.Phase == phaseVerify:
		return x.verify(ctx, *p)
	}
	return x.follow(ctx, w)
}

// source names what is read; if it changes, the realm is read afresh.
func (x *Indexer) source() string {
	return fmt.Sprintf("%s/%s/%s", x.realm.Chain, x.realm.Contract.Hex(), x.realm.Struct)
}

// write writes a step and counts what it did.
func (x *Indexer) write(ctx context.Context, b Batch) error {
	b.Realm, b.Realms = x.realm, x.realms
	b.Position.Source = x.source()
	out, err := x.store.WritePets(ctx, b)
	if err != nil {
		return err
	}
	if out.Drift > 0 {
		x.log.Warn("pets: rows differed from the chain though no event said so; they are right again", "pets", out.Drift, "block", b.At.Number)
	}
	x.count(b, out)
	return nil
}
