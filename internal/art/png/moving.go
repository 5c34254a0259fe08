package png

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"slices"
)

// A Moving is a picture that moves. Pixels is its first frame.
type Moving struct {
	Picture
	Frames [][]uint8 // the frames after Pixels, each of the same size
	Delays []int     // milliseconds that each frame is shown, including the first
}

// A change is the part of a frame that differs from the frame before it.
type change struct {
	box    image.Rectangle
	before []uint8 // the frame before it; nil for the first
	frame  []uint8
	clear  bool // a pixel that differs is not opaque
	delay  int
}

// changes returns the changes that the file needs. A frame that equals the previous one only
// lengthens the previous delay.
func (m *Moving) changes() []change {
	if len(m.Delays) != len(m.Frames)+1 {
		panic(fmt.Sprintf("png: %d delays for %d frames", len(m.Delays), len(m.Frames)+1))
	}
	list := []change{{box: image.Rect(0, 0, m.Size, m.Size), frame: m.Pixels, delay: m.Delays[0]}}
	for i, frame := range m.Frames {
		last := &list[len(list)-1]
		if slices.Equal(last.frame, frame) {
			last.delay += m.Delays[i+1]
			continue
		}
		c := m.compare(last.frame, frame)
		c.delay = m.Delays[i+1]
		list = append(list, c)
	}
	return list
}

// compare finds the box in which a frame differs from the one before it.
func (m *Moving) compare(before, frame []uint8) change {
	c := change{before: before, frame: frame}
	for y := range m.Size {
		for x := range m.Size {
			i := y*m.Size + x
			if before[i] != frame[i] {
				c.box = c.box.Union(image.Rect(x, y, x+1, y+1))
				c.clear = c.clear || m.Palette[frame[i]].A < 255
			}
		}
	}
	return c
}

// cutOut puts the pixels in the box of a change into e.cut. If blank is not negative, it is the
// index of the transparent colour, which stands for each pixel that does not change.
func (e *Encoder) cutOut(c change, size, blank int) {
	e.cut = e.cut[:0]
	for y := c.box.Min.Y; y < c.box.Max.Y; y++ {
		for x := c.box.Min.X; x < c.box.Max.X; x++ {
			i := y*size + x
			index := c.frame[i]
			if blank >= 0 && index == c.before[i] {
				index = uint8(blank)
			}
			e.cut = append(e.cut, index)
		}
	}
}

// AppendMoving appends the picture as an APNG: one palette, and for each frame the part that
// differs from the frame before it. A program that knows only PNG shows the first frame. The
// movement repeats forever.
func (e *Encoder) AppendMoving(dst []byte, m Moving) []byte {
	list := m.changes()
	if len(list) == 1 {
		return e.Append(dst, m.Picture)
	}
	blank := slices.IndexFunc(m.Palette, func(c color.NRGBA) bool { return c.A == 0 })
	dst = m.appendHeader(dst)
	dst = appendChunk(dst, "acTL", binary.BigEndian.AppendUint64(nil, uint64(len(list))<<32)) // 0 plays means forever
	dst = m.appendPalette(dst)
	sequence := uint32(0)
	for i, c := range list {
		keep := blank
		if i == 0 || c.clear {
			keep = -1
		}
		dst = appendControl(dst, sequence, c, m.Scale, keep >= 0)
		sequence++
		if i == 0 {
			dst = appendChunk(dst, "IDAT", e.pixels(m.Picture))
			continue
		}
		e.cutOut(c, m.Size, keep)
		number := binary.BigEndian.AppendUint32(nil, sequence)
		dst = appendChunk(dst, "fdAT", number, e.indices(e.cut, c.box.Dx(), m.Scale))
		sequence++
	}
	return appendChunk(dst, "IEND", nil)
}

// appendControl appends the chunk before a frame: its place, its delay, and whether it is drawn
// over the pixels below or replaces them.
func appendControl(dst []byte, sequence uint32, c change, scale int, over bool) []byte {
	var data [26]byte
	binary.BigEndian.PutUint32(data[:], sequence)
	for i, v := range []int{c.box.Dx(), c.box.Dy(), c.box.Min.X, c.box.Min.Y} {
		binary.BigEndian.PutUint32(data[4+4*i:], uint32(v*scale))
	}
	binary.BigEndian.PutUint16(data[20:], uint16(c.delay))
	binary.BigEndian.PutUint16(data[22:], 1000)
	if over {
		data[25] = 1
	}
	return appendChunk(dst, "fcTL", data[:])
}
