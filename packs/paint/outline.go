package main

import "image"

// A canvas is the pet with its parts drawn over each other.
type canvas struct {
	part [grid * grid]int // index of the front part, -1 for none
	tone [grid * grid]tone
	line [grid * grid]ramp // the material for outlines next to the pixel
	edge [grid * grid]bool // whether the pixel is on the outer outline
}

// compose draws the whole pet. A shiny one gets a rim of light.
func (p *pet) compose() *image.NRGBA {
	cv := p.flatten()
	p.shadows(cv)
	p.details(cv)
	p.innerLines(cv)
	p.outerLine(cv)
	if p.shiny {
		cv.rim()
	}
	img := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	for i := range cv.part {
		if cv.part[i] >= 0 || cv.edge[i] {
			img.SetNRGBA(i%grid, i/grid, cv.tone[i].colour())
		}
	}
	for _, s := range p.stamps {
		if p.blinks && s.isEye() {
			s.closed(img)
			continue
		}
		s.draw(img)
	}
	return img
}

func (p *pet) flatten() *canvas {
	cv := &canvas{}
	for i := range cv.part {
		cv.part[i] = -1
	}
	for n, q := range p.parts {
		if q.cells == nil {
			q.fill()
		}
		for i, in := range q.cells.in {
			if in {
				cv.part[i], cv.tone[i], cv.line[i] = n, tone{q.ramp, int(q.cells.step[i])}, q.ramp
			}
		}
	}
	return cv
}

// shadows draws each part's contact shadow on the parts behind it, away from the light.
func (p *pet) shadows(cv *canvas) {
	for y := range grid {
		for x := range grid {
			i := y*grid + x
			own := cv.part[i]
			if own < 0 || p.parts[own].glows {
				continue
			}
			for k := 1; k <= 3; k++ {
				n := max(cv.owner(x, y-k), cv.owner(x-(k+1)/2, y-k))
				if n > own && p.parts[n].cast >= k {
					cv.tone[i].step = max(cv.tone[i].step-1, dark)
					break
				}
			}
		}
	}
}

// details paints marks and creases onto the visible pixels of their parts.
func (p *pet) details(cv *canvas) {
	for n, q := range p.parts {
		for _, m := range q.marks {
			in := make([]bool, grid*grid)
			for i := range in {
				if q.cells.in[i] && m.shape.near(i%grid, i/grid) {
					d, _ := m.shape.at(float64(i%grid)+0.5, float64(i/grid)+0.5)
					in[i] = d < 0
				}
			}
			calm(in, q.cells)
			for i := range in {
				if !in[i] || cv.part[i] != n {
					continue
				}
				step := cv.tone[i].step + m.shift
				if m.ramp != nil {
					cv.tone[i].ramp, step = *m.ramp, min(step, max(light, cv.tone[i].step))
					if m.shift > 0 {
						cv.line[i] = *m.ramp
					}
				}
				cv.tone[i].step = min(max(step, edge), shine)
			}
		}
		for _, c := range q.creases {
			for _, at := range c.pixels {
				if cv.owner(at[0], at[1]) != n {
					continue
				}
				i := at[1]*grid + at[0]
				if c.ramp != nil {
					cv.tone[i].ramp = *c.ramp
				}
				cv.tone[i].step = c.step
			}
		}
	}
}

// innerLines draws lines between parts and the parts behind them.
func (p *pet) innerLines(cv *canvas) {
	for y := range grid {
		for x := range grid {
			i := y*grid + x
			own := cv.part[i]
			if own < 0 {
				continue
			}
			front, at := own, 0
			for _, d := range cross {
				if n := cv.owner(x+d[0], y+d[1]); n > front && p.parts[n].inner != barely {
					front, at = n, (y+d[1])*grid+x+d[0]
				}
			}
			if front == own {
				continue
			}
			lit := cv.facing(x, y, func(n int) bool { return n == front })
			if lit && p.parts[front].inner == softly {
				continue
			}
			t := cv.line[at].at(edge)
			if lit || p.parts[front].glows {
				t = cv.line[at].at(dark)
			}
			cv.tone[i] = t
		}
	}
}

// outerLine draws the outline around the pet, in the darkest colour of the part next to it. The
// outline is one step lighter where it faces the light, and around parts that glow.
func (p *pet) outerLine(cv *canvas) {
	solid := func(n int) bool { return n >= 0 }
	for y := range grid {
		for x := range grid {
			i := y*grid + x
			if cv.part[i] >= 0 {
				continue
			}
			front, at := -1, 0
			for _, d := range cross {
				if n := cv.owner(x+d[0], y+d[1]); n > front {
					front, at = n, (y+d[1])*grid+x+d[0]
				}
			}
			if front < 0 {
				continue
			}
			cv.edge[i] = true
			cv.tone[i] = cv.line[at].at(edge)
			if p.parts[front].glows || cv.facing(x, y, solid) {
				cv.tone[i].step = dark
			}
		}
	}
}

// facing reports whether x, y is on the lit side of the parts for which in(part) is true.
func (cv *canvas) facing(x, y int, in func(part int) bool) bool {
	sx, sy := 0.0, 0.0
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			if n := cv.owner(x+dx, y+dy); n >= 0 && in(n) {
				sx, sy = sx+float64(dx), sy+float64(dy)
			}
		}
	}
	return sx*0.62+sy*0.78 > 0.45*max(absf(sx), absf(sy)) && sx*sx+sy*sy > 0
}

// rim lightens the pixels along the right edge, which is in shadow.
func (cv *canvas) rim() {
	was := *cv
	for y := range grid {
		for x := range grid {
			i := y*grid + x
			if was.part[i] < 0 || !was.at(x+1, y) || was.owner(x-1, y) < 0 || was.owner(x-2, y) < 0 || was.owner(x-3, y) < 0 {
				continue
			}
			cv.tone[i].step = min(max(was.tone[i].step+2, light), shine)
		}
	}
}

func (cv *canvas) at(x, y int) bool {
	return x >= 0 && y >= 0 && x < grid && y < grid && cv.edge[y*grid+x]
}

func (cv *canvas) owner(x, y int) int {
	if x < 0 || y < 0 || x >= grid || y >= grid {
		return -1
	}
	return cv.part[y*grid+x]
}
