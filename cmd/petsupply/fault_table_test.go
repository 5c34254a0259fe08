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
	cell := map[string]string{}
	tried, undetectable, wrong := 0, 0, 0
	for _, r := range results {
		text := string(r.seen)
		if r.seen == lied {
			text = "**undetectable**: the lie. It takes " + r.row.narrow
			undetectable++
		}
		cell[fmt.Sprint(r.row.name, r.faulty, r.of)] = text
		tried, wrong = tried+1, wrong+len(r.wrong)
	}
	fmt.Fprintln(&b, "| fault | 1 of 1 provider has it: callers see | 1 of 3 | 2 of 3 | wrong answers |")
	fmt.Fprintln(&b, "|---|---|---|---|---|")
	for _, r := range rows {
		n := 0
		for _, x := range results {
			if x.row.name == r.name {
				n += len(x.wrong)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %d |\n", r.name,
			cell[fmt.Sprint(r.name, 1, 1)], cell[fmt.Sprint(r.name, 1, 3)], cell[fmt.Sprint(r.name, 2, 3)], n)
	}
	fmt.Fprintf(&b, "\n%d faults tried: %d undetectable, %d wrong answers.\n", tried, undetectable, wrong)
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
