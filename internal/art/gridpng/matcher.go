package gridpng

import (
	"encoding/binary"
	"math/bits"
)

// A matcher finds an earlier stretch that equals the current one.
type matcher struct {
	latest [1 << hashBits]uint16 // the last position of each hash as y<<8 | x, or 0 if there is none
	reach  int                   // how many rows back a match can begin
	// Each row of the grid becomes several equal lines of the PNG. back[n] is the distance in bytes
	// from the first line of a row to the last line of the row that is n rows above.
	back [byteSize + 1]int
}

const hashBits = 11

// measure sets the fields reach and back for pictures of this size.
func (m *matcher) measure(b *bitmap) {
	m.reach = (window - b.stride()) / (b.scale * b.stride())
	for up := 1; up <= byteSize; up++ {
		m.back[up] = ((up-1)*b.scale + 1) * b.stride()
	}
}

// find looks for an earlier stretch that equals the row from x on. The stretch has n pixels and is
// dist bytes back; n is 0 if there is none. The hash is of the run from x to next and the colour
// after it. find tries only the latest position with this hash, and replaces it with the current
// one. The last if statement compiles to a conditional move, because a branch would often be
// mispredicted.
func (m *matcher) find(b *bitmap, w *row, x, next int) (n, dist int) {
	hash := (uint32(w.pixels[x])<<16 | uint32(w.pixels[next])<<8 | uint32(next-x)) * 2654435761 >> (32 - hashBits)
	at := int(m.latest[hash])
	m.latest[hash] = uint16(w.y<<8 | x)
	up, left := w.y-at>>8, at&255
	n = same(w.pixels[x:], b.pixels[at>>8*b.width+left:], b.width-max(x, left))
	if at <= max(w.y-m.reach, 0)<<8 {
		n = 0
	}
	return n, m.back[up&255] + (x-left)*b.scale
}

// same returns the length of the common prefix of a and b, at most n. Both must have at least
// n+slack bytes.
func same(a, b []uint8, n int) int {
	for i := 0; i < n; i += 8 {
		if v := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); v != 0 {
			return min(n, i+bits.TrailingZeros64(v)>>3)
		}
	}
	return n
}
