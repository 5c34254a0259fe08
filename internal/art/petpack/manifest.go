package petpack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// format is the only accepted format of pack.json. It is part of every picture's version.
const format = "petpack/2"

// A Manifest is the decoded pack.json. It says which layers are drawn for which traits.
type Manifest struct {
	Schema  string              `json:"$schema,omitempty"`
	Format  string              `json:"format"`
	ID      string              `json:"id"`
	Version string              `json:"version"`
	Name    string              `json:"name"`
	Licence string              `json:"licence"`
	Credits []Credit            `json:"credits"`
	Grid    int                 `json:"grid"`
	Scale   int                 `json:"scale"`
	Values  map[string][]string `json:"values,omitempty"`
	Delays  []int               `json:"delays,omitempty"` // frame durations in ms; nil if nothing moves
	Slots   []Slot              `json:"slots"`
	Places  map[string]place    `json:"places,omitempty"`

	// Assets are the files that match the patterns, slot by slot.
	Assets []Asset `json:"-"`

	// Traits are the traits that the assets name, in the order of the collection.
	Traits []Trait `json:"-"`

	// Misnamed has an error for each layer that matches no pattern.
	Misnamed []error `json:"-"`

	given []Trait // all traits of the collection
}

// A Credit names someone who made part of a pack, and which part.
type Credit struct {
	Name string `json:"name"`
	Role string `json:"role"`
}

// A Slot is one layer of every picture, with the patterns of its files. Slots are listed back to
// front. A slot's settings apply to all its files. Manifest.Places can override them for one file.
type Slot struct {
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

	By []int `json:"-"` // the traits that select among its assets, as indices of Manifest.Traits
}

// A place overrides the settings of a slot for one layer, and for its variants such as
// egg@shiny.png.
type place struct {
	X       *int               `json:"x,omitempty"`
	Y       *int               `json:"y,omitempty"`
	At      *string            `json:"at,omitempty"`
	Anchors *map[string][2]int `json:"anchors,omitempty"`
	Play    *[]int             `json:"play,omitempty"`
	Bob     *[][2]int          `json:"bob,omitempty"`
	Carry   *[][2]int          `json:"carry,omitempty"`
	Steady  *bool              `json:"steady,omitempty"`
}

// An Asset is a layer that a slot can draw, with the trait values that select it. An asset without
// a File draws nothing. All fields are part of every picture's version.
type Asset struct {
	Slot    string
	File    string
	When    map[string][]int
	X, Y    int
	At      string
	Anchors map[string][2]int

	// Play lists which frame of the file each frame of the picture shows; nil means all in turn.
	// Bob lists how far each frame of the picture shifts the asset; nil means no shift. Both repeat
	// until the picture ends. Carry lists how far each frame of the file moves the layers at the
	// asset's anchors.
	Frames int // number of frames side by side in its file
	Play   []int
	Bob    [][2]int
	Carry  [][2]int
	Steady bool // it follows the Bob, but not the Carry, of the asset whose anchor it is at
}

// Where names an asset for a message.
func (a *Asset) Where() string { return cmp.Or(a.File, "no file, in slot "+a.Slot) }

// Encode returns v as JSON in the style of a pack's files: indented, and without HTML escapes.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// shown returns the name of a file for a message. A name with control characters is quoted, so that
// it cannot forge a line.
func shown(file string) string {
	quoted := strconv.Quote(file)
	if quoted == `"`+file+`"` {
		return file
	}
	return quoted
}

// parse decodes pack.json and finds its layers among the files of the pack.
func parse(data []byte, files []string, traits []Trait) (*Manifest, error) {
	m, err := decode(data)
	if err != nil {
		return nil, err
	}
	if len(m.Slots) > maxSlots {
		return nil, fmt.Errorf("%d slots; at most %d are allowed", len(m.Slots), maxSlots)
	}
	m.given = traits
	if err := m.checkValues(); err != nil {
		return nil, err
	}
	used := map[string]bool{} // by file, and by stem
	for i := range m.Slots {
		s := &m.Slots[i]
		found, err := m.find(s, files, used)
		if err != nil {
			return nil, fmt.Errorf("slot %q: %w", s.Name, err)
		}
		m.Assets = append(m.Assets, found...)
	}
	for _, file := range files {
		if !used[file] {
			m.Misnamed = append(m.Misnamed, fmt.Errorf("%s: fits no pattern in pack.json; "+
				"correct its name, such as a misspelt word, or add a pattern to a slot", shown(file)))
		}
	}
	m.selectTraits()
	for _, stem := range slices.Sorted(maps.Keys(m.Places)) {
		if !used[stem] {
			return nil, fmt.Errorf("places: no slot draws a file %s.png", stem)
		}
	}
	return m, m.check()
}

// selectTraits sets m.Traits to the traits that the assets name. It also sets Slot.By of all slots.
func (m *Manifest) selectTraits() {
	named := map[string]map[string]bool{} // by slot
	for _, a := range m.Assets {
		if named[a.Slot] == nil {
			named[a.Slot] = map[string]bool{}
		}
		for trait := range a.When {
			named[a.Slot][trait] = true
		}
	}
	for _, trait := range m.given {
		used := false
		for i := range m.Slots {
			if s := &m.Slots[i]; named[s.Name][trait.Name] {
				s.By = append(s.By, len(m.Traits))
				used = true
			}
		}
		if used {
			m.Traits = append(m.Traits, trait)
		}
	}
}

// decode decodes pack.json. It needs no other file.
func decode(data []byte) (*Manifest, error) {
	var head struct {
		Format string `json:"format"`
	}
	if json.Unmarshal(data, &head) == nil && head.Format != format { // decodeStrict reports syntax errors
		return nil, fmt.Errorf("format is %q, not %q", head.Format, format)
	}
	m := &Manifest{}
	return m, decodeStrict(data, m)
}

// CheckHead checks the id, version, licence, grid and scale of a pack.json. It needs no other file.
func CheckHead(data []byte) error {
	m, err := decode(data)
	if err != nil {
		return err
	}
	return m.checkHead()
}

// find returns the assets for a slot: the pack's files that match its patterns, pattern by pattern,
// and then an empty asset if the slot is optional. It sets used for each file and its stem.
func (m *Manifest) find(s *Slot, files []string, used map[string]bool) ([]Asset, error) {
	var out []Asset
	if len(s.Files) > maxPatterns {
		return nil, fmt.Errorf("%d patterns of files; at most %d are allowed", len(s.Files), maxPatterns)
	}
	for _, text := range s.Files {
		p, err := m.parsePattern(text)
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
			used[file] = true
			used[stem] = true
			a := Asset{Slot: s.Name, File: file, When: when, X: s.X, Y: s.Y, At: s.At, Anchors: s.Anchors, Bob: s.Bob}
			a.Frames = FramesOf(file)
			if a.Frames > 1 {
				a.Play = s.Play
				a.Carry = s.Carry
			}
			m.Places[stem].apply(&a)
			out = append(out, a)
		}
		if len(out) > maxAssets {
			return nil, fmt.Errorf("more than %d layers", maxAssets)
		}
		if !matched {
			return nil, fmt.Errorf("no file matches %s", text)
		}
	}
	if s.Optional {
		out = append(out, Asset{Slot: s.Name})
	}
	return out, nil
}

// apply changes an asset as its place says.
func (p place) apply(a *Asset) {
	override(&a.X, p.X)
	override(&a.Y, p.Y)
	override(&a.At, p.At)
	override(&a.Anchors, p.Anchors)
	override(&a.Play, p.Play)
	override(&a.Bob, p.Bob)
	override(&a.Carry, p.Carry)
	override(&a.Steady, p.Steady)
}

// override sets *value to *by, unless by is nil.
func override[T any](value, by *T) {
	if by != nil {
		*value = *by
	}
}
