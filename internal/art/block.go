package art

import "math/bits"

// lengthCode is deflate's symbol for each match length, less 257.
var lengthCode = func() (t [maxMatch + 1]uint8) {
	for c := range lengthBase {
		for l := int(lengthBase[c]); l <= maxMatch; l++ {
			t[l] = uint8(c)
		}
	}
	return t
}()

var lengthBase = [29]uint16{
	3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31,
	35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
}

var lengthExtra = [29]uint8{
	0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
}

// distCode returns deflate's symbol for a distance, and how many further bits
// say which distance of that symbol it is: the low ones of the distance less 1.
func distCode(dist int) (code, extra uint32) {
	d := uint32(dist - 1)
	if d < 4 {
		return d, 0
	}
	extra = uint32(bits.Len32(d)) - 2
	return 2*extra + 2 + d>>extra&1, extra
}

// A bitWriter appends bits to bytes, lowest first.
type bitWriter struct {
	out  []byte
	bits uint64
	n    uint
}

// put appends n bits, at most 32. Fewer than 32 are held back.
func (w *bitWriter) put(v uint32, n uint) {
	w.bits |= uint64(v) << w.n
	w.n += n
	if w.n >= 32 {
		b := w.bits
		w.out = append(w.out, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
		w.bits >>= 32
		w.n -= 32
	}
}

// end fills the last byte with zeros.
func (w *bitWriter) end() []byte {
	for w.n > 0 {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
		w.n -= min(w.n, 8)
	}
	return w.out
}

// block appends the tokens as one deflate block with codes of its own. place
// is where each of the picture's colours ends up in the palette.
func (d *deflater) block(dst []byte, place *[256]uint8, colours int) []byte {
	var counts [286]uint32
	copy(counts[256:], d.lit[256:])
	for c := range colours {
		counts[place[c]] = d.lit[c]
	}
	counts[0] += d.zeros
	two(d.dist[:])
	d.coder.lengths(counts[:], 15, d.lengths[:286])
	d.coder.lengths(d.dist[:], 15, d.lengths[286:])

	w := bitWriter{out: dst}
	w.put(1|2<<1, 3) // the last block, with dynamic codes
	d.header(&w)

	var lit [286]uint32
	codes(d.lengths[:286], lit[:])
	codes(d.lengths[286:], d.distCode[:])
	for c := range colours {
		d.litCode[c] = lit[place[c]]
	}
	d.litCode[filterRow] = lit[0]
	copy(d.lenCode[:], lit[257:])
	d.body(&w)
	w.put(lit[endBlock]>>4, uint(lit[endBlock]&15))
	return w.end()
}

// two makes sure that at least two symbols have a code, as decoders expect.
func two(counts []uint32) {
	for s := 0; s < 2; s++ {
		if counts[s] == 0 {
			counts[s] = 1
		}
	}
}

func (d *deflater) body(w *bitWriter) {
	for _, t := range d.tokens {
		if t&isMatch == 0 {
			c := d.litCode[t]
			w.put(c>>4, uint(c&15))
			continue
		}
		n, dist := t>>16&511, t&0x7fff
		lc := lengthCode[n]
		c := d.lenCode[lc]
		e := uint(lengthExtra[lc])
		w.put(c>>4|(n-uint32(lengthBase[lc]))<<(c&15), uint(c&15)+e)
		dc, extra := distCode(int(dist) + 1)
		c = d.distCode[dc]
		w.put(c>>4|dist&(1<<extra-1)<<(c&15), uint(c&15+extra))
	}
}

// codeOrder is the order in which deflate sends the lengths of length codes.
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// header sends the lengths of both codes, themselves run-length and Huffman
// coded.
func (d *deflater) header(w *bitWriter) {
	nlit, ndist := 286, 30
	for ; nlit > 257 && d.lengths[nlit-1] == 0; nlit-- {
	}
	for ; ndist > 1 && d.lengths[286+ndist-1] == 0; ndist-- {
	}
	d.runs = shorten(d.runs[:0], d.lengths[:nlit])
	d.runs = shorten(d.runs, d.lengths[286:286+ndist])
	var counts [19]uint32
	for _, r := range d.runs {
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
	w.put(uint32(nlit-257), 5)
	w.put(uint32(ndist-1), 5)
	w.put(uint32(n-4), 4)
	for _, s := range codeOrder[:n] {
		w.put(uint32(lengths[s]), 3)
	}
	for _, r := range d.runs {
		c := code[r&31]
		w.put(c>>4, uint(c&15))
		switch r & 31 {
		case 16:
			w.put(uint32(r>>5), 2)
		case 17:
			w.put(uint32(r>>5), 3)
		case 18:
			w.put(uint32(r>>5), 7)
		}
	}
}

// shorten appends code lengths as deflate's symbols for them: the length, or
// 16, 17 and 18 for runs, with the run's length above the lowest five bits.
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
