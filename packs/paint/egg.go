package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"sync"
)

// An eggKind is the look of one egg type: a shell and the motif painted on it, plain and shiny.
// Their colours go from outline to highlight.
type eggKind struct {
	name         string
	shell, paint [2]string            // plain and shiny; a shell has six colours, paint four
	motif        func(e eggPoint) int // 0 shell, 1 paint, 2 lighter paint, 3 engraving
	form         eggForm
	extra        func(p *plate) // draws what sticks out of the shell
}

// An eggForm is the outline of an egg: its width and height, how round it is (2 is an ellipse, more
// is squarer, less is more pointed), and how much wider it is below than above.
type eggForm struct{ w, h, round, heavy float64 }

// y returns the height of the middle of the egg, whose foot is on the ground.
func (f eggForm) y() float64 { return 72.8 - f.h }

// crackY returns how much lower a crack is than that of an egg of the usual height.
func (f eggForm) crackY() int { return int(math.Round((f.y() - f.h - 23.6) * 0.8)) }

// An eggPoint is a place on the shell. u is the longitude: 0 in the middle and ±1.57 at the edges.
// v is the height: -1 at the tip and 1 at the base.
type eggPoint struct{ u, v float64 }

// The egg leans a little to the right and rests on the ground line.
const (
	eggX          = 45.0
	eggLean       = 0.12
	eggGroundLine = 72
)

// eggKinds returns the egg types in the order of their trait value.
func eggKinds() []eggKind {
	return []eggKind{eggBlue, eggGrey, eggGreen, eggYellow, eggGolden}
}

// eggs returns the layers of unrevealed pets, and the egg that is drawn for unknown appearances.
func eggs() []layer {
	var out []layer
	for e, k := range eggKinds() {
		for _, shiny := range []int{0, 1} {
			for rarity := range 5 {
				file := fmt.Sprintf("pet/%s-0", eggValues[e])
				if rarity > 0 {
					file += "-" + rarityValues[rarity]
				}
				if shiny > 0 {
					file += "@shiny"
				}
				p := k.draw(shiny)
				p.crack(rarity, k.form.crackY())
				out = append(out, layer{file: file + ".png", img: p.img, anchors: k.anchors(), play: wobble,
					moves: []*image.NRGBA{lean(p.img, -1), lean(p.img, 1)}})
			}
		}
	}
	return append(out, layer{file: "pet/unknown.png", img: eggUnknown().img, anchors: eggAnchors()})
}

// eggAnchors returns the places of elements on eggs of unknown appearance.
var eggAnchors = sync.OnceValue(func() map[string][2]int { return eggBlue.anchors() })

// anchors returns the places of elements on an egg. They are those of a mythic egg, whose crack is
// the widest, so they fit all rarities.
func (k eggKind) anchors() map[string][2]int {
	p := k.draw(0)
	p.crack(4, k.form.crackY())
	tip := drawn(p.img).Min.Y
	points := map[string][2]int{"crest": {47, tip}, "tail": {62, 62}, "heart": {45, 55}, "feet": {45, 74}}
	at, _ := fit("", 0, points, p.img, nil, young, func(bool) [][2]int { return [][2]int{{}} })
	return at
}

// at returns the place on the shell at a pixel. ok is false outside the shell.
func (f eggForm) at(x, y int) (e eggPoint, ok bool) {
	dx, dy := float64(x)+.5-eggX, float64(y)+.5-f.y()
	sin, cos := math.Sincos(eggLean)
	rx, ry := dx*cos+dy*sin, -dx*sin+dy*cos
	v := ry / f.h
	if v <= -1 || v >= 1 {
		return e, false
	}
	half := f.w * math.Pow(1-math.Pow(math.Abs(v), f.round), 1/f.round) * (1 + f.heavy*v - .05*v*v)
	if s := rx / half; s > -1 && s < 1 {
		return eggPoint{math.Asin(s), v}, true
	}
	return e, false
}

// light returns how bright the shell is at e. The light comes from the upper left.
func (e eggPoint) light() float64 {
	up := math.Sqrt(1 - e.v*e.v)
	nx, nz := math.Sin(e.u)*up, math.Cos(e.u)*up
	return -.50*nx - .58*e.v + .64*nz
}

// tone returns the index of the shell's colour at e, from 1 in shadow to 5 in the highlight. The
// ground reflects some light to the lower right edge.
func (e eggPoint) tone() int {
	l := e.light()
	switch {
	case l > .955:
		return 5
	case l > .76:
		return 4
	case l > .36:
		return 3
	case l > -.02:
		return 2
	case l < -.46:
		return 2
	}
	return 1
}

// draw paints the egg. The inks '0' to '5' are the colours of the shell, and the inks 'a' to 'd'
// those of the motif.
func (k eggKind) draw(shiny int) *plate {
	p := newPlate(k.shell[shiny] + k.paint[shiny] + eggLights)
	s := stencilOf(func(x, y float64) bool { _, ok := k.form.at(int(x), int(y)); return ok })
	for i, on := range s {
		if !on {
			continue
		}
		x, y := i%plateSide, i/plateSide
		e, _ := k.form.at(x, y)
		p.dot(x, y, k.ink(e))
	}
	p.tidy()
	// The outline is dark, and softer where the light falls. Shiny eggs have a rim of light.
	edge := s.minus(s.shrunk())
	p.fill(edge, '0')
	p.fill(edge.and(s.rim(1, 1)).and(cut.rect(0, 0, 48, 58)), '1')
	if shiny > 0 {
		in := s.shrunk()
		p.fill(in.rim(-1, 0).and(cut.rect(46, 30, 89, 66)), '4')
	}
	if k.extra != nil {
		k.extra(p)
	}
	return p
}

// ink returns the ink of the shell or of the motif at e.
func (k eggKind) ink(e eggPoint) byte {
	t := e.tone()
	switch m := k.motif(e); m {
	case 0:
		return "012345"[t]
	case 1: // painted
		return "aabcdd"[t]
	case 2: // painted, a step lighter
		return "abcddd"[t]
	default: // engraved: the shell, a step darker
		return "001234"[t]
	}
}

// tidy changes pixels that differ from all their neighbours. Such a pixel gets the colour that most
// of its neighbours have.
func (p *plate) tidy() {
	b := p.img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			own := p.img.NRGBAAt(x, y)
			if own.A == 0 {
				continue
			}
			votes := map[color.NRGBA]int{}
			best, alone := own, true
			for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
				n := p.img.NRGBAAt(x+d[0], y+d[1])
				if n == own {
					alone = false
				}
				if n.A != 0 {
					votes[n]++
					if votes[n] > votes[best] {
						best = n
					}
				}
			}
			if alone {
				p.img.SetNRGBA(x, y, best)
			}
		}
	}
}
