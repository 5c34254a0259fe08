package art

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"

	"petsupply/internal/art/petpack"
)

// A layer is one PNG of a pack, or one frame of it, cropped to its visible part. It never changes
// once loaded. Its pixels are in Pack.index or Pack.colour. A swap, which is the same PNG in other
// colours, is another layer.
type layer struct {
	x, y, w, h int     // the box; x and y count from the top left corner of its frame
	spans      []span  // visible pixels, top to bottom; swaps of a file usually share them
	from       []int32 // where the pixels of each span begin among the pack's pixels
}

// A span is a stretch of a row without fully transparent pixels.
type span struct{ x, y, n int16 }

// A strip is an unpacked PNG of a pack, with frames side by side. The pixels of the frames are
// indices into colours, which begins with full transparency. If colours would be too long, it is
// nil, and the pixels are colours themselves.
type strip struct {
	frames  []*frame
	colours []color.NRGBA
}

// A frame is a layer with its own pixels, which are either indices or colours.
type frame struct {
	layer
	index  []uint16
	colour []color.NRGBA
}

// decodeStrip reads a PNG with frames side by side, each of at most grid×grid pixels. It checks the
// header before it unpacks anything.
func decodeStrip(data []byte, grid, frames int) (*strip, error) {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("not a PNG: %w", err)
	}
	w, h := head.Width/frames, head.Height
	if head.Width%frames != 0 {
		return nil, fmt.Errorf("is %d pixels wide, which cannot be divided into %d equal frames", head.Width, frames)
	}
	if w > grid || h > grid {
		return nil, fmt.Errorf("is %d×%d, larger than the grid of %d×%d", w, h, grid, grid)
	}
	r := bytes.NewReader(data)
	img, err := png.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("the PNG is damaged: %w", err)
	}
	if img.Bounds().Dx() != head.Width || img.Bounds().Dy() != head.Height {
		return nil, errors.New("its size differs from its header")
	}
	if r.Len() > 0 {
		return nil, fmt.Errorf("%d bytes follow the end of the PNG", r.Len())
	}
	places, colours := paletted(img)
	var all []color.NRGBA
	if colours == nil {
		all = pixels(img)
	}
	out := &strip{colours: colours}
	for i := range frames {
		f := &frame{}
		if colours == nil {
			f.colour = crop(&f.layer, all[i*w:], head.Width, w, h)
		} else {
			f.index = crop(&f.layer, places[i*w:], head.Width, w, h)
		}
		out.frames = append(out.frames, f)
	}
	return out, nil
}

// unpackedPixels returns how many pixels a file and its swaps have, according to the file's header.
// So a small file that would unpack to many pixels is found in time. unpackedPixels returns 0 for a
// file that is not a PNG or is larger than the grid, because decodeStrip refuses this file before
// it unpacks anything.
func unpackedPixels(data []byte, assets []*petpack.Asset, grid int) int64 {
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || head.Width > grid*assets[0].Frames || head.Height > grid {
		return 0
	}
	forms := map[string]bool{"": true}
	for _, a := range assets {
		forms[a.Swap] = true
	}
	return int64(head.Width*head.Height) * int64(len(forms))
}

// paletted returns the image's pixels, row by row, as indices into a list of its colours. The list
// is nil if it would be too long.
func paletted(img image.Image) ([]uint16, []color.NRGBA) {
	table := newColourTable()
	if img, ok := img.(*image.Paletted); ok {
		var place [256]uint16
		for i, c := range img.Palette {
			place[i], _ = table.add(nrgba(c)) // 256 colours always fit
		}
		b := img.Bounds()
		out := make([]uint16, 0, b.Dx()*b.Dy())
		for y := range b.Dy() {
			for _, i := range img.Pix[y*img.Stride : y*img.Stride+b.Dx()] {
				out = append(out, place[i])
			}
		}
		return out, table.colours
	}
	all := pixels(img)
	out := make([]uint16, len(all))
	for i, c := range all {
		if i > 0 && c == all[i-1] {
			out[i] = out[i-1]
			continue
		}
		place, ok := table.add(c)
		if !ok {
			return nil, nil
		}
		out[i] = place
	}
	return out, table.colours
}

// pixels returns the image's colours, row by row. Every fully transparent pixel becomes the zero
// colour.
func pixels(img image.Image) []color.NRGBA {
	b := img.Bounds()
	out := make([]color.NRGBA, 0, b.Dx()*b.Dy())
	if img, ok := img.(*image.NRGBA); ok {
		for y := range b.Dy() {
			row := img.Pix[y*img.Stride : y*img.Stride+4*b.Dx()]
			for ; len(row) > 0; row = row[4:] {
				out = append(out, visible(color.NRGBA{row[0], row[1], row[2], row[3]}))
			}
		}
		return out
	}
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out = append(out, nrgba(img.At(x, y)))
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

// crop sets the layer's spans and its box, which is the smallest one around its visible pixels. It
// returns the pixels of the spans. The zero pixel is invisible.
func crop[P comparable](l *layer, pix []P, stride, w, h int) []P {
	var zero P
	x0, y0, x1, y1 := w, h, 0, 0
	for y := range h {
		row := pix[y*stride:][:w]
		first := 0
		for first < w && row[first] == zero {
			first++
		}
		if first == w {
			continue
		}
		last := w - 1
		for row[last] == zero {
			last--
		}
		x0, x1, y0, y1 = min(x0, first), max(x1, last+1), min(y0, y), y+1
	}
	if x1 == 0 {
		return nil
	}
	l.x, l.y, l.w, l.h = x0, y0, x1-x0, y1-y0
	out := make([]P, 0, l.w*l.h)
	for y := range l.h {
		row := pix[(y0+y)*stride+x0:][:l.w]
		for x := 0; x < len(row); {
			n := 0
			for x+n < len(row) && row[x+n] != zero {
				n++
			}
			if n > 0 {
				l.spans = append(l.spans, span{int16(x), int16(y), int16(n)})
				out = append(out, row[x:x+n]...)
			}
			x += n + 1
		}
	}
	l.spans = slices.Clone(l.spans)
	return slices.Clone(out) // frees unused capacity, because packs have many layers
}

// swapped returns the strip with other colours. The argument maps old colours to new ones. Alpha
// does not change.
func (s *strip) swapped(to map[color.NRGBA]color.NRGBA) *strip {
	swap := func(from []color.NRGBA) []color.NRGBA {
		out := slices.Clone(from)
		for i, c := range out {
			if n, ok := to[color.NRGBA{c.R, c.G, c.B, 255}]; ok && c.A != 0 {
				out[i] = color.NRGBA{n.R, n.G, n.B, c.A}
			}
		}
		return out
	}
	if s.colours != nil {
		return &strip{frames: s.frames, colours: swap(s.colours)}
	}
	out := &strip{}
	for _, f := range s.frames {
		other := *f
		other.colour = swap(f.colour)
		out.frames = append(out.frames, &other)
	}
	return out
}

// coloured returns the pixels of one of the strip's frames as colours.
func (s *strip) coloured(f *frame) []color.NRGBA {
	if s.colours == nil {
		return f.colour
	}
	out := make([]color.NRGBA, len(f.index))
	for i, place := range f.index {
		out[i] = s.colours[place]
	}
	return out
}

// A colourTable is a list of different colours. Index 0 is full transparency.
type colourTable struct {
	colours []color.NRGBA
	place   map[color.NRGBA]uint16
}

func newColourTable() *colourTable {
	return &colourTable{colours: []color.NRGBA{{}}, place: map[color.NRGBA]uint16{{}: 0}}
}

// add returns the colour's index, and adds the colour if it is new. It reports false if there is no
// room.
func (t *colourTable) add(c color.NRGBA) (uint16, bool) {
	place, known := t.place[c]
	if known || len(t.colours) > maxColours {
		return place, known
	}
	place = uint16(len(t.colours))
	t.place[c], t.colours = place, append(t.colours, c)
	return place, true
}

// addStrip adds every visible colour of the strip. It reports whether pictures can be composed of
// indices alone: no pixel is partly transparent, and all colours fit into the table.
func (t *colourTable) addStrip(s *strip) bool {
	if s.colours == nil {
		return false
	}
	seen := make([]bool, len(s.colours))
	for _, f := range s.frames {
		for _, place := range f.index {
			if seen[place] {
				continue
			}
			seen[place] = true
			c := s.colours[place]
			if _, ok := t.add(c); !ok || c.A != 0 && c.A != 255 {
				return false
			}
		}
	}
	return true
}

// indexed returns the pixels of one of the strip's frames as indices into this table.
func (t *colourTable) indexed(s *strip, f *frame) []uint16 {
	to := make([]uint16, len(s.colours))
	for i, c := range s.colours {
		to[i] = t.place[c]
	}
	out := make([]uint16, len(f.index))
	for i, place := range f.index {
		out[i] = to[place]
	}
	return out
}

// pooled puts the pixels of all frames into one slice, and returns it with the layers that use it,
// by the strips' names. It stores equal runs of pixels once, because the frames of a movement
// differ little. key appends a pixel to the text by which runs are compared. pooled copies the
// pixels, so that the memory used for decoding can be freed.
func pooled[P any](
	strips map[string]*strip, pixels func(*strip, *frame) []P, key func([]byte, P) []byte,
) ([]P, map[string][]*layer) {
	var pool []P
	var name []byte
	layers, known := make(map[string][]*layer, len(strips)), map[string]int32{}
	spans, from := layerSpace(strips)
	outlines := map[*frame][]span{}
	for _, file := range slices.Sorted(maps.Keys(strips)) {
		for _, f := range strips[file].frames {
			if outlines[f] == nil {
				spans = append(spans, f.spans...)
				outlines[f] = slices.Clip(spans[len(spans)-len(f.spans):])
			}
			l, rest := f.layer, pixels(strips[file], f)
			l.spans = outlines[f]
			for _, s := range l.spans {
				row := rest[:s.n]
				rest, name = rest[s.n:], name[:0]
				for _, pixel := range row {
					name = key(name, pixel)
				}
				at, ok := known[string(name)]
				if !ok {
					at = int32(len(pool))
					pool, known[string(name)] = append(pool, row...), at
				}
				from = append(from, at)
			}
			l.from = slices.Clip(from[len(from)-len(l.spans):])
			layers[file] = append(layers[file], &l)
		}
	}
	return slices.Clone(pool), layers
}

func appendColour(b []byte, c color.NRGBA) []byte { return append(b, c.R, c.G, c.B, c.A) }

// layerSpace allocates memory for the spans of all frames, and for the places where their pixels
// begin. A file with several palettes has its spans once, but pixels for each palette. The capacity
// is exact, so that appending never moves anything.
func layerSpace(strips map[string]*strip) ([]span, []int32) {
	once, each := 0, 0
	seen := map[*frame]bool{}
	for _, s := range strips {
		for _, f := range s.frames {
			if each += len(f.spans); !seen[f] {
				seen[f], once = true, once+len(f.spans)
			}
		}
	}
	return make([]span, 0, once), make([]int32, 0, each)
}

// layerKey returns the name of an asset's layer: its file and, if it has one, its palette.
func layerKey(a *petpack.Asset) string {
	if a.Swap == "" {
		return a.File
	}
	return a.File + "\x00" + a.Swap
}
