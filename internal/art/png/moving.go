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

// A change is the part of a frame that differs from the frame that it is drawn over.
type change struct {
	frame  []uint8
	under  []uint8 // the frame that it is drawn over; nil for the first frame
	box    image.Rectangle
	pixels int  // how many pixels differ
	clear  bool // one of these pixels is not opaque
	undone bool // a program that plays the picture removes it before the next frame
	delay  int
}

// changes returns the changes that the file needs. A frame that equals the previous one only
// lengthens the previous delay. A frame is drawn over the previous frame or, if that is more like
// it, over the frame below the previous one. Then the previous frame is undone. So the resting pose
// of a pet is seldom in the file twice.
func (m *Moving) changes() []change {
	if len(m.Delays) != len(m.Frames)+1 {
		panic(fmt.Sprintf("png: %d delays for %d frames", len(m.Delays), len(m.Frames)+1))
	}
	list := []change{{frame: m.Pixels, box: image.Rect(0, 0, m.Size, m.Size), delay: m.Delays[0]}}
	for i, frame := range m.Frames {
		last := &list[len(list)-1]
		if slices.Equal(last.frame, frame) {
			last.delay += m.Delays[i+1]
			continue
		}
		next := m.compare(last.frame, frame)
		if last.under != nil {
			below := m.compare(last.under, frame)
			if below.pixels < next.pixels {
				last.undone = true
				next = below
			}
		}
		next.delay = m.Delays[i+1]
		list = append(list, next)
	}
	return list
}

// compare finds the box in which a frame differs from the one that it is drawn over. A file cannot
// have an empty box, so the box has one pixel if nothing differs.
func (m *Moving) compare(under, frame []uint8) change {
	c := change{frame: frame, under: under}
	for i, index := range frame {
		if index != under[i] {
			x := i % m.Size
			y := i / m.Size
			c.box = c.box.Union(image.Rect(x, y, x+1, y+1))
			c.clear = c.clear || m.Palette[index].A < 255
			c.pixels++
		}
	}
	if c.pixels == 0 {
		c.box = image.Rect(0, 0, 1, 1)
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
			if blank >= 0 && index == c.under[i] {
				index = uint8(blank)
			}
			e.cut = append(e.cut, index)
		}
	}
}

// AppendMoving appends the picture as an APNG: one palette, and for each frame the part that
// differs from an earlier one. A program that knows only PNG shows the first frame. The
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

// appendControl appends the chunk before a frame: its place, its delay, whether it is undone, and
// whether it is drawn over the pixels below or replaces them.
func appendControl(dst []byte, sequence uint32, c change, scale int, over bool) []byte {
	var data [26]byte
	binary.BigEndian.PutUint32(data[:], sequence)
	for i, v := range []int{c.box.Dx(), c.box.Dy(), c.box.Min.X, c.box.Min.Y} {
		binary.BigEndian.PutUint32(data[4+4*i:], uint32(v*scale))
	}
	binary.BigEndian.PutUint16(data[20:], uint16(c.delay))
	binary.BigEndian.PutUint16(data[22:], 1000)
	if c.undone {
		data[24] = 2
	}
	if over {
		data[25] = 1
	}
	return appendChunk(dst, "fcTL", data[:])
}
