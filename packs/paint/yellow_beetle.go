package main

var glimmerBeetle = creature{
	family: family{"glimmer-beetle", "Glimmer Beetle",
		"A glimmer beetle polishes itself every noon on a warm stone and then stands where it can be seen. It is a little vain and entirely brave: small creatures shelter behind its wing-cases, and it holds the pose until the danger leaves."},
	draw: drawBeetle,
	looks: [3]look{
		{"Glint Beetle",
			coat{main: tide, belly: cream, mark: deep, trim: brook, extra: lime, eye: sun},
			coat{main: rose, belly: cream, mark: plum, trim: lilac, extra: sun, eye: sun}},
		{"Opal Stag",
			coat{main: berry, belly: rose, mark: night, trim: plum, extra: sun, eye: sun},
			coat{main: brook, belly: frost, mark: slate, trim: deep, extra: lime, eye: sun}},
		{"Gilt Hercules",
			coat{main: gold, belly: fawn, mark: cocoa, trim: leaf, extra: frost, eye: lime},
			coat{main: pearl, belly: lilac, mark: night, trim: brook, extra: rose, eye: foam}},
	},
}

func drawBeetle(p *pet, n int, c coat) {
	if n < 3 {
		beetleCrawl(p, n, c)
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
	beetleHead(p, c)
	p.anchor("crest", 44, 18)
	p.anchor("tail", 76, 60)
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}

// beetleCrawl stands on its six legs, its back to the sun.
func beetleCrawl(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.84)
	}
	for _, l := range [][]float64{{34, 62, 2.8, 29, 67, 2.2, 31, 73.4, 1.4}, {50, 64, 2.8, 49, 69, 2.2, 52, 73.4, 1.4}, {64, 63, 2.8, 71, 66, 2.2, 75, 73, 1.4}} {
		p.part(c.mark, limb(l...)).dim().sharp()
	}
	dome := clip(oval(54, 56, 25, 25), below(0, 68, 180))
	far := p.part(c.main, dome).wet().dim()
	near := p.part(c.main, clip(dome, loop(34, 40, 46, 38, 60, 42, 71, 50, 80, 64, 80, 72, 28, 72, 28, 52))).wet()
	beetleMarks(far, near, n, c)
	for _, l := range [][]float64{{38, 64, 3.2, 31, 66, 2.6, 26, 73.6, 1.4}, {51, 66, 3.2, 46, 70, 2.4, 42, 74, 1.4}, {63, 66, 3.2, 66, 70, 2.4, 63, 74, 1.4}} {
		p.part(c.mark, limb(l...)).sharp()
	}
	beetleJaws(p, n, c, true)
	shield := p.part(c.trim, fuse(3, oval(35, 53, 11, 13.6), oval(33, 58, 9, 9))).wet()
	shield.crease(dark, 39, 42, 42, 52, 40, 63)
	head := p.part(c.mark, fuse(4, oval(25, 57, 12.6, 11), oval(22, 61, 11, 7.4))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, fuse(3, oval(17.6, 61, 6.6, 6), oval(27, 61, 8, 6)))
	beetleJaws(p, n, c, false)
	p.stamp(13, 55, keys(c.eye, c.belly), ".KKK", "KWWK", "KWKK", "KmlK", ".KK.")
	p.stamp(24, 54, keys(c.eye, c.belly), ".KKKK.", "KWWKKK", "KWWKKK", "KKKKmK", "KKmllK", ".KKKK.")
	p.stamp(17, 63, keys(c.belly), "o.....o", ".ooooo.")
	p.stamp(30, 61, keys(coral), "ll.", ".ll")
	p.anchor("crest", 26, 42)
	p.anchor("tail", 74, 56)
	p.anchor("heart", 50, 66)
	p.anchor("feet", 48, 74)
}

// beetleMarks are what the two wing-cases wear.
func beetleMarks(far, near *part, n int, c coat) {
	if n == 1 {
		near.mark(c.trim, clip(bands(54, 56, 24, 8, 2), oval(56, 60, 20, 13)))
		near.patch(c.extra, limb(42, 45, 0.9, 52, 45, 0.9, 62, 50, 0.8))
		return
	}
	near.patch(c.extra, ovalAt(50, 50, 4.4, 3.4, 20), ovalAt(65, 57, 4, 3.4, 40), oval(53, 62, 3, 2.4), oval(71, 65, 2.4, 2))
	near.mark(c.trim, without(oval(54, 57, 25, 25), oval(54, 57, 25, 12)))
	far.patch(c.extra, ovalAt(58, 37, 4, 2.4, 14))
}

// beetleJaws are feelers and small pincers on the young one, antlers on the stag.
func beetleJaws(p *pet, n int, c coat, far bool) {
	if n == 1 {
		x := 27.0
		if far {
			x = 19
		}
		p.part(c.mark, limb(x, 49, 1, x-3, 41, 1, x-1, 34, 1)).sharp().sway(x, 49, 7)
		p.part(c.extra, oval(x-1, 33, 2.4, 2.4)).glow().sway(x, 49, 7)
		if !far {
			p.part(c.trim, limb(20, 67, 2, 14, 68.6, 1.8, 12.6, 64.6, 1)).sharp().wet()
		}
		return
	}
	if far {
		p.part(c.trim, limb(30, 49, 3, 38, 40, 3, 39, 29, 2.6, 31, 22, 1), leafAt(39, 35, 30, 33, 5, 0)).sharp().wet().dim().flick(30, 49, -5)
		return
	}
	p.part(c.trim, limb(19, 51, 3.4, 12.6, 42, 3, 13, 31, 2.6, 22, 23, 1), leafAt(13, 37, 22, 34, 5, 0)).sharp().wet().flick(19, 51, 5)
}

// beetleCase is the pair of wing-cases, thrown open, and the wings beneath.
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
		q.mark(c.trim, without(one, grow(one, -2.6)), limb(at(10), 45, 1, at(20), 36, 1, at(30), 28, 1))
		if s < 0 {
			q.dim()
		}
	}
}

func beetleHead(p *pet, c coat) {
	head := p.part(c.mark, fuse(4, oval(44, 34, 14, 10.5), oval(43, 38, 13.5, 8))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, fuse(3, oval(37, 40, 9.5, 6.5), oval(48, 40, 9.5, 6.5)))
	helm := p.part(c.main, clip(oval(44, 35, 14.5, 12), below(44, 31.6, 180))).wet().throw(1)
	helm.mark(c.trim, without(oval(44, 32, 16, 4), oval(44, 28.5, 17, 4)))
	horn := p.part(c.mark, limb(42, 29, 4.4, 39, 21, 3.8, 31, 15, 2.8, 23, 14, 1.6), leafAt(33, 16, 30, 23, 4, 0)).sharp().wet()
	horn.tint(1, limb(40, 24, 0.8, 36, 18, 0.8, 30, 14, 0.6))
	p.part(c.main, leafAt(50, 26, 55, 13, 7, -1)).wet()
	p.stamp(33, 36, keys(c.eye, c.belly), "KKKKK", "KWWKK", "KWKmK", "KKmlK", ".KKK.")
	p.stamp(47, 36, keys(c.eye, c.belly), "KKKKK", "KWWKK", "KWKmK", "KKmlK", ".KKK.")
	p.stamp(38, 42, keys(c.belly), "o......o", ".ooooooo")
	p.stamp(32, 42, keys(coral), "ll", "l.")
	p.stamp(52, 42, keys(coral), "ll", ".l")
}
