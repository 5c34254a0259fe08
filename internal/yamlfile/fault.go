package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
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
}

// maxListed bounds how many faults Error lists. If a file is not a configuration, every line may be
// a fault.
const maxListed = 100

// Error returns a line for each fault, at most maxListed.
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
	}
	return strings.Join(lines, "\n")
}

var (
	tabbed    = regexp.MustCompile(`(?m)^ *\t\s*[^\s#]`)
	definedAt = regexp.MustCompile(`already defined at \[(\d+):`)
)

// notYAML turns an error of the parser into a Fault. It leaves out what the parser quotes, which may
// be a secret. If a line is indented with a tab, the fault is about the tab: it is the usual reason.
func notYAML(err error, text []byte) Fault {
	if at := tabbed.FindIndex(text); at != nil {
		return Fault{Line: 1 + bytes.Count(text[:at[0]], []byte("\n")),
			Text: "a tab (U+0009) is in the indentation; YAML wants spaces"}
	}
	var f Fault
	failed, ok := errors.AsType[yaml.Error](err)
	if !ok {
		return Fault{Text: "not YAML"}
	}
	if failed.GetToken() != nil {
		f.Line = failed.GetToken().Position.Line
	}
	if first := definedAt.FindStringSubmatch(failed.GetMessage()); first != nil {
		f.Text = "the key is already in line " + first[1]
		return f
	}
	why, _, _ := strings.Cut(failed.GetMessage(), `"`)
	why = strings.TrimRight(why, ": ")
	f.Text = "not YAML: " + why
	switch {
	case strings.HasSuffix(why, "is a reserved character"):
		f.Text += "; put the value in quotes"
	case strings.HasSuffix(why, "not allowed in this context"), why == "non-map value is specified":
		f.Text += "; check the indentation, and put a value that contains a colon and a space in quotes"
	}
	return f
}

// explain names an invisible character on the line of a fault.
func (f *Fault) explain(lines []string) {
	if f.Line > 0 && f.Line <= len(lines) {
		f.Text += nameInvisible(lines[f.Line-1])
	}
	f.Path = visible(f.Path)
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

// isInvisible reports whether r cannot be seen, or looks like an ordinary space.
func isInvisible(r rune) bool { return !unicode.IsPrint(r) }

// visible writes invisible characters as <U+00A0>.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if isInvisible(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// nameInvisible names the first invisible character of a line, if it has one.
func nameInvisible(line string) string {
	for i, r := range []rune(strings.TrimRight(line, "\r\n")) {
		if isInvisible(r) && r != '\t' {
			return fmt.Sprintf(" (the line has the invisible character U+%04X in column %d)", r, i+1)
		}
	}
	return ""
}
