package supply

import (
	"context"
	"fmt"
	"slices"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
)

// leaderStore is the store that the leader's Refresher uses. *store.Store implements it.
type leaderStore interface {
	// Records returns the records of all tokens, with their ledgers.
	Records(ctx context.Context) ([]Record, error)
	// Save makes all changes or none. It returns the sequence number of the write. Only the leader
	// may call it.
	Save(ctx context.Context, changes []Change) (int64, error)
	// OpenDecisions returns the decisions that no leader has handled yet, oldest first.
	OpenDecisions(ctx context.Context) ([]Decision, error)
}

// A Change is a token's new record, with everything else that is written with it.
type Change struct {
	Record    Record
	Publishes bool            // the snapshot is published, and becomes a row of the history
	Ledger    *ledger.Version // the snapshot's ledger version if it was never published before; else nil
	Decided   []Decision      // decisions that the leader handled, granted or not
	Dropped   string          // id of a figure that was held and is not published; its proof goes. "" for none

	was       Record          // the previous record
	limits    limits          // of the token
	judgement judgement       // of the measurement; "" if there was none
	proof     *proof.Document // of the new snapshot, if it is made already
}

// change returns the Change that replaces the token's record with next.
func (r *Refresher) change(t *ledger.Token, next Record) Change {
	was := r.records[t.Path]
	next.Token = t.Path
	c := Change{Publishes: was.publishes(next), was: was, limits: limitsOf(t)}
	if h := was.Hold; h != nil && !next.has(h.Candidate) {
		c.Dropped = h.Candidate.ID
	}
	s := next.Snapshot
	known := func(v ledger.Version) bool { return v.Hash == s.LedgerHash }
	if s != nil && !slices.ContainsFunc(next.Ledgers, known) {
		v := t.CurrentLedger()
		if v.Hash != s.LedgerHash { // a held figure was released after its ledger was replaced
			v = s.Evidence.token().CurrentLedger()
		}
		v.Since = &s.MeasuredAt
		c.Ledger = &v
		next.Ledgers = append(slices.Clip(next.Ledgers), v)
	}
	c.Record = next
	return c
}

// load reads the stored records, unless they are known. So a leader continues where the last one
// stopped.
func (r *Refresher) load(ctx context.Context) error {
	if r.records != nil {
		return nil
	}
	list, err := r.store.Records(ctx)
	if err != nil {
		return fmt.Errorf("loading the records: %w", err)
	}
	r.records = map[string]Record{}
	for _, record := range list {
		r.records[record.Token] = record
	}
	return nil
}

// save stores the changes and then publishes them. After an error it is unknown whether they are
// stored, because the store's answer may have been lost. Then the records are loaded again.
func (r *Refresher) save(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	seq, err := r.store.Save(limited, changes)
	if err != nil {
		r.records = nil
		return fmt.Errorf("storing figures: %w", err)
	}
	for _, c := range changes {
		r.logChange(c)
		c.Record.Seq = seq
		r.records[c.Record.Token] = c.Record
	}
	if r.Published == nil {
		return nil
	}
	if err := r.Published(ctx); err != nil {
		r.log.Warn("the figures are stored, but not published yet", "error", err)
	}
	return nil
}

// applyDecisions grants or refuses the open decisions of operators about configured tokens. Each
// refresh begins with it.
func (r *Refresher) applyDecisions(ctx context.Context) error {
	limited, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	if err := r.load(limited); err != nil {
		return err
	}
	open, err := r.store.OpenDecisions(limited)
	if err != nil {
		return fmt.Errorf("loading the decisions: %w", err)
	}
	var changes []Change
	for i := range r.tokens {
		t := &r.tokens[i]
		next := r.records[t.Path]
		var decided []Decision
		for _, d := range open {
			if d.Token == t.Path {
				next, d.Granted = next.Decide(d)
				decided = append(decided, d)
			}
		}
		if len(decided) > 0 {
			c := r.change(t, next)
			c.Decided = decided
			changes = append(changes, c)
		}
	}
	if err := r.save(ctx, changes); err != nil {
		return err
	}
	for _, c := range changes {
		for _, d := range c.Decided {
			r.log.Info("decision handled", "kind", d.Kind, "token", d.Token, "subject", d.Subject,
				"granted", d.Granted, "reason", d.Reason)
			if d.releases() {
				r.judgements.WithLabelValues(d.Token, string(judgedReleased)).Inc()
			}
		}
	}
	return nil
}

// logChange logs the parts of a change that matter to an operator.
func (r *Refresher) logChange(c Change) {
	old := c.was
	now := c.Record
	switch {
	case now.Hold != nil && (old.Hold == nil || old.Hold.Candidate != now.Hold.Candidate):
		r.log.Warn("figure held", "token", now.Token, "reason", now.Hold.Reason, "candidate", now.Hold.Candidate.ID,
			"command", "petsupply release "+now.Token+" --reason WHY")
	case old.Hold != nil && now.Hold == nil:
		r.log.Info("hold ended", "token", now.Token, "how", c.ending(), "snapshot", now.Snapshot.ID, "total",
			now.Snapshot.Total.String())
	case old.Snapshot == nil && now.Snapshot != nil:
		r.log.Warn("first figure of a token: nothing to compare it with, so check its entries", "token", now.Token,
			"total", now.Snapshot.Total.String(), "circulating", now.Snapshot.Circulating.String(),
			"command", "petsupply measure "+now.Token)
	}
}
