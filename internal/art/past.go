package art

import (
	"encoding/binary"
	"math/bits"
)

// A past remembers where runs began, to find earlier stretches that are like
// the one at hand. For each sign it holds the two latest places, as y<<8 | x
// plus 1 so that 0 is none.
type past struct {
	latest [1 << signBits][2]uint32
	reach  int // rows that a distance can go back
	upCode uint32
}

const (
	signBits = 11
	enough   = 8 // no search where the row above serves that many pixels
	settled  = 5 // none within a stretch that long, once found
)

// A found is a stretch of n pixels like those at hand, dist bytes back.
type found struct {
	n     int16
	in    int16 // the run that the stretch ends in
	price int32 // of the distance, in 16ths of a bit
	dist  int32
}

func (p *past) reset(s *sheet) {
	clear(p.latest[:])
	p.reach = window / (s.scale * s.stride())
	p.upCode, _ = distCode(s.stride())
}

// search finds for each run of the row the longest earlier stretch of the same
// pixels, and remembers the row. Stretches are looked up by the run and the
// colour behind it.
func (p *past) search(s *sheet, w *row, far *[maxGrid]found) {
	least := uint32(max(0, w.y-p.reach))<<8 + 1
	start := w.start[:w.count+1]
	upto := w.upto[:len(start)]
	x, from := int(start[0]), 0
	for j := range w.count - 1 {
		end := int(start[j+1])
		sign := (uint32(w.pixels[x])<<16 | uint32(w.pixels[end])<<8 | uint32(end-x)) * 2654435761 >> (32 - signBits)
		seen := &p.latest[sign]
		far[j].n = 0
		if seen[0] >= least && j >= from && int(upto[j])-x < enough {
			p.longest(s, w, x, seen, least, &far[j])
			if far[j].n >= settled {
				from = int(far[j].in)
			}
		}
		seen[0], seen[1] = uint32(w.y<<8|x)+1, seen[0]
		x = end
	}
	far[w.count-1].n = 0
}

// longest compares the pixels from x on with those at the places seen.
func (p *past) longest(s *sheet, w *row, x int, seen *[2]uint32, least uint32, f *found) {
	want := w.pixels[x:]
	first := binary.LittleEndian.Uint64(want)
	at := int(seen[0] - 1)
	n := same(first, want, s.pixels[at>>8*s.grid+at&255:], s.grid-max(x, at&255))
	if seen[1] >= least && n < enough {
		other := int(seen[1] - 1)
		if m := same(first, want, s.pixels[other>>8*s.grid+other&255:], s.grid-max(x, other&255)); m > n {
			at, n = other, m
		}
	}
	if n < 2 || n*s.scale < 3 {
		return
	}
	dist := (x - at&255) * s.scale
	if up := w.y - at>>8; up > 0 { // the last of the rows that it was sent as is the nearest
		dist += (up*s.scale - s.scale + 1) * s.stride()
	}
	if dist > window {
		return
	}
	code, extra := distCode(dist)
	*f = found{int16(n), w.runAt(x + n), priceFar + 16*int32(extra), int32(dist)}
	if code == p.upCode {
		f.price = priceUp
	}
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
