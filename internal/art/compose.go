package art

import (
	"image/color"

	"petsupply/internal/art/png"
)

// maxPalette is how many colours an indexed PNG can have.
const maxPalette = 256

// A canvas is the working space of one drawing. It is used again and again, so a picture allocates
// nothing but its own bytes. A soft pack has partly transparent pixels, or too many colours for a
// table.
type canvas struct {
	index  []uint16      // grid×grid indices into the pack's table; not used by a soft pack
	colour []color.NRGBA // grid×grid colours, for a soft pack or a picture of more than 256 colours
	pixels []uint8       // grid×grid indices into the picture's own palette

	palette []color.NRGBA         // the picture's colours, in order of first use
	own     []uint16              // from index in the pack's table to index in palette, plus 1; 0 if not in palette
	ownSoft map[color.NRGBA]uint8 // from colour to index in palette, for a soft pack

	frames [][]uint8 // pixels of each frame of a moving picture

	encoder png.Encoder
	out     []byte
}

func (p *Pack) canvas() *canvas {
	p.unpack()
	if cv, ok := p.canvases.Get().(*canvas); ok {
		return cv
	}
	n := p.grid * p.grid
	cv := &canvas{pixels: make([]uint8, n), palette: make([]color.NRGBA, 0, maxPalette)}
	if p.soft {
		cv.colour = make([]color.NRGBA, n)
		cv.ownSoft = make(map[color.NRGBA]uint8, maxPalette)
	} else {
		cv.index = make([]uint16, n)
		cv.own = make([]uint16, len(p.colours))
	}
	return cv
}

// Draw returns the picture of a look. The same pack, look and view always give the same bytes. For
// a trait value that the pack does not know, a slot draws a layer that does not name the trait, or
// else the layer for the value 0.
func (p *Pack) Draw(l Look, v View) []byte {
	if v.Form == Still {
		return p.drawFrame(l, v, 0)
	}
	cv := p.canvas()
	cv.out = p.encodeMoving(cv, cv.out[:0], l, v)
	moving := append([]byte(nil), cv.out...)
	p.canvases.Put(cv)
	return moving
}

// drawFrame returns one frame of a look's movement as a still PNG. Frame 0 is the still picture.
func (p *Pack) drawFrame(l Look, v View, frame int) []byte {
	cv := p.canvas()
	p.compose(cv, l, v, frame)
	cv.out = p.encode(cv, cv.out[:0], p.scaleOf(v))
	still := append([]byte(nil), cv.out...)
	p.canvases.Put(cv)
	return still
}

// encode appends the picture on the canvas as a PNG: with a palette if 256 colours are enough, and
// otherwise as RGBA.
func (p *Pack) encode(cv *canvas, dst []byte, scale int) []byte {
	cv.clearPalette()
	if p.reduce(cv) {
		return cv.encoder.Append(dst, p.picture(cv, cv.pixels, scale))
	}
	p.colourise(cv)
	return cv.encoder.Append(dst, png.Picture{Size: p.grid, Scale: scale, Colours: cv.colour, Text: p.text})
}

// picture returns the input of the encoder.
func (p *Pack) picture(cv *canvas, pixels []uint8, scale int) png.Picture {
	return png.Picture{Size: p.grid, Scale: scale, Pixels: pixels, Palette: cv.palette, Text: p.text}
}

// colourise turns the indices on the canvas into colours. A soft pack has colours already.
func (p *Pack) colourise(cv *canvas) {
	if p.soft {
		return
	}
	cv.colour = cv.colour[:0]
	for _, i := range cv.index {
		cv.colour = append(cv.colour, p.colours[i])
	}
}

// compose draws the layers of a look on the canvas, back to front, in frame t of the movement.
// Frame 0 is the still picture.
func (p *Pack) compose(cv *canvas, l Look, v View, t int) {
	if p.plain != nil {
		p.plain.draw(cv.colour, p.m.Name, &l, v)
		return
	}
	clear(cv.index)
	if p.soft {
		clear(cv.colour)
	}
	classes := p.classes(&l)
	for i := range p.slots {
		a, x, y := p.place(i, &classes)
		layer := a.layer
		if t > 0 && layer != nil {
			frame, dx, dy := a.Step(t)
			layer = a.frames[frame]
			x += dx
			y += dy
			if a.At != "" {
				dx, dy = p.assets[p.slots[p.anchorSlot].at(&classes)].Carried(t, a.Steady)
				x += dx
				y += dy
			}
		}
		switch {
		case layer == nil || !p.slots[i].shows(v):
		case p.soft:
			blend(cv.colour, p.grid, layer, p.colour, x+layer.x, y+layer.y)
		default:
			cover(cv.index, p.grid, layer, p.index, x+layer.x, y+layer.y)
		}
	}
}

// cover copies a layer's spans over the canvas, cut off at the grid's edge.
func cover(dst []uint16, grid int, l *layer, pixels []uint16, x, y int) {
	inside := x >= 0 && y >= 0 && x+l.w <= grid && y+l.h <= grid
	for i, s := range l.spans {
		from := int(l.from[i])
		n := int(s.n)
		left := x + int(s.x)
		top := y + int(s.y)
		if !inside {
			if top < 0 || top >= grid {
				continue
			}
			if left < 0 {
				n += left
				from -= left
				left = 0
			}
			n = min(n, grid-left)
			if n <= 0 {
				continue
			}
		}
		copy(dst[top*grid+left:][:n], pixels[from:from+n])
	}
}

// blend draws a layer over the canvas, and mixes colours where the layer is partly transparent.
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

// over draws one colour over another and mixes them by alpha. It uses whole numbers, so that every
// machine rounds alike.
func over(top, under color.NRGBA) color.NRGBA {
	ta := uint32(top.A)
	ua := uint32(under.A)
	if ta == 255 || ua == 0 {
		return top
	}
	rest := ua * (255 - ta) // the weight of the lower colour, times 255
	all := ta*255 + rest
	mix := func(t, u uint8) uint8 {
		return uint8((uint32(t)*ta*255 + uint32(u)*rest + all/2) / all)
	}
	return color.NRGBA{mix(top.R, under.R), mix(top.G, under.G), mix(top.B, under.B), uint8((all + 127) / 255)}
}

// clearPalette empties the palette before a new picture.
func (cv *canvas) clearPalette() {
	cv.palette = cv.palette[:0]
	clear(cv.own)
	clear(cv.ownSoft)
}

// reduce turns the picture into indices into its own palette, and adds new colours to that palette.
// It reports whether 256 colours were enough.
func (p *Pack) reduce(cv *canvas) bool {
	if p.soft {
		return cv.reduceSoft()
	}
	pixels := cv.pixels[:len(cv.index)]
	for i, c := range cv.index {
		at := cv.own[c]
		if at == 0 {
			if len(cv.palette) == maxPalette {
				return false
			}
			cv.palette = append(cv.palette, p.colours[c])
			at = uint16(len(cv.palette))
			cv.own[c] = at
		}
		pixels[i] = uint8(at - 1)
	}
	return true
}

func (cv *canvas) reduceSoft() bool {
	for i, c := range cv.colour {
		at, ok := cv.ownSoft[c]
		if !ok {
			if len(cv.palette) == maxPalette {
				return false
			}
			at = uint8(len(cv.palette))
			cv.ownSoft[c] = at
			cv.palette = append(cv.palette, c)
		}
		cv.pixels[i] = at
	}
	return true
}
