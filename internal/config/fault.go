package config

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Fault is one thing wrong with a file.
type Fault struct {
	Line int    // 0: the file as a whole
	Path string // such as tokens[1].ledger[3].chain
	Text string
}

// Faults is every fault of a file, in its order.
type Faults struct {
	File string
	List []Fault
	text []byte // of the file, to show the lines that are meant
}

// maxListed is how many faults are told of a file: of one that is no
// configuration at all every line may be one.
const maxListed = 100

func (f *Faults) Error() string {
	var lines []string
	for i, x := range f.List {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("%s: and %d faults more", f.File, len(f.List)-i))
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

var (
	anAddress = regexp.MustCompile(`[a-z0-9+]+://[^\s"',}\]]+`)
	aSecret   = regexp.MustCompile(`((?:secret|password)["']?\s*:\s*|key["']?\s*:\s*["']?(?:[^\s,}\]$]{20}))[^\s,}\]$]+`)
)

// maxShown is how much of a line is shown.
const maxShown = 160

// line is a line of the file as it may be shown: without what may be a secret.
func (f *Faults) line(n int) string {
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

// notYAML makes a fault of the parser's error, which begins with its place.
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

// merge puts what was found wrong with the values beside what could not be read,
// leaving out what only follows from that, and sorts all by their lines.
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

// follows says whether a fault at path may only follow from one at unread: one
// lies within the other, or what path misses may be what could not be read.
func (d *decoder) follows(path, unread string) bool {
	return within(path, unread) || within(unread, path) || d.lines[path] == 0 && within(unread, parent(path))
}

// within says whether path is outer or lies in it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || outer == "" || rest[0] == '.' || rest[0] == '[')
}

// parent is the path of what path lies in.
func parent(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

// lineOf finds the line of path, or of the nearest thing around it.
func lineOf(lines map[string]int, path string) int {
	for ; path != ""; path = parent(path) {
		if n := lines[path]; n > 0 {
			return n
		}
	}
	return 0
}
