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
		return p.drawFrame(l, v, 0)
	}
	d := p.canvas()
	d.out = p.encodeMoving(d, d.out[:0], l, v)
	moving := append([]byte(nil), d.out...)
	p.canvases.Put(d)
	return moving
}

// drawFrame returns one frame of a look's movement as a still PNG, counted from
// 0, which is the still picture.
func (p *Pack) drawFrame(l Look, v View, frame int) []byte {
	d := p.canvas()
	p.compose(d, l, v, frame)
	d.out = p.encode(d, d.out[:0], p.scaleOf(v))
	png := append([]byte(nil), d.out...)
	p.canvases.Put(d)
	return png
}

// encode appends the picture on the canvas as a PNG: with a palette if 256
// colours are enough, else as RGBA.
func (p *Pack) encode(d *canvas, dst []byte, scale int) []byte {
	d.clearPalette()
	if p.reduce(d) {
		return d.encoder.Append(dst, p.picture(d, d.pixels, scale))
	}
	p.colourise(d)
	return d.encoder.AppendRGBA(dst, d.colour, p.grid, scale, p.text)
}

// picture is the grid that the encoder gets.
func (p *Pack) picture(d *canvas, pixels []uint8, scale int) gridpng.Picture {
	return gridpng.Picture{Size: p.grid, Scale: scale, Pixels: pixels, Palette: d.palette, Text: p.text}
}

// colourise gives the canvas the colours of its places. A soft pack has them
// already.
func (p *Pack) colourise(d *canvas) {
	if p.soft {
		return
	}
	d.colour = d.colour[:0]
	for _, i := range d.index {
		d.colour = append(d.colour, p.colours[i])
	}
}

// compose puts the chosen layers on the canvas, back to front, as they are in
// frame t of the movement; frame 0 is the still picture.
func (p *Pack) compose(d *canvas, l Look, v View, t int) {
	if p.plain != nil {
		p.plain.draw(d.colour, p.m.Name, &l, v)
		return
	}
	clear(d.index)
	if p.soft {
		clear(d.colour)
	}
	class := p.classes(&l)
	for i := range p.slots {
		a, x, y := p.place(i, &class)
		layer := a.layer
		if t > 0 && layer != nil {
			frame, dx, dy := a.Step(t)
			layer, x, y = a.frames[frame], x+dx, y+dy
			if a.At != "" {
				dx, dy = p.assets[p.slots[p.anchorSlot].at(&class)].Carried(t)
				x, y = x+dx, y+dy
			}
		}
		switch {
		case layer == nil || !p.slots[i].shows(v):
		case p.soft:
			blend(d.colour, p.grid, layer, p.colour, x+layer.x, y+layer.y)
		default:
			cover(d.index, p.grid, layer, p.index, x+layer.x, y+layer.y)
		}
	}
}

// cover copies a layer's spans over what is there, cut off at the grid's edge.
func cover(dst []uint16, grid int, l *layer, pixels []uint16, x, y int) {
	inside := x >= 0 && y >= 0 && x+l.w <= grid && y+l.h <= grid
	for i, s := range l.spans {
		from, n := int(l.from[i]), int(s.n)
		left, top := x+int(s.x), y+int(s.y)
		if !inside {
			if top < 0 || top >= grid {
				continue
			}
			if left < 0 {
				n, from, left = n+left, from-left, 0
			}
			if n = min(n, grid-left); n <= 0 {
				continue
			}
		}
		copy(dst[top*grid+left:][:n], pixels[from:from+n])
	}
}

// blend lays a layer over what is there, mixing where its alpha is soft.
func blend(dst []color.NRGBA, grid int, l *layer, pixels []color.NRGBA, x, y int) {
	for i, s := range l.spans {
		top := y + int(s.y)
		if top < 0 || top >= grid {
			continue
		}
		for dx, pixel := range pixels[l.from[i]:][:s.n] {
			left := x + int(s.x) + dx
			if left < 0 || left >= grid {
				continue
			}
			at := &dst[top*grid+left]
			*at = over(pixel, *at)
		}
	}
}

// over is the usual composition of two colours, in whole numbers so that every
// machine rounds alike.
func over(top, under color.NRGBA) color.NRGBA {
	ta, ua := uint32(top.A), uint32(under.A)
	if ta == 255 || ua == 0 {
		return top
	}
	rest := ua * (255 - ta) // in 255ths
	all := ta*255 + rest
	mix := func(t, u uint8) uint8 {
		return uint8((uint32(t)*ta*255 + uint32(u)*rest + all/2) / all)
	}
	return color.NRGBA{mix(top.R, under.R), mix(top.G, under.G), mix(top.B, under.B), uint8((all + 127) / 255)}
}

// clearPalette prepares for a picture with a palette of its own.
func (d *canvas) clearPalette() {
	d.palette = d.palette[:0]
	clear(d.own)
	clear(d.ownSoft)
}

// reduce turns the picture into places in its own palette, to which it adds the
// colours that are new, and reports whether 256 places were enough. The
// palette's order is not yet the one it is sent in.
func (p *Pack) reduce(d *canvas) bool {
	if p.soft {
		return d.reduceSoft()
	}
	pixels := d.pixels[:len(d.index)]
	for i, c := range d.index {
		at := d.own[c]
		if at == 0 {
			if len(d.palette) == maxPalette {
				return false
			}
			d.palette = append(d.palette, p.colours[c])
			at = uint16(len(d.palette))
			d.own[c] = at
		}
		pixels[i] = uint8(at - 1)
	}
	return true
}

func (d *canvas) reduceSoft() bool {
	for i, c := range d.colour {
		at, ok := d.ownSoft[c]
		if !ok {
			if len(d.palette) == maxPalette {
				return false
			}
			at = uint8(len(d.palette))
			d.ownSoft[c] = at
			d.palette = append(d.palette, c)
		}
		d.pixels[i] = at
	}
	return true
}
