package supply

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"petsupply/internal/supply/ledger"
)

// leaderStore is the store that the leader's Refresher uses. *store.Store implements it.
type leaderStore interface {
	recordStore
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
	was       Record          // the previous record
	limits    limits          // of the token
}

// A recordWriter stores the records of measured tokens. It sets the board only after the records
// are stored.
type recordWriter struct {
	tokens []ledger.Token
	store  leaderStore
	board  *Board
	log    *slog.Logger

	loaded  bool              // false: read the stored records before any write
	records map[string]Record // as stored
	ledgers map[string][]ledger.Version
}

// Load continues where the last leader stopped. It publishes the last good snapshots and takes over
// the holds.
func (w *recordWriter) Load(ctx context.Context) error {
	w.records = map[string]Record{}
	w.ledgers = map[string][]ledger.Version{}
	updates, err := readUpdates(ctx, w.store, 0, w.ledgers)
	if err != nil {
		return err
	}
	for _, u := range updates {
		w.records[u.Token] = u.Record
	}
	w.board.Set(updates...)
	w.loaded = true
	return nil
}

// change returns the Change that replaces the token's record with next.
func (w *recordWriter) change(t *ledger.Token, next Record) Change {
	next.Token = t.Path
	c := Change{Record: next, Publishes: w.records[t.Path].publishes(next), was: w.records[t.Path],
		limits: limitsOf(t)}
	if s := next.Snapshot; s != nil && !hasVersion(w.ledgers[t.Path], s.LedgerHash) {
		v := t.CurrentLedger()
		if v.Hash != s.LedgerHash { // a held figure was released after its ledger was replaced
			v = s.Evidence.token().CurrentLedger()
		}
		if v.Hash == s.LedgerHash {
			v.Since = &s.MeasuredAt
			c.Ledger = &v
		}
	}
	return c
}

// save stores the changes and then publishes them. After an error it is unknown whether they are
// stored, because the store's answer may have been lost.
func (w *recordWriter) save(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	seq, err := w.store.Save(ctx, changes)
	if err != nil {
		w.loaded = false
		return fmt.Errorf("storing figures: %w", err)
	}
	var updates []Update
	for _, c := range changes {
		token := c.Record.Token
		w.logChange(w.records[token], c)
		c.Record.Seq = seq
		w.records[token] = c.Record
		if c.Ledger != nil {
			w.ledgers[token] = append(slices.Clip(w.ledgers[token]), *c.Ledger) // readers may still use the old list
		}
		updates = append(updates, Update{Record: c.Record, Ledgers: w.ledgers[token]})
	}
	w.board.Set(updates...)
	return nil
}

// takeDecisions grants or refuses the open decisions of operators about configured tokens. It
// stores and publishes the changed records, and then returns these decisions. Each refresh begins
// with it, so it loads the records if necessary.
func (w *recordWriter) takeDecisions(ctx context.Context) ([]Decision, error) {
	limited, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	if !w.loaded {
		if err := w.Load(limited); err != nil {
			return nil, err
		}
	}
	open, err := w.store.OpenDecisions(limited)
	if err != nil || len(open) == 0 {
		return nil, err
	}
	var changes []Change
	var taken []Decision
	for i := range w.tokens {
		t := &w.tokens[i]
		next := w.records[t.Path]
		var decided []Decision
		for _, d := range open {
			if d.Token == t.Path {
				next, d.Granted = next.Decide(d)
				decided = append(decided, d)
			}
		}
		if len(decided) > 0 {
			c := w.change(t, next)
			c.Decided = decided
			changes = append(changes, c)
			taken = append(taken, decided...)
		}
	}
	if err := w.save(ctx, changes); err != nil {
		return nil, err
	}
	return taken, nil
}

// logChange logs the parts of a change that matter to an operator.
func (w *recordWriter) logChange(old Record, c Change) {
	now := c.Record
	switch {
	case now.Hold != nil && (old.Hold == nil || old.Hold.Candidate != now.Hold.Candidate):
		w.log.Warn("figure held", "token", now.Token, "reason", now.Hold.Reason, "candidate", now.Hold.Candidate.ID,
			"command", "petsupply release "+now.Token+" --reason WHY")
	case old.Hold != nil && now.Hold == nil:
		w.log.Info("hold ended", "token", now.Token, "how", c.ending(), "snapshot", now.Snapshot.ID, "total",
			now.Snapshot.Total.String())
	case old.Snapshot == nil && now.Snapshot != nil:
		w.logFirst(now.Snapshot)
	}
}

// logFirst logs the first figure of a token, which could not be compared with a stored one.
func (w *recordWriter) logFirst(s *Snapshot) {
	w.log.Warn("first figure of a token: nothing to compare it with, so check its entries", "token", s.Token,
		"snapshot", s.ID, "total", s.Total.String(), "circulating", s.Circulating.String())
	for _, x := range s.Evidence.Entries {
		w.log.Info("entry of the first figure", "token", s.Token, "label", x.Entry.Label, "bucket", x.Entry.Bucket,
			"chain", x.Entry.Chain, "amount", x.Amount.String(), "counted", x.Counted)
	}
}
