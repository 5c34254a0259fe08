package art

import "math/bits"

// A deflater compresses one kind of data only: a picture of palette places,
// each pixel scale bytes wide and each row sent scale times. It never sees the
// scaled bytes. It parses the small grid, run by run, knowing that a run is a
// literal repeated and that the rows sent again are copies from one row back,
// and writes the deflate stream that a general compressor would have to find in
// an image scale×scale times as large. Its fields are working space.
type deflater struct {
	tokens []uint32 // literals, and matches as isMatch | length<<16 | distance-1
	lit    [286]uint32
	dist   [30]uint32
	zeros  uint32 // filter bytes sent as literals
	sent   int    // bytes that the tokens stand for

	price [256]int32 // of a literal, in 16ths of a bit
	row   row
	past  past

	coder    coder
	lengths  [286 + 30]uint8
	litCode  [257]uint32
	lenCode  [29]uint32
	distCode [30]uint32
	runs     []uint16
}

const (
	isMatch   = 1 << 31
	filterRow = 256 // the token of a filter byte, which is a literal 0 in any palette
	endBlock  = 256 // deflate's own symbol
	maxMatch  = 258
	window    = 32768
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

// parse turns the picture into tokens.
func (d *deflater) parse(s *sheet) {
	d.tokens, d.zeros, d.sent = d.tokens[:0], 0, 0
	d.lit, d.dist = [286]uint32{}, [30]uint32{}
	d.setPrices(s)
	d.past.reset(s)
	d.literal(filterRow)
	up := 0 // bytes that go on as they stand one row above, not yet written
	for y := range s.grid {
		if y > 0 {
			up++ // the filter byte
		}
		d.row.split(s, y)
		d.past.search(s, &d.row)
		d.row.choose(&d.price)
		up = d.write(s, up)
		up += (s.scale - 1) * s.stride()
	}
	d.flush(s, up)
	d.lit[endBlock]++
}

// setPrices guesses what a literal will cost from how often it starts a run.
func (d *deflater) setPrices(s *sheet) {
	var starts [256]uint32
	total, last := uint32(1), 0
	for _, c := range s.pixels[:s.grid*s.grid] {
		diff := last ^ int(c)
		last = int(c)
		n := uint32(-diff) >> 31 // 1 if the colour changed, without a branch
		starts[c] += n
		total += n
	}
	all := log2(total)
	for i, n := range starts {
		d.price[i] = all - log2(n+1) + 16
	}
}

// log2 returns the binary logarithm of a positive number in 16ths, nearly.
func log2(n uint32) int32 {
	top := 31 - bits.LeadingZeros32(n)
	return int32(top)<<4 + int32(uint64(n)<<4>>top&15)
}

// write emits the planned steps of the row. up bytes of the row above are still
// open when it is called, and when it returns.
func (d *deflater) write(s *sheet, up int) int {
	r := &d.row
	for j := 0; j < r.count; {
		p := r.plan[j]
		x := int(r.start[j])
		next := int(r.start[p.next])
		if p.kind == stepUp {
			up += (int(p.end) - x) * s.scale
		} else {
			d.flush(s, up)
			up = 0
		}
		c := uint32(r.pixels[x])
		switch p.kind {
		case stepLiteral:
			d.literal(c)
			d.repeat(c, (next-x)*s.scale-1)
		case stepFar:
			d.copy(s, (int(p.end)-x)*s.scale, int(r.far[j].dist))
		}
		if rest := next - int(p.end); rest > 0 {
			d.flush(s, up)
			up = 0
			d.repeat(uint32(r.pixels[p.end]), rest*s.scale)
		}
		j = int(p.next)
	}
	return up
}

// flush writes the next n bytes as a copy of those one row above.
func (d *deflater) flush(s *sheet, n int) { d.copy(s, n, s.stride()) }

// copy writes the next n bytes as a copy of those dist back.
func (d *deflater) copy(s *sheet, n, dist int) {
	if n >= 3 {
		d.match(n, dist)
		return
	}
	stride := s.stride()
	for range n { // too short for a match, which happens only when scale is 1 or 2
		y, x := d.sent/stride/s.scale, d.sent%stride-1
		if x < 0 {
			d.literal(filterRow)
			continue
		}
		d.literal(uint32(s.pixels[y*s.grid+x/s.scale]))
	}
}

func (d *deflater) literal(c uint32) {
	d.tokens = append(d.tokens, c)
	d.sent++
	if c == filterRow {
		d.zeros++
		return
	}
	d.lit[c]++
}

// repeat writes n more of the byte before.
func (d *deflater) repeat(c uint32, n int) {
	if n < 3 {
		for range n {
			d.literal(c)
		}
		return
	}
	d.match(n, 1)
}

// match copies n bytes, at least 3, from dist back.
func (d *deflater) match(n, dist int) {
	dc, _ := distCode(dist)
	d.sent += n
	for n > 0 {
		l := min(n, maxMatch)
		if rest := n - l; rest > 0 && rest < 3 {
			l -= 3
		}
		d.tokens = append(d.tokens, isMatch|uint32(l)<<16|uint32(dist-1))
		d.lit[257+uint32(lengthCode[l])]++
		d.dist[dc]++
		n -= l
	}
}
