package main

var riverOtter = creature{
	family: family{"river-otter", "River Otter",
		"River otters keep one stone for life and will show it to anyone who sits down. They know every bend of their " +
			"water by its sound, and hum it back when they are content."},
	draw: drawOtter,
	looks: [3]look{
		{"Brook Otter",
			coat{main: cocoa, belly: cream, mark: bark, trim: rose, extra: slate, eye: brook},
			coat{main: frost, belly: snow, mark: brook, trim: rose, extra: gold, eye: plum}},
		{"Ripple Otter",
			coat{main: bark, belly: cream, mark: cocoa, trim: rose, extra: brook, eye: brook},
			coat{main: lilac, belly: pearl, mark: plum, trim: rose, extra: gold, eye: tide}},
		{"Lily Warden",
			coat{main: slate, belly: snow, mark: deep, trim: rose, extra: leaf, eye: tide},
			coat{main: rose, belly: pearl, mark: berry, trim: coral, extra: mint, eye: plum}},
	},
}

func drawOtter(p *pet, n int, c coat) {
	switch n {
	case 1:
		otterPup(p, c)
		return
	case 3:
		otterWarden(p, c)
		return
	}
	tail := p.part(c.main, limb(54, 66, 6, 66, 68, 5.5, 75, 61, 4, 77, 51, 1.5))
	p.part(c.main, limb(34, 47, 4, 30, 54, 3.4, 34, 59, 3)).dim()
	body := p.part(c.main, fuse(6, oval(46, 59, 13.5, 13), oval(42, 47, 10, 10)))
	body.mark(c.belly, fuse(4, oval(39.5, 60, 8.5, 11), oval(37, 47, 6, 8)))
	foot := p.part(c.main, oval(36.5, 71, 6.5, 3.4)).throw(1)
	thigh := p.part(c.main, fuse(3, oval(56, 65, 7.5, 7), oval(52, 71.3, 7.5, 3.2))).soft()
	foot.crease(edge, 33, 71, 33, 74)
	foot.crease(edge, 36, 71, 36, 74)
	thigh.crease(edge, 48, 71, 48, 74)
	thigh.crease(edge, 51, 71, 51, 74)
	ripples := clip(rings(30, 56, 26, 6, 2.6), below(0, 40, -4))
	body.mark(c.mark, ripples)
	thigh.mark(c.mark, ripples)
	tail.mark(c.mark, ripples)
	p.acts(pose{dx: -1, dy: -9})
	p.part(c.extra, ovalAt(38, 57, 4.5, 3.6, -20)).wet()
	p.rests()
	p.part(c.main, limb(50, 47, 4.2, 53, 55, 4, 44, 59, 3.4)).soft()
	p.acts(pose{deg: 10, cx: 42, cy: 46})
	otterHead(p, n, c, 37, 31)
	p.rests()
	p.anchor("crest", 38, 20)
	p.anchor("tail", 77, 52)
	p.anchor("heart", 42, 54)
	p.anchor("feet", 46, 73)
}

// otterHead draws the head around x, y.
func otterHead(p *pet, n int, c coat, x, y float64) {
	p.part(c.main, oval(x+13.5, y-8.5, 4, 4)).mark(c.trim, oval(x+14, y-7.5, 2, 2))
	p.part(c.main, oval(x-11, y-10, 3.4, 3.2))
	head := p.part(c.main, fuse(3, oval(x, y, 15.5, 12), oval(x-2, y+5, 14, 7.5),
		leafAt(x+6, y+4, x+18, y+8, 8, 1))).throw(3).calmly()
	head.patch(c.belly, fuse(3, oval(x-6, y+9, 12, 6), oval(x+8, y+10, 9, 4)))
	if n == 2 {
		head.mark(c.mark, oval(x-2, y-13, 3, 8), oval(x+5, y-12, 2, 7), oval(x-8, y-12, 2, 6))
	}
	p.part(c.belly, fuse(2, oval(x-9, y+5.5, 6, 4.6), oval(x-1.5, y+5.5, 6, 4.6))).bare().calmly().matt().flat(0.3)
	ix, iy := int(x), int(y)
	p.eye(ix-14, iy-5, eyeBigFar, c.eye)
	p.eye(ix+1, iy-5, eyeBig, c.eye)
	p.stamp(ix-9, iy+1, keys(ink, c.belly, c.trim),
		".oooo.",
		"omldoo",
		".oooo.",
		"...O..",
		"O..O.O",
		".OO2O.",
		"..232.")
	p.stamp(ix+6, iy+3, keys(c.trim, c.main), "mm.", ".mm")
	p.stamp(ix-18, iy+5, keys(c.belly), "ss...", "...ss", "ss...")
}

func otterPup(p *pet, c coat) {
	p.part(c.main, limb(54, 68, 5, 63, 69, 4.5, 69, 65, 3, 71, 59, 1.2))
	p.part(c.main, limb(34, 54, 3.6, 31, 59, 3.2, 35, 63, 3)).dim()
	body := p.part(c.main, fuse(5, oval(45, 62, 12, 10.5), oval(42, 54, 9.5, 8)))
	body.mark(c.belly, oval(39.5, 61, 8, 10.5))
	p.part(c.main, oval(36, 71.3, 5.5, 3)).throw(1)
	p.part(c.main, fuse(3, oval(54, 67, 6.5, 5.5), oval(51, 71.6, 6.5, 2.8))).soft()
	p.part(c.main, limb(50, 53, 3.8, 52, 60, 3.6, 44, 63, 3.2)).soft()
	p.acts(pose{deg: 10, cx: 42, cy: 54})
	otterHead(p, 1, c, 38, 40)
	p.rests()
	p.anchor("crest", 39, 29)
	p.anchor("tail", 71, 60)
	p.anchor("heart", 42, 60)
	p.anchor("feet", 45, 73)
}

// otterLily draws the flower behind the warden's ear, at x, y.
func otterLily(p *pet, c coat, x, y float64) {
	p.part(c.extra, leafAt(x, y+1, x+14, y-2, 8, 2)).flat(0.7)
	p.part(c.trim, leafAt(x, y, x-8, y-4, 6, 0), leafAt(x, y, x+8, y-5, 6, 0), leafAt(x, y, x, y-10, 6, 0)).dim().flat(0.8)
	p.part(c.trim, leafAt(x, y+2, x-5, y-7, 6, 1), leafAt(x, y+2, x+5, y-7, 6, -1)).flat(0.8)
	p.part(gold, oval(x, y, 2, 2))
}

// otterWarden draws the warden on a lily pad, with a bulrush as its staff.
func otterWarden(p *pet, c coat) {
	pad := p.part(c.extra, loop(9.6, 69, 18, 64.6, 34, 63, 56, 63, 72, 65, 80, 69, 74, 73, 56, 75.4, 34, 75.4, 16,
		73)).flat(0.5)
	pad.crease(dark, 44, 70, 30, 66, 18, 66).crease(dark, 44, 70, 62, 65.4, 72, 66.4).crease(light, 14, 70, 30, 73, 46, 74)
	p.part(c.main, limb(52, 66, 4.6, 62, 69, 4.2, 71, 67, 3, 76, 62, 1.4))
	p.part(c.main, limb(37, 47, 4, 31, 54, 3.6, 36, 59, 3.2)).dim()
	body := p.part(c.main, fuse(6, oval(45, 58, 11, 13.6), oval(43, 47, 9.6, 9)))
	body.mark(c.belly, fuse(4, oval(40.5, 58, 7, 11), oval(39, 47, 6, 8)))
	for _, x := range []float64{37, 50} {
		foot := p.part(c.main, oval(x, 70.6, 6.6, 3)).throw(1)
		foot.crease(edge, x-3, 71, x-3, 74).crease(edge, x, 71, x, 74)
	}
	p.part(c.extra, leafAt(52, 42, 59, 58, 10, 2), leafAt(47, 42, 51, 58, 10, 1), leafAt(36, 42, 32, 55, 9, -1),
		leafAt(41, 42, 41, 56, 9, 0)).flat(0.7).
		crease(dark, 41, 44, 41, 53).crease(dark, 47, 44, 50, 54).crease(dark, 36, 44, 33, 52)
	p.part(olive, limb(64, 69, 1.4, 65, 44, 1.2, 66, 16, 1)).sharp()
	p.part(c.extra, leafAt(64.6, 54, 77, 33, 6, -3)).flat(0.6)
	p.part(bark, limb(65.6, 30, 2.8, 66, 19, 2.8))
	p.part(c.main, limb(52, 46, 4.2, 59, 50, 3.8, 64, 46, 3.6)).soft()
	p.acts(pose{deg: 8, cx: 42, cy: 46})
	otterHead(p, 3, c, 38, 31)
	otterLily(p, c, 43, 20)
	p.rests()
	p.anchor("crest", 38, 20)
	p.anchor("tail", 76, 63)
	p.anchor("heart", 43, 60)
	p.anchor("feet", 44, 73)
	p.ground(12, 78)
}
