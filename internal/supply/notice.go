package supply

import (
	"time"
)

// The kinds of a Notice.
const (
	NoticePublished = "published" // another figure, or one by another ledger
	NoticeHeld      = "held"      // a figure waits
	NoticeReleased  = "released"  // nothing waits any more: the figure was published, or dropped
	NoticeCorrected = "corrected" // an operator says that a published figure was wrong
)

// A Notice is an event of a token that webhooks and pages show.
type Notice struct {
	Seq      uint64    `json:"seq"` // over all tokens, without gaps
	Token    string    `json:"token"`
	Kind     string    `json:"kind"`
	At       time.Time `json:"at"`
	Snapshot string    `json:"snapshot"`         // the one that is published now, waits, or was wrong
	Ledger   string    `json:"ledger,omitempty"` // its ledger
	*Figures           // of that snapshot; nil in corrections
	Reason   string    `json:"reason,omitempty"` // why it is held or was corrected, or how the hold ended
}

// Notices returns the notices of the change, in order. The store sets their seq.
func (c Change) Notices() (list []Notice) {
	of := func(kind string, s *Snapshot, at time.Time) Notice {
		return Notice{Token: c.Record.Token, Kind: kind, At: at, Snapshot: s.ID, Ledger: s.LedgerHash, Figures: &s.Figures}
	}
	was, now := c.was, c.Record
	for _, d := range c.Decided {
		if d.Granted && d.Kind == Correct {
			list = append(list, Notice{Token: d.Token, Kind: NoticeCorrected, At: d.At, Snapshot: d.Subject, Reason: d.Reason})
		}
	}
	if s := now.Snapshot; was.Hold != nil && now.Hold == nil && s != nil {
		e := of(NoticeReleased, s, s.MeasuredAt)
		e.Reason = c.ending()
		list = append(list, e)
	}
	if s, old := now.Snapshot, was.Snapshot; c.Publishes &&
		(old == nil || old.LedgerHash != s.LedgerHash || !old.Figures.Equal(s.Figures)) {
		list = append(list, of(NoticePublished, s, s.MeasuredAt))
	}
	if h := now.Hold; h != nil && (was.Hold == nil || was.Hold.Candidate.ID != h.Candidate.ID) {
		e := of(NoticeHeld, h.Candidate, h.Since)
		e.Reason = h.Reason
		list = append(list, e)
	}
	return list
}

// ending says how a hold ended: by hand, by confirmations or an expected event, or by
// measuring a figure like the old one again.
func (c Change) ending() string {
	for _, d := range c.Decided {
		if d.Granted && d.Kind == Release {
			return "let through by hand: " + d.Reason
		}
	}
	if c.released || len(c.Record.Used) > len(c.was.Used) {
		return "confirmed and published"
	}
	return "not confirmed: later measurements agreed with the published figure"
}
