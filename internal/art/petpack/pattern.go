package petpack

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	stripForm = regexp.MustCompile(`\.strip([0-9]{1,2})\.png$`)
	marksForm = regexp.MustCompile(`(?:@[a-z][a-z0-9_]*)*$`)
)

// stemOf returns the part of a layer's path that all its forms share: the path without marks such
// as @shiny, without .strip4 and without .png.
func stemOf(file string) string {
	if strip := stripForm.FindString(file); strip != "" {
		file = strings.TrimSuffix(file, strip) + ".png"
	}
	return marksForm.ReplaceAllString(strings.TrimSuffix(file, path.Ext(file)), "")
}

// FramesOf returns how many frames a file has side by side, according to its name.
func FramesOf(file string) int {
	if found := stripForm.FindStringSubmatch(file); found != nil {
		n, err := strconv.Atoi(found[1])
		if err == nil {
			return n
		}
	}
	return 1
}

// A pattern finds the trait values in a file's name.
type pattern struct {
	expr   *regexp.Regexp
	m      *Manifest
	traits []string
	marks  []string // names of the pattern's own marks, such as shiny for @shiny; a file must have all of them
}

var holeForm = regexp.MustCompile(`\{([^{}]*)\}`)

// parsePattern reads a pattern such as pet/{egg}-{appearance}.png. A hole, such as {egg}, matches a
// value's name or number, or several numbers joined by pluses.
func (m *Manifest) parsePattern(text string) (*pattern, error) {
	rest, ok := strings.CutSuffix(text, ".png")
	if !ok {
		return nil, fmt.Errorf("%s: not a .png file", text)
	}
	if !fs.ValidPath(text) || strings.ContainsAny(text, "\\:") {
		return nil, fmt.Errorf("%s: its path leaves the pack, or is not a clean path with forward slashes", text)
	}
	p := &pattern{m: m}
	marks := marksForm.FindString(rest)
	rest = strings.TrimSuffix(rest, marks)
	p.marks = marksOf(marks)
	expr := "^"
	from := 0
	for _, hole := range holeForm.FindAllStringSubmatchIndex(rest, -1) {
		trait := rest[hole[2]:hole[3]]
		if _, err := m.trait(trait); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		choices := []string{`[0-9]+(?:\+[0-9]+)*`}
		for _, name := range m.Values[trait] {
			choices = append(choices, regexp.QuoteMeta(name))
		}
		expr += regexp.QuoteMeta(rest[from:hole[0]]) + "(" + strings.Join(choices, "|") + ")"
		p.traits = append(p.traits, trait)
		from = hole[1]
	}
	if err := checkTwice(text+": trait", p.traits); err != nil {
		return nil, err
	}
	p.expr = regexp.MustCompile(expr + regexp.QuoteMeta(rest[from:]) +
		`((?:@[a-z][a-z0-9_]*)*)(?:\.strip[0-9]{1,2})?\.png$`)
	return p, nil
}

// marksOf returns the names in marks such as @shiny@tame.
func marksOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text[1:], "@")
}

// match returns the trait values in a file's name.
func (p *pattern) match(file string) (map[string][]int, bool) {
	found := p.expr.FindStringSubmatch(file)
	if found == nil {
		return nil, false
	}
	marks := marksOf(found[len(found)-1])
	for _, mark := range p.marks {
		if !slices.Contains(marks, mark) {
			return nil, false
		}
	}
	when := map[string][]int{}
	for i, trait := range p.traits {
		when[trait] = p.valuesOf(trait, found[1+i])
	}
	for _, mark := range marks {
		if t, err := p.m.trait(mark); err != nil || !t.Bool || when[mark] != nil {
			return nil, false
		}
		when[mark] = []int{1}
	}
	if len(when) == 0 {
		return nil, true
	}
	return when, true
}

func (p *pattern) valuesOf(trait, text string) []int {
	if i := slices.Index(p.m.Values[trait], text); i >= 0 {
		return []int{i}
	}
	var out []int
	for _, number := range strings.Split(text, "+") {
		v, err := strconv.Atoi(number)
		if err != nil {
			v = -1 // the number is too long; checkWhen refuses it
		}
		out = append(out, v)
	}
	return out
}
