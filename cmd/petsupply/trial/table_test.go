package trial

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// table has the effects of each fault that the tests saw, for docs/FAULTS.md.
var table struct {
	sync.Mutex
	rows []row
}

// A row is one fault: its heading, its effect on callers, and the lost data.
type row struct{ part, fault, saw, lost string }

// parts are the headings, in the order of the document.
var parts = []string{"Many instances", "Data", "Limits"}

// note adds a row.
func note(part, fault, saw, lost string) {
	table.Lock()
	defer table.Unlock()
	table.rows = append(table.rows, row{part, fault, saw, lost})
}

var section = regexp.MustCompile(`(?s)<!-- operations -->.*<!-- /operations -->`)

const opening = `<!-- operations -->
## Operations

These tests run the built program. Those of the first table run three instances behind nginx, on a
real PostgreSQL and real nodes. One instance, the leader, measures and writes. It
must renew its lease in the database. If it does not, one of the others, the followers, becomes the
leader. The tests of the other tables run one instance.

During the faults of the first two tables the chains make new blocks, and callers keep requesting
figures, pets and pictures. "601 times 200" means that callers got 601 answers, all with status 200.
Each answer and each row of history is compared with the nodes at the blocks that it names. At the
end every pet is compared too. A test fails if an answer is wrong or a row is missing. It also fails
if a caller gets a 5xx although the instance has the answer in memory.

` + "`go test ./cmd/petsupply/trial -update`" + ` runs the tests and writes the tables.
`

// keepTable compares the document's section with the faults that were tried or, with -update,
// writes it. It returns an exit code.
func keepTable(path string) int {
	table.Lock()
	defer table.Unlock()
	text, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, "reading the table of faults:", err)
		return 1
	}
	if *update {
		body := printed()
		if section.Match(text) {
			text = section.ReplaceAllLiteral(text, []byte(body))
		} else {
			text = append(text, []byte("\n"+body+"\n")...)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "writing the table of faults:", err)
			return 1
		}
	}
	shown := string(section.Find(text))
	for _, r := range table.rows {
		if !strings.Contains(shown, "\n| "+r.fault+" | ") {
			fmt.Fprintf(os.Stderr, "%s does not have this fault: %s; run the tests with -update\n", path, r.fault)
			return 1
		}
	}
	return 0
}

// printed returns the section. The caller has locked the table.
func printed() string {
	var b strings.Builder
	b.WriteString(opening)
	for _, part := range parts {
		rows := slices.DeleteFunc(slices.Clone(table.rows), func(r row) bool { return r.part != part })
		fmt.Fprintf(&b, "\n### %s\n\n| fault | what callers saw | lost data |\n|---|---|---|\n", part)
		for _, r := range rows {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", r.fault, r.saw, r.lost)
		}
	}
	b.WriteString("<!-- /operations -->")
	return b.String()
}
