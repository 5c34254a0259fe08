package main

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
)

// A report has the results of one client.
type report struct {
	client client
	rows   []string // what was tried, in order
	seen   map[string]string
}

// see records a trial and its result.
func (r *report) see(what, came string) {
	r.rows = append(r.rows, what)
	r.seen[what] = came
}

func (r *report) failed() bool {
	for _, what := range r.seen {
		if strings.HasPrefix(what, "**no**") {
			return true
		}
	}
	return false
}

// tableOf has a row for each thing that was tried, and a column for each client.
func tableOf(reports []*report) string {
	var rows []string
	head := "| check |"
	line := "|---|"
	for _, r := range reports {
		head += " " + r.client.name + " |"
		line += "---|"
		for _, what := range r.rows {
			if !slices.Contains(rows, what) {
				rows = append(rows, what)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintln(&b, head)
	fmt.Fprintln(&b, line)
	for _, what := range rows {
		fmt.Fprintf(&b, "| %s |", what)
		for _, r := range reports {
			text := cmp.Or(r.seen[what], "–")
			fmt.Fprintf(&b, " %s |", strings.Join(strings.Fields(strings.ReplaceAll(text, "|", "/")), " "))
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}

// writeTable puts the table between its marks in the document.
func writeTable(file, table string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	const begin = "<!-- table: begin -->\n"
	const end = "<!-- table: end -->"
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s has no marks for the table", file)
	}
	return os.WriteFile(file, []byte(before+begin+table+end+after), 0o644)
}
