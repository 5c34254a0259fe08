package main

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
)

// quiet has the motion of each scene, by its file: a box of it that drifts and comes back. In
// scenes without one, lights twinkle.
var quiet = map[string]struct {
	box  image.Rectangle
	by   []image.Point
	play []int
}{
	"meadow":         {image.Rect(22, 29, 50, 38), sideways, slowly},  // a cloud
	"moonlit-marsh":  {image.Rect(18, 54, 34, 66), sideways, slowly},  // the moon on the water
	"lava-field":     {image.Rect(30, 60, 80, 64), sideways, slowly},  // the lava
	"dawn-pass":      {image.Rect(8, 24, 80, 33), sideways, slowly},   // flags
	"lantern-street": {image.Rect(25, 27, 64, 37), sideways, slowly},  // lanterns
	"waterfall-pool": {image.Rect(11, 14, 21, 56), falling, steadily}, // the fall
	"harvest-farm":   {image.Rect(6, 54, 84, 58), sideways, slowly},   // wheat
}

var (
	sideways = []image.Point{{X: 1}, {X: -1}}
	falling  = []image.Point{{Y: 2}, {Y: 4}, {Y: 6}}
	slowly   = quarters(0, 1, 0, 2)
	steadily = quarters(0, 1, 2, 3)
)

// quarters returns which picture is shown in each quarter of the movement.
func quarters(pictures ...int) (play []int) {
	for _, n := range pictures {
		play = append(play, slices.Repeat([]int{n}, quarter)...)
	}
	return play
}

// stir gives a scene its motion.
func (l *layer) stir(scene string) {
	if scene == "snow-ridge" {
		l.snowing()
		return
	}
	q, ok := quiet[scene]
	if !ok {
		l.twinkle()
		return
	}
	for _, by := range q.by {
		l.moves = append(l.moves, drift(l.img, q.box, by))
	}
	l.play = q.play
}

// drift moves the content of a box. What leaves it on one side comes in on the other.
func drift(img *image.NRGBA, box image.Rectangle, by image.Point) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	for y := range box.Dy() {
		for x := range box.Dx() {
			from := box.Min.Add(image.Pt((x-by.X+box.Dx())%box.Dx(), (y-by.Y+box.Dy())%box.Dy()))
			out.SetNRGBA(box.Min.X+x, box.Min.Y+y, img.NRGBAAt(from.X, from.Y))
		}
	}
	return out
}

// snowing makes flakes fall, each a little way, again and again.
func (l *layer) snowing() {
	sky := l.img
	at := func(step int) *image.NRGBA {
		out := image.NewNRGBA(sky.Rect)
		draw.Draw(out, out.Rect, sky, image.Point{}, draw.Src)
		for i := range 22 {
			x, y := 10+(i*37+step)%70, 9+(i*29)%52+2*step
			out.SetNRGBA(x, y, color.NRGBA{0xff, 0xff, 0xff, 0xff})
		}
		return out
	}
	l.img, l.moves, l.play = at(0), []*image.NRGBA{at(1), at(2), at(3)}, steadily
}

// twinkle turns lights of a scene off for a moment, a part of them at a time: stars, and glows
// between trees.
func (l *layer) twinkle() {
	const parts = 3
	for part := range parts - 1 {
		img := image.NewNRGBA(l.img.Rect)
		copy(img.Pix, l.img.Pix)
		for y := 1; y < grid-1; y++ {
			for x := 1; x < grid-1; x++ {
				if l.lights(x, y) && (x*5+y*3)%parts == part {
					img.SetNRGBA(x, y, l.img.NRGBAAt(x-1, y))
				}
			}
		}
		l.moves = append(l.moves, img)
	}
	l.play = slowly
}

// lights reports whether a pixel is a light: much brighter than its surroundings.
func (l *layer) lights(x, y int) bool {
	const brighter = 28
	own := l.bright(x, y)
	for _, d := range cross {
		if l.img.NRGBAAt(x+d[0], y+d[1]).A == 0 || own < l.bright(x+d[0], y+d[1])+brighter {
			return false
		}
	}
	return true
}

func (l *layer) bright(x, y int) int {
	c := l.img.NRGBAAt(x, y)
	return (2*int(c.R) + 5*int(c.G) + int(c.B)) / 8
}
