package art

import "petsupply/internal/art/png"

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
			p.compose(d, l, v, 0)
			return p.encode(d, dst, p.scaleOf(v))
		}
		if len(d.frames) == t {
			d.frames = append(d.frames, make([]uint8, len(d.pixels)))
		}
		copy(d.frames[t], d.pixels)
	}
	m := png.Moving{
		Picture: p.picture(d, d.frames[0], p.scaleOf(v)), Frames: d.frames[1:len(delays)], Delays: delays,
	}
	return d.encoder.AppendMoving(dst, m)
}
