package trial

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// table is what the tests saw of each fault; docs/FAULTS.md shows it.
var table struct {
	sync.Mutex
	rows []row
}

// A row is one fault: under what heading, what callers saw of it, and what was
// lost.
type row struct{ part, fault, saw, lost string }

// parts are the headings, in the order of the document.
var parts = []string{"Many instances", "Data", "Limits"}

// note adds a row.
func note(part, fault, saw, lost string) {
	table.Lock()
	defer table.Unlock()
	table.rows = append(table.rows, row{part, fault, saw, lost})
}

const opening = `# Faults

What happens when something breaks. The tests break it and write these tables themselves.
`

var section = regexp.MustCompile(`(?s)<!-- operations -->.*<!-- /operations -->`)

// writeTable puts the rows into their section of the document and returns an
// exit code.
func writeTable(path string) int {
	table.Lock()
	defer table.Unlock()
	var b strings.Builder
	b.WriteString("<!-- operations -->\n## Operations\n\nWritten by `make faults`: the program as it is built, on a real PostgreSQL, a real object store, nginx and EVM nodes.\n")
	for _, part := range parts {
		rows := slices.DeleteFunc(slices.Clone(table.rows), func(r row) bool { return r.part != part })
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n| fault | what callers saw | what was lost |\n|---|---|---|\n", part)
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.fault, r.saw, r.lost)
		}
	}
	b.WriteString("<!-- /operations -->")
	text, err := os.ReadFile(path)
	switch {
	case os.IsNotExist(err):
		text = []byte(opening + "\n" + b.String() + "\n")
	case err != nil:
	case section.Match(text):
		text = section.ReplaceAllLiteral(text, []byte(b.String()))
	default:
		text = append(text, []byte("\n"+b.String()+"\n")...)
	}
	if err == nil || os.IsNotExist(err) {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "writing the table of faults:", err)
		return 1
	}
	return 0
}
