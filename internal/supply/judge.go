package supply

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/supply/ledger"
)

// An outcome is the result of judging one measurement. There are only the six below, because an
// outcome is the label of a metric.
type outcome string

const (
	outcomePublished outcome = "published"
	outcomeConfirmed outcome = "confirmed" // repeats published or withdrawn figures, so nothing new is published
	outcomeHeld      outcome = "held"      // differs too much, and waits for a release
	outcomeReleased  outcome = "released"  // published after a hold
	outcomeRejected  outcome = "rejected"  // breaks a rule (Record.check, Evidence.check) or lacks a required proof
	outcomeFailed    outcome = "failed"    // the chains could not be read, or the result could not be stored
)

// Rules say how the figures of all tokens are judged.
type Rules struct {
	Confirmations int           // number of measurements in a row that must confirm a held figure
	HoldFor       time.Duration // shortest time that a figure is held before confirmations release it
	Repeat        time.Duration // equal figures within this time after a snapshot are not published again
}

// Judge decides what happens to s, a new snapshot of t. If s repeats the published figures within
// rules.Repeat, or repeats withdrawn figures, it only confirms them. Judge publishes s if there are
// no earlier figures, if s has the published figures, or if the change is within the limits or
// expected. Otherwise s is held. An operator can release it. Measurements that confirm s also end
// the hold, unless waitsForAPerson reports true. There must be rules.Confirmations of them in a
// row, and the hold must have lasted for rules.HoldFor. Then the last of them is published. A
// snapshot that is published or held gets its id here. An error rejects the snapshot and leaves the
// record unchanged.
func (r Record) Judge(t *ledger.Token, s *Snapshot, rules Rules) (Record, outcome, error) {
	if err := r.check(s); err != nil {
		return r, outcomeRejected, fmt.Errorf("checking %s: %w", t.Path, err)
	}
	if r.withdrawn(s) || r.repeats(s, rules.Repeat) {
		return r.confirm(s), outcomeConfirmed, nil
	}
	s = s.following(r.Snapshot)
	refs := r.references(s.AsOf)
	if len(refs) == 0 {
		return r.accept(s, true), outcomePublished, nil
	}
	var reason string
	for i := 0; i < len(refs) && reason == ""; i++ {
		reason = refs[i].excess(s, limitsOf(t))
	}
	if reason == "" || s.sameAs(r.Snapshot) { // figures that are already published need no release
		return r.accept(s, false), outcomePublished, nil
	}
	if e, ok := r.expected(t, refs, s); ok {
		next := r.accept(s, true)
		next.Used = append(slices.Clip(r.Used), usedEvent{Event: e, Snapshot: s.ID, At: s.AsOf})
		return next, outcomePublished, nil
	}
	if was := r.Snapshot.LedgerHash; was != s.LedgerHash {
		reason = fmt.Sprintf("the ledger changed from %.8s to %.8s: %s", was, s.LedgerHash, reason)
	}
	if h := r.Hold; h != nil && confirms(h.Candidate, s, limitsOf(t)) {
		next := *h
		if h.advanced(s, movedChains(r.Snapshot, h.Candidate, s)) {
			next.Confirmations++
			next.Blocks, next.AsOf = s.Blocks, s.AsOf
		}
		next.Since = earlier(next.Since, s.MeasuredAt) // our clock may have been ahead when the hold began
		if next.Confirmations >= rules.Confirmations && next.lasted(s) >= rules.HoldFor &&
			!waitsForAPerson(t, r.Snapshot, s) {
			return r.accept(s, true), outcomeReleased, nil
		}
		r.Hold = &next
		return r, outcomeHeld, nil
	}
	r.Hold = &Hold{Candidate: s, Reason: reason, Since: s.MeasuredAt, Blocks: s.Blocks, AsOf: s.AsOf}
	return r, outcomeHeld, nil
}

// lasted returns how long the figure had been held when s was measured. It measures by our clock
// and by block times, and returns the shorter time.
func (h *Hold) lasted(s *Snapshot) time.Duration {
	if h.Candidate.AsOf.After(s.MeasuredAt) { // our clock was set back during the hold
		return s.MeasuredAt.Sub(h.Since)
	}
	return min(s.MeasuredAt.Sub(h.Since), s.AsOf.Sub(h.Candidate.AsOf))
}

// waitsForAPerson reports whether confirmations cannot end the hold. This is so if the token is
// configured that way, or if its ledger changed. A wrong ledger gives the same wrong figure every
// time, so confirmations prove nothing.
func waitsForAPerson(t *ledger.Token, published, now *Snapshot) bool {
	return t.Release == ledger.ByHand || published.LedgerHash != now.LedgerHash
}

// resetConfirmations returns the record with no confirmations of the held figure, and whether the
// record changed. It is called after a measurement was rejected or a chain's providers disagreed,
// because only confirmations in a row count.
func (r Record) resetConfirmations() (Record, bool) {
	if r.Hold == nil || r.Hold.Confirmations == 0 {
		return r, false
	}
	next := *r.Hold
	next.Confirmations = 0
	r.Hold = &next
	return r, true
}

// expected returns the first of t's expected events that explains s. refs are the earlier figures
// that s is compared with. If the change from one of them to s is too large, the event must allow
// this change and overlap its time. Events that have allowed a change before are skipped.
func (r Record) expected(t *ledger.Token, refs []publishedFigures, s *Snapshot) (ledger.Event, bool) {
	for _, e := range t.Expected {
		used := slices.ContainsFunc(r.Used, func(u usedEvent) bool { return u.Same(e) })
		excluded := slices.ContainsFunc(refs, func(p publishedFigures) bool {
			between := !e.From.After(s.AsOf) && !e.To.Before(p.To)
			rises := e.Change > 0 || bridgeRise(p.Bridges, s) == ""
			allowed := between && rises && excess(p.Figures, s.Figures, limitsOf(t).with(e)) == ""
			return !allowed && p.excess(s, limitsOf(t)) != ""
		})
		if !used && !excluded {
			return e, true
		}
	}
	return ledger.Event{}, false
}

// limits say how much total and circulating supply may rise or fall at once. For the other figures
// of a token, the larger of the two limits applies in both directions.
type limits struct{ rise, fall ledger.Percent }

func limitsOf(t *ledger.Token) limits { return limits{t.Limit(), t.Limit()} }

// with returns l, raised where e expects a larger change.
func (l limits) with(e ledger.Event) limits {
	return limits{max(l.rise, ledger.Percent(e.Change)), max(l.fall, ledger.Percent(-e.Change))}
}

// excess describes the first figure that changed by more than l allows, or returns "" if there is
// none. The limits of burned, locked and reserved are percentages of the total, because a small
// amount may rightly double.
func excess(old, now Figures, l limits) string {
	before, after := old.amounts(), now.amounts()
	for i, name := range amountNames {
		base, limit := old.Total, max(l.rise, l.fall)
		diff := after[i].Sub(before[i])
		if name == "circulating" {
			base = old.Circulating
		}
		if name == "circulating" || name == "total" {
			limit = l.rise
			if diff.Sign() < 0 {
				limit = l.fall
			}
		}
		if limit.Allows(diff, base) {
			continue
		}
		way, by := "rises", ""
		if diff.Sign() < 0 {
			way = "falls"
		}
		if base.Sign() != 0 {
			by = " by " + limit.Excess(diff, base)
			if base.Cmp(before[i]) != 0 {
				by += " of the total"
			}
		}
		return fmt.Sprintf("%s %s%s, from %s to %s; a change of more than %s at once is held",
			name, way, by, before[i], after[i], limit)
	}
	return ""
}

// excess describes the first figure of s, or the first sum of a bridge, that changed too much since
// p. It returns "" if there is none.
func (p publishedFigures) excess(s *Snapshot, l limits) string {
	return cmp.Or(excess(p.Figures, s.Figures, l), bridgeRise(p.Bridges, s))
}

// bridgeRise describes the first burn-and-mint bridge whose issued amounts, added up over all
// sides, rose by more than its slack. It returns "" if there is none. The sum rises if an amount is
// minted on one side before it is burned on the other: that amount is counted twice.
func bridgeRise(old map[string]ledger.Amount, now *Snapshot) string {
	sums := now.Evidence.bridgeSums()
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		before, had := old[name]
		after := sums[name]
		if slack := now.Evidence.Bridges[name].Slack; had && after.Sub(before).Cmp(*slack) > 0 {
			return fmt.Sprintf("the sum of all sides of bridge %s rises from %s to %s; "+
				"at most %s may be in flight or minted in an hour", name, before, after, *slack)
		}
	}
	return ""
}

// confirms reports whether s has the candidate's ledger, and figures that differ from the
// candidate's by no more than l and the slack of bridges allow.
func confirms(candidate, s *Snapshot, l limits) bool {
	return candidate.LedgerHash == s.LedgerHash && publishedBy(candidate).excess(s, l) == ""
}

// advanced reports whether s is newer than the hold's last confirmation on every chain in moved, or
// on all chains if moved is empty. Newer means a later block or, on a chain with blocks on demand,
// a later AsOf. Figures that depend on no chain always count as newer.
func (h *Hold) advanced(s *Snapshot, moved map[string]bool) bool {
	seen := map[uint64]uint64{}
	for _, b := range h.Blocks {
		seen[b.ChainID] = b.Number
	}
	for _, b := range s.Blocks {
		n, ok := seen[b.ChainID]
		if !ok || len(moved) > 0 && !moved[b.Chain] || b.Number > n {
			continue
		}
		ahead := h.AsOf.After(s.MeasuredAt) // our clock was set back during the hold
		if !b.OnDemand || !s.AsOf.After(h.AsOf) && !ahead {
			return false
		}
	}
	return true
}

// movedChains returns the chains on which the amount of an entry differs between the published
// snapshot and one of the later ones. nil means that the ledger changed, so the entries cannot be
// compared.
func movedChains(published *Snapshot, later ...*Snapshot) map[string]bool {
	moved := map[string]bool{}
	for _, s := range later {
		if s.LedgerHash != published.LedgerHash {
			return nil
		}
		for i, x := range s.Evidence.Entries { // both have the same ledger, so the same entries
			if x.Entry.Chain != "" && x.Amount.Cmp(published.Evidence.Entries[i].Amount) != 0 {
				moved[x.Entry.Chain] = true
			}
		}
	}
	return moved
}
