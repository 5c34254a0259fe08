package art

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"slices"
)

// A layer is one PNG of a pack, or one frame of it, cropped to its visible part. It never changes
// once loaded. Its pixels are in Pack.index or Pack.colour.
type layer struct {
	x, y, w, h int     // the box; x and y count from the top left corner of its frame
	spans      []span  // visible pixels, top to bottom
	from       []int32 // where the pixels of each span begin among the pack's pixels
}

// A span is a stretch of a row without fully transparent pixels.
type span struct{ x, y, n int16 }

// A frame is a layer with its own pixels.
type frame struct {
	layer
	pixels []color.NRGBA // of all spans
}

// decodeStrip reads a PNG with frames side by side, each of at most grid×grid pixels. It checks the
// header before it unpacks anything.
func decodeStrip(data []byte, grid, frames int) ([]frame, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not a PNG: %w", err)
	}
	w := head.Width / frames
	h := head.Height
	switch {
	case head.Width%frames != 0:
		return nil, fmt.Errorf("is %d pixels wide, which cannot be divided into %d equal frames", head.Width, frames)
	case w > grid || h > grid:
		return nil, fmt.Errorf("is %d×%d, larger than the grid of %d×%d", w, h, grid, grid)
	case slices.Contains([]color.Model{color.RGBA64Model, color.NRGBA64Model, color.Gray16Model}, head.ColorModel):
		return nil, errors.New("has 16 bits for each channel; save it with 8")
	}
	r := bytes.NewReader(data)
	img, err := png.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("the PNG is damaged: %w", err)
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("%d bytes follow the end of the PNG", r.Len())
	}
	all := pixels(img)
	out := make([]frame, frames)
	for i := range out {
		out[i] = crop(all[i*w:], head.Width, w, h)
	}
	return out, nil
}

// unpackedPixels returns how many pixels a file has, according to its header. So a small file that
// would unpack to many pixels is found in time. unpackedPixels returns 0 for a file that is not a
// PNG or is larger than the grid, because decodeStrip refuses this file before it unpacks anything.
func unpackedPixels(data []byte, frames, grid int) int64 {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || head.Width > grid*frames || head.Height > grid {
		return 0
	}
	return int64(head.Width * head.Height)
}

// pixels returns the image's colours, row by row. Every fully transparent pixel becomes the zero
// colour.
func pixels(img image.Image) []color.NRGBA {
	b := img.Bounds()
	out := make([]color.NRGBA, 0, b.Dx()*b.Dy())
	switch img := img.(type) {
	case *image.Paletted:
		var palette [256]color.NRGBA
		for i, c := range img.Palette {
			palette[i] = nrgba(c)
		}
		for _, i := range img.Pix { // a decoded image has no gaps between its rows
			out = append(out, palette[i])
		}
	case *image.NRGBA:
		for p := img.Pix; len(p) > 0; p = p[4:] {
			out = append(out, visible(color.NRGBA{p[0], p[1], p[2], p[3]}))
		}
	default:
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				out = append(out, nrgba(img.At(x, y)))
			}
		}
	}
	return out
}

func visible(c color.NRGBA) color.NRGBA {
	if c.A == 0 {
		return color.NRGBA{}
	}
	return c
}

func nrgba(c color.Color) color.NRGBA {
	return visible(color.NRGBAModel.Convert(c).(color.NRGBA))
}

// crop returns the part of a frame that is visible.
func crop(pix []color.NRGBA, stride, w, h int) (f frame) {
	box := image.Rectangle{}
	for y := range h {
		for x, c := range pix[y*stride:][:w] {
			if c.A > 0 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	f.x = box.Min.X
	f.y = box.Min.Y
	f.w = box.Dx()
	f.h = box.Dy()
	for y := range f.h {
		row := pix[(f.y+y)*stride+f.x:][:f.w]
		for x := 0; x < len(row); {
			n := 0
			for x+n < len(row) && row[x+n].A > 0 {
				n++
			}
			if n > 0 {
				f.spans = append(f.spans, span{int16(x), int16(y), int16(n)})
				f.pixels = append(f.pixels, row[x:x+n]...)
			}
			x += n + 1
		}
	}
	f.spans = slices.Clip(slices.Clone(f.spans))
	f.pixels = slices.Clip(slices.Clone(f.pixels)) // packs have many layers, so unused capacity would add up
	return f
}

// A colourTable is a list of different colours. Index 0 is full transparency.
type colourTable struct {
	colours []color.NRGBA
	place   map[color.NRGBA]uint16
}

func newColourTable() *colourTable {
	return &colourTable{colours: []color.NRGBA{{}}, place: map[color.NRGBA]uint16{{}: 0}}
}

// index returns the colours' indices, and adds new colours to the table. It reports false if the
// table has no room, or if a colour is partly transparent.
func (t *colourTable) index(pixels []color.NRGBA) ([]uint16, bool) {
	out := make([]uint16, len(pixels))
	for i, c := range pixels {
		if i > 0 && c == pixels[i-1] {
			out[i] = out[i-1]
			continue
		}
		place, known := t.place[c]
		if !known {
			if len(t.colours) > maxColours || c.A < 255 {
				return nil, false
			}
			place = uint16(len(t.colours))
			t.place[c] = place
			t.colours = append(t.colours, c)
		}
		out[i] = place
	}
	return out, true
}

// A pool collects the pixels of all layers. It stores equal runs of pixels once, because the frames
// of a movement differ little.
type pool[P any] struct {
	pixels []P
	known  map[string]int32 // where a run begins, by its text
	append func([]byte, P) []byte
	text   []byte
}

// add stores the pixels of a layer, and returns where each of its spans begins.
func (p *pool[P]) add(spans []span, pixels []P) []int32 {
	from := make([]int32, 0, len(spans))
	for _, s := range spans {
		row := pixels[:s.n]
		pixels = pixels[s.n:]
		p.text = p.text[:0]
		for _, pixel := range row {
			p.text = p.append(p.text, pixel)
		}
		at, ok := p.known[string(p.text)]
		if !ok {
			at = int32(len(p.pixels))
			p.known[string(p.text)] = at
			p.pixels = append(p.pixels, row...)
		}
		from = append(from, at)
	}
	return from
}

func appendColour(b []byte, c color.NRGBA) []byte { return append(b, c.R, c.G, c.B, c.A) }
