// Package png encodes pixel art: a small grid of palette indices or colours becomes a PNG in which
// each is a square block of pixels. A moving picture becomes an APNG.
//
// Keep an Encoder and append pictures with it. The same picture always gives the same bytes.
package png

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"

	"github.com/klauspost/compress/zlib"
)

// A Picture is a square grid to encode. It has either indices into a palette or colours.
type Picture struct {
	Size    int           // width and height of the grid
	Scale   int           // width and height of the block for each pixel of the grid
	Pixels  []uint8       // Size×Size indices into Palette, row by row; nil if Colours is set
	Palette []color.NRGBA // 1 to 256 colours
	Colours []color.NRGBA // Size×Size colours
	Text    []byte        // chunks made by AppendText, or nil
}

// level is the level of compression. With pictures of the default pack, 360 pixels wide, level 6
// makes files an eighth smaller than level 5 in a quarter more time. Levels 7 to 9 take longer and
// make larger files.
const level = 6

// An Encoder turns pictures into PNGs. The zero value is ready to use. It holds the working space
// of one picture, so only one goroutine may use it at a time.
type Encoder struct {
	row    []byte
	zeros  []byte
	stream bytes.Buffer
	z      *zlib.Writer
	cut    []uint8 // the part of a frame that is written
}

// Append appends the picture as a PNG. It panics if the sizes in p contradict each other.
func (e *Encoder) Append(dst []byte, p Picture) []byte {
	dst = p.appendHeader(dst)
	dst = p.appendPalette(dst)
	dst = appendChunk(dst, "IDAT", e.pixels(p))
	return appendChunk(dst, "IEND", nil)
}

// pixels returns the compressed pixels of a picture. They are valid until the next call.
func (e *Encoder) pixels(p Picture) []byte {
	if p.Colours == nil {
		return e.indices(p.Pixels, p.Size, p.Scale)
	}
	return e.colours(p)
}

// The filters of rows. A row with filterSub is the differences from the pixels to the left, one
// with filterUp those from the row above.
const (
	filterNone = 0
	filterSub  = 1
	filterUp   = 2
)

// indices compresses rows of palette indices. The neighbours of an index say little about it, so it
// is written as it is.
func (e *Encoder) indices(pixels []uint8, width, scale int) []byte {
	e.begin()
	for ; len(pixels) > 0; pixels = pixels[width:] {
		e.row = append(e.row[:0], filterNone)
		for _, index := range pixels[:width] {
			for range scale {
				e.row = append(e.row, index)
			}
		}
		e.send(scale)
	}
	return e.end()
}

// colours compresses rows of colours. Each is written as its difference from the colour to the left.
func (e *Encoder) colours(p Picture) []byte {
	e.begin()
	for rest := p.Colours; len(rest) > 0; rest = rest[p.Size:] {
		e.row = append(e.row[:0], filterSub)
		var last color.NRGBA
		for _, c := range rest[:p.Size] {
			e.row = append(e.row, c.R-last.R, c.G-last.G, c.B-last.B, c.A-last.A)
			last = c
			for range p.Scale - 1 {
				e.row = append(e.row, 0, 0, 0, 0)
			}
		}
		e.send(p.Scale)
	}
	return e.end()
}

func (e *Encoder) begin() {
	e.stream.Reset()
	if e.z == nil {
		z, err := zlib.NewWriterLevel(&e.stream, level)
		if err != nil {
			panic("png: " + err.Error())
		}
		e.z = z
	}
	e.z.Reset(&e.stream)
}

// longRow is the length of rows in bytes from which differences from the row above compress better
// than a second copy of the row. It was measured with pictures of the default pack.
const longRow = 700

// send compresses e.row scale times.
func (e *Encoder) send(scale int) {
	e.z.Write(e.row) // to memory, which does not fail
	again := e.row
	if len(e.row) >= longRow {
		again = e.unchanged(len(e.row))
	}
	for range scale - 1 {
		e.z.Write(again)
	}
}

// unchanged returns a row of n bytes that is the same as the row above: all its differences are 0.
func (e *Encoder) unchanged(n int) []byte {
	if len(e.zeros) < n {
		e.zeros = make([]byte, n)
		e.zeros[0] = filterUp
	}
	return e.zeros[:n]
}

func (e *Encoder) end() []byte {
	e.z.Close()
	return e.stream.Bytes()
}

const (
	signature   = "\x89PNG\r\n\x1a\n"
	typePalette = 3
	typeRGBA    = 6
)

// appendHeader appends everything before the palette.
func (p *Picture) appendHeader(dst []byte) []byte {
	kind := byte(typePalette)
	n := len(p.Pixels)
	if p.Colours != nil {
		kind = typeRGBA
		n = len(p.Colours)
	}
	if n == 0 || n != p.Size*p.Size || p.Scale < 1 || len(p.Palette) > 256 {
		panic(fmt.Sprintf("png: %d pixels of %d colours in a grid of %d, scaled by %d", n, len(p.Palette),
			p.Size, p.Scale))
	}
	width := uint32(p.Size * p.Scale)
	var head [13]byte
	binary.BigEndian.PutUint32(head[:], width)
	binary.BigEndian.PutUint32(head[4:], width)
	head[8] = 8 // bits for each index or channel
	head[9] = kind
	dst = append(dst, signature...)
	dst = appendChunk(dst, "IHDR", head[:])
	return append(dst, p.Text...)
}

// appendPalette appends the colours, and the alpha of all colours up to the last that is not opaque.
func (p *Picture) appendPalette(dst []byte) []byte {
	if p.Colours != nil {
		return dst
	}
	var colours [3 * 256]byte
	var alpha [256]byte
	transparent := 0
	for i, c := range p.Palette {
		colours[3*i] = c.R
		colours[3*i+1] = c.G
		colours[3*i+2] = c.B
		alpha[i] = c.A
		if c.A < 255 {
			transparent = i + 1
		}
	}
	dst = appendChunk(dst, "PLTE", colours[:3*len(p.Palette)])
	if transparent > 0 {
		dst = appendChunk(dst, "tRNS", alpha[:transparent])
	}
	return dst
}

// AppendText appends a tEXt chunk for Picture.Text. keyword is defined by the PNG standard, such as
// Copyright. text must be plain ASCII.
func AppendText(dst []byte, keyword, text string) []byte {
	return appendChunk(dst, "tEXt", []byte(keyword+"\x00"+text))
}

// appendChunk appends a chunk whose data is in parts.
func appendChunk(dst []byte, kind string, parts ...[]byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = append(dst, kind...)
	for _, part := range parts {
		dst = append(dst, part...)
	}
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-8))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+4:]))
}
