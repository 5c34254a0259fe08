package art

import (
	"encoding/binary"
	"math/bits"
)

// A sheet is a picture that is to be compressed.
type sheet struct {
	pixels []uint8 // grid×grid palette places, and slack bytes that do not count
	grid   int
	scale  int
}

// slack is how many bytes behind the pixels may be read.
const slack = 8

// stride is the length of a scaled row with its filter byte.
func (s *sheet) stride() int { return s.grid*s.scale + 1 }

// A row is one row of the grid, cut into runs of one colour.
type row struct {
	y      int
	pixels []uint8 // of this row, with all that follows
	count  int     // runs
	start  []int16 // of each run, and the row's width at the end
	upto   []int16 // from each run on, where the row stops being as the one above
	in     []int16 // the run that upto is in
	begins bitset  // the pixels that begin a run
}

// A bitset has a bit for each pixel of a row.
type bitset [maxGrid/64 + 1]uint64

// runs are the rows of a picture. The slices of a row are cut from the long
// ones here.
type runs struct {
	rows []row
	ends []int16
}

// split cuts the whole picture into runs. It returns how many runs begin with
// each palette place.
func (r *runs) split(s *sheet) (starts [256]uint32) {
	if len(r.rows) < s.grid {
		r.rows = make([]row, s.grid)
		r.ends = make([]int16, 3*(s.grid+1)*s.grid)
	}
	free := r.ends
	for y := range s.grid {
		w := &r.rows[y]
		var differ bitset
		w.y = y
		w.start = free[:s.grid+1]
		w.cut(s, &differ)
		for _, x := range w.start[:w.count] {
			starts[w.pixels[x]]++
		}
		n := w.count + 1
		w.start, w.upto, w.in, free = free[:n], free[n:2*n], free[2*n:3*n], free[3*n:]
		w.compare(&differ)
	}
	return starts
}

// cut finds where runs begin and which pixels are unlike those above, eight
// pixels at a time.
func (w *row) cut(s *sheet, differ *bitset) {
	at := w.y * s.grid
	w.pixels = s.pixels[at:]
	w.begins = bitset{}
	start := w.start
	start[0] = 0
	n := 1
	last := uint64(w.pixels[0])
	for x := 0; x < s.grid; x += 8 {
		here := binary.LittleEndian.Uint64(w.pixels[x:])
		keep := uint64(1)<<min(s.grid-x, 8) - 1
		diff := keep
		if w.y > 0 {
			diff = nonZero(here^binary.LittleEndian.Uint64(s.pixels[at+x-s.grid:])) & keep
		}
		differ[x>>6] |= diff << (x & 63)
		m := nonZero(here^(here<<8|last)) & keep
		w.begins[x>>6] |= m << (x & 63)
		last = here >> 56
		for ; m != 0; m &= m - 1 {
			start[n] = int16(x + bits.TrailingZeros64(m))
			n++
		}
	}
	w.begins[0] |= 1
	w.begins[s.grid>>6] |= 1 << (s.grid & 63) // what is behind the row counts as a run
	w.count = n
	start[n] = int16(s.grid)
}

// nonZero returns a bit for each byte of v that is not 0, the lowest first.
func nonZero(v uint64) uint64 {
	const low = 0x7f7f7f7f7f7f7f7f
	v = (v&low + low | v) &^ low
	return v >> 7 * 0x0102040810204080 >> 56 // each byte's bit moves to a place of its own in the top byte
}

// compare notes for each run how far the row goes on as the one above.
func (w *row) compare(differ *bitset) {
	start, upto, in := w.start, w.upto[:len(w.start)], w.in[:len(w.start)]
	end := int(start[w.count])
	to, at := int16(end), int16(w.count)
	for j := w.count - 1; j >= 0; j-- {
		x := int(start[j])
		word := x >> 6
		d := x + bits.TrailingZeros64(differ[word]>>(x&63))
		if d >= x+64 { // none in this word: look into those that follow
			for word++; word<<6 < end && differ[word] == 0; word++ {
			}
			d = word<<6 + bits.TrailingZeros64(differ[min(word, len(differ)-1)])
		}
		if d < end {
			to, at = int16(d), int16(j)
		}
		upto[j], in[j] = to, at
		end = x
	}
}

// runAt returns the run that pixel x is in.
func (w *row) runAt(x int) int {
	n := -1
	for i := range x >> 6 {
		n += bits.OnesCount64(w.begins[i])
	}
	return n + bits.OnesCount64(w.begins[x>>6]&(2<<(x&63)-1))
}
