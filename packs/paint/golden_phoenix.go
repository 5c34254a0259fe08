package main

var emberPhoenix = creature{
	family: family{"ember-phoenix", "Ember Phoenix",
		"It has burned down nine times and complains about none of them. An ember phoenix keeps one warm ash from each " +
			"life under its left wing, and gives the oldest to whoever is coldest."},
	draw: drawPhoenix,
	looks: [3]look{
		{"Ash Chick",
			coat{main: smoke, belly: honey, mark: stone, trim: ember, extra: sun, eye: ember},
			coat{main: frost, belly: snow, mark: slate, trim: deep, extra: foam, eye: deep}},
		{"Cinderwing",
			coat{main: ember, belly: honey, mark: gold, trim: ink, extra: sun, eye: gold},
			coat{main: brook, belly: foam, mark: snow, trim: night, extra: frost, eye: frost}},
		{"Undying Flame",
			coat{main: ember, belly: cream, mark: berry, trim: gold, extra: sun, eye: gold},
			coat{main: plum, belly: pearl, mark: berry, trim: gold, extra: rose, eye: rose}},
	},
}

func drawPhoenix(p *pet, n int, c coat) {
	switch n {
	case 1:
		phoenixChick(p, c)
	case 2:
		phoenixPerched(p, c)
	default:
		phoenixRisen(p, c)
	}
}

// phoenixFace draws the crest, the head and the beak, around x, y.
func phoenixFace(p *pet, n int, c coat, x, y float64) {
	crest := [][]float64{{2, -6, 7, -21, 10}, {-2, -6, -4, -15, 7}}
	if n > 1 {
		crest = [][]float64{{5, -4, 18, -10, 6}, {4, -5, 14, -17, 6}, {1, -6, 6, -21, 7}, {-3, -6, -3, -16, 6}}
	}
	outer := c.trim
	if n == 2 {
		outer = c.main
	}
	for _, f := range crest {
		flame(p, outer, c.extra, x+f[0], y+f[1], x+f[2], y+f[3], f[4])
	}
	head := p.part(c.main, fuse(3, oval(x, y, 11, 10), leafAt(x+4, y+4, x+13, y+9, 8, 1))).throw(2).calmly()
	head.patch(c.belly, fuse(2, oval(x-6, y+4, 6.5, 6), oval(x+4, y+5, 5, 4)))
	head.mark(c.extra, leafAt(x+4, y-4, x+12, y-5, 3.6, 0))
	ix, iy := int(x), int(y)
	p.eye(ix-1, iy-3, []string{"KKKKK.", "KWWKKK", "KWKKdK", ".KdlmK", "..KKK."}, c.eye)
	p.eye(ix-10, iy-2, []string{".KKK", "KWKK", "KKmK", ".KK."}, c.eye)
	p.stamp(ix-14, iy+2, keys(gold, c.main),
		"....ooo.",
		"..oolsmo",
		".olllmdo",
		"olmdooo.",
		"omdooo..",
		"oooddo..",
		"o..oo...")
	p.stamp(ix+4, iy+4, keys(rose), "mm.", ".mm")
}

// flame draws a tongue of fire from its foot to its tip, brighter inside.
func flame(p *pet, outer, inner ramp, x0, y0, x1, y1, w float64) {
	q := p.part(outer, leafAt(x0, y0, x1, y1, w, w*0.2)).glow().sharp().sway(x0, y0, 9)
	q.patch(inner, leafAt(x0, y0, x0+(x1-x0)*0.7, y0+(y1-y0)*0.7, w*0.55, w*0.1))
}

// phoenixChick draws the chick in a heap of ashes, between flames. It flaps.
func phoenixChick(p *pet, c coat) {
	for _, f := range [][5]float64{{25, 71, 23, 60, 7}, {62, 71, 65, 61, 7}} {
		flame(p, c.trim, c.extra, f[0], f[1], f[2], f[3], f[4])
	}
	for _, side := range []float64{-1, 1} {
		at := func(x float64) float64 { return 44 + side*x }
		p.acts(pose{deg: -16 * side, cx: at(11), cy: 52})
		for _, f := range [][2]float64{{24, 58}, {29, 52}, {31.6, 44}, {30, 36}} {
			q := p.part(c.main, leafAt(at(8), 54, at(f[0]), f[1], 9, side*1.6)).flat(0.7).throw(1)
			q.mark(c.trim, oval(at(f[0]), f[1], 8, 8))
			q.patch(c.extra, oval(at(f[0]), f[1], 4, 4))
		}
		p.rests()
	}
	body := p.part(c.main, fuse(4, oval(44, 58, 14.6, 13.5), oval(42, 46, 11, 10)))
	body.patch(c.belly, oval(41, 60, 10.6, 11))
	body.crease(mid, 36, 57, 38, 59, 40, 57).crease(mid, 42, 60, 44, 62, 46, 60).crease(mid, 37, 64, 39, 66, 41, 64)
	p.acts(pose{deg: 11, cx: 43, cy: 48})
	phoenixFace(p, 1, c, 40, 37)
	p.rests()
	heap := p.part(c.mark, oval(25, 72.4, 7, 3), oval(38, 71.4, 10, 4), oval(52, 71.6, 9, 4), oval(64, 72.4, 7, 3)).matt()
	heap.tint(1, dots(1, 29, 70, 39, 69.6, 51, 69.6))
	heap.mark(c.trim, dots(1.3, 34, 72.6, 47, 72, 57, 72.6))
	heap.mark(c.extra, dots(0.9, 41, 73, 53, 73))
	p.anchor("crest", 42, 24)
	p.anchor("tail", 68, 64)
	p.anchor("heart", 43, 64)
	p.anchor("feet", 43, 74)
}

// phoenixPerched draws the phoenix with its wing half open and its train on the ground.
func phoenixPerched(p *pet, c coat) {
	for _, f := range [][6]float64{{50, 56, 79, 58, 8, 5}, {50, 58, 80, 69, 8, 4}, {48, 60, 71, 74, 8, 2}} {
		plume := p.part(c.main, leafAt(f[0], f[1], f[2], f[3], f[4], f[5])).flat(0.8).pulse()
		plume.mark(c.trim, oval(f[2]-3, f[3]-1, 6.5, 5))
		plume.patch(c.extra, oval(f[2]-4, f[3]-1, 2.6, 2))
	}
	phoenixWing(p, c, false)
	p.part(gold, limb(40, 64, 2, 40, 72, 1.6), limb(46, 64, 2, 47, 72, 1.6))
	p.stamp(34, 72, keys(gold), ".oo.ooo.", "olmolmlo", ".ooooooo")
	p.stamp(42, 72, keys(gold), ".oo.ooo.", "olmolmlo", ".ooooooo")
	body := p.part(c.main, fuse(4, oval(45, 54, 11.5, 12.5), limb(42, 38, 8, 43, 48, 9)))
	body.patch(c.belly, oval(39, 54, 8, 11))
	scales := clip(bands(40, 50, 12, 5, 1.8), oval(39, 54, 8, 10))
	body.mark(c.mark, scales)
	p.part(c.mark, leafAt(52, 46, 58, 66, 12, 3)).mark(c.trim, oval(59, 66, 6, 6))
	p.part(c.main, leafAt(50, 44, 54, 62, 11, 3)).mark(c.mark, oval(54, 60, 5, 5))
	p.acts(pose{deg: 11, cx: 42, cy: 42})
	phoenixFace(p, 2, c, 38, 31)
	p.rests()
	p.anchor("crest", 40, 18)
	p.anchor("tail", 78, 62)
	p.anchor("heart", 44, 58)
	p.anchor("feet", 44, 74)
}

// phoenixRisen draws the phoenix with both wings raised.
func phoenixRisen(p *pet, c coat) {
	for _, f := range [][6]float64{{47, 58, 78, 66, 8, 4}, {43, 58, 12, 66, 8, -4}, {47, 60, 68, 74.5, 8, 3},
		{43, 60, 22, 74.5, 8, -3}, {45, 60, 45, 75.5, 8, 0}} {
		plume := p.part(c.main, leafAt(f[0], f[1], f[2], f[3], f[4], f[5])).flat(0.8).pulse()
		plume.mark(c.mark, oval(f[2], f[3], 11, 11))
		plume.patch(c.extra, oval(f[2], f[3], 6.5, 6.5))
	}
	for _, left := range []bool{true, false} {
		phoenixWing(p, c, left)
	}
	p.part(gold, limb(41, 62, 2, 40, 70, 1.5), limb(49, 62, 2, 50, 70, 1.5))
	p.stamp(36, 70, keys(gold), ".oo.ooo.", "olmolmlo", ".oo.oo.o")
	p.stamp(46, 70, keys(gold), ".oo.ooo.", "olmolmlo", ".oo.oo.o")
	body := p.part(c.main, fuse(4, oval(45, 54, 10.5, 11.5), limb(43, 40, 8, 44, 48, 9)))
	body.patch(c.belly, fuse(2, leafAt(43, 66, 42, 44, 14, 0)))
	body.crease(dark, 38, 52, 40, 54, 42, 52).crease(dark, 43, 56, 45, 58, 47, 56).crease(dark, 38, 59, 40, 61, 42, 59)
	p.part(c.trim, poly(0.6, 35, 43, 44, 49, 53, 43, 51, 48, 44, 54, 37, 48)).wet()
	p.part(c.belly, poly(0.4, 44, 47, 47, 50.5, 44, 54, 41, 50.5)).glow()
	p.acts(pose{deg: 11, cx: 44, cy: 42})
	phoenixFace(p, 3, c, 43, 32)
	p.rests()
	p.anchor("crest", 44, 19)
	p.anchor("tail", 68, 70)
	p.anchor("heart", 44, 60)
	p.anchor("feet", 45, 74)
	p.ground(28, 62)
}

// phoenixWing draws a raised wing: long feathers, shorter ones over them, and the arm.
func phoenixWing(p *pet, c coat, left bool) {
	side := func(x float64) float64 {
		if left {
			return 90 - x
		}
		return x
	}
	k := 1.0
	if left {
		k = -1
	}
	first := len(p.parts)
	p.acts(pose{deg: -6 * k, cx: side(52), cy: 48})
	defer func() { p.swayFrom(first, side(52), 46, -7*k); p.rests() }()
	feather := func(r ramp, x0, y0, x1, y1, w, bend float64) *part {
		q := p.part(r, leafAt(side(x0), y0, side(x1), y1, w, k*bend)).flat(0.8).throw(1).pulse()
		if left {
			return q
		}
		return q.dim().bright()
	}
	for _, f := range [][4]float64{{55, 48, 63, 59}, {57, 47, 70, 58}, {60, 45, 76, 53}, {62, 42, 79.6, 46},
		{65, 38, 80.4, 38}, {67, 35, 80.4, 29}, {68, 33, 79, 20}, {68, 32, 75.6, 12.5}, {67, 32, 70, 9}} {
		q := feather(c.main, f[0], f[1], f[2], f[3], 8, 1.6)
		q.mark(c.mark, oval(side(f[2]), f[3], 9, 9))
		q.patch(c.extra, oval(side(f[2]), f[3], 5, 5))
	}
	for _, f := range [][4]float64{{54, 47, 61, 54}, {56, 46, 67, 52}, {59, 43, 72, 46}, {62, 40, 75, 39},
		{64, 36, 75, 32}, {66, 34, 73, 24}, {66, 33, 69.6, 19}} {
		feather(c.mark, f[0], f[1], f[2], f[3], 6.6, 1.2)
	}
	p.part(c.main, limb(side(50), 47, 4, side(57), 44, 3.4, side(63), 38, 2.8, side(67.5), 29, 2)).throw(2).mark(c.extra,
		dots(1, side(57), 44, side(62), 39))
}
