package gridpng

import (
	"encoding/binary"
	"slices"
)

// A bitWriter appends bits to bytes, lowest first.
type bitWriter struct {
	out  []byte
	bits uint64 // the last bits, which do not fill a byte yet
	n    uint   // number of bits in the field bits, fewer than 8
}

// put appends n bits, at most 56.
func (w *bitWriter) put(v uint64, n uint) {
	w.bits |= v << w.n
	w.n += n
	w.out = binary.LittleEndian.AppendUint64(w.out, w.bits)
	w.out = w.out[:len(w.out)-8+int(w.n>>3)]
	w.bits >>= w.n &^ 7
	w.n &= 7
}

// repeat appends the same n bits, at most 56, the given number of times. It writes up to 23
// repetitions one by one. It copies the others as bytes, because eight repetitions are n whole
// bytes.
func (w *bitWriter) repeat(v uint64, n uint, times int) {
	first := min(16+times%8, times)
	for range first {
		w.put(v, n)
	}
	left := (times - first) / 8 * int(n)
	w.out = slices.Grow(w.out, left)
	for period := int(n); left > 0; period *= 2 {
		k := min(period, left)
		w.out = append(w.out, w.out[len(w.out)-period:][:k]...)
		left -= k
	}
}

// end fills the last byte with zeros.
func (w *bitWriter) end() []byte {
	if w.n > 0 {
		w.out = append(w.out, byte(w.bits))
	}
	return w.out
}

// maxCode is the longest code in bits. Deflate allows 15. With 12, a whole token fits into 54 bits,
// and files are not larger.
const maxCode = 12

// block appends the tokens as one deflate block with its own codes. place maps each of the
// picture's colours to its index in the PNG's palette.
func (d *deflater) block(dst []byte, place *[256]uint8, colours int) []byte {
	var counts [286]uint32
	copy(counts[256:], d.lit[256:])
	for c := range colours {
		counts[place[c]] = d.lit[c]
	}
	counts[0] += d.zeros
	two(d.dist[:])
	d.coder.lengths(counts[:], maxCode, d.lengths[:286])
	d.coder.lengths(d.dist[:], maxCode, d.lengths[286:])

	w := bitWriter{out: dst}
	w.put(1|2<<1, 3) // the last block, with dynamic codes
	d.head(&w)

	var lit [286]uint32
	codes(d.lengths[:286], lit[:])
	for c := range colours {
		d.litCode[c] = partOf(lit[place[c]])
	}
	d.litCode[filterRow] = partOf(lit[0])
	d.matchCodes(lit[257:])
	d.body(&w)
	w.put(uint64(lit[endBlock]>>4), uint(lit[endBlock]&15))
	return w.end()
}

// A part is the Huffman code of a token's literal, length or distance. bits includes the extra bits
// of a length. extra is the number of extra bits that follow a distance. A missing part has no
// bits.
type part struct {
	bits  uint32
	n     uint8
	extra uint8
}

func partOf(code uint32) part { return part{code >> 4, uint8(code & 15), 0} }

// matchCodes prepares the parts for the lengths and distances of matches.
func (d *deflater) matchCodes(lengths []uint32) {
	for n := 3; n <= maxMatch; n++ {
		l := lengthCode[n]
		c := lengths[l]
		d.lenCode[n] = part{c>>4 | uint32(n-int(lengthBase[l]))<<(c&15), uint8(c&15) + lengthExtra[l], 0}
	}
	var dist [30]uint32
	codes(d.lengths[286:], dist[:])
	for i, c := range dist {
		d.distCode[i] = part{c >> 4, uint8(c & 15), uint8(max(i/2-1, 0))}
	}
}

// two makes sure that at least two symbols have a code, as decoders expect.
func two(counts []uint32) {
	for s := range 2 {
		counts[s] = max(counts[s], 1)
	}
}

// body writes the tokens. It writes all parts of a token without asking which are present, because
// a missing part has zero bits. After each token it moves whole bytes to the output, so that there
// is room for the next token.
func (d *deflater) body(w *bitWriter) {
	at := len(w.out)
	w.out = slices.Grow(w.out, 8*len(d.tokens)+8)
	out := w.out[:cap(w.out)]
	held, n := w.bits, w.n
	for i, t := range d.tokens {
		lit := &d.litCode[t>>literalAt&511]
		length := &d.lenCode[t>>lengthAt&511]
		dist := &d.distCode[t>>codeAt&31]
		v := t&(1<<(dist.extra&31)-1)<<(dist.n&63) | uint64(dist.bits)
		v = v<<(length.n&63) | uint64(length.bits)
		v = v<<(lit.n&63) | uint64(lit.bits)
		size := uint(lit.n + length.n + dist.n + dist.extra)
		if t>>moreAt > 0 {
			w.out, w.bits, w.n = out[:at], held, n
			w.repeat(v, size, int(t>>moreAt))
			at, held, n = len(w.out), w.bits, w.n
			w.out = slices.Grow(w.out, 8*(len(d.tokens)-i)+8)
			out = w.out[:cap(w.out)]
		}
		held |= v << (n & 63)
		n += size
		binary.LittleEndian.PutUint64(out[at:], held)
		at += int(n >> 3)
		held >>= n &^ 7 & 63
		n &= 7
	}
	w.out, w.bits, w.n = out[:at], held, n
}

// codeOrder is deflate's order for the lengths of the codes that encode code lengths.
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// head writes the code lengths of literals and distances, which are themselves run-length and
// Huffman coded.
func (d *deflater) head(w *bitWriter) {
	nlit, ndist := 286, 30
	for ; nlit > 257 && d.lengths[nlit-1] == 0; nlit-- {
	}
	for ; ndist > 1 && d.lengths[286+ndist-1] == 0; ndist-- {
	}
	d.header = shorten(d.header[:0], d.lengths[:nlit])
	d.header = shorten(d.header, d.lengths[286:286+ndist])
	var counts [19]uint32
	for _, r := range d.header {
		counts[r&31]++
	}
	two(counts[:])
	var lengths [19]uint8
	var code [19]uint32
	d.coder.lengths(counts[:], 7, lengths[:])
	codes(lengths[:], code[:])
	n := 19
	for ; n > 4 && lengths[codeOrder[n-1]] == 0; n-- {
	}
	w.put(uint64(nlit-257), 5)
	w.put(uint64(ndist-1), 5)
	w.put(uint64(n-4), 4)
	for _, s := range codeOrder[:n] {
		w.put(uint64(lengths[s]), 3)
	}
	for _, r := range d.header {
		c := code[r&31]
		w.put(uint64(c>>4), uint(c&15))
		switch r & 31 {
		case 16:
			w.put(uint64(r>>5), 2)
		case 17:
			w.put(uint64(r>>5), 3)
		case 18:
			w.put(uint64(r>>5), 7)
		}
	}
}

// shorten appends code lengths as deflate's symbols: the length itself, or 16, 17 and 18 for runs.
// The extra bits of 16, 17 and 18 are above the lowest five bits.
func shorten(dst []uint16, lengths []uint8) []uint16 {
	for i := 0; i < len(lengths); {
		l := lengths[i]
		n := 1
		for i+n < len(lengths) && lengths[i+n] == l {
			n++
		}
		i += n
		if l == 0 {
			for n >= 3 {
				k := min(n, 138)
				if k <= 10 {
					dst = append(dst, 17|uint16(k-3)<<5)
				} else {
					dst = append(dst, 18|uint16(k-11)<<5)
				}
				n -= k
			}
		} else {
			dst = append(dst, uint16(l))
			for n--; n >= 3; {
				k := min(n, 6)
				dst = append(dst, 16|uint16(k-3)<<5)
				n -= k
			}
		}
		for range n {
			dst = append(dst, uint16(l))
		}
	}
	return dst
}
