package gridpng

import (
	"encoding/binary"
	"fmt"
	"image"
	"slices"
)

// A Moving is a picture that moves: Pixels are its first frame.
type Moving struct {
	Picture
	Frames [][]uint8 // those that follow, each like Pixels
	Delays []int     // milliseconds that each frame is shown, the first one's too
}

// A change is what is sent of a frame: the part that is not as it was before.
type change struct {
	frame int // 0 is the first, which is sent whole
	box   image.Rectangle
	clear bool // something that showed is gone
	delay int
}

// changes finds what is to be sent. A frame like the one before it lengthens
// that one's delay.
func (m *Moving) changes() []change {
	if len(m.Delays) != len(m.Frames)+1 {
		panic(fmt.Sprintf("gridpng: %d delays for %d frames", len(m.Delays), len(m.Frames)+1))
	}
	list := []change{{box: image.Rect(0, 0, m.Size, m.Size), delay: m.Delays[0]}}
	last := m.Pixels
	for i, frame := range m.Frames {
		c := m.compare(last, frame)
		if c.box.Empty() {
			list[len(list)-1].delay += m.Delays[i+1]
			continue
		}
		c.frame, c.delay = i+1, m.Delays[i+1]
		list, last = append(list, c), frame
	}
	return list
}

// compare finds the box in which two frames differ.
func (m *Moving) compare(a, b []uint8) (c change) {
	if len(a) != len(b) {
		panic("gridpng: frames of different sizes")
	}
	x0, y0, x1, y1 := m.Size, m.Size, 0, 0
	for y := range m.Size {
		p, q := a[y*m.Size:][:m.Size], b[y*m.Size:][:m.Size]
		if slices.Equal(p, q) {
			continue
		}
		for x := range p {
			if p[x] != q[x] {
				x0, x1, y0, y1 = min(x0, x), max(x1, x+1), min(y0, y), y+1
				c.clear = c.clear || m.Palette[q[x]].A < 255
			}
		}
	}
	if x1 > x0 {
		c.box = image.Rect(x0, y0, x1, y1)
	}
	return c
}

func (m *Moving) frame(i int) []uint8 {
	if i == 0 {
		return m.Pixels
	}
	return m.Frames[i-1]
}

// blank is the place of a fully transparent colour, or -1.
func (m *Moving) blank() int {
	for i, c := range m.Palette {
		if c.A == 0 {
			return i
		}
	}
	return -1
}

// cut puts a change's box of a frame into dst. With a blank, pixels that are as
// they were before are left out.
func (m *Moving) cut(dst []uint8, c change, before []uint8, blank int) []uint8 {
	frame := m.frame(c.frame)
	for y := c.box.Min.Y; y < c.box.Max.Y; y++ {
		for x := c.box.Min.X; x < c.box.Max.X; x++ {
			v := frame[y*m.Size+x]
			if blank >= 0 && before != nil && v == before[y*m.Size+x] {
				v = uint8(blank)
			}
			dst = append(dst, v)
		}
	}
	return dst
}

// AppendMoving appends the picture as an APNG: one palette, and each frame as
// what differs from the one before. A program that knows only PNG shows the
// first frame. The movement goes on for ever.
func (e *Encoder) AppendMoving(dst []byte, m Moving) []byte {
	m.check()
	list := m.changes()
	if len(list) == 1 {
		return e.Append(dst, m.Picture)
	}
	e.bitmap.set(m.Pixels, m.Size, m.Size, m.Scale)
	e.parse()
	transparent, blank := e.order(m.Palette), m.blank()
	dst = appendHeader(dst, m.Size*m.Scale, m.Size*m.Scale, typePalette, m.Text)
	dst = appendChunk(dst, "acTL", binary.BigEndian.AppendUint64(nil, uint64(len(list))<<32)) // and 0: for ever
	dst = e.appendPalette(dst, m.Palette, transparent)
	sequence := uint32(0)
	var before []uint8
	for i, c := range list {
		keep := blank
		if c.clear {
			keep = -1
		}
		if i > 0 {
			e.cut = m.cut(e.cut[:0], c, before, keep)
			e.bitmap.set(e.cut, c.box.Dx(), c.box.Dy(), m.Scale)
			e.parse()
		}
		dst = appendControl(dst, sequence, c, m.Scale, i > 0 && keep >= 0)
		sequence++
		start := len(dst)
		if i == 0 {
			dst = openChunk(dst, "IDAT")
		} else {
			dst = binary.BigEndian.AppendUint32(openChunk(dst, "fdAT"), sequence)
			sequence++
		}
		dst = closeChunk(e.appendStream(dst, len(m.Palette)), start)
		before = m.frame(c.frame)
	}
	return appendChunk(dst, "IEND", nil)
}

// appendControl appends the chunk before a frame: where it goes, for how long,
// and whether it is laid over what is there.
func appendControl(dst []byte, sequence uint32, c change, scale int, over bool) []byte {
	start := len(dst)
	dst = openChunk(dst, "fcTL")
	dst = binary.BigEndian.AppendUint32(dst, sequence)
	for _, v := range []int{c.box.Dx(), c.box.Dy(), c.box.Min.X, c.box.Min.Y} {
		dst = binary.BigEndian.AppendUint32(dst, uint32(v*scale))
	}
	dst = binary.BigEndian.AppendUint16(dst, uint16(c.delay))
	dst = binary.BigEndian.AppendUint16(dst, 1000)
	dst = append(dst, 0, 0) // what is there stays; the frame replaces it
	if over {
		dst[len(dst)-1] = 1
	}
	return closeChunk(dst, start)
}
