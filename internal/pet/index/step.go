package index

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Run steps until ctx ends. A fault is logged and tried again, a little later
// each time; it never ends the loop.
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
	x.setProgress(func(p *Progress) {
		if p.Fault = fault; fault == nil && !errors.Is(err, errLagging) {
			p.Moved = time.Now()
		}
	})
	return err
}

func (x *Indexer) step(ctx context.Context) error {
	work, err := x.store.PetWork(ctx, x.realm.Key, wantedIDs)
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

// work does what comes next, and returns what is to be written of it, nil if
// nothing is, and the step's outcome once it is written.
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

// beginning is the position of a realm that nothing is known of. Where events are
// to be searched from is known of one with a start_block; where pets cannot be
// counted there is no other way.
func (x *Indexer) beginning() Position {
	return Position{ByEvent: !x.counted() || x.realm.StartBlock > 0, Events: x.realm.StartBlock}
}

// counted reports whether the realm's contract says how far its own ids go.
func (x *Indexer) counted() bool {
	_, ok := x.kingdom.CountCall(x.realm)
	return ok
}

// write writes a step and counts what it did.
func (x *Indexer) write(ctx context.Context, b Batch) error {
	b.Realm, b.Kingdom = x.realm, x.kingdom
	b.Position.Source, b.Position.Fields = x.source(), x.fields()
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
