package app

import (
	"maps"
	"testing"

	"petsupply/internal/supply"
)

// A page calls an entry proven only if the check of verify and audit confirms it.
func TestPagesCallProvenOnlyWhatTheCheckConfirms(t *testing.T) {
	holds := supply.Finding{What: `entry "Minted"`, Outcome: supply.Holds}
	unproven := supply.Finding{What: `entry "Minted"`, Outcome: supply.Unproven}
	wrong := supply.Finding{What: "total", Outcome: supply.False}
	said := map[string]string{"Minted": "proven", "Held": "agreed by 2 of 3", "Promised": "declared"}
	for name, test := range map[string]struct {
		checked supply.Verdict
		proven  bool
	}{
		"it holds":           {supply.Verdict{holds}, true},
		"it is not proven":   {supply.Verdict{unproven}, false},
		"another is false":   {supply.Verdict{holds, wrong}, false},
		"nothing is checked": {nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			entries := maps.Clone(said)
			keepProven(entries, test.checked)
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
