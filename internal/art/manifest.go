package art

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// manifestFormat is the only value of "format" that this package reads.
const manifestFormat = "petpack/1"

// A manifest is pack.json as it stands in the file.
type manifest struct {
	Format   string                       `json:"format"`
	ID       string                       `json:"id"`
	Version  string                       `json:"version"`
	Name     string                       `json:"name"`
	Grid     int                          `json:"grid"`
	Scale    int                          `json:"scale"`
	Licence  string                       `json:"licence"`
	Credits  []Credit                     `json:"credits"`
	Slots    []slotEntry                  `json:"slots"`
	Palettes map[string]map[string]string `json:"palettes,omitempty"`
	Assets   []assetEntry                 `json:"assets"`
}

// A Credit names someone who made part of a pack, and which part.
type Credit struct {
	Name string `json:"name"`
	Role string `json:"role"`
}

// A slotEntry is one layer of every picture. Slots are listed back to front.
type slotEntry struct {
	Name   string   `json:"name"`
	By     []string `json:"by,omitempty"`
	Switch string   `json:"switch,omitempty"`
}

// An assetEntry is one thing that can stand in a slot, and when it does.
type assetEntry struct {
	Slot    string            `json:"slot"`
	File    string            `json:"file"`
	When    map[string][]int  `json:"when,omitempty"`
	X       int               `json:"x,omitempty"`
	Y       int               `json:"y,omitempty"`
	At      string            `json:"at,omitempty"`
	Anchors map[string][2]int `json:"anchors,omitempty"`
	Swap    string            `json:"swap,omitempty"`
	SHA256  string            `json:"sha256,omitempty"`
	Credits []Credit          `json:"credits,omitempty"`
	Licence string            `json:"licence,omitempty"`
}

// parseManifest decodes pack.json, refusing unknown keys, a second value behind
// the first and anything that would not make sense in any pack. Whether the
// assets resolve and their files are sound is for the caller to find out.
func parseManifest(data []byte) (*manifest, error) {
	var m manifest
	if err := decodeStrict(data, &m); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	return &m, nil
}

func (m *manifest) check() error {
	return cmp.Or(m.checkHead(), m.checkSlots(), m.checkPalettes(), m.checkAssets())
}

// decodeStrict decodes exactly one JSON value with known keys only, each of
// them once and spelt as it should be.
func decodeStrict(data []byte, into any) error {
	if err := checkKeys(json.NewDecoder(bytes.NewReader(data))); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return atLine(data, d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return atLine(data, d.InputOffset(), errors.New("more follows the end of the document"))
	}
	return nil
}

// checkKeys goes through one value and refuses what the standard decoder lets
// pass: a key that is there twice, or in capitals that the format does not have;
// a palette's colours may be in either case.
// Faults of the syntax are left to that decoder.
func checkKeys(d *json.Decoder) error {
	var open []map[string]bool // keys of the objects we are in; nil for an array
	key := false               // the next string is a key
	for {
		token, err := d.Token()
		if err != nil {
			return nil
		}
		switch t := token.(type) {
		case json.Delim:
			switch t {
			case '{':
				open = append(open, map[string]bool{})
			case '[':
				open = append(open, nil)
			default:
				open = open[:len(open)-1]
			}
		case string:
			if key {
				keys := open[len(open)-1]
				low := strings.ToLower(t)
				if low != t && !colourForm.MatchString(t) {
					return fmt.Errorf("key %q: keys are in lower case", t)
				}
				if keys[low] {
					return fmt.Errorf("key %q is there twice in one object", t)
				}
				keys[low] = true
				key = false
				continue
			}
		}
		if len(open) == 0 {
			return nil
		}
		key = open[len(open)-1] != nil
	}
}

// atLine adds the line that the decoder had come to.
func atLine(data []byte, offset int64, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	}
	offset = min(max(offset, 0), int64(len(data)))
	return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:offset], []byte("\n")), err)
}

// A form is what a text in pack.json must look like.
type form struct {
	*regexp.Regexp
	says string
}

func formOf(expr, says string) form { return form{regexp.MustCompile(expr), says} }

func (f form) check(what, text string) error {
	if f.MatchString(text) {
		return nil
	}
	return fmt.Errorf("%s %q: not %s", what, text, f.says)
}

var (
	idForm      = formOf(`^[a-z0-9][a-z0-9-]{0,39}$`, "1 to 40 lower-case letters, digits and dashes")
	versionForm = formOf(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$`, "1 to 32 letters, digits, dots, pluses and dashes")
	nameForm    = formOf(`^[a-z][a-z0-9_-]{0,39}$`, "1 to 40 lower-case letters, digits, dashes and underscores")
	licenceForm = formOf(`^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$`, "1 to 200 plain ASCII characters")
	colourForm  = formOf(`^#[0-9a-fA-F]{6}$`, "a colour as #rrggbb")
	sumForm     = formOf(`^[0-9a-f]{64}$`, "64 lower-case hex digits")
)

func (m *manifest) checkHead() error {
	switch {
	case m.Format != manifestFormat:
		return fmt.Errorf("format is %q, not %q", m.Format, manifestFormat)
	case m.Grid < 8 || m.Grid > maxGrid:
		return fmt.Errorf("grid is %d, not 8 to %d", m.Grid, maxGrid)
	case m.Scale < 1 || m.Scale > maxScale:
		return fmt.Errorf("scale is %d, not 1 to %d", m.Scale, maxScale)
	case m.Licence == "":
		return errors.New("no licence: every pack says under which terms its pictures may be used")
	}
	return cmp.Or(idForm.check("id", m.ID), versionForm.check("version", m.Version), licenceForm.check("licence", m.Licence))
}

func (m *manifest) checkSlots() error {
	if len(m.Slots) == 0 || len(m.Slots) > maxSlots {
		return fmt.Errorf("%d slots, not 1 to %d", len(m.Slots), maxSlots)
	}
	var names []string
	for _, s := range m.Slots {
		if s.Switch != "" && s.Switch != "background" && s.Switch != "frame" {
			return fmt.Errorf("slot %q: switch %q is neither background nor frame", s.Name, s.Switch)
		}
		err := cmp.Or(nameForm.check("name", s.Name), checkTwice("trait", s.By))
		for _, name := range s.By {
			_, unknown := traitByName(name)
			err = cmp.Or(err, unknown)
		}
		if err != nil {
			return fmt.Errorf("slot %q: %w", s.Name, err)
		}
		names = append(names, s.Name)
	}
	return checkTwice("slot", names)
}

// checkTwice refuses a value that stands in a list more than once.
func checkTwice[T comparable](what string, list []T) error {
	seen := map[T]bool{}
	for _, v := range list {
		if seen[v] {
			return fmt.Errorf("%s %v is there twice", what, v)
		}
		seen[v] = true
	}
	return nil
}

func (m *manifest) checkPalettes() error {
	for name, swaps := range m.Palettes {
		err := nameForm.check("name", name)
		for from, to := range swaps {
			err = cmp.Or(err, colourForm.check("colour", from), colourForm.check("colour", to))
		}
		if err != nil {
			return fmt.Errorf("palette %q: %w", name, err)
		}
	}
	return nil
}

func (m *manifest) checkAssets() error {
	if len(m.Assets) > maxAssets {
		return fmt.Errorf("%d assets, more than %d", len(m.Assets), maxAssets)
	}
	slots := map[string]slotEntry{}
	for _, s := range m.Slots {
		slots[s.Name] = s
	}
	for i, a := range m.Assets {
		slot, ok := slots[a.Slot]
		if !ok {
			return fmt.Errorf("asset %d (%s): no slot %q", i+1, a.File, a.Slot)
		}
		if err := a.check(m, slot); err != nil {
			return fmt.Errorf("asset %d of slot %q (%s): %w", i+1, a.Slot, a.File, err)
		}
	}
	return nil
}

func (a assetEntry) check(m *manifest, slot slotEntry) error {
	if _, ok := m.Palettes[a.Swap]; a.Swap != "" && !ok {
		return fmt.Errorf("no palette %q", a.Swap)
	}
	if a.Licence != "" {
		if err := licenceForm.check("licence", a.Licence); err != nil {
			return err
		}
	}
	return cmp.Or(a.checkFile(), a.checkWhen(slot), a.checkPlace())
}

func (a assetEntry) checkFile() error {
	switch {
	case a.File == "" && a.SHA256 != "":
		return errors.New("a checksum of no file")
	case a.File == "":
		return nil
	case !fs.ValidPath(a.File) || strings.ContainsAny(a.File, "\\:\x00"):
		return errors.New("its path leaves the pack or is not in plain slash form")
	case path.Ext(a.File) != ".png":
		return errors.New("not a .png file")
	}
	return sumForm.check("sha256", a.SHA256)
}

func (a assetEntry) checkWhen(slot slotEntry) error {
	for name, values := range a.When {
		t, err := traitByName(name)
		switch {
		case err != nil:
			return fmt.Errorf("when: %w", err)
		case !slices.Contains(slot.By, name):
			return fmt.Errorf("when: trait %q is not among those that select in this slot (by %v)", name, slot.By)
		case len(values) == 0:
			return fmt.Errorf("when: %s without a value never holds", name)
		case slices.Min(values) < 0 || slices.Max(values) > traitMax[t]:
			return fmt.Errorf("when: %s %v: not 0 to %d", name, values, traitMax[t])
		}
		if err := checkTwice("when: "+name, values); err != nil {
			return err
		}
	}
	return nil
}

func (a assetEntry) checkPlace() error {
	const span = 4 * maxGrid
	near := func(x, y int) bool { return max(x, y) <= span && min(x, y) >= -span }
	if !near(a.X, a.Y) {
		return fmt.Errorf("x %d, y %d: further than %d from the grid", a.X, a.Y, span)
	}
	for name, p := range a.Anchors {
		if !nameForm.MatchString(name) || !near(p[0], p[1]) {
			return fmt.Errorf("anchor %q at %v: not a name with a point near the grid", name, p)
		}
	}
	if a.At != "" && len(a.Anchors) > 0 {
		return fmt.Errorf("is placed at anchor %q and has anchors itself", a.At)
	}
	return nil
}
