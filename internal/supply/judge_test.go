package supply

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"petsupply/internal/supply/ledger"

	"github.com/ethereum/go-ethereum/common"
)

// take returns a snapshot with this total, a tenth of it locked, at a block that grows with time.
func take(total int64, at time.Time) *Snapshot {
	tenth := ledger.Amount{Units: ledger.Whole(total, 18).Units, Decimals: 19}
	circulating := ledger.Whole(total, 18).Sub(tenth)
	s := &Snapshot{Token: "gem", AsOf: at, MeasuredAt: at, LedgerHash: "ledger-one",
		Figures: Figures{ledger.Whole(total, 18), circulating, ledger.Zero(18), tenth, ledger.Zero(18)},
		Blocks:  []Block{{Chain: "first", ChainID: 1, Number: uint64(at.Unix()), Time: at}}, Evidence: &Evidence{}}
	s.name()
	return s
}

// judged judges s, which must not be rejected.
func judged(t *testing.T, r Record, s *Snapshot, want outcome) Record {
	t.Helper()
	next, outcome, err := r.Judge(&ledger.Token{Path: "gem"}, s, five)
	if err != nil || outcome != want {
		t.Fatalf("total %s at %s: %s, %v; want %s", s.Total, formatTime(s.AsOf), outcome, err, want)
	}
	return next
}

func TestFirstFigureIsPublished(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	if r.Snapshot == nil || r.Hold != nil {
		t.Errorf("the record is %+v", r)
	}
}

func TestChangeBeyondMaxChangeUpOrDownIsHeld(t *testing.T) {
	for total, want := range map[int64]outcome{
		1000: outcomePublished, 1100: outcomePublished, 900: outcomePublished, 1101: outcomeHeld, 899: outcomeHeld,
		500: outcomeHeld, 1500: outcomeHeld, 1: outcomeHeld,
	} {
		t.Run(fmt.Sprint(total), func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), outcomePublished)
			next := judged(t, r, take(total, day.Add(time.Minute)), want)
			if want == outcomeHeld &&
				(next.Snapshot != r.Snapshot || next.Hold == nil ||
					next.Hold.Candidate.Total.Cmp(ledger.Whole(total, 18)) != 0) {
				t.Errorf("the old figure does not stay: %+v", next)
			}
			if want == outcomeHeld && !strings.Contains(next.Hold.Reason, "more than 10% at once is held") {
				t.Errorf("the reason is %q", next.Hold.Reason)
			}
		})
	}
}

func TestReasonsRoundPercentagesToTheNearest(t *testing.T) {
	old := take(1_000_000_000, day).Figures
	for total, want := range map[int64]string{
		1_060_870_000: "total rises by 6.09%,",
		1_060_849_999: "total rises by 6.08%,",
		1_060_850_000: "total rises by 6.09%,",
		939_130_000:   "total falls by 6.09%,",
		1_030_060_000: "total rises by 3.01%,",
		1_030_040_000: "total rises by more than 3%,",
		1_030_000_001: "total rises by more than 3%,",
		969_999_999:   "total falls by more than 3%,",
		2_000_000_000: "total rises by 100%,",
	} {
		now := old
		now.Total = ledger.Whole(total, 18)
		got := excess(old, now, limits{30_000, 30_000})
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "; a change of more than 3% at once is held") {
			t.Errorf("%d: %q, want %q", total, got, want)
		}
	}
	old.Total, old.Circulating = ledger.Zero(18), ledger.Zero(18)
	if got := excess(old, take(5, day).Figures, limits{30_000, 30_000}); !strings.Contains(got, " rises, from 0 to ") {
		t.Errorf("the reason of a rise from 0 is %q", got)
	}
}

func TestEachFigureIsJudged(t *testing.T) {
	base := take(1000, day)
	for name, change := range map[string]func(*Figures){
		"circulating": func(f *Figures) { f.Circulating = ledger.Whole(800, 18) },
		"burned":      func(f *Figures) { f.Burned = ledger.Whole(101, 18) },
		"locked":      func(f *Figures) { f.Locked = ledger.Whole(201, 18) },
		"reserved":    func(f *Figures) { f.Reserved = ledger.Whole(101, 18) },
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, base, outcomePublished)
			s := take(1000, day.Add(time.Minute))
			change(&s.Figures)
			if next := judged(t, r, s, outcomeHeld); !strings.HasPrefix(next.Hold.Reason, name+" ") {
				t.Errorf("the reason is %q", next.Hold.Reason)
			}
		})
	}
}

func TestComparedWithAllFiguresPublishedWithinTheLastHour(t *testing.T) {
	// The figure rises by 4% every ten minutes. Each step is small, but the third figure is 12%
	// above the figure of half an hour before.
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(1040, day.Add(10*time.Minute)), outcomePublished)
	r = judged(t, r, take(1080, day.Add(20*time.Minute)), outcomePublished)
	r = judged(t, r, take(1120, day.Add(30*time.Minute)), outcomeHeld)
	// A figure that is more than an hour old no longer counts.
	judged(t, r, take(1120, day.Add(61*time.Minute)), outcomePublished)
	// A return from 905 to 1000 is a rise of 10.5%. Once it is released, 905 no longer counts.
	r = judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(905, day.Add(10*time.Minute)), outcomePublished)
	for m := range 5 {
		r = judged(t, r, take(1000, day.Add(time.Duration(11+m)*time.Minute)), outcomeHeld)
	}
	r = judged(t, r, take(1000, day.Add(16*time.Minute)), outcomeReleased)
	judged(t, r, take(1001, day.Add(65*time.Minute)), outcomePublished)
}

func TestFigureThatStaysIsPublishedAgainEachTime(t *testing.T) {
	// 1000 was measured until 59 minutes ago, so it is the oldest figure of the hour, although it
	// was first published long before.
	r := Record{}
	for m := range 300 {
		r = judged(t, r, take(1000, day.Add(time.Duration(m)*time.Minute)), outcomePublished)
	}
	r = judged(t, r, take(1080, day.Add(300*time.Minute)), outcomePublished)
	judged(t, r, take(1110, day.Add(358*time.Minute)), outcomeHeld)
}

func TestComparedWithTheLastGoodFigureIfThatIsOlderAndNotProRated(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	// A change within a month is held like one within a minute.
	judged(t, r, take(1101, day.Add(30*24*time.Hour)), outcomeHeld)
	judged(t, r, take(1099, day.Add(30*24*time.Hour)), outcomePublished)
}

func TestRecentFiguresAreBoundedHoweverOftenTheyAreMeasured(t *testing.T) {
	r := Record{}
	for s := range 2 * 3600 {
		r = judged(t, r, take(1_000_000+int64(s%7), day.Add(time.Duration(s)*time.Second)), outcomePublished)
	}
	if n := len(r.Recent); n > 62 {
		t.Errorf("%d rows are kept for an hour, want at most one a minute", n)
	}
}

func TestHeldIsReleasedByEnoughFurtherMeasurementsInARow(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	at := day.Add(time.Minute)
	r = judged(t, r, take(2000, at), outcomeHeld)
	for i := range 4 {
		at = at.Add(time.Minute)
		r = judged(t, r, take(2001+int64(i), at), outcomeHeld)
		if r.Hold.Confirmations != i+1 {
			t.Fatalf("after %d further ones %d agreed", i+1, r.Hold.Confirmations)
		}
	}
	at = at.Add(time.Minute)
	r = judged(t, r, take(2006, at), outcomeReleased)
	if r.Hold != nil || r.Snapshot.Total.Cmp(ledger.Whole(2006, 18)) != 0 {
		t.Fatalf("published %s, held %v; want the newest, 2006", r.Snapshot.Total, r.Hold)
	}
	judged(t, r, take(2010, at.Add(time.Minute)), outcomePublished) // it is no longer compared with 1000
}

func TestConfirmationsReleaseOnlyAfterHoldFor(t *testing.T) {
	rules := Rules{Confirmations: 2, HoldFor: 10 * time.Minute}
	seconds := func(s int) time.Time { return day.Add(time.Duration(s) * time.Second) }
	ahead := func(total int64, s int, by time.Duration) *Snapshot { // our clock is ahead of the chain by this much
		n := take(total, seconds(s))
		n.MeasuredAt = n.MeasuredAt.Add(by)
		return n
	}
	tests := map[string]struct {
		held, later *Snapshot
		want        outcome
	}{
		"soon":                             {take(2000, seconds(60)), take(2000, seconds(659)), outcomeHeld},
		"in time":                          {take(2000, seconds(60)), take(2000, seconds(660)), outcomeReleased},
		"by our clock, which jumped ahead": {take(2000, seconds(60)), ahead(2000, 90, time.Hour), outcomeHeld},
		"after our clock ran ahead":        {ahead(2000, 60, time.Hour), take(2000, seconds(660)), outcomeHeld},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), outcomePublished)
			var got outcome
			for _, s := range []*Snapshot{test.held, take(2000, seconds(61)), take(2000, seconds(62)), test.later} {
				var err error
				if r, got, err = r.Judge(&ledger.Token{Path: "gem"}, s, rules); err != nil {
					t.Fatal(err)
				}
			}
			if got != test.want {
				t.Errorf("it is %s", got)
			}
		})
	}
}

func TestMeasurementsThatDoNotConfirmResetTheCount(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(2000, day.Add(1*time.Minute)), outcomeHeld)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), outcomeHeld)
	r = judged(t, r, take(3000, day.Add(3*time.Minute)), outcomeHeld)
	if r.Hold.Confirmations != 0 || r.Hold.Candidate.Total.Cmp(ledger.Whole(3000, 18)) != 0 {
		t.Errorf("held %s with %d agreed, want 3000 with 0", r.Hold.Candidate.Total, r.Hold.Confirmations)
	}
	r = judged(t, r, take(1001, day.Add(4*time.Minute)), outcomePublished)
	if r.Hold != nil {
		t.Error("a good figure did not end the hold")
	}
}

func TestARejectedMeasurementResetsConfirmations(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	if _, changed := r.resetConfirmations(); changed {
		t.Error("nothing is held, but the record changed")
	}
	r = judged(t, r, take(2000, day.Add(1*time.Minute)), outcomeHeld)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), outcomeHeld)
	next, changed := r.resetConfirmations()
	if !changed || next.Hold.Confirmations != 0 || next.Hold.Candidate != r.Hold.Candidate || r.Hold.Confirmations != 1 {
		t.Errorf("%d agreed after a rejected measurement, want 0 of the same candidate", next.Hold.Confirmations)
	}
}

func TestSlowDriftOfACandidateDoesNotConfirmIt(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(2000, day.Add(time.Minute)), outcomeHeld)
	r = judged(t, r, take(2150, day.Add(2*time.Minute)), outcomeHeld)
	r = judged(t, r, take(2300, day.Add(3*time.Minute)), outcomeHeld) // 15% from the candidate, 7% from the last
	if r.Hold.Confirmations != 0 {
		t.Errorf("%d agreed", r.Hold.Confirmations)
	}
}

func TestMeasurementAtTheSameBlocksConfirmsNothing(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(2000, day.Add(time.Minute)), outcomeHeld)
	for i := range 10 {
		s := take(2000, day.Add(time.Minute))
		s.AsOf = s.AsOf.Add(time.Duration(i+1) * time.Second)
		r = judged(t, r, s, outcomeHeld)
	}
	if r.Hold.Confirmations != 0 {
		t.Errorf("%d agreed at one and the same block", r.Hold.Confirmations)
	}
}

func TestHeldIsReleasedByADatedExpectedEvent(t *testing.T) {
	event := ledger.Event{From: day.Add(time.Hour), To: day.Add(2 * time.Hour), Change: 300_000, Reason: "Season unlock"}
	for name, c := range map[string]struct {
		seen, at time.Time // times of the old and the new figure
		total    int64
		want     outcome
	}{
		"before the event":                 {day, day.Add(59 * time.Minute), 1200, outcomeHeld},
		"during it":                        {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 1200, outcomePublished},
		"during it, the other way":         {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 800, outcomeHeld},
		"during it, the other way, little": {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 901, outcomePublished},
		"during it, beyond its change":     {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 1301, outcomeHeld},
		"after it, from a figure before":   {day, day.Add(48 * time.Hour), 1200, outcomePublished},
		"after it, from a figure after it": {day.Add(3 * time.Hour), day.Add(4 * time.Hour), 1200, outcomeHeld},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, take(1000, c.seen), outcomePublished)
			_, got, err := r.Judge(&ledger.Token{Path: "gem", Expected: []ledger.Event{event}}, take(c.total, c.at), five)
			if err != nil || got != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestAnExpectedFallLetsNoRiseThrough(t *testing.T) {
	token := &ledger.Token{Path: "gem",
		Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: -300_000, Reason: "Burn"}}}
	for total, want := range map[int64]outcome{700: outcomePublished, 699: outcomeHeld, 1100: outcomePublished,
		1101: outcomeHeld, 1300: outcomeHeld} {
		r := judged(t, Record{}, take(1000, day), outcomePublished)
		if _, got, err := r.Judge(token, take(total, day.Add(time.Minute)), five); err != nil || got != want {
			t.Errorf("%d: %s, %v; want %s", total, got, err, want)
		}
	}
}

func TestAnExpectedUnlockLetsTheLockedSupplyFall(t *testing.T) {
	// An unlock only moves tokens out of one bucket. Only total and circulating follow the event's
	// direction.
	token := &ledger.Token{Path: "gem",
		Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: 300_000, Reason: "Unlock"}}}
	before, after := take(1000, day), take(1000, day.Add(time.Minute))
	before.Locked, before.Circulating = ledger.Whole(300, 18), ledger.Whole(700, 18)
	after.Locked, after.Circulating = ledger.Whole(100, 18), ledger.Whole(900, 18)
	r := judged(t, Record{}, before, outcomePublished)
	if _, got, err := r.Judge(token, after, five); err != nil || got != outcomePublished {
		t.Errorf("the outcome is %s, %v", got, err)
	}
}

func TestAnExpectedBurnLetsTheBurnedSupplyRise(t *testing.T) {
	// Burned rises by as much as the total falls. The larger of both limits applies to it.
	token := &ledger.Token{Path: "gem",
		Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: -300_000, Reason: "Burn"}}}
	for burned, want := range map[int64]outcome{300: outcomePublished, 301: outcomeHeld} {
		t.Run(fmt.Sprint(burned), func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), outcomePublished)
			after := take(700, day.Add(time.Minute))
			after.Burned = ledger.Whole(burned, 18)
			if _, got, err := r.Judge(token, after, five); err != nil || got != want {
				t.Errorf("%s, %v; want %s", got, err, want)
			}
		})
	}
}

func TestAnExpectedEventIsUsedUpByTheFirstChangeItLetsThrough(t *testing.T) {
	token := &ledger.Token{Path: "gem",
		Expected: []ledger.Event{{From: day, To: day.Add(24 * time.Hour), Change: 300_000, Reason: "Season unlock"}}}
	judge := func(r Record, s *Snapshot, want outcome) Record {
		t.Helper()
		text, err := json.Marshal(r) // as the store keeps it
		if err != nil {
			t.Fatal(err)
		}
		var kept Record
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		next, got, err := kept.Judge(token, s, five)
		if err != nil || got != want {
			t.Fatalf("%s at %s: %s, %v; want %s", s.Total, formatTime(s.AsOf), got, err, want)
		}
		return next
	}
	at := day
	later := func(d time.Duration) time.Time { at = at.Add(d); return at }
	r := judge(Record{}, take(1000, at), outcomePublished)
	r = judge(r, take(1050, later(time.Minute)), outcomePublished) // within max_change, so the event is not needed
	if len(r.Used) != 0 {
		t.Errorf("used: %+v", r.Used)
	}
	r = judge(r, take(1300, later(time.Minute)), outcomePublished)
	if len(r.Used) != 1 || r.Used[0].Snapshot != r.Snapshot.ID || r.Used[0].Reason != "Season unlock" {
		t.Fatalf("used: %+v", r.Used)
	}
	r = judge(r, take(1301, later(time.Minute)), outcomePublished) // not compared with anything older
	r = judge(r, take(1690, later(2*time.Hour)), outcomeHeld)      // another rise of 30 % on the same day
	token.Expected[0].Reason = "said better"
	r = judge(r, take(1690, later(time.Minute)), outcomeHeld) // still the same event
	token.Expected = append(token.Expected,
		ledger.Event{From: day, To: day.Add(25 * time.Hour), Change: 300_000, Reason: "A second one"})
	if r = judge(r, take(1690, later(time.Minute)), outcomePublished); len(r.Used) != 2 {
		t.Errorf("used: %+v", r.Used)
	}
}

func TestAnExpectedChangeSaysItsDirection(t *testing.T) {
	for text, want := range map[string]ledger.SignedPercent{"+30%": 300_000, "-30%": -300_000, "+2.5%": 25_000} {
		var p ledger.SignedPercent
		if err := p.UnmarshalText([]byte(text)); err != nil || p != want || p.String() != text {
			t.Errorf("%s is read as %d (%s), %v", text, p, p, err)
		}
	}
	for _, text := range []string{"30%", "", "+", "-", "+-30%", "--30%", "+30", "+0%", "-101%", "30%+"} {
		var p ledger.SignedPercent
		if err := p.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "+30%") {
			t.Errorf("%q is read as %s, %v", text, p, err)
		}
	}
}

func TestHeldIsReleasedByHand(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(2000, day.Add(time.Minute)), outcomeHeld)
	if _, ok := r.Decide(Decision{Kind: Release, Subject: "another"}); ok {
		t.Error("the release of another figure let this one through")
	}
	if _, ok := (Record{}).Decide(Decision{Kind: Release}); ok {
		t.Error("nothing was held, and released")
	}
	next, ok := r.Decide(Decision{Kind: Release, Subject: r.Hold.Candidate.ID})
	if !ok || next.Hold != nil || next.Snapshot != r.Hold.Candidate {
		t.Fatalf("released: %v, %+v", ok, next)
	}
	judged(t, next, take(2001, day.Add(2*time.Minute)), outcomePublished)
}

// byOther is take with another ledger.
func byOther(total int64, at time.Time) *Snapshot {
	s := take(total, at)
	s.LedgerHash = "ledger-two"
	return s
}

func TestChangedLedgerIsHeldUnlessItsFigureIsWithinMaxChange(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	judged(t, r, byOther(1050, day.Add(time.Minute)), outcomePublished)
	r = judged(t, r, byOther(1200, day.Add(time.Minute)), outcomeHeld)
	if !strings.Contains(r.Hold.Reason, "ledger changed") {
		t.Errorf("the reason is %q", r.Hold.Reason)
	}
	// The same figure with the old ledger does not confirm the new one.
	again := judged(t, r, take(1200, day.Add(2*time.Minute)), outcomeHeld)
	if again.Hold.Confirmations != 0 {
		t.Error("a measurement by another ledger confirmed it")
	}
}

func TestAHeldFigureByAChangedLedgerWaitsForAPerson(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, byOther(1200, day.Add(time.Minute)), outcomeHeld)
	seen := r.Hold.Candidate.ID
	for i := range 100 { // a wrong formula stays wrong
		r = judged(t, r, byOther(1200, day.Add(time.Duration(i+2)*time.Minute)), outcomeHeld)
	}
	next, ok := r.Decide(Decision{Kind: Release, Subject: seen})
	if !ok || next.Snapshot.LedgerHash != "ledger-two" {
		t.Fatal("the release of the first held figure does not count")
	}
	// From then on the new ledger is treated like any other.
	judged(t, next, byOther(1201, day.Add(200*time.Minute)), outcomePublished)
}

func TestAChangedLedgerIsReleasedByAnExpectedEvent(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	token := &ledger.Token{Path: "gem",
		Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: 300_000, Reason: "Another ledger"}}}
	if _, outcome, err := r.Judge(token, byOther(1200, day.Add(time.Minute)), five); err != nil ||
		outcome != outcomePublished {
		t.Errorf("the outcome is %s, %v", outcome, err)
	}
}

func TestReleaseByHandSwitchesConfirmationsOff(t *testing.T) {
	token := &ledger.Token{Path: "gem", Release: ledger.ByHand}
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	for i := range 100 {
		next, outcome, err := r.Judge(token, take(2000, day.Add(time.Duration(i+1)*time.Minute)), five)
		if err != nil || outcome != outcomeHeld {
			t.Fatalf("measurement %d: %s, %v", i, outcome, err)
		}
		r = next
	}
	if next, ok := r.Decide(Decision{Kind: Release, Subject: r.Hold.Candidate.ID}); !ok || next.Hold != nil {
		t.Error("an operator cannot release it either")
	}
}

func TestHeightAndTimeNeverGoBack(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	for name, change := range map[string]func(*Snapshot){
		"height": func(s *Snapshot) { s.Blocks[0].Number = uint64(day.Unix()) - 1 },
		"block time": func(s *Snapshot) {
			s.Blocks[0].Number, s.Blocks[0].Time = uint64(day.Unix())+1, day.Add(-time.Second)
		},
		"the moment": func(s *Snapshot) { s.AsOf = day.Add(-time.Millisecond) },
	} {
		t.Run(name, func(t *testing.T) {
			s := take(1000, day.Add(time.Minute))
			change(s)
			next, outcome, err := r.Judge(&ledger.Token{Path: "gem"}, s, five)
			if !errors.Is(err, ErrRejected) || outcome != outcomeRejected || next.Snapshot != r.Snapshot {
				t.Errorf("the outcome is %s, %v", outcome, err)
			}
		})
	}
	same := take(1000, day.Add(time.Minute))
	same.Blocks, same.AsOf = r.Snapshot.Blocks, r.Snapshot.AsOf
	judged(t, r, same, outcomePublished) // an unchanged height is not a step back
	held := judged(t, r, take(2000, day.Add(2*time.Minute)), outcomeHeld)
	if _, _, err := held.Judge(&ledger.Token{Path: "gem"}, take(2000, day.Add(time.Minute)), five); !errors.Is(err,
		ErrRejected) {
		t.Errorf("behind what is held: %v", err)
	}
}

func TestDecimalsAreRememberedAtFirstAcceptanceAndAChangeRejects(t *testing.T) {
	token, w := gem(t)
	chains := map[string]Chain{"first": w}
	r, _, err := Record{}.Judge(&token, measured(t, token, chains, day), five)
	if err != nil {
		t.Fatal(err)
	}
	contract := common.HexToAddress(token.Ledger[0].ERC20)
	if d, ok := r.Decimals["1/"+contract.Hex()]; !ok || d != 18 {
		t.Fatalf("remembered are %v", r.Decimals)
	}
	text, err := json.Marshal(r) // as the store keeps it
	if err != nil {
		t.Fatal(err)
	}
	var kept Record
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	w.advance(1)
	w.set(t, token.Ledger[0], "1000", 6) // the same quantity with other decimals
	w.set(t, token.Ledger[1], "100", 6)
	_, outcome, err := kept.Judge(&token, measured(t, token, chains, day.Add(time.Minute)), five)
	if !errors.Is(err, ErrRejected) || outcome != outcomeRejected || !strings.Contains(err.Error(), "from 18 to 6") {
		t.Errorf("%s, %v; want decimals rejected", outcome, err)
	}
}

func TestHeldSurvivesTheStore(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(2000, day.Add(time.Minute)), outcomeHeld)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), outcomeHeld)
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var kept Record
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	if kept.Hold == nil || kept.Hold.Confirmations != 1 || kept.Hold.Candidate.ID != r.Hold.Candidate.ID {
		t.Fatalf("held is %+v", kept.Hold)
	}
	if LeafHash(kept.Snapshot.Leaf()) != r.Snapshot.ID {
		t.Error("the snapshot's content changed on its way through JSON")
	}
	kept = judged(t, kept, take(2000, day.Add(3*time.Minute)), outcomeHeld)
	if kept.Hold.Confirmations != 2 {
		t.Errorf("%d agreed, want 2", kept.Hold.Confirmations)
	}
}

// onBoth returns a snapshot of a token with an entry on each of two chains, at these heights.
func onBoth(first, second int64, height1, height2 uint64, at time.Time) *Snapshot {
	s := take(first+second, at)
	entry := func(chain string, n int64) EvidenceEntry {
		return EvidenceEntry{Entry: ledger.Entry{Label: chain, Bucket: ledger.Issued, Chain: chain},
			Amount: ledger.Whole(n, 18), Counted: true}
	}
	s.Evidence = &Evidence{Entries: []EvidenceEntry{entry("first", first), entry("second", second)}}
	s.Blocks = []Block{{Chain: "first", ChainID: 1, Number: height1, Time: day},
		{Chain: "second", ChainID: 2, Number: height2, Time: day}}
	s.name()
	return s
}

func TestAMeasurementConfirmsOnlyWhereEveryChainThatMovedHasAdvanced(t *testing.T) {
	for name, c := range map[string]struct {
		first, second int64  // amounts of the candidate; 500 each are published
		up1, up2      uint64 // blocks from one measurement to the next
		want          int    // how many of three measurements confirm it
	}{
		"only the other chain advances":      {500, 1000, 1, 0, 0},
		"the chain that moved advances":      {500, 1000, 0, 1, 3},
		"both moved and one advances":        {800, 1000, 1, 0, 0},
		"both moved and both advance":        {800, 1000, 1, 1, 3},
		"neither advances":                   {500, 1000, 0, 0, 0},
		"one that did not move stands still": {1000, 500, 1, 0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, onBoth(500, 500, 10, 10, day), outcomePublished)
			for i := range 4 {
				n := uint64(i)
				r = judged(t, r,
					onBoth(c.first, c.second, 11+n*c.up1, 11+n*c.up2, day.Add(time.Duration(i+1)*time.Minute)),
					outcomeHeld)
			}
			if r.Hold.Confirmations != c.want {
				t.Errorf("%d of 3 measurements confirm, want %d", r.Hold.Confirmations, c.want)
			}
		})
	}
}
