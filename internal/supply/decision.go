package supply

import (
	"slices"
	"time"
)

// A DecisionKind is the kind of an operator's decision.
type DecisionKind string

const (
	Right  DecisionKind = "right"  // a held figure is right, or one that was called wrong is right after all
	Wrong  DecisionKind = "wrong"  // a published figure was wrong
	Accept DecisionKind = "accept" // the next figure may have other Heights or Decimals
)

// The subjects of Accept.
const (
	Heights  = "heights"  // a chain was replaced: the next blocks may be lower or earlier
	Decimals = "decimals" // a contract was replaced: its decimals may differ
)

// A Decision is an operator's request. Any process may make one. The leader grants or refuses it. A
// granted decision becomes a leaf of the log.
type Decision struct {
	ID      string
	Kind    DecisionKind
	Token   string // the token's path
	Subject string // the snapshot's id, or what Accept accepts
	Reason  string // the operator's reason
	At      time.Time
	Granted bool // set by the leader
	// Undoes says that Right takes back an earlier decision, which called the snapshot wrong.
	// Otherwise Right releases a held figure. The store sets it.
	Undoes bool
}

// releases reports whether the decision released a held figure.
func (d Decision) releases() bool { return d.Granted && d.Kind == Right && !d.Undoes }

// A Correction says why a published figure was wrong. The figure stays in the history. While it is
// the newest figure, it is withdrawn.
type Correction struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// Decide returns the record after the decision, and whether the decision is granted. It refuses:
//   - Right, unless the subject is the held snapshot or is called wrong
//   - Wrong, if the subject is an earlier snapshot whose figures are still published
//   - Accept, before the first publication
func (r Record) Decide(d Decision) (Record, bool) {
	newest := r.Snapshot != nil && r.Snapshot.ID == d.Subject
	switch d.Kind {
	case Right:
		switch {
		case !d.Undoes && r.Hold != nil && r.Hold.Candidate.ID == d.Subject:
			return r.accept(r.Hold.Candidate, true), true
		case !d.Undoes, newest && r.Correction == nil:
			return r, false
		case !newest:
			return r, true
		}
		r.Correction = nil
		r.Recent = remember(r.Recent, r.Snapshot)
		return r, true
	case Wrong: // the requesting process has checked that the snapshot was published
		switch {
		case newest:
			return r.withdraw(Correction{Reason: d.Reason, At: d.At}), true
		case r.Correction == nil && slices.Contains(r.Repeated, d.Subject):
			return r, false
		}
		return r, true
	case Accept:
		if r.Snapshot == nil {
			return r, false
		}
		switch d.Subject {
		case Heights:
			r.AnyHeight = true
			return r, true
		case Decimals:
			r.Decimals = nil
			return r, true
		}
	}
	return r, false
}
