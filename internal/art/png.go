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
	d.deflate.parse(&sheet{d.pixels, p.grid, scale})
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
	dst = binary.BigEndian.AppendUint32(dst, checksum(d.pixels, &d.place, p.grid, scale))
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
// included, from the sums over its rows: scaling only multiplies them.
func checksum(pixels []uint8, place *[256]uint8, grid, scale int) uint32 {
	const mod = 65521
	s := uint64(scale)
	stride := uint64(grid)*s + 1
	total := uint64(grid) * s * stride
	a, b := uint64(1), total
	for y := range uint64(grid) {
		var sum, moment uint64
		for x, c := range pixels[int(y)*grid : int(y+1)*grid] {
			v := uint64(place[c])
			sum += v
			moment += v * uint64(x)
		}
		a += s * s * sum
		// A byte counts once for itself and each byte behind it. The byte at x, k
		// of the row sent as r-th has total - (y·s+r)·stride - 1 - x·s - k.
		rows := s*(total-1-y*s*stride) - stride*(s*(s-1)/2)
		b += sum*(s*rows-s*(s*(s-1)/2)) - s*s*s*moment
		a, b = a%mod, b%mod
	}
	return uint32(b<<16 | a)
}
