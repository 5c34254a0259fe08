package supply

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"petsupply/internal/supply/ledger"
)

// LeaderStore is what the leader's Refresher reads and writes, and nobody else
// does: followers have a RecordReader, a backfill has a HistoryStore.
// *store.Store is one.
type LeaderStore interface {
	// Records returns the record of every token that was written after seq.
	Records(ctx context.Context, seq int64) ([]Record, error)
	// Ledgers returns the versions by which figures of the token were
	// published, oldest first.
	Ledgers(ctx context.Context, token string) ([]ledger.Version, error)
	// Save makes all changes at once or none, and only while this process
	// leads. It returns the sequence of the write.
	Save(ctx context.Context, changes []Change) (int64, error)
	// Releases returns the releases that were asked for and not yet decided.
	Releases(ctx context.Context) ([]Release, error)
}

// A Change is a token's new record, with what else is written beside it.
type Change struct {
	Record  Record
	Row     bool            // the snapshot is published hereby, and a row of history
	Ledger  *ledger.Version // a version that was not published before
	Decided []Release       // releases that are hereby granted or void
	was     Record          // the one before
}

// An Accept is what an operator lets the next figure change beyond the rules,
// because a chain or a contract was replaced.
type Accept string

// told says whether it only tells of something, and lets nothing through.
func (a Accept) told() bool { return a == AcceptCorrection || a == AcceptCopy }

const (
	AcceptHeights  Accept = "heights"  // blocks may be lower or earlier than those published
	AcceptDecimals Accept = "decimals" // contracts may have other decimals
	// AcceptCorrection is said of what was published already: it was wrong.
	AcceptCorrection Accept = "correction"
	// AcceptCopy is said of a frozen copy: this is its root, and its provenance.
	AcceptCopy Accept = "copy"
)

// A Correction says why a figure that was published was wrong. Nothing of it is
// taken away.
type Correction struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// A Release is an operator's word that a held figure is right, or that something
// else may change.
type Release struct {
	ID        string    `json:"id"`
	Token     string    `json:"token"`
	Candidate string    `json:"candidate"`        // the id of the snapshot that was seen, or is corrected; of a copy its root
	Accept    Accept    `json:"accept,omitempty"` // "": the candidate is released
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"`
	Granted   bool      `json:"granted"` // false: another figure was held by then
}

// A recordWriter stores the records of measured tokens and then, only then, sets
// the board.
type recordWriter struct {
	tokens []ledger.Token
	store  LeaderStore
	board  *Board
	log    *slog.Logger

	loaded  bool              // false: what is stored is not known, so it is read before anything is written
	records map[string]Record // as stored
	ledgers map[string][]ledger.Version
}

// Load takes up where the last leader stopped: it publishes the last good
// snapshots, and goes on with what was held.
func (w *recordWriter) Load(ctx context.Context) error {
	records, err := w.store.Records(ctx, 0)
	if err != nil {
		return fmt.Errorf("loading published figures: %w", err)
	}
	w.records, w.ledgers = map[string]Record{}, map[string][]ledger.Version{}
	for _, rec := range records {
		w.records[rec.Token] = rec
	}
	var updates []Update
	for _, t := range w.tokens {
		if w.ledgers[t.Path], err = w.store.Ledgers(ctx, t.Path); err != nil {
			return fmt.Errorf("loading the ledgers of %s: %w", t.Path, err)
		}
		rec := w.records[t.Path]
		rec.Token = t.Path
		updates = append(updates, Update{Record: rec, Ledgers: w.ledgers[t.Path]})
	}
	w.board.Set(updates...)
	w.loaded = true
	return nil
}

// change prepares the write that goes from a token's present record to next.
func (w *recordWriter) change(t *ledger.Token, next Record) Change {
	next.Token = t.Path
	c := Change{Record: next, Row: w.records[t.Path].publishes(next), was: w.records[t.Path]}
	if s := next.Snapshot; s != nil && ledger.IndexVersion(w.ledgers[t.Path], s.LedgerHash) < 0 {
		v := t.CurrentLedger()
		if v.Hash != s.LedgerHash { // held by a ledger that is no longer configured, and released
			v = s.Evidence.token().CurrentLedger()
		}
		if v.Hash == s.LedgerHash {
			v.Since = &s.MeasuredAt
			c.Ledger = &v
		}
	}
	return c
}

// save stores the changes and then publishes them. After an error they may be
// stored or not: an answer can be lost on its way.
func (w *recordWriter) save(ctx context.Context, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	seq, err := w.store.Save(ctx, changes)
	if err != nil {
		w.loaded = false
		return fmt.Errorf("storing figures: %w", err)
	}
	var updates []Update
	for _, c := range changes {
		token := c.Record.Token
		w.logChange(w.records[token], c.Record)
		c.Record.Seq = seq
		w.records[token] = c.Record
		if c.Ledger != nil {
			w.ledgers[token] = append(slices.Clip(w.ledgers[token]), *c.Ledger) // the board keeps the old list
		}
		updates = append(updates, Update{Record: c.Record, Ledgers: w.ledgers[token]})
	}
	w.board.Set(updates...)
	return nil
}

// decideReleases grants or voids what operators released since the last time,
// publishes what was granted, and returns the decisions once they are stored.
// It comes before every other step, so it reads what is stored if need be.
func (w *recordWriter) decideReleases(ctx context.Context) ([]Release, error) {
	if !w.loaded {
		if err := w.Load(ctx); err != nil {
			return nil, err
		}
	}
	asked, err := w.store.Releases(ctx)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	var changes []Change
	var all []Release
	for i := range w.tokens {
		t := &w.tokens[i]
		next := w.records[t.Path]
		var decided []Release
		for _, a := range asked {
			if a.Token == t.Path {
				next, a.Granted = next.Release(a)
				decided = append(decided, a)
			}
		}
		if len(decided) > 0 {
			c := w.change(t, next)
			c.Decided = decided
			changes, all = append(changes, c), append(all, decided...)
		}
	}
	if err := w.save(ctx, changes); err != nil {
		return nil, err
	}
	return all, nil
}

// logChange logs what an operator wants to know of a change.
func (w *recordWriter) logChange(old, now Record) {
	if n := len(now.Used); n > len(old.Used) {
		e := now.Used[n-1]
		w.log.Info("expected event used", "token", now.Token, "change", e.Change.String(), "reason", e.Reason, "snapshot", e.Snapshot)
	}
	switch {
	case now.Hold != nil && (old.Hold == nil || old.Hold.Candidate != now.Hold.Candidate):
		w.log.Warn("figure held", "token", now.Token, "reason", now.Hold.Reason, "candidate", now.Hold.Candidate.ID)
	case old.Hold != nil && now.Hold == nil:
		w.log.Info("hold ended", "token", now.Token, "snapshot", now.Snapshot.ID, "total", now.Snapshot.Total.String())
	case old.Snapshot == nil && now.Snapshot != nil:
		w.logFirst(now.Snapshot)
	}
}

// logFirst shows the operator the first figure of a token, which nothing stored
// could be compared with.
func (w *recordWriter) logFirst(s *Snapshot) {
	w.log.Warn("first figure of an empty store: it was compared with nothing, check its entries", "token", s.Token,
		"snapshot", s.ID, "total", s.Total.String(), "circulating", s.Circulating.String())
	for _, x := range s.Evidence.Entries {
		w.log.Info("entry of the first figure", "token", s.Token, "label", x.Entry.Label, "bucket", x.Entry.Bucket,
			"chain", x.Entry.Chain, "amount", x.Amount.String(), "counted", x.Counted)
	}
}
