package main

// trim removes single-pixel bumps from the part's edge and fills single-pixel notches, so that
// curves are smooth.
func (c *cells) trim() {
	for range 2 {
		was := c.in
		old := cells{in: was}
		for y := range grid {
			for x := range grid {
				n := 0
				for _, d := range cross {
					if old.has(x+d[0], y+d[1]) {
						n++
					}
				}
				switch {
				case was[y*grid+x] && n <= 1:
					c.in[y*grid+x] = false
				case !was[y*grid+x] && n >= 3:
					c.in[y*grid+x] = true
				}
			}
		}
	}
}

// settle changes a pixel if fewer than three of its neighbours have the same step of the ramp. The
// pixel gets the step of most neighbours, so that light falls in clear bands.
func (c *cells) settle() {
	for range 3 {
		was := c.step
		for y := range grid {
			for x := range grid {
				if !c.in[y*grid+x] {
					continue
				}
				var n [5]int
				for _, d := range around {
					if c.has(x+d[0], y+d[1]) {
						n[was[(y+d[1])*grid+x+d[0]]]++
					}
				}
				if mine := was[y*grid+x]; n[mine] < 3 {
					c.step[y*grid+x] = int8(most(n, int(mine)))
				}
			}
		}
	}
}

// most returns the step that most neighbours have, or own if no other step is more frequent. n[s]
// is the number of neighbours with step s.
func most(n [5]int, own int) int {
	best := own
	for s, k := range n {
		if k > n[best] {
			best = s
		}
	}
	return best
}

// calm removes marks of one pixel and gaps of one pixel between marks.
func calm(in []bool, c *cells) {
	was := append([]bool(nil), in...)
	for y := range grid {
		for x := range grid {
			n, all := 0, 0
			for _, d := range cross {
				if c.has(x+d[0], y+d[1]) {
					all++
					if was[(y+d[1])*grid+x+d[0]] {
						n++
					}
				}
			}
			if i := y*grid + x; was[i] && n == 0 {
				in[i] = false
			} else if !was[i] && all > 2 && n == all {
				in[i] = true
			}
		}
	}
}

var (
	cross  = [4][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}
	around = [8][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}
)
