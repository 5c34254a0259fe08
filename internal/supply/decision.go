package supply

import (
	"slices"
	"time"
)

// A DecisionKind is the kind of an operator's decision.
type DecisionKind string

const (
	Release        DecisionKind = "release"         // the held figure is right: publish it
	AcceptHeights  DecisionKind = "accept-heights"  // a chain was replaced: the next blocks may be lower or earlier
	AcceptDecimals DecisionKind = "accept-decimals" // a contract was replaced: its decimals may differ
	Correct        DecisionKind = "correct"         // a published figure was wrong
	UndoCorrect    DecisionKind = "undo-correct"    // the corrected figure was right after all
)

// A Decision is an operator's request. Any process may make one. The leader grants or refuses it. A
// granted decision becomes a leaf of the log.
type Decision struct {
	ID      string
	Kind    DecisionKind
	Token   string // the token's path
	Subject string // the snapshot's id for Release, Correct and UndoCorrect, else ""
	Reason  string // the operator's reason
	At      time.Time
	Granted bool
}

// A Correction says why a published figure was wrong. The figure stays in the history. While it is
// the newest figure, it is withdrawn.
type Correction struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// Decide returns the record after the decision, and whether the decision is granted. It refuses:
//   - Release, if the subject is not the held snapshot
//   - Correct, if the subject is an earlier snapshot whose figures are still published
//   - UndoCorrect, if the subject is the newest snapshot and is not withdrawn
//   - AcceptHeights and AcceptDecimals, before the first publication
func (r Record) Decide(d Decision) (Record, bool) {
	switch d.Kind {
	case Release:
		if r.Hold == nil || r.Hold.Candidate.ID != d.Subject {
			return r, false
		}
		return r.accept(r.Hold.Candidate, true), true
	case AcceptHeights:
		if r.Snapshot == nil {
			return r, false
		}
		r.AnyHeight = true
		return r, true
	case AcceptDecimals:
		if r.Snapshot == nil {
			return r, false
		}
		r.Decimals = nil
		return r, true
	case Correct: // the requesting process has checked that the snapshot was published
		switch {
		case r.Snapshot != nil && r.Snapshot.ID == d.Subject:
			return r.withdraw(Correction{Reason: d.Reason, At: d.At}), true
		case r.Correction == nil && slices.Contains(r.Repeated, d.Subject):
			return r, false
		}
		return r, true
	case UndoCorrect: // the requesting process has checked that the snapshot was corrected
		if r.Snapshot == nil || r.Snapshot.ID != d.Subject {
			return r, true
		}
		if r.Correction == nil {
			return r, false
		}
		r.Correction, r.Recent = nil, remember(r.Recent, r.Snapshot)
		return r, true
	}
	return r, false
}
