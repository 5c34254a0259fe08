package main

var dustFox = creature{
	family: family{"dust-fox", "Dust Fox",
		"Where a dust fox has run the road stays golden for an hour. It borrows things that nobody would miss, a glove, a " +
			"lid, the end of a story, and pays for them with a shortcut."},
	draw: drawFox,
	looks: [3]look{
		{"Cinder Kit",
			coat{main: smoke, belly: cream, mark: ink, trim: rose, extra: cream, eye: honey},
			coat{main: mint, belly: snow, mark: tide, trim: coral, extra: snow, eye: tide}},
		{"Road Fox",
			coat{main: russet, belly: cream, mark: ink, trim: rose, extra: cream, eye: leaf},
			coat{main: brook, belly: snow, mark: night, trim: rose, extra: frost, eye: deep}},
		{"Dustdevil",
			coat{main: fawn, belly: cream, mark: bark, trim: rose, extra: fawn, eye: ember},
			coat{main: plum, belly: pearl, mark: night, trim: rose, extra: lilac, eye: gold}},
	},
}

func drawFox(p *pet, n int, c coat) {
	if n == 1 {
		foxBow(p, c)
		return
	}
	foxTail(p, n, c)
	foxLeg(p, c, 41, 58, 44, false)
	foxLeg(p, c, 66, 58, 69, false)
	body := p.part(c.main, fuse(6, oval(38, 51, 11, 11), limb(40, 54, 9, 52, 55, 8, 61, 55, 9)))
	body.patch(c.belly, fuse(3, oval(32, 54, 8, 9), oval(45, 64, 14, 3.4)))
	foxLeg(p, c, 34, 56, 30, true)
	thigh := p.part(c.main, fuse(3, oval(61, 57, 8, 8.4), limb(63, 60, 5, 60, 66, 3.4))).soft()
	foxLeg(p, c, 61, 62, 58, true)
	if n == 2 {
		body.mark(c.mark, clip(bands(50, 40, 74, 7, 2.6), oval(54, 46, 14, 7)))
		thigh.mark(c.mark, clip(bands(50, 40, 74, 7, 2.6), oval(62, 49, 10, 5)))
	}
	if n == 3 {
		foxScarf(p, c)
	}
	p.acts(pose{deg: -7, cx: 40, cy: 50, dy: 3})
	if n == 3 {
		p.posed(pose{deg: -6, cx: 40, cy: 50, dx: 2, dy: 3}) // its nose on a trail
	}
	foxHead(p, n, c)
	p.posed(pose{})
	p.rests()
	p.anchor("crest", 30, 22)
	p.anchor("tail", 74, 26)
	p.anchor("heart", 47, 60)
	p.anchor("feet", 46, 74)
}

// foxLeg draws a leg from x, y to a foot at fx, in a dark stocking.
func foxLeg(p *pet, c coat, x, y, fx float64, near bool) {
	leg := p.part(c.main, fuse(2, limb(x, y, 4.4, (x+fx)/2+1, 66, 3, fx+0.5, 72, 2.6), oval(fx-1, 73, 4, 2)))
	leg.mark(c.mark, below(0, 66, 0))
	if near {
		leg.soft()
		leg.crease(edge, fx-3, 73, fx-3, 75)
	} else {
		leg.dim()
	}
}

func foxHead(p *pet, n int, c coat) {
	far := p.part(c.main, leafAt(19, 34, 13, 11, 12, -1)).dim()
	far.mark(c.mark, oval(12, 11, 6, 8))
	near := p.part(c.main, leafAt(36, 34, 45, 10, 14, 2)).flick(37, 31, 9)
	near.patch(c.trim, leafAt(36, 33, 42, 17, 7, 1))
	near.mark(c.mark, oval(46, 10, 7, 8))
	head := p.part(c.main, fuse(3, oval(29, 36, 14.5, 11), limb(22, 40, 6.5, 13, 44, 3), leafAt(34, 38, 49, 44, 10, 1),
		leafAt(32, 42, 42, 50, 8, 1), oval(20, 47, 6.4, 3.6))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(20, 47, 9, 5), leafAt(24, 45, 48, 46, 10, -1), leafAt(28, 44, 41, 51, 8, 1)))
	head.patch(c.belly, oval(34, 31.6, 2.4, 1.4))
	switch n {
	case 2:
		head.mark(c.mark, leafAt(26, 32, 27, 23, 4, 0))
	case 3:
		head.mark(c.mark, leafAt(34, 37, 47, 38, 4, 1), leafAt(25, 33, 24, 24, 4, 0), leafAt(29, 33, 31, 24, 4, 0))
	}
	p.stamp(16, 35, keys(c.eye, c.main), "KKK.", "KWmKK", "KWmK.", ".KK..")
	p.stamp(28, 34, keys(c.eye, c.main), "....KK.", "KKKKKK.", "KWWmlK.", ".KWmlK.", "..KKK..")
	p.stamp(10, 41, keys(ink), ".oo.", "olmo", "oooo", ".oo.")
	p.stamp(13, 45, keys(c.main), "o......o.", ".oo..oo..", "...oo....")
	p.stamp(19, 47, keys(snow), "s")
}

func foxScarf(p *pet, c coat) {
	p.part(ember, leafAt(44, 47, 60, 42, 7, 2)).dim().flat(0.6)
	p.part(ember, limb(26, 50, 3, 34, 54, 3.6, 42, 52, 3.4, 47, 46, 3)).crease(dark, 30, 54, 36, 53, 43, 49)
	p.part(ember, leafAt(45, 47, 62, 49, 7, -2)).flat(0.6).crease(dark, 48, 47, 58, 49)
}

func foxTail(p *pet, n int, c coat) {
	if n == 3 {
		devil(p, c)
		return
	}
	tail := p.part(c.main, fuse(3, limb(63, 54, 4, 70.6, 50, 6, 73, 39, 7, 70, 29, 6), leafAt(72, 48, 80, 36, 8, 0),
		leafAt(73, 38, 79, 23, 9, 0), leafAt(73, 34, 61, 13, 13, -3)))
	tail.patch(c.extra, wavy(below(68, 31, 165), 1.6, 7))
	if n == 2 {
		tail.mark(c.mark, clip(bands(74, 42, 12, 8, 3), below(0, 34, 0)))
	}
}

// foxBow draws the kit, which wants to play: its chest on the ground, its tail in the air.
func foxBow(p *pet, c coat) {
	p.resize(0.86)
	p.posed(pose{dx: 1, dy: -6})
	foxTail(p, 1, c)
	p.posed(pose{})
	foxLeg(p, c, 66, 53, 71, false)
	far := p.part(c.main, limb(37, 64, 4, 25, 70.6, 3, 16, 72.4, 2.6)).dim()
	far.mark(c.mark, oval(16, 72.6, 9, 5))
	body := p.part(c.main, fuse(6, limb(37, 61, 9.4, 49, 56, 8.6, 61, 51, 9.4)))
	body.patch(c.belly, limb(38, 70, 3, 50, 65, 2))
	near := p.part(c.main, limb(39, 66, 4.4, 30, 71, 3.4, 21, 73.4, 2.8)).soft()
	near.mark(c.mark, oval(20, 73.6, 10, 5))
	p.part(c.main, fuse(3, oval(62, 54, 8.6, 9), limb(65, 58, 5.4, 62, 66, 3.4))).soft()
	foxLeg(p, c, 63, 61, 61, true)
	p.acts(pose{deg: 6, cx: 40, cy: 56, dy: -1})
	p.posed(pose{dx: -1, dy: 13})
	foxHead(p, 1, c)
	p.posed(pose{})
	p.rests()
	p.anchor("crest", 29, 35)
	p.anchor("tail", 75, 20)
	p.anchor("heart", 47, 62)
	p.anchor("feet", 46, 74)
}

// devil draws the tail of the third look: it rolls up at its tip like a whirl of dust, and throws
// off wisps.
func devil(p *pet, c coat) {
	for _, w := range [][6]float64{{72, 30, 79.6, 13, 11, 2}, {70, 20, 55, 10, 10, 2}, {71, 50, 79.6, 37, 10, -1}} {
		p.part(c.extra, leafAt(w[0], w[1], w[2], w[3], w[4], w[5])).sharp().flat(0.6).dim().sway(66, 54, 3)
	}
	arc := p.part(c.extra, limb(63, 55, 3.2, 70, 51, 5, 74.4, 43, 5.6, 75, 33, 5.6, 71.4, 23, 6.2, 64, 19.6, 5.6, 57.6, 22.6, 4.8,
		55.4, 29, 4.2)).sway(66, 54, 3)
	arc.crease(dark, 70, 47, 76, 41, 78, 35)
	arc.crease(dark, 69, 53, 74, 49, 78, 45)
	arc.crease(dark, 79, 30, 76, 23, 71, 19)
	arc.crease(dark, 68, 16, 63, 16, 59, 18)
	arc.crease(light, 67, 51, 71.6, 45, 73, 38)
	tip := p.part(c.extra, limb(56.4, 25, 4, 56, 31, 4.4, 61, 35.6, 4.4, 67, 34, 4, 68.6, 29, 3.2, 65.6, 26.6,
		2.2)).throw(2).sway(66, 54, 3)
	tip.patch(c.belly, limb(62, 36, 5, 68, 33, 5, 69, 29, 3.6, 65.6, 26, 3))
	tip.crease(dark, 57, 33, 60, 37, 66, 37)
}
