package supply

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/supply/ledger"
)

// A judgement is the result of judging one measurement. There are only the six below, because a
// judgement is the label of a metric.
type judgement string

const (
	judgedPublished judgement = "published"
	judgedConfirmed judgement = "confirmed" // repeats published or withdrawn figures, so nothing new is published
	judgedHeld      judgement = "held"      // differs too much, and waits for a release
	judgedReleased  judgement = "released"  // published after a hold
	judgedRejected  judgement = "rejected"  // breaks a rule (Record.check, Evidence.check) or lacks a required proof
	judgedFailed    judgement = "failed"    // the chains could not be read, or the result could not be stored
)

// Rules say how the figures of all tokens are judged.
type Rules struct {
	Every   time.Duration // time between two measurements of a token
	HoldFor time.Duration // how long measurements must agree with a held figure to release it
	Repeat  time.Duration // equal figures within this time after a snapshot are not published again
}

// Judge decides what happens to s, a new snapshot of t. If s repeats the published figures within
// rules.Repeat, or repeats withdrawn figures, it only confirms them. Judge publishes s if there are
// no earlier figures, if s has the published figures, or if the change is within the limits or
// expected. Otherwise s is held. An operator can release it. A hold also ends when further
// measurements have agreed with it for rules.HoldFor, unless waitsForAPerson reports true. Then the
// last of them is published. A snapshot that is published or held gets its id here. An error rejects
// the snapshot and leaves the record unchanged.
func (r Record) Judge(t *ledger.Token, s *Snapshot, rules Rules) (Record, judgement, error) {
	if err := r.check(s); err != nil {
		return r, judgedRejected, fmt.Errorf("checking %s: %w", t.Path, err)
	}
	refs := r.references(s.AsOf)
	r.Begun = r.begin(t, refs, s.AsOf)
	if r.withdrawn(s) || r.repeats(s, rules.Repeat) {
		return r.confirm(s), judgedConfirmed, nil
	}
	s = s.following(r.Snapshot)
	if len(refs) == 0 {
		return r.accept(s, true), judgedPublished, nil
	}
	var reason string
	for i := 0; i < len(refs) && reason == ""; i++ {
		reason = refs[i].excess(s, limitsOf(t))
	}
	allowed, beyond := r.expected(t, refs, s)
	if allowed {
		return r.accept(s, reason != ""), judgedPublished, nil
	}
	reason = cmp.Or(beyond, reason)
	if reason == "" || s.sameAs(r.Snapshot) { // figures that are already published need no release
		return r.accept(s, false), judgedPublished, nil
	}
	if was := r.Snapshot.LedgerHash; was != s.LedgerHash {
		reason = fmt.Sprintf("the ledger changed from %.8s to %.8s: %s", was, s.LedgerHash, reason)
	}
	if h := r.Hold; h == nil || !confirms(h.Candidate, s, limitsOf(t)) {
		r.Hold = &Hold{Candidate: s, Reason: reason, Since: s.MeasuredAt, From: s.AsOf, Last: stampsOf(s)}
		return r, judgedHeld, nil
	}
	next := r.Hold.agree(s, rules)
	if next.lasted() >= rules.HoldFor && !waitsForAPerson(t, r.Snapshot, s) {
		return r.accept(s, true), judgedReleased, nil
	}
	r.Hold = &next
	return r, judgedHeld, nil
}

// agree returns the hold after s agreed with it. The time since the measurement before s counts, but
// at most two refreshes: nobody knows what the chains said during a longer gap.
func (h Hold) agree(s *Snapshot, rules Rules) Hold {
	if h.Last.MeasuredAt.IsZero() { // the first after a measurement that did not agree (see Record.fail)
		h.From = s.AsOf
		h.Last = stampsOf(s)
		return h
	}
	since := s.MeasuredAt.Sub(h.Last.MeasuredAt)
	h.Sum += max(0, min(since, 2*rules.Every)) // below 0 if our clock was set back
	h.Last = stampsOf(s)
	h.From = earlier(h.From, s.AsOf) // our clock may have been ahead before
	h.Since = earlier(h.Since, s.MeasuredAt)
	return h
}

// lasted returns how long measurements have agreed with the held figure, by our clock or by the
// time of the chains. It returns the shorter time: measurements of a chain that has stopped prove
// nothing, and our clock may jump.
func (h Hold) lasted() time.Duration { return min(h.Sum, h.Last.AsOf.Sub(h.From)) }

// waitsForAPerson reports whether only a decision can end the hold. This is so if the token is
// configured that way, or if its ledger changed. A wrong ledger gives the same wrong figure every
// time, so further measurements prove nothing.
func waitsForAPerson(t *ledger.Token, published, now *Snapshot) bool {
	return t.Release == ledger.ByHand || published.LedgerHash != now.LedgerHash
}

// begin returns the configured events that began before now, each with the figures before it. refs
// are the earlier figures. If no figure before the event is known, the oldest known one counts.
func (r Record) begin(t *ledger.Token, refs []publishedFigures, now time.Time) (begun []begunEvent) {
	if len(refs) == 0 {
		return nil
	}
	for _, e := range t.Expected {
		if e.From.After(now) {
			continue
		}
		same := func(b begunEvent) bool { return b.Event.Same(e) }
		if i := slices.IndexFunc(r.Begun, same); i >= 0 {
			begun = append(begun, r.Begun[i])
			continue
		}
		before := refs[0]
		for _, p := range refs {
			if p.From.Before(e.From) {
				before = p
			}
		}
		if r.Correction == nil && r.Snapshot.AsOf.Before(e.From) {
			before = publishedBy(r.Snapshot)
		}
		begun = append(begun, begunEvent{Event: e, Before: before})
	}
	return begun
}

// expected reports whether one of t's expected events allows s. The figures may then differ by the
// event's change from those before the event, and from each of refs. An event counts until the
// first figure after its end is published. During an event that does not allow s, the text says
// what goes beyond it. If published figures exceed an event's change, because a hold was released,
// the event no longer counts.
func (r Record) expected(t *ledger.Token, refs []publishedFigures, s *Snapshot) (allowed bool, beyond string) {
	last := refs[len(refs)-1]
	for _, b := range r.Begun {
		limit := limitsOf(t).with(b.Event)
		spent := excess(b.Before.Figures, last.Figures, limit) != ""
		if spent || b.Event.To.Before(last.To) {
			continue
		}
		over := func(p publishedFigures) string {
			if b.Event.Change > 0 {
				return excess(p.Figures, s.Figures, limit) // the sum of a bridge's sides may rise too
			}
			return p.excess(s, limit)
		}
		why := over(b.Before)
		if why == "" && !slices.ContainsFunc(refs, func(p publishedFigures) bool { return over(p) != "" }) {
			return true, ""
		}
		if why != "" && !b.Event.To.Before(s.AsOf) {
			beyond = cmp.Or(beyond, "since the expected event began, "+why)
		}
	}
	return false, beyond
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
	before := old.amounts()
	after := now.amounts()
	for i, name := range amountNames {
		base := old.Total
		limit := max(l.rise, l.fall)
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
		way := "rises"
		by := ""
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
