package supply

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
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
	tokens     []ledger.Token
	chains     map[string]Chain
	store      leaderStore
	rules      Rules
	log        *slog.Logger
	judgements *prometheus.CounterVec
	duration   prometheus.Histogram

	// Set these before Run.

	Proofs    *Prover                     // proves the published figures; nil means that nothing is proven
	Published func(context.Context) error // called after each write; may be nil
	Now       func() time.Time            // our clock, which gives measurements their time; nil means time.Now

	records map[string]Record // as stored; nil means that they must be loaded before any write
	proven  map[string]bool   // by id: whether the proof of a published or held snapshot is stored
}

// NewRefresher returns a refresher.
func NewRefresher(tokens []ledger.Token, chains map[string]Chain, store leaderStore, rules Rules,
	log *slog.Logger) *Refresher {
	return &Refresher{tokens: tokens, chains: chains, store: store, rules: rules, log: log,
		judgements: newJudgements(), duration: newDuration()}
}

// Run refreshes until ctx ends. A refresh that fails is logged and counted. The next one comes at
// its usual time.
func (r *Refresher) Run(ctx context.Context) error {
	next := time.NewTimer(0)
	poll := time.NewTicker(decisionPoll)
	defer next.Stop()
	defer poll.Stop()
	r.records = nil // another process may have led since the last Run
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
			next.Reset(max(0, r.rules.Every-time.Since(start)))
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

// Step applies the decisions of operators. Then it measures every token once, and judges, proves,
// stores and publishes the results. A token that fails does not stop the others. If the store fails,
// the results are not published. The error joins all failures.
func (r *Refresher) Step(ctx context.Context) error {
	start := time.Now()
	defer func() { r.duration.Observe(time.Since(start).Seconds()) }()
	if err := r.applyDecisions(ctx); err != nil {
		return err
	}
	var changes []Change
	var faults []error
	for _, m := range Measure(ctx, r.tokens, r.chains, clock(r.Now)) {
		c, err := r.judge(ctx, m)
		changes = append(changes, c)
		faults = append(faults, err)
	}
	err := r.save(ctx, changes)
	for _, c := range changes {
		if err != nil && c.judgement != judgedRejected {
			c.judgement = judgedFailed
		}
		r.judgements.WithLabelValues(c.Record.Token, string(c.judgement)).Inc()
	}
	if err == nil {
		r.prove(ctx, changes)
	}
	return errors.Join(append(faults, err)...)
}

// judge returns the change after one measurement, and why the measurement failed if it did. A new
// figure that lacks a required proof is rejected.
func (r *Refresher) judge(ctx context.Context, m Result) (Change, error) {
	record := r.records[m.Token.Path]
	var next Record
	var became judgement
	var proven *proof.Document
	err := m.Err
	if err == nil {
		next, became, err = record.Judge(m.Token, m.Snapshot, r.rules)
	}
	if s := record.brings(next); err == nil && s != nil {
		proven, err = r.Proofs.RequireProof(ctx, s)
	}
	next.Failed = nil
	if err != nil {
		next = record.fail(err, clock(r.Now).UTC().Round(0))
		became = judgedFailed
	}
	if errors.Is(err, ErrRejected) {
		became = judgedRejected
	}
	c := r.change(m.Token, next)
	c.judgement = became
	c.proof = proven
	return c, err
}

// prove stores the proofs of the figures that are published or held now, unless they are stored. So
// a proof that could not be stored, or that an end of the process prevented, is made by a later step.
func (r *Refresher) prove(ctx context.Context, changes []Change) {
	if r.Proofs == nil {
		return
	}
	proven := map[string]bool{}
	for _, c := range changes {
		for _, s := range c.Record.snapshots() {
			var d *proof.Document
			if c.proof != nil && c.proof.Snapshot == s.ID {
				d = c.proof
			}
			proven[s.ID] = r.proven[s.ID] || r.Proofs.StoreProof(ctx, s, d)
		}
	}
	r.proven = proven
}
