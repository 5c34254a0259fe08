package config

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Fault is one thing that is wrong with a file.
type Fault struct {
	Line int    // 0 for the file as a whole
	Path string // such as tokens[1].ledger[3].chain
	Text string
}

// A faultList has every fault of a file, in order.
type faultList struct {
	file   string
	faults []Fault
	text   []byte // of the file
}

// maxListed bounds how many faults Error lists. In a file that is not a configuration
// every line may be one.
const maxListed = 100

// Error returns a line for each fault, followed by the line of the file.
func (f *faultList) Error() string {
	var lines []string
	for i, x := range f.faults {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("%s: and %d more faults", f.file, len(f.faults)-i))
			break
		}
		where := f.file
		if x.Line > 0 {
			where += fmt.Sprintf(":%d", x.Line)
		}
		if x.Path != "" {
			where += ": " + x.Path
		}
		lines = append(lines, where+": "+x.Text)
		if shown := f.line(x.Line); shown != "" && (i+1 == len(f.faults) || f.faults[i+1].Line != x.Line) {
			lines = append(lines, "    "+shown)
		}
	}
	return strings.Join(lines, "\n")
}

var (
	anAddress = regexp.MustCompile(`[a-z0-9+]+://[^\s"',}\]]+`)
	aSecret   = regexp.MustCompile(`((?:secret|password)["']?\s*:\s*|key["']?\s*:\s*["']?(?:[^\s,}\]$]{20}))[^\s,}\]$]+`)
)

// maxShown bounds how much of a line is shown, in characters.
const maxShown = 160

// line returns a line of the file with everything masked that may be a secret.
func (f *faultList) line(n int) string {
	if n < 1 {
		return ""
	}
	all := bytes.SplitN(f.text, []byte("\n"), n+1)
	if len(all) < n {
		return ""
	}
	text := strings.TrimSpace(string(all[n-1]))
	text = anAddress.ReplaceAllStringFunc(text, maskURL)
	text = aSecret.ReplaceAllString(text, "${1}"+masked)
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + " …"
	}
	return text
}

// notYAML turns the parser's error, which begins with its place, into a Fault.
func notYAML(err error) Fault {
	first, _, _ := strings.Cut(err.Error(), "\n")
	var f Fault
	if place, rest, ok := strings.Cut(strings.TrimPrefix(first, "["), ":"); ok {
		if n, err := strconv.Atoi(place); err == nil {
			_, first, _ = strings.Cut(rest, "] ")
			f.Line = n
		}
	}
	f.Text = "not YAML: " + first
	return f
}

// merge joins the faults of values with those of reading, and sorts them by line. It
// leaves out faults that only follow from others.
func (d *decoder) merge(found []Fault, noChains bool) []Fault {
	unread := d.faults
	for _, f := range found {
		lost := noChains && len(unread) > 0 && (within(f.Path, "tokens") || within(f.Path, "realms"))
		if lost || slices.ContainsFunc(unread, func(u Fault) bool { return d.follows(f.Path, u.Path) }) {
			continue
		}
		f.Line = lineOf(d.lines, f.Path)
		d.faults = append(d.faults, f)
	}
	slices.SortStableFunc(d.faults, func(a, b Fault) int { return a.Line - b.Line })
	return d.faults
}

// follows reports whether a fault at path may only follow from one at unread: one is
// within the other, or path misses what could not be read.
func (d *decoder) follows(path, unread string) bool {
	return within(path, unread) || within(unread, path) || d.lines[path] == 0 && within(unread, parent(path))
}

// within reports whether path is outer or a part of it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || outer == "" || rest[0] == '.' || rest[0] == '[')
}

// parent returns the path that path is a part of.
func parent(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

// lineOf returns the line of path, or of the nearest path around it.
func lineOf(lines map[string]int, path string) int {
	for ; path != ""; path = parent(path) {
		if n := lines[path]; n > 0 {
			return n
		}
	}
	return 0
}
