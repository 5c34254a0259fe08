package supply

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"petsupply/internal/supply/ledger"
)

const (
	// readLimit limits each part of a measurement: choosing blocks, choosing them again for
	// bridges, and reading. All chains are read in parallel, so a slow chain takes no time from the
	// others.
	readLimit = 20 * time.Second
	// storeLimit limits the time that a step spends with the store.
	storeLimit = 20 * time.Second
	// decisionPoll is the interval at which the leader looks for decisions of operators.
	decisionPoll = time.Second
)

// A Refresher measures all tokens again and again, and publishes the figures that are neither held
// nor rejected. Only the leader runs one.
type Refresher struct {
	*recordWriter
	measurer *Measurer
	every    time.Duration
	rules    Rules
	metrics  *refreshMetrics

	// Proofs proves the published figures. Set it before Run. nil means that nothing is proven.
	Proofs *Prover
	// Now is our clock, which gives measurements their time. Set it before Run. nil means time.Now.
	Now func() time.Time
}

// NewRefresher returns a refresher. every is the interval between two measurements of a token.
func NewRefresher(tokens []ledger.Token, chains map[string]Chain, store leaderStore, board *Board,
	every time.Duration, rules Rules, log *slog.Logger) *Refresher {
	return &Refresher{
		recordWriter: &recordWriter{tokens: tokens, store: store, board: board, log: log},
		measurer:     NewMeasurer(tokens, chains), every: every, rules: rules, metrics: newRefreshMetrics(),
	}
}

// Run refreshes until ctx ends. A refresh that fails is logged and counted. The next one comes at
// its usual time.
func (r *Refresher) Run(ctx context.Context) error {
	next := time.NewTimer(0)
	poll := time.NewTicker(decisionPoll)
	defer next.Stop()
	defer poll.Stop()
	r.loaded = false // another process may have led since the last Run
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
		// The store is read every second and may be unreachable for hours, so the same error is
		// logged once a minute.
		if text := err.Error(); text != lastError || time.Since(logged) >= time.Minute {
			lastError = text
			logged = time.Now()
			r.log.Error("refreshing supply figures failed", "error", err)
		}
	}
}

// Step applies the decisions of operators. Then it measures every token once, and judges, stores
// and publishes the results. A token that fails does not stop the others. If the store fails, the
// results are not published. The error joins all failures.
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
		changes = append(changes, r.change(m.Token, next))
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

// prove stores the proofs of figures that are published or held now, and removes those of held
// figures that were dropped.
func (r *Refresher) prove(ctx context.Context, changes []Change) {
	for _, c := range changes {
		if s := c.was.brings(c.Record); s != nil {
			r.Proofs.StoreProof(ctx, s)
		}
		if h := c.was.Hold; h != nil && !c.Record.has(h.Candidate) {
			r.Proofs.DropProof(ctx, h.Candidate)
		}
	}
}

// judge returns the record after one measurement, its outcome, and why it failed if it did.
func (r *Refresher) judge(ctx context.Context, m Result) (Record, outcome, error) {
	record := r.records[m.Token.Path]
	var next Record
	var outcome outcome
	err := m.Err
	if err == nil {
		next, outcome, err = record.Judge(m.Token, m.Snapshot, r.rules)
	}
	if s := record.brings(next); err == nil && s != nil {
		err = r.Proofs.RequireProof(ctx, s)
	}
	if err == nil {
		next.Failed = nil
		return next, outcome, nil
	}
	outcome = outcomeFailed
	if errors.Is(err, ErrRejected) {
		outcome = outcomeRejected
	}
	return record.fail(err, clock(r.Now).UTC().Round(0)), outcome, err
}

// applyDecisions carries out the operators' decisions since the last call.
func (r *Refresher) applyDecisions(ctx context.Context) error {
	taken, err := r.takeDecisions(ctx)
	for _, d := range taken {
		r.log.Info("decision handled", "kind", d.Kind, "token", d.Token, "subject", d.Subject,
			"granted", d.Granted, "reason", d.Reason)
		if d.releases() {
			r.metrics.count(d.Token, outcomeReleased)
			r.Proofs.StoreProof(ctx, r.records[d.Token].Snapshot)
		}
	}
	return err
}
