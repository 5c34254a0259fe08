package supply

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// A Record has everything about one token that must survive a restart. The leader always replaces
// it as a whole. The values that Snapshot and Hold point to never change.
type Record struct {
	Token string `json:"token"`
	Seq   int64  `json:"-"` // sequence number of the write, over all tokens; set by the store
	// Ledgers has the versions of the ledger of all published figures, oldest first. The store keeps
	// them apart from the record.
	Ledgers  []ledger.Version `json:"-"`
	Snapshot *Snapshot        `json:"snapshot"` // the last good snapshot
	// Correction says that Snapshot is wrong, so its figures are withdrawn. nil means that it is
	// not corrected.
	Correction *Correction `json:"correction,omitempty"`
	// Repeated has the ids of the snapshots directly before Snapshot that have the same figures and
	// ledger, at most maxRepeated.
	Repeated []string `json:"repeated,omitempty"`
	// Before has the last figures that were published before those of Snapshot and not withdrawn.
	// nil means that there are none.
	Before *publishedFigures `json:"before,omitempty"`
	// Confirmed is when a measurement last gave the figures of Snapshot, by our clock.
	Confirmed time.Time `json:"confirmed,omitzero"`
	// Failed says why the newest measurements gave no figure. nil means that the newest one did.
	Failed   *Failure           `json:"failed,omitempty"`
	Hold     *Hold              `json:"held,omitempty"`
	Recent   []publishedFigures `json:"recent"`   // figures published in the last hour, oldest first
	Decimals map[string]int     `json:"decimals"` // by erc20 contract ("chainId/address"), as first accepted
	Begun    []begunEvent       `json:"begun,omitempty"`
	// AnyHeight says that an operator reported a replaced chain. Then the blocks of the next
	// published figure are allowed to be lower or earlier than before.
	AnyHeight bool `json:"anyHeight,omitempty"`
}

// A begunEvent is an expected event that has begun, and the last figures that were published before
// it.
type begunEvent struct {
	Event  ledger.Event     `json:"event"`
	Before publishedFigures `json:"before"`
}

// A Failure says that the newest measurements, one or more in a row, gave no figure: a chain could
// not be read, or the measurement was rejected.
type Failure struct {
	Reason string    `json:"reason"` // of the last of them; public
	Since  time.Time `json:"since"`  // when the first of them failed
	Times  int       `json:"times"`
}

// maxReason limits the reason of a failure, in bytes.
const maxReason = 1000

// fail returns the record after a measurement at now failed with err. Agreement with a held figure
// counts from the beginning again if the measurement was rejected, or if providers disagreed.
func (r Record) fail(err error, now time.Time) Record {
	next := Failure{Reason: strings.TrimSuffix(err.Error(), ": "+ErrRejected.Error()), Since: now, Times: 1}
	if len(next.Reason) > maxReason {
		next.Reason = strings.ToValidUTF8(next.Reason[:maxReason], "") + "…"
	}
	if was := r.Failed; was != nil {
		next.Since = was.Since
		next.Times += was.Times
	}
	r.Failed = &next
	if r.Hold != nil && (errors.Is(err, ErrRejected) || errors.Is(err, evm.ErrDisagree)) {
		hold := *r.Hold
		hold.From = time.Time{}
		hold.Last = stamps{}
		hold.Sum = 0
		r.Hold = &hold
	}
	return r
}

// A Hold is a measurement that is not published yet, because it differs too much from published
// figures.
type Hold struct {
	Candidate *Snapshot `json:"candidate"`
	Reason    string    `json:"reason"` // public
	Since     time.Time `json:"since"`
	// From is the AsOf from which measurements have agreed with Candidate, and Last is the last that
	// did, at first Candidate itself. Both are zero after a rejected measurement. Sum adds up the
	// time between them by our clock.
	From time.Time     `json:"from"`
	Last stamps        `json:"last"`
	Sum  time.Duration `json:"sum"`
}

// stamps are when a snapshot was measured, and for what time.
type stamps struct {
	MeasuredAt time.Time `json:"measuredAt"`
	AsOf       time.Time `json:"asOf"`
}

func stampsOf(s *Snapshot) stamps { return stamps{s.MeasuredAt, s.AsOf} }

// publishedFigures are figures with the time in which they were in force. The fields From and To
// are the first and the last moment of that time, as block times.
type publishedFigures struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	Figures
	Bridges map[string]ledger.Amount `json:"bridges,omitempty"` // by burn-and-mint bridge: the sum of all sides
}

// publishedBy returns the figures of s, in force only at the time s.AsOf.
func publishedBy(s *Snapshot) publishedFigures {
	return publishedFigures{From: s.AsOf, To: s.AsOf, Figures: s.Figures, Bridges: s.Evidence.bridgeSums()}
}

// compareWindow is how long a published figure is compared with new ones.
const compareWindow = time.Hour

// remember adds s to the figures of the last hour, and drops older ones. If the last row began in
// the same minute as s, or has the same figures, remember only extends that row. So the number of
// rows is bounded, however often tokens are measured.
func remember(recent []publishedFigures, s *Snapshot) []publishedFigures {
	var rows []publishedFigures
	for _, p := range recent {
		if !p.To.Before(s.AsOf.Add(-compareWindow)) && !p.From.After(s.AsOf) {
			p.To = earlier(p.To, s.AsOf)
			rows = append(rows, p)
		}
	}
	if n := len(rows); n > 0 {
		last := &rows[n-1]
		if last.Figures.Equal(s.Figures) || last.From.Truncate(time.Minute).Equal(s.AsOf.Truncate(time.Minute)) {
			last.To = s.AsOf
			return rows
		}
	}
	return append(rows, publishedBy(s))
}

// withdraw returns the record after Snapshot was found to be wrong.
func (r Record) withdraw(c Correction) Record {
	r.Correction = &c
	r.Recent = slices.DeleteFunc(slices.Clone(r.Recent), func(p publishedFigures) bool {
		return p.Figures.Equal(r.Snapshot.Figures)
	})
	r.Begun = slices.DeleteFunc(slices.Clone(r.Begun), func(b begunEvent) bool {
		return b.Before.Figures.Equal(r.Snapshot.Figures)
	})
	return r
}

// withdrawn reports whether s has the figures and the ledger of a withdrawn snapshot.
func (r Record) withdrawn(s *Snapshot) bool { return r.Correction != nil && s.sameAs(r.Snapshot) }

// references returns the figures that a measurement at now is compared with: all of the last hour,
// oldest first. If there are none, it returns the last good figures. It never returns withdrawn
// figures.
func (r Record) references(now time.Time) []publishedFigures {
	hourAgo := now.Add(-compareWindow)
	if i := slices.IndexFunc(r.Recent, func(p publishedFigures) bool { return !p.To.Before(hourAgo) }); i >= 0 {
		return r.Recent[i:]
	}
	switch {
	case r.Snapshot != nil && r.Correction == nil:
		return []publishedFigures{publishedBy(r.Snapshot)}
	case r.Before != nil:
		return []publishedFigures{*r.Before}
	}
	return nil
}

// check rejects a snapshot that contradicts earlier ones. The blocks of a chain never go back and
// decimals never change, unless an operator allowed it. AsOf never goes back, unless the published
// one came from a clock that was ahead.
func (r Record) check(s *Snapshot) error {
	var earlier []Block
	if r.Snapshot != nil {
		earlier = r.Snapshot.Blocks
	}
	if r.Hold != nil {
		earlier = slices.Concat(earlier, r.Hold.Candidate.Blocks)
	}
	// This check comes first, because its error names the chain and the remedy.
	if err := rejectRegression(earlier, s.Blocks); err != nil && !r.AnyHeight {
		return err
	}
	// Ignore a published AsOf in the future, which came from a clock that was ahead.
	if r.Snapshot != nil && s.AsOf.Before(r.Snapshot.AsOf) && !r.Snapshot.AsOf.After(s.MeasuredAt) {
		return fmt.Errorf("the chains were read as of %s, before the published figure's time %s: %w",
			formatMillis(s.AsOf), formatMillis(r.Snapshot.AsOf), ErrRejected)
	}
	for key, now := range s.Evidence.contractDecimals() {
		if then, ok := r.Decimals[key]; ok && then != now {
			return fmt.Errorf("%w: decimals() of %s went from %d to %d; "+
				"if the contract was replaced, see petsupply release --accept decimals", ErrRejected, key, then, now)
		}
	}
	return nil
}

// rejectRegression rejects blocks that are lower or older than known ones of the same chain.
func rejectRegression(earlier, now []Block) error {
	for _, a := range earlier {
		for _, b := range now {
			if a.ChainID == b.ChainID && (b.Number < a.Number || b.Time.Before(a.Time)) {
				return fmt.Errorf("%w: %s went back from block %d (%s) to %d (%s); "+
					"if the chain was replaced, see petsupply release --accept heights", ErrRejected, b.Chain, a.Number,
					formatTime(a.Time), b.Number, formatTime(b.Time))
			}
		}
	}
	return nil
}

// maxRepeated limits Record.Repeated.
const maxRepeated = 20

// accept returns the record with s as the last good snapshot. If forget is true, it drops the
// figures of the last hour, so that later figures are compared with s and not with those before it.
func (r Record) accept(s *Snapshot, forget bool) Record {
	if forget {
		r.Recent = nil
	}
	switch old := r.Snapshot; {
	case s.sameAs(old):
		r.Repeated = append(slices.Clone(r.Repeated[max(0, len(r.Repeated)-maxRepeated+1):]), old.ID)
	default:
		if old != nil && r.Correction == nil {
			before := publishedBy(old)
			r.Before = &before
		}
		r.Correction = nil
		r.Repeated = nil
	}
	r.Snapshot = s
	r.Confirmed = s.MeasuredAt
	r.AnyHeight = false
	r.Hold = nil
	r.Recent = remember(r.Recent, s)
	known := s.Evidence.contractDecimals()
	maps.Copy(known, r.Decimals) // the first accepted values stay
	r.Decimals = known
	return r
}

// confirm returns the record after a snapshot s that repeats the published or withdrawn figures.
func (r Record) confirm(s *Snapshot) Record {
	r.Confirmed = s.MeasuredAt
	r.Hold = nil
	if r.Correction == nil {
		r.Recent = remember(r.Recent, s)
	}
	return r
}

// repeats reports whether s has the published figures and ledger, and was measured within the given
// time after the published snapshot. Then nothing new is published.
func (r Record) repeats(s *Snapshot, within time.Duration) bool {
	old := r.Snapshot
	if r.AnyHeight || !s.sameAs(old) {
		return false
	}
	since := s.MeasuredAt.Sub(old.MeasuredAt)
	return since >= 0 && since < within
}

// publishes reports whether the change from r to next publishes another snapshot.
func (r Record) publishes(next Record) bool {
	return next.Snapshot != nil && (r.Snapshot == nil || r.Snapshot.ID != next.Snapshot.ID)
}

// snapshots returns the published snapshot and the held one, as far as there are any.
func (r Record) snapshots() (list []*Snapshot) {
	if r.Snapshot != nil {
		list = append(list, r.Snapshot)
	}
	if r.Hold != nil {
		list = append(list, r.Hold.Candidate)
	}
	return list
}

// has reports whether s is the published or the held snapshot.
func (r Record) has(s *Snapshot) bool {
	return slices.ContainsFunc(r.snapshots(), func(n *Snapshot) bool { return n.ID == s.ID })
}

// brings returns the snapshot that next publishes or holds and r does not have, or nil.
func (r Record) brings(next Record) *Snapshot {
	for _, s := range next.snapshots() {
		if !r.has(s) {
			return s
		}
	}
	return nil
}
