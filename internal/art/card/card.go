// Package card draws the preview pictures of shared links. A card has 1200×630 pixels and shows a
// pet, or the figures of a token, as pixel art. Make a Pet or a Token and Draw it. Its Version
// changes whenever the card would look different.
package card

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"

	"petsupply/internal/art/gridpng"
	"petsupply/internal/art/lettering"
)

// Width and Height are the size of a card in pixels, as Open Graph and Twitter recommend.
const (
	Width  = columns * scale
	Height = rows * scale
)

// A card is drawn on a small grid, and then enlarged.
const (
	columns, rows = 400, 210
	scale         = 3
)

// Cost is roughly the CPU time of drawing a card, in milliseconds.
const Cost = 9

// revision is part of every version. Increase it when the code draws cards differently.
const revision = "1"

var (
	night  = color.NRGBA{0x19, 0x15, 0x28, 0xff}
	dusk   = color.NRGBA{0x24, 0x1e, 0x3c, 0xff}
	haze   = color.NRGBA{0x3a, 0x31, 0x5c, 0xff}
	paper  = color.NRGBA{0xf6, 0xee, 0xdc, 0xff}
	muted  = color.NRGBA{0xa9, 0x9c, 0xc8, 0xff}
	amber  = color.NRGBA{0xf8, 0xcc, 0x4c, 0xff}
	silver = color.NRGBA{0xb6, 0xb2, 0xaa, 0xff}
)

// A canvas is a card being drawn.
type canvas struct{ *image.NRGBA }

// newCanvas returns a card that has only the background.
func newCanvas() canvas {
	c := canvas{image.NewNRGBA(sky().Rect)}
	copy(c.Pix, sky().Pix)
	return c
}

// sky is an evening sky with a border and cut corners.
var sky = sync.OnceValue(func() canvas {
	c := canvas{image.NewNRGBA(image.Rect(0, 0, columns, rows))}
	c.fill(0, 0, columns, rows, night)
	for y := range rows {
		for x := range columns {
			edge := min(x, y, columns-1-x, rows-1-y)
			cut := min(x, columns-1-x) + min(y, rows-1-y)
			switch {
			case edge >= 5 && cut >= 18 && (edge == 5 || cut == 18):
				c.SetNRGBA(x, y, haze)
			case edge > 5 && cut > 18 && (y < rows/3 || y < rows/2 && (x+y)%2 == 0):
				c.SetNRGBA(x, y, dusk)
			}
		}
	}
	for i := range 40 { // stars, the same on every card
		x, y := (i*i*37+i*101)%(columns-40)+20, (i*i*53+i*29)%(rows-40)+20
		c.SetNRGBA(x, y, haze)
	}
	return c
})

func (c canvas) fill(x0, y0, x1, y1 int, ink color.NRGBA) {
	draw.Draw(c, image.Rect(x0, y0, x1, y1), image.NewUniform(ink), image.Point{}, draw.Src)
}

// text writes lines below each other and returns the y of the next line.
func (c canvas) text(x, y, size int, ink color.NRGBA, lines ...string) int {
	for _, l := range lines {
		lettering.Draw(c, x, y, size, ink, l)
		y += (lettering.Height + 1) * size
	}
	return y
}

// footY is the y of the last line of a card.
const footY = rows - 24 - lettering.Height

// Foot returns the last line of a card: the address of the page without its scheme, followed by
// "demo" if the parameter demo is set. If the address is too long, only its host is shown.
func Foot(page string, demo bool) string {
	if _, rest, ok := strings.Cut(page, "://"); ok {
		page = rest
	}
	mark := ""
	if demo {
		mark = " · demo"
	}
	width := columnWidth - lettering.Width(mark, 1) - 1
	if lettering.Width(page, 1) > width {
		page, _, _ = strings.Cut(page, "/")
	}
	return lettering.Fit(page, 1, width) + mark
}

// title writes a name on one line, as large as possible. If the name is too wide, title breaks it
// into at most the given number of lines. It returns the y of the next line.
func (c canvas) title(x, y, width, lines int, name string) int {
	for _, size := range []int{3, 2} {
		if lettering.Width(name, size) <= width {
			return c.text(x, y, size, paper, name)
		}
	}
	return c.text(x, y, 2, paper, lettering.Wrap(name, 2, width, lines)...)
}

// encoders are reused for their working space.
var encoders = sync.Pool{New: func() any { return new(gridpng.Encoder) }}

// png encodes the card with a palette. All colours of a card of the default pack fit into it.
func (c canvas) png(text []byte) []byte {
	e := encoders.Get().(*gridpng.Encoder)
	defer encoders.Put(e)
	p := gridpng.Picture{Size: columns, Height: rows, Scale: scale, Pixels: make([]uint8, columns*rows), Text: text}
	index := map[[4]byte]uint8{}
	var last [4]byte
	for i := range p.Pixels {
		k := [4]byte(c.Pix[4*i:])
		if i > 0 && k == last {
			p.Pixels[i] = p.Pixels[i-1]
			continue
		}
		n, ok := index[k]
		if !ok {
			n = place(&p.Palette, color.NRGBA{k[0], k[1], k[2], k[3]})
			index[k] = n
		}
		p.Pixels[i], last = n, k
	}
	return e.Append(nil, p)
}

// place adds k to a palette and returns its index. If the palette is full, it returns the index of
// the closest colour.
func place(palette *[]color.NRGBA, k color.NRGBA) uint8 {
	if len(*palette) < 256 {
		*palette = append(*palette, k)
		return uint8(len(*palette) - 1)
	}
	best, least := 0, 1<<30
	for i, p := range *palette {
		r, g, b := int(p.R)-int(k.R), int(p.G)-int(k.G), int(p.B)-int(k.B)
		if d := 2*r*r + 3*g*g + b*b; d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}

// version returns a hash of the content of a card, in hexadecimal.
func version(parts ...any) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q", append([]any{revision}, parts...))
	return hex.EncodeToString(h.Sum(nil)[:8])
}
