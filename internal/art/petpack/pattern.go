package petpack

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const shinyMark = "@shiny"

var stripForm = regexp.MustCompile(`\.strip([0-9]{1,2})\.png$`)

// stemOf is what the forms of one layer have in common: its path without
// @shiny, .strip4 and ending.
func stemOf(file string) string {
	if strip := stripForm.FindString(file); strip != "" {
		file = strings.TrimSuffix(file, strip) + ".png"
	}
	return strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), shinyMark)
}

// framesOf is how many frames a file holds side by side.
func framesOf(file string) int {
	if found := stripForm.FindStringSubmatch(file); found != nil {
		n, _ := strconv.Atoi(found[1]) // two digits at most
		return n
	}
	return 1
}

// A pattern finds the trait values in a file's name.
type pattern struct {
	expr   *regexp.Regexp
	traits []string
	values map[string][]string
	shiny  bool // it asks for @shiny itself
}

var holeForm = regexp.MustCompile(`\{([^{}]*)\}`)

// parsePattern reads a pattern such as pet/{egg}-{appearance}.png. A hole takes a
// value's name or number, or several numbers with pluses between them.
func parsePattern(text string, values map[string][]string) (*pattern, error) {
	rest, ok := strings.CutSuffix(text, ".png")
	if !ok {
		return nil, fmt.Errorf("%s: not a .png file", text)
	}
	p := &pattern{values: values}
	rest, p.shiny = strings.CutSuffix(rest, shinyMark)
	expr, from := "^", 0
	for _, hole := range holeForm.FindAllStringSubmatchIndex(rest, -1) {
		trait := rest[hole[2]:hole[3]]
		if _, err := traitByName(trait); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		choices := []string{`[0-9]+(?:\+[0-9]+)*`}
		for _, name := range values[trait] {
			choices = append(choices, regexp.QuoteMeta(name))
		}
		expr += regexp.QuoteMeta(rest[from:hole[0]]) + "(" + strings.Join(choices, "|") + ")"
		p.traits = append(p.traits, trait)
		from = hole[1]
	}
	if err := checkTwice(text+": trait", p.traits); err != nil {
		return nil, err
	}
	p.expr = regexp.MustCompile(expr + regexp.QuoteMeta(rest[from:]) + "(" + shinyMark + `)?(?:\.strip[0-9]{1,2})?\.png$`)
	return p, nil
}

// match returns the trait values that a file's name asks for.
func (p *pattern) match(file string) (map[string][]int, bool) {
	found := p.expr.FindStringSubmatch(file)
	if found == nil {
		return nil, false
	}
	shiny := found[len(found)-1] != ""
	if p.shiny && !shiny {
		return nil, false
	}
	when := map[string][]int{}
	for i, trait := range p.traits {
		when[trait] = p.valuesOf(trait, found[1+i])
	}
	if shiny {
		if when["shiny"] != nil {
			return nil, false
		}
		when["shiny"] = []int{1}
	}
	if len(when) == 0 {
		return nil, true
	}
	return when, true
}

func (p *pattern) valuesOf(trait, text string) []int {
	if i := slices.Index(p.values[trait], text); i >= 0 {
		return []int{i}
	}
	var out []int
	for _, number := range strings.Split(text, "+") {
		v, err := strconv.Atoi(number)
		if err != nil {
			v = -1 // too long a number: refused with the others beyond their type
		}
		out = append(out, v)
	}
	return out
}
