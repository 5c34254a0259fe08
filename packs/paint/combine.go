package main

import "math"

// fuse melts shapes into one form. The seam is rounded by k pixels.
func fuse(k float64, shapes ...shape) shape {
	s := bounds(shapes)
	s.at = func(x, y float64) (float64, float64) {
		d, z := shapes[0].at(x, y)
		for _, o := range shapes[1:] {
			od, oz := o.at(x, y)
			d, z = -softMax(-d, -od, k), softMax(z, oz, k)
		}
		return d, z
	}
	return grown(s, k/4)
}

// join makes one form of several shapes, with sharp seams.
func join(shapes ...shape) shape {
	s := bounds(shapes)
	s.at = func(x, y float64) (float64, float64) {
		d, z := shapes[0].at(x, y)
		for _, o := range shapes[1:] {
			od, oz := o.at(x, y)
			d, z = math.Min(d, od), math.Max(z, oz)
		}
		return d, z
	}
	return s
}

// clip returns the intersection of a and b, with the height of a.
func clip(a, b shape) shape {
	return shape{math.Max(a.x0, b.x0), math.Max(a.y0, b.y0), math.Min(a.x1, b.x1), math.Min(a.y1, b.y1),
		func(x, y float64) (float64, float64) {
			d, z := a.at(x, y)
			bd, _ := b.at(x, y)
			return math.Max(d, bd), z
		}}
}

// without returns a minus b, with the height of a.
func without(a, b shape) shape {
	s := a
	s.at = func(x, y float64) (float64, float64) {
		d, z := a.at(x, y)
		bd, _ := b.at(x, y)
		return math.Max(d, -bd), z
	}
	return s
}

// turn rotates a shape around cx, cy by deg clockwise.
func turn(s shape, cx, cy, deg float64) shape {
	sin, cos := math.Sincos(deg * math.Pi / 180)
	out := shape{everywhere, everywhere, -everywhere, -everywhere, nil}
	for _, c := range [][2]float64{{s.x0, s.y0}, {s.x1, s.y0}, {s.x0, s.y1}, {s.x1, s.y1}} {
		dx, dy := c[0]-cx, c[1]-cy
		x, y := cx+dx*cos-dy*sin, cy+dx*sin+dy*cos
		out.x0, out.y0 = math.Min(out.x0, x), math.Min(out.y0, y)
		out.x1, out.y1 = math.Max(out.x1, x), math.Max(out.y1, y)
	}
	out.at = func(x, y float64) (float64, float64) {
		dx, dy := x-cx, y-cy
		return s.at(cx+dx*cos+dy*sin, cy-dx*sin+dy*cos)
	}
	return out
}

// flip mirrors a shape at the vertical line through cx.
func flip(s shape, cx float64) shape {
	return shape{2*cx - s.x1, s.y0, 2*cx - s.x0, s.y1, func(x, y float64) (float64, float64) { return s.at(2*cx-x, y) }}
}

// move shifts a shape.
func move(s shape, dx, dy float64) shape {
	return shape{s.x0 + dx, s.y0 + dy, s.x1 + dx, s.y1 + dy,
		func(x, y float64) (float64, float64) { return s.at(x-dx, y-dy) }}
}

// grow makes a shape larger by n pixels all around, or smaller if n is negative.
func grow(s shape, n float64) shape {
	out := grown(s, math.Max(n, 0))
	out.at = func(x, y float64) (float64, float64) {
		d, z := s.at(x, y)
		return d - n, z + n
	}
	return out
}

// bands returns endless stripes through x, y at deg degrees. wide is the width of a stripe, and
// period the distance from one stripe to the next, in pixels. Use them in marks, and clip them.
func bands(x, y, deg, period, wide float64) shape {
	sin, cos := math.Sincos(deg * math.Pi / 180)
	return boundless(func(px, py float64) (float64, float64) {
		t := (py-y)*cos - (px-x)*sin
		t -= period * math.Round(t/period)
		return math.Abs(t) - wide/2, 0
	})
}

// rings returns circular bands around x, y. first is the radius of the innermost; period and wide
// are as in bands.
func rings(x, y, first, period, wide float64) shape {
	return boundless(func(px, py float64) (float64, float64) {
		t := math.Hypot(px-x, py-y) - first
		if t > 0 {
			t -= period * math.Round(t/period)
		}
		return math.Abs(t) - wide/2, 0
	})
}

// wavy gives a shape a wavy edge. amp is the height of the waves and length their length, in
// pixels.
func wavy(s shape, amp, length float64) shape {
	s = grown(s, amp)
	at := s.at
	s.at = func(x, y float64) (float64, float64) {
		return at(x+amp*math.Sin(2*math.Pi*y/length), y+amp*math.Cos(2*math.Pi*x/length))
	}
	return s
}

// dots returns circles of radius r at x, y pairs.
func dots(r float64, xy ...float64) shape {
	var all []shape
	for i := 0; i+1 < len(xy); i += 2 {
		all = append(all, oval(xy[i], xy[i+1], r, r))
	}
	return join(all...)
}

// below returns everything under the line through x, y at deg degrees. At 180 degrees this is
// everything above the line.
func below(x, y, deg float64) shape {
	sin, cos := math.Sincos(deg * math.Pi / 180)
	return boundless(func(px, py float64) (float64, float64) { return (px-x)*sin - (py-y)*cos, 0 })
}

func softMax(a, b, k float64) float64 {
	if k <= 0 {
		return math.Max(a, b)
	}
	h := math.Max(k-math.Abs(a-b), 0) / k
	return math.Max(a, b) + h*h*k/4
}

func bounds(shapes []shape) shape {
	s := shapes[0]
	for _, o := range shapes[1:] {
		s.x0, s.y0 = math.Min(s.x0, o.x0), math.Min(s.y0, o.y0)
		s.x1, s.y1 = math.Max(s.x1, o.x1), math.Max(s.y1, o.y1)
	}
	return s
}

func grown(s shape, n float64) shape {
	s.x0, s.y0, s.x1, s.y1 = s.x0-n, s.y0-n, s.x1+n, s.y1+n
	return s
}
