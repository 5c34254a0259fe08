package index

import (
	"context"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/evm"
)

// Run calls Step until ctx ends. After a fault, which it logs, it tries again after a growing
// pause. The pause stays short if a block was removed, or if the nodes lack a block that they may
// be about to receive.
func (x *Indexer) Run(ctx context.Context) error {
	faults := 0
	x.setProgress(func(p *Progress) { p.Moved = time.Now() })
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
			longest := 30 * time.Second
			if errors.Is(err, evm.ErrAbsent) || errors.Is(err, evm.ErrReorg) {
				longest = 2 * x.Poll
			}
			wait = min(x.Poll<<min(faults-1, 5), longest)
			x.log.Warn("pets: a step of the indexer failed", "error", err, "again_in", wait)
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

// Step does one bounded piece of work and writes it in one transaction. It returns ErrCaughtUp if
// there is no more to do, ErrReorg if it undid blocks, and nil if it should be called again at
// once.
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
	x.setProgress(func(p *Progress) {
		if p.Fault = fault; fault == nil && !errors.Is(err, errLagging) {
			p.Moved = time.Now()
		}
	})
	return err
}

func (x *Indexer) step(ctx context.Context) error {
	work, err := x.store.PetWork(ctx, x.realm.Key, strayIDs)
	if err != nil {
		return err
	}
	x.metrics.aside.Set(float64(work.Aside))
	x.setProgress(func(p *Progress) {
		if p.Aside = work.Aside; p.Aside == 0 {
			p.Unfit = nil
		}
	})
	if p := work.Position; p != nil && p.Fields != x.fields() {
		again := *p
		again.Reread = new(uint64)
		work.Position = &again
	}
	batch, outcome := x.work(ctx, work)
	if batch != nil {
		batch.Quiet = work.Position.rereading()
		batch.Announce = batch.Quiet && !batch.Position.rereading()
		if err := x.write(ctx, *batch); err != nil {
			return err
		}
	}
	return outcome
}

// work does the next piece of work. It returns the batch to write, or nil, and the error that
// Step returns after the batch was written.
func (x *Indexer) work(ctx context.Context, w Work) (*Batch, error) {
	p := w.Position
	switch {
	case p == nil:
		return x.start(ctx, x.beginning())
	case w.Reindex || p.Source != x.source():
		p := x.beginning()
		p.Afresh = true
		b, err := x.start(ctx, p)
		if b != nil {
			b.Reindexed = true
		}
		return b, err
	case p.Phase == phaseNatives:
		return x.natives(ctx, *p)
	case p.Phase == phaseGuests:
		return x.guests(ctx, *p)
	case p.Phase == phaseAway:
		return x.away(ctx, *p)
	case p.Phase == phaseVerify:
		return x.verify(ctx, *p)
	}
	return x.follow(ctx, w)
}

// beginning returns the position of a realm that was never read. Guests are pets whose ids the
// realm does not count, such as those of other realms. They are looked for if the realm has a
// start_block, or if its pets cannot be counted.
func (x *Indexer) beginning() Position {
	return Position{Guests: !x.counted() || x.realm.StartBlock > 0, Events: x.realm.StartBlock}
}

// counted reports whether the realm's contract returns the highest or next id of its own pets.
func (x *Indexer) counted() bool {
	_, ok := x.kingdom.CountCall(x.realm)
	return ok
}

// write writes a step and counts it.
func (x *Indexer) write(ctx context.Context, b Batch) error {
	b.Realm, b.Kingdom = x.realm, x.kingdom
	b.Position.Source, b.Position.Fields = x.source(), x.fields()
	out, err := x.store.WritePets(ctx, b)
	if err != nil {
		return err
	}
	if out.Drift > 0 {
		x.log.Warn("pets: rows differed from the chain without an event; they were corrected", "pets", out.Drift,
			"block", b.At.Number)
	}
	x.count(b, out)
	return nil
}
