package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// faultTable is the results as a table for people: a line for each fault, a
// column for each number of faulty providers.
func faultTable(results []result) string {
	var b strings.Builder
	seen, unseen, wrong := map[string]outcome{}, 0, 0
	for _, r := range results {
		seen[fmt.Sprint(r.faultCase.name, r.faulty, r.of)] = r.seen
		wrong += len(r.wrong)
		if r.seen == lied {
			unseen++
		}
	}
	fmt.Fprintln(&b, "| fault | callers see, where 1 of 1 provider has it | 1 of 3 | 2 of 3 | wrong answers |")
	fmt.Fprintln(&b, "|---|---|---|---|---|")
	for _, r := range faultCases {
		n := 0
		for _, x := range results {
			if x.faultCase.name == r.name {
				n += len(x.wrong)
			}
		}
		one, three, two := seen[fmt.Sprint(r.name, 1, 1)], seen[fmt.Sprint(r.name, 1, 3)], seen[fmt.Sprint(r.name, 2, 3)]
		count := fmt.Sprint(n)
		if one == lied || two == lied {
			count += ", but for what is undetectable"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.name, one, three, two, count)
	}
	fmt.Fprintf(&b, "\n%d faults tried: %d undetectable, %d wrong answers. What would narrow the undetectable ones down:\n\n", len(results), unseen, wrong)
	for _, r := range faultCases {
		if r.one == lied || r.two == lied {
			fmt.Fprintf(&b, "- %s: %s.\n", r.name, r.narrow)
		}
	}
	return b.String()
}

const faultsFile = "../../docs/FAULTS.md"

// section holds a text against its section of the document, or writes it there
// when asked to.
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
