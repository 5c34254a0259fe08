// Package gridpng encodes pixel art: a small grid of palette indices becomes a PNG in which each
// index is a square block of pixels. It compresses a grid of up to 255×255 indices as it is and
// never makes the scaled picture, so the scale hardly affects its speed. Files are about as small
// as the best general compressors make them.
//
// Keep an Encoder and append pictures with it. The same picture always gives the same bytes. For
// more than 256 colours use AppendRGBA.
package gridpng

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"image/color"
	"slices"
)

// maxSize is the largest width and height of a grid.
const maxSize = 512

// byteSize is the largest width and height that deflater accepts, because it stores positions in a
// row as bytes. Larger grids use a general compressor.
const byteSize = 255

// maxScale is the largest scale. With it, scaled rows of up to byteSize pixels fit into deflate's
// window.
const maxScale = 64

// A Picture is a grid to encode.
type Picture struct {
	Size    int           // width of the grid, 1 to 512
	Height  int           // height of the grid; 0 means Size
	Scale   int           // width and height of the block for each index, in pixels of the PNG, 1 to 64
	Pixels  []uint8       // Size×Height indices into Palette, row by row
	Palette []color.NRGBA // 1 to 256 colours; their order does not matter
	Text    []byte        // chunks made by AppendText, or nil
}

// An Encoder turns pictures into PNGs. The zero value is ready to use. It holds the working space
// of one picture, so only one goroutine may use it at a time. From the second picture of the same
// size on, it allocates nothing.
type Encoder struct {
	bitmap  bitmap
	deflate deflater
	keys    []uint64
	place   [256]uint8 // maps an index in Picture.Palette to one in the PNG's palette
	sorted  []uint8    // the inverse of place
	raw     rawDeflater
	cut     []uint8 // the part of a frame that is written
}

// Append appends the picture as an indexed PNG. It panics if the sizes in p contradict each other
// or are out of range. It does not check that the indices are in the palette.
func (e *Encoder) Append(dst []byte, p Picture) []byte {
	p.check()
	e.bitmap.set(p.Pixels, p.Size, p.height(), p.Scale)
	e.parse()
	transparent := e.order(p.Palette)
	dst = appendHeader(dst, p.Size*p.Scale, p.height()*p.Scale, typePalette, p.Text)
	dst = e.appendPalette(dst, p.Palette, transparent)
	start := len(dst)
	dst = openChunk(dst, "IDAT")
	dst = e.appendStream(dst, len(p.Palette))
	dst = closeChunk(dst, start)
	return appendChunk(dst, "IEND", nil)
}

func (p *Picture) height() int { return cmp.Or(p.Height, p.Size) }

func (p *Picture) check() {
	if p.Size < 1 || max(p.Size, p.height()) > maxSize || p.Scale < 1 || p.Scale > maxScale ||
		len(p.Pixels) != p.Size*p.height() || len(p.Palette) < 1 || len(p.Palette) > 256 {
		panic(fmt.Sprintf("gridpng: %d pixels of %d colours in a grid of %d, scaled by %d",
			len(p.Pixels), len(p.Palette), p.Size, p.Scale))
	}
}

// small reports whether the bitmap is small enough for deflater.
func (e *Encoder) small() bool { return e.bitmap.width <= byteSize && e.bitmap.height <= byteSize }

// parse turns the bitmap into tokens, if it is small enough.
func (e *Encoder) parse() {
	if !e.small() {
		e.deflate.lit = [286]uint32{} // clear the counts of an earlier picture, which would change the order of colours
		return
	}
	e.deflate.parse(&e.bitmap)
}

// appendPalette appends the colours in the order of sorted, and then the alpha of the colours that
// are not opaque. transparent is the number of these colours, which come first in sorted.
func (e *Encoder) appendPalette(dst []byte, palette []color.NRGBA, transparent int) []byte {
	start := len(dst)
	dst = openChunk(dst, "PLTE")
	for _, i := range e.sorted {
		c := palette[i]
		dst = append(dst, c.R, c.G, c.B)
	}
	dst = closeChunk(dst, start)
	if transparent == 0 {
		return dst
	}
	start = len(dst)
	dst = openChunk(dst, "tRNS")
	for _, i := range e.sorted[:transparent] {
		dst = append(dst, palette[i].A)
	}
	return closeChunk(dst, start)
}

// appendStream appends the parsed bitmap as a zlib stream.
func (e *Encoder) appendStream(dst []byte, colours int) []byte {
	if !e.small() {
		return e.raw.appendPlaces(dst, &e.bitmap, &e.place)
	}
	dst = append(dst, 0x78, 0xda)
	dst = e.deflate.block(dst, &e.place, colours)
	return binary.BigEndian.AppendUint32(dst, checksum(e.deflate.rows, &e.place, &e.bitmap))
}

// order sorts the palette. Colours that are not opaque come first, so that tRNS is short. In both
// groups, frequent colours come first, so that the code lengths take few bits. order returns how
// many colours are not opaque.
func (e *Encoder) order(palette []color.NRGBA) int {
	e.keys = e.keys[:0]
	transparent := 0
	for i, c := range palette {
		k := uint64(min(e.deflate.lit[i], 1<<20))<<16 | uint64(255-i)<<8
		if c.A < 255 {
			k |= 1 << 40
			transparent++
		}
		e.keys = append(e.keys, k)
	}
	slices.Sort(e.keys)
	slices.Reverse(e.keys)
	e.sorted = e.sorted[:0]
	for at, k := range e.keys {
		i := 255 - uint8(k>>8)
		e.sorted = append(e.sorted, i)
		e.place[i] = uint8(at)
	}
	return transparent
}
