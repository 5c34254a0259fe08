package main

import (
	"image"
	"image/draw"
)

// delays are the milliseconds of each frame: one breath, and a blink at its end.
var delays = []int{260, 220, 160, 300, 300, 220, 160, 220, 260, 130, 260, 260}

// breath is which picture of a pet each frame shows: at rest, half and fully
// breathed out, with closed eyes, and with what sways to one side and the other.
var breath = []int{0, 4, 1, 2, 2, 2, 1, 4, 5, 3, 5, 0}

// beats is that of fliers, who never hold their wings still.
var beats = []int{0, 4, 1, 5, 2, 4, 2, 5, 1, 4, 3, 5}

// hover is how far those who float rise and sink.
var hover = [][2]int{{0, 0}, {0, -1}, {0, -2}, {0, -2}, {0, -1}, {0, 0}}

// wobble is that of eggs: now and then.
var wobble = []int{0, 0, 1, 2, 2, 2, 1, 0, 0, 3, 0, 0}

// shadowBreath is that of shadows, which do not blink.
var shadowBreath = []int{0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0}

// carried is how far what is placed at a pet's anchors moves with each of them.
var carried = [][2]int{{0, 0}, {0, 1}, {0, 1}, {0, 0}, {0, 0}, {0, 0}}

// frames are the pictures of look n: at rest, breathing out, blinking, swaying.
func (c creature) frames(n int, shiny bool) ([]*image.NRGBA, *pet) {
	rest, p := c.paint(n, shiny)
	out := []*image.NRGBA{rest, squash(rest, 1), squash(rest, 2)}
	p.blinks = true
	out = append(out, p.compose(shiny))
	p.blinks = false
	return append(out, p.habits(rest, shiny)...), p
}

// squash lowers a picture by whole pixels, its head by level and its body by
// less, while its feet stay.
func squash(img *image.NRGBA, level int) *image.NRGBA {
	box := drawn(img)
	waist, neck := box.Max.Y-box.Dy()*35/100, box.Max.Y-box.Dy()*62/100
	out := image.NewNRGBA(img.Rect)
	for y := range grid {
		from := y
		if y <= waist {
			from--
		}
		if y <= neck+1 && level > 1 {
			from--
		}
		if from >= 0 {
			copy(out.Pix[y*out.Stride:][:out.Stride], img.Pix[from*img.Stride:][:img.Stride])
		}
	}
	return out
}

// drawn is the box around what shows.
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

// lean tips a picture sideways by whole pixels at its top, nothing at its foot.
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

// waver shifts each row of a picture by what sway says, from its foot up.
func waver(img *image.NRGBA, sway func(up int) int) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	for y := range img.Rect.Dy() {
		row := image.Rect(0, y, img.Rect.Dx(), y+1)
		draw.Draw(out, row.Add(image.Pt(sway(img.Rect.Dy()-1-y), 0)), img, row.Min, draw.Src)
	}
	return out
}

// eyeSize is the largest stamp that is taken for an eye.
const eyeSize = 8

// isEye reports whether a stamp has a catch-light in something dark.
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
	return light > 0 && dark > 2*light && len(s.rows) <= eyeSize && len(s.rows) > 2 && len(s.rows[0]) <= eyeSize
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
