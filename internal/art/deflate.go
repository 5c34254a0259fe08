package art

import "math/bits"

// A deflater compresses one kind of data only: a picture of palette places,
// each pixel scale bytes wide and each row sent scale times. It never sees the
// scaled bytes. It parses the small grid, run by run, knowing that a run is a
// literal repeated and that the rows sent again are copies from one row back,
// and writes the deflate stream that a general compressor would have to find in
// an image scale×scale times as large. Its fields are working space.
type deflater struct {
	tokens []uint32 // literals and matches, see isMatch
	lit    [286]uint32
	dist   [30]uint32
	zeros  uint32 // filter bytes sent as literals
	sent   int    // bytes that the tokens stand for

	price [256]int32 // of a literal, in 16ths of a bit
	runs  runs
	plan  plan
	past  past

	coder    coder
	lengths  [286 + 30]uint8
	litCode  [257]uint32
	lenCode  [maxMatch + 1]part // by length
	distCode [30]part
	header   []uint16
}

const (
	isMatch   = 1 << 31
	lengthAt  = 16  // of a match's length in its token; the distance less 1 is below it
	codeAt    = 25  // of the distance's symbol
	filterRow = 256 // the token of a filter byte, which is a literal 0 in any palette
	endBlock  = 256 // deflate's own symbol
	maxMatch  = 258
	window    = 32768
)

// parse turns the picture into tokens.
func (d *deflater) parse(s *sheet) {
	d.tokens, d.zeros, d.sent = d.tokens[:0], 0, 0
	d.lit, d.dist = [286]uint32{}, [30]uint32{}
	starts := d.runs.split(s)
	d.setPrices(&starts)
	d.plan.reset(s.scale)
	d.past.reset(s)
	d.literal(filterRow)
	up := 0 // bytes that go on as they stand one row above, not yet written
	for y := range s.grid {
		w := &d.runs.rows[y]
		if y > 0 {
			up++ // the filter byte
		}
		d.past.search(s, w, &d.plan.far)
		d.plan.choose(w, &d.price)
		up = d.write(s, w, up)
		up += (s.scale - 1) * s.stride()
	}
	d.flush(s, up)
	d.lit[endBlock]++
}

// setPrices guesses what a literal will cost from how often it starts a run.
func (d *deflater) setPrices(starts *[256]uint32) {
	total := uint32(1)
	for _, n := range starts {
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
func (d *deflater) write(s *sheet, w *row, up int) int {
	scale := s.scale
	for j := 0; j < w.count; {
		p := &d.plan.steps[j]
		x, next := int(w.start[j]), int(w.start[p.next])
		switch p.kind {
		case stepUp:
			up += (int(p.end) - x) * scale
		case stepLiteral:
			if up > 0 {
				d.flush(s, up)
				up = 0
			}
			c := uint32(w.pixels[x])
			d.literal(c)
			d.repeat(c, (next-x)*scale-1)
		case stepFar:
			if up > 0 {
				d.flush(s, up)
				up = 0
			}
			d.copy(s, (int(p.end)-x)*scale, int(d.plan.far[j].dist))
		}
		if rest := next - int(p.end); rest > 0 {
			d.flush(s, up)
			up = 0
			d.repeat(uint32(w.pixels[p.end]), rest*scale)
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
	code, _ := distCode(dist)
	d.sent += n
	token := isMatch | code<<codeAt | uint32(dist-1)
	for n > maxMatch {
		l := maxMatch
		if n-l < 3 {
			l -= 3
		}
		d.tokens = append(d.tokens, token|uint32(l)<<lengthAt)
		d.lit[257+uint32(lengthCode[l])]++
		d.dist[code]++
		n -= l
	}
	d.tokens = append(d.tokens, token|uint32(n)<<lengthAt)
	d.lit[257+uint32(lengthCode[n])]++
	d.dist[code]++
}
