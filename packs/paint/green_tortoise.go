package main

var rootTortoise = creature{
	family: family{"root-tortoise", "Root Tortoise",
		"Where an old tree has fallen a root tortoise gets up, with the stump on its back and somewhere to be. It walks " +
			"one garden's length in a year and greets each bed by the name of the first thing that was ever planted there."},
	draw: drawTortoise,
	looks: [3]look{
		{"Stubble Tortoise",
			coat{main: olive, belly: cream, mark: leaf, trim: bark, extra: leaf, eye: cocoa},
			coat{main: frost, belly: snow, mark: deep, trim: lilac, extra: rose, eye: deep}},
		{"Birch Tortoise",
			coat{main: slate, belly: cream, mark: ink, trim: snow, extra: honey, eye: deep},
			coat{main: coral, belly: cream, mark: berry, trim: cream, extra: plum, eye: berry}},
		{"Lodge Tortoise",
			coat{main: russet, belly: cream, mark: sun, trim: cocoa, extra: tide, eye: russet},
			coat{main: mint, belly: snow, mark: rose, trim: slate, extra: berry, eye: tide}},
	},
}

func drawTortoise(p *pet, n int, c coat) {
	if n < 3 {
		tortoiseFront(p, n, c)
		return
	}
	const top = 34.0
	p.part(c.main, limb(74, 62, 3.4, 79, 67, 1.6, 77, 71, 1)).sharp()
	tortoiseFoot(p, c, 47, 1).dim()
	tortoiseFoot(p, c, 71.5, -1).dim()
	stump := p.part(c.trim, fuse(3, poly(2, 42, top, 70, top, 74, 58, 77, 64, 36, 64, 39, 58), oval(57, 62, 21, 6)))
	tortoiseBark(stump, top)
	tortoiseFoot(p, c, 41, 1)
	tortoiseFoot(p, c, 66, 1)
	p.posed(pose{dy: 3})
	p.acts(pose{dx: -3})
	p.part(c.main, limb(44, 61, 6.4, 32, 55, 6.4))
	tortoiseHead(p, n, c, 25, 43)
	p.anchor("crest", 24, 29)
	p.rests()
	p.posed(pose{})
	tortoiseLodge(p, c)
	p.anchor("tail", 78, 69)
	p.anchor("heart", 48, 66)
	p.anchor("feet", 50, 74)
}

// tortoiseFoot draws a leg at x that ends in roots.
func tortoiseFoot(p *pet, c coat, x, dir float64) *part {
	return p.part(c.main, fuse(2, limb(x, 63, 5.6, x-1*dir, 68, 4.6), limb(x-1*dir, 68, 4, x-8*dir, 73, 1.4),
		limb(x-dir, 68, 4, x-2*dir, 73.4, 1.8), limb(x-dir, 68, 4, x+5*dir, 73, 1.4))).sharp()
}

func tortoiseBark(stump *part, top float64) {
	for _, x := range []float64{46, 52, 59, 66} {
		stump.crease(dark, x, top+5, x-1, 52, x+(x-56)*0.15, 64)
	}
	stump.crease(edge, 49, 52, 48, 60)
	stump.crease(edge, 69, 50, 70, 58)
	stump.crease(light, 43, 50, 42, 60)
}

// tortoiseHead draws the head around x, y, with a beard of roots.
func tortoiseHead(p *pet, n int, c coat, x, y float64) {
	p.part(c.main, fuse(5, limb(x+8, y+13, 6.4, x+4, y+9, 6.4), oval(x, y, 13.5, 11.5),
		limb(x-7, y+4, 7, x-11, y+5, 5))).throw(3).calmly().flat(0.7)
	for i, at := range []float64{-9, -5, -1, 3} {
		end := []float64{17, 20.4, 20.4, 16}[i]
		p.part(c.trim, leafAt(x+at, y+8, x+at-1, y+end, 4, 0.6)).soft().sharp()
	}
	p.part(c.belly, fuse(2, limb(x-12, y+8, 2.4, x-5, y+10, 3.4, x+3, y+8, 2.6))).bare().matt()
	ix, iy := int(x), int(y)
	p.stamp(ix-11, iy-2, keys(c.eye, c.main), ".OOO.", "OLLLO", "KKKKK", "KWdmK", ".KKK.")
	p.stamp(ix+1, iy-2, keys(c.eye, c.main), ".OOOO.", "OLLLLO", "KKKKKK", "KWKdmK", ".KKKK.")
	p.stamp(ix-13, iy+5, keys(c.main), "..o............", "oooooo.....oo..", "......ooooo....")
	p.stamp(ix-15, iy+2, keys(c.main), "o.o")
	brow := c.trim
	if n == 1 {
		brow = c.extra
	}
	p.part(brow, leafAt(x-5, y-3.5, x-14, y-6, 4.4, 0), leafAt(x, y-4, x+11, y-7, 5.4, -1)).matt()
	p.stamp(ix+6, iy+4, keys(coral), "ll.", ".ll")
}

// tortoiseFront draws the tortoise from the front, under a stump with a sprout or under a birch.
func tortoiseFront(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.88)
	}
	tortoiseFoot(p, c, 25, 1).dim()
	tortoiseFoot(p, c, 67, -1).dim()
	x := 36.0
	if n == 1 {
		x = 29
		p.posed(pose{dx: 5})
		tortoiseStump(p, c)
		p.posed(pose{})
	} else {
		tortoiseBirch(p, c)
	}
	p.part(c.main, fuse(4, oval(43, 66, 14, 7), oval(40, 60, 10, 8)))
	tortoiseFoot(p, c, 29, 1)
	tortoiseFoot(p, c, 59, -1)
	p.acts(pose{dx: -2, dy: 3})
	tortoiseHead(p, n, c, x, 53)
	p.anchor("crest", int(x)-1, 40)
	p.rests()
	p.anchor("tail", 68, 60)
	p.anchor("heart", 46, 66)
	p.anchor("feet", 45, 74)
}

// tortoiseStump draws the stump of the young tortoise, with rings on top and a sprout.
func tortoiseStump(p *pet, c coat) {
	stump := p.part(c.trim, fuse(3, poly(2, 32, 34, 62, 34, 66, 54, 71, 66, 20, 66, 26, 54), oval(46, 64, 25, 5)))
	for _, x := range []float64{36, 43, 51, 58} {
		stump.crease(dark, x, 38, x+(x-46)*0.15, 50, x+(x-46)*0.4, 66)
	}
	stump.crease(edge, 33, 42, 31, 52).crease(edge, 61, 42, 63, 54).crease(light, 39, 40, 38, 46)
	rim := p.part(c.belly, oval(47, 33, 16.4, 5.6)).matt().flat(0.2).throw(0)
	rim.mark(c.trim, without(oval(47, 33, 12, 3.9), oval(47, 33, 10, 2.9)), without(oval(46.5, 33, 6.4, 1.9),
		oval(46.5, 33, 3.6, 1)))
	first := len(p.parts)
	p.part(c.extra, limb(50, 33, 1.6, 52, 25, 1.4, 50, 17, 1.1)).sharp()
	p.part(c.extra, leafAt(52, 26, 66, 22, 9, -2)).flat(0.7).crease(dark, 55, 25, 63, 23)
	p.part(c.extra, leafAt(51, 22, 39, 14, 9, -2)).flat(0.7).crease(dark, 48, 20, 42, 16)
	p.part(c.extra, leafAt(50, 19, 55, 9, 8, 1)).flat(0.7)
	p.swayFrom(first, 50, 33, 5)
}

// tortoiseBirch draws a shell like a mound, on which a birch with two trunks has rooted.
func tortoiseBirch(p *pet, c coat) {
	first := len(p.parts)
	tortoiseLeaves(p, c.extra, -1, oval(63, 24, 12, 8.6), oval(56, 28, 8, 6), oval(71, 28, 7, 5.4))
	p.swayFrom(first, 46, 42, 2)
	mound := p.part(c.trim, clip(fuse(3, oval(46, 62, 25, 19), oval(46, 66, 26, 6)), below(46, 68, 180)))
	mound.mark(c.mark, oval(29, 60, 4, 1.2), oval(61, 55, 4, 1.3), oval(66, 62, 3.4, 1.2), oval(57, 62, 3, 1),
		oval(33, 52, 3.4, 1), oval(25, 66, 2.6, 1))
	trunk := p.part(c.trim, limb(45, 48, 3.8, 44, 39, 3.2, 37, 30, 2.4, 33, 24, 1.8), limb(45, 44, 3.4, 50, 35, 2.8, 57,
		27, 1.8), limb(44, 44, 3, 37, 48, 2.2, 31, 54, 1.2), limb(46, 44, 3.2, 54, 48, 2.2, 61, 53, 1.2),
		limb(45, 46, 2.6, 48, 52, 1.8, 47, 57, 1)).sharp().matt()
	trunk.mark(c.mark, oval(45, 41, 2.4, 0.8), oval(40, 34, 1.6, 0.8), oval(52, 34, 1.6, 0.8), oval(46, 46, 2, 0.8))
	first = len(p.parts)
	tortoiseLeaves(p, c.extra, 0, oval(29, 25, 12, 8.4), oval(22, 29, 7.6, 5.6), oval(37, 27, 7, 5))
	tortoiseLeaves(p, c.extra, 1, oval(46, 17.4, 12, 7.6), oval(38, 19, 6.4, 5), oval(54, 19, 6.4, 5))
	p.swayFrom(first, 46, 42, 3)
	for _, s := range [][3]float64{{70, 51, 5}, {67, 58, 6}} {
		p.part(c.extra, clip(oval(s[0], s[1]+2, s[2], 4.6), below(s[0], s[1]+3, 180))).mark(c.belly,
			oval(s[0], s[1]+4.4, s[2], 1.8))
	}
}

// tortoiseLeaves draws one mass of leaves, in the colours of r, step steps lighter.
func tortoiseLeaves(p *pet, r ramp, step int, blobs ...shape) {
	mass := p.part(r, wavy(fuse(2, blobs...), 0.7, 5)).matt()
	mass.shift = step
	x, y := (mass.shape.x0+mass.shape.x1)/2, (mass.shape.y0+mass.shape.y1)/2
	for _, at := range [][2]float64{{-6, 2}, {1, -3}, {4, 3}, {-1, 4}, {8, 0}} {
		mass.crease(dark+max(step, 0), x+at[0]-2, y+at[1], x+at[0], y+at[1]+1.4, x+at[0]+2, y+at[1])
	}
}

// tortoiseLodge draws a house with a door, a lit window and a roof.
func tortoiseLodge(p *pet, c coat) {
	p.part(snow, oval(68, 13.4, 2.8, 2.2), oval(72, 11, 2.4, 1.8)).matt().sway(66, 18, 14)
	p.part(stone, poly(0.8, 64, 16, 69, 16, 69, 28, 64, 28)).crease(edge, 64, 20, 70, 20).crease(edge, 64, 24, 70, 24)
	roof := p.part(c.extra, fuse(2, poly(2, 36, 39, 44, 28, 54, 14, 57, 14, 67, 27, 77, 39)),
		limb(36, 39, 3, 46, 41, 3, 57, 41.6, 3, 68, 41, 3, 77, 39, 3)).throw(3)
	for _, l := range [][]float64{{48, 27, 57, 29, 66, 27}, {43, 34, 57, 36, 71, 34}, {52, 20, 57, 21, 61, 20}} {
		roof.crease(dark, l...)
	}
	for _, l := range [][]float64{{53, 29, 53, 34}, {61, 29, 61, 34}, {48, 36, 47, 41}, {57, 37, 57, 42},
		{66, 36, 67, 41}, {57, 22, 57, 27}} {
		roof.crease(dark, l...)
	}
	door := p.part(bark, fuse(1, oval(52, 54, 4, 5), poly(0.6, 48.6, 55, 55.4, 55, 55.4, 62, 48.6, 62)))
	door.crease(dark, 52, 50, 52, 62)
	window := p.part(c.mark, oval(65, 52, 4, 4)).glow()
	window.crease(edge, 65, 48, 65, 56)
	window.crease(edge, 61, 52, 69, 52)
	p.stamp(54, 57, keys(gold), "l")
}
