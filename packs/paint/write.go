package main

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

	"petsupply/internal/art"
)

// A manifest is pack.json in the form that published packs have: x and y stand
// in every asset.
type manifest struct {
	Format  string       `json:"format"`
	ID      string       `json:"id"`
	Version string       `json:"version"`
	Name    string       `json:"name"`
	Grid    int          `json:"grid"`
	Scale   int          `json:"scale"`
	Licence string       `json:"licence"`
	Credits []art.Credit `json:"credits"`
	Slots   []slot       `json:"slots"`
	Assets  []asset      `json:"assets"`
}

type slot struct {
	Name   string   `json:"name"`
	By     []string `json:"by"`
	Switch string   `json:"switch,omitempty"`
}

type asset struct {
	Slot    string            `json:"slot"`
	File    string            `json:"file"`
	When    map[string][]int  `json:"when,omitempty"`
	X       int               `json:"x"`
	Y       int               `json:"y"`
	At      string            `json:"at,omitempty"`
	Anchors map[string][2]int `json:"anchors,omitempty"`
	SHA256  string            `json:"sha256,omitempty"`
}

const packID = "meadow"

// slots, back to front.
var slots = []slot{
	{"scene-back", []string{"background"}, "background"},
	{"shadow", []string{"egg", "appearance"}, "background"},
	{"pet", []string{"egg", "appearance", "shiny", "rarity"}, ""},
	{"element", []string{"element"}, ""},
	{"sparkle", []string{"shiny"}, ""},
	{"scene-front", []string{"background"}, "background"},
	{"frame", []string{"rarity"}, "frame"},
}

// writePack writes the whole pack below dir and returns how many layers it has.
func writePack(dir string) (int, error) {
	m := manifest{Format: "petpack/1", ID: packID, Version: "1.0.0", Name: "Meadow and Beyond", Grid: grid, Scale: 4,
		Licence: "CC0-1.0", Credits: []art.Credit{{Name: "petsupply contributors", Role: "art"}}, Slots: slots}
	files := map[string][]byte{}
	for _, l := range layers() {
		a := asset{Slot: l.slot, File: l.file, When: l.when, X: l.x, Y: l.y, At: l.at, Anchors: l.anchors}
		if l.img != nil {
			data, off, err := encode(l.img)
			if err != nil {
				return 0, fmt.Errorf("encoding %s: %w", l.file, err)
			}
			if old, ok := files[l.file]; ok && !bytes.Equal(old, data) {
				return 0, fmt.Errorf("layer %s is drawn twice, differently", l.file)
			}
			files[l.file] = data
			sum := sha256.Sum256(data)
			a.X, a.Y, a.SHA256 = a.X+off.X, a.Y+off.Y, hex.EncodeToString(sum[:])
		}
		m.Assets = append(m.Assets, a)
	}
	var err error
	if files["pack.json"], err = document(m); err != nil {
		return 0, err
	}
	if files["dictionary.json"], err = document(dictionary()); err != nil {
		return 0, err
	}
	if err := sweep(dir, files); err != nil {
		return 0, err
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return 0, err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return 0, err
		}
	}
	return len(m.Assets), nil
}

// sweep removes the pictures of an earlier painting of this pack that are no
// longer part of it. It leaves a directory alone that holds anything else.
func sweep(dir string, files map[string][]byte) error {
	old, err := os.ReadFile(filepath.Join(dir, "pack.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var m manifest
	if err := json.Unmarshal(old, &m); err != nil {
		return fmt.Errorf("reading the pack that is in %s: %w", dir, err)
	}
	if m.ID != packID {
		return fmt.Errorf("%s holds the pack %q", dir, m.ID)
	}
	for _, a := range m.Assets {
		if _, kept := files[a.File]; kept || a.File == "" || !filepath.IsLocal(a.File) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(a.File))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func document(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// encode returns img as a PNG with a palette, cropped to what is drawn, and
// where the crop begins.
func encode(img *image.NRGBA) ([]byte, image.Point, error) {
	box := image.Rectangle{}
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		for x := img.Rect.Min.X; x < img.Rect.Max.X; x++ {
			switch img.NRGBAAt(x, y).A {
			case 0:
			case 255:
				box = box.Union(image.Rect(x, y, x+1, y+1))
			default:
				return nil, image.Point{}, fmt.Errorf("pixel %d,%d is half transparent", x, y)
			}
		}
	}
	if box.Empty() {
		return nil, image.Point{}, fmt.Errorf("nothing is drawn")
	}
	index := map[color.NRGBA]uint8{{}: 0}
	colours := color.Palette{color.NRGBA{}}
	out := image.NewPaletted(image.Rect(0, 0, box.Dx(), box.Dy()), nil)
	for y := range box.Dy() {
		for x := range box.Dx() {
			c := img.NRGBAAt(box.Min.X+x, box.Min.Y+y)
			if c.A == 0 {
				c = color.NRGBA{}
			}
			i, ok := index[c]
			if !ok {
				if len(colours) == 256 {
					return nil, image.Point{}, fmt.Errorf("more than 255 colours")
				}
				i = uint8(len(colours))
				index[c], colours = i, append(colours, c)
			}
			out.SetColorIndex(x, y, i)
		}
	}
	out.Palette = colours
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	err := e.Encode(&b, out)
	return b.Bytes(), box.Min, err
}
