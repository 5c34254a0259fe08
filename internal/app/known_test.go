package app

import (
	"maps"
	"testing"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
)

// A page calls an entry proven only if the check of verify and audit confirms it.
func TestPagesCallProvenOnlyWhatTheCheckConfirms(t *testing.T) {
	holds := supply.Finding{What: "the first entry", Entry: 1, Outcome: supply.Holds}
	unproven := supply.Finding{What: "the first entry", Entry: 1, Outcome: supply.Unproven}
	wrong := supply.Finding{What: "total", Outcome: supply.False}
	d := &proof.Document{Entries: []proof.Entry{
		{Label: "Minted", Known: proof.Proven}, {Label: "Held", Known: proof.Agreed(2, 3)},
		{Label: "Promised", Known: proof.Declared},
	}}
	said := map[string]string{}
	for _, e := range d.Entries {
		said[e.Label] = e.Known
	}
	for name, test := range map[string]struct {
		checked supply.Findings
		proven  bool
	}{
		"it holds":           {supply.Findings{holds}, true},
		"it is not proven":   {supply.Findings{unproven}, false},
		"another is false":   {supply.Findings{holds, wrong}, false},
		"nothing is checked": {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			entries := maps.Clone(said)
			keepProven(entries, d, test.checked)
			want := maps.Clone(said)
			if !test.proven {
				delete(want, "Minted")
			}
			if !maps.Equal(entries, want) {
				t.Errorf("%v, want %v", entries, want)
			}
		})
	}
}
