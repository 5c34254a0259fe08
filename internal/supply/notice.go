package supply

import (
	"slices"
	"time"
)

// The kinds of Notice.
const (
	NoticePublished = "published" // a figure was published, and it or its ledger differs from the last one
	NoticeHeld      = "held"      // a figure waits for its release
	NoticeReleased  = "released"  // a hold ended: the held figure was published or dropped
	NoticeCorrected = "corrected" // an operator says that a published figure was wrong
	NoticeRestored  = "restored"  // an operator undid a correction
)

// A Notice is an event of a token that webhooks and pages show.
type Notice struct {
	Seq      uint64    `json:"seq"` // counts over all tokens, without gaps
	Token    string    `json:"token"`
	Kind     string    `json:"kind"`
	At       time.Time `json:"at"`               // when it happened, by our clock
	Snapshot string    `json:"snapshot"`         // id of the snapshot that is published, held, corrected or restored
	Ledger   string    `json:"ledger,omitempty"` // hash of the snapshot's ledger; "" if Figures is nil
	*Figures           // figures of that snapshot; nil in corrections and restorations
	Reason   string    `json:"reason,omitempty"` // why the figure is held, corrected or restored, or how the hold ended
}

// Notices returns the notices of the change, in order. The store sets their seq.
func (c Change) Notices() (list []Notice) {
	of := func(kind string, s *Snapshot, at time.Time) Notice {
		return Notice{Token: c.Record.Token, Kind: kind, At: at, Snapshot: s.ID, Ledger: s.LedgerHash,
			Figures: &s.Figures}
	}
	was := c.was
	now := c.Record
	at := now.Confirmed
	if d := c.release(); d != nil {
		at = d.At // not Confirmed, which is when the held figure was measured
	}
	for _, d := range c.Decided {
		kind := NoticeRestored
		if d.Kind == Wrong {
			kind = NoticeCorrected
		}
		if d.Granted && d.Kind != Accept && !d.releases() {
			list = append(list, Notice{Token: d.Token, Kind: kind, At: d.At, Snapshot: d.Subject, Reason: d.Reason})
		}
	}
	if s := now.Snapshot; was.Hold != nil && now.Hold == nil && s != nil {
		e := of(NoticeReleased, s, at)
		e.Reason = c.ending()
		list = append(list, e)
	}
	if s := now.Snapshot; c.Publishes && !s.sameAs(was.Snapshot) {
		list = append(list, of(NoticePublished, s, at))
	}
	if h := now.Hold; h != nil && (was.Hold == nil || was.Hold.Candidate.ID != h.Candidate.ID) {
		e := of(NoticeHeld, h.Candidate, h.Since)
		e.Reason = h.Reason
		list = append(list, e)
	}
	return list
}

// ending describes what ended a hold.
func (c Change) ending() string {
	if d := c.release(); d != nil {
		return "released by an operator: " + d.Reason
	}
	was := c.was.Snapshot
	now := c.Record.Snapshot
	if was.LedgerHash == now.LedgerHash && excess(was.Figures, now.Figures, c.limits) == "" {
		return "dropped: a later measurement agreed with the published figure"
	}
	return "published: later measurements agreed with it, or an expected event allows it"
}

// release returns the decision that released a held figure, or nil.
func (c Change) release() *Decision {
	i := slices.IndexFunc(c.Decided, Decision.releases)
	if i < 0 {
		return nil
	}
	return &c.Decided[i]
}
