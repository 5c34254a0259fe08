package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// The outcomes of a step that are no faults.
var (
	// ErrCaughtUp: there is nothing more to do until the chain moves.
	ErrCaughtUp = errors.New("caught up")
	// ErrReorg: the chain took blocks back; what they said is undone.
	ErrReorg = errors.New("blocks were taken back")
)

// Chain is what an Indexer reads. *evm.Chain is one.
type Chain interface {
	// Pin returns the highest block at the chain's finality that enough of its
	// providers have reached.
	Pin(ctx context.Context, limit time.Time) (evm.Block, error)
	// Block returns the canonical block of this number.
	Block(ctx context.Context, number uint64) (evm.Block, error)
	// Read answers all calls at a block, or none; evm.ErrReorg if the block is
	// not canonical.
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
	// Logs returns every log of the range; evm.ErrRange if it is too wide.
	Logs(ctx context.Context, q evm.LogQuery) ([]evm.Log, error)
}

const (
	depth     = 128 // blocks that are kept for a rewind
	dense     = 32  // blocks of a step near the head, each with its header
	maxWindow = 8192
	readIDs   = 500  // pets in one read
	reads     = 4    // reads at once
	stepIDs   = 2000 // pets in one step of the bootstrap
	wantedIDs = 500  // wanted pets in one step
	manyLogs  = 5000 // in one window: then it shrinks
)

// An Indexer keeps the store's pets of one realm true to its chain. It is the
// only one that writes that realm's word; one goroutine calls Step or Run.
type Indexer struct {
	realm  pet.Realm
	realms []pet.Realm
	chain  Chain
	book   Store
	log    *slog.Logger

	// Poll is how often the chain is asked for new blocks once caught up.
	Poll time.Duration
	// SweepEvery is how often a few old rows are read again; 0 for never.
	SweepEvery time.Duration
	// SweepIDs is how many.
	SweepIDs int

	ahead *reading // the natives of the next step, nil if they are not being read
	width width    // of a search for logs, adapted to the node
	swept time.Time
	pace  pace

	metrics *indexMetrics
	mu      sync.Mutex
	state   Progress // guarded by mu
}

// New makes the indexer of one open realm among realms.
func New(realm pet.Realm, realms []pet.Realm, chain Chain, book Store, log *slog.Logger) *Indexer {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Indexer{
		realm: realm, realms: realms, chain: chain, book: book, log: log.With("realm", realm.Key),
		Poll: time.Second, SweepEvery: 10 * time.Second, SweepIDs: 100,
		width: width{blocks: 1024, ceiling: maxWindow}, metrics: newIndexMetrics(realm.Key), state: Progress{Realm: realm.Key},
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
	switch {
	case errors.Is(err, ErrReorg):
		outcome = "reorg"
	case errors.Is(err, ErrCaughtUp):
		outcome = "caught_up"
	case err != nil:
		outcome = "error"
		err = fmt.Errorf("indexing %s: %w", x.realm.Key, err)
	}
	x.metrics.steps.WithLabelValues(outcome).Inc()
	x.note(func(p *Progress) {
		p.Fault = nil
		if outcome == "error" {
			p.Fault = err
		}
	})
	return err
}

func (x *Indexer) step(ctx context.Context) error {
	work, err := x.book.PetWork(ctx, x.realm.Key, wantedIDs)
	if err != nil {
		return err
	}
	if work.Position == nil {
		return x.begin(ctx, Position{ByEvent: x.realm.Offset == nil || x.realm.StartBlock > 0, Events: x.realm.StartBlock})
	}
	if work.Position.Source != x.source() {
		return x.begin(ctx, Position{Afresh: true, ByEvent: true, Events: x.realm.StartBlock})
	}
	switch work.Position.Phase {
	case phaseNatives:
		return x.natives(ctx, *work.Position)
	case phaseGuests:
		return x.guests(ctx, *work.Position)
	case phaseVerify:
		return x.verify(ctx, *work.Position)
	}
	return x.follow(ctx, work)
}

// source names what is read; if it changes, the realm is read afresh.
func (x *Indexer) source() string {
	return fmt.Sprintf("%s/%s/%s", x.realm.Chain, x.realm.Contract.Hex(), x.realm.Struct)
}

// states reads the realm's word on each id at a block, a few reads at a time.
func (x *Indexer) states(ctx context.Context, at evm.Block, ids []uint64) (seen []pet.Observation, odd []uint64, err error) {
	parts := (len(ids) + readIDs - 1) / readIDs
	lists, odds := make([][]pet.Observation, parts), make([][]uint64, parts)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(reads)
	for i := range parts {
		part := ids[i*readIDs : min((i+1)*readIDs, len(ids))]
		group.Go(func() error {
			answers, err := x.chain.Read(ctx, at, x.realm.StateCalls(part))
			if err != nil {
				return err
			}
			lists[i], odds[i], err = x.realm.Observations(part, answers)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, nil, err
	}
	seen, odd = slices.Concat(lists...), slices.Concat(odds...)
	if len(odd) > 0 {
		x.metrics.odd.Add(float64(len(odd)))
		x.log.Warn("pets: answers that make no sense; they are asked for again", "pets", len(odd), "first", odd[0], "block", at.Number)
	}
	return seen, odd, nil
}

// write writes a step and counts what it did.
func (x *Indexer) write(ctx context.Context, b Batch) error {
	b.Realm, b.Realms = x.realm, x.realms
	b.Position.Source = x.source()
	out, err := x.book.WritePets(ctx, b)
	if err != nil {
		return err
	}
	x.metrics.changes.Add(float64(len(out.Changed)))
	x.metrics.drift.Add(float64(out.Drift))
	if out.Drift > 0 {
		x.log.Warn("pets: rows differed from the chain without any event's word; they are right again", "pets", out.Drift, "block", b.At.Number)
	}
	x.advance(b, out)
	return nil
}
