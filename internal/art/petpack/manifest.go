package petpack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
)

// The values of "format" that this package reads.
const (
	formatListed = "petpack/1"
	formatNamed  = "petpack/2"
)

// A Manifest says what is drawn when: pack.json of petpack/1 as it stands in
// the file, or what pack.json, the file names and pack.lock of petpack/2 come to.
type Manifest struct {
	Format   string                       `json:"format"`
	ID       string                       `json:"id"`
	Version  string                       `json:"version"`
	Name     string                       `json:"name"`
	Grid     int                          `json:"grid"`
	Scale    int                          `json:"scale"`
	Licence  string                       `json:"licence"`
	Credits  []Credit                     `json:"credits"`
	Slots    []Slot                       `json:"slots"`
	Palettes map[string]map[string]string `json:"palettes,omitempty"`
	Assets   []Asset                      `json:"assets"`

	// Delays are how many milliseconds each frame of a moving picture is shown;
	// none if nothing moves.
	Delays []int `json:"-"`
	// Sum identifies the content of the pack: of what pack.json and pack.lock
	// hold, or, of a draft of petpack/2, of pack.json alone.
	Sum    [32]byte          `json:"-"`
	Locked map[string]string `json:"-"` // checksums of pack.lock by file; nil if there is none
	text   []byte            // of pack.json, to find lines in
}

// A Credit names someone who made part of a pack, and which part.
type Credit struct {
	Name string `json:"name"`
	Role string `json:"role"`
}

// A Slot is one layer of every picture. Slots are listed back to front.
type Slot struct {
	Name   string   `json:"name"`
	By     []string `json:"by,omitempty"`
	Switch string   `json:"switch,omitempty"`
}

// An Asset is one thing that can stand in a slot, and when it does.
type Asset struct {
	Slot    string            `json:"slot"`
	File    string            `json:"file"`
	When    map[string][]int  `json:"when,omitempty"`
	X       int               `json:"x,omitempty"`
	Y       int               `json:"y,omitempty"`
	At      string            `json:"at,omitempty"`
	Anchors map[string][2]int `json:"anchors,omitempty"`
	Swap    string            `json:"swap,omitempty"`
	SHA256  string            `json:"sha256,omitempty"` // "" in a draft of petpack/2
	Credits []Credit          `json:"credits,omitempty"`
	Licence string            `json:"licence,omitempty"`

	// How it moves, in petpack/2: Play names the frame of its strip that each
	// frame of the picture shows, Bob is how far it is shifted there. Both are
	// repeated until the picture ends; nil is every frame in turn, and no shift.
	// Carry is how far each frame of the strip moves what stands at its anchors.
	Frames int      `json:"-"` // side by side in its file; 0 is 1
	Play   []int    `json:"-"`
	Bob    [][2]int `json:"-"`
	Carry  [][2]int `json:"-"`

	entry int // place among the assets listed in pack.json, from 1; 0 of one that its name made
}

// Listed reports whether the pack is of the form that lists every asset.
func (m *Manifest) Listed() bool { return m.Format == formatListed }

// Where names an asset for a message: its file, and the line that lists it.
func (m *Manifest) Where(a *Asset) string {
	name := cmp.Or(a.File, "nothing, in slot "+a.Slot)
	if a.entry > 0 {
		return fmt.Sprintf("line %d (%s)", lineOf(m.text, fmt.Sprintf("assets[%d]", a.entry-1)), name)
	}
	return name
}

// at adds the line of a value of pack.json to an error about it.
func (m *Manifest) at(path string, err error) error {
	if line := lineOf(m.text, path); err != nil && line > 0 {
		return fmt.Errorf("line %d: %w", line, err)
	}
	return err
}

// Encode writes a manifest in the form of petpack/1.
func (m *Manifest) Encode() ([]byte, error) { return Encode(m) }

// Encode writes JSON as the files of a pack have it: indented, and with no more
// escapes than JSON wants.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return b.Bytes(), err
}
