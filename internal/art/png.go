package art

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

const (
	pngSignature = "\x89PNG\r\n\x1a\n"
	typePalette  = 3
	typeRGBA     = 6
)

// textChunks are the chunks that say whose picture it is, and under which terms.
func textChunks(licence string) []byte {
	b := chunk(nil, "tEXt", []byte("Copyright\x00"+licence))
	return chunk(b, "tEXt", []byte("Software\x00petsupply"))
}

// chunk appends a PNG chunk.
func chunk(dst []byte, kind string, data []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(data)))
	start := len(dst)
	dst = append(dst, kind...)
	dst = append(dst, data...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
}

// open begins a chunk whose length is not known yet; close ends it.
func openChunk(dst []byte, kind string) []byte {
	dst = append(dst, 0, 0, 0, 0)
	return append(dst, kind...)
}

func closeChunk(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-8))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+4:]))
}

// encode appends the picture on the desk as a PNG: with a palette if 256
// colours are enough, else as RGBA.
func (p *Pack) encode(d *desk, dst []byte, scale int) []byte {
	if !p.reduce(d) {
		return p.encodeRGBA(d, dst, scale)
	}
	s := &sheet{d.pixels, p.grid, scale}
	d.deflate.parse(s)
	clearAt := d.order()

	dst = p.begin(dst, scale, typePalette)
	start := len(dst)
	dst = openChunk(dst, "PLTE")
	for _, c := range d.sorted {
		rgb := d.palette[c]
		dst = append(dst, byte(rgb>>24), byte(rgb>>16), byte(rgb>>8))
	}
	dst = closeChunk(dst, start)
	if clearAt > 0 {
		start = len(dst)
		dst = openChunk(dst, "tRNS")
		for _, c := range d.sorted[:clearAt] {
			dst = append(dst, byte(d.palette[c]))
		}
		dst = closeChunk(dst, start)
	}
	start = len(dst)
	dst = openChunk(dst, "IDAT")
	dst = append(dst, 0x78, 0xda)
	dst = d.deflate.block(dst, &d.place, len(d.palette))
	dst = binary.BigEndian.AppendUint32(dst, checksum(d.deflate.rows, &d.place, s))
	dst = closeChunk(dst, start)
	return chunk(dst, "IEND", nil)
}

// begin appends everything before the pixels.
func (p *Pack) begin(dst []byte, scale, kind int) []byte {
	dst = append(dst, pngSignature...)
	start := len(dst)
	dst = openChunk(dst, "IHDR")
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.grid*scale))
	dst = binary.BigEndian.AppendUint32(dst, uint32(p.grid*scale))
	dst = append(dst, 8, byte(kind), 0, 0, 0)
	dst = closeChunk(dst, start)
	return append(dst, p.text...)
}

// order sorts the picture's palette: colours that are not opaque first, so that
// tRNS is short, then by how often they are sent, which makes the code lengths
// before the pixels short to write. It returns how many are not opaque.
func (d *desk) order() int {
	d.keys = d.keys[:0]
	clear := 0
	for i, c := range d.palette {
		k := uint64(min(d.deflate.lit[i], 1<<20))<<16 | uint64(255-i)<<8
		if c.alpha() < 255 {
			k |= 1 << 40
			clear++
		}
		d.keys = append(d.keys, k)
	}
	slices.Sort(d.keys)
	slices.Reverse(d.keys)
	d.sorted = d.sorted[:0]
	for at, k := range d.keys {
		i := 255 - uint8(k>>8)
		d.sorted = append(d.sorted, i)
		d.place[i] = uint8(at)
	}
	return clear
}

// checksum returns the Adler-32 sum of the scaled picture, filter bytes
// included, from sums over the runs of its small rows: scaling only multiplies
// them.
func checksum(rows []row, place *[256]uint8, s *sheet) uint32 {
	const mod = 65521
	scale, stride := uint64(s.scale), uint64(s.stride())
	total := uint64(s.grid) * scale * stride
	a, b := uint64(1), total
	for y := range s.grid {
		w := &rows[y]
		var sum, moment uint64 // of the values, and of the values times twice their x
		x := uint64(0)
		for _, e := range w.start[1 : w.count+1] {
			end := uint64(e)
			v := uint64(place[w.pixels[x]]) * (end - x)
			sum += v
			moment += v * (end + x - 1)
			x = end
		}
		a += scale * scale * sum
		// A byte counts once for itself and each byte behind it: the byte at x, k
		// of the row sent as r-th is total - (y·scale+r)·stride - 1 - x·scale - k
		// from the end.
		pairs := scale * (scale - 1) / 2
		rows := scale*(total-1-uint64(y)*scale*stride) - stride*pairs
		b += sum*(scale*rows-scale*pairs) - scale*scale*scale*(moment/2)
		a, b = a%mod, b%mod
	}
	return uint32(b<<16 | a)
}
