package main

import "math"

// Creatures are built of shapes. A shape gives, for every point of the grid, the distance from its
// edge and the height of its form there, towards the viewer. Parts turn these into light and
// shadow. Coordinates are grid pixels, x to the right and y down. Angles are in degrees, clockwise.
//
// Each family has a function that adds parts from back to front, and a value of type creature.
// An example:
//
//	func drawPuffin(p *pet, look int, c coat) {
//		if look == 1 {
//			p.resize(0.85)                                       // young: smaller body, same eyes
//		}
//		p.part(c.main, limb(60, 60, 5, 72, 52, 2)).dim()         // far tail, one step darker
//		body := p.part(c.main, fuse(5, oval(46, 52, 15, 18), oval(38, 32, 13, 12)))
//		body.mark(c.belly, oval(40, 56, 10, 13))                 // repaints, keeps the shading
//		if look >= 2 {
//			body.mark(c.trim, clip(bands(46, 50, 20, 7, 3), oval(54, 50, 10, 14)))
//		}
//		body.crease(dark, 30, 42, 38, 45, 46, 43)                // a drawn line, clipped to the body
//		p.part(c.main, limb(52, 46, 4, 56, 56, 3)).soft()        // near wing; no line on its lit side
//		p.part(c.trim, oval(40, 72, 5, 3), oval(52, 72, 5, 3))   // feet
//		p.eye(31, 27, eyeBig, c.eye)
//		p.eye(41, 27, eyeBig, c.eye)
//		p.stamp(34, 35, keys(c.trim), "lmd", ".d.")              // beak, pixel by pixel
//		p.anchor("crest", 38, 20)
//		p.anchor("tail", 72, 52)
//		p.anchor("heart", 44, 52)
//		p.anchor("feet", 46, 73)
//	}
//
//	var puffin = creature{
//		family: family{"shore-puffin", "Shore Puffin", "Two sentences of lore."},
//		draw:   drawPuffin,
//		looks: [3]look{
//			{"Shore Chick", coat{main: slate, belly: snow, trim: honey, eye: ink}, coat{…shiny…}},
//			…
//		},
//	}
//
// List the creature with those of its egg type, for example in blue.go. Say in the variable tempi
// how it moves. Everything else is automatic: volume, contact shadows, outlines, clean-up, the rim
// of light of shiny pets, and the shadow on the ground. To see the result, run:
//
//	go run ./packs/paint packs/meadow && petsupply pack sheet packs/meadow
type shape struct {
	x0, y0, x1, y1 float64                           // a box around the whole shape
	at             func(x, y float64) (d, z float64) // d is the distance to the edge, negative inside; z is the height
}

// near reports whether a pixel can be in the shape.
func (s shape) near(x, y int) bool {
	return float64(x) > s.x0-1 && float64(x) < s.x1 && float64(y) > s.y0-1 && float64(y) < s.y1
}

const everywhere = 200 // half the extent of shapes that have no end

func boundless(at func(x, y float64) (d, z float64)) shape {
	return shape{-everywhere, -everywhere, everywhere, everywhere, at}
}

// oval returns an ellipse around cx, cy.
func oval(cx, cy, rx, ry float64) shape {
	bulge := math.Min(rx, ry)
	return shape{cx - rx, cy - ry, cx + rx, cy + ry, func(x, y float64) (float64, float64) {
		px, py := (x-cx)/rx, (y-cy)/ry
		q := math.Hypot(px, py)
		if q < 1e-9 {
			return -bulge, bulge
		}
		d := q * (q - 1) / math.Hypot(px/rx, py/ry)
		if q >= 1 {
			return d, -d
		}
		return d, bulge * math.Sqrt(1-q*q)
	}}
}

// ovalAt returns an ellipse turned by deg.
func ovalAt(cx, cy, rx, ry, deg float64) shape { return turn(oval(cx, cy, rx, ry), cx, cy, deg) }

// limb returns a round tube along a smooth curve through x, y, radius triples.
func limb(xyr ...float64) shape {
	pts := smoothCurve(xyr, 3, false)
	s := shape{everywhere, everywhere, -everywhere, -everywhere, nil}
	for _, p := range pts {
		s.x0, s.y0 = math.Min(s.x0, p[0]-p[2]), math.Min(s.y0, p[1]-p[2])
		s.x1, s.y1 = math.Max(s.x1, p[0]+p[2]), math.Max(s.y1, p[1]+p[2])
	}
	s.at = func(x, y float64) (float64, float64) {
		best, z := math.Inf(1), 0.0
		for i := 1; i < len(pts); i++ {
			a, b := pts[i-1], pts[i]
			square, t := segment(x, y, a[0], a[1], b[0], b[1])
			dist, r := math.Sqrt(square), a[2]+(b[2]-a[2])*t
			if dist-r < best {
				best, z = dist-r, r-dist
				if dist < r {
					z = math.Sqrt(r*r - dist*dist)
				}
			}
		}
		return best, z
	}
	return s
}

// loop returns the area inside a closed smooth curve through x, y pairs. Its form rises at most six
// pixels towards the viewer.
func loop(xy ...float64) shape { return outlineOf(smoothCurve(xy, 2, true), 6) }

// poly returns a polygon through x, y pairs. round is the radius of its corners.
func poly(round float64, xy ...float64) shape {
	pts := make([][3]float64, len(xy)/2)
	for i := range pts {
		pts[i] = [3]float64{xy[2*i], xy[2*i+1]}
	}
	s := outlineOf(pts, 6)
	inner := s.at
	s.at = func(x, y float64) (float64, float64) {
		d, z := inner(x, y)
		return d - round, z + round
	}
	return grown(s, round)
}

// leafAt returns a pointed blade from its root at x0, y0 to its tip at x1, y1. It is w pixels wide.
// Seen from the root, its middle is bent to the left by bend pixels. Leaves, fins, feathers, ears
// and flames are such blades.
func leafAt(x0, y0, x1, y1, w, bend float64) shape {
	dx, dy := x1-x0, y1-y0
	n := math.Hypot(dx, dy)
	nx, ny := dy/n, -dx/n
	const steps = 12
	var left, right [][3]float64
	for i := 0; i <= steps; i++ {
		t := float64(i) / steps
		across := w / 2 * math.Pow(math.Sin(math.Pi*math.Pow(t, 0.75)), 0.85)
		if i == 0 || i == steps {
			across = 0
		}
		b := bend * 4 * t * (1 - t)
		cx, cy := x0+dx*t+nx*b, y0+dy*t+ny*b
		left = append(left, [3]float64{cx + nx*across, cy + ny*across})
		right = append(right, [3]float64{cx - nx*across, cy - ny*across})
	}
	for i := steps - 1; i > 0; i-- {
		left = append(left, right[i])
	}
	return outlineOf(left, 4)
}

// outlineOf makes a shape from a closed polygon. The argument high is how many pixels its form may
// rise towards the viewer.
func outlineOf(pts [][3]float64, high float64) shape {
	s := shape{everywhere, everywhere, -everywhere, -everywhere, nil}
	for _, p := range pts {
		s.x0, s.y0 = math.Min(s.x0, p[0]), math.Min(s.y0, p[1])
		s.x1, s.y1 = math.Max(s.x1, p[0]), math.Max(s.y1, p[1])
	}
	dist := func(x, y float64) float64 {
		best, in := math.Inf(1), false
		for i, j := 0, len(pts)-1; i < len(pts); j, i = i, i+1 {
			a, b := pts[j], pts[i]
			d, _ := segment(x, y, a[0], a[1], b[0], b[1])
			best = min(best, d)
			if (a[1] > y) != (b[1] > y) && x < (b[0]-a[0])*(y-a[1])/(b[1]-a[1])+a[0] {
				in = !in
			}
		}
		if in {
			return -math.Sqrt(best)
		}
		return math.Sqrt(best)
	}
	deepest := 1.0
	for y := s.y0; y <= s.y1; y++ {
		for x := s.x0; x <= s.x1; x++ {
			deepest = math.Max(deepest, -dist(x, y))
		}
	}
	r := math.Min(deepest, high)
	s.at = func(x, y float64) (float64, float64) {
		d := dist(x, y)
		if d >= 0 {
			return d, -d
		}
		k := r - math.Min(-d, r)
		return d, math.Sqrt(r*r - k*k)
	}
	return s
}

// segment returns the squared distance from x, y to the segment from ax, ay to bx, by. t says where
// the nearest point of the segment is, from 0 (at a) to 1 (at b).
func segment(x, y, ax, ay, bx, by float64) (square, t float64) {
	dx, dy := bx-ax, by-ay
	if n := dx*dx + dy*dy; n > 0 {
		t = max(0, min(1, ((x-ax)*dx+(y-ay)*dy)/n))
	}
	x, y = x-ax-dx*t, y-ay-dy*t
	return x*x + y*y, t
}

// smoothCurve returns points along a Catmull-Rom curve. v has the points that the curve passes
// through, each of dim numbers.
func smoothCurve(v []float64, dim int, closed bool) [][3]float64 {
	n := len(v) / dim
	get := func(i int) (p [3]float64) {
		if closed {
			i = (i + n) % n
		} else {
			i = min(max(i, 0), n-1)
		}
		copy(p[:], v[i*dim:(i+1)*dim])
		return p
	}
	spans, steps := n-1, 8
	if closed {
		spans = n
	}
	var out [][3]float64
	for i := range spans {
		a, b, c, d := get(i-1), get(i), get(i+1), get(i+2)
		for k := range steps {
			t := float64(k) / float64(steps)
			var p [3]float64
			for j := range dim {
				p[j] = 0.5 * (2*b[j] + (c[j]-a[j])*t + (2*a[j]-5*b[j]+4*c[j]-d[j])*t*t + (3*b[j]-a[j]-3*c[j]+d[j])*t*t*t)
			}
			out = append(out, p)
		}
	}
	if !closed {
		out = append(out, get(n-1))
	}
	return out
}
