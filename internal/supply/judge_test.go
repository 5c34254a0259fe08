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

// take is a snapshot with this total, a tenth of it locked, at a block that
// grows with time.
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
func judged(t *testing.T, r Record, s *Snapshot, want Outcome) Record {
	t.Helper()
	next, outcome, err := r.Judge(&ledger.Token{Path: "gem"}, s, five)
	if err != nil || outcome != want {
		t.Fatalf("total %s at %s: %s, %v; want %s", s.Total, formatTime(s.AsOf), outcome, err, want)
	}
	return next
}

func TestFirstFigureIsPublished(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	if r.Snapshot == nil || r.Hold != nil {
		t.Errorf("the record is %+v", r)
	}
}

func TestChangeBeyondMaxChangeUpOrDownIsHeld(t *testing.T) {
	for total, want := range map[int64]Outcome{
		1000: Published, 1100: Published, 900: Published, 1101: Held, 899: Held, 500: Held, 1500: Held, 1: Held,
	} {
		t.Run(fmt.Sprint(total), func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), Published)
			next := judged(t, r, take(total, day.Add(time.Minute)), want)
			if want == Held && (next.Snapshot != r.Snapshot || next.Hold == nil || next.Hold.Candidate.Total.Cmp(ledger.Whole(total, 18)) != 0) {
				t.Errorf("the old figure does not stay: %+v", next)
			}
			if want == Held && !strings.Contains(next.Hold.Reason, "at most 10%") {
				t.Errorf("the reason is %q", next.Hold.Reason)
			}
		})
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
			r := judged(t, Record{}, base, Published)
			s := take(1000, day.Add(time.Minute))
			change(&s.Figures)
			if next := judged(t, r, s, Held); !strings.HasPrefix(next.Hold.Reason, name+" ") {
				t.Errorf("the reason is %q", next.Hold.Reason)
			}
		})
	}
}

func TestComparedWithTheOldestFigurePublishedWithinTheLastHour(t *testing.T) {
	// 4% every ten minutes: each step is small, but the third is 12% above
	// what was published half an hour before.
	r := judged(t, Record{}, take(1000, day), Published)
	r = judged(t, r, take(1040, day.Add(10*time.Minute)), Published)
	r = judged(t, r, take(1080, day.Add(20*time.Minute)), Published)
	r = judged(t, r, take(1120, day.Add(30*time.Minute)), Held)
	// Once the first is more than an hour old it counts no longer.
	judged(t, r, take(1120, day.Add(61*time.Minute)), Published)
}

func TestFigureThatStaysIsPublishedAgainEachTime(t *testing.T) {
	// 1000 was measured until 59 minutes ago: it is the oldest of the hour,
	// although it was first published long before.
	r := Record{}
	for m := range 300 {
		r = judged(t, r, take(1000, day.Add(time.Duration(m)*time.Minute)), Published)
	}
	r = judged(t, r, take(1080, day.Add(300*time.Minute)), Published)
	judged(t, r, take(1110, day.Add(358*time.Minute)), Held)
}

func TestComparedWithTheLastGoodFigureIfThatIsOlderAndNotProRated(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	judged(t, r, take(1101, day.Add(30*24*time.Hour)), Held) // a month's change is held like a minute's
	judged(t, r, take(1099, day.Add(30*24*time.Hour)), Published)
}

func TestRecentFiguresAreBoundedHoweverOftenItIsMeasured(t *testing.T) {
	r := Record{}
	for s := range 2 * 3600 {
		r = judged(t, r, take(1_000_000+int64(s%7), day.Add(time.Duration(s)*time.Second)), Published)
	}
	if n := len(r.Recent); n > 62 {
		t.Errorf("%d rows are kept for an hour, want at most one a minute", n)
	}
}

func TestHeldIsReleasedByAgreeFurtherMeasurementsInARow(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	at := day.Add(time.Minute)
	r = judged(t, r, take(2000, at), Held)
	for i := range 4 {
		at = at.Add(time.Minute)
		r = judged(t, r, take(2001+int64(i), at), Held)
		if r.Hold.Confirmations != i+1 {
			t.Fatalf("after %d further ones %d agreed", i+1, r.Hold.Confirmations)
		}
	}
	at = at.Add(time.Minute)
	r = judged(t, r, take(2006, at), Released)
	if r.Hold != nil || r.Snapshot.Total.Cmp(ledger.Whole(2006, 18)) != 0 {
		t.Fatalf("published %s, held %v; want the newest, 2006", r.Snapshot.Total, r.Hold)
	}
	judged(t, r, take(2010, at.Add(time.Minute)), Published) // and is not compared with 1000 any more
}

func TestMeasurementsThatDoNotConfirmBeginAnew(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	r = judged(t, r, take(2000, day.Add(1*time.Minute)), Held)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), Held)
	r = judged(t, r, take(3000, day.Add(3*time.Minute)), Held)
	if r.Hold.Confirmations != 0 || r.Hold.Candidate.Total.Cmp(ledger.Whole(3000, 18)) != 0 {
		t.Errorf("held %s with %d agreed, want 3000 with 0", r.Hold.Candidate.Total, r.Hold.Confirmations)
	}
	r = judged(t, r, take(1001, day.Add(4*time.Minute)), Published)
	if r.Hold != nil {
		t.Error("a good figure did not end the hold")
	}
}

func TestARejectedMeasurementBreaksTheRow(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	if _, changed := r.resetConfirmations(); changed {
		t.Error("nothing waits, and yet something changed")
	}
	r = judged(t, r, take(2000, day.Add(1*time.Minute)), Held)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), Held)
	next, changed := r.resetConfirmations()
	if !changed || next.Hold.Confirmations != 0 || next.Hold.Candidate != r.Hold.Candidate || r.Hold.Confirmations != 1 {
		t.Errorf("%d agreed after a rejected measurement, want 0 of the same candidate", next.Hold.Confirmations)
	}
}

func TestSlowDriftOfACandidateDoesNotConfirmIt(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	r = judged(t, r, take(2000, day.Add(time.Minute)), Held)
	r = judged(t, r, take(2150, day.Add(2*time.Minute)), Held)
	r = judged(t, r, take(2300, day.Add(3*time.Minute)), Held) // 15% from the candidate, 7% from the last
	if r.Hold.Confirmations != 0 {
		t.Errorf("%d agreed", r.Hold.Confirmations)
	}
}

func TestMeasurementAtTheSameBlocksConfirmsNothing(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	r = judged(t, r, take(2000, day.Add(time.Minute)), Held)
	for i := range 10 {
		s := take(2000, day.Add(time.Minute))
		s.AsOf = s.AsOf.Add(time.Duration(i+1) * time.Second)
		r = judged(t, r, s, Held)
	}
	if r.Hold.Confirmations != 0 {
		t.Errorf("%d agreed at one and the same block", r.Hold.Confirmations)
	}
}

func TestHeldIsReleasedByADatedExpectedEvent(t *testing.T) {
	event := ledger.Event{From: day.Add(time.Hour), To: day.Add(2 * time.Hour), Change: 300_000, Reason: "Season unlock"}
	for name, c := range map[string]struct {
		seen, at time.Time // of the old figure and the new
		total    int64
		want     Outcome
	}{
		"before the event":                 {day, day.Add(59 * time.Minute), 1200, Held},
		"during it":                        {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 1200, Published},
		"during it, the other way":         {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 800, Held},
		"during it, the other way, little": {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 901, Published},
		"during it, beyond its change":     {day.Add(59 * time.Minute), day.Add(61 * time.Minute), 1301, Held},
		"after it, from a figure before":   {day, day.Add(48 * time.Hour), 1200, Published},
		"after it, from a figure after it": {day.Add(3 * time.Hour), day.Add(4 * time.Hour), 1200, Held},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, take(1000, c.seen), Published)
			_, got, err := r.Judge(&ledger.Token{Path: "gem", Expected: []ledger.Event{event}}, take(c.total, c.at), five)
			if err != nil || got != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestAnExpectedFallLetsNoRiseThrough(t *testing.T) {
	token := &ledger.Token{Path: "gem", Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: -300_000, Reason: "Burn"}}}
	for total, want := range map[int64]Outcome{700: Published, 699: Held, 1100: Published, 1101: Held, 1300: Held} {
		r := judged(t, Record{}, take(1000, day), Published)
		if _, got, err := r.Judge(token, take(total, day.Add(time.Minute)), five); err != nil || got != want {
			t.Errorf("%d: %s, %v; want %s", total, got, err, want)
		}
	}
}

func TestAnExpectedUnlockLetsTheLockedSupplyFall(t *testing.T) {
	// What unlocks leaves one bucket: only total and circulating have the event's direction.
	token := &ledger.Token{Path: "gem", Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: 300_000, Reason: "Unlock"}}}
	before, after := take(1000, day), take(1000, day.Add(time.Minute))
	before.Locked, before.Circulating = ledger.Whole(300, 18), ledger.Whole(700, 18)
	after.Locked, after.Circulating = ledger.Whole(100, 18), ledger.Whole(900, 18)
	r := judged(t, Record{}, before, Published)
	if _, got, err := r.Judge(token, after, five); err != nil || got != Published {
		t.Errorf("%s, %v", got, err)
	}
}

func TestAnExpectedBurnLetsTheBurnedSupplyRise(t *testing.T) {
	// Burned rises by as much as the total falls: it may do so by the larger of both limits.
	token := &ledger.Token{Path: "gem", Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: -300_000, Reason: "Burn"}}}
	for burned, want := range map[int64]Outcome{300: Published, 301: Held} {
		t.Run(fmt.Sprint(burned), func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), Published)
			after := take(700, day.Add(time.Minute))
			after.Burned = ledger.Whole(burned, 18)
			if _, got, err := r.Judge(token, after, five); err != nil || got != want {
				t.Errorf("%s, %v; want %s", got, err, want)
			}
		})
	}
}

func TestAnExpectedEventIsUsedUpByTheFirstChangeItLetsThrough(t *testing.T) {
	token := &ledger.Token{Path: "gem", Expected: []ledger.Event{{From: day, To: day.Add(24 * time.Hour), Change: 300_000, Reason: "Season unlock"}}}
	judge := func(r Record, s *Snapshot, want Outcome) Record {
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
	r := judge(Record{}, take(1000, at), Published)
	r = judge(r, take(1050, later(time.Minute)), Published) // within max_change: the event is not needed
	if len(r.Used) != 0 {
		t.Errorf("used: %+v", r.Used)
	}
	r = judge(r, take(1300, later(time.Minute)), Published)
	if len(r.Used) != 1 || r.Used[0].Snapshot != r.Snapshot.ID || r.Used[0].Reason != "Season unlock" {
		t.Fatalf("used: %+v", r.Used)
	}
	r = judge(r, take(1301, later(time.Minute)), Published) // is compared with nothing older
	r = judge(r, take(1690, later(2*time.Hour)), Held)      // another 30 % of the same day
	token.Expected[0].Reason = "said better"
	r = judge(r, take(1690, later(time.Minute)), Held) // it is the same event
	token.Expected = append(token.Expected, ledger.Event{From: day, To: day.Add(25 * time.Hour), Change: 300_000, Reason: "A second one"})
	if r = judge(r, take(1690, later(time.Minute)), Published); len(r.Used) != 2 {
		t.Errorf("used: %+v", r.Used)
	}
}

func TestAnExpectedChangeSaysItsDirection(t *testing.T) {
	for text, want := range map[string]ledger.SignedPercent{"+30%": 300_000, "-30%": -300_000, "+2.5%": 25_000} {
		var p ledger.SignedPercent
		if err := p.UnmarshalText([]byte(text)); err != nil || p != want || p.String() != text {
			t.Errorf("%s: %d, %s, %v", text, p, p, err)
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
	r := judged(t, Record{}, take(1000, day), Published)
	r = judged(t, r, take(2000, day.Add(time.Minute)), Held)
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
	judged(t, next, take(2001, day.Add(2*time.Minute)), Published)
}

// byOther is take by another ledger.
func byOther(total int64, at time.Time) *Snapshot {
	s := take(total, at)
	s.LedgerHash = "ledger-two"
	return s
}

func TestChangedLedgerIsHeldUnlessItsFigureIsWithinMaxChange(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	judged(t, r, byOther(1050, day.Add(time.Minute)), Published)
	r = judged(t, r, byOther(1200, day.Add(time.Minute)), Held)
	if !strings.Contains(r.Hold.Reason, "ledger changed") {
		t.Errorf("the reason is %q", r.Hold.Reason)
	}
	// By the old ledger the same figure does not confirm the new one.
	again := judged(t, r, take(1200, day.Add(2*time.Minute)), Held)
	if again.Hold.Confirmations != 0 {
		t.Error("a measurement by another ledger confirmed it")
	}
}

func TestAHeldFigureByAChangedLedgerWaitsForAPerson(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	r = judged(t, r, byOther(1200, day.Add(time.Minute)), Held)
	seen := r.Hold.Candidate.ID
	for i := range 100 { // however often a wrong formula is repeated
		r = judged(t, r, byOther(1200, day.Add(time.Duration(i+2)*time.Minute)), Held)
	}
	next, ok := r.Decide(Decision{Kind: Release, Subject: seen})
	if !ok || next.Snapshot.LedgerHash != "ledger-two" {
		t.Fatal("a person's release of the figure that was first seen does not count")
	}
	// From then on it is the ledger like any other.
	judged(t, next, byOther(1201, day.Add(200*time.Minute)), Published)
}

func TestAChangedLedgerIsReleasedByAnExpectedEvent(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	token := &ledger.Token{Path: "gem", Expected: []ledger.Event{{From: day, To: day.Add(time.Hour), Change: 300_000, Reason: "Another ledger"}}}
	if _, outcome, err := r.Judge(token, byOther(1200, day.Add(time.Minute)), five); err != nil || outcome != Published {
		t.Errorf("%s, %v", outcome, err)
	}
}

func TestReleaseByHandSwitchesConfirmationsOff(t *testing.T) {
	token := &ledger.Token{Path: "gem", Release: ledger.ByHand}
	r := judged(t, Record{}, take(1000, day), Published)
	for i := range 100 {
		next, outcome, err := r.Judge(token, take(2000, day.Add(time.Duration(i+1)*time.Minute)), five)
		if err != nil || outcome != Held {
			t.Fatalf("measurement %d: %s, %v", i, outcome, err)
		}
		r = next
	}
	if next, ok := r.Decide(Decision{Kind: Release, Subject: r.Hold.Candidate.ID}); !ok || next.Hold != nil {
		t.Error("nor does a person release it")
	}
}

func TestHeightAndTimeNeverGoBack(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
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
			if !errors.Is(err, ErrRejected) || outcome != Rejected || next.Snapshot != r.Snapshot {
				t.Errorf("%s, %v", outcome, err)
			}
		})
	}
	same := take(1000, day.Add(time.Minute))
	same.Blocks, same.AsOf = r.Snapshot.Blocks, r.Snapshot.AsOf
	judged(t, r, same, Published) // standing still is not going back
	held := judged(t, r, take(2000, day.Add(2*time.Minute)), Held)
	if _, _, err := held.Judge(&ledger.Token{Path: "gem"}, take(2000, day.Add(time.Minute)), five); !errors.Is(err, ErrRejected) {
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
	w.set(t, token.Ledger[0], "1000", 6) // the same quantity, but by other decimals
	w.set(t, token.Ledger[1], "100", 6)
	_, outcome, err := kept.Judge(&token, measured(t, token, chains, day.Add(time.Minute)), five)
	if !errors.Is(err, ErrRejected) || outcome != Rejected || !strings.Contains(err.Error(), "from 18 to 6") {
		t.Errorf("%s, %v; want decimals rejected", outcome, err)
	}
}

func TestHeldSurvivesTheStore(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), Published)
	r = judged(t, r, take(2000, day.Add(time.Minute)), Held)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), Held)
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
	kept = judged(t, kept, take(2000, day.Add(3*time.Minute)), Held)
	if kept.Hold.Confirmations != 2 {
		t.Errorf("%d agreed, want 2", kept.Hold.Confirmations)
	}
}

// onBoth is a snapshot of a token with an entry on each of two chains, at these
// heights.
func onBoth(first, second int64, height1, height2 uint64, at time.Time) *Snapshot {
	s := take(first+second, at)
	entry := func(chain string, n int64) EvidenceEntry {
		return EvidenceEntry{Entry: ledger.Entry{Label: chain, Bucket: ledger.Issued, Chain: chain}, Amount: ledger.Whole(n, 18), Counted: true}
	}
	s.Evidence = &Evidence{Entries: []EvidenceEntry{entry("first", first), entry("second", second)}}
	s.Blocks = []Block{{Chain: "first", ChainID: 1, Number: height1, Time: day}, {Chain: "second", ChainID: 2, Number: height2, Time: day}}
	s.name()
	return s
}

func TestAMeasurementConfirmsOnlyWhereEveryChainThatMovedHasAdvanced(t *testing.T) {
	for name, c := range map[string]struct {
		first, second int64  // the candidate's; 500 each are published
		up1, up2      uint64 // blocks from one measurement to the next
		want          int    // confirmations of three
	}{
		"only the other chain advances":      {500, 1000, 1, 0, 0},
		"the chain that moved advances":      {500, 1000, 0, 1, 3},
		"both moved and one advances":        {800, 1000, 1, 0, 0},
		"both moved and both advance":        {800, 1000, 1, 1, 3},
		"neither advances":                   {500, 1000, 0, 0, 0},
		"one that did not move stands still": {1000, 500, 1, 0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, onBoth(500, 500, 10, 10, day), Published)
			for i := range 4 {
				n := uint64(i)
				r = judged(t, r, onBoth(c.first, c.second, 11+n*c.up1, 11+n*c.up2, day.Add(time.Duration(i+1)*time.Minute)), Held)
			}
			if r.Hold.Confirmations != c.want {
				t.Errorf("%d of 3 measurements confirm, want %d", r.Hold.Confirmations, c.want)
			}
		})
	}
}
