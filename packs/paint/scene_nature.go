package main

import "math"

// leafy returns a disc with a scalloped edge, for foliage.
func (cutter) leafy(cx, cy, rx, ry float64) stencil {
	s := cut.oval(cx, cy, rx-1, ry-1)
	n := int(math.Round((rx + ry) * 1.1))
	for i := range n {
		a := 2*math.Pi*float64(i)/float64(n) + cx*.7
		s = s.or(cut.oval(cx+math.Cos(a)*(rx-1.4), cy+math.Sin(a)*(ry-1.4), 1.7, 1.5))
	}
	return s
}

// crown paints foliage. tufts are x, y, radius triples from back to front, each shaded as a clump.
// inks are dark, mid, light, bright.
func (p *plate) crown(inks string, tufts ...float64) {
	for i := 0; i+2 < len(tufts); i += 3 {
		x, y, r := tufts[i], tufts[i+1], tufts[i+2]
		p.fill(cut.leafy(x, y, r, r*.9), inks[0])
		p.fill(cut.leafy(x-r*.12, y-r*.16, r*.84, r*.72), inks[1])
		if r > 3 {
			p.fill(cut.leafy(x-r*.28, y-r*.36, r*.55, r*.42), inks[2])
		}
		if r > 4.5 && len(inks) > 3 {
			p.fill(cut.oval(x-r*.42, y-r*.52, r*.26, r*.18), inks[3])
		}
	}
}

// cloud draws a heap of discs with a flat base. puffs are x, y, radius triples, flat is the lowest
// row, and inks are shade, body, light.
func (p *plate) cloud(inks string, flat int, puffs ...float64) {
	s := cut.ovals(puffs...).and(cut.rect(0, 0, plateSide-1, flat))
	p.fill(s, inks[0])
	p.fill(s.and(s.move(-1, -2)), inks[1])
	for i := 0; i+2 < len(puffs); i += 3 {
		x, y, r := puffs[i], puffs[i+1], puffs[i+2]
		lit := cut.oval(x, y, r, r).minus(cut.oval(x+r*.35, y+r*.5, r*1.02, r))
		p.fill(lit.and(s), inks[2])
	}
}

// hill fills s, the land under a skyline, and lights its upper edge. inks are body, light.
func (p *plate) hill(s stencil, inks string) {
	p.fill(s, inks[0])
	p.fill(s.rim(0, 1), inks[1])
}

// fir draws a conifer, h rows tall, with its tip at x, y. The top of each tier of boughs is
// narrower than the bottom of the tier above. inks are dark, mid, light.
func (p *plate) fir(x, y, h int, inks string) {
	tier := 3
	if h > 10 {
		tier = 4
	}
	for j := range h {
		w := int(math.Round(float64(j/tier)*1.1 + float64(j%tier)*.75))
		for i := -w; i <= w; i++ {
			c := inks[1]
			switch {
			case i > w/3 && i > 0 || j%tier == 0 && j > 0 && i >= 0:
				c = inks[0]
			case i < 0 && i <= -w+1 && j%tier > 0:
				c = inks[2]
			}
			p.dot(x+i, y+j, c)
		}
	}
}

// beam draws a shaft of light. Inside s, each ink from[i] becomes to[i].
func (p *plate) beam(s stencil, from, to string) {
	for i, on := range s {
		if !on {
			continue
		}
		x, y := i%plateSide, i/plateSide
		for j := range len(from) {
			if p.is(x, y, from[j]) {
				p.dot(x, y, to[j])
				break
			}
		}
	}
}

// dashes draws short horizontal strokes, given as x, y, length triples.
func (p *plate) dashes(c byte, xyn ...int) {
	for i := 0; i+2 < len(xyn); i += 3 {
		p.row(xyn[i], xyn[i]+xyn[i+2]-1, xyn[i+1], c)
	}
}

// trim clears everything outside the card (see cardStencil).
func (p *plate) trim() *plate {
	card := cardStencil()
	for i, in := range card {
		if !in {
			p.dot(i%plateSide, i/plateSide, '!')
		}
	}
	return p
}
