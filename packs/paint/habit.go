package main

import (
	"image"
	"math"
	"slices"
)

// sway makes the part, such as an ear or a wing, swing around cx, cy by deg to both sides. If no
// part of a pet has a sway of its own, ensureSway makes the tail sway.
func (q *part) sway(cx, cy, deg float64) *part {
	at := q.pet.scaled([]float64{cx, cy})
	q.swing = pose{deg: deg, cx: at[0], cy: at[1]}
	return q
}

// swayFrom calls sway for all parts that were added so far, except the first n.
func (p *pet) swayFrom(n int, cx, cy, deg float64) {
	for _, q := range p.parts[n:] {
		q.sway(cx, cy, deg)
	}
}

// flick makes the part, such as an ear or a fin, twitch around cx, cy by deg now and then.
func (q *part) flick(cx, cy, deg float64) *part {
	at := q.pet.scaled([]float64{cx, cy})
	q.twitch = pose{deg: deg, cx: at[0], cy: at[1]}
	return q
}

// flickFrom calls flick for all parts that were added so far, except the first n.
func (p *pet) flickFrom(n int, cx, cy, deg float64) {
	for _, q := range p.parts[n:] {
		q.flick(cx, cy, deg)
	}
}

// pulse makes the part brighter now and then. Parts that glow also pulse.
func (q *part) pulse() *part { q.pulses = true; return q }

// ensureSway makes the tail sway if no part sways yet.
func (p *pet) ensureSway() {
	if !slices.ContainsFunc(p.parts, func(q *part) bool { return q.swing.deg != 0 }) {
		p.wag()
	}
}

// away returns the pet with its swaying parts turned to one side (way is 1) or to the other (way is
// -1). If way is 1, parts that pulse are brighter. If way is -1, parts that can twitch do so
// instead of swaying.
func (p *pet) away(way float64) *pet {
	out := *p
	out.parts = make([]*part, len(p.parts))
	for i, q := range p.parts {
		out.parts[i] = q.turned(way)
	}
	return &out
}

// beating returns the pet with its swaying parts turned by a multiple of their sway.
func (p *pet) beating(by float64) *pet {
	out := *p
	out.parts = make([]*part, len(p.parts))
	for i, q := range p.parts {
		still := *q
		still.pulses, still.twitch = false, pose{}
		still.swing.deg *= by
		out.parts[i] = still.turned(1)
	}
	return &out
}

// stand copies the feet from rest, the picture at rest, into img, so that they do not move.
func stand(img, rest *image.NRGBA) *image.NRGBA {
	from := (drawn(rest).Max.Y - 3) * img.Stride
	copy(img.Pix[from:], rest.Pix[from:])
	return img
}

// glance moves the upper part of a picture sideways, as if a head turned.
func glance(img *image.NRGBA, by int) *image.NRGBA {
	box := drawn(img)
	neck := box.Max.Y - box.Dy()*62/100
	return waver(img, func(up int) int {
		if grid-1-up <= neck {
			return by
		}
		return 0
	})
}

// turned returns a copy of the part as pet.away shows it. Its marks and creases turn with it.
func (q *part) turned(way float64) *part {
	to := q.swing
	to.deg *= way
	if way < 0 && q.twitch.deg != 0 {
		to = q.twitch
	}
	out := *q
	if way > 0 && q.pulses {
		out.cells, out.shift = nil, out.shift+1
	}
	if to.deg == 0 {
		return &out
	}
	out.cells, out.shape = nil, turn(q.shape, to.cx, to.cy, to.deg)
	out.marks, out.creases = slices.Clone(q.marks), slices.Clone(q.creases)
	for i := range out.marks {
		out.marks[i].shape = turn(q.marks[i].shape, to.cx, to.cy, to.deg)
	}
	for i := range out.creases {
		out.creases[i].pixels = nil
		for _, at := range q.creases[i].pixels {
			x, y := to.point(float64(at[0])+0.5, float64(at[1])+0.5)
			out.creases[i].pixels = append(out.creases[i].pixels, [2]int{floor(x), floor(y)})
		}
	}
	return &out
}

// wag makes the tail sway so that its tip moves two pixels. The tail consists of the small parts
// that reach the point "tail" but not the point "heart". They all turn around one pixel: of the
// longest part's pixels, the one nearest to "heart".
func (p *pet) wag() {
	const near, tip = 4, 2
	tail, heart := p.points["tail"], p.points["heart"]
	var root [2]int
	longest := 0.0
	var found []*part
	for _, q := range p.parts {
		to, _ := q.nearest(tail)
		from, size := q.nearest(heart)
		if size == 0 || size > grid*grid/20 || far(to, tail) > near || far(from, heart) < near {
			continue
		}
		found = append(found, q)
		if d := far(from, to); d > longest {
			root, longest = from, d
		}
	}
	for _, q := range found {
		if longest > 3*tip {
			q.swing = pose{deg: tip / longest * 180 / math.Pi, cx: float64(root[0]), cy: float64(root[1])}
		}
	}
}

// nearest returns the part's pixel nearest to a point, and the number of the part's pixels.
func (q *part) nearest(to [2]int) (at [2]int, size int) {
	best := math.Inf(1)
	for i, in := range q.cells.in {
		if !in {
			continue
		}
		size++
		if d := far([2]int{i % grid, i / grid}, to); d < best {
			at, best = [2]int{i % grid, i / grid}, d
		}
	}
	return at, size
}

func far(a, b [2]int) float64 { return math.Hypot(float64(a[0]-b[0]), float64(a[1]-b[1])) }
