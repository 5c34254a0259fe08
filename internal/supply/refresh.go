package supply

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// Store is where a Refresher keeps what it publishes. *store.Store is one.
type LeaderStore interface {
	// Records returns the record of every token that was written after seq.
	Records(ctx context.Context, seq int64) ([]Record, error)
	// Ledgers returns the versions by which figures of the token were
	// published, oldest first.
	Ledgers(ctx context.Context, token string) ([]Ledger, error)
	// Save makes all changes at once or none, and only while this process
	// leads. It returns the sequence of the write.
	Save(ctx context.Context, changes []Change) (int64, error)
	// Releases returns the releases that were asked for and not yet decided.
	Releases(ctx context.Context) ([]Release, error)
}

// A Change is a token's new record, with what else is written beside it.
type Change struct {
	Record  Record
	Row     bool      // the snapshot is a row of history
	Ledger  *Ledger   // a version that was not published before
	Decided []Release // releases that are hereby granted or void
}

// stepLimit bounds one refresh, whatever the chains do.
const stepLimit = time.Minute

// A Refresher measures all tokens again and again and publishes what passes.
// Only the leader runs one; it alone uses its records.
type Refresher struct {
	tokens   []Token
	surveyor *Measurer
	store    LeaderStore
	board    *Board
	every    time.Duration
	agree    int
	log      *slog.Logger
	meter    *meter

	records map[string]Record
	ledgers map[string][]Ledger
}

// NewRefresher returns a refresher that measures every token each every.
func NewRefresher(tokens []Token, chains map[string]Chain, store LeaderStore, board *Board,
	every time.Duration, agree int, log *slog.Logger) *Refresher {
	return &Refresher{
		tokens: tokens, surveyor: NewMeasurer(tokens, chains), store: store, board: board,
		every: every, agree: agree, log: log, meter: newMeter(),
	}
}

// Run refreshes until ctx ends. A refresh that goes wrong is logged and
// counted; the next one comes at its time.
func (r *Refresher) Run(ctx context.Context) error {
	next, poll := time.NewTimer(0), time.NewTicker(releasePoll)
	defer next.Stop()
	defer poll.Stop()
	loaded := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-poll.C:
			if !loaded {
				continue
			}
			if err := r.takeReleases(ctx); err != nil && ctx.Err() == nil {
				r.log.Error("releases could not be taken", "error", err)
			}
			continue
		case <-next.C:
		}
		start := time.Now()
		err := error(nil)
		if !loaded {
			if err = r.Load(ctx); err == nil {
				loaded = true
			}
		}
		if err == nil {
			err = r.Step(ctx)
		}
		if err != nil && ctx.Err() == nil {
			r.log.Error("refresh", "error", err)
		}
		next.Reset(max(0, r.every-time.Since(start)))
	}
}

// Load takes up where the last leader stopped: it publishes the last good
// snapshots, and goes on with what was held.
func (r *Refresher) Load(ctx context.Context) error {
	records, err := r.store.Records(ctx, 0)
	if err != nil {
		return fmt.Errorf("loading published figures: %w", err)
	}
	r.records, r.ledgers = map[string]Record{}, map[string][]Ledger{}
	for _, rec := range records {
		r.records[rec.Token] = rec
	}
	var updates []Update
	for _, t := range r.tokens {
		if r.ledgers[t.Path], err = r.store.Ledgers(ctx, t.Path); err != nil {
			return fmt.Errorf("loading the ledgers of %s: %w", t.Path, err)
		}
		updates = append(updates, r.update(t.Path))
	}
	r.board.Set(updates...)
	return nil
}

func (r *Refresher) update(token string) Update {
	rec := r.records[token]
	return Update{Token: token, Seq: rec.Seq, Snapshot: rec.Snapshot, Hold: rec.Hold, Ledgers: r.ledgers[token]}
}

// Step measures every token once, judges, stores and publishes. Its error
// joins what went wrong; tokens that went well are published all the same.
func (r *Refresher) Step(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stepLimit)
	defer cancel()
	start := time.Now()
	defer func() { r.meter.duration.Observe(time.Since(start).Seconds()) }()
	if err := r.takeReleases(ctx); err != nil {
		return err
	}
	var changes []Change
	var faults []error
	outcomes := map[string]Outcome{}
	for _, m := range r.surveyor.Measure(ctx, start) {
		path, outcome := m.Token.Path, Failed
		next := r.records[path]
		if m.Err == nil {
			next, outcome, m.Err = r.records[path].Judge(m.Token, m.Snapshot, r.agree)
		} else if errors.Is(m.Err, ErrRejected) {
			outcome = Rejected
		}
		outcomes[path] = outcome
		if m.Err != nil {
			faults = append(faults, m.Err)
			doubted, changed := r.records[path].doubt()
			if next = doubted; outcome != Rejected || !changed {
				continue
			}
		}
		changes = append(changes, r.change(m.Token, next))
	}
	if err := r.save(ctx, changes); err != nil {
		for path, outcome := range outcomes {
			if outcome != Rejected {
				outcomes[path] = Failed
			}
		}
		faults = append(faults, err)
	}
	r.meter.count(outcomes)
	return errors.Join(faults...)
}

// change prepares the write that goes from a token's present record to next.
func (r *Refresher) change(t *Token, next Record) Change {
	next.Token = t.Path
	c := Change{Record: next, Row: r.records[t.Path].changed(next)}
	if next.Snapshot == nil {
		return c
	}
	for _, v := range r.ledgers[t.Path] {
		if v.Hash == next.Snapshot.LedgerHash {
			return c
		}
	}
	if v := t.Version(); v.Hash == next.Snapshot.LedgerHash {
		v.Since = &next.Snapshot.AsOf
		c.Ledger = &v
	}
	return c
}

// save stores the changes, and then, only then, publishes them.
func (r *Refresher) save(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	seq, err := r.store.Save(ctx, changes)
	if err != nil {
		return fmt.Errorf("storing figures: %w", err)
	}
	var updates []Update
	for _, c := range changes {
		r.tell(r.records[c.Record.Token], c.Record)
		c.Record.Seq = seq
		r.records[c.Record.Token] = c.Record
		if c.Ledger != nil {
			r.ledgers[c.Record.Token] = append(slices.Clip(r.ledgers[c.Record.Token]), *c.Ledger) // the board keeps the old list
		}
		updates = append(updates, r.update(c.Record.Token))
	}
	r.board.Set(updates...)
	return nil
}

// tell logs what an operator wants to know of a change.
func (r *Refresher) tell(old, now Record) {
	switch {
	case now.Hold != nil && (old.Hold == nil || old.Hold.Candidate != now.Hold.Candidate):
		r.log.Warn("figure held", "token", now.Token, "reason", now.Hold.Reason, "candidate", now.Hold.Candidate.ID)
	case old.Hold != nil && now.Hold == nil:
		r.log.Info("hold ended", "token", now.Token, "snapshot", now.Snapshot.ID, "total", now.Snapshot.Total.String())
	case old.Snapshot == nil && now.Snapshot != nil:
		r.log.Info("first figure", "token", now.Token, "snapshot", now.Snapshot.ID, "total", now.Snapshot.Total.String())
	}
}
