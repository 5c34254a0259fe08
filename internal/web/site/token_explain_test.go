package site

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// checkSums checks that the parts of a change add up to it.
func checkSums(t *testing.T, w *explanation) {
	t.Helper()
	circulating, total := ledger.Zero(0), ledger.Zero(0)
	for _, p := range w.Parts {
		circulating, total = circulating.Add(p.Circulating.Amount), total.Add(p.Total.Amount)
	}
	if want := w.After.Circulating.Sub(w.Before.Circulating); circulating.Cmp(want) != 0 || w.Circulating.Cmp(want) != 0 {
		t.Errorf("parts of %s, a sum of %s, a change of %s", circulating, w.Circulating, want)
	}
	if want := w.After.Total.Sub(w.Before.Total); total.Cmp(want) != 0 || w.Total.Cmp(want) != 0 {
		t.Errorf("parts of %s, a sum of %s, a change of the total of %s", total, w.Total, want)
	}
}

func TestTheReasonsOfAChangeAddUpExactly(t *testing.T) {
	for _, token := range demo.Tokens() {
		last, err := demoEvidence(token.Path, demo.End)
		if err != nil {
			t.Fatal(err)
		}
		for at := demo.Start; at.Before(demo.End); at = at.AddDate(0, 0, 13) {
			first, err := demoEvidence(token.Path, at)
			if err != nil {
				t.Fatal(err)
			}
			w := explainChange(first, last, nil)
			checkSums(t, w)
			buckets := explainFigures(supply.Point{AsOf: at, Figures: first.Figures},
				supply.Point{AsOf: demo.End, Figures: last.Figures}, nil)
			checkSums(t, buckets)
			if w.Circulating.Cmp(buckets.Circulating.Amount) != 0 || !buckets.ByBucket || w.ByBucket {
				t.Errorf("%s since %s: %s by entries, %s by buckets", token.Path, at, w.Circulating, buckets.Circulating)
			}
		}
	}
}

func TestAChangeInWords(t *testing.T) {
	first, err := demoEvidence("jewel", demo.End.Add(-30*24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	last, err := demoEvidence("jewel", demo.End)
	if err != nil {
		t.Fatal(err)
	}
	w := explainChange(first, last, nil)
	for _, words := range []string{"JEWEL rose by 1,294,255 (+1.49%) in 30 days. Net changes: 866,814 unlocked (Vesting), 505,783 " +
		"minted, offset by ", "69,417 burned (Fees)"} {
		if !strings.Contains(w.Sentence("JEWEL"), words) {
			t.Errorf("%q does not say %q", w.Sentence("JEWEL"), words)
		}
	}
	if w.Parts[0].Row != "entry-5" { // the ledger's fifth entry
		t.Errorf("the first part is %+v", w.Parts[0])
	}
	if w := explainChange(last, last, nil); w.Sentence("X") != "The circulating supply of X did not change." ||
		len(w.Parts) != 0 {
		t.Errorf("without a change it says %q", w.Sentence("X"))
	}
}

// The treasury of jade is filled steadily and sells a lot at once. Both have a part.
func TestAnAmountThatRoseAndFellHasTwoParts(t *testing.T) {
	sale := demo.Sales(demo.Start, demo.End)[0]
	var points []supply.Point
	list := make([]*supply.Evidence, 0, 20)
	for at := sale.AddDate(0, 0, -10); at.Before(sale.AddDate(0, 0, 10)); at = at.AddDate(0, 0, 1) {
		ev, err := demoEvidence("jade", at)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, ev)
		points = append(points, supply.Point{AsOf: at, Figures: ev.Figures, LedgerHash: ev.LedgerHash})
	}
	first, last := list[0], list[len(list)-1]
	treasury := func(w *explanation) (out []string) {
		checkSums(t, w)
		for _, p := range w.Parts {
			if p.Key == "reserved" {
				out = append(out, p.Words+" "+whole(p.Amount)+" "+p.Label)
			}
		}
		return out
	}
	both := []string{"released from reserve 5,978,571 Treasury", "put in reserve 3,985,714 Treasury"}
	w := explainChange(first, last, points)
	if diff := cmp.Diff(both, treasury(w)); diff != "" || !w.BothWays || !strings.Contains(w.Sentence("X"), ". Changes: ") {
		t.Error(w.Sentence("X"), diff)
	}
	end := points[len(points)-1]
	w = explainFigures(points[0], end, points)
	if diff := cmp.Diff([]string{"released from reserve 5,978,571 in total", "put in reserve 3,985,714 in total"},
		treasury(w)); diff != "" {
		t.Error(diff)
	}
	net := []string{"released from reserve 1,992,857 Treasury"}
	if diff := cmp.Diff(net, treasury(explainChange(first, last, nil))); diff != "" {
		t.Error("without points:", diff)
	}
	points[3].LedgerHash = "another"
	if diff := cmp.Diff(net, treasury(explainChange(first, last, points))); diff != "" {
		t.Error("with another ledger in between:", diff)
	}
	points[3].LedgerHash = first.LedgerHash
	for _, ev := range []*supply.Evidence{first, last} { // which of two entries rose is not known
		ev.Entries = append(ev.Entries, supply.EvidenceEntry{Counted: true, Amount: ledger.Zero(0),
			Entry: ledger.Entry{Label: "Other", Bucket: ledger.Reserved}})
	}
	if diff := cmp.Diff(net, treasury(explainChange(first, last, points))); diff != "" {
		t.Error("with two entries:", diff)
	}
}

// Entries that are added to a ledger or removed explain a change too. No name or figure breaks the
// sum.
func TestAChangedLedgerIsAReason(t *testing.T) {
	entry := func(label string, b ledger.Bucket, n string) supply.EvidenceEntry {
		return supply.EvidenceEntry{Entry: ledger.Entry{Label: label, Bucket: b}, Amount: amount(t, n), Counted: true}
	}
	figures := func(total, circulating string) supply.Figures {
		return supply.Figures{Total: amount(t, total), Circulating: amount(t, circulating)}
	}
	before := &supply.Evidence{AsOf: demo.Start, LedgerHash: "a", Figures: figures("100", "60"),
		Entries: []supply.EvidenceEntry{entry("A", ledger.Issued, "100"), entry("<b>Old", ledger.Locked, "40")}}
	after := &supply.Evidence{AsOf: demo.End, LedgerHash: "b", Figures: figures(largest, largest),
		Entries: []supply.EvidenceEntry{entry("A", ledger.Issued, largest)}}
	w := explainChange(before, after, nil)
	checkSums(t, w)
	if !w.NewLedger || len(w.Parts) != 2 || w.Parts[1].Label != "<b>Old" || w.Parts[1].Row != "" ||
		w.Parts[1].Words != "unlocked" {
		t.Errorf("the parts of the change are %+v", w.Parts)
	}
}

func TestABridgeTransferChangesNoFigure(t *testing.T) {
	side := func(label, n string) supply.EvidenceEntry {
		return supply.EvidenceEntry{Entry: ledger.Entry{Label: label, Bucket: ledger.Issued, Bridge: "relay"},
			Amount: amount(t, n), Counted: true}
	}
	total := supply.Figures{Total: amount(t, "150"), Circulating: amount(t, "150")}
	before := &supply.Evidence{AsOf: demo.Start, Figures: total, Entries: []supply.EvidenceEntry{side("Here", "100"),
		side("There", "50")}}
	after := &supply.Evidence{AsOf: demo.End, Figures: total, Entries: []supply.EvidenceEntry{side("Here", "70"),
		side("There", "80")}}
	w := explainChange(before, after, nil)
	checkSums(t, w)
	if len(w.Parts) != 1 || w.Parts[0].Moved != "30" || w.Parts[0].Label != "on both sides of the relay bridge" ||
		w.Circulating.Amount.Sign() != 0 {
		t.Errorf("the parts of the change are %+v", w.Parts)
	}
}

func TestTheLengthOfASpanInWords(t *testing.T) {
	for length, want := range map[time.Duration]string{
		20 * time.Second: "1 minute", 5 * time.Minute: "5 minutes", 100 * time.Minute: "2 hours", 30 * time.Hour: "30 hours",
		40 * time.Hour: "2 days", 30*24*time.Hour + 5*time.Hour: "30 days",
		1826 * 24 * time.Hour: "1,826 days",
	} {
		w := explanation{From: demo.Start, To: demo.Start.Add(length)}
		if got := w.Days(); got != want {
			t.Errorf("%s is %q, want %q", length, got, want)
		}
	}
}
