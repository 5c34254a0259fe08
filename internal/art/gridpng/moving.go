package gridpng

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math/bits"
	"slices"
)

// A Moving is a picture that moves. Pixels is its first frame.
type Moving struct {
	Picture
	Frames [][]uint8 // the frames after Pixels, each of the same size
	Delays []int     // milliseconds that each frame is shown, including the first
}

// A change is the part of a frame that differs from the pixels shown before it.
type change struct {
	frame  int // index of the frame; frame 0 is written whole
	before int // index of the frame that it is drawn over
	box    image.Rectangle
	pixels int  // number of pixels that differ
	clear  bool // one of these pixels is not opaque
	undone bool // a program that plays the picture removes it before the next frame
	delay  int
}

// changes returns the changes that the file needs. A frame that equals the previous one only
// lengthens the previous delay. A frame is marked as undone where this makes later
// changes smaller. A program that plays the picture removes such a frame after its delay, and shows
// again what was there before. So the resting pose of a pet is in the file only once.
func (m *Moving) changes() []change {
	if len(m.Delays) != len(m.Frames)+1 {
		panic(fmt.Sprintf("gridpng: %d delays for %d frames", len(m.Delays), len(m.Frames)+1))
	}
	list := []change{{box: image.Rect(0, 0, m.Size, m.Size), delay: m.Delays[0]}}
	for i, frame := range m.Frames {
		last := &list[len(list)-1]
		if slices.Equal(m.frame(last.frame), frame) {
			last.delay += m.Delays[i+1]
			continue
		}
		list = append(list, change{frame: i + 1, delay: m.Delays[i+1]})
	}
	bases := m.bases(list)
	for i := 1; i < len(list); i++ {
		c := m.compare(list[bases[i]].frame, m.frame(list[i].frame))
		c.frame, c.delay = list[i].frame, list[i].delay
		list[i] = c
		if bases[i] < i-1 {
			list[i-1].undone = true
		}
	}
	return list
}

// bases chooses for each change the earlier change that it is drawn over, so that all changes
// together have the fewest pixels. This is the previous change or, if the previous change is
// undone, the base of the previous change.
func (m *Moving) bases(list []change) []int {
	out := make([]int, len(list))
	// least[k] is the smallest number of pixels that all changes so far can have together, provided
	// that the next change is drawn over change k.
	least := make([]int, len(list))
	best := 0
	for i := 1; i < len(list); i++ {
		best = 0
		for k := range i {
			least[k] += differing(m.frame(list[k].frame), m.frame(list[i].frame))
			if least[k] < least[best] {
				best = k
			}
		}
		least[i], out[i] = least[best], best
	}
	for i, base := len(list)-1, best; i > 0; i-- {
		if i == base {
			base = out[i]
		}
		out[i] = base
	}
	return out
}

// differing counts the pixels in which two frames differ, eight at a time.
func differing(a, b []uint8) (n int) {
	if len(a) != len(b) {
		panic("gridpng: frames of different sizes")
	}
	const low = 0x7f7f7f7f7f7f7f7f
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		x := binary.LittleEndian.Uint64(a) ^ binary.LittleEndian.Uint64(b)
		n += bits.OnesCount64(((x&low + low) | x) &^ low)
	}
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// compare finds the box in which a frame, b, differs from the frame that it is drawn over. A file
// cannot have an empty box, so the box has one pixel if nothing differs.
func (m *Moving) compare(before int, b []uint8) (c change) {
	a := m.frame(before)
	c.before, c.box = before, image.Rect(0, 0, 1, 1)
	x0, y0, x1, y1 := m.Size, m.Size, 0, 0
	for y := range m.Size {
		p, q := a[y*m.Size:][:m.Size], b[y*m.Size:][:m.Size]
		if slices.Equal(p, q) {
			continue
		}
		for x := range p {
			if p[x] != q[x] {
				x0, x1, y0, y1 = min(x0, x), max(x1, x+1), min(y0, y), y+1
				c.pixels++
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

// blank returns the index of a fully transparent colour, or -1.
func (m *Moving) blank() int {
	return slices.IndexFunc(m.Palette, func(c color.NRGBA) bool { return c.A == 0 })
}

// cut appends the pixels of c.box to dst. before has the pixels that the change is drawn over. If
// blank is not negative, it is the index of the transparent colour, and cut writes it for each
// pixel that does not change.
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

// AppendMoving appends the picture as an APNG: one palette, and for each frame the part that
// differs from the pixels below it. A program that knows only PNG shows the first frame. The
// movement repeats forever.
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
	dst = appendChunk(dst, "acTL", binary.BigEndian.AppendUint64(nil, uint64(len(list))<<32)) // 0 plays means forever
	dst = e.appendPalette(dst, m.Palette, transparent)
	sequence := uint32(0)
	for i, c := range list {
		keep := blank
		if c.clear {
			keep = -1
		}
		if i > 0 {
			e.cut = m.cut(e.cut[:0], c, m.frame(c.before), keep)
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
	}
	return appendChunk(dst, "IEND", nil)
}

// appendControl appends the chunk before a frame: its place, its delay, and whether it is drawn
// over the pixels below or replaces them.
func appendControl(dst []byte, sequence uint32, c change, scale int, over bool) []byte {
	start := len(dst)
	dst = openChunk(dst, "fcTL")
	dst = binary.BigEndian.AppendUint32(dst, sequence)
	for _, v := range []int{c.box.Dx(), c.box.Dy(), c.box.Min.X, c.box.Min.Y} {
		dst = binary.BigEndian.AppendUint32(dst, uint32(v*scale))
	}
	dst = binary.BigEndian.AppendUint16(dst, uint16(c.delay))
	dst = binary.BigEndian.AppendUint16(dst, 1000)
	dst = append(dst, 0, 0) // by default, the frame stays, and replaces the pixels below it
	if c.undone {
		dst[len(dst)-2] = 2
	}
	if over {
		dst[len(dst)-1] = 1
	}
	return closeChunk(dst, start)
}
