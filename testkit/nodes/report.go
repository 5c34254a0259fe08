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
	client  client
	version string
	rows    []string // what was tried, in order
	seen    map[string]string
	err     error // why the trials were not finished; nil if they were
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
	return r.err != nil
}

// tableOf has a row for each thing that was tried, and a column for each client.
func tableOf(reports []*report) string {
	var rows []string
	head, line := "| check |", "|---|"
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
	row := func(name string, cell func(*report) string) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, r := range reports {
			text := cell(r)
			if text == "" {
				text = "–"
			}
			fmt.Fprintf(&b, " %s |", strings.Join(strings.Fields(strings.ReplaceAll(text, "|", "/")), " "))
		}
		fmt.Fprintln(&b)
	}
	row("version", func(r *report) string { return r.version })
	for _, what := range append(rows, "state", "logs") {
		row(cmp.Or(titles[what], what), func(r *report) string { return r.seen[what] })
	}
	if slices.ContainsFunc(reports, func(r *report) bool { return r.err != nil }) {
		row("stopped by", func(r *report) string {
			if r.err == nil {
				return ""
			}
			return r.err.Error()
		})
	}
	return b.String()
}

// titles are the names of rows that are not named after their trial.
var titles = map[string]string{"state": "earlier blocks whose state the node keeps",
	"logs": "blocks that one search for logs can cover (at most 10,000 were tried)"}

// writeDocument puts a part between its marks in the document.
func writeDocument(file, part, now string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	open, shut := "<!-- "+part+": begin -->\n", "<!-- "+part+": end -->"
	before, rest, ok := strings.Cut(string(text), open)
	_, after, closed := strings.Cut(rest, shut)
	if !ok || !closed {
		return fmt.Errorf("%s has no marks for the part %s", file, part)
	}
	return os.WriteFile(file, []byte(before+open+now+shut+after), 0o644)
}
