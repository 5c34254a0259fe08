package art

import (
	"image/color"
	"slices"

	"petsupply/internal/art/gridpng"
)

// encodeMoving appends a look as a picture that moves. One with more colours
// than a palette holds, over all its frames, stands still.
func (p *Pack) encodeMoving(d *canvas, dst []byte, l Look, v View) []byte {
	scale := p.scaleOf(v)
	frames := max(len(p.m.Delays), 1)
	for t := range frames {
		p.compose(d, l, v, t)
		fits := false
		if t == 0 {
			fits = p.reduce(d)
		} else {
			fits = p.reduceMore(d)
		}
		if !fits {
			return p.encodeStill(d, dst, l, v)
		}
		if len(d.frames) == t {
			d.frames = append(d.frames, make([]uint8, len(d.pixels)))
		}
		copy(d.frames[t], d.pixels)
	}
	delays := p.m.Delays
	if len(delays) == 0 {
		delays = []int{0}
	}
	m := gridpng.Moving{
		Picture: gridpng.Picture{Size: p.grid, Scale: scale, Pixels: d.frames[0], Palette: d.palette, Text: p.text},
		Frames:  d.frames[1:frames], Delays: delays,
	}
	if v.Form == GIF {
		return d.encoder.AppendGIF(dst, m)
	}
	return d.encoder.AppendMoving(dst, m)
}

// encodeStill appends a picture that cannot move, in the form that was asked for.
func (p *Pack) encodeStill(d *canvas, dst []byte, l Look, v View) []byte {
	p.compose(d, l, v, 0)
	if v.Form != GIF {
		return p.encode(d, dst, p.scaleOf(v))
	}
	if !p.reduce(d) {
		p.approximate(d)
	}
	return d.encoder.AppendGIF(dst, gridpng.Moving{
		Picture: gridpng.Picture{Size: p.grid, Scale: p.scaleOf(v), Pixels: d.pixels, Palette: d.palette}, Delays: []int{0},
	})
}

// approximate gives a picture of too many colours a palette of few: a GIF has no
// more.
func (p *Pack) approximate(d *canvas) {
	d.palette = append(d.palette[:0], color.NRGBA{})
	for i := range 6 * 6 * 6 {
		d.palette = append(d.palette, color.NRGBA{uint8(i / 36 * 51), uint8(i / 6 % 6 * 51), uint8(i % 6 * 51), 255})
	}
	if !p.soft {
		d.colour = slices.Grow(d.colour[:0], len(d.index))
		for _, i := range d.index {
			d.colour = append(d.colour, p.colours[i])
		}
	}
	for i, c := range d.colour {
		d.pixels[i] = 0
		if c.A >= 128 {
			step := func(v uint8) uint8 { return uint8((int(v) + 25) / 51) }
			d.pixels[i] = 1 + step(c.R)*36 + step(c.G)*6 + step(c.B)
		}
	}
}
