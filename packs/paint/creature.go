package main

import (
	"fmt"
	"image"
	"image/color"
)

// paint draws look n, counted from 0, and returns the picture with the pet.
func (c creature) paint(n int, shiny bool) (*image.NRGBA, *pet) {
	k := c.looks[n].coat
	if shiny {
		k = c.looks[n].shiny
	}
	p := &pet{coat: k, anchors: map[string][2]int{}}
	c.draw(p, n+1, k)
	p.freeFace()
	return p.compose(shiny), p
}

// layers are the pet and its ground shadow, plain and shiny, of look n.
func (c creature) layers(egg, appearance, n int) []layer {
	plain, p := c.frames(n, false)
	shiny, _ := c.frames(n, true)
	x0, x1 := p.span(plain[0])
	name := fmt.Sprintf("%s-%d", eggValues[egg], appearance)
	shadow := groundShadow("shadow/"+name+".png", x0, x1)
	wide := groundShadow("", x0-1, x1+1).whole()
	shadow.img, shadow.x, shadow.y, shadow.moves = shadow.whole(), 0, 0, []*image.NRGBA{wide}
	var play []int
	var bob [][2]int
	if p.flies {
		play = beats
	}
	if p.floats {
		bob = hover
	}
	return []layer{
		shadow,
		{file: "pet/" + name + ".png", img: plain[0], moves: plain[1:], anchors: p.anchors, play: play, bob: bob},
		{file: "pet/" + name + "@shiny.png", img: shiny[0], moves: shiny[1:], anchors: p.anchors, play: play, bob: bob},
	}
}

// span is how far the pet's shadow reaches on the ground.
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

// shade is the two tones of every shadow on the ground.
var shade = [2]color.NRGBA{{0x29, 0x29, 0x50, 255}, {0x36, 0x3b, 0x64, 255}}

// groundShadow is a flat ellipse from x0 to x1 around the ground line.
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
