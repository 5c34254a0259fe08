package supply

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// take returns a snapshot with this total, a tenth of it locked, at a block that grows with time.
func take(total int64, at time.Time) *Snapshot {
	tenth := ledger.Amount{Units: ledger.Whole(total, 18).Units, Decimals: 19}
	circulating := ledger.Whole(total, 18).Sub(tenth)
	s := &Snapshot{Token: "gem", AsOf: at, MeasuredAt: at, LedgerHash: "ledger-one",
		Figures:  Figures{ledger.Whole(total, 18), circulating, ledger.Zero(18), tenth, ledger.Zero(18)},
		Blocks:   []Block{{Chain: "first", ChainID: 1, Block: evm.Block{Number: uint64(at.Unix()), Time: at}}},
		Evidence: &Evidence{}}
	s.name()
	return s
}

// judged judges s, which must not be rejected.
func judged(t *testing.T, r Record, s *Snapshot, want judgement) Record {
	t.Helper()
	next, got, err := r.Judge(&ledger.Token{Path: "gem"}, s, five)
	if err != nil || got != want {
		t.Fatalf("total %s at %s: %s, %v; want %s", s.Total, formatTime(s.AsOf), got, err, want)
	}
	return next
}

func TestChangeBeyondMaxChangeUpOrDownIsHeld(t *testing.T) {
	for total, want := range map[int64]judgement{
		1000: judgedPublished, 1100: judgedPublished, 900: judgedPublished, 1101: judgedHeld, 899: judgedHeld,
		500: judgedHeld, 1500: judgedHeld, 1: judgedHeld,
	} {
		t.Run(fmt.Sprint(total), func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), judgedPublished)
			next := judged(t, r, take(total, day.Add(time.Minute)), want)
			if want == judgedHeld &&
				(next.Snapshot != r.Snapshot || next.Hold == nil ||
					next.Hold.Candidate.Total.Cmp(ledger.Whole(total, 18)) != 0) {
				t.Errorf("the old figure does not stay: %+v", next)
			}
			if want == judgedHeld && !strings.Contains(next.Hold.Reason, "more than 10 % at once is held") {
				t.Errorf("the reason is %q", next.Hold.Reason)
			}
		})
	}
}

func TestReasonsRoundPercentagesToTheNearest(t *testing.T) {
	old := take(1_000_000_000, day).Figures
	for total, want := range map[int64]string{
		1_060_870_000: "total rises by 6.09 %,",
		1_060_849_999: "total rises by 6.08 %,",
		1_060_850_000: "total rises by 6.09 %,",
		939_130_000:   "total falls by 6.09 %,",
		1_030_060_000: "total rises by 3.01 %,",
		1_030_040_000: "total rises by more than 3 %,",
		1_030_000_001: "total rises by more than 3 %,",
		969_999_999:   "total falls by more than 3 %,",
		2_000_000_000: "total rises by 100 %,",
	} {
		now := old
		now.Total = ledger.Whole(total, 18)
		got := excess(old, now, limits{30_000, 30_000})
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "; a change of more than 3 % at once is held") {
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
			r := judged(t, Record{}, base, judgedPublished)
			s := take(1000, day.Add(time.Minute))
			change(&s.Figures)
			if next := judged(t, r, s, judgedHeld); !strings.HasPrefix(next.Hold.Reason, name+" ") {
				t.Errorf("the reason is %q", next.Hold.Reason)
			}
		})
	}
}

func TestRecentFiguresAreBoundedHoweverOftenTheyAreMeasured(t *testing.T) {
	r := Record{}
	for i := range 2 * 360 {
		r = judged(t, r, take(1_000_000+int64(i%7), day.Add(time.Duration(i)*10*time.Second)), judgedPublished)
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
		"drift away from the candidate": {[]step{minute, {60, 60, 2150}, {60, 60, 2300}, minute, minute, minute},
			false},
		"another figure": {[]step{minute, minute, minute, minute, {60, 60, 3000}, minute}, false},
		"a rejected one": {append(append(times(4, minute), step{60, 60, -1}), times(5, minute)...),
			false},
		"five minutes after a rejection": {append(append(times(4, minute), step{60, 60, -1}), times(6, minute)...),
			true},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), judgedPublished)
			clock, asOf := day.Add(time.Hour), day.Add(time.Hour)
			r = judged(t, r, take(2000, asOf), judgedHeld)
			for i, step := range c.steps {
				clock = clock.Add(time.Duration(step.clock) * time.Second)
				asOf = asOf.Add(time.Duration(step.asOf) * time.Second)
				if step.total < 0 {
					r = r.fail(ErrRejected, clock)
					continue
				}
				s := take(cmp.Or(step.total, 2000), asOf)
				s.MeasuredAt = clock
				want := judgedHeld
				if c.want && i == len(c.steps)-1 {
					want = judgedReleased
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

// TestAnExpectedEventBoundsAllStepsTogether: each row begins with 1000, an hour before an event of
// +30% that lasts a day. Steps are figures with the minutes since the event began.
func TestAnExpectedEventBoundsAllStepsTogether(t *testing.T) {
	type step struct {
		minutes int
		total   int64
		want    judgement
	}
	const day1 = 24 * 60
	for name, steps := range map[string][]step{
		"one step":                {{1, 1300, judgedPublished}, {2, 1301, judgedHeld}},
		"many steps":              {{1, 1150, judgedPublished}, {2, 1299, judgedPublished}, {3, 1310, judgedHeld}},
		"many steps, hours apart": {{1, 1090, judgedPublished}, {200, 1190, judgedPublished}, {400, 1301, judgedHeld}},
		"small steps":             {{1, 1290, judgedPublished}, {120, 1300, judgedPublished}, {240, 1305, judgedHeld}},
		"the other way":           {{1, 1290, judgedPublished}, {2, 1100, judgedHeld}, {3, 1200, judgedPublished}},
		"below the beginning":     {{1, 950, judgedPublished}, {200, 900, judgedPublished}, {400, 880, judgedHeld}},
		"a step before it counts": {{-1, 1050, judgedPublished}, {1, 1365, judgedPublished}, {2, 1366, judgedHeld}},
		"after its end": {{1, 1290, judgedPublished}, {day1 + 1, 1291, judgedPublished},
			{day1 + 2, 1420, judgedPublished}},
		"after its end, too much": {{1, 1290, judgedPublished}, {day1 + 1, 1291, judgedPublished},
			{day1 + 2, 1421, judgedHeld}},
		"its first figure after": {{day1 + 100, 1300, judgedPublished}, {day1 + 101, 1431, judgedHeld}},
	} {
		t.Run(name, func(t *testing.T) {
			begins := day.Add(time.Hour)
			token := &ledger.Token{Path: "gem", Expected: []ledger.Event{{From: begins, To: begins.Add(24 * time.Hour),
				Change: 300_000, Reason: "Season unlock"}}}
			r := judged(t, Record{}, take(1000, day), judgedPublished)
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

func TestAReleaseEndsAnExpectedEvent(t *testing.T) {
	token := &ledger.Token{Path: "gem",
		Expected: []ledger.Event{{From: day, To: day.Add(24 * time.Hour), Change: 300_000, Reason: "Season unlock"}}}
	r := judged(t, Record{}, take(1000, day), judgedPublished)
	r, _, _ = r.Judge(token, take(1400, after(time.Minute)), five)
	r, ok := r.Decide(Decision{Kind: Right, Subject: r.Hold.Candidate.ID})
	if !ok {
		t.Fatal("the release was refused")
	}
	for total, want := range map[int64]judgement{1401: judgedPublished, 1700: judgedHeld} {
		if _, got, err := r.Judge(token, take(total, after(2*time.Minute)), five); err != nil || got != want {
			t.Errorf("%d: %s, %v; want %s", total, got, err, want)
		}
	}
}

func TestHeightAndTimeNeverGoBack(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), judgedPublished)
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
			next, got, err := r.Judge(&ledger.Token{Path: "gem"}, s, five)
			if !errors.Is(err, ErrRejected) || got != judgedRejected || next.Snapshot != r.Snapshot {
				t.Errorf("it is %s, %v", got, err)
			}
		})
	}
	same := take(1000, day.Add(time.Minute))
	same.Blocks, same.AsOf = r.Snapshot.Blocks, r.Snapshot.AsOf
	judged(t, r, same, judgedPublished) // an unchanged height is not a step back
	held := judged(t, r, take(2000, day.Add(2*time.Minute)), judgedHeld)
	_, _, err := held.Judge(&ledger.Token{Path: "gem"}, take(2000, day.Add(time.Minute)), five)
	if !errors.Is(err, ErrRejected) {
		t.Errorf("behind what is held: %v", err)
	}
}

// TestOneFigureAfterAnother: each row begins with 1000. A figure that is held for five minutes is
// released.
func TestOneFigureAfterAnother(t *testing.T) {
	type step struct {
		minutes int
		total   int64
		want    judgement
	}
	const month = 30 * 24 * 60
	held := func(from int, totals ...int64) (out []step) {
		for i, total := range totals {
			out = append(out, step{from + i, total, judgedHeld})
		}
		return out
	}
	for name, steps := range map[string][]step{
		"the same again":               {{1, 1000, judgedPublished}, {2, 1000, judgedPublished}},
		"a month later, not pro rated": {{month, 1101, judgedHeld}},
		"a month later":                {{month, 1099, judgedPublished}},
		"small steps of 4 %": {{10, 1040, judgedPublished}, {20, 1080, judgedPublished},
			{30, 1120, judgedHeld}, {61, 1120, judgedPublished}},
		"back to the first figure": append(append([]step{{10, 905, judgedPublished}},
			held(11, 1000, 1000, 1000, 1000, 1000)...), step{16, 1000, judgedReleased}, step{65, 1001, judgedPublished}),
		"an old figure that stayed": {{59, 1000, judgedPublished}, {60, 1080, judgedPublished},
			{118, 1110, judgedHeld}},
		"a good figure ends the hold": append(held(1, 2000, 2000), step{3, 1001, judgedPublished},
			step{4, 2000, judgedHeld}),
		"another figure replaces it": append(held(1, 2000, 2000, 3000, 3000, 3000, 3000, 3000),
			step{8, 3000, judgedReleased}),
		"the newest figure is released": append(held(1, 2000, 2001, 2002, 2003, 2004), step{6, 2006, judgedReleased},
			step{7, 2010, judgedPublished}),
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), judgedPublished)
			for _, step := range steps {
				s := take(step.total, after(time.Duration(step.minutes)*time.Minute))
				r = judged(t, r, s, step.want)
				shown := r.Snapshot
				if step.want == judgedHeld {
					shown = r.Hold.Candidate
				}
				if (r.Hold != nil) != (step.want == judgedHeld) || step.want != judgedHeld &&
					shown.Total.Cmp(s.Total) != 0 {
					t.Fatalf("after %d: held %+v, shown %s", step.total, r.Hold, shown.Total)
				}
			}
		})
	}
}

// TestWhatOnlyAPersonReleases: no time ends these holds, but a decision does.
func TestWhatOnlyAPersonReleases(t *testing.T) {
	for name, c := range map[string]struct {
		token  ledger.Token
		next   func(int64, time.Time) *Snapshot
		reason string
	}{
		"by hand":          {ledger.Token{Path: "gem", Release: ledger.ByHand}, take, "total rises"},
		"a changed ledger": {ledger.Token{Path: "gem"}, byOther, "the ledger changed"},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, take(1000, day), judgedPublished)
			for i := range 100 {
				next, got, err := r.Judge(&c.token, c.next(1200, after(time.Duration(i+1)*time.Minute)), five)
				if err != nil || got != judgedHeld || !strings.HasPrefix(next.Hold.Reason, c.reason) {
					t.Fatalf("measurement %d: %s, %v", i, got, err)
				}
				r = next
			}
			if s := (State{Token: &c.token, Snapshot: r.Snapshot, Hold: r.Hold}); !s.WaitsForAPerson() {
				t.Error("the state does not say that the hold waits for a person")
			}
			if _, ok := r.Decide(Decision{Kind: Right, Subject: "another"}); ok {
				t.Error("the release of another figure let this one through")
			}
			next, ok := r.Decide(Decision{Kind: Right, Subject: r.Hold.Candidate.ID})
			if !ok || next.Hold != nil || next.Snapshot != r.Hold.Candidate {
				t.Fatalf("released: %v, %+v", ok, next)
			}
			judged(t, next, c.next(1201, after(200*time.Minute)), judgedPublished)
		})
	}
	if _, ok := (Record{}).Decide(Decision{Kind: Right}); ok {
		t.Error("nothing was held, and released")
	}
}

// byOther is take with another ledger.
func byOther(total int64, at time.Time) *Snapshot {
	s := take(total, at)
	s.LedgerHash = "ledger-two"
	return s
}

func TestAChangedLedger(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), judgedPublished)
	judged(t, r, byOther(1050, after(time.Minute)), judgedPublished)
	r = judged(t, r, byOther(1200, after(time.Minute)), judgedHeld)
	again := judged(t, r, take(1200, after(2*time.Minute)), judgedHeld)
	if again.Hold.Sum != 0 {
		t.Error("a measurement by another ledger confirmed it")
	}
}

// TestAnExpectedEvent: each row publishes a figure, and then judges another. The event allows
// changes of one direction, within its time.
func TestAnExpectedEvent(t *testing.T) {
	rise := ledger.Event{From: day, To: after(time.Hour), Change: 300_000, Reason: "Unlock"}
	fall := ledger.Event{From: day, To: after(time.Hour), Change: -300_000, Reason: "Burn"}
	with := func(s *Snapshot, locked, burned int64) *Snapshot {
		s.Locked = ledger.Whole(locked, 18)
		s.Burned = ledger.Whole(burned, 18)
		s.Circulating = s.Total.Sub(s.Locked)
		return s
	}
	at := func(minutes int) time.Time { return after(time.Duration(minutes) * time.Minute) }
	for name, c := range map[string]struct {
		event       ledger.Event
		before, now *Snapshot
		want        judgement
	}{
		"before it":                        {rise, take(1000, at(-60)), take(1200, at(-1)), judgedHeld},
		"during it":                        {rise, take(1000, at(-1)), take(1200, at(1)), judgedPublished},
		"by another ledger":                {rise, take(1000, at(-1)), byOther(1200, at(1)), judgedPublished},
		"beyond its change":                {rise, take(1000, at(-1)), take(1301, at(1)), judgedHeld},
		"a fall in a rise":                 {rise, take(1000, at(-1)), take(800, at(1)), judgedHeld},
		"a little fall in a rise":          {rise, take(1000, at(-1)), take(901, at(1)), judgedPublished},
		"after it, from a figure before":   {rise, take(1000, at(-60)), take(1200, at(48*60)), judgedPublished},
		"after it, from a figure after it": {rise, take(1000, at(61)), take(1200, at(120)), judgedHeld},
		"a fall":                           {fall, take(1000, at(0)), take(700, at(1)), judgedPublished},
		"too large a fall":                 {fall, take(1000, at(0)), take(699, at(1)), judgedHeld},
		"a little rise in a fall":          {fall, take(1000, at(0)), take(1100, at(1)), judgedPublished},
		"a rise in a fall":                 {fall, take(1000, at(0)), take(1101, at(1)), judgedHeld},
		"an unlock, where locked falls": {rise, with(take(1000, at(0)), 300, 0), with(take(1000, at(1)), 100, 0),
			judgedPublished},
		"a burn, where burned rises": {fall, with(take(1000, at(0)), 0, 0), with(take(700, at(1)), 0, 300),
			judgedPublished},
		"a burn, where burned rises more": {fall, with(take(1000, at(0)), 0, 0), with(take(700, at(1)), 0, 301),
			judgedHeld},
	} {
		t.Run(name, func(t *testing.T) {
			r := judged(t, Record{}, c.before, judgedPublished)
			_, got, err := r.Judge(&ledger.Token{Path: "gem", Expected: []ledger.Event{c.event}}, c.now, five)
			if err != nil || got != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}
