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
	if n == 1 {
		p.resize(0.82)
	}
	beetleCase(p, n, c)
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
	beetleHead(p, n, c)
	p.anchor("crest", 44, 18)
	p.anchor("tail", []int{66, 68, 76}[n-1], []int{64, 64, 60}[n-1])
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}

// beetleCase is the pair of wing-cases, worn like a cloak.
func beetleCase(p *pet, n int, c coat) {
	for _, s := range []float64{-1, 1} {
		at := func(x float64) float64 { return 45 + s*x }
		var one shape
		switch n {
		case 1:
			one = loop(at(1), 42, at(13), 39, at(22), 46, at(24), 57, at(19), 66, at(8), 71, at(1), 69)
		case 2:
			one = loop(at(1), 42, at(13), 38, at(22), 44, at(26), 54, at(23), 65, at(14), 71, at(2), 68)
		case 3:
			for i, w := range [][3]float64{{33, 62, 14}, {35, 50, 14}} {
				q := p.part(c.extra, leafAt(at(6), 50, at(w[0]), w[1], w[2], 0)).flat(0.4)
				q.crease(mid, at(8), 50, at(20), (50+w[1])/2-1, at(w[0]-2), w[1])
				if i == 0 || s < 0 {
					q.dim()
				}
			}
			one = loop(at(4), 46, at(9), 38, at(20), 26, at(31), 22, at(35.5), 28, at(33), 38, at(24), 46, at(12), 51)
		}
		q := p.part(c.main, one).wet()
		switch n {
		case 1:
			q.mark(c.trim, without(one, grow(one, -3)))
		case 2:
			q.mark(c.trim, without(one, grow(one, -2.4)))
			q.patch(c.extra, oval(at(19), 46, 3, 3), oval(at(22.6), 55, 2.4, 3.4), oval(at(19), 65.4, 3, 2.6), oval(at(13), 42, 2, 1.6))
		case 3:
			q.mark(c.trim, without(one, grow(one, -2.6)), limb(at(10), 45, 1, at(20), 36, 1, at(30), 28, 1))
		}
		if s < 0 {
			q.dim()
		}
	}
}

func beetleHead(p *pet, n int, c coat) {
	switch n {
	case 1:
		for _, s := range []float64{-1, 1} {
			p.part(c.mark, limb(44+s*5, 26, 1, 44+s*9, 19, 1, 44+s*14, 17, 1)).sharp()
			p.part(c.extra, oval(44+s*14, 17, 2.2, 2.2)).glow()
		}
		p.part(c.trim, leafAt(43, 28, 42, 18, 7, 0))
	case 2:
		for _, s := range []float64{-1, 1} {
			q := p.part(c.trim, limb(44+s*6, 28, 3.4, 44+s*13, 21, 3, 44+s*14, 13, 2.4, 44+s*7, 9.6, 1), leafAt(44+s*14, 19, 44+s*6, 17, 4, 0)).sharp().wet()
			if s < 0 {
				q.dim()
			}
		}
	}
	head := p.part(c.mark, fuse(4, oval(44, 34, 14, 10.5), oval(43, 38, 13.5, 8))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, fuse(3, oval(37, 40, 9.5, 6.5), oval(48, 40, 9.5, 6.5)))
	helm := p.part(c.main, clip(oval(44, 35, 14.5, 12), below(44, 31.6, 180))).wet().throw(1)
	helm.mark(c.trim, without(oval(44, 32, 16, 4), oval(44, 28.5, 17, 4)))
	if n == 3 {
		horn := p.part(c.mark, limb(42, 29, 4.4, 39, 21, 3.8, 31, 15, 2.8, 23, 14, 1.6), leafAt(33, 16, 30, 23, 4, 0)).sharp().wet()
		horn.tint(1, limb(40, 24, 0.8, 36, 18, 0.8, 30, 14, 0.6))
		p.part(c.main, leafAt(50, 26, 55, 13, 7, -1)).wet()
	}
	p.stamp(33, 36, keys(c.eye, c.belly), "KKKKK", "KWWKK", "KWKmK", "KKmlK", ".KKK.")
	p.stamp(47, 36, keys(c.eye, c.belly), "KKKKK", "KWWKK", "KWKmK", "KKmlK", ".KKK.")
	p.stamp(38, 42, keys(c.belly), "o......o", ".ooooooo")
	p.stamp(32, 42, keys(coral), "ll", "l.")
	p.stamp(52, 42, keys(coral), "ll", ".l")
}
