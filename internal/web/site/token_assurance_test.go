package site

import (
	"context"
	"slices"
	"testing"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// Every entry says how it is known, in the words of its proof if there is one.
func TestHowEntriesAreKnown(t *testing.T) {
	amount := ledger.Whole(5, 0)
	read, told := ledger.Entry{Label: "Minted", Chain: "second"}, ledger.Entry{Label: "Team", Amount: &amount}
	s := bare(t)
	s.Status = func() Status {
		return Status{Chains: []ChainStatus{{Name: "second", Quorum: 2, Providers: make([]ProviderStatus, 3)}}}
	}
	asked := 0
	st := supply.State{Token: &ledger.Token{Path: "jade"}, Status: supply.Fresh, Snapshot: &supply.Snapshot{ID: "a",
		Blocks: []supply.Block{{Chain: "second", Number: 1234}}}}
	s.Known = func(_ context.Context, token, snapshot string) (map[string]string, bool) {
		if asked++; asked == 1 || token != "jade" || snapshot != "a" {
			return nil, false
		}
		return map[string]string{"Minted": "proven"}, true
	}
	k := s.assuranceOf(t.Context(), st, false)
	if got := s.how(k, read); got != "agreed by 2 of 3" {
		t.Errorf("before its proof is kept it is %q", got)
	}
	for range 3 {
		k = s.assuranceOf(t.Context(), st, false)
	}
	if asked != 2 {
		t.Errorf("a complete assurance was read again, %d times in all", asked)
	}
	if got, declared := s.how(k, read), s.how(k, told); got != "proven" || declared != "declared" {
		t.Errorf("%q and %q", got, declared)
	}
	var names []string
	for _, f := range s.facts(st, k, []row{{Known: "proven"}, {Known: "declared"}}) {
		names = append(names, f.Name+": "+f.Text)
	}
	if want := []string{"Proven: 1 of 2 entries, without trusting a node",
		"In the log: so it cannot be changed unnoticed",
		"Agreed: 2 of 3 providers of second returned the same bytes"}; !slices.Equal(names, want) {
		t.Errorf("the assurances are %q", names)
	}
	s.Status = func() Status {
		return Status{Chains: []ChainStatus{{Name: "second", Quorum: 1, Providers: make([]ProviderStatus, 1)}}}
	}
	s.kept.last.Store(nil)
	if f := s.facts(st, k, nil); f[len(f)-1].Text != "from the only provider of second, so no other confirms it" {
		t.Errorf("of one provider: %+v", f)
	}
	s.Known, s.Demo = nil, true
	if got := s.how(s.assuranceOf(t.Context(), st, false), read); got != "invented" {
		t.Errorf("of a demo: %q", got)
	}
	if facts := s.facts(st, s.assuranceOf(t.Context(), st, false), nil); len(facts) != 0 {
		t.Errorf("a demo gives reasons to believe it: %v", facts)
	}
}

// The marks of one page do not change a shared chart.
func TestHoldsAreMarkedInTheChart(t *testing.T) {
	from := time.Unix(1_700_000_000, 0)
	c := &chart{From: from, To: from.Add(100 * time.Hour), Marks: make([]mark, 1, 9)}
	out := c.with([]event{{from.Add(50 * time.Hour), "hold", "a figure was held: +40 %"}, {from.Add(-time.Hour), "hold",
		"long ago"}})
	if len(c.Marks) != 1 || len(out.Marks) != 2 || out.Marks[1].At != "50.00" || out.Marks[1].Key != "hold" {
		t.Errorf("%+v and %+v", c.Marks, out.Marks)
	}
	if (*chart)(nil).with([]event{{}}) != nil {
		t.Error("a chart came from nowhere")
	}
}

// The tolerance of a bridge is written with grouped digits.
func TestBridgeTolerance(t *testing.T) {
	slack := amount(t, "5000.5")
	lines := bare(t).bridges(&supply.Evidence{Bridges: map[string]ledger.Bridge{"relay": {Slack: &slack}}})
	if len(lines) != 1 || lines[0].Slack != "5,000.5" {
		t.Errorf("the bridges are %+v", lines)
	}
}
