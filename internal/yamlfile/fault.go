package yamlfile

import (
	"bytes"
	"fmt"
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

// Faults has every fault of a file, in order.
type Faults struct {
	File string
	List []Fault
	text []byte // of the file
	mask func(line string) string
}

// maxListed bounds how many faults Error lists. In a file that is not a configuration
// every line may be one.
const maxListed = 100

// Error returns a line for each fault, followed by the line of the file.
func (f *Faults) Error() string {
	var lines []string
	for i, x := range f.List {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("%s: and %d more faults", f.File, len(f.List)-i))
			break
		}
		where := f.File
		if x.Line > 0 {
			where += fmt.Sprintf(":%d", x.Line)
		}
		if x.Path != "" {
			where += ": " + x.Path
		}
		lines = append(lines, where+": "+x.Text)
		if shown := f.line(x.Line); shown != "" && (i+1 == len(f.List) || f.List[i+1].Line != x.Line) {
			lines = append(lines, "    "+shown)
		}
	}
	return strings.Join(lines, "\n")
}

// maxShown bounds how much of a line is shown, in characters.
const maxShown = 160

// line returns a line of the file with everything masked that may be a secret.
func (f *Faults) line(n int) string {
	if n < 1 {
		return ""
	}
	all := bytes.SplitN(f.text, []byte("\n"), n+1)
	if len(all) < n {
		return ""
	}
	text := strings.TrimSpace(string(all[n-1]))
	if f.mask != nil {
		text = f.mask(text)
	}
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
func (d *decoder) merge(found []Fault) []Fault {
	unread := slices.Clone(d.faults)
	if d.Unset != nil {
		unread = append(unread, *d.Unset...)
	}
	for _, f := range found {
		if slices.ContainsFunc(unread, func(u Fault) bool { return d.follows(f.Path, u.Path) }) {
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

// Within returns the faults that are at one of the paths, or in it.
func Within(faults []Fault, paths ...string) []Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f Fault) bool {
		return !slices.ContainsFunc(paths, func(p string) bool { return within(f.Path, p) })
	})
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
