package site

import (
	"context"
	"slices"
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

const (
	holdsShown = 20          // on the page of status
	eventsTime = time.Second // that reading events may take
)

// An eventList is what happened to a token's figures up to a state of it.
type eventList struct {
	state string
	list  []supply.Notice
}

// events returns what was held, let through and corrected of a token. It is read
// when the token's state changed; while that cannot be done, what was read last.
func (s *Site) events(ctx context.Context, st supply.State) []supply.Notice {
	last, _ := s.happened.Load(st.Token.Path)
	kept, _ := last.(*eventList)
	if kept != nil && kept.state == stateID(st) {
		return kept.list
	}
	ctx, cancel := context.WithTimeout(ctx, eventsTime)
	defer cancel()
	list, err := s.History.Events(ctx, st.Token.Path)
	if err != nil {
		s.Log.Warn("reading what happened for a page", "token", st.Token.Path, "error", err)
		if kept != nil {
			return kept.list
		}
		return nil
	}
	s.happened.Store(st.Token.Path, &eventList{stateID(st), list})
	return list
}

// holds returns a token's holds, newest first. One that waits does so whether it
// could be read or not.
func holds(st supply.State, events []supply.Notice) []hold {
	var out []hold
	end := func(at time.Time, outcome string) {
		if n := len(out) - 1; n >= 0 && out[n].Ended.IsZero() {
			out[n].Ended, out[n].Outcome = at, outcome
		}
	}
	for _, e := range events {
		switch e.Kind {
		case supply.NoticeHeld:
			end(e.At, "another figure was held in its place")
			out = append(out, hold{Token: st.Token, Since: e.At, Reason: e.Reason})
		case supply.NoticeReleased:
			end(e.At, e.Reason)
		}
	}
	switch h, n := st.Hold, len(out)-1; {
	case h == nil:
	case n >= 0 && out[n].Since.Equal(h.Since):
		out[n].Outcome = "waiting"
	default:
		out = append(out, hold{Token: st.Token, Since: h.Since, Reason: h.Reason, Outcome: "waiting"})
	}
	slices.Reverse(out)
	return out
}

// recentHolds are the newest holds of all tokens.
func (s *Site) recentHolds(ctx context.Context, states []supply.State) []hold {
	var out []hold
	for _, st := range states {
		out = append(out, holds(st, s.events(ctx, st))...)
	}
	slices.SortStableFunc(out, func(a, b hold) int { return b.Since.Compare(a.Since) })
	return out[:min(len(out), holdsShown)]
}

// marks are what happened to a token's figures, for its chart.
func marks(st supply.State, events []supply.Notice) []event {
	var out []event
	for _, h := range holds(st, events) {
		out = append(out, event{h.Since, "hold", "a figure was held: " + h.Reason})
		if !h.Ended.IsZero() {
			out = append(out, event{h.Ended, "release", "the hold ended: " + h.Outcome})
		}
	}
	for _, e := range events {
		if e.Kind == supply.NoticeCorrected {
			out = append(out, event{e.At, "correction", "a figure was corrected: " + e.Reason})
		}
	}
	return out
}
