package main

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strings"
)

// Each scene has one quiet motion, whose last step leads back to the first.

var (
	slowly   = quarters(0, 1, 0, 2) // to one side and back, then to the other side and back
	steadily = quarters(0, 1, 2, 3) // four steps in order
)

// quarters returns which picture each frame shows. Each of the given pictures is shown for a
// quarter of the movement.
func quarters(pictures ...int) (play []int) {
	for _, n := range pictures {
		play = append(play, slices.Repeat([]int{n}, quarter)...)
	}
	return play
}

// floating is the closed path of a light in the air.
var floating = [4][2]int{{}, {1, -1}, {1, 0}, {0, 1}}

// swing is the sideways path of something that hangs.
var swing = [4]int{0, 1, 0, -1}

// drift moves the pixels of some inks in a box: to the right at step 1, to the left at step 2. All
// other pixels stay.
func (p *plate) drift(box image.Rectangle, inks string, step int) {
	by := []int{0, 1, -1}[step]
	was := image.NewNRGBA(p.img.Rect)
	copy(was.Pix, p.img.Pix)
	loose := func(c color.NRGBA) bool {
		return strings.ContainsFunc(inks, func(ink rune) bool { return p.inks[byte(ink)] == c })
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if c := was.NRGBAAt(x-by, y); loose(c) && loose(was.NRGBAAt(x, y)) {
				p.img.SetNRGBA(x, y, c)
			}
		}
	}
}

// Things that drift: the moon's reflection on the water, the lava, and the wheat.
func moonPath(p *plate, step int) { p.drift(image.Rect(12, 54, 36, 67), "wxyzZ", step) }
func lavaFlow(p *plate, step int) { p.drift(image.Rect(6, 57, 84, 64), "lmnop", step) }
func wheat(p *plate, step int)    { p.drift(image.Rect(5, 55, 85, 60), "fghk", step) }

// sails draws the sails of the mill. Each step turns them by a sixteenth of a circle.
func sails(p *plate, step int) {
	const x, y, long = 15.5, 28.5, 10.0
	dot := func(r, side, turn float64, ink byte) {
		sin, cos := math.Sincos(turn)
		p.dot(floor(x+r*cos-side*sin), floor(y+r*sin+side*cos), ink)
	}
	for arm := range 4 {
		turn := (float64(arm)/2 + 0.25 + float64(step)/8) * math.Pi
		for r := 3.0; r <= long; r += 0.5 {
			dot(r, 1.2, turn, 'n')
			dot(r, -1.2, turn, 'm')
		}
		for r := 0.0; r <= long; r += 0.5 {
			dot(r, 0, turn, 'm')
		}
	}
	p.box(15, 28, 16, 29, 'x')
}

// motes draws specks that float in the light between the trees.
func motes(p *plate, step int) {
	for i, at := range [][2]int{{27, 26}, {61, 36}, {31, 47}, {55, 17}, {63, 51}, {37, 15}, {24, 38}} {
		by := floating[(i+step)%4]
		p.dot(at[0]+by[0], at[1]+by[1], 'y')
		p.dot(at[0]+by[0]+1, at[1]+by[1], 'z')
	}
}

// snowing draws flakes. In four steps, each flake falls to where the flake below it began. So the
// first picture follows the last one without a jump.
func snowing(p *plate, step int) {
	const apart, fall = 16, 4
	for lane := range 10 {
		for y := 2 + lane*11%apart + fall*step - apart; y < 66; y += apart {
			p.dot(11+lane*8+lane*5%4+swing[(lane+step)%4], y, 'w')
		}
	}
}

// falling draws light on the waterfall: dashes that fall as the flakes do in the function snowing.
func falling(p *plate, step int) {
	const apart, fall = 16, 4
	for x := 12; x < 24; x += 3 {
		for y := x*11%apart + fall*step; y < 56; y += apart {
			for dy := range 5 {
				if y+dy > 13 && y+dy < 56 && strings.IndexByte("vwWu", p.letter(x, y+dy)) >= 0 {
					p.dot(x, y+dy, "uvWWW"[dy])
				}
			}
		}
	}
}

// nightWatch draws the campfire, and turns some stars off for a moment.
func nightWatch(p *plate, step int) {
	was := image.NewNRGBA(p.img.Rect)
	copy(was.Pix, p.img.Pix)
	for y := 1; y < grid-1; y++ {
		for x := 1; x < grid-1; x++ {
			if step > 0 && lights(was, x, y) && (x*5+y*3)%3 == step-1 {
				p.img.SetNRGBA(x, y, was.NRGBAAt(x-1, y))
			}
		}
	}
	p.campfire(68, 55, step)
}

// lights reports whether a pixel is a light: much brighter than the pixels around it.
func lights(img *image.NRGBA, x, y int) bool {
	const brighter = 28
	bright := func(x, y int) int {
		c := img.NRGBAAt(x, y)
		return (2*int(c.R) + 5*int(c.G) + int(c.B)) / 8
	}
	own := bright(x, y)
	for _, d := range cross {
		if img.NRGBAAt(x+d[0], y+d[1]).A == 0 || own < bright(x+d[0], y+d[1])+brighter {
			return false
		}
	}
	return true
}
