package art

import (
	"bytes"
	"encoding/binary"

	"github.com/klauspost/compress/zlib"
)

// A rawDeflater compresses pictures that a palette cannot hold. Its fields are
// working space.
type rawDeflater struct {
	row []byte
	buf bytes.Buffer
	z   *zlib.Writer
}

const (
	filterSub = 1
	filterUp  = 2
)

// encodeRGBA appends the picture on the desk with four bytes a pixel. Rows sent
// again are differences from the row above, which are all 0.
func (p *Pack) encodeRGBA(d *desk, dst []byte, scale int) []byte {
	r := &d.raw
	r.buf.Reset()
	if r.z == nil {
		r.z, _ = zlib.NewWriterLevel(&r.buf, 5) // the level is a valid one
	}
	r.z.Reset(&r.buf)
	for y := range p.grid {
		r.first(p, d, y, scale)
		r.z.Write(r.row) // to memory, which does not fail
		clear(r.row)
		r.row[0] = filterUp
		for range scale - 1 {
			r.z.Write(r.row)
		}
	}
	r.z.Close()
	dst = p.begin(dst, scale, typeRGBA)
	dst = chunk(dst, "IDAT", r.buf.Bytes())
	return chunk(dst, "IEND", nil)
}

// first fills row with the pixels of a grid row as differences from the pixel
// to the left.
func (r *rawDeflater) first(p *Pack, d *desk, y, scale int) {
	r.row = append(r.row[:0], filterSub)
	last := rgba(0)
	for x := range p.grid {
		c := p.at(d, y*p.grid+x)
		diff := rgba(byte(c>>24)-byte(last>>24))<<24 | rgba(byte(c>>16)-byte(last>>16))<<16 |
			rgba(byte(c>>8)-byte(last>>8))<<8 | rgba(byte(c)-byte(last))
		last = c
		r.row = binary.BigEndian.AppendUint32(r.row, uint32(diff))
		for range scale - 1 {
			r.row = append(r.row, 0, 0, 0, 0)
		}
	}
}

// at returns the colour of a composed pixel.
func (p *Pack) at(d *desk, i int) rgba {
	if p.soft {
		return d.colour[i]
	}
	return p.colours[d.index[i]]
}
