package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"petsupply/internal/art/petpack"
)

const packID = "meadow"

// header is the beginning of pack.json, up to "places", the settings of single layers. Slots are
// listed back to front.
const header = `{
 "$schema": "pack.schema.json",
 "format": "petpack/2",
 "id": "meadow",
 "version": "2.1.0",
 "name": "Meadow and Beyond",
 "licence": "CC0-1.0",
 "credits": [{"name": "petsupply contributors", "role": "art"}],
 "grid": 90,
 "scale": 4,
 "delays": %s,
 "values": {
  "egg": %s,
  "rarity": %s,
  "element": %s,
  "background": %s
 },
 "slots": [
  {"name": "scene-back", "files": ["scene/{background}-back.png"], "switch": "background"},
  {"name": "ornament", "files": ["ornament/{rarity}.png"], "optional": true, "switch": "frame"},
  {"name": "shadow", "files": ["shadow/{egg}-{appearance}.png", "shadow/egg.png"], "switch": "background"},
  {"name": "behind", "files": ["behind/{element}.png", "behind/{element}-{appearance}.png", "behind/{element}-{egg}-{appearance}.png"],
   "optional": true},
  {"name": "pet", "files": ["pet/{egg}-{appearance}.png", "pet/{egg}-{appearance}-{rarity}.png", "pet/unknown.png"],
   "anchors": %s},
  {"name": "element", "files": ["element/{element}.png", "element/{element}-{appearance}.png", "element/{element}-{egg}-{appearance}.png"],
   "optional": true},
  {"name": "sparkle", "files": ["sparkle/{egg}-{appearance}-{element}@shiny.png"], "optional": true},
  {"name": "scene-front", "files": ["scene/{background}-front.png"], "switch": "background"},
  {"name": "frame", "files": ["frame/{rarity}.png"], "switch": "frame"}
 ],
 "places": {
`

// manifest returns pack.json, with one line for each layer whose settings differ from those of its
// slot.
func manifest(all []layer) []byte {
	var backgrounds []string
	for _, s := range scenes() {
		backgrounds = append(backgrounds, s.file)
	}
	text := fmt.Appendf(nil, header, line(delays), line(eggValues), line(rarityValues), line(elementValues),
		line(backgrounds), line(eggAnchors()))
	places := map[string]any{}
	for _, l := range all {
		stem := strings.TrimSuffix(strings.TrimSuffix(l.file, ".png"), "@shiny")
		if place := l.place(); len(place) > 0 {
			places[stem] = place
		}
	}
	for i, stem := range slices.Sorted(maps.Keys(places)) {
		if i > 0 {
			text = append(text, ",\n"...)
		}
		text = fmt.Appendf(text, "  %q: %s", stem, line(places[stem]))
	}
	return append(text, "\n }\n}\n"...)
}

// place returns, for pack.json, the settings of the layer that differ from those of its slot.
func (l layer) place() map[string]any {
	out := map[string]any{}
	if l.at != "" {
		out["at"], out["x"], out["y"] = l.at, l.x, l.y
	}
	if l.play != nil {
		out["play"] = l.play
	}
	if l.bob != nil {
		out["bob"] = l.bob
	}
	if l.carry != nil {
		out["carry"] = l.carry
	}
	if l.steady {
		out["steady"] = true
	}
	if l.anchors != nil && !maps.Equal(l.anchors, eggAnchors()) {
		out["anchors"] = l.anchors
	}
	return out
}

// line encodes v as JSON on one line.
func line(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("encoding " + fmt.Sprint(v) + ": " + err.Error())
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(data, []byte(`,"`), []byte(`, "`)), []byte(`":`), []byte(`": `))
}

// writePack writes the whole pack into dir, with its pack.lock. It returns the number of layers.
func writePack(dir string) (int, error) {
	all := layers()
	files := map[string][]byte{"pack.json": manifest(all), petpack.SchemaFile: petpack.Schema}
	for _, l := range all {
		data, err := encode(l.strip())
		if err != nil {
			return 0, fmt.Errorf("encoding %s: %w", l.file, err)
		}
		if files[l.path()] != nil {
			return 0, fmt.Errorf("layer %s is drawn twice", l.file)
		}
		files[l.path()] = data
	}
	var err error
	if files["dictionary.json"], err = petpack.Encode(dictionary()); err != nil {
		return 0, err
	}
	return len(all), writeFiles(dir, packID, files)
}

// writeFiles writes the files of a pack into dir, and then its pack.lock.
func writeFiles(dir, id string, files map[string][]byte) error {
	if err := sweep(dir, id, files); err != nil {
		return err
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	_, err := petpack.Lock(dir)
	return err
}

// whole returns the layer's first frame as it is in the file: of the size of the grid, unless the
// layer is placed at an anchor.
func (l layer) whole() *image.NRGBA {
	if l.at != "" {
		return l.img
	}
	out := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	draw.Draw(out, l.img.Rect.Add(image.Pt(l.x, l.y)), l.img, l.img.Rect.Min, draw.Src)
	return out
}

// path returns the layer's file name, which contains its number of frames.
func (l layer) path() string {
	if len(l.moves) == 0 {
		return l.file
	}
	return fmt.Sprintf("%s.strip%d.png", strings.TrimSuffix(l.file, ".png"), 1+len(l.moves))
}

// strip returns the layer's picture with all its frames side by side.
func (l layer) strip() *image.NRGBA {
	first := l.whole()
	w, h := first.Rect.Dx(), first.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w*(1+len(l.moves)), h))
	for i, img := range append([]*image.NRGBA{first}, l.moves...) {
		draw.Draw(out, image.Rect(i*w, 0, (i+1)*w, h), img, img.Rect.Min, draw.Src)
	}
	return out
}

// sweep removes all pictures from dir that are not in files, such as those that only an earlier run
// wrote. It refuses a directory with another pack.
func sweep(dir, id string, files map[string][]byte) error {
	old, err := os.ReadFile(filepath.Join(dir, "pack.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var m struct{ ID string }
	if err := json.Unmarshal(old, &m); err != nil {
		return fmt.Errorf("reading the pack that is in %s: %w", dir, err)
	}
	if m.ID != id {
		return fmt.Errorf("%s has another pack, %q; to paint the pack %q, name another directory", dir, m.ID, id)
	}
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".png" {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || files[filepath.ToSlash(name)] != nil {
			return err
		}
		return os.Remove(path)
	})
}

// encode returns img as a PNG with a palette, the transparent colour first.
func encode(img *image.NRGBA) ([]byte, error) {
	index := map[color.NRGBA]uint8{{}: 0}
	colours := color.Palette{color.NRGBA{}}
	out := image.NewPaletted(image.Rect(0, 0, img.Rect.Dx(), img.Rect.Dy()), nil)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := img.NRGBAAt(img.Rect.Min.X+x, img.Rect.Min.Y+y)
			switch c.A {
			case 0:
				c = color.NRGBA{}
			case 255:
			default:
				return nil, fmt.Errorf("pixel %d,%d is partly transparent", x, y)
			}
			i, ok := index[c]
			if !ok {
				if len(colours) == 256 {
					return nil, errors.New("more than 255 opaque colours do not fit into a palette")
				}
				i = uint8(len(colours))
				index[c], colours = i, append(colours, c)
			}
			out.SetColorIndex(x, y, i)
		}
	}
	if len(colours) == 1 {
		return nil, errors.New("nothing is drawn")
	}
	out.Palette = colours
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	err := e.Encode(&b, out)
	return b.Bytes(), err
}
