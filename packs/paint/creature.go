package main

import (
	"fmt"
	"image"
	"image/color"
)

// model returns look n, counted from 0, at a phase of its action.
func (c creature) model(n int, shiny bool, phase float64) *pet {
	k := c.looks[n].coat
	if shiny {
		k = c.looks[n].shiny
	}
	p := &pet{coat: k, shiny: shiny, phase: phase, points: map[string][2]int{}}
	c.draw(p, n+1, k)
	return p
}

// layers returns the layers of look n: the ground shadow, the plain pet and the shiny pet.
func (c creature) layers(egg, appearance, n int) []layer {
	s := c.stage(n)
	name := fmt.Sprintf("%s-%d", eggValues[egg], appearance)
	t := tempi[c.key]
	pet := layer{
		file: "pet/" + name + ".png", img: s.plain[0], moves: s.plain[1:], anchors: s.rest.anchors,
		play: t.frames(), bob: t.bob(), carry: s.carry,
	}
	shiny := pet
	shiny.file, shiny.img, shiny.moves = "pet/"+name+"@shiny.png", s.shiny[0], s.shiny[1:]
	shadow := s.rest.shadow("shadow/"+name+".png", s.plain[0])
	shadow.play = t.shadows()
	return []layer{shadow, pet, shiny}
}

// shadow returns the pet's shadow on the ground. It is wider when the pet breathes out.
func (p *pet) shadow(file string, img *image.NRGBA) layer {
	x0, x1 := p.span(img)
	l := groundShadow(file, x0, x1)
	l.img, l.x, l.y, l.moves = l.whole(), 0, 0, []*image.NRGBA{groundShadow("", x0-1, x1+1).whole()}
	return l
}

// span returns the left and the right end of the pet's shadow on the ground.
func (p *pet) span(img *image.NRGBA) (x0, x1 int) {
	if p.shadeX[1] > 0 {
		return int(p.shadeX[0]), int(p.shadeX[1])
	}
	x0, x1 = grid, 0
	for y := 66; y < 78; y++ {
		for x := range grid {
			if img.NRGBAAt(x, y).A > 0 {
				x0, x1 = min(x0, x), max(x1, x)
			}
		}
	}
	return x0 - 1, x1 + 2
}

// shade has the two colours of every shadow on the ground.
var shade = [2]color.NRGBA{{0x29, 0x29, 0x50, 255}, {0x36, 0x3b, 0x64, 255}}

// groundShadow returns a flat ellipse on the ground, from x0 to x1.
func groundShadow(file string, x0, x1 int) layer {
	w := x1 - x0 + 1
	const h = 7
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			dx, dy := (float64(x)+0.5)/float64(w)*2-1, (float64(y)+0.5)/h*2-1
			q := dx*dx + dy*dy
			switch {
			case q < 0.62:
				img.SetNRGBA(x, y, shade[0])
			case q < 1 && (x+y)%2 == 0:
				img.SetNRGBA(x, y, shade[1])
			}
		}
	}
	return layer{file: file, x: x0, y: 70, img: img}
}
