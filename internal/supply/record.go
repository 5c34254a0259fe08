package supply

import (
	"fmt"
	"maps"
	"time"
)

// A Record is everything about one token that must survive a restart. The
// leader replaces it whole; Snapshot and Held in it never change.
type Record struct {
	Token    string            `json:"token"`
	Seq      int64             `json:"-"`        // of the write: grows over all tokens, set by the store
	Snapshot *Snapshot         `json:"snapshot"` // the last good one
	Hold     *Hold             `json:"held,omitempty"`
	Recent   []PublishedFigure `json:"recent"`   // what was published in the last hour, oldest first
	Decimals map[string]int    `json:"decimals"` // of each erc20 contract, as first accepted
}

// A Mark is a figure that was published from From to To, both included.
type PublishedFigure struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	Figures
}

// window is how far back a new figure is compared.
const window = time.Hour

// remember adds s to what was published lately. Marks are at least a minute
// apart, so that their number is bounded however often tokens are measured.
func remember(recent []PublishedFigure, s *Snapshot) []PublishedFigure {
	var kept []PublishedFigure
	for _, m := range recent {
		if !m.To.Before(s.AsOf.Add(-window)) {
			kept = append(kept, m)
		}
	}
	if n := len(kept); n > 0 {
		last := &kept[n-1]
		if last.Figures.Equal(s.Figures) || last.From.Truncate(time.Minute).Equal(s.AsOf.Truncate(time.Minute)) {
			last.To = s.AsOf
			return kept
		}
	}
	return append(kept, PublishedFigure{s.AsOf, s.AsOf, s.Figures})
}

// reference is what a figure measured at now is compared with: the oldest one
// published within the last hour, or the last good one if that is older.
func (r Record) reference(now time.Time) (PublishedFigure, bool) {
	for _, m := range r.Recent {
		if !m.To.Before(now.Add(-window)) {
			return m, true
		}
	}
	if r.Snapshot != nil {
		return PublishedFigure{r.Snapshot.AsOf, r.Snapshot.AsOf, r.Snapshot.Figures}, true
	}
	return PublishedFigure{}, false
}

// check rejects a snapshot that contradicts what was accepted before: time and
// heights never go back, and decimals never change.
func (r Record) check(s *Snapshot) error {
	if r.Snapshot != nil {
		if !s.AsOf.After(r.Snapshot.AsOf) {
			return fmt.Errorf("measured at %s, but %s was published already: %w",
				stamp(s.AsOf), stamp(r.Snapshot.AsOf), ErrRejected)
		}
		if err := forward(r.Snapshot.Blocks, s.Blocks); err != nil {
			return err
		}
	}
	if r.Hold != nil {
		if err := forward(r.Hold.Blocks, s.Blocks); err != nil {
			return err
		}
	}
	for key, now := range contractDecimals(s.Evidence) {
		if then, ok := r.Decimals[key]; ok && then != now {
			return fmt.Errorf("decimals() of %s went from %d to %d: %w", key, then, now, ErrRejected)
		}
	}
	return nil
}

// forward rejects blocks that lie before earlier ones of the same chain.
func forward(earlier, now []Block) error {
	for _, a := range earlier {
		for _, b := range now {
			if a.ChainID == b.ChainID && (b.Number < a.Number || b.Time.Before(a.Time)) {
				return fmt.Errorf("%s went back from block %d (%s) to %d (%s): %w",
					b.Chain, a.Number, stamp(a.Time), b.Number, stamp(b.Time), ErrRejected)
			}
		}
	}
	return nil
}

// contractDecimals lists the decimals of every erc20 contract of ev, by
// "chainId/address".
func contractDecimals(ev *Evidence) map[string]int {
	out := map[string]int{}
	if ev == nil {
		return out
	}
	ids := map[string]uint64{}
	for _, c := range ev.Chains {
		ids[c.Chain] = c.ChainID
	}
	for _, x := range ev.Entries {
		if x.Entry.ERC20 != "" {
			out[fmt.Sprintf("%d/%s", ids[x.Entry.Chain], x.Contract.Hex())] = x.Decimals
		}
	}
	return out
}

// publish returns the record with s as the last good snapshot. fresh forgets
// what was published before: a released figure is compared with nothing older.
func (r Record) publish(s *Snapshot, fresh bool) Record {
	if fresh {
		r.Recent = nil
	}
	r.Snapshot, r.Hold, r.Recent = s, nil, remember(r.Recent, s)
	known := maps.Clone(r.Decimals)
	if known == nil {
		known = map[string]int{}
	}
	for key, d := range contractDecimals(s.Evidence) {
		if _, ok := known[key]; !ok {
			known[key] = d
		}
	}
	r.Decimals = known
	return r
}

// changed says whether going from r to next is worth a row of history.
func (r Record) changed(next Record) bool {
	if next.Snapshot == nil {
		return false
	}
	return r.Snapshot == nil || r.Snapshot.LedgerHash != next.Snapshot.LedgerHash || !r.Snapshot.Equal(next.Snapshot.Figures)
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
