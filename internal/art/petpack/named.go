package petpack

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A named is pack.json of petpack/2 as it stands in the file.
type named struct {
	Schema   string                       `json:"$schema,omitempty"`
	Format   string                       `json:"format"`
	ID       string                       `json:"id"`
	Version  string                       `json:"version"`
	Name     string                       `json:"name"`
	Licence  string                       `json:"licence"`
	Credits  []Credit                     `json:"credits"`
	Grid     int                          `json:"grid"`
	Scale    int                          `json:"scale"`
	Values   map[string][]string          `json:"values,omitempty"`
	Delays   []int                        `json:"delays,omitempty"`
	Slots    []namedSlot                  `json:"slots"`
	Places   map[string]place             `json:"places,omitempty"`
	Palettes map[string]map[string]string `json:"palettes,omitempty"`
	Assets   []Asset                      `json:"assets,omitempty"`
}

// A namedSlot is one layer of every picture, and the patterns of the files that
// can stand in it. Where it stands is the same for all of them unless places
// says otherwise.
type namedSlot struct {
	Name     string            `json:"name"`
	Files    []string          `json:"files"`
	Switch   string            `json:"switch,omitempty"`
	Optional bool              `json:"optional,omitempty"`
	X        int               `json:"x,omitempty"`
	Y        int               `json:"y,omitempty"`
	At       string            `json:"at,omitempty"`
	Anchors  map[string][2]int `json:"anchors,omitempty"`
	Play     []int             `json:"play,omitempty"`
	Bob      [][2]int          `json:"bob,omitempty"`
	Carry    [][2]int          `json:"carry,omitempty"`
}

// A place is what sets one file, or all forms of it, apart from its slot.
type place struct {
	X       *int              `json:"x,omitempty"`
	Y       *int              `json:"y,omitempty"`
	At      *string           `json:"at,omitempty"`
	Anchors map[string][2]int `json:"anchors,omitempty"`
	Play    []int             `json:"play,omitempty"`
	Bob     [][2]int          `json:"bob,omitempty"`
	Carry   [][2]int          `json:"carry,omitempty"`
	Credits []Credit          `json:"credits,omitempty"`
	Licence string            `json:"licence,omitempty"`
}

// parseNamed decodes a pack.json of petpack/2 and finds the layers among the
// files of the pack.
func parseNamed(data []byte, files []string) (*Manifest, error) {
	var n named
	if err := decodeStrict(data, &n); err != nil {
		return nil, err
	}
	m := n.head(data)
	if len(n.Slots) > maxSlots || len(n.Assets) > maxAssets {
		return nil, fmt.Errorf("%d slots and %d assets, more than %d and %d", len(n.Slots), len(n.Assets), maxSlots, maxAssets)
	}
	if err := n.checkValues(); err != nil {
		return nil, m.at("values", err)
	}
	for i := range n.Assets {
		a := &n.Assets[i]
		a.entry = i + 1
		if a.SHA256 != "" {
			m.Assets = n.Assets
			return nil, fmt.Errorf("%s: checksums lie in %s; take sha256 away", m.Where(a), LockFile)
		}
	}
	used := map[string]bool{}
	for i, s := range n.Slots {
		found, err := n.assets(s, files, used)
		if err != nil {
			return nil, m.at(fmt.Sprintf("slots[%d].files", i), fmt.Errorf("slot %q: %w", s.Name, err))
		}
		for _, a := range n.Assets {
			if a.Slot == s.Name {
				found = append(found, a)
			}
		}
		m.Slots = append(m.Slots, Slot{Name: s.Name, By: traitsOf(found), Switch: s.Switch})
		m.Assets = append(m.Assets, found...)
	}
	for _, a := range n.Assets {
		if !slices.ContainsFunc(n.Slots, func(s namedSlot) bool { return s.Name == a.Slot }) {
			return nil, fmt.Errorf("%s: no slot %q", m.Where(&a), a.Slot)
		}
		used[stemOf(a.File)] = true
	}
	for _, stem := range slices.Sorted(maps.Keys(n.Places)) {
		if !used[stem] {
			return nil, m.at("places."+stem, fmt.Errorf("places: no slot draws a file %s.png", stem))
		}
	}
	return m, m.check()
}

// CheckHead checks the first part of a pack.json of petpack/2: everything that
// does not depend on the files beside it.
func CheckHead(data []byte) error {
	var n named
	if err := decodeStrict(data, &n); err != nil {
		return err
	}
	return n.head(data).checkHead()
}

func (n *named) head(data []byte) *Manifest {
	return &Manifest{Format: n.Format, ID: n.ID, Version: n.Version, Name: n.Name, Grid: n.Grid, Scale: n.Scale,
		Licence: n.Licence, Credits: n.Credits, Palettes: n.Palettes, Delays: n.Delays, text: data}
}

// checkValues makes sure that a name of a trait's value cannot be read in two
// ways.
func (n *named) checkValues() error {
	for trait, names := range n.Values {
		t, err := TraitByName(trait)
		if err != nil {
			return fmt.Errorf("values: %w", err)
		}
		for _, name := range names {
			if err := nameForm.check("values: "+trait, name); err != nil {
				return err
			}
		}
		if most := TraitMax[t] + 1; len(names) > most {
			return fmt.Errorf("values: %s has %d, more than %d", trait, len(names), most)
		}
		if err := checkTwice("values: "+trait, names); err != nil {
			return err
		}
	}
	return nil
}

// assets returns what the files of the pack put into a slot, in order of their
// names.
func (n *named) assets(s namedSlot, files []string, used map[string]bool) ([]Asset, error) {
	var out []Asset
	if len(s.Files) > maxPatterns {
		return nil, fmt.Errorf("%d patterns of files, more than %d", len(s.Files), maxPatterns)
	}
	for _, pattern := range s.Files {
		p, err := n.pattern(pattern)
		if err != nil {
			return nil, err
		}
		matched := false
		for _, file := range files {
			when, ok := p.match(file)
			if !ok {
				continue
			}
			matched = true
			stem := stemOf(file)
			used[stem] = true
			a := Asset{Slot: s.Name, File: file, When: when, X: s.X, Y: s.Y, At: s.At, Anchors: s.Anchors, Bob: s.Bob}
			if a.Frames = framesOf(file); a.Frames > 1 {
				a.Play, a.Carry = s.Play, s.Carry
			}
			out = append(out, n.Places[stem].apply(a))
		}
		if len(out) > maxAssets {
			return nil, fmt.Errorf("more than %d layers", maxAssets)
		}
		if !matched {
			return nil, fmt.Errorf("no file is named like %s", pattern)
		}
	}
	if s.Optional {
		out = append(out, Asset{Slot: s.Name})
	}
	return out, nil
}

// apply sets an asset apart from its slot.
func (p place) apply(a Asset) Asset {
	if p.X != nil {
		a.X = *p.X
	}
	if p.Y != nil {
		a.Y = *p.Y
	}
	if p.At != nil {
		a.At = *p.At
	}
	if p.Anchors != nil {
		a.Anchors = p.Anchors
	}
	if p.Play != nil {
		a.Play = p.Play
	}
	if p.Bob != nil {
		a.Bob = p.Bob
	}
	if p.Carry != nil {
		a.Carry = p.Carry
	}
	a.Credits, a.Licence = p.Credits, p.Licence
	return a
}

// traitsOf are the traits that select among assets, in the order of the table.
func traitsOf(assets []Asset) []string {
	var by []string
	for _, trait := range TraitNames {
		if slices.ContainsFunc(assets, func(a Asset) bool { return a.When[trait] != nil }) {
			by = append(by, trait)
		}
	}
	return by
}

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

// pattern reads a pattern such as pet/{egg}-{appearance}.png. A hole takes a
// value's name or number, or several numbers with pluses between them.
func (n *named) pattern(text string) (*pattern, error) {
	rest, ok := strings.CutSuffix(text, ".png")
	if !ok {
		return nil, fmt.Errorf("%s: not a .png file", text)
	}
	p := &pattern{values: n.Values}
	rest, p.shiny = strings.CutSuffix(rest, shinyMark)
	expr, from := "^", 0
	for _, hole := range holeForm.FindAllStringSubmatchIndex(rest, -1) {
		trait := rest[hole[2]:hole[3]]
		if _, err := TraitByName(trait); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
		choices := []string{`[0-9]+(?:\+[0-9]+)*`}
		for _, name := range n.Values[trait] {
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
