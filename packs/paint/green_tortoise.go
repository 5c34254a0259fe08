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
	if n == 1 {
		p.resize(0.86)
	}
	top := []float64{44, 38, 34}[n-1]
	p.part(c.main, limb(74, 62, 3.4, 79, 67, 1.6, 77, 71, 1)).sharp()
	tortoiseFoot(p, c, 47, 1).dim()
	tortoiseFoot(p, c, 71.5, -1).dim()
	stump := p.part(c.trim, fuse(3, poly(2, 42, top, 70, top, 74, 58, 77, 64, 36, 64, 39, 58), oval(57, 62, 21, 6)))
	tortoiseBark(stump, n, c, top)
	if n < 3 {
		rim := p.part(c.belly, oval(56, top, 15.5, 5.4)).matt().flat(0.2).throw(0)
		rim.mark(c.trim, without(oval(56, top, 11.6, 3.8), oval(56, top, 9.6, 2.8)), without(oval(55.5, top, 6.4, 1.9),
			oval(55.5, top, 3.6, 1)))
	}
	tortoiseFoot(p, c, 41, 1)
	tortoiseFoot(p, c, 66, 1)
	reach := pose{dx: -3, dy: -3}
	if n == 3 {
		reach.dy = 0 // its roof is above its head
		p.posed(pose{dy: 3})
	}
	p.acts(reach)
	tortoiseHead(p, n, c)
	p.anchor("crest", 24, 29)
	p.rests()
	p.posed(pose{})
	tortoiseLoad(p, n, c, top)
	p.anchor("tail", 78, 69)
	p.anchor("heart", 48, 66)
	p.anchor("feet", 50, 74)
}

// tortoiseFoot draws a leg at x that ends in roots.
func tortoiseFoot(p *pet, c coat, x, dir float64) *part {
	return p.part(c.main, fuse(2, limb(x, 63, 5.6, x-1*dir, 68, 4.6), limb(x-1*dir, 68, 4, x-8*dir, 73, 1.4),
		limb(x-dir, 68, 4, x-2*dir, 73.4, 1.8), limb(x-dir, 68, 4, x+5*dir, 73, 1.4))).sharp()
}

func tortoiseBark(stump *part, n int, c coat, top float64) {
	if n == 2 {
		stump.mark(c.mark, oval(45, 46, 4, 1.2), oval(55, 50, 3, 1.4), oval(66, 47, 4, 1.2), oval(48, 57, 4, 1.4),
			oval(61, 58, 4, 1.2), oval(71, 56, 3, 1.2), oval(59, 44, 2, 0.9))
		stump.crease(mid, 50, 44, 50, 60)
		stump.crease(mid, 63, 44, 64, 62)
		return
	}
	for _, x := range []float64{46, 52, 59, 66} {
		stump.crease(dark, x, top+5, x-1, 52, x+(x-56)*0.15, 64)
	}
	stump.crease(edge, 49, 52, 48, 60)
	stump.crease(edge, 69, 50, 70, 58)
	stump.crease(light, 43, 50, 42, 60)
}

func tortoiseHead(p *pet, n int, c coat) {
	head := p.part(c.main, fuse(5, limb(42, 60, 6.4, 32, 54, 6.4), oval(25, 43, 13.5, 11.5),
		limb(18, 47, 7, 14, 48, 5))).throw(3).calmly().flat(0.7)
	head.crease(dark, 33, 58, 37, 54).crease(dark, 36, 61, 40, 56)
	for i, x := range []float64{16, 20, 24, 28} {
		y := []float64{60, 64, 64, 59}[i]
		p.part(c.trim, leafAt(x, 51, x-1, y, 4, 0.6)).soft().sharp()
	}
	p.part(c.belly, fuse(2, limb(13, 51, 2.4, 20, 53, 3.4, 28, 51, 2.6))).bare().matt()
	p.stamp(14, 41, keys(c.eye, c.main), ".OOO.", "OLLLO", "KKKKK", "KWdmK", ".KKK.")
	p.stamp(26, 41, keys(c.eye, c.main), ".OOOO.", "OLLLLO", "KKKKKK", "KWKdmK", ".KKKK.")
	p.stamp(12, 48, keys(c.main), "..o............", "oooooo.....oo..", "......ooooo....")
	p.stamp(10, 45, keys(c.main), "o.o")
	brow := c.trim
	if n == 1 {
		brow = c.extra
	}
	p.part(brow, leafAt(20, 39.5, 11, 37, 4.4, 0), leafAt(25, 39, 36, 36, 5.4, -1)).matt()
	p.stamp(31, 47, keys(coral), "ll.", ".ll")
}

// tortoiseLoad draws the load on the tortoise's back.
func tortoiseLoad(p *pet, n int, c coat, top float64) {
	first := len(p.parts)
	switch n {
	case 1:
		p.part(c.extra, limb(60, top, 1.6, 61, top-9, 1.4, 59, top-15, 1.1)).sharp()
		p.part(c.extra, leafAt(61, top-8, 73, top-13, 9, -2)).flat(0.7).crease(dark, 63, top-9, 71, top-12)
		p.part(c.extra, leafAt(60, top-12, 50, top-21, 9, -2)).flat(0.7).crease(dark, 58, top-14, 52, top-19)
		p.part(c.extra, leafAt(59, top-14, 65, top-25, 8, 1)).flat(0.7)
		p.swayFrom(first, 60, top, 5)
	case 2:
		for _, s := range [][3]float64{{72, 46, 7}, {74, 54, 6}, {43, 52, 5}} {
			p.part(c.extra, clip(oval(s[0], s[1]+2, s[2], 5), below(s[0], s[1]+3, 180))).mark(c.belly,
				oval(s[0], s[1]+4.6, s[2], 2))
		}
		first = len(p.parts)
		for i, l := range [][4]float64{{54, 36, 45, 22}, {60, 36, 68, 21}, {57, 36, 56, 16}} {
			p.part(c.trim, limb(56, 38, 2, l[0], l[1]-8, 1.4, l[2], l[3]+6, 1)).sharp()
			for k := range 5 {
				a := []float64{-8, 8, -7, 7, 0}[k]
				b := []float64{9, 7, 3, 1, 0}[k]
				q := p.part(c.extra, leafAt(l[2], l[3]+b, l[2]+a, l[3]+b-4, 7, 1)).flat(0.7).soft()
				if (k+i)%2 == 0 {
					q.bright()
				}
			}
		}
		p.swayFrom(first, 57, 38, 3)
	case 3:
		tortoiseLodge(p, c)
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
