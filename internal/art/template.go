package art

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"

	"petsupply/internal/pet"
)

// A Template is a new pack to be painted over: every slot has a plain layer of
// the right size in the right place, and every way to select one is used once.
type Template struct {
	ID      string
	Author  string
	Licence string
}

// New writes the template into a directory that is empty or not there yet. The
// result opens, lints clean and can be served as it is.
func (t Template) New(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	case len(entries) > 0:
		return fmt.Errorf("making a pack in %s: there is something in it already", dir)
	}
	files, err := t.files()
	if err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	for name, data := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("making a pack in %s: %w", dir, err)
		}
		if err := os.WriteFile(to, data, 0o644); err != nil {
			return fmt.Errorf("making a pack in %s: %w", dir, err)
		}
	}
	return nil
}

// files returns the whole pack.
func (t Template) files() (map[string][]byte, error) {
	if t.Licence == "" {
		t.Licence = "CC0-1.0"
	}
	if t.Author == "" {
		t.Author = "author of " + t.ID
	}
	m := manifest{
		Format: manifestFormat, ID: t.ID, Version: "0.1.0", Name: t.ID, Grid: 90, Scale: 4,
		Licence: t.Licence, Credits: []Credit{{t.Author, "art"}},
		Slots: []slotEntry{
			{Name: "scene-back", By: []string{"background"}, Switch: "background"},
			{Name: "shadow", Switch: "background"},
			{Name: "pet", By: []string{"egg", "appearance", "shiny"}},
			{Name: "element", By: []string{"element", "appearance"}},
			{Name: "sparkle", By: []string{"shiny"}},
			{Name: "scene-front", By: []string{"background"}, Switch: "background"},
			{Name: "frame", By: []string{"rarity"}, Switch: "frame"},
		},
		Palettes: map[string]map[string]string{},
	}
	files := map[string][]byte{}
	if err := t.paint(&m, files); err != nil {
		return nil, err
	}
	data, err := encodeManifest(&m)
	if err != nil {
		return nil, err
	}
	if _, err := parseManifest(data); err != nil {
		return nil, err
	}
	files[manifestFile] = data
	files[dictionaryFile], err = json.MarshalIndent(templateDictionary(), "", " ")
	files["README.md"] = []byte(templateReadme)
	return files, err
}

// paint draws the layers and lists them. Shiny pets, elements and frames are
// one drawing in other colours: that is what palettes are for.
func (t Template) paint(m *manifest, files map[string][]byte) error {
	var fault error
	add := func(img *image.NRGBA, a assetEntry) {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			fault = err
		}
		sum := sha256.Sum256(b.Bytes())
		a.SHA256 = hex.EncodeToString(sum[:])
		files[a.File] = b.Bytes()
		m.Assets = append(m.Assets, a)
	}
	scene := func(name string, sky, ground color.NRGBA, when map[string][]int) {
		add(stencil(80, 80, func(x, y int) color.NRGBA { return pick(y < 62, sky, ground) }),
			assetEntry{Slot: "scene-back", File: "scene/" + name + "-back.png", When: when, X: 5, Y: 5})
		add(stencil(80, 8, func(x, y int) color.NRGBA { return pick((x+y)%4 > 0 || y > 4, ground, color.NRGBA{}) }),
			assetEntry{Slot: "scene-front", File: "scene/" + name + "-front.png", When: when, X: 5, Y: 77})
	}
	scene("day", color.NRGBA{0x9c, 0xc8, 0xe8, 255}, color.NRGBA{0x7f, 0xa8, 0x5c, 255}, nil)
	scene("night", color.NRGBA{0x2a, 0x30, 0x58, 255}, color.NRGBA{0x3e, 0x54, 0x50, 255}, map[string][]int{"background": {1}})
	add(ellipse(40, 6, color.NRGBA{0x4a, 0x5c, 0x4c, 255}, color.NRGBA{0x4a, 0x5c, 0x4c, 255}),
		assetEntry{Slot: "shadow", File: "shadow.png", X: 25, Y: 70})
	anchors := map[string][2]int{"crest": {45, 28}}
	for egg, c := range templateColours {
		name := fmt.Sprintf("pet/%d", egg)
		add(ellipse(30, 38, c, darker(c)), assetEntry{Slot: "pet", File: name + "-egg.png", When: map[string][]int{"egg": {egg}}, X: 30, Y: 35, Anchors: anchors})
		body := ellipse(44, 40, c, darker(c))
		for _, x := range []int{14, 26} {
			fill(body, image.Rect(x, 12, x+4, 17), color.NRGBA{0x20, 0x1a, 0x28, 255})
		}
		plain := assetEntry{Slot: "pet", File: name + "-1.png", When: map[string][]int{"egg": {egg}, "appearance": {1}}, X: 23, Y: 34, Anchors: anchors}
		add(body, plain)
		plain.When = map[string][]int{"egg": {egg}, "appearance": {1}, "shiny": {1}}
		plain.Swap = fmt.Sprintf("shiny-%d", egg)
		m.Palettes[plain.Swap] = map[string]string{hexOf(c): "#f4d878", hexOf(darker(c)): "#b8843c"}
		add(body, plain)
	}
	t.overlays(m, add)
	return fault
}

// overlays draws what stands on the pet and around it.
func (t Template) overlays(m *manifest, add func(*image.NRGBA, assetEntry)) {
	m.Assets = append(m.Assets, assetEntry{Slot: "element"}, assetEntry{Slot: "sparkle"})
	mark := color.NRGBA{0xe8, 0x60, 0x40, 255}
	gem := ellipse(9, 9, mark, darker(mark))
	for e, c := range []string{"", "#4090e0", "#a07848", "#98d8a0", "#f0d840", "#b0e8f0", "#f8f0d0", "#6848a0"} {
		a := assetEntry{Slot: "element", File: "element.png", When: map[string][]int{"element": {e}, "appearance": {1}}, X: -4, Y: -4, At: "crest"}
		if c != "" {
			a.Swap = fmt.Sprintf("element-%d", e)
			m.Palettes[a.Swap] = map[string]string{hexOf(mark): c}
		}
		add(gem, a)
	}
	add(stencil(60, 50, func(x, y int) color.NRGBA {
		return pick((x%29 == 2 && y%23 < 5) || (y%23 == 2 && x%29 < 5), color.NRGBA{255, 255, 240, 255}, color.NRGBA{})
	}), assetEntry{Slot: "sparkle", File: "sparkle.png", When: map[string][]int{"shiny": {1}}, X: 15, Y: 15})
	wood := color.NRGBA{0x8a, 0x60, 0x3c, 255}
	border := stencil(90, 90, func(x, y int) color.NRGBA {
		edge := min(x, y, 89-x, 89-y)
		corner := min(x, 89-x) + min(y, 89-y)
		return pick(edge < 6 && corner > 3, pick(edge < 2, darker(wood), wood), color.NRGBA{})
	})
	for r, c := range []string{"", "#b87848", "#b8c0cc", "#e8c040", "#9068d0"} {
		a := assetEntry{Slot: "frame", File: "frame.png", When: map[string][]int{"rarity": {r}}}
		if c == "" {
			a.When = nil
		} else {
			a.Swap = fmt.Sprintf("rarity-%d", r)
			m.Palettes[a.Swap] = map[string]string{hexOf(wood): c}
		}
		add(border, a)
	}
}

var templateColours = []color.NRGBA{
	{0x58, 0x90, 0xc8, 255}, {0x90, 0x90, 0x98, 255}, {0x68, 0xa8, 0x60, 255}, {0xd8, 0xb8, 0x50, 255}, {0xe0, 0x98, 0x30, 255},
}

func templateDictionary() *pet.Dictionary {
	d := &pet.Dictionary{
		Eggs:        []string{"Blue", "Grey", "Green", "Yellow", "Golden"},
		Families:    map[string]pet.Family{"example": {Name: "Example", Lore: "Two or three sentences about this kind of creature."}},
		Appearances: map[uint8]map[uint16]pet.Appearance{},
		Gathering:   map[uint8]string{}, Crafting: map[uint8]string{}, Combat: map[uint8]string{},
	}
	for egg := range d.Eggs {
		d.Appearances[uint8(egg)] = map[uint16]pet.Appearance{1: {Name: d.Eggs[egg] + " Example", Family: "example"}}
	}
	for i := range traitDomain[traitBackground] {
		d.Backgrounds = append(d.Backgrounds, fmt.Sprintf("Background %d", i))
	}
	return d
}

const templateReadme = `# An art pack to paint over

Every PNG here is a plain stand-in of the right size. Open one in any pixel
editor, paint, save it under the same name, and then

    petsupply pack lint --sign .     writes the new checksums into pack.json, then checks everything
    petsupply pack sheet .           draws sheet.png and sheet.html, to look at

- pack.json says which layer is drawn when. Slots are listed back to front; the
  asset whose "when" names the most traits wins; one without "when" is used
  where no other fits; "file": "" draws nothing.
- "x" and "y" place a layer's top left corner on the grid of 90×90, or, with
  "at", on the point of that name among the "anchors" of the chosen pet.
- "swap" draws the same file in other colours: see "palettes".
- dictionary.json holds the names and the lore.
- Alpha is 0 or 255 everywhere, and a picture has at most 256 colours: then
  pictures are small and quick. Anything else works too, as RGBA.
- Change "version" whenever a published pack changes, and "licence" and
  "credits" to your own.
`
