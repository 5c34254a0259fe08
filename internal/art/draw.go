package art

import (
	"image/color"

	"petsupply/internal/art/gridpng"
)

// maxPalette is how many colours an indexed PNG holds.
const maxPalette = 256

// A canvas is the working space of one drawing, used again and again so that a
// picture costs no memory beyond its own bytes.
type canvas struct {
	index  []uint16      // grid×grid places in the pack's table; not of a soft pack
	colour []color.NRGBA // grid×grid colours, of a soft pack or of too many colours
	pixels []uint8       // grid×grid places in the picture's own palette

	palette []color.NRGBA         // of the picture, in order of first use
	own     []uint16              // from place in the pack's table to place in palette, plus 1
	ownSoft map[color.NRGBA]uint8 // from colour to place in palette, of a soft pack

	frames [][]uint8 // pixels of each frame of a moving picture

	encoder gridpng.Encoder
	out     []byte
}

func (p *Pack) canvas() *canvas {
	p.unpack()
	if d, ok := p.canvases.Get().(*canvas); ok {
		return d
	}
	n := p.grid * p.grid
	d := &canvas{pixels: make([]uint8, n), palette: make([]color.NRGBA, 0, maxPalette)}
	if p.soft {
		d.colour = make([]color.NRGBA, n)
		d.ownSoft = make(map[color.NRGBA]uint8, maxPalette)
	} else {
		d.index = make([]uint16, n)
		d.own = make([]uint16, len(p.colours))
	}
	return d
}

// Draw returns the picture of a look. It is pure: same pack, look and view, same
// bytes. Trait values that the pack does not know count as 0.
func (p *Pack) Draw(l Look, v View) []byte {
	if v.Form == Still {
		return p.DrawFrame(l, v, 0)
	}
	d := p.canvas()
	d.out = p.encodeMoving(d, d.out[:0], l, v)
	moving := append([]byte(nil), d.out...)
	p.canvases.Put(d)
	return moving
}

// DrawFrame returns one frame of a look's movement as a still PNG, counted from
// 0, which is the still picture.
func (p *Pack) DrawFrame(l Look, v View, frame int) []byte {
	d := p.canvas()
	p.compose(d, l, v, frame)
	d.out = p.encode(d, d.out[:0], p.scaleOf(v))
	png := append([]byte(nil), d.out...)
	p.canvases.Put(d)
	return png
}
