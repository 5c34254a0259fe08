package gridpng

// A deflater compresses a scaled picture: each palette index is scale bytes wide, and each row is
// repeated scale times. It never makes the scaled bytes. It parses the small grid, writes a run as
// a repeated literal, and repeats a row as a copy of the previous one. A general compressor would
// have to find these repetitions in an image scale×scale times as large. The fields are working
// space.
type deflater struct {
	tokens []uint64    // a literal, a match, or both: see codeAt
	lit    [286]uint32 // how often each literal (by its index in Picture.Palette) and length symbol is used
	dist   [30]uint32  // how often each distance symbol is used
	zeros  uint32      // number of filter bytes sent as literals
	sent   int         // uncompressed bytes that the tokens encode

	rows    []row
	space   []row // memory for rows
	matcher matcher

	scale, stride int                 // length and matcher were computed for these
	length        [byteSize + 1]int32 // price of a match, by its length in pixels

	coder    coder
	lengths  [286 + 30]uint8
	litCode  [512]part // indexed by filterRow, by noLiteral, or by an index into Picture.Palette
	lenCode  [512]part // by length
	distCode [32]part
	header   []uint16
}

// A token is a literal followed by a match, packed into 64 bits. Either may be missing.
const (
	codeAt    = 16 // lowest bit of the distance's symbol; the bits below are the distance minus 1
	lengthAt  = 24 // lowest bit of the match's length
	literalAt = 40
	moreAt    = 49 // lowest bit of the number of repetitions; only matches are repeated

	// filterRow is the literal for a filter byte, which becomes 0 in the PNG. The literal 0 is the
	// first colour of Picture.Palette, which may become another byte.
	filterRow = 256
	noLiteral = 257
	noDist    = 30 // the distance's symbol when there is no match

	manyMore = 32 // fewer repetitions than this are written as single tokens
	mostMore = 1<<15 - 1

	endBlock = 256 // deflate's symbol for the end of a block; filterRow is not a symbol of deflate
	maxMatch = 258
	window   = 32768
)

// reset prepares d for the next picture.
func (d *deflater) reset(b *bitmap) {
	d.tokens, d.zeros, d.sent = d.tokens[:0], 0, 0
	d.lit, d.dist = [286]uint32{}, [30]uint32{}
	clear(d.matcher.latest[:])
	if d.scale != b.scale || d.stride != b.stride() {
		d.scale, d.stride = b.scale, b.stride()
		d.matcher.measure(b)
		for n := range d.length {
			d.length[n] = lengthPrice[lengthCode[min(n*b.scale, maxMatch)]]
		}
		d.length[0] = 1 << 20 // so that a step without progress is never chosen
	}
}

// flush writes the next n bytes as a copy of the row above.
func (d *deflater) flush(b *bitmap, n int) {
	if n > 0 {
		d.copy(b, n, d.stride)
	}
}

// copy writes the next n bytes as a copy of the n bytes that begin dist bytes earlier.
func (d *deflater) copy(b *bitmap, n, dist int) {
	if n >= 3 {
		d.match(n, dist)
		return
	}
	stride := d.stride
	for range n { // too short for a match, which happens only at scales 1 and 2
		y, x := d.sent/stride/b.scale, d.sent%stride-1
		if x < 0 {
			d.literal(filterRow)
			continue
		}
		d.literal(uint32(b.pixels[y*b.width+x/b.scale]))
	}
}

func (d *deflater) literal(c uint32) {
	d.tokens = append(d.tokens, uint64(c)<<literalAt|noDist<<codeAt)
	d.sent++
	if c == filterRow {
		d.zeros++
		return
	}
	d.lit[c]++
}

// run writes a byte n times.
func (d *deflater) run(c uint32, n int) {
	n--
	if n < 3 || n > maxMatch {
		d.literal(c)
		d.repeat(c, n)
		return
	}
	d.tokens = append(d.tokens, uint64(c)<<literalAt|uint64(n)<<lengthAt)
	d.sent += 1 + n
	d.lit[c]++
	d.lit[257+uint32(lengthCode[n])]++
	d.dist[0]++
}

// repeat writes the previous byte n more times.
func (d *deflater) repeat(c uint32, n int) {
	if n < 3 {
		for range n {
			d.literal(c)
		}
		return
	}
	d.match(n, 1)
}

// match writes a copy of n bytes, at least 3, from dist bytes back.
func (d *deflater) match(n, dist int) {
	code, _ := distCode(dist)
	token := noLiteral<<literalAt | uint64(code)<<codeAt | uint64(dist-1)
	d.sent += n
	if more := n/maxMatch - 2; more >= manyMore { // a very long copy, as of repeated scaled rows
		more = min(more, mostMore)
		d.tokens = append(d.tokens, token|maxMatch<<lengthAt|uint64(more)<<moreAt)
		d.lit[257+uint32(lengthCode[maxMatch])] += uint32(more) + 1
		d.dist[code] += uint32(more) + 1
		n -= (more + 1) * maxMatch
	}
	for n > 0 {
		l := min(n, maxMatch)
		if rest := n - l; rest > 0 && rest < 3 {
			l -= 3
		}
		d.tokens = append(d.tokens, token|uint64(l)<<lengthAt)
		d.lit[257+uint32(lengthCode[l])]++
		d.dist[code]++
		n -= l
	}
}
