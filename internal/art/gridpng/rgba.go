package gridpng

import (
	"bytes"
	"fmt"
	"image/color"

	"github.com/klauspost/compress/zlib"
)

// A rawDeflater compresses pictures that deflater cannot: those with too many colours for a
// palette, and large ones. Its fields are working space.
type rawDeflater struct {
	row []byte
	buf bytes.Buffer
	z   *zlib.Writer
}

const (
	filterSub = 1
	filterUp  = 2
)

// AppendRGBA appends a PNG with four bytes per pixel, for pictures with too many colours for a
// palette. pixels has size×size colours, row by row. This PNG is larger and takes longer than one
// with a palette. Repeated rows are written as differences from the row above, which are all 0.
func (e *Encoder) AppendRGBA(dst []byte, pixels []color.NRGBA, size, scale int, text []byte) []byte {
	if size < 1 || size > maxSize || scale < 1 || scale > maxScale || len(pixels) != size*size {
		panic(fmt.Sprintf("gridpng: %d pixels in a grid of %d, scaled by %d", len(pixels), size, scale))
	}
	r := &e.raw
	r.begin()
	for y := range size {
		r.first(pixels[y*size:][:size], scale)
		r.send(scale)
	}
	r.z.Close()
	dst = appendHeader(dst, size*scale, size*scale, typeRGBA, text)
	dst = appendChunk(dst, "IDAT", r.buf.Bytes())
	return appendChunk(dst, "IEND", nil)
}

// begin starts a stream in buf.
func (r *rawDeflater) begin() {
	r.buf.Reset()
	if r.z == nil {
		r.z, _ = zlib.NewWriterLevel(&r.buf, 5) // the level is valid, so there is no error
	}
	r.z.Reset(&r.buf)
}

// send compresses r.row, and then scale-1 copies of it. A copy is written as its differences from
// the row above, which are all 0.
func (r *rawDeflater) send(scale int) {
	r.z.Write(r.row) // to memory, which does not fail
	clear(r.row)
	r.row[0] = filterUp
	for range scale - 1 {
		r.z.Write(r.row)
	}
}

// appendPlaces appends the compressed palette indices of a bitmap that is too large for deflater.
func (r *rawDeflater) appendPlaces(dst []byte, b *bitmap, place *[256]uint8) []byte {
	r.begin()
	for y := range b.height {
		r.row = append(r.row[:0], 0)
		for _, c := range b.pixels[y*b.width:][:b.width] {
			for range b.scale {
				r.row = append(r.row, place[c])
			}
		}
		r.send(b.scale)
	}
	r.z.Close()
	return append(dst, r.buf.Bytes()...)
}

// first puts a row of the grid into r.row. Each pixel becomes the difference from the pixel to its
// left.
func (r *rawDeflater) first(pixels []color.NRGBA, scale int) {
	r.row = append(r.row[:0], filterSub)
	var last color.NRGBA
	for _, c := range pixels {
		r.row = append(r.row, c.R-last.R, c.G-last.G, c.B-last.B, c.A-last.A)
		last = c
		for range scale - 1 {
			r.row = append(r.row, 0, 0, 0, 0)
		}
	}
}
