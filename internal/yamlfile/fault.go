package yamlfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Fault is one thing that is wrong with a file.
type Fault struct {
	Line int    `json:"line,omitempty"` // 0 for the file as a whole
	Path string `json:"path,omitempty"` // such as tokens[1].ledger[3].chain
	Text string `json:"text"`
}

// Faults has every fault of a file, in order.
type Faults struct {
	File string
	List []Fault
	from *source // nil if no line can be shown
}

// maxListed bounds how many faults Error lists. If a file is not a configuration, every line may be
// a fault.
const maxListed = 100

// Error returns a line for each fault, followed by the line of the file that has the fault. It
// lists at most maxListed faults.
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
		if f.from == nil || i+1 < len(f.List) && f.List[i+1].Line == x.Line {
			continue
		}
		if shown := f.from.line(x.Line); shown != "" {
			lines = append(lines, "    "+shown)
		}
	}
	return strings.Join(lines, "\n")
}

// quoted matches a quotation of the file in a message of the parser.
var quoted = regexp.MustCompile(`:? "[^"]*"`)

// notYAML turns an error of the parser into a Fault. The error begins with its line and column.
func notYAML(err error) Fault {
	first, _, _ := strings.Cut(err.Error(), "\n")
	var f Fault
	if place, rest, ok := strings.Cut(strings.TrimPrefix(first, "["), ":"); ok {
		if n, err := strconv.Atoi(place); err == nil {
			_, first, _ = strings.Cut(rest, "] ")
			f.Line = n
			first = quoted.ReplaceAllString(first, "")
		}
	}
	f.Text = "not YAML: " + first
	switch {
	case strings.HasSuffix(first, "is a reserved character"):
		f.Text += "; put the value in quotes"
	case strings.HasSuffix(first, "not allowed in this context"), first == "non-map value is specified":
		f.Text += "; check the indentation, and put a value that contains a colon and a space in quotes"
	}
	if before, ok := strings.CutPrefix(first, "mapping key already defined at ["); ok {
		line, _, _ := strings.Cut(before, ":")
		f.Text = "the key is already in line " + line
	}
	return f
}

var tabbed = regexp.MustCompile(`^ *\t\s*[^\s#]`)

// explain names an invisible character on the line of a fault. If a file is not YAML and a line is
// indented with a tab, explain returns a fault about the tab instead: it is the usual reason.
func (f Fault) explain(lines []string) Fault {
	if strings.HasPrefix(f.Text, "not YAML") {
		if i := slices.IndexFunc(lines, tabbed.MatchString); i >= 0 {
			return Fault{Line: i + 1, Text: "a tab (U+0009) is in the indentation; YAML wants spaces"}
		}
	}
	if f.Line > 0 && f.Line <= len(lines) {
		f.Text += nameInvisible(lines[f.Line-1])
	}
	f.Path = visible(f.Path)
	return f
}

// merge adds the faults that the check found to the faults that the decoder found, and sorts all of
// them by line. It leaves out faults that only follow from others.
func (d *decoder) merge(found []Fault) []Fault {
	unread := slices.Clone(d.faults) // the faults of values that the decoder could not read
	for _, f := range found {
		// f follows from u if the path of one is within the path of the other. It also follows from
		// u if the file does not have the key of f, and u is in the same mapping: the key of u may
		// be the key of f, misspelt.
		if slices.ContainsFunc(unread, func(u Fault) bool {
			return within(f.Path, u.Path) || within(u.Path, f.Path) || d.lines[f.Path] == 0 && within(u.Path, parent(f.Path))
		}) {
			continue
		}
		f.Line = lineOf(d.lines, f.Path)
		d.faults = append(d.faults, f)
	}
	slices.SortStableFunc(d.faults, func(a, b Fault) int { return a.Line - b.Line })
	return d.faults
}

// within reports whether path is equal to outer or below it.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && (rest == "" || outer == "" || rest[0] == '.' || rest[0] == '[')
}

// parent returns the path that is one level above path.
func parent(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

// lineOf returns the line of path, or of the nearest path above it.
func lineOf(lines map[string]int, path string) int {
	for ; path != ""; path = parent(path) {
		if n := lines[path]; n > 0 {
			return n
		}
	}
	return 0
}
