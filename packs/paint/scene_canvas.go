package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"
)

// plateSide is the width and height of a plate in pixels.
const plateSide = grid

// A plate is a drawing of the size of a whole picture. Its colours are named by single letters,
// called inks, so that hand-made pixel maps and shapes share one small palette.
type plate struct {
	img  *image.NRGBA
	inks map[byte]color.NRGBA
}

// newPlate returns an empty plate. inks has pairs of a letter and a colour:
// "a 9bd4e8 b 6fb0d0".
func newPlate(inks string) *plate {
	return sizedPlate(plateSide, plateSide, inks)
}

// sizedPlate returns an empty plate of w×h pixels.
func sizedPlate(w, h int, inks string) *plate {
	p := &plate{image.NewNRGBA(image.Rect(0, 0, w, h)), map[byte]color.NRGBA{}}
	f := strings.Fields(inks)
	for i := 0; i+1 < len(f); i += 2 {
		if _, taken := p.inks[f[i][0]]; taken || len(f[i]) != 1 || len(f[i+1]) != 6 {
			panic("ink " + f[i] + " " + f[i+1] + " is named twice or misspelt")
		}
		p.inks[f[i][0]] = inkOf(f[i+1])
	}
	return p
}

// inkOf reads a colour written as six hex digits.
func inkOf(hex string) color.NRGBA {
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		panic(fmt.Sprintf("colour %q: %v", hex, err))
	}
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// dot paints one pixel in ink c. If c is '.' or ' ', the pixel stays as it is. If c is '!', the
// pixel becomes transparent.
func (p *plate) dot(x, y int, c byte) {
	switch c {
	case '.', ' ':
		return
	case '!':
		p.img.SetNRGBA(x, y, color.NRGBA{})
		return
	}
	ink, ok := p.inks[c]
	if !ok {
		panic(fmt.Sprintf("no ink %q", c))
	}
	p.img.SetNRGBA(x, y, ink)
}

// is reports whether the pixel has the ink c.
func (p *plate) is(x, y int, c byte) bool { return p.img.NRGBAAt(x, y) == p.inks[c] }

// letter returns the ink of a pixel, or '.' if it has none.
func (p *plate) letter(x, y int) byte {
	for c := range p.inks {
		if p.is(x, y, c) {
			return c
		}
	}
	return '.'
}

// row draws from x0 to x1, both included.
func (p *plate) row(x0, x1, y int, c byte) { p.box(x0, y, x1, y, c) }

// col draws from y0 to y1, both included.
func (p *plate) col(x, y0, y1 int, c byte) { p.box(x, y0, x, y1, c) }

// box fills a rectangle. x1, y1 is included.
func (p *plate) box(x0, y0, x1, y1 int, c byte) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			p.dot(x, y, c)
		}
	}
}

// line draws a line with one pixel in each column, or in each row if the line is steep.
func (p *plate) line(x0, y0, x1, y1 int, c byte) {
	n := max(x1-x0, x0-x1, y1-y0, y0-y1)
	if n == 0 {
		p.dot(x0, y0, c)
		return
	}
	for i := 0; i <= n; i++ {
		t := float64(i) / float64(n)
		p.dot(x0+int(math.Round(float64(x1-x0)*t)), y0+int(math.Round(float64(y1-y0)*t)), c)
	}
}

// stamp draws a pixel map, one line of text for each row. It drops all tabs, and empty lines at the
// beginning and the end, so maps can be indented in the source.
func (p *plate) stamp(x, y int, art string) {
	for j, line := range stampRows(art) {
		for i := range len(line) {
			p.dot(x+i, y+j, line[i])
		}
	}
}

// flip draws a pixel map mirrored left to right. x is still its left edge.
func (p *plate) flip(x, y int, art string) {
	for j, line := range stampRows(art) {
		for i := range len(line) {
			p.dot(x+len(line)-1-i, y+j, line[i])
		}
	}
}

func stampRows(art string) []string {
	art = strings.Trim(strings.ReplaceAll(art, "\t", ""), "\n")
	return strings.Split(art, "\n")
}

// at stamps the same map at many places, given as x, y pairs.
func (p *plate) at(art string, xy ...int) {
	for i := 0; i+1 < len(xy); i += 2 {
		p.stamp(xy[i], xy[i+1], art)
	}
}

// fill paints every pixel of the stencil.
func (p *plate) fill(s stencil, c byte) {
	for i, on := range s {
		if on {
			p.dot(i%plateSide, i/plateSide, c)
		}
	}
}

// over paints the pixels of the stencil, but only where the plate has one of the inks in the string
// "under".
func (p *plate) over(s stencil, under string, c byte) {
	for i, on := range s {
		if !on {
			continue
		}
		for j := range len(under) {
			if p.is(i%plateSide, i/plateSide, under[j]) {
				p.dot(i%plateSide, i/plateSide, c)
				break
			}
		}
	}
}

// sky fills the plate down to y1 with bands. The string bands has the ink of each band, and starts
// has the row where it begins. In the last four rows of a band, up to three quarters of the pixels
// have the ink of the next band.
func (p *plate) sky(y1 int, bands string, starts ...int) {
	for i := range len(bands) {
		end := y1
		if i+1 < len(bands) {
			end = starts[i+1] - 1
		}
		for y := starts[i]; y <= end; y++ {
			for x := range plateSide {
				p.dot(x, y, bands[i])
				if i+1 < len(bands) && skyMixed(x, y, end) {
					p.dot(x, y, bands[i+1])
				}
			}
		}
	}
}

// skyMixed reports whether a pixel already has the ink of the next band. end is the last row of the
// pixel's own band. Only its last four rows have such pixels: at most a quarter of the first and
// second of them, half of the third, and half or three quarters of the fourth.
func skyMixed(x, y, end int) bool {
	switch end - y {
	case 0, 1:
		return (x+y)%2 == 0 || (end == y && x%4 == (y*2+1)%4)
	case 2, 3:
		return (x+y)%2 == 0 && (x+2*(y%2))%4 == 0
	}
	return false
}
