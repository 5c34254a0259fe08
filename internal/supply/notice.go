package supply

import "time"

// The kinds of a Notice.
const (
	NoticePublished = "published" // another figure, or one by another ledger
	NoticeHeld      = "held"      // a figure waits
	NoticeReleased  = "released"  // none waits any more: it was let through, or fell away
	NoticeCorrected = "corrected" // of what was published it is said that it was wrong
)

// A Notice is what others are told of a token.
type Notice struct {
	Seq      uint64    `json:"seq"` // over all tokens, without gaps
	Token    string    `json:"token"`
	Kind     string    `json:"kind"`
	At       time.Time `json:"at"`
	Snapshot string    `json:"snapshot"`         // that is published now, that waits, or that was wrong
	Ledger   string    `json:"ledger,omitempty"` // by which it was made
	*Figures           // of that snapshot; nil in corrections
	Reason   string    `json:"reason,omitempty"` // why it is held, or was corrected
}

// Notices returns what others are told of the change, in order. The seq of each
// is the store's to give.
func (c Change) Notices() (list []Notice) {
	of := func(kind string, s *Snapshot, at time.Time) Notice {
		return Notice{Token: c.Record.Token, Kind: kind, At: at, Snapshot: s.ID, Ledger: s.LedgerHash, Figures: &s.Figures}
	}
	was, now := c.was, c.Record
	for _, r := range c.Decided {
		if r.Granted && r.Accept == AcceptCorrection {
			list = append(list, Notice{Token: r.Token, Kind: NoticeCorrected, At: r.At, Snapshot: r.Candidate, Reason: r.Reason})
		}
	}
	if s := now.Snapshot; was.Hold != nil && now.Hold == nil && s != nil {
		list = append(list, of(NoticeReleased, s, s.MeasuredAt))
	}
	if s := now.Snapshot; c.Row && (was.Snapshot == nil || was.Snapshot.LedgerHash != s.LedgerHash || !was.Snapshot.Figures.Equal(s.Figures)) {
		list = append(list, of(NoticePublished, s, s.MeasuredAt))
	}
	if h := now.Hold; h != nil && (was.Hold == nil || was.Hold.Candidate.ID != h.Candidate.ID) {
		e := of(NoticeHeld, h.Candidate, h.Since)
		e.Reason = h.Reason
		list = append(list, e)
	}
	return list
}
