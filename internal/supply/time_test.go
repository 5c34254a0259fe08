package supply

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/supply/ledger"
)

// after returns a time relative to the tests' day.
func after(d time.Duration) time.Time { return day.Add(d) }

func TestAsOfIsTheTimeOfTheChainsAndMeasuredAtOurClock(t *testing.T) {
	token, w := gem(t)
	for name, c := range map[string]struct {
		clock    time.Time
		onDemand bool
		want     time.Time
	}{
		"a block of a while ago":                 {after(29 * time.Minute), false, day},
		"a quiet chain has not changed":          {after(29 * time.Minute), true, after(29 * time.Minute)},
		"a block ahead of our clock is not ours": {after(-time.Second), false, after(-time.Second)},
	} {
		t.Run(name, func(t *testing.T) {
			w.onDemand = c.onDemand
			s := measured(t, token, map[string]Chain{"first": w}, c.clock)
			if !s.AsOf.Equal(c.want) || !s.MeasuredAt.Equal(c.clock) || s.Blocks[0].OnDemand != c.onDemand {
				t.Errorf("as of %s, measured at %s", s.AsOf, s.MeasuredAt)
			}
		})
	}
	amount := ledger.Whole(1, 0)
	declared := ledger.Token{Path: "d", Symbol: "D", Name: "D",
		Ledger: []ledger.Entry{{Label: "x", Bucket: ledger.Issued, Amount: &amount}}}
	if s := measured(t, declared, nil, day); !s.AsOf.Equal(day) {
		t.Errorf("a figure that no chain decides is as of %s", s.AsOf)
	}
}

func TestChainsThatABridgeJoinsAreReadAtOneMoment(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSum)
	first.head = first.block(100, after(7*time.Second))
	token.Ledger = append(token.Ledger,
		ledger.Entry{Label: "Elsewhere", Bucket: ledger.Reserved, Chain: "third", ERC20: addr("elsewhere")})
	token.Ledger[0].Bridge = "portal"
	third := newWorld(3, 70, after(9*time.Second))
	third.set(t, token.Ledger[2], "1", 18)
	chains := map[string]Chain{"first": first, "second": second, "third": third}
	measure := func() *Snapshot {
		t.Helper()
		return measured(t, token, chains, after(time.Minute))
	}
	times := func(s *Snapshot) (out [3]time.Time) {
		for i, b := range s.Blocks {
			out[i] = b.Time
		}
		return out
	}
	// The second chain vouches only for day. The third is joined with nothing.
	if s := measure(); times(s) != [3]time.Time{day, day, after(9 * time.Second)} || !s.AsOf.Equal(day) {
		t.Errorf("read at %v, as of %s", times(s), s.AsOf)
	}
	// The head of a quiet chain is also its state at the moment of the other chains. It does not
	// delay them.
	second.onDemand = true
	if s := measure(); times(s) != [3]time.Time{after(7 * time.Second), day, after(9 * time.Second)} ||
		!s.AsOf.Equal(after(7*time.Second)) {
		t.Errorf("beside a quiet chain: read at %v, as of %s", times(s), s.AsOf)
	}
	// The quiet chain is not read later than the others either.
	second.head = second.block(6000, after(30*time.Second))
	if s := measure(); times(s) != [3]time.Time{after(7 * time.Second), after(7 * time.Second),
		after(9 * time.Second)} {
		t.Errorf("beside a busy chain: read at %v", times(s))
	}
	// Chains that are not joined are read at their own newest blocks.
	token.Bridges = nil
	token.Ledger[0].Bridge, token.Ledger[1].Bridge = "", ""
	if s := measure(); times(s) != [3]time.Time{after(7 * time.Second), after(30 * time.Second),
		after(9 * time.Second)} || !s.AsOf.Equal(after(7*time.Second)) {
		t.Errorf("without a bridge: read at %v, as of %s", times(s), s.AsOf)
	}
}

func TestBridgesJoinChainsThroughOthers(t *testing.T) {
	entry := func(chain, bridge string) ledger.Entry {
		return ledger.Entry{Chain: chain, Bridge: bridge, Bucket: ledger.Issued}
	}
	token := ledger.Token{Bridges: map[string]ledger.Bridge{"p": {}, "q": {}, "r": {}},
		Ledger: []ledger.Entry{entry("a", "p"), entry("b", "p"), entry("b", "q"), entry("c", "q"), entry("d", "r"),
			entry("e", ""), entry("", "r")}}
	want := [][]string{{"e"}, {"c", "a", "b"}, {"d"}}
	if got := token.BridgedChains(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("joined are %v, want %v", got, want)
	}
}

func TestALaggingQuorumIsNotFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		token, _ := gem(t)
		b := NewBoard([]ledger.Token{token}, AgePolicy{StaleAfter: 10 * time.Minute, RefuseAfter: 24 * time.Hour,
			MaxLag: map[string]time.Duration{"first": 5 * time.Minute}}, false)
		go b.Run(t.Context())
		now := time.Now().UTC()
		set := func(asOf, confirmed time.Time) State {
			s := take(1000, asOf)
			s.MeasuredAt = confirmed
			b.Set(Record{Token: "gem", Snapshot: s, Confirmed: confirmed})
			return b.Now().States[0]
		}
		for name, c := range map[string]struct {
			asOf, confirmed time.Duration
			want            Status
		}{
			"measured now":                               {0, 0, Fresh},
			"of a state that a chain may lag":            {-14 * time.Minute, 0, Fresh},
			"of an older state":                          {-15 * time.Minute, 0, Stale},
			"not confirmed for long":                     {-time.Minute, -10 * time.Minute, Stale},
			"of the future":                              {time.Minute, 0, Stale},
			"confirmed in the future":                    {0, time.Minute, Stale},
			"by the clock of another instance":           {0, 5 * time.Second, Fresh},
			"too old a state, however newly it was read": {-24 * time.Hour, 0, Unavailable},
		} {
			if got := set(now.Add(c.asOf), now.Add(c.confirmed)); got.Status != c.want {
				t.Errorf("%s: %s, want %s", name, got.Status, c.want)
			}
		}
		// A figure of the future becomes fresh once its time has come.
		set(now.Add(time.Minute), now)
		time.Sleep(51 * time.Second)
		synctest.Wait()
		if got := b.Now().States[0].Status; got != Fresh {
			t.Errorf("once its time has come: %s", got)
		}
	})
}

func TestARiseOfABurnAndMintBridgeBeyondItsSlackIsHeld(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSum)
	token.Ledger[0].Bridge = "portal"
	chains := map[string]Chain{"first": first, "second": second}
	at := day
	judge := func(r Record, home, away string, want judgement) Record {
		t.Helper()
		at = at.Add(time.Minute)
		first.advance(60)
		second.advance(60)
		first.set(t, token.Ledger[0], home, 18)
		second.set(t, token.Ledger[1], away, 6)
		next, got, err := r.Judge(&token, measured(t, token, chains, at), five)
		if err != nil || got != want {
			t.Fatalf("%s and %s: %s, %v; want %s", home, away, got, err, want)
		}
		return next
	}
	start := judge(Record{}, "1000", "290", judgedPublished)
	judge(start, "1005", "290", judgedPublished)
	judge(start, "700", "590", judgedPublished)  // tokens crossed the bridge
	judge(start, "1000", "200", judgedPublished) // tokens were burned, or are in flight
	held := judge(start, "1000", "295.000001", judgedHeld)
	if !strings.Contains(held.Hold.Reason, "bridge portal rises from 1290 to 1295.000001; at most 5") {
		t.Errorf("the reason is %q", held.Hold.Reason)
	}
	for range 4 {
		held = judge(held, "1000", "295.000001", judgedHeld)
	}
	judge(held, "1000", "301", judgedHeld) // rises further: a new hold
	judge(held, "1000", "295.000001", judgedReleased)
	token.Expected = []ledger.Event{{From: day, To: day.Add(time.Hour), Change: -300_000, Reason: "Burn"}}
	judge(start, "1000", "296", judgedHeld)
	token.Expected[0].Change = 300_000
	judge(start, "1000", "296", judgedPublished)
}

func TestAReplacedChainIsAcceptedOnceAndByAPersonOnly(t *testing.T) {
	r := judged(t, Record{}, take(1000, day), judgedPublished)
	reborn := func(total int64, at time.Time) *Snapshot {
		s := take(total, at)
		s.Blocks[0].Number = 3
		return s
	}
	_, _, err := r.Judge(&ledger.Token{Path: "gem"}, reborn(1000, after(time.Minute)), five)
	if !errors.Is(err, ErrRejected) || !strings.Contains(err.Error(), "--accept heights") {
		t.Fatalf("lower blocks give the error %v", err)
	}
	if _, ok := (Record{}).Decide(Decision{Kind: Accept, Subject: Heights}); ok {
		t.Error("accepted before anything was published")
	}
	r, ok := r.Decide(Decision{Kind: Accept, Subject: Heights})
	if !ok {
		t.Fatal("the decision on heights was refused")
	}
	r = judged(t, r, reborn(2000, after(time.Minute)), judgedHeld) // the figure is judged like any other
	r = judged(t, r, reborn(1001, after(2*time.Minute)), judgedPublished)
	below := reborn(1001, after(3*time.Minute))
	below.Blocks[0].Number = 2
	if _, _, err := r.Judge(&ledger.Token{Path: "gem"}, below, five); !errors.Is(err, ErrRejected) {
		t.Errorf("accepted twice: %v", err)
	}
}

func TestChangedDecimalsAreAcceptedByAPersonOnly(t *testing.T) {
	token, w := gem(t)
	chains := map[string]Chain{"first": w}
	r, _, err := Record{}.Judge(&token, measured(t, token, chains, day), five)
	if err != nil {
		t.Fatal(err)
	}
	w.set(t, token.Ledger[0], "1000", 6)
	w.set(t, token.Ledger[1], "100", 6)
	now := measured(t, token, chains, after(time.Minute))
	if _, _, err := r.Judge(&token, now, five); !errors.Is(err, ErrRejected) ||
		!strings.Contains(err.Error(), "--accept decimals") {
		t.Fatalf("other decimals give the error %v", err)
	}
	r, ok := r.Decide(Decision{Kind: Accept, Subject: Decimals})
	if !ok {
		t.Fatal("the decision on decimals was refused")
	}
	if r, _, err = r.Judge(&token, now, five); err != nil {
		t.Fatal(err)
	}
	w.set(t, token.Ledger[0], "1000", 18)
	w.set(t, token.Ledger[1], "100", 18)
	_, _, err = r.Judge(&token, measured(t, token, chains, after(2*time.Minute)), five)
	if !errors.Is(err, ErrRejected) {
		t.Errorf("the new decimals are not remembered: %v", err)
	}
}

// TestATimeBetweenBlocksIsVerified: asOf need not be the time of a block if a chain with blocks on
// demand determines it.
func TestATimeBetweenBlocksIsVerified(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSource)
	first.head, second.onDemand = first.block(100, after(2*time.Second)), true
	chains := map[string]Chain{"first": first, "second": second}
	clock := after(500 * time.Millisecond) // a block is ahead of it
	ev := *measured(t, token, chains, clock).Evidence
	ev.snapshot()
	asOf := func(with Against) Finding {
		v := Verify(t.Context(), &ev, with)
		return v[slices.IndexFunc(v, func(f Finding) bool { return f.What == "as of" })]
	}
	nodes := Against{Nodes: map[uint64]ChainReader{1: first, 2: second}}
	if f := asOf(nodes); !ev.AsOf.Equal(clock) || f.Outcome != Claimed {
		t.Errorf("as of %s: %+v", ev.AsOf, f)
	}
	if f := asOf(Against{}); f.Outcome == False {
		t.Errorf("without nodes: %+v", f)
	}
	// The next block of the first chain was made at 2 seconds at the latest.
	ev.AsOf, ev.MeasuredAt = after(3*time.Second), after(time.Minute)
	ev.snapshot()
	if v := Verify(t.Context(), &ev, nodes); v.OK() || asOf(nodes).Outcome == Holds {
		t.Errorf("a time after the next block: %+v", v)
	}
}
