package art

import (
	"encoding/binary"
	"math/bits"
)

// A past remembers where runs began, to find earlier stretches that are like
// the one at hand. Places are y<<8 | x, plus 1 so that 0 is none.
type past struct {
	head  [pastSize]uint32
	prev  []uint32 // by y<<8 | x: the place before it with the same sign
	touch []uint16 // signs of head that are set
	reach int      // rows that a distance can go back
}

const (
	pastBits  = 11
	pastSize  = 1 << pastBits
	pastDepth = 3
	pastUp    = 8 // no search where the row above serves that many pixels
)

// A found is a stretch of n pixels like those at hand, dist bytes back. price
// is that of the distance, in 16ths of a bit.
type found struct {
	n, price int16
	dist     int32
}

func (p *past) reset(s *sheet) {
	for _, h := range p.touch {
		p.head[h] = 0
	}
	p.touch = p.touch[:0]
	if n := s.grid << 8; len(p.prev) < n {
		p.prev = make([]uint32, n)
	}
	p.reach = window / (s.scale * s.stride())
}

// search finds for each run of the row the longest earlier stretch of the same
// pixels, and remembers the row. Stretches are looked up by the run and the
// colour behind it.
func (p *past) search(s *sheet, r *row) {
	y := r.y
	least := uint32(max(0, y-p.reach))<<8 + 1
	for j := range r.count - 1 {
		x, end := int(r.start[j]), int(r.start[j+1])
		sign := (uint32(r.pixels[x])<<16 | uint32(r.pixels[end])<<8 | uint32(end-x)) * 2654435761 >> (32 - pastBits)
		first := p.head[sign]
		r.far[j] = found{}
		if first == 0 {
			p.touch = append(p.touch, uint16(sign))
		} else if first >= least && int(r.upto[j])-x < pastUp {
			r.far[j] = p.longest(s, y, x, first, least)
		}
		here := uint32(y<<8 | x)
		p.prev[here] = first
		p.head[sign] = here + 1
	}
	r.far[r.count-1] = found{}
}

func (p *past) longest(s *sheet, y, x int, at, least uint32) found {
	want := s.pixels[y*s.grid+x:]
	width := s.grid - x
	var best found
	for range pastDepth {
		if at < least {
			break
		}
		ty, tx := int(at-1)>>8, int(at-1)&255
		n := same(want, s.pixels[ty*s.grid+tx:], min(width, s.grid-tx))
		if n > int(best.n) {
			dist := (x - tx) * s.scale
			if ty < y { // the last of the rows that ty is sent as is the nearest
				dist += ((y-ty)*s.scale - s.scale + 1) * s.stride()
			}
			if dist <= window {
				best = found{n: int16(n), dist: int32(dist)}
			}
		}
		at = p.prev[at-1]
	}
	if best.n < 2 || int(best.n)*s.scale < 3 {
		return found{}
	}
	code, extra := distCode(int(best.dist))
	best.price = int16(priceFar + 16*extra)
	if up, _ := distCode(s.stride()); code == up {
		best.price = priceUp
	}
	return best
}

// same returns how many of the first n pixels of a and b are the same. Both
// have slack behind them.
func same(a, b []uint8, n int) int {
	for i := 0; i < n; i += 8 {
		if v := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); v != 0 {
			return min(n, i+bits.TrailingZeros64(v)>>3)
		}
	}
	return n
}
