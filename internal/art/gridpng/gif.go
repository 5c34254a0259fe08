package gridpng

import (
	"bytes"
	"compress/lzw"
	"encoding/binary"
	"image"
	"slices"
)

// AppendGIF appends the picture as a GIF that repeats forever, for programs that cannot play APNG.
// Colours are exact, but each is either opaque or fully transparent.
func (e *Encoder) AppendGIF(dst []byte, m Moving) []byte {
	m.check()
	list, blank := m.changes(false), m.blank()
	width := m.Size * m.Scale
	dst = append(dst, "GIF89a"...)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(width))
	dst = binary.LittleEndian.AppendUint16(dst, uint16(width))
	dst = append(dst, 0xf7, 0, 0) // a palette of 256 colours, 8 bits for each channel
	for _, c := range m.Palette {
		dst = append(dst, c.R, c.G, c.B)
	}
	dst = append(dst, make([]byte, 3*(256-len(m.Palette)))...)
	if len(list) > 1 {
		dst = append(dst, "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"...)
	}
	// A frame of a GIF cannot clear pixels of the previous one. If any pixel becomes transparent,
	// each frame is removed before the next, and all frames are written whole.
	whole := slices.ContainsFunc(list, func(c change) bool { return c.clear }) ||
		len(list) > 1 && m.compare(list[len(list)-1].frame, m.Pixels).clear // also when the loop starts again
	var before []uint8
	for _, c := range list {
		dispose := byte(1)
		if whole {
			c.box, before, dispose = image.Rect(0, 0, m.Size, m.Size), nil, 2
		}
		e.cut = m.cut(e.cut[:0], c, before, blank)
		dst = appendGIFFrame(dst, c, m.Scale, dispose, blank)
		dst = appendLZW(dst, e.cut, c.box.Dx(), m.Scale)
		before = m.frame(c.frame)
	}
	return append(dst, 0x3b)
}

// appendGIFFrame appends the header of a frame's pixels.
func appendGIFFrame(dst []byte, c change, scale int, dispose byte, blank int) []byte {
	flags := dispose << 2
	if blank >= 0 {
		flags |= 1
	}
	dst = append(dst, 0x21, 0xf9, 4, flags)
	dst = binary.LittleEndian.AppendUint16(dst, uint16((c.delay+5)/10))
	dst = append(dst, uint8(max(blank, 0)), 0, 0x2c)
	for _, v := range []int{c.box.Min.X, c.box.Min.Y, c.box.Dx(), c.box.Dy()} {
		dst = binary.LittleEndian.AppendUint16(dst, uint16(v*scale))
	}
	return append(dst, 0, 8)
}

// appendLZW appends the pixels, scaled and compressed, in blocks of up to 255 bytes.
func appendLZW(dst []byte, pixels []uint8, width, scale int) []byte {
	var packed bytes.Buffer
	z := lzw.NewWriter(&packed, lzw.LSB, 8)
	row := make([]byte, 0, width*scale)
	for ; len(pixels) > 0; pixels = pixels[width:] {
		row = row[:0]
		for _, v := range pixels[:width] {
			for range scale {
				row = append(row, v)
			}
		}
		for range scale {
			z.Write(row) // writes to memory, which cannot fail
		}
	}
	z.Close()
	for packed.Len() > 0 {
		block := packed.Next(255)
		dst = append(append(dst, uint8(len(block))), block...)
	}
	return append(dst, 0)
}
