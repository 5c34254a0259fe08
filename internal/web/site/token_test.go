package site

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

func TestLedgerVersions(t *testing.T) {
	if ledgerVersions(ledger.Document{}) != nil {
		t.Error("a ledger that was never used has a past")
	}
	then := time.Unix(1700000000, 0)
	a, b := ledger.Whole(5000, 18), ledger.Whole(6000, 18)
	version := func(hash string, max *ledger.Amount, entries ...ledger.Entry) ledger.Version {
		return ledger.Version{Hash: hash, Since: &then, Terms: ledger.Terms{Decimals: 18, MaxSupply: max, Entries: entries}}
	}
	minted := ledger.Entry{Label: "Minted", Bucket: ledger.Issued, ERC20: "0x1"}
	moved := minted
	moved.ERC20 = "0x2"
	declared := ledger.Entry{Label: "Lost", Bucket: ledger.Burned, Amount: &a}
	same, other := declared, declared
	equal := ledger.Whole(5000, 0)
	same.Amount, other.Amount = &equal, &b
	pending := version("p", &a, moved, other)
	got := ledgerVersions(ledger.Document{
		Version: version("c", &a, minted, same, ledger.Entry{Label: "Treasury"}),
		Pending: &pending,
		Earlier: []ledger.Version{version("b", nil, minted, declared), version("a", nil, minted, ledger.Entry{Label: "Old"})},
	})
	type brief struct {
		Hash                           string
		InUse, Pending, First          bool
		Added, Removed, Changed, Rules []string
	}
	var have []brief
	for _, r := range got {
		have = append(have, brief{r.Hash, r.InUse, r.Pending, r.First, r.Added, r.Removed, r.Changed, r.Rules})
	}
	want := []brief{
		{Hash: "p", Pending: true, Removed: []string{"Treasury"}, Changed: []string{"Minted", "Lost"}},
		{Hash: "c", InUse: true, Added: []string{"Treasury"}, Rules: []string{"maximum supply, from none to 5,000"}},
		{Hash: "b", Added: []string{"Lost"}, Removed: []string{"Old"}},
		{Hash: "a", First: true},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func TestIncidents(t *testing.T) {
	since := time.Unix(1700000000, 0)
	notice := func(hours int, kind, reason string) supply.Notice {
		return supply.Notice{Kind: kind, At: since.Add(time.Duration(hours) * time.Hour), Reason: reason}
	}
	events := []supply.Notice{
		notice(0, supply.NoticeHeld, "it doubled"), notice(1, supply.NoticeReleased, "released by an operator: announced"),
		notice(2, supply.NoticeHeld, "it fell"), notice(3, supply.NoticeHeld, "it fell further"),
		notice(4, supply.NoticeCorrected, "miscounted"),
	}
	waits := supply.State{Token: &ledger.Token{Path: "jewel"}, Hold: &supply.Hold{Reason: "it fell further",
		Since: since.Add(3 * time.Hour)}}
	brief := func(list []incident) (out []string) {
		for _, i := range list {
			out = append(out, i.What+": "+i.Outcome)
		}
		return out
	}
	want := []string{"A figure was held: it doubled: released by an operator: announced",
		"A figure was held: it fell: another figure was held in its place", "A figure was held: it fell further: waiting",
		"A figure was corrected: miscounted: "}
	if diff := cmp.Diff(want, brief(incidents(waits, events))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want[2:3], brief(incidents(waits, nil))); diff != "" { // the store is down
		t.Error(diff)
	}
	if got := incidents(supply.State{}, nil); got != nil {
		t.Errorf("nothing was held, and it says %+v", got)
	}
	var keys []string
	for _, m := range draw("X", []supply.Point{{AsOf: since}, {AsOf: since.Add(150 * time.Minute)}},
		false).with(marks(waits, events)).Marks {
		keys = append(keys, m.Key+" "+m.At)
	}
	if diff := cmp.Diff([]string{"hold 0.00", "release 40.00", "hold 80.00", "release 100.00", "hold 100.00",
		"correction 100.00"}, keys); diff != "" {
		t.Error(diff)
	}
}

// A page of the past says that a figure was held then. It shows a held figure before it was
// published, if the blocks of the figure are old enough.
func TestHoldsOfThePast(t *testing.T) {
	hour := func(n int) time.Time { return demo.Start.Add(time.Duration(n) * time.Hour) }
	list := []incident{{Kind: "hold", Reason: "it doubled", Since: hour(2), Ended: hour(4)}, {Kind: "gap", Since: hour(5)},
		{Kind: "hold", Reason: "it fell", Since: hour(6), Ended: hour(8)},
		{Kind: "hold", Reason: "it rose", Since: hour(8), Ended: hour(10)}, {Kind: "hold", Reason: "again", Since: hour(20)}}
	for _, c := range []struct {
		name         string
		at, measured int // hours
		want         string
	}{
		{"before the hold", 1, 1, ""},
		{"an older figure", 3, 1, "At that moment a newer figure was held: it doubled"},
		{"the held figure itself", 3, 2, "This figure was held, and not published until 4 Jul 2026, 04:00 UTC: it doubled"},
		{"a confirmation of it", 3, 4, "This figure was held, and not published until 4 Jul 2026, 04:00 UTC: it doubled"},
		{"after the hold", 4, 2, ""},
		{"a gap", 5, 4, ""},
		{"another figure was held in its place", 7, 8, "This figure was held, and not published until 4 Jul 2026, 10:00 UTC: it rose"},
		{"a hold that continues", 21, 15, "At that moment a newer figure was held: again"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := heldAt(hour(c.at), &supply.Snapshot{MeasuredAt: hour(c.measured)}, list); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A correction says which figures were wrong, and what the next good ones were. One correction of
// several snapshots is one incident.
func TestCorrectionsShowFigures(t *testing.T) {
	s, at := demoSite(t), demo.Start.AddDate(0, 1, 0)
	point := func(hours int, total, circulating int64, correction *supply.Correction) supply.Point {
		return supply.Point{AsOf: at.Add(time.Duration(hours) * time.Hour), Correction: correction,
			Figures: supply.Figures{Total: ledger.Whole(total, 0), Circulating: ledger.Whole(circulating, 0)}}
	}
	wrong := &supply.Correction{Reason: "an entry was missing."}
	s.Past = earlier{point(0, 9000, 5000, wrong)}
	st, _ := s.Board.Now().State("jewel")
	for want, next := range map[string][]supply.Point{
		". Published for " + minute(at) + ": circulating 5,000, total 9,000. The next correct figures, for " +
			minute(at.Add(2*time.Hour)) + ": circulating 4,000, total 9,001.": {point(0, 9000, 5000, nil),
			point(1, 9000, 5000, wrong), point(2, 9001, 4000, nil)},
		"": {point(1, 9000, 5000, wrong)},
	} {
		s.History = correctedTwice{demoHistory: next, at: at}
		s.happened.latest.Clear()
		list := incidents(supply.State{Token: st.Token}, s.events(t.Context(), st))
		if len(list) != 1 || list[0].What != "A figure was corrected: an entry was missing"+want {
			t.Errorf("%+v, want %q", list, want)
		}
	}
}

// A change is not counted from a figure that was wrong.
func TestWrongFiguresAreNotCompared(t *testing.T) {
	s := demoSite(t)
	st, _ := s.Board.Now().State("jewel")
	now := *st.Snapshot
	now.Evidence, st.Snapshot = nil, &now
	point := func(days int, circulating int64, wrong *supply.Correction) supply.Point {
		return supply.Point{AsOf: now.AsOf.AddDate(0, 0, -days), Correction: wrong,
			Figures: supply.Figures{Total: ledger.Whole(9000, 18), Circulating: ledger.Whole(circulating, 18)}}
	}
	wrong := &supply.Correction{Reason: "an entry was missing"}
	s.History = demoHistory{point(30, 5000, wrong), point(29, 5000, wrong), point(28, 4000, nil), point(0, 4500, nil)}
	span, err := s.readSpan(t.Context(), st, now.AsOf.AddDate(0, 0, -30), 10)
	if err != nil || whole(span.why.Before.Circulating) != "4,000" || span.why.Days() != "28 days" {
		t.Errorf("it compares with %+v, %v", span.why, err)
	}
	s.History = demoHistory{point(1, 5000, wrong), point(0, 4500, nil)}
	if span, err = s.readSpan(t.Context(), st, now.AsOf.AddDate(0, 0, -30), 10); err != nil || span.why != nil {
		t.Errorf("the first correct figure is compared with itself: %+v, %v", span.why, err)
	}
	s.History, st.Correction = demoHistory{point(1, 5000, wrong), point(0, 4500, wrong)}, wrong
	if span, err = s.readSpan(t.Context(), st, now.AsOf.AddDate(0, 0, -30), 10); err != nil || span.why != nil {
		t.Errorf("two wrong figures are compared: %+v, %v", span.why, err)
	}
}

// correctedTwice has one correction of two snapshots.
type correctedTwice struct {
	demoHistory
	at time.Time
}

func (c correctedTwice) Events(context.Context, string) ([]supply.Notice, error) {
	e := supply.Notice{Kind: supply.NoticeCorrected, At: c.at, Reason: "an entry was missing", Snapshot: "a"}
	again := e
	again.Snapshot = "b"
	return []supply.Notice{e, again}, nil
}

func TestHeadlines(t *testing.T) {
	n := &supply.Snapshot{Figures: supply.Figures{Total: amount(t, "300"), Circulating: amount(t, "200")}}
	notes := func(why *explanation) (out []string) {
		for _, h := range headlines(n, why) {
			out = append(out, h.Name+": "+strings.Join(h.Notes, ", "))
		}
		return out
	}
	if got, want := notes(nil), []string{"Circulating: 66.7% of the total", "Total: ",
		"Maximum: no limit is declared"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	most := amount(t, "100000")
	n.Max = &most
	why := &explanation{From: demo.Start, To: demo.Start.AddDate(0, 0, 30), After: n.Figures,
		Before: supply.Figures{Total: amount(t, "300"), Circulating: amount(t, "100")}}
	want := []string{"Circulating: 66.7% of the total, +100.00% in 30 days",
		"Total: 0.3% of the maximum (99,700\u00a0left), unchanged in 30 days",
		"Maximum: declared by the project, a larger measured total is rejected"}
	if got := notes(why); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The page names the token's own contracts once each, but no contract that is only asked for a number.
func TestContractsOfAToken(t *testing.T) {
	address := func(n byte) string { return common.BytesToAddress([]byte{n}).Hex() }
	issued := ledger.Entry{Bucket: ledger.Issued, ERC20: address(1)}
	held := ledger.Entry{Bucket: ledger.Locked, ERC20: address(1), Holder: address(7)}
	receipts := ledger.Entry{Bucket: ledger.Locked, ERC20: address(2)}
	minted := ledger.Entry{Bucket: ledger.Issued, Call: "minted()", To: address(3)}
	locked := ledger.Entry{Bucket: ledger.Locked, Call: "locked()", To: address(4)}
	native := ledger.Entry{Bucket: ledger.Locked, Native: address(5)}
	of := ledger.Source{Native: address(6)}
	shared := ledger.Entry{Bucket: ledger.Locked, Share: &ledger.Share{Token: address(6), Of: of}}
	token, gas := contract{Chain: "first", Address: address(1), Decimals: 6}, contract{Chain: "first", Decimals: -1}
	for name, test := range map[string]struct {
		entries []ledger.Entry
		want    []contract
	}{
		"an ERC-20":                        {[]ledger.Entry{issued, held, receipts, locked}, []contract{token}},
		"an ERC-20 that is only held":      {[]ledger.Entry{minted, held}, []contract{token}},
		"the gas token":                    {[]ledger.Entry{minted, native, locked, native}, []contract{gas}},
		"the gas token in a share":         {[]ledger.Entry{minted, shared}, []contract{gas}},
		"the gas token and its wrapper":    {[]ledger.Entry{held, native}, []contract{gas}},
		"a gas token with a contract":      {[]ledger.Entry{native, held, issued}, []contract{token}},
		"a declared amount":                {[]ledger.Entry{{Bucket: ledger.Issued}}, nil},
		"numbers that other contracts say": {[]ledger.Entry{minted, locked}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var entries []supply.EvidenceEntry
			for _, e := range test.entries {
				e.Chain = "first"
				entries = append(entries, supply.EvidenceEntry{Entry: e, Decimals: 6})
			}
			if got := bare(t).contracts(entries); !slices.Equal(got, test.want) {
				t.Errorf("the contracts are %+v, want %+v", got, test.want)
			}
		})
	}
}
