package art

import (
	"encoding/binary"
	"math/bits"
)

// A past remembers where runs began, to find earlier stretches that are like
// the one at hand. For each sign it holds the two latest places in 16 bits each,
// the latest in the lower: y<<8 | x, plus 1 so that 0 is none.
type past struct {
	latest [1 << signBits]uint32
	reach  int // rows that a distance can go back
}

const signBits = 11

// sign is what stretches are looked up by: the run and the colour behind it.
func sign(w *row, x, end int) uint32 {
	return (uint32(w.pixels[x])<<16 | uint32(w.pixels[end])<<8 | uint32(end-x)) * 2654435761 >> (32 - signBits)
}

func (p *past) reset(s *sheet) {
	clear(p.latest[:])
	p.reach = window / (s.scale * s.stride())
}

// remember notes where the runs of the row from j to k began. The last run of a
// row has no colour behind it and is left out.
func (p *past) remember(w *row, j, k int) {
	k = min(k, w.count-1)
	if j >= k {
		return
	}
	start := w.start[j : k+1]
	x := int(start[0])
	for _, e := range start[1:] {
		seen := &p.latest[sign(w, x, int(e))]
		*seen = *seen<<16 | uint32(w.y<<8|x) + 1
		x = int(e)
	}
}

// longest finds the longest remembered stretch that is like the row from run j
// on: so many pixels, so many bytes back. 0 is none.
func (p *past) longest(s *sheet, w *row, j, x int) (n, dist int) {
	seen := p.latest[sign(w, x, int(w.start[j+1]))]
	least := max(0, w.y-p.reach)<<8 + 1
	at := int(seen & 0xffff)
	if at < least {
		return 0, 0
	}
	at--
	want := w.pixels[x:]
	first := binary.LittleEndian.Uint64(want)
	n = same(first, want, s.pixels[at>>8*s.grid+at&255:], s.grid-max(x, at&255))
	if other := int(seen >> 16); other >= least && n < enough {
		other--
		if m := same(first, want, s.pixels[other>>8*s.grid+other&255:], s.grid-max(x, other&255)); m > n {
			at, n = other, m
		}
	}
	dist = (x - at&255) * s.scale
	if up := w.y - at>>8; up > 0 { // the last of the rows that it was sent as is the nearest
		dist += (up*s.scale - s.scale + 1) * s.stride()
	}
	if n*s.scale < 3 || dist > window {
		return 0, 0
	}
	return n, dist
}

// same returns how many of the first n pixels of a and b are the same. first
// are the first eight of a; both have slack behind them.
func same(first uint64, a, b []uint8, n int) int {
	if v := first ^ binary.LittleEndian.Uint64(b); v != 0 {
		return min(n, bits.TrailingZeros64(v)>>3)
	}
	for i := 8; i < n; i += 8 {
		if v := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); v != 0 {
			return min(n, i+bits.TrailingZeros64(v)>>3)
		}
	}
	return n
}
