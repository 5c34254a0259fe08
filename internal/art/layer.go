package art

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"

	"petsupply/internal/art/petpack"
)

// A layer is one PNG of a pack, decoded at load, cropped to what shows of it.
// Exactly one of index and colour is set; layers never change once loaded.
type layer struct {
	x, y, w, h int           // the box, from the file's top left corner
	spans      []span        // where something shows, top to bottom
	index      []uint16      // w×h places in the pack's colour table
	colour     []color.NRGBA // w×h colours, in packs that need the RGBA path
}

// A span is a row's stretch of pixels that are not fully transparent.
type span struct{ x, y, n int16 }

// decodeLayer reads a PNG of so many frames side by side, each of at most
// grid×grid pixels. The header is checked before anything is unpacked.
func decodeLayer(data []byte, grid, frames int) ([]*layer, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not a PNG: %w", err)
	}
	w, h := head.Width/frames, head.Height
	if w < 1 || h < 1 || w > grid || h > grid {
		return nil, fmt.Errorf("is %d×%d, larger than the grid of %d×%d", w, h, grid, grid)
	}
	if head.Width%frames != 0 {
		return nil, fmt.Errorf("is %d wide, which is not %d frames of one width", head.Width, frames)
	}
	r := bytes.NewReader(data)
	img, err := png.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("not a sound PNG: %w", err)
	}
	if img.Bounds().Dx() != head.Width || img.Bounds().Dy() != head.Height {
		return nil, errors.New("its size is not what its header says")
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("%d bytes follow the end of the PNG", r.Len())
	}
	all := pixels(img)
	if frames == 1 {
		return []*layer{crop(all, w, h)}, nil
	}
	var out []*layer
	for i := range frames {
		var one []color.NRGBA
		for y := range h {
			one = append(one, all[y*head.Width+i*w:][:w]...)
		}
		out = append(out, crop(one, w, h))
	}
	return out, nil
}

// A pixelCount is how many pixels the layers of a pack have so far, by their
// headers alone: few bytes can unpack to many.
type pixelCount struct {
	copies map[string]int // by file: itself, and each of its swaps
	total  int
}

func newPixelCount(m *petpack.Manifest) *pixelCount {
	c, seen := &pixelCount{copies: map[string]int{}}, map[string]bool{}
	for i := range m.Assets {
		a := &m.Assets[i]
		if key := layerKey(a); a.Swap != "" && !seen[key] {
			seen[key] = true
			c.copies[a.File]++
		}
	}
	return c
}

// add counts a file, and reports whether there is room for it. One that is no
// PNG, or larger than any grid, is refused where it is decoded.
func (c *pixelCount) add(name string, data []byte) bool {
	head, _ := png.DecodeConfig(bytes.NewReader(data))
	c.total += min(head.Width, petpack.MaxGrid*petpack.MaxFrames) * min(head.Height, petpack.MaxGrid) * (1 + c.copies[name])
	return c.total <= maxPixels
}

// pixels returns the image's colours, row by row. Every fully transparent one
// is the zero colour.
func pixels(img image.Image) []color.NRGBA {
	b := img.Bounds()
	out := make([]color.NRGBA, 0, b.Dx()*b.Dy())
	switch img := img.(type) {
	case *image.NRGBA:
		for y := range b.Dy() {
			row := img.Pix[y*img.Stride : y*img.Stride+4*b.Dx()]
			for ; len(row) > 0; row = row[4:] {
				out = append(out, visible(color.NRGBA{row[0], row[1], row[2], row[3]}))
			}
		}
	case *image.Paletted:
		table := make([]color.NRGBA, 256)
		for i, c := range img.Palette {
			table[i] = nrgba(c)
		}
		for y := range b.Dy() {
			for _, i := range img.Pix[y*img.Stride : y*img.Stride+b.Dx()] {
				out = append(out, table[i])
			}
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

// crop keeps the smallest box around the pixels that show, and notes the spans.
func crop(pix []color.NRGBA, w, h int) *layer {
	x0, y0, x1, y1 := w, h, 0, 0
	for i, c := range pix {
		if c.A != 0 {
			x0, x1 = min(x0, i%w), max(x1, i%w+1)
			y0, y1 = min(y0, i/w), max(y1, i/w+1)
		}
	}
	if x1 == 0 {
		return &layer{}
	}
	l := &layer{x: x0, y: y0, w: x1 - x0, h: y1 - y0}
	l.colour = make([]color.NRGBA, 0, l.w*l.h)
	for y := y0; y < y1; y++ {
		row := pix[y*w+x0 : y*w+x1]
		l.colour = append(l.colour, row...)
		for x := 0; x < len(row); {
			n := 0
			for x+n < len(row) && row[x+n].A != 0 {
				n++
			}
			if n > 0 {
				l.spans = append(l.spans, span{int16(x), int16(y - y0), int16(n)})
			}
			x += n + 1
		}
	}
	return l
}

// swapped returns the layer with its colours exchanged, alpha untouched.
func (l *layer) swapped(to map[color.NRGBA]color.NRGBA) *layer {
	s := *l
	s.colour = make([]color.NRGBA, len(l.colour))
	for i, c := range l.colour {
		if n, ok := to[color.NRGBA{c.R, c.G, c.B, 255}]; ok && c.A != 0 {
			c.R, c.G, c.B = n.R, n.G, n.B
		}
		s.colour[i] = c
	}
	return &s
}

// swapped is that of all frames.
func swapped(frames []*layer, to map[color.NRGBA]color.NRGBA) []*layer {
	var out []*layer
	for _, l := range frames {
		out = append(out, l.swapped(to))
	}
	return out
}

// A colourTable is the pack's colours. Place 0 is full transparency.
type colourTable struct {
	colours []color.NRGBA
	place   map[color.NRGBA]uint16
}

func newColourTable() *colourTable {
	return &colourTable{colours: []color.NRGBA{{}}, place: map[color.NRGBA]uint16{{}: 0}}
}

// add gives every colour of the layer a place. It reports whether pictures can
// be composed of places alone: no soft alpha, and no more colours than fit.
func (t *colourTable) add(l *layer) bool {
	last, known := color.NRGBA{}, true
	for _, c := range l.colour {
		if c == last && known {
			continue
		}
		last = c
		if c.A != 0 && c.A != 255 {
			return false
		}
		if _, known = t.place[c]; !known {
			if len(t.colours) > maxColours {
				return false
			}
			t.place[c] = uint16(len(t.colours))
			t.colours = append(t.colours, c)
			known = true
		}
	}
	return true
}

// index replaces the layer's colours by their places.
func (t *colourTable) index(l *layer) {
	l.index = make([]uint16, len(l.colour))
	for i, c := range l.colour {
		if i > 0 && c == l.colour[i-1] {
			l.index[i] = l.index[i-1]
			continue
		}
		l.index[i] = t.place[c]
	}
	l.colour = nil
}
