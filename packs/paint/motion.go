package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
	"strings"
)

// delays are the durations of the frames in milliseconds.
var delays = slices.Repeat([]int{140}, steps)

// steps is how many frames a finished picture has.
const steps = 24

// wobble says which picture of an egg each frame shows. The egg leans to the sides now and then.
var wobble = marked(".......<<>>><.........<.", ".<>")

// A staged look has the drawings of a look, the one at rest first, and says which of them each
// frame shows.
type staged struct {
	plain, shiny []*image.NRGBA
	tempo        tempo
	crowded      bool // a halo does not fit on its head
	play         []int
	signs        []sign   // of each drawing
	rest         *pet     // the look at rest
	carry        [][2]int // how far each drawing moves the layers at the look's anchors
}

// A sign stands for a drawing. The first letter says which parts have moved:
//
//	.    at rest
//	-    with closed eyes
//	<    with its swaying parts on one side
//	>    with its swaying parts on the other side
//	1    halfway through its action
//	2    at the end of its action
//	3    halfway through the opposite of its action
//	4    beyond the end of its action
//	u i  with its wings up, or half up
//	k d  with its wings half down, or down
//	A…   in a key of its leap
//
// The second letter says how the body is bent: see bend.
type sign [2]byte

// stage draws all pictures of look n. A shiny pet has the same shapes as the plain one, so its
// parts take over the cells that were computed for the plain one.
func (c creature) stage(n int) staged {
	t := c.tempo(n)
	s := staged{rest: c.model(n, false, 0)}
	s.rest.flatten()
	s.rest.ensureSway()
	bright := c.model(n, true, 0)
	for j, q := range bright.parts {
		q.cells = s.rest.parts[j].cells
	}
	bright.ensureSway()
	models := map[byte][2]*pet{}
	pictures := map[byte][2]*image.NRGBA{}
	still := [2]*image.NRGBA{}
	var body trunk
	for i := range steps {
		at := t.sign(i)
		k := slices.Index(s.signs, at)
		if k >= 0 {
			s.play = append(s.play, k)
			continue
		}
		if models[at[0]][0] == nil {
			pair := [2]*pet{c.moved(s.rest, n, false, at[0], t), c.moved(bright, n, true, at[0], t)}
			pair[0].flatten()
			for j, q := range pair[1].parts {
				q.cells = pair[0].parts[j].cells
			}
			models[at[0]] = pair
			var imgs [2]*image.NRGBA
			for j, m := range pair {
				imgs[j] = m.compose()
				if still[j] == nil {
					still[j] = imgs[j]
				}
				if !m.floats && t.standing() {
					imgs[j] = stand(imgs[j], still[j])
				}
				if way := strings.IndexByte(">.<", at[0]) - 1; abs(way) == 1 && bytes.Equal(imgs[j].Pix, still[j].Pix) {
					imgs[j] = glance(still[j], way)
				}
			}
			pictures[at[0]] = imgs
			if at[0] == '.' {
				body = trunkOf(still[0], s.rest.face())
			}
		}
		from, to := s.rest.face()[0], models[at[0]][0].face()[0]
		dx, dy := body.carries(at[1])
		s.carry = append(s.carry, [2]int{to.x - from.x + dx, to.y - from.y + dy})
		s.plain = append(s.plain, body.bend(pictures[at[0]][0], at[1]))
		s.shiny = append(s.shiny, body.bend(pictures[at[0]][1], at[1]))
		s.play = append(s.play, len(s.signs))
		s.signs = append(s.signs, at)
	}
	t = t.land(func(frame int) image.Rectangle { return drawn(s.plain[s.play[frame]]) })
	s.tempo = t
	size := adult
	if n == 0 {
		size = young
	}
	s.rest.anchors, s.crowded = fit(c.family.key, n, s.rest.points, s.plain[0], s.rest.face(), size, func(steady bool) [][2]int {
		return t.shifts(s.play, s.carry, steady)
	})
	return s
}

// faces returns a picture of the face in all frames of the loop, one over the other.
func (s staged) faces() *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	for _, by := range s.tempo.shifts(s.play, s.carry, false) {
		for _, f := range s.rest.face() {
			box := f.box().Add(image.Pt(by[0], by[1]))
			draw.Draw(out, box, image.NewUniform(color.NRGBA{A: 255}), image.Point{}, draw.Src)
		}
	}
	return out
}

// moved returns a model of look n as a letter of a sign says. rest is the look at rest.
func (c creature) moved(rest *pet, n int, shiny bool, letter byte, t tempo) *pet {
	phase := map[byte]float64{'1': 0.5, '2': 1, '3': -0.5, '4': 1.7}[letter]
	if phase != 0 {
		return c.model(n, shiny, phase)
	}
	if k := int(letter) - 'A'; k >= 0 && k < len(t.keys) {
		return c.leaping(n, shiny, t.keys[k])
	}
	switch letter {
	case '-':
		closed := *rest
		closed.blinks = true
		return &closed
	case '<':
		return rest.away(1)
	case '>':
		return rest.away(-1)
	case 'u', 'i', 'k', 'd':
		return rest.beating(map[byte]float64{'u': 1, 'i': 0.5, 'k': -0.3, 'd': -0.6}[letter] * t.beat)
	}
	return rest
}

// A trunk says where the body of a pet bends.
type trunk struct{ top, neck, waist, foot, face int }

func trunkOf(img *image.NRGBA, face []stamp) trunk {
	box := drawn(img)
	t := trunk{top: box.Min.Y, foot: box.Max.Y, waist: box.Max.Y - box.Dy()*30/100}
	var all image.Rectangle
	for _, s := range face {
		all = all.Union(s.box())
	}
	t.face = (all.Min.Y + all.Max.Y) / 2
	t.waist = max(t.waist, t.face+5)
	t.neck = max(min(all.Max.Y+1, t.waist-3), t.face+2)
	return t
}

// bend returns a picture with a bent body. The feet stay. The letters:
//
//	.    straight
//	a    the body is one pixel lower
//	o    and the head another pixel
//	O    and the head yet another pixel
//	e    only the head is lower
//	^    the body is one pixel higher
//	l r  the body leans to the left, or to the right
//	L R  it leans further
//	1-5  a wave runs through the body
//	v w  the same as l and r, one pixel lower
func (b trunk) bend(img *image.NRGBA, letter byte) *image.NRGBA {
	switch letter {
	case '.':
		return img
	case 'a':
		return cutRow(img, b.waist)
	case 'o':
		return cutRow(cutRow(img, b.waist), b.neck+1)
	case 'O':
		return cutRow(cutRow(cutRow(img, b.waist), b.neck+1), b.neck+2)
	case 'e':
		return cutRow(img, b.neck)
	case '^':
		return addRow(img, b.waist)
	case 'l', 'L', 'r', 'R', 'v', 'w':
		by := map[byte]int{'l': -1, 'L': -2, 'r': 1, 'R': 2, 'v': -1, 'w': 1}[letter]
		if letter == 'v' || letter == 'w' {
			img = cutRow(img, b.waist)
		}
		high := float64(b.foot - b.neck)
		return waver(img, func(up int) int {
			share := min(1, float64(up-(grid-b.foot))/high)
			return int(math.Round(float64(by) * max(0, share)))
		})
	}
	k := float64(letter - '0')
	const long = 34
	wave := func(y int) float64 {
		at := 2 * math.Pi * float64(b.foot-y) / long
		size := 1.3 * min(1, float64(b.foot-y)/24)
		return size * (math.Sin(k*math.Pi/3-at) + math.Sin(at))
	}
	return waver(img, func(up int) int {
		y := grid - 1 - up
		if y >= b.foot {
			return 0
		}
		if y < b.neck {
			y = b.face
		}
		return int(math.Round(wave(y)))
	})
}

// carries returns how far a bend moves the face.
func (b trunk) carries(letter byte) (dx, dy int) {
	spot := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	spot.SetNRGBA(grid/2, b.face, color.NRGBA{A: 255})
	to := drawn(b.bend(spot, letter)).Min
	if to.X == 0 {
		panic("a bend cuts the face: " + string(letter))
	}
	return to.X - grid/2, to.Y - b.face
}

// cutRow takes a row out. All rows above it move down.
func cutRow(img *image.NRGBA, at int) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	copy(out.Pix[at*out.Stride:], img.Pix[at*img.Stride:])
	copy(out.Pix[out.Stride:(at+1)*out.Stride], img.Pix[:at*img.Stride])
	return out
}

// addRow shows a row twice. All rows above it move up.
func addRow(img *image.NRGBA, at int) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	copy(out.Pix[:at*out.Stride], img.Pix[img.Stride:(at+1)*img.Stride])
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
