package gridpng

import (
	"encoding/binary"
	"math/bits"
)

// A bitmap is a picture to compress.
type bitmap struct {
	pixels        []uint8 // width×height palette indices, then a padding of slack bytes
	width, height int
	scale         int
}

// slack is how many bytes after the pixels may be read.
const slack = 8

func (b *bitmap) set(pixels []uint8, width, height, scale int) {
	b.pixels = append(b.pixels[:0], pixels...)
	b.pixels = append(b.pixels, make([]uint8, slack)...)
	b.width, b.height, b.scale = width, height, scale
}

// stride is the length of a scaled row with its filter byte.
func (b *bitmap) stride() int { return b.width*b.scale + 1 }

// A row is one row of the grid, cut into runs of one colour.
type row struct {
	y      int
	pixels []uint8 // pixels of this row and of all rows after it
	count  int     // number of runs
	start  []uint8 // first pixel of each run, then the row's width, then unused bytes
	run    []uint8 // index of each pixel's run, then the number of runs, then unused bytes
	differ bitset  // set for pixels that differ from the one above, and for the end of the row
}

// A bitset has a bit for each pixel of a row.
type bitset [(byteSize + 1) / 64]uint64

// split cuts the whole picture into runs.
func (d *deflater) split(b *bitmap) {
	if len(d.space) < b.height || len(d.space[0].start) < b.width+slack {
		width := b.width + slack
		d.space = make([]row, b.height)
		space := make([]uint8, 2*width*b.height)
		for y := range d.space {
			d.space[y].start, d.space[y].run = space[:width], space[width:2*width]
			space = space[2*width:]
		}
	}
	d.rows = d.space[:b.height]
	for y := range d.rows {
		d.rows[y].cut(b, y)
	}
}

// cut finds where runs begin and which pixels differ from those above. It handles eight pixels at a
// time, without branches.
func (w *row) cut(b *bitmap, y int) {
	w.y = y
	at := y * b.width
	w.pixels = b.pixels[at:]
	above := w.pixels
	if y > 0 {
		above = b.pixels[at-b.width:]
	}
	w.differ = bitset{}
	last := uint64(w.pixels[0] ^ 1) // so that the first pixel begins a run
	n := 0
	for x := 0; x < b.width; x += 8 {
		here := binary.LittleEndian.Uint64(w.pixels[x:])
		diff := nonZero(here ^ binary.LittleEndian.Uint64(above[x:]))
		m := nonZero(here ^ (here<<8 | last))
		if b.width-x < 8 { // ignore the bytes after the row
			keep := uint64(1)<<((b.width-x)&63) - 1
			diff, m = diff&keep, m&keep
		}
		w.differ[x>>6] |= diff << (x & 63)
		binary.LittleEndian.PutUint64(w.start[n:], ones[m]+uint64(x)*each)
		binary.LittleEndian.PutUint64(w.run[x:], sums[m]+uint64(n-1)*each)
		n += bits.OnesCount8(uint8(m))
		last = here >> 56
	}
	if y == 0 {
		w.differ = bitset{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	}
	w.differ[b.width>>6] |= 1 << (b.width & 63)
	w.count = n
	w.start[n] = uint8(b.width)
	w.run[b.width] = uint8(n)
}

// ones maps a byte to the positions of its set bits. Each byte of the word is one position, the
// lowest first.
var ones = func() (t [256]uint64) {
	for m := range t {
		n := 0
		for i := range 8 {
			if m>>i&1 == 1 {
				t[m] |= uint64(i) << (8 * n)
				n++
			}
		}
	}
	return t
}()

// sums maps a byte to eight counts. Byte i of the word is the number of set bits among bits 0 to i.
var sums = func() (t [256]uint64) {
	for m := range t {
		for i := range 8 {
			t[m] |= uint64(bits.OnesCount8(uint8(m<<(7-i)))) << (8 * i)
		}
	}
	return t
}()

// each has the value 1 in all eight bytes, so its product with a byte is that byte eight times.
const each = 0x0101010101010101

// nonZero returns a byte in which bit i is set if byte i of v is not 0.
func nonZero(v uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	v = (v&low + low | v) &^ low
	return v >> 7 * 0x0102040810204080 >> 56 // collects the eight bits in one byte
}

// upto returns the first pixel from x on that differs from the one above it, or the row's width.
func (w *row) upto(x int) int {
	word := x >> 6 & 3
	m := w.differ[word] >> (x & 63)
	for m == 0 {
		word++
		x = word << 6
		m = w.differ[word&3]
	}
	return x + bits.TrailingZeros64(m)
}
