package main

import "math"

// cells say, for each pixel of the grid, whether a part covers it, and with which step of its ramp.
type cells struct {
	in   [grid * grid]bool
	step [grid * grid]int8
}

func (c *cells) has(x, y int) bool {
	return x >= 0 && y >= 0 && x < grid && y < grid && c.in[y*grid+x]
}

// The light comes from the upper left, in front of the picture.
const lightX, lightY, lightZ = -0.44, -0.56, 0.70

// fill finds the part's pixels and the step of its ramp for each.
func (q *part) fill() {
	q.cells = &cells{}
	x0, y0 := max(floor(q.shape.x0)-1, 0), max(floor(q.shape.y0)-1, 0)
	x1, y1 := min(floor(q.shape.x1)+2, grid), min(floor(q.shape.y1)+2, grid)
	z := newHeights()
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			d, h := q.shape.at(float64(x)+0.5, float64(y)+0.5)
			q.cells.in[y*grid+x] = d < 0
			z[y*grid+x] = math.Max(h, -1.5)
		}
	}
	if !q.spiky {
		q.cells.trim()
	}
	z = z.blurred(q.cells)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			if q.cells.in[y*grid+x] {
				v := z.lit(x, y, q.bulge) + q.lean(x, y)
				q.cells.step[y*grid+x] = int8(q.band(v))
			}
		}
	}
	q.cells.settle()
}

// lean returns how much lighter the part is at a pixel because of the pixel's place. The part gets
// darker towards its lower right, so that wide forms are never lit evenly.
func (q *part) lean(x, y int) float64 {
	s := q.shape
	dx := (float64(x) - (s.x0+s.x1)/2) / (s.x1 - s.x0)
	dy := (float64(y) - (s.y0+s.y1)/2) / (s.y1 - s.y0)
	return q.tilt * (-0.18*dx - 0.26*dy)
}

// band turns brightness into a step of the ramp.
func (q *part) band(v float64) int {
	step := dark
	switch {
	case q.gloss > 0 && v > 1.10-0.13*q.gloss:
		step = shine
	case v > 0.82:
		step = light
	case v > 0.34:
		step = mid
	}
	if q.glows {
		step = max(step, mid)
	}
	return min(max(step+q.shift, edge), shine)
}

// heights are the relief of a part.
type heights []float64

func newHeights() heights {
	z := make(heights, grid*grid)
	for i := range z {
		z[i] = -1.5
	}
	return z
}

func (z heights) at(x, y int) float64 {
	if x < 0 || y < 0 || x >= grid || y >= grid {
		return -1.5
	}
	return z[y*grid+x]
}

// blurred softens ridges inside the part.
func (z heights) blurred(c *cells) heights {
	out := newHeights()
	copy(out, z)
	for y := range grid {
		for x := range grid {
			if !c.in[y*grid+x] {
				continue
			}
			sum, n := 0.0, 0.0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if c.has(x+dx, y+dy) {
						sum, n = sum+z.at(x+dx, y+dy), n+1
					}
				}
			}
			out[y*grid+x] = sum / n
		}
	}
	return out
}

// lit returns how much light falls on a pixel: 1 if the pixel faces the light, and less than 0 if
// it faces away.
func (z heights) lit(x, y int, bulge float64) float64 {
	gx := (z.at(x+1, y-1) + 2*z.at(x+1, y) + z.at(x+1, y+1) - z.at(x-1, y-1) - 2*z.at(x-1, y) - z.at(x-1, y+1)) / 8 * bulge
	gy := (z.at(x-1, y+1) + 2*z.at(x, y+1) + z.at(x+1, y+1) - z.at(x-1, y-1) - 2*z.at(x, y-1) - z.at(x+1, y-1)) / 8 * bulge
	v := (-gx*lightX - gy*lightY + lightZ) / math.Sqrt(gx*gx+gy*gy+1)
	return math.Round(v*4096) / 4096 // rounded, so that every machine gets the same step
}

func floor(v float64) int { return int(math.Floor(v)) }

func absf(v float64) float64 { return math.Abs(v) }

func abs(v int) int { return max(v, -v) }
