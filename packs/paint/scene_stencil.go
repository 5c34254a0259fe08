package main

import "math"

// A stencil is the set of pixels of a plate that a shape covers. Set operations give its shading.
// For example, the lit edge of a shape is the shape minus a copy that is moved down and right.
type stencil []bool

// cut has the functions that make stencils, such as cut.oval.
const cut cutter = 0

type cutter int

func newStencil() stencil { return make(stencil, plateSide*plateSide) }

// has reports whether the pixel belongs to s. Pixels outside the plate do not.
func (s stencil) has(x, y int) bool {
	return x >= 0 && y >= 0 && x < plateSide && y < plateSide && s[y*plateSide+x]
}

// stencilOf returns the pixels for which in(x, y) is true at their centre.
func stencilOf(in func(x, y float64) bool) stencil {
	s := newStencil()
	for i := range s {
		s[i] = in(float64(i%plateSide)+.5, float64(i/plateSide)+.5)
	}
	return s
}

// oval returns an ellipse around cx, cy.
func (cutter) oval(cx, cy, rx, ry float64) stencil {
	return stencilOf(func(x, y float64) bool {
		dx, dy := (x-cx)/rx, (y-cy)/ry
		return dx*dx+dy*dy <= 1
	})
}

// ovals returns the union of discs given as x, y, radius triples.
func (cutter) ovals(xyr ...float64) stencil {
	s := newStencil()
	for i := 0; i+2 < len(xyr); i += 3 {
		s = s.or(cut.oval(xyr[i], xyr[i+1], xyr[i+2], xyr[i+2]))
	}
	return s
}

// poly returns a filled polygon through x, y pairs.
func (cutter) poly(xy ...float64) stencil {
	return stencilOf(func(x, y float64) bool {
		in := false
		for i, j := 0, len(xy)-2; i < len(xy); j, i = i, i+2 {
			if (xy[i+1] > y) != (xy[j+1] > y) &&
				x < (xy[j]-xy[i])*(y-xy[i+1])/(xy[j+1]-xy[i+1])+xy[i] {
				in = !in
			}
		}
		return in
	})
}

// land returns everything under a skyline through x, y pairs given left to right.
func (cutter) land(xy ...float64) stencil {
	return stencilOf(func(x, y float64) bool {
		for i := 0; i+3 < len(xy); i += 2 {
			if x >= xy[i] && x < xy[i+2] {
				t := (x - xy[i]) / (xy[i+2] - xy[i])
				return y >= xy[i+1]+(xy[i+3]-xy[i+1])*t
			}
		}
		return false
	})
}

// downs is like land, but the skyline is a smooth curve.
func (cutter) downs(xy ...float64) stencil {
	return stencilOf(func(x, y float64) bool {
		for i := 0; i+3 < len(xy); i += 2 {
			if x >= xy[i] && x < xy[i+2] {
				t := (x - xy[i]) / (xy[i+2] - xy[i])
				t = (1 - math.Cos(t*math.Pi)) / 2
				return y >= xy[i+1]+(xy[i+3]-xy[i+1])*t
			}
		}
		return false
	})
}

// rect returns a filled rectangle. x1, y1 is included.
func (cutter) rect(x0, y0, x1, y1 int) stencil {
	return stencilOf(func(x, y float64) bool {
		return int(x) >= x0 && int(x) <= x1 && int(y) >= y0 && int(y) <= y1
	})
}

func (s stencil) or(t stencil) stencil {
	return s.join(t, func(a, b bool) bool { return a || b })
}

func (s stencil) and(t stencil) stencil {
	return s.join(t, func(a, b bool) bool { return a && b })
}

func (s stencil) minus(t stencil) stencil {
	return s.join(t, func(a, b bool) bool { return a && !b })
}

func (s stencil) join(t stencil, keep func(a, b bool) bool) stencil {
	u := newStencil()
	for i := range u {
		u[i] = keep(s[i], t[i])
	}
	return u
}

// move shifts the shape. Pixels that leave the plate are lost.
func (s stencil) move(dx, dy int) stencil {
	t := newStencil()
	for i := range t {
		t[i] = s.has(i%plateSide-dx, i/plateSide-dy)
	}
	return t
}

// rim returns the pixels of s that are not in a copy of s that is moved by dx, dy.
func (s stencil) rim(dx, dy int) stencil { return s.minus(s.move(dx, dy)) }

// grown returns s and every pixel that shares a side with a pixel of s.
func (s stencil) grown() stencil {
	return s.or(s.move(1, 0)).or(s.move(-1, 0)).or(s.move(0, 1)).or(s.move(0, -1))
}

// shrunk returns s without the pixels that share a side with a pixel outside s.
func (s stencil) shrunk() stencil {
	return s.and(s.move(1, 0)).and(s.move(-1, 0)).and(s.move(0, 1)).and(s.move(0, -1))
}

// lens returns a pointed oval between two points. thick is its width in the middle.
func (cutter) lens(x0, y0, x1, y1, thick float64) stencil {
	dx, dy := x1-x0, y1-y0
	c := math.Hypot(dx, dy)
	r := (c*c/4 + thick*thick/4) / thick
	off := r - thick/2
	mx, my := (x0+x1)/2, (y0+y1)/2
	nx, ny := -dy/c*off, dx/c*off
	return cut.oval(mx+nx, my+ny, r, r).and(cut.oval(mx-nx, my-ny, r, r))
}
