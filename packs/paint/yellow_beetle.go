package main

var glimmerBeetle = creature{
	family: family{"glimmer-beetle", "Glimmer Beetle",
		"A glimmer beetle polishes itself every noon on a warm stone and then stands where it can be seen. It is a little " +
			"vain and entirely brave: small creatures shelter behind its wing-cases, and it holds the pose until the danger " +
			"leaves."},
	draw: drawBeetle,
	looks: [3]look{
		{"Glint Beetle",
			coat{main: leaf, belly: cream, mark: tide, trim: gold, extra: sun, eye: leaf},
			coat{main: rose, belly: cream, mark: plum, trim: lilac, extra: sun, eye: sun}},
		{"Opal Stag Beetle",
			coat{main: berry, belly: rose, mark: night, trim: plum, extra: sun, eye: sun},
			coat{main: brook, belly: frost, mark: slate, trim: deep, extra: lime, eye: sun}},
		{"Gilt Hercules",
			coat{main: gold, belly: cream, mark: ink, trim: sun, extra: frost, eye: gold},
			coat{main: pearl, belly: snow, mark: night, trim: brook, extra: rose, eye: brook}},
	},
}

func drawBeetle(p *pet, n int, c coat) {
	switch n {
	case 1:
		beetleRolling(p, c)
		return
	case 2:
		beetleCrawl(p, c)
		return
	}
	beetleCase(p, c)
	for _, s := range []float64{-1, 1} {
		at := func(x float64) float64 { return 45 + s*x }
		leg := p.part(c.mark, limb(at(6), 64, 3.4, at(8), 69, 2.8), limb(at(8), 72, 2.6, at(8)-4, 72.6, 2.2))
		low := p.part(c.mark, limb(at(9), 60, 2.2, at(16), 63, 2, at(19), 68, 1.6)).sharp()
		if s < 0 {
			leg.dim()
			low.dim()
		}
	}
	belly := p.part(c.belly, fuse(2, oval(45, 56, 11, 13)))
	for _, y := range []float64{52, 56.5, 61, 65} {
		belly.crease(dark, 33, y-1, 44, y+1, 57, y-1)
	}
	p.part(c.main, fuse(2, limb(35, 46, 4.4, 45, 48, 4.6, 55, 46, 4.4))).wet()
	for _, s := range []float64{-1, 1} {
		at := func(x float64) float64 { return 45 + s*x }
		p.part(c.mark, limb(at(10), 49, 2.6, at(19), 52, 2.3, at(11), 58, 2.2)).sharp().throw(1)
	}
	p.acts(pose{deg: 7, cx: 45, cy: 46})
	beetleHead(p, c)
	p.rests()
	p.anchor("crest", 44, 18)
	p.anchor("tail", 76, 60)
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}

// beetleRolling draws the young beetle, which pushes a drop of dew that is larger than its head.
func beetleRolling(p *pet, c coat) {
	p.resize(0.9)
	for _, l := range [][]float64{{46, 60, 2.6, 37, 62, 2.2, 30, 58, 1.4}, {60, 66, 2.8, 61, 70, 2.2, 66, 73.6, 1.4},
		{70, 64, 2.8, 77, 68, 2.2, 78, 73.6, 1.4}} {
		p.part(c.mark, limb(l...)).dim().sharp()
	}
	dome := ovalAt(61, 52, 17, 15, 24)
	far := p.part(c.main, dome).wet().dim()
	far.mark(c.extra, without(dome, grow(dome, -2.4)))
	p.part(frost, clip(grow(dome, -3), ovalAt(64, 58, 15, 8, 24))).matt()
	p.acts(pose{deg: -32, cx: 48, cy: 47})
	near := p.part(c.main, clip(dome, turn(oval(57, 57, 24, 14.6), 60, 54, 24))).wet()
	near.patch(c.extra, ovalAt(59, 51, 3.6, 2.6, 24), ovalAt(69, 57, 3.2, 2.6, 24), ovalAt(57, 60, 2.6, 2, 24))
	p.acts(pose{dx: -2, deg: -30, cx: 20.6, cy: 61})
	dew := p.part(frost, oval(20.6, 61, 12.4, 12.4)).wet().throw(0)
	dew.tint(1, without(oval(21, 61.6, 9.4, 9.4), oval(18.6, 58.6, 9.4, 9.4)))
	p.stamp(13, 53, keys(snow), ".ss", "sss", "ss.", "s..")
	p.rests()
	for _, l := range [][]float64{{48, 62, 3, 41, 67, 2.4, 32, 64, 1.6}, {56, 66, 3, 53, 70, 2.4, 50, 74, 1.4},
		{65, 66, 3, 69, 70, 2.4, 70, 74, 1.4}} {
		p.part(c.mark, limb(l...)).sharp()
	}
	p.part(c.trim, fuse(2, ovalAt(46, 50, 8, 11.6, 20))).wet()
	for _, x := range []float64{33, 42} {
		p.part(c.mark, limb(x, 37, 1, x-3, 29, 1, x-7, 25, 1)).sharp().sway(x, 37, 8)
		p.part(c.extra, oval(x-7.6, 24, 2.6, 2.6)).glow().sway(x, 37, 8)
	}
	p.part(c.mark, oval(38, 45, 11, 10)).throw(3).calmly().patch(c.belly,
		fuse(3, oval(33, 49, 6, 5.4), oval(40, 49, 6.6, 5.6)))
	p.eye(28, 41, eyeTallFar, c.eye)
	p.eye(37, 41, eyeTall, c.eye)
	p.stamp(31, 51, keys(c.belly), "o....o", ".oooo.")
	p.stamp(42, 48, keys(coral), "ll.", ".ll")
	p.anchor("crest", 38, 33)
	p.anchor("tail", 76, 56)
	p.anchor("heart", 52, 66)
	p.anchor("feet", 54, 74)
}

// beetleCrawl draws the beetle on its six legs.
func beetleCrawl(p *pet, c coat) {
	for _, l := range [][]float64{{34, 62, 2.8, 29, 67, 2.2, 31, 73.4, 1.4}, {50, 64, 2.8, 49, 69, 2.2, 52, 73.4, 1.4},
		{64, 63, 2.8, 71, 66, 2.2, 75, 73, 1.4}} {
		p.part(c.mark, limb(l...)).dim().sharp()
	}
	dome := clip(oval(54, 56, 25, 25), below(0, 68, 180))
	far := p.part(c.main, dome).wet().dim()
	near := p.part(c.main, clip(dome, loop(34, 40, 46, 38, 60, 42, 71, 50, 80, 64, 80, 72, 28, 72, 28, 52))).wet()
	near.patch(c.extra, ovalAt(50, 50, 4.4, 3.4, 20), ovalAt(65, 57, 4, 3.4, 40), oval(53, 62, 3, 2.4),
		oval(71, 65, 2.4, 2))
	near.mark(c.trim, without(oval(54, 57, 25, 25), oval(54, 57, 25, 12)))
	far.patch(c.extra, ovalAt(58, 37, 4, 2.4, 14))
	for _, l := range [][]float64{{38, 64, 3.2, 31, 66, 2.6, 26, 73.6, 1.4}, {51, 66, 3.2, 46, 70, 2.4, 42, 74, 1.4},
		{63, 66, 3.2, 66, 70, 2.4, 63, 74, 1.4}} {
		p.part(c.mark, limb(l...)).sharp()
	}
	p.acts(pose{deg: 9, cx: 36, cy: 62})
	p.part(c.trim, limb(30, 49, 3, 38, 40, 3, 39, 29, 2.6, 31, 22, 1),
		leafAt(39, 35, 30, 33, 5, 0)).sharp().wet().dim().flick(30, 49, -5)
	shield := p.part(c.trim, fuse(3, oval(35, 53, 11, 13.6), oval(33, 58, 9, 9))).wet()
	shield.crease(dark, 39, 42, 42, 52, 40, 63)
	head := p.part(c.mark, fuse(4, oval(25, 57, 12.6, 11), oval(22, 61, 11, 7.4))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, fuse(3, oval(17.6, 61, 6.6, 6), oval(27, 61, 8, 6)))
	p.part(c.trim, limb(19, 51, 3.4, 12.6, 42, 3, 13, 31, 2.6, 22, 23, 1),
		leafAt(13, 37, 22, 34, 5, 0)).sharp().wet().flick(19, 51, 5)
	p.stamp(13, 55, keys(c.eye, c.belly), ".KKK", "KWWK", "KWKK", "KmlK", ".KK.")
	p.stamp(24, 54, keys(c.eye, c.belly), ".KKKK.", "KWWKKK", "KWWKKK", "KKKKmK", "KKmllK", ".KKKK.")
	p.stamp(17, 63, keys(c.belly), "o.....o", ".ooooo.")
	p.stamp(30, 61, keys(coral), "ll.", ".ll")
	p.rests()
	p.anchor("crest", 26, 42)
	p.anchor("tail", 74, 56)
	p.anchor("heart", 45, 66)
	p.anchor("feet", 48, 74)
}

// beetleCase draws the two open wing-cases and the wings beneath.
func beetleCase(p *pet, c coat) {
	for _, s := range []float64{-1, 1} {
		at := func(x float64) float64 { return 45 + s*x }
		for i, w := range [][3]float64{{33, 62, 14}, {35, 50, 14}} {
			q := p.part(c.extra, leafAt(at(6), 50, at(w[0]), w[1], w[2], 0)).flat(0.4).sway(at(6), 50, s*float64(6-2*i))
			q.crease(mid, at(8), 50, at(20), (50+w[1])/2-1, at(w[0]-2), w[1])
			if i == 0 || s < 0 {
				q.dim()
			}
		}
		one := loop(at(4), 46, at(9), 38, at(20), 26, at(31), 22, at(35.5), 28, at(33), 38, at(24), 46, at(12), 51)
		q := p.part(c.main, one).wet()
		q.mark(c.mark, without(one, grow(one, -2.6)), limb(at(10), 45, 1, at(20), 36, 1, at(30), 28, 1),
			oval(at(24), 38, 1.8, 1.8), oval(at(28), 31, 1.4, 1.4))
		if s < 0 {
			q.dim()
		}
	}
}

func beetleHead(p *pet, c coat) {
	// The two horns curve towards each other like a crab's claw.
	horn := p.part(c.mark, limb(50, 31, 5.6, 56, 23, 4.6, 54.6, 15, 3.4, 47, 10, 1.2),
		leafAt(56, 19, 48, 18, 5, 0)).sharp().wet()
	horn.tint(1, limb(52, 25, 0.9, 55, 20, 0.9, 53, 14, 0.8))
	head := p.part(c.main, fuse(4, oval(44, 35, 14, 10), oval(43, 39, 13.5, 7.6))).throw(3).calmly().flat(0.65).bright()
	head.patch(c.belly, fuse(3, oval(37, 42, 8.4, 4.6), oval(48, 42, 8.4, 4.6)))
	head.mark(c.mark, oval(53, 28, 2.2, 1.8), oval(56, 33, 1.6, 1.6))
	p.part(c.mark, limb(39, 31, 3.8, 34, 24, 3.2, 35, 17, 2.4, 41, 13, 1)).sharp().wet().throw(1)
	p.stamp(33, 35, keys(c.eye), ".KKKK.", "KKKKKK", "KWWKKK", "KWWKmK", "KKKmlK", ".KKKK.")
	p.stamp(47, 35, keys(c.eye), ".KKKK.", "KKKKKK", "KWWKKK", "KWWKmK", "KKKmlK", ".KKKK.")
	p.stamp(40, 43, keys(c.belly), "o....o", ".oooo.")
	p.stamp(31, 41, keys(coral), "ll", "l.")
	p.stamp(54, 41, keys(coral), "ll", ".l")
}
