package main

import (
	"bytes"
	"image"
	"image/draw"
	"slices"
)

// delays are the durations of the frames in milliseconds.
var delays = slices.Repeat([]int{140}, steps)

// steps is how many frames a finished picture has.
const steps = 24

// wobble says which picture of an egg each frame shows. The egg leans to the sides now and then.
var wobble = marked(".......<<>>><.........<.", ".<>")

// A staged look has the pictures of a look: one for each letter of the constant signs, in the same
// order.
type staged struct {
	plain, shiny []*image.NRGBA
	rest         *pet     // the look at rest
	carry        [][2]int // how far each picture moves the layers at the look's anchors
}

// signs are the letters of tempo.play. Each letter stands for a picture of a pet:
//
//	.  at rest
//	o  breathed out
//	-  with closed eyes
//	<  with its swaying parts on one side
//	>  with its swaying parts on the other side
//	1  halfway through its action
//	2  at the end of its action
const signs = ".o-<>12"

// stage draws all pictures of look n. A shiny pet has the same shapes as the plain one, so its
// parts take over the cells that were computed for the plain one.
func (c creature) stage(n int) staged {
	models := c.models(n, false)
	s := staged{plain: pictures(models), rest: models[0]}
	shiny := c.models(n, true)
	for i, p := range shiny {
		for k, q := range p.parts {
			q.cells = models[i].parts[k].cells
		}
	}
	s.shiny = pictures(shiny)
	for i, p := range models {
		from, to := s.rest.face()[0], p.face()[0]
		s.carry = append(s.carry, [2]int{to.x - from.x, to.y - from.y})
		if signs[i] == 'o' {
			s.carry[i] = [2]int{0, 1}
		}
	}
	size := adult
	if n == 0 {
		size = young
	}
	s.rest.anchors = fit(s.rest.points, s.plain[0], s.rest.face(), size, func(steady bool) [][2]int {
		return tempi[c.key].shifts(s.carry, steady)
	})
	return s
}

// models returns a model of look n for each of the signs, in the pose that the sign stands for. For
// the sign "o" that is the model at rest: the creature's finished picture is squashed instead.
func (c creature) models(n int, shiny bool) []*pet {
	rest := c.model(n, shiny, 0)
	rest.flatten()
	closed := *rest
	closed.blinks = true
	rest.ensureSway()
	return []*pet{rest, rest, &closed, rest.away(1), rest.away(-1), c.model(n, shiny, 0.5), c.model(n, shiny, 1)}
}

// pictures returns the picture for each of the signs. models has their models, in the same order.
func pictures(models []*pet) []*image.NRGBA {
	rest := models[0].compose()
	out := []*image.NRGBA{rest, squash(rest)}
	for i, p := range models[2:] {
		img := p.compose()
		if !p.floats {
			img = stand(img, rest)
		}
		// way is 1 for the sign <, and -1 for >. If nothing sways in the picture, the head turns.
		if way := 3 - 2*i; abs(way) == 1 && bytes.Equal(img.Pix, rest.Pix) {
			img = glance(rest, way)
		}
		out = append(out, img)
	}
	return out
}

// squash lowers the upper part of a picture by a pixel. The feet stay.
func squash(img *image.NRGBA) *image.NRGBA {
	box := drawn(img)
	waist := box.Max.Y - box.Dy()*35/100
	out := image.NewNRGBA(img.Rect)
	for y := range grid {
		from := y
		if y <= waist {
			from--
		}
		if from >= 0 {
			copy(out.Pix[y*out.Stride:][:out.Stride], img.Pix[from*img.Stride:][:img.Stride])
		}
	}
	return out
}

// drawn returns the box around the visible pixels.
func drawn(img *image.NRGBA) image.Rectangle {
	var box image.Rectangle
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if img.NRGBAAt(x, y).A > 0 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// lean tips a picture sideways. Its top moves by about the given number of pixels. Its foot stays.
func lean(img *image.NRGBA, by int) *image.NRGBA {
	box := drawn(img)
	out := image.NewNRGBA(img.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		dx := by * (box.Max.Y - y + box.Dy()/4) / box.Dy()
		row := image.Rect(0, y, img.Rect.Dx(), y+1)
		draw.Draw(out, row.Add(image.Pt(dx, 0)), img, row.Min, draw.Src)
	}
	return out
}

// waver shifts each row of a picture sideways by the result of sway. up is 0 for the bottom row and
// increases upwards.
func waver(img *image.NRGBA, sway func(up int) int) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	for y := range img.Rect.Dy() {
		row := image.Rect(0, y, img.Rect.Dx(), y+1)
		draw.Draw(out, row.Add(image.Pt(sway(img.Rect.Dy()-1-y), 0)), img, row.Min, draw.Src)
	}
	return out
}

// eyeSize is the largest width and height of a stamp that counts as an eye.
const eyeSize = 9

// isEye reports whether a stamp is an open eye: small, dark, and with a white highlight.
func (s stamp) isEye() bool {
	light, dark := 0, 0
	for _, row := range s.rows {
		for i := range len(row) {
			switch row[i] {
			case 'W':
				light++
			case 'K':
				dark++
			}
		}
	}
	return light > 0 && dark > light && len(s.rows) <= eyeSize && len(s.rows) > 2 && len(s.rows[0]) <= eyeSize
}

// closed draws a closed eye: a dark line where the lids meet.
func (s stamp) closed(img *image.NRGBA) {
	y := len(s.rows) * 2 / 3
	for x := range len(s.rows[y]) {
		if t, ok := s.legend['K']; ok && s.rows[y][x] != '.' {
			img.SetNRGBA(s.x+x, s.y+y, t.colour())
		}
	}
}
