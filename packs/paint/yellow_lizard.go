package main

import "math"

var duneLizard = creature{
	family: family{"dune-lizard", "Dune Lizard",
		"At noon the sand is too hot for four feet, so a dune lizard stands on two and changes over in time to a tune of " +
			"its own. Whole families do this in step, and call it resting."},
	draw: drawLizard,
	looks: [3]look{
		{"Sand Skipper",
			coat{main: sun, belly: cream, mark: cocoa, trim: coral, extra: berry, eye: berry},
			coat{main: foam, belly: snow, mark: brook, trim: coral, extra: rose, eye: deep}},
		{"Parasol Lizard",
			coat{main: russet, belly: cream, mark: cocoa, trim: coral, extra: brook, eye: sun},
			coat{main: slate, belly: snow, mark: ink, trim: coral, extra: berry, eye: sun}},
		{"Mirage Sailback",
			coat{main: mint, belly: cream, mark: tide, trim: sun, extra: coral, eye: russet},
			coat{main: lilac, belly: pearl, mark: plum, trim: foam, extra: night, eye: berry}},
	},
}

func drawLizard(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.88)
	}
	p.part(c.main, limb(42, 62, 4, 43, 71, 3), oval(41, 72.6, 4.4, 2)).dim()
	p.part(c.main, limb(62, 62, 4.4, 70, 67, 3, 75, 66, 2.4), oval(76, 65, 3, 2.4)).dim()
	switch n {
	case 1:
		lizardCrest(p, c)
	case 3:
		lizardSail(p, c)
	}
	body := p.part(c.main, limb(30, 54, 7.6, 40, 59, 10, 52, 61, 9.6, 62, 60, 7.4, 70, 56, 5.4, 76, 48, 4, 76, 38, 3, 70,
		33, 2.4, 65, 36, 1.8, 67, 40, 1.2))
	body.patch(c.belly, limb(32, 64, 4, 42, 69, 5, 54, 70, 4.6, 64, 66, 2.6))
	switch n {
	case 1:
		body.mark(c.mark, limb(30, 54, 2.4, 42, 59, 2.8, 54, 60, 2.6, 64, 57.6, 2.2, 72, 52, 1.8, 76, 44, 1.4))
		body.mark(c.mark, dots(1.4, 77, 38, 71, 33, 66, 37))
		body.patch(c.belly, limb(34, 52, 0.9, 44, 54, 1, 56, 55, 0.9, 66, 51, 0.8))
	case 2:
		body.patch(c.belly, lizardBands())
	case 3:
		body.mark(c.mark, dots(1.6, 44, 60, 52, 58, 60, 58, 68, 54, 75, 47), dots(1.1, 48, 64, 57, 64, 76, 39, 70, 34))
	}
	foot := p.part(c.main, fuse(2, limb(56, 62, 6, 58, 69, 4), oval(55.6, 72.6, 5.4, 2.2))).soft()
	foot.crease(edge, 53, 72, 53, 76)
	foot.crease(edge, 56, 72, 56, 76)
	if n == 2 {
		lizardFrill(p, c)
	}
	p.part(c.main, limb(37, 61, 4.6, 32, 67, 3.6, 26, 66.4, 3), limb(26, 65, 1.8, 19, 61.4, 1.4),
		limb(25, 66.6, 1.8, 17, 66.6, 1.4), limb(26, 68, 1.8, 19.4, 71.6, 1.4)).soft().sharp()
	p.acts(pose{deg: 7, cx: 34, cy: 56, dy: -2})
	lizardHead(p, n, c)
	p.rests()
	p.anchor("crest", 26, 34)
	p.anchor("tail", 68, 37)
	p.anchor("heart", 48, 62)
	p.anchor("feet", 50, 74)
}

func lizardBands() shape {
	var all []shape
	for _, b := range [][5]float64{{40, 51, 2, 7, 10}, {49, 53, 2, 8, 2}, {58, 54, 2, 8, -8}, {66, 55, 1.8, 7, -25},
		{74, 50, 5, 1.6, -40}, {77, 42, 5, 1.6, 0}, {72, 34, 1.6, 4, -30}} {
		all = append(all, ovalAt(b[0], b[1], b[2], b[3], b[4]))
	}
	return join(all...)
}

// lizardFrill draws the frill around the head, with panels like those of a parasol.
func lizardFrill(p *pet, c coat) {
	const cx, cy, ribs = 32.0, 43.0, 11
	edge := func(i, k float64) (float64, float64) {
		sin, cos := math.Sincos((i/ribs*360 - 90) * math.Pi / 180)
		return cx + cos*21*k, cy + sin*24*k
	}
	var xy []float64
	for i := range ribs {
		x, y := edge(float64(i), 1)
		u, v := edge(float64(i)+0.5, 0.9)
		xy = append(xy, x, y, u, v)
	}
	frill := p.part(c.extra, poly(0.8, xy...)).flat(0.35).sway(38, 46, 3)
	for i := range ribs {
		x, y := edge(float64(i), 1)
		u, v := edge(float64(i)+1, 1)
		if i%2 == 0 {
			frill.patch(c.belly, poly(0, cx, cy, x, y, u, v))
		}
		frill.crease(dark, cx, cy, x, y)
	}
	frill.mark(c.trim, without(oval(cx, cy, 30, 30), oval(cx, cy, 17, 19.6)))
}

// lizardCrest draws a row of points from the brow to the hips.
func lizardCrest(p *pet, c coat) {
	p.part(c.trim, leafAt(25, 40, 20, 26, 7, -1), leafAt(30, 40, 29, 23, 8, -1), leafAt(36, 44, 39, 27, 8, -1),
		leafAt(41, 50, 47, 35, 8, -1), leafAt(48, 54, 55, 41, 8, -1), leafAt(56, 55, 63, 45, 7, -1),
		leafAt(64, 53, 70, 46, 5, -1)).flat(0.6).sharp()
}

// lizardSail draws the sail along the back, with its spines.
func lizardSail(p *pet, c coat) {
	sail := p.part(c.extra, poly(0.6, 34, 54, 33, 34, 37, 37, 40, 24, 45, 30, 49, 19, 54, 28, 59, 23, 61, 33, 67, 33, 66,
		42, 71, 46, 68, 56)).flat(0.35)
	sail.patch(c.trim, without(oval(52, 58, 24, 26), oval(52, 58, 24, 21)))
	for _, l := range [][]float64{{38, 52, 34, 36}, {44, 52, 41, 26}, {50, 53, 49, 21}, {56, 54, 59, 25},
		{62, 54, 66, 35}} {
		sail.crease(dark, l...)
	}
}

func lizardHead(p *pet, n int, c coat) {
	head := p.part(c.main, fuse(4, oval(27, 45, 13, 11), oval(20, 50, 10, 7))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, oval(21, 57, 13, 5))
	switch n {
	case 1:
		head.mark(c.mark, limb(34, 45, 2.2, 42, 48, 2.4), oval(21, 45, 1.6, 2))
	case 2:
		head.patch(c.belly, oval(27, 36, 1.8, 4), oval(33, 38, 1.6, 4))
	case 3:
		head.mark(c.mark, dots(1.4, 32, 37, 36, 42), dots(1, 28, 37, 35, 47))
		p.part(c.trim, leafAt(24, 36, 21, 26, 5, 1), leafAt(31, 36, 34, 24, 6, -1)).sharp()
	}
	p.part(c.main, oval(17.6, 42, 4.4, 4.4)).bare().matt()
	if n == 1 {
		p.eye(15, 39, eyeTallFar, c.eye)
		p.eye(27, 39, eyeTall, c.eye)
	} else {
		p.stamp(15, 40, keys(c.eye, c.main), ".OOO", "OLLL", "KKKK", "KWmK", "KWmK", ".KK.")
		p.stamp(26, 40, keys(c.eye, c.main), ".OOOO.", "OLLLLO", "KKKKKK", "KWWKmK", "KWKdmK", ".KKKK.")
	}
	p.stamp(11, 51, keys(c.main), "................o", "ooo..........ooo.", "...oooooooooo....")
	p.stamp(11, 47, keys(c.main), "o.o")
	p.stamp(31, 48, keys(coral), "lll", ".ll")
}
