package art

import "petsupply/internal/art/png"

// encodeMoving appends a look as a moving picture. If all its frames together have too many colours
// for a palette, the picture does not move.
func (p *Pack) encodeMoving(cv *canvas, dst []byte, l Look, v View) []byte {
	delays := p.m.Delays
	if len(delays) == 0 {
		delays = []int{0}
	}
	cv.clearPalette()
	for t := range delays {
		p.compose(cv, l, v, t)
		if !p.reduce(cv) {
			p.compose(cv, l, v, 0)
			return p.encode(cv, dst, p.scaleOf(v))
		}
		if len(cv.frames) == t {
			cv.frames = append(cv.frames, make([]uint8, len(cv.pixels)))
		}
		copy(cv.frames[t], cv.pixels)
	}
	m := png.Moving{
		Picture: p.picture(cv, cv.frames[0], p.scaleOf(v)), Frames: cv.frames[1:len(delays)], Delays: delays,
	}
	return cv.encoder.AppendMoving(dst, m)
}
