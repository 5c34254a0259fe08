package supply

import (
	"fmt"
	"slices"
)

// An Outcome is what became of one measurement: one of these or Held (state.go), which is
// also a status. The set is closed, so it may label a metric.
type Outcome string

const (
	Published Outcome = "published"
	Released  Outcome = "released" // published after having been held
	Rejected  Outcome = "rejected" // impossible: see Record.check and Evidence.check
	Failed    Outcome = "failed"   // it could not be measured
)

// Judge decides what becomes of a new snapshot of t. It is published if it
// changed by no more than t allows; otherwise it is held until it is released
// by hand or, unless waitsForAPerson, until as many further measurements in a
// row as confirmations says confirm it. An error rejects the snapshot and leaves
// the record as it is.
func (r Record) Judge(t *Token, s *Snapshot, confirmations int) (Record, Outcome, error) {
	if err := r.check(s); err != nil {
		return r, Rejected, fmt.Errorf("checking %s: %w", t.Path, err)
	}
	ref, ok := r.reference(s.AsOf)
	if !ok {
		return r.accept(s, true), Published, nil
	}
	reason := excess(ref.Figures, s.Figures, t.limits())
	if reason == "" {
		return r.accept(s, false), Published, nil
	}
	if e, ok := r.expected(t, ref, s); ok {
		next := r.accept(s, true)
		next.Used = append(slices.Clip(r.Used), UsedEvent{e, s.ID, s.AsOf})
		return next, Published, nil
	}
	if was := r.Snapshot.LedgerHash; was != s.LedgerHash {
		reason = fmt.Sprintf("the ledger changed from %.8s to %.8s: %s", was, s.LedgerHash, reason)
	}
	if h := r.Hold; h != nil && confirms(h.Candidate, s, t.limits()) {
		next := *h
		if advanced(h.Blocks, s.Blocks, movedChains(r.Snapshot, h.Candidate, s)) {
			next.Confirmations++
			next.Blocks = s.Blocks
		}
		if next.Confirmations >= confirmations && !t.waitsForAPerson(r.Snapshot, s) {
			return r.accept(s, true), Released, nil
		}
		r.Hold = &next
		return r, Held, nil
	}
	r.Hold = &Hold{Candidate: s, Reason: reason, Since: s.AsOf, Blocks: s.Blocks}
	return r, Held, nil
}

// waitsForAPerson says whether confirmations do not release now: by another
// ledger than the published figure's they prove nothing, for a wrong formula
// gives the same figure again and again.
func (t *Token) waitsForAPerson(published, now *Snapshot) bool {
	return t.Release == ByHand || published.LedgerHash != now.LedgerHash
}

// resetConfirmations returns the record after a measurement that was rejected,
// or that the providers of a chain contradicted each other about: whatever waits has no longer been confirmed in a row. False: nothing changes.
func (r Record) resetConfirmations() (Record, bool) {
	if r.Hold == nil || r.Hold.Confirmations == 0 {
		return r, false
	}
	next := *r.Hold
	next.Confirmations = 0
	r.Hold = &next
	return r, true
}

// Release publishes the held snapshot with this id. False: it is not what is
// held now, so whoever released it has seen another one.
func (r Record) Release(candidate string) (Record, bool) {
	if r.Hold == nil || r.Hold.Candidate.ID != candidate {
		return r, false
	}
	return r.accept(r.Hold.Candidate, true), true
}

// expected finds the first expected event that lies between ref and s, lets the
// change from one to the other through, and did not let another one through.
func (r Record) expected(t *Token, ref PublishedFigures, s *Snapshot) (Event, bool) {
	for _, e := range t.Expected {
		between := !e.From.After(s.AsOf) && !e.To.Before(ref.To)
		used := slices.ContainsFunc(r.Used, func(u UsedEvent) bool { return u.same(e) })
		if between && !used && excess(ref.Figures, s.Figures, t.limits().with(e)) == "" {
			return e, true
		}
	}
	return Event{}, false
}

// limits say how much total and circulating supply may rise or fall at once. The
// other figures may do either by the larger of the two.
type limits struct{ rise, fall Percent }

func (t *Token) limits() limits { return limits{t.Limit(), t.Limit()} }

// with are the limits while e is expected.
func (l limits) with(e Event) limits {
	return limits{max(l.rise, Percent(e.Change)), max(l.fall, Percent(-e.Change))}
}

// excess says which figure changed by more than l allows, "" if none did. Burned,
// locked and reserved are measured against the total: small ones may double.
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
		if limit.allows(diff, base) {
			continue
		}
		way, of := "rises", ""
		if diff.Sign() < 0 {
			way = "falls"
		}
		if base.Cmp(before[i]) != 0 {
			of = " of the total"
		}
		return fmt.Sprintf("%s %s by %s%s, from %s to %s; at most %s passes at once",
			name, way, percentOf(diff, base), of, before[i], after[i], limit)
	}
	return ""
}

// confirms says whether s supports the candidate: by the same ledger, and
// within the limits of it.
func confirms(candidate, s *Snapshot, l limits) bool {
	return candidate.LedgerHash == s.LedgerHash && excess(candidate.Figures, s.Figures, l) == ""
}

// advanced says whether now has seen more than before of every chain that
// moved. Figures that no chain decides are as new as they will ever be.
func advanced(before, now []Block, moved map[string]bool) bool {
	seen := map[uint64]uint64{}
	for _, b := range before {
		seen[b.ChainID] = b.Number
	}
	for _, b := range now {
		if n, ok := seen[b.ChainID]; ok && b.Number <= n && (len(moved) == 0 || moved[b.Chain]) {
			return false
		}
	}
	return true
}

// movedChains names the chains whose entries differ from what was published.
// None: that cannot be said, so it may be any of them.
func movedChains(published *Snapshot, later ...*Snapshot) map[string]bool {
	moved := map[string]bool{}
	for _, s := range later {
		if s.LedgerHash != published.LedgerHash || s.Evidence == nil || published.Evidence == nil {
			return nil
		}
		for i, x := range s.Evidence.Entries { // the same ledger has the same entries
			if x.Entry.Chain != "" && x.Amount.Cmp(published.Evidence.Entries[i].Amount) != 0 {
				moved[x.Entry.Chain] = true
			}
		}
	}
	return moved
}
