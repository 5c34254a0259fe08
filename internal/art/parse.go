package art

import (
	"encoding/binary"
	"math/bits"
)

// A row is one row of the grid, cut into runs of one colour, with the cheapest
// way to write it.
type row struct {
	y      int
	scale  int
	pixels []uint8            // of this row
	count  int                // runs
	start  [maxGrid + 1]int16 // of each run, and the row's width at the end
	upto   [maxGrid]int16     // from each run on, where the row stops being as the one above
	in     [maxGrid]int16     // the run that upto is in
	far    [maxGrid]found
	cost   [maxGrid + 1]int32 // of the row from each run on, in 16ths of a bit
	plan   [maxGrid]step
}

// A step is one way to write a row from a run on: kind as far as pixel end,
// then the last pixel repeated as far as the run next.
type step struct {
	kind uint8
	end  int16
	next int16
}

const (
	stepLiteral = iota // the run as a literal, repeated
	stepUp             // as in the row above
	stepFar            // as at an earlier place
)

// Prices in 16ths of a bit, near what pictures of pixel art come to.
const (
	priceRepeat = 16     // of a distance of 1, besides the length
	priceUp     = 16 * 9 // of the distance of one row
	priceFar    = 16 * 6 // of any other distance, besides its extra bits
	priceGoOn   = 16     // of an up copy that the rows sent again run into
)

// lengthPrice is what a match's length costs, by deflate's symbol for it.
var lengthPrice = [29]int32{
	48, 72, 96, 96, 64, 64, 96, 96, 80, 96, 80, 96, 108, 112, 117, 125,
	136, 144, 144, 147, 160, 170, 178, 184, 211, 222, 229, 220, 48,
}

// priceOf returns the price of a match's length, given in pixels.
func (r *row) priceOf(n int16) int32 {
	return lengthPrice[lengthCode[min(int(n)*r.scale, maxMatch)]]
}

// split finds the row's runs, and how far each is as in the row above. Eight
// pixels are compared at a time.
func (r *row) split(s *sheet, y int) {
	r.y, r.scale = y, s.scale
	at := y * s.grid
	r.pixels = s.pixels[at : at+s.grid]
	var differ [maxGrid/64 + 1]uint64 // pixels unlike the one above
	r.start[0] = 0
	n := 1
	for x := 0; x < s.grid; x += 8 {
		here := binary.LittleEndian.Uint64(s.pixels[at+x:])
		keep := uint64(1)<<min(s.grid-x, 8) - 1
		if y > 0 {
			above := binary.LittleEndian.Uint64(s.pixels[at+x-s.grid:])
			differ[x>>6] |= (nonZero(here^above) & keep) << (x & 63)
		} else {
			differ[x>>6] |= keep << (x & 63)
		}
		before := here << 8
		if x > 0 {
			before |= uint64(s.pixels[at+x-1])
		} else {
			before |= here & 0xff
		}
		for m := nonZero(here^before) & keep; m != 0; m &= m - 1 {
			r.start[n] = int16(x + bits.TrailingZeros64(m))
			n++
		}
	}
	r.count = n
	r.start[n] = int16(s.grid)
	r.compare(&differ)
}

// nonZero returns a bit for each byte of v that is not 0, the lowest first.
func nonZero(v uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	v = (v&low + low | v) &^ low
	return v >> 7 * 0x0102040810204080 >> 56 // each byte's bit moves to a place of its own in the top byte
}

// compare notes for each run how far the row goes on as the one above.
func (r *row) compare(differ *[maxGrid/64 + 1]uint64) {
	upto, in := r.start[r.count], int16(r.count)
	for j := r.count - 1; j >= 0; j-- {
		x, end := int(r.start[j]), int(r.start[j+1])
		for x < end {
			if m := differ[x>>6] >> (x & 63); m != 0 {
				x += bits.TrailingZeros64(m)
				break
			}
			x = x&^63 + 64
		}
		if x < end {
			upto, in = int16(x), int16(j)
		}
		r.upto[j], r.in[j] = upto, in
	}
}

// choose finds the cheapest steps through the row, from its end backwards.
func (r *row) choose(price *[256]int32) {
	cost := &r.cost
	cost[r.count] = 0
	for j := r.count - 1; j >= 0; j-- {
		x, end := r.start[j], r.start[j+1]
		best := step{stepLiteral, end, int16(j + 1)}
		least := price[r.pixels[x]] + priceRepeat + r.priceOf(end-x) + cost[j+1]
		if upto := r.upto[j]; upto > x {
			s, c := r.reach(j, r.in[j], upto)
			if j == 0 || int(r.in[j]) == r.count {
				c += priceGoOn
			} else {
				c += priceUp + r.priceOf(s.end-x)
			}
			if c <= least {
				s.kind = stepUp
				best, least = s, c
			}
		}
		if f := r.far[j]; f.n > 0 {
			k := int16(j)
			for int(k) < r.count && r.start[k+1] <= x+f.n {
				k++
			}
			s, c := r.reach(j, k, x+f.n)
			if c += int32(f.price) + r.priceOf(s.end-x); c < least {
				s.kind = stepFar
				best, least = s, c
			}
		}
		cost[j], r.plan[j] = least, best
	}
}

// reach ends a copy from run j that can go as far as pixel end, within run k:
// at the run's start, or at end with the rest of the run repeated, whichever is
// cheaper.
func (r *row) reach(j int, k, end int16) (step, int32) {
	if int(k) < r.count && end > r.start[k] {
		part := priceRepeat + r.priceOf(r.start[k+1]-end) + r.cost[k+1]
		if int(k) == j || part < r.cost[k] {
			return step{end: end, next: k + 1}, part
		}
	}
	return step{end: r.start[k], next: k}, r.cost[k]
}
