package art

import (
	"image/color"

	"petsupply/internal/art/gridpng"
)

// encodeMoving appends a look as a moving picture. If all its frames together have too many colours
// for a palette, the picture does not move.
func (p *Pack) encodeMoving(d *canvas, dst []byte, l Look, v View) []byte {
	delays := p.m.Delays
	if len(delays) == 0 {
		delays = []int{0}
	}
	d.clearPalette()
	for t := range delays {
		p.compose(d, l, v, t)
		if !p.reduce(d) {
			return p.encodeStill(d, dst, l, v)
		}
		if len(d.frames) == t {
			d.frames = append(d.frames, make([]uint8, len(d.pixels)))
		}
		copy(d.frames[t], d.pixels)
	}
	m := gridpng.Moving{
		Picture: p.picture(d, d.frames[0], p.scaleOf(v)), Frames: d.frames[1:len(delays)], Delays: delays,
	}
	if v.Form == GIF {
		return d.encoder.AppendGIF(dst, m)
	}
	return d.encoder.AppendMoving(dst, m)
}

// encodeStill appends a look as a picture that does not move: a GIF if the view asks for one,
// otherwise a PNG.
func (p *Pack) encodeStill(d *canvas, dst []byte, l Look, v View) []byte {
	p.compose(d, l, v, 0)
	if v.Form != GIF {
		return p.encode(d, dst, p.scaleOf(v))
	}
	d.clearPalette()
	if !p.reduce(d) {
		p.approximate(d)
	}
	return d.encoder.AppendGIF(dst, gridpng.Moving{Picture: p.picture(d, d.pixels, p.scaleOf(v)), Delays: []int{0}})
}

// approximate reduces a picture to the few colours that a GIF can have.
func (p *Pack) approximate(d *canvas) {
	d.palette = append(d.palette[:0], color.NRGBA{})
	for i := range 6 * 6 * 6 {
		d.palette = append(d.palette, color.NRGBA{uint8(i / 36 * 51), uint8(i / 6 % 6 * 51), uint8(i % 6 * 51), 255})
	}
	p.colourise(d)
	for i, c := range d.colour {
		d.pixels[i] = 0
		if c.A >= 128 {
			step := func(v uint8) uint8 { return uint8((int(v) + 25) / 51) }
			d.pixels[i] = 1 + step(c.R)*36 + step(c.G)*6 + step(c.B)
		}
	}
}
