package main

import "math"

var vineSerpent = creature{
	family: family{"vine-serpent", "Vine Serpent",
		"A vine serpent climbs whatever it likes best in the garden, and has more than once been a rosebush's whole " +
			"support. It promises nothing, smiles at everything, and has never let go of a friend."},
	draw: drawSerpent,
	looks: [3]look{
		{"Pea Tendril",
			coat{main: lime, belly: cream, mark: leaf, trim: coral, extra: leaf, eye: leaf},
			coat{main: foam, belly: snow, mark: brook, trim: rose, extra: lilac, eye: plum}},
		{"Bramble Coil",
			coat{main: berry, belly: rose, mark: plum, trim: sun, extra: leaf, eye: lime},
			coat{main: gold, belly: cream, mark: ember, trim: brook, extra: moss, eye: brook}},
		{"Morning-Glory Cobra",
			coat{main: tide, belly: mint, mark: snow, trim: rose, extra: deep, eye: sun},
			coat{main: snow, belly: pearl, mark: sun, trim: rose, extra: coral, eye: berry}},
	},
}

func drawSerpent(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.86)
	}
	tail := p.part(c.main, limb(64, 68, 6, 73, 68, 4.4, 78, 62, 2.6, 77, 55, 1.2))
	serpentTip(p, n, c)
	p.part(c.main, limb(19, 65, 5.6, 30, 58, 5.6, 45, 56, 5.6, 60, 58, 5.6, 70, 65, 5.6)).dim()
	p.part(c.main, limb(27, 58, 5, 36, 52, 5, 52, 51, 5, 61, 56, 5)).dim()
	// The serpent draws its head back, then strikes.
	dx, dy := p.phase*(23-26*p.phase), p.phase*(18*p.phase-13)
	bent := func(share float64) { p.action = pose{dx: dx * share, dy: dy * share} }
	if n == 3 {
		bent(1)
		serpentHood(p, c)
		p.rests()
	}
	neck := p.part(c.main, limb(58, 57, 6, 61, 50, 5.6, 56+dx*0.3, 43+dy*0.3, 5.4, 46+dx*0.7, 39+dy*0.7, 5.4, 40+dx,
		33+dy, 5.6, 39+dx, 26+dy, 6))
	upper := p.part(c.main, limb(62, 55, 5.4, 58, 61, 5.8, 48, 64, 6, 36, 63, 5.8, 27, 58, 5.2))
	lower := p.part(c.main, limb(71, 63.5, 5.6, 64, 68.4, 6, 52, 70.4, 5, 45, 70.4, 5, 32, 69, 6, 19, 64, 5.6)).throw(2)
	upper.patch(c.belly, limb(60, 62, 1.6, 48, 68.6, 2.4, 36, 67.4, 2.2, 26, 61, 1.6))
	lower.patch(c.belly, limb(70, 68, 1.4, 62, 73.6, 2.2, 45, 75.4, 2.4, 32, 74, 2.2, 18, 68, 1.4))
	neck.patch(c.belly, limb(52, 51, 1.6, 46+dx*0.5, 44.5+dy*0.5, 2.2, 37+dx*0.8, 40+dy*0.8, 2.4, 33+dx, 32+dy, 2.4))
	bent(0.6)
	for _, l := range [][]float64{{48, 49, 51, 44}, {43, 45, 46, 40}, {37, 42, 42, 37}, {33, 36, 39, 33}} {
		neck.crease(dark, l...)
	}
	p.rests()
	if n == 2 {
		for _, q := range []*part{neck, upper, lower, tail} {
			q.mark(c.mark, serpentBands())
		}
	}
	serpentLeaves(p, n, c)
	bent(1)
	serpentHead(p, n, c)
	p.rests()
	p.anchor("crest", 38, 14)
	p.anchor("tail", 77, 55)
	p.anchor("heart", 45, 63)
	p.anchor("feet", 45, 74)
	p.ground(14, 77)
}

func serpentBands() shape {
	var all []shape
	for _, b := range [][5]float64{{30, 60, 2.2, 7, 30}, {40, 62, 2.2, 7, 8}, {50, 62, 2.2, 7, -8}, {58, 59, 2.2, 7, -35},
		{24, 68, 2.2, 7, 25}, {36, 70, 2.2, 7, 8}, {49, 70, 2.2, 7, 0}, {62, 69, 2.2, 7, -20}, {59, 48, 7, 2, -20},
		{50, 39, 2.2, 7, 20}, {40, 32, 7, 2, 10}, {74, 65, 2, 6, 40}} {
		all = append(all, ovalAt(b[0], b[1], b[2], b[3], b[4]))
	}
	return join(all...)
}

// serpentTip draws the growth at the tail's end: two leaves, a bunch of berries, or a bud.
func serpentTip(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.part(c.extra, leafAt(77, 58, 67, 46, 8, -3)).flat(0.7).crease(dark, 75, 54, 69, 48)
		p.part(c.extra, leafAt(77, 58, 82, 43, 8, 2)).flat(0.7).crease(dark, 79, 54, 82, 46)
	case 2:
		p.part(night, dots(2.6, 73.6, 50, 77.6, 51, 75.6, 46.5)).wet()
		p.part(c.extra, leafAt(77, 55, 69, 52, 5, 1)).flat(0.7)
	case 3:
		p.part(c.extra, leafAt(77, 58, 76, 43, 9, 0)).crease(light, 76, 54, 74, 47).crease(dark, 78, 54, 77, 46)
		p.part(c.belly, leafAt(77, 58, 72, 52, 4, 0), leafAt(77, 58, 81, 52, 4, 0)).flat(0.7)
	}
}

// serpentHood draws the flower that the cobra spreads behind its head.
func serpentHood(p *pet, c coat) {
	var lobes []shape
	tips := [][2]float64{{18, 33}, {23, 21}, {39, 17.4}, {55, 21}, {60, 33}}
	for _, t := range tips {
		lobes = append(lobes, oval(t[0], t[1], 9, 8))
	}
	hood := p.part(c.extra, fuse(3, append(lobes, oval(39, 32, 18, 14))...)).flat(0.5)
	for _, t := range tips {
		dx, dy := t[0]-39, t[1]-31
		hood.patch(c.mark, leafAt(39, 31, 39+dx*1.3, 31+dy*1.3, 9, 0))
	}
}

func serpentLeaves(p *pet, n int, c coat) {
	blade := c.extra
	if n == 3 {
		blade = leaf
	}
	at := [][6]float64{{62, 48, 74, 42, 7, 2}, {56, 41, 62, 31, 7, 2}, {66, 60, 75, 52, 6, 1}}
	switch n {
	case 1:
		at = at[:2]
	case 3:
		at = [][6]float64{{62, 51, 76, 46, 7, 2}, at[2]}
	}
	for _, l := range at {
		p.part(blade, leafAt(l[0], l[1], l[2], l[3], l[4], l[5])).flat(0.7).flick(l[0], l[1], 9).crease(dark, l[0], l[1],
			(l[0]+l[2])/2, (l[1]+l[3])/2-1, l[2]-1, l[3]+1)
	}
	if n == 2 {
		for _, t := range [][4]float64{{53, 38, 54.6, 31}, {47, 35, 50, 28.6}, {25, 56, 20, 50}, {16.6, 61, 11, 56},
			{15, 67, 9.4, 65.6}, {65.6, 54, 71.6, 51.6}, {76, 66.6, 81, 69}} {
			p.part(cream, thorn(t[0], t[1], t[2], t[3])).sharp().throw(1)
		}
		for _, at := range [][2]int{{30, 57}, {44, 58}, {25, 63}, {37, 64}, {50, 64}, {62, 63}} {
			p.stamp(at[0], at[1], keys(cream, c.mark), "s...", "ls..", "lmdO", ".OO.")
		}
	}
	if n == 1 {
		p.part(c.extra, limb(24, 58, 1, 17, 56, 1, 13, 51, 1, 16, 48, 1, 18, 51, 0.8)).sharp()
	}
}

func serpentHead(p *pet, n int, c coat) {
	head := p.part(c.main, fuse(5, oval(38, 24, 13, 10.5), oval(30, 29, 11, 7))).throw(3).calmly()
	head.patch(c.belly, oval(30, 37, 13, 6))
	switch n {
	case 1:
		p.part(c.extra, leafAt(40, 16, 30, 6, 7, 2), leafAt(41, 16, 52, 5, 8, -2)).flat(0.7).flick(40.5, 17, 9)
	case 2:
		head.mark(c.mark, leafAt(38, 10, 37, 22, 6, 0), leafAt(50, 18, 43, 25, 5, 0))
		p.part(cream, thorn(32, 16, 28.6, 8.6), thorn(39, 14.6, 40, 7.6), thorn(46, 16.4, 51.4, 9)).sharp()
	}
	p.stamp(24, 20, keys(c.eye, c.main), "OOOO.", "KKKKK", "KWmKK", "KWmKK", ".KKK.")
	p.stamp(38, 20, keys(c.eye, c.main), ".OOOOO", "OKKKKK", "KKWmmK", "KKWKmK", ".KWKmK", "..KKK.")
	if p.phase == 1 {
		p.stamp(20, 30, keys(c.main, coral), "..........o.", "oo......oo..", "oMMooooMMo..", ".oMMLLMMo...", "..oMMMMo....",
			"...oooo.....")
	} else {
		p.stamp(21, 31, keys(c.main), ".........o.", "oo.....oo..", "..ooooo....")
	}
	p.stamp(14, 33, keys(c.trim), "m.....", ".mm...", "...mmmm", ".mm...", "m.....")
	p.stamp(23, 27, keys(c.main), "o..o")
}

// thorn returns a thorn with its foot at x0, y0 and its tip at x1, y1.
func thorn(x0, y0, x1, y1 float64) shape {
	dx, dy := x1-x0, y1-y0
	k := 2.3 / math.Hypot(dx, dy)
	return poly(0, x0-dy*k, y0+dx*k, x1, y1, x0+dy*k, y0-dx*k)
}
