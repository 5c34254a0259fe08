package site

import (
	"slices"
	"sync"
	"time"

	"petsupply/internal/supply"
)

// A hold is a figure that was held back, and what became of it.
type hold struct {
	Token   *supply.Token
	Since   time.Time
	Ended   time.Time // zero: it still waits
	Reason  string
	Outcome string
}

const holdsKept = 20

// holds remembers what was held since this instance started. Its zero value is
// ready; watch is called with every publication in order.
type holds struct {
	mu    sync.Mutex
	last  map[string]supply.State
	ended []hold // newest first
}

func (h *holds) watch(p *supply.Publication) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last == nil {
		h.last = map[string]supply.State{}
	}
	for _, st := range p.States {
		was := h.last[st.Token.Path]
		h.last[st.Token.Path] = st
		if was.Hold == nil || st.Hold != nil && st.Hold.Since.Equal(was.Hold.Since) {
			continue
		}
		h.ended = slices.Insert(h.ended, 0, hold{Token: st.Token, Since: was.Hold.Since, Ended: p.At,
			Reason: was.Hold.Reason, Outcome: outcome(was, st)})
		h.ended = h.ended[:min(len(h.ended), holdsKept)]
	}
}

// outcome says how a hold ended: by publishing a figure like the one that
// waited, or by measuring one like the old again.
func outcome(was, now supply.State) string {
	if now.Snapshot == nil || was.Snapshot == nil {
		return "ended"
	}
	away := func(a, b *supply.Snapshot) supply.Amount {
		return distance(a.Total, b.Total).Add(distance(a.Circulating, b.Circulating))
	}
	if now.Snapshot.ID == was.Hold.Candidate.ID || away(now.Snapshot, was.Hold.Candidate).Cmp(away(now.Snapshot, was.Snapshot)) < 0 {
		return "confirmed and published"
	}
	return "not confirmed: later measurements agreed with the published figure"
}

func distance(a, b supply.Amount) supply.Amount {
	if a.Cmp(b) < 0 {
		return b.Sub(a)
	}
	return a.Sub(b)
}

// list returns what waits now and then what did, newest first.
func (h *holds) list(states []supply.State) []hold {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []hold
	for _, st := range states {
		if st.Hold != nil {
			out = append(out, hold{Token: st.Token, Since: st.Hold.Since, Reason: st.Hold.Reason, Outcome: "waiting"})
		}
	}
	return append(out, h.ended...)
}

// marks are a token's holds as events of its chart.
func (h *holds) marks(st supply.State) []event {
	var out []event
	for _, x := range h.list([]supply.State{st}) {
		if x.Token.Path != st.Token.Path {
			continue
		}
		out = append(out, event{x.Since, "hold", "a figure was held: " + x.Reason})
		if !x.Ended.IsZero() {
			out = append(out, event{x.Ended, "release", "the hold ended: " + x.Outcome})
		}
	}
	return out
}
