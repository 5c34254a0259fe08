package supply

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"

	"github.com/ethereum/go-ethereum/common"
)

// take returns a snapshot with this total, a tenth of it locked, at a block that grows with time.
func take(total int64, at time.Time) *Snapshot {
	tenth := ledger.Amount{Units: ledger.Whole(total, 18).Units, Decimals: 19}
	circulating := ledger.Whole(total, 18).Sub(tenth)
	s := &Snapshot{Token: "gem", AsOf: at, MeasuredAt: at, LedgerHash: "ledger-one",
		Figures: Figures{ledger.Whole(total, 18), circulating, ledger.Zero(18), tenth, ledger.Zero(18)},
		Blocks:  []Block{{Chain: "first", ChainID: 1, Block: evm.Block{Number: uint64(at.Unix()), Time: at}}}, Evidence: &Evidence{}}
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

// TestAHoldEndsByTime: each row measures a held figure of 2000 again and again. Steps are the seconds
// since the measurement before, by our clock and by the time of the chains.
func TestAHoldEndsByTime(t *testing.T) {
	type step struct {
		clock, asOf int
		total       int64 // 0 means 2000, -1 that the measurement is rejected
	}
	times := func(n int, s step) []step { return slices.Repeat([]step{s}, n) }
	minute := step{60, 60, 0}
	for name, c := range map[string]struct {
		steps []step
		want  bool // the last step releases the figure, and none before
	}{
		"four minutes":                    {times(4, minute), false},
		"five minutes":                    {times(5, minute), true},
		"many measurements in 4 minutes":  {times(48, step{5, 5, 0}), false},
		"many measurements in 5 minutes":  {times(60, step{5, 5, 0}), true},
		"a gap counts for two refreshes":  {[]step{{3600, 3600, 0}, minute, minute}, false},
		"and then three more are needed":  {[]step{{3600, 3600, 0}, minute, minute, minute}, true},
		"three gaps":                      {times(3, step{3600, 3600, 0}), true},
		"the chain stands still":          {times(20, step{60, 0, 0}), false},
		"the chain moves in large steps":  {[]step{{60, 0, 0}, {60, 0, 0}, {60, 0, 0}, {60, 0, 0}, {60, 384, 0}}, true},
		"our clock jumps ahead":           {[]step{{3600, 60, 0}, minute, minute}, false},
		"a fast clock, a slow chain":      {times(9, step{60, 30, 0}), false},
		"a slow chain, long enough":       {times(10, step{60, 30, 0}), true},
		"our clock is set back":           {append([]step{minute, minute, {-1800, 60, 0}}, times(2, minute)...), false},
		"our clock is set back, and then": {append([]step{minute, minute, {-1800, 60, 0}}, times(3, minute)...), true},
		"slow drift within the limit":     {[]step{minute, {60, 60, 2100}, {60, 60, 2190}, minute, minute}, true},
		"drift away from the candidate":   {[]step{minute, {60, 60, 2150}, {60, 60, 2300}, minute, minute, minute}, false},
		"another figure":                  {[]step{minute, minute, minute, minute, {60, 60, 3000}, minute}, false},
		"a rejected one":                  {append(append(times(4, minute), step{60, 60, -1}), times(5, minute)...), false},
		"five minutes after a rejection":  {append(append(times(4, minute), step{60, 60, -1}), times(6, minute)...), true},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), outcomePublished)
			clock, asOf := day.Add(time.Hour), day.Add(time.Hour)
			r = judged(t, r, take(2000, asOf), outcomeHeld)
			for i, step := range c.steps {
				clock = clock.Add(time.Duration(step.clock) * time.Second)
				asOf = asOf.Add(time.Duration(step.asOf) * time.Second)
				if step.total < 0 {
					r = r.fail(ErrRejected, clock)
					continue
				}
				s := take(cmp.Or(step.total, 2000), asOf)
				s.MeasuredAt = clock
				want := outcomeHeld
				if c.want && i == len(c.steps)-1 {
					want = outcomeReleased
				}
				r = judged(t, throughJSON(t, r), s, want)
			}
		})
	}
}

// throughJSON returns the record as the store keeps it.
func throughJSON(t *testing.T, r Record) (kept Record) {
	t.Helper()
	text, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(text, &kept)
	}
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func TestAReleasedFigureIsTheNewMeasure(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	for m := range 5 {
		r = judged(t, r, take(2000+int64(m), day.Add(time.Duration(m+1)*time.Minute)), outcomeHeld)
	}
	r = judged(t, r, take(2006, day.Add(6*time.Minute)), outcomeReleased)
	if r.Hold != nil || r.Snapshot.Total.Cmp(ledger.Whole(2006, 18)) != 0 {
		t.Fatalf("published %s, held %v; want the newest, 2006", r.Snapshot.Total, r.Hold)
	}
	judged(t, r, take(2010, day.Add(7*time.Minute)), outcomePublished) // it is no longer compared with 1000
}

func TestAnotherFigureReplacesTheHeldOne(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(2000, day.Add(1*time.Minute)), outcomeHeld)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), outcomeHeld)
	r = judged(t, r, take(3000, day.Add(3*time.Minute)), outcomeHeld)
	if r.Hold.Sum != 0 || r.Hold.Candidate.Total.Cmp(ledger.Whole(3000, 18)) != 0 {
		t.Errorf("held %s for %s, want 3000 for 0s", r.Hold.Candidate.Total, r.Hold.Sum)
	}
	r = judged(t, r, take(1001, day.Add(4*time.Minute)), outcomePublished)
	if r.Hold != nil {
		t.Error("a good figure did not end the hold")
	}
}

// A rejected measurement and a disagreement of providers set the agreement with a held figure to
// zero. Other failures leave it as it is.
func TestAFailureMayRestartTheHold(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r = judged(t, r, take(2000, day.Add(1*time.Minute)), outcomeHeld)
	r = judged(t, r, take(2000, day.Add(2*time.Minute)), outcomeHeld)
	for err, want := range map[error]time.Duration{
		ErrRejected: 0, evm.ErrDisagree: 0, evm.ErrUnavailable: time.Minute, evm.ErrReorg: time.Minute,
	} {
		next := r.fail(fmt.Errorf("measuring: %w", err), day)
		if next.Hold.lasted() != want || next.Hold.Candidate != r.Hold.Candidate || r.Hold.lasted() != time.Minute {
			t.Errorf("%v: agreed for %s, want %s", err, next.Hold.lasted(), want)
		}
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

// TestAnExpectedEventBoundsAllStepsTogether: each row begins with 1000, an hour before an event of
// +30% that lasts a day. Steps are figures with the minutes since the event began.
func TestAnExpectedEventBoundsAllStepsTogether(t *testing.T) {
	type step struct {
		minutes int
		total   int64
		want    outcome
	}
	const day1 = 24 * 60
	for name, steps := range map[string][]step{
		"one step":                {{1, 1300, outcomePublished}, {2, 1301, outcomeHeld}},
		"many steps":              {{1, 1150, outcomePublished}, {2, 1299, outcomePublished}, {3, 1310, outcomeHeld}},
		"many steps, hours apart": {{1, 1090, outcomePublished}, {200, 1190, outcomePublished}, {400, 1301, outcomeHeld}},
		"small steps":             {{1, 1290, outcomePublished}, {120, 1300, outcomePublished}, {240, 1305, outcomeHeld}},
		"the other way":           {{1, 1290, outcomePublished}, {2, 1100, outcomeHeld}, {3, 1200, outcomePublished}},
		"below the beginning":     {{1, 950, outcomePublished}, {200, 900, outcomePublished}, {400, 880, outcomeHeld}},
		"a step before it counts": {{-1, 1050, outcomePublished}, {1, 1365, outcomePublished}, {2, 1366, outcomeHeld}},
		"after its end":           {{1, 1290, outcomePublished}, {day1 + 1, 1291, outcomePublished}, {day1 + 2, 1420, outcomePublished}},
		"after its end, too much": {{1, 1290, outcomePublished}, {day1 + 1, 1291, outcomePublished}, {day1 + 2, 1421, outcomeHeld}},
		"its first figure after":  {{day1 + 100, 1300, outcomePublished}, {day1 + 101, 1431, outcomeHeld}},
	} {
		t.Run(name, func(t *testing.T) {
			begins := day.Add(time.Hour)
			token := &ledger.Token{Path: "gem", Expected: []ledger.Event{{From: begins, To: begins.Add(24 * time.Hour),
				Change: 300_000, Reason: "Season unlock"}}}
			r := judged(t, Record{}, take(1000, day), outcomePublished)
			for _, step := range steps {
				s := take(step.total, begins.Add(time.Duration(step.minutes)*time.Minute))
				next, got, err := throughJSON(t, r).Judge(token, s, five)
				if err != nil || got != step.want {
					t.Fatalf("%d after %d minutes: %s, %v; want %s", step.total, step.minutes, got, err, step.want)
				}
				r = next
				token.Expected[0].Reason = "said better" // still the same event
			}
		})
	}
}

// TestNoSequenceExceedsAnExpectedEvent draws sequences of figures, and releases none of them.
func TestNoSequenceExceedsAnExpectedEvent(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	token := &ledger.Token{Path: "gem", Release: ledger.ByHand, Expected: []ledger.Event{{From: day.Add(time.Hour),
		To: day.Add(100 * time.Hour), Change: -300_000, Reason: "Burn"}}}
	for range 200 {
		r := judged(t, Record{}, take(1_000_000, day), outcomePublished)
		at, total, published := day.Add(time.Hour), 1_000_000, 0
		for range 50 {
			at = at.Add(time.Duration(1+draw.IntN(90)) * time.Minute)
			s := take(int64(total+draw.IntN(300_000)-200_000), at)
			next, got, err := r.Judge(token, s, five)
			if err != nil {
				t.Fatal(err)
			}
			r = next
			if got != outcomePublished {
				continue
			}
			published++
			if s.Total.Cmp(ledger.Whole(1_100_000, 18)) > 0 || s.Total.Cmp(ledger.Whole(700_000, 18)) < 0 {
				t.Fatalf("%s is published after %d others", s.Total, published)
			}
			fmt.Sscan(s.Total.String(), &total)
		}
		if published == 0 {
			t.Error("nothing was published")
		}
	}
}

func TestAReleaseEndsAnExpectedEvent(t *testing.T) {
	token := &ledger.Token{Path: "gem",
		Expected: []ledger.Event{{From: day, To: day.Add(24 * time.Hour), Change: 300_000, Reason: "Season unlock"}}}
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	r, _, _ = r.Judge(token, take(1400, after(time.Minute)), five)
	r, ok := r.Decide(Decision{Kind: Right, Subject: r.Hold.Candidate.ID})
	if !ok {
		t.Fatal("the release was refused")
	}
	for total, want := range map[int64]outcome{1401: outcomePublished, 1700: outcomeHeld} {
		if _, got, err := r.Judge(token, take(total, after(2*time.Minute)), five); err != nil || got != want {
			t.Errorf("%d: %s, %v; want %s", total, got, err, want)
		}
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
	if _, ok := r.Decide(Decision{Kind: Right, Subject: "another"}); ok {
		t.Error("the release of another figure let this one through")
	}
	if _, ok := (Record{}).Decide(Decision{Kind: Right}); ok {
		t.Error("nothing was held, and released")
	}
	next, ok := r.Decide(Decision{Kind: Right, Subject: r.Hold.Candidate.ID})
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
	if again.Hold.Sum != 0 {
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
	next, ok := r.Decide(Decision{Kind: Right, Subject: seen})
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

func TestReleaseByHandWaitsForADecision(t *testing.T) {
	token := &ledger.Token{Path: "gem", Release: ledger.ByHand}
	r := judged(t, Record{}, take(1000, day), outcomePublished)
	for i := range 100 {
		next, outcome, err := r.Judge(token, take(2000, day.Add(time.Duration(i+1)*time.Minute)), five)
		if err != nil || outcome != outcomeHeld {
			t.Fatalf("measurement %d: %s, %v", i, outcome, err)
		}
		r = next
	}
	if next, ok := r.Decide(Decision{Kind: Right, Subject: r.Hold.Candidate.ID}); !ok || next.Hold != nil {
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
	kept := throughJSON(t, r)
	if kept.Hold == nil || kept.Hold.Sum != time.Minute || kept.Hold.Candidate.ID != r.Hold.Candidate.ID {
		t.Fatalf("held is %+v", kept.Hold)
	}
	if LeafHash(kept.Snapshot.Leaf()) != r.Snapshot.ID {
		t.Error("the snapshot's content changed on its way through JSON")
	}
	kept = judged(t, kept, take(2000, day.Add(3*time.Minute)), outcomeHeld)
	if kept.Hold.Sum != 2*time.Minute {
		t.Errorf("held for %s, want 2m", kept.Hold.Sum)
	}
}
