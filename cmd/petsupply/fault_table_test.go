package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// faultTable writes the results as tables: a line for each fault, and a column for each number of
// faulty providers. A third table has settings that make lies less likely.
func faultTable(results []result) string {
	var b strings.Builder
	count := map[outcome]int{}
	wrong := 0
	for i, r := range results {
		if r.seen == lied && slices.ContainsFunc(results, r.isSeenByProofs) {
			results[i].seen = doubted
		}
		count[results[i].seen]++
		wrong += len(r.wrong)
	}
	faultRows(&b, "1 of 1 faulty", results, false)
	fmt.Fprint(&b, "\nWith `proofs: required`:\n\n")
	faultRows(&b, "1 of 1 faulty", results, true)
	fmt.Fprintf(&b, "\n%d combinations of a fault and a number of faulty providers were tried. In %d of them callers\n"+
		"see a lie unless proofs are required. In %d the fault is undetectable. Of all other answers, %d\n"+
		"were wrong. These settings help:\n\n| fault | settings |\n|---|---|\n", len(results), count[doubted],
		count[lied], wrong)
	for _, r := range faultCases {
		if r.narrow != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", r.name, r.narrow)
		}
	}
	return b.String()
}

// isSeenByProofs reports whether x has the fault of r while proofs are required, and no lie was
// believed in x.
func (r result) isSeenByProofs(x result) bool {
	return !r.required && x.required && x.seen != lied && r.faultCase == x.faultCase && r.faulty == x.faulty &&
		r.of == x.of
}

// faultRows writes one table.
func faultRows(b *strings.Builder, first string, results []result, required bool) {
	fmt.Fprintf(b, "| fault | %s | 1 of 3 | 2 of 3 | wrong answers |\n|---|---|---|---|---|\n", first)
	for _, r := range faultCases {
		seen, wrong, but := map[[2]int]outcome{}, 0, ""
		for _, x := range results {
			if x.faultCase.name != r.name || x.required != required {
				continue
			}
			seen[[2]int{x.faulty, x.of}] = x.seen
			wrong += len(x.wrong)
			switch x.seen {
			case lied:
				but = ", except where undetectable"
			case doubted:
				but = ", except where believed"
			}
		}
		if len(seen) > 0 {
			fmt.Fprintf(b, "| %s | %s | %s | %s | %d%s |\n", r.name, seen[[2]int{1, 1}], seen[[2]int{1, 3}], seen[[2]int{2, 3}],
				wrong, but)
		}
	}
}

const faultsFile = "../../docs/FAULTS.md"

// section compares a text with its section of the document, or writes it there with -update.
func section(t *testing.T, name, text string) {
	t.Helper()
	file, err := os.ReadFile(faultsFile)
	if err != nil {
		t.Fatal(err)
	}
	open, shut := "<!-- "+name+": begin -->\n", "<!-- "+name+": end -->"
	before, rest, found := strings.Cut(string(file), open)
	was, after, closed := strings.Cut(rest, shut)
	switch {
	case !found || !closed:
		t.Fatalf("%s has no section %s", faultsFile, name)
	case was == text:
	case !*update:
		t.Errorf("section %s of %s does not say what was seen; run this test with -update", name, faultsFile)
	default:
		if err := os.WriteFile(faultsFile, []byte(before+open+text+shut+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
