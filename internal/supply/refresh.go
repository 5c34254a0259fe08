package supply

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

const (
	// readLimit bounds each part of a measurement: choosing blocks, choosing them
	// again for bridges, and reading. All chains have it side by side, so that a slow
	// one takes no time from the others.
	readLimit = 20 * time.Second
	// storeLimit bounds what a step does with the store.
	storeLimit = 20 * time.Second
	// decisionPoll is how soon an operator's decision takes effect.
	decisionPoll = time.Second
)

// A Refresher measures all tokens again and again and publishes what passes.
// Only the leader runs one; it alone uses its records.
type Refresher struct {
	*recordWriter
	measurer *Measurer
	every    time.Duration
	rules    Rules
	metrics  *refreshMetrics

	// Proofs proves what is published. Set it before Run; nil: nothing is proven.
	Proofs *Prover
	// Now is our clock, by which measurements are dated. Set it before Run; nil:
	// time.Now.
	Now func() time.Time
}

// NewRefresher returns a refresher that measures every token each every.
func NewRefresher(tokens []ledger.Token, chains map[string]Chain, store leaderStore, board *Board,
	every time.Duration, rules Rules, log *slog.Logger) *Refresher {
	return &Refresher{
		recordWriter: &recordWriter{tokens: tokens, store: store, board: board, log: log},
		measurer:     NewMeasurer(tokens, chains), every: every, rules: rules, metrics: newRefreshMetrics(),
	}
}

// Run refreshes until ctx ends. A refresh that goes wrong is logged and
// counted; the next one comes at its time.
func (r *Refresher) Run(ctx context.Context) error {
	next, poll := time.NewTimer(0), time.NewTicker(decisionPoll)
	defer next.Stop()
	defer poll.Stop()
	r.loaded = false // another process may have led since
	var lastError string
	var logged time.Time
	for {
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-poll.C:
			err = r.applyDecisions(ctx)
		case <-next.C:
			start := time.Now()
			err = r.Step(ctx)
			next.Reset(max(0, r.every-time.Since(start)))
		}
		if err == nil || ctx.Err() != nil {
			continue
		}
		// The store is asked for decisions each second, and may be away for hours.
		if text := err.Error(); text != lastError || time.Since(logged) >= time.Minute {
			lastError, logged = text, time.Now()
			r.log.Error("refreshing supply figures", "error", err)
		}
	}
}

// Step measures every token once, judges, stores and publishes. Its error
// joins what went wrong; tokens that went well are published all the same.
func (r *Refresher) Step(ctx context.Context) error {
	start := time.Now()
	defer func() { r.metrics.duration.Observe(time.Since(start).Seconds()) }()
	if err := r.applyDecisions(ctx); err != nil {
		return err
	}
	var changes []Change
	var faults []error
	outcomes := map[string]outcome{}
	for _, m := range r.measurer.Measure(ctx, clock(r.Now)) {
		next, outcome, err := r.judge(ctx, m)
		if err != nil {
			faults = append(faults, err)
		}
		if next != nil {
			c := r.change(m.Token, *next)
			c.released = outcome == outcomeReleased
			changes = append(changes, c)
		}
		outcomes[m.Token.Path] = outcome
	}
	if err := r.save(ctx, changes); err != nil {
		for path, outcome := range outcomes {
			if outcome != outcomeRejected {
				outcomes[path] = outcomeFailed
			}
		}
		faults = append(faults, err)
		changes = nil
	}
	for token, outcome := range outcomes {
		r.metrics.count(token, outcome)
	}
	r.prove(ctx, changes)
	return errors.Join(faults...)
}

// prove keeps the proofs of what was published, and gathers those of what is
// held: they are there when it is released.
func (r *Refresher) prove(ctx context.Context, changes []Change) {
	for _, c := range changes {
		if c.Publishes {
			r.Proofs.Keep(ctx, c.Record.Snapshot)
		}
		if hold := c.Record.Hold; hold != nil {
			r.Proofs.Remember(ctx, hold.Candidate)
		}
	}
}

// judge says what becomes of one measurement, and the record to be written; nil
// if it stays as it is.
func (r *Refresher) judge(ctx context.Context, m Result) (*Record, outcome, error) {
	record := r.records[m.Token.Path]
	if m.Err == nil {
		next, outcome, err := record.Judge(m.Token, m.Snapshot, r.rules)
		if err == nil {
			err = r.Proofs.Demand(ctx, m.Snapshot)
		}
		if err == nil {
			next.Rejected = nil
			return &next, outcome, nil
		}
		m.Err = err
	}
	rejected := errors.Is(m.Err, ErrRejected)
	if !rejected && !errors.Is(m.Err, evm.ErrDisagree) {
		return nil, outcomeFailed, m.Err
	}
	outcome := outcomeFailed
	next, changed := record.resetConfirmations()
	if rejected {
		outcome = outcomeRejected
		var news bool
		next, news = next.reject(m.Err, clock(r.Now).UTC().Round(0))
		changed = changed || news
	}
	if changed {
		return &next, outcome, m.Err
	}
	return nil, outcome, m.Err
}

// applyDecisions takes up what operators decided since the last time.
func (r *Refresher) applyDecisions(ctx context.Context) error {
	taken, err := r.takeDecisions(ctx)
	for _, d := range taken {
		r.log.Info("decision taken up", "kind", d.Kind, "token", d.Token, "subject", d.Subject,
			"granted", d.Granted, "reason", d.Reason)
		if d.Kind == Release && d.Granted {
			r.metrics.count(d.Token, outcomeReleased)
			r.Proofs.Keep(ctx, r.records[d.Token].Snapshot)
		}
	}
	return err
}
