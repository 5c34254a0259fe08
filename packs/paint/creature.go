package main

import (
	"fmt"
	"image"
	"image/color"
	"slices"
)

// model returns look n, counted from 0, at a phase of its action.
func (c creature) model(n int, shiny bool, phase float64) *pet {
	return c.made(n, shiny, &pet{phase: phase})
}

func (c creature) made(n int, shiny bool, p *pet) *pet {
	k := c.looks[n].coat
	if shiny {
		k = c.looks[n].shiny
	}
	p.coat, p.shiny, p.points = k, shiny, map[string][2]int{}
	c.draw(p, n+1, k)
	return p
}

// layers returns the layers of look n: the ground shadow, the plain pet and the shiny pet.
func (c creature) layers(egg, appearance, n int) []layer {
	s := c.stage(n)
	name := fmt.Sprintf("%s-%d", eggValues[egg], appearance)
	t := s.tempo
	pet := layer{
		file: "pet/" + name + ".png", img: s.plain[0], moves: s.plain[1:], anchors: s.rest.anchors,
		play: s.play, bob: t.bob(), carry: s.carry,
	}
	shiny := pet
	shiny.file, shiny.img, shiny.moves = "pet/"+name+"@shiny.png", s.shiny[0], s.shiny[1:]
	out := []layer{s.rest.shadow("shadow/"+name+".png", s.plain[0], t), pet, shiny}
	out = append(out, sparkles(name, s.plain[0], s.faces())...)
	if s.crowded {
		s.rest.anchors["light"] = s.rest.points["crest"]
		var box image.Rectangle
		for _, f := range s.rest.face() {
			box = box.Union(f.box())
		}
		behind, front := nimbus(s.plain[0], s.rest.points["crest"], [2]int{(box.Min.X + box.Max.X) / 2, (box.Min.Y + box.Max.Y) / 2})
		behind.file, front.file = "behind/light-"+name+".png", "element/light-"+name+".png"
		out = append(out, behind, front)
	}
	return out
}

// leaping returns a model of look n in a key of its leap.
func (c creature) leaping(n int, shiny bool, at key) *pet {
	return c.made(n, shiny, &pet{phase: at.phase, fore: at.fore, hind: at.hind, whole: pose{deg: at.tilt, cx: 45, cy: 54}})
}

// shadow returns the pet's shadow on the ground. It is wider when the body is low, and smaller when
// the pet is in the air.
func (p *pet) shadow(file string, img *image.NRGBA, t tempo) layer {
	x0, x1 := p.span(img)
	l := groundShadow(file, x0, x1)
	l.img, l.x, l.y = l.whole(), 0, 0
	l.play = nil
	wider := []int{0}
	for i := range steps {
		by := t.spread(i)
		k := slices.Index(wider, by)
		if k < 0 {
			k = len(wider)
			wider = append(wider, by)
			l.moves = append(l.moves, groundShadow("", x0-by, x1+by).whole())
		}
		l.play = append(l.play, k)
	}
	if len(wider) == 1 {
		l.play = nil
	}
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
