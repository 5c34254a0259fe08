package main

import "math"

var starStag = creature{
	family: family{"star-stag", "Star Stag",
		"On clear nights it walks up where the hill stops and the sky does not. Each point of its antlers minds one star, " +
			"and when the stag shakes its head, somewhere a sailor changes course and is glad of it."},
	draw: drawStag,
	looks: [3]look{
		{"First-Light Fawn",
			coat{main: deep, belly: frost, mark: frost, trim: brass, extra: sun, eye: brook},
			coat{main: rose, belly: pearl, mark: snow, trim: brass, extra: sun, eye: plum}},
		{"Compass Stag",
			coat{main: night, belly: lilac, mark: frost, trim: brass, extra: sun, eye: gold},
			coat{main: tide, belly: foam, mark: sun, trim: pearl, extra: coral, eye: tide}},
		{"Firmament Stag",
			coat{main: ink, belly: lilac, mark: plum, trim: pearl, extra: frost, eye: frost},
			coat{main: pearl, belly: snow, mark: lilac, trim: gold, extra: berry, eye: berry}},
	},
}

func drawStag(p *pet, n int, c coat) {
	if n == 1 {
		stagFawn(p, c)
		return
	}
	if n == 2 {
		stagTrotting(p, c)
		return
	}
	p.resize(0.85)
	stagTrain(p, c)
	stagLeg(p, c, 44, 48, false)
	stagLeg(p, c, 67, 70, false)
	body := p.part(c.main, fuse(6, limb(44, 48, 9.6, 55, 50, 8.4, 65, 48, 9), limb(42, 44, 8, 37, 34, 6.4, 35, 28, 6)))
	body.patch(c.belly, fuse(3, leafAt(36, 36, 38, 58, 11, -1), oval(53, 59, 12, 3)))
	stagSky(p, body, c)
	stagLeg(p, c, 41, 36, true)
	p.part(c.main, fuse(2, oval(64, 51, 7.6, 8.4), limb(66, 54, 5, 65, 61, 3.4))).soft()
	stagLeg(p, c, 66, 63, true)
	p.acts(pose{deg: -6.5, cx: 38, cy: 36})
	stagHead(p, n, c)
	p.rests()
	p.anchor("crest", 34, 15)
	p.anchor("tail", 76, 42)
	p.anchor("heart", 52, 62)
	p.anchor("feet", 50, 74)
}

// stagTrotting draws the stag with a raised foreleg and a compass rose on its flank.
func stagTrotting(p *pet, c coat) {
	p.part(c.main, leafAt(72, 47, 82, 37, 9, 2)).patch(c.belly, leafAt(74, 46, 81, 39, 5, 2))
	stagLeg(p, c, 70, 75, false)
	stagLeg(p, c, 46, 50, false)
	body := p.part(c.main, fuse(6, limb(45, 50, 10.6, 56, 52, 9.4, 67, 50, 10.4), limb(43, 48, 9, 39, 40, 8, 37, 34, 7)))
	body.patch(c.belly, fuse(3, leafAt(37, 40, 40, 62, 13, -1), oval(55, 62, 13, 3)))
	body.patch(c.mark, turn(stagRose(55, 50, 7.8), 55, 50, 45))
	body.patch(c.extra, stagRose(55, 50, 9.6))
	thigh := p.part(c.main, fuse(2, oval(68, 54, 8.6, 9.6), limb(68, 58, 5.6, 66, 64, 3.6))).soft()
	thigh.mark(c.mark, dots(1.1, 66, 50, 71, 52, 68, 58))
	stagLeg(p, c, 67, 63, true)
	p.acts(pose{deg: 12, cx: 42, cy: 56})
	stagFore(p, c, 42, 56, 29, 58, 28, 66, true)
	p.posed(pose{dx: 3, dy: 8})
	p.acts(pose{deg: -6, cx: 43, cy: 44})
	stagHead(p, 2, c)
	p.rests()
	p.posed(pose{})
	p.anchor("crest", 38, 24)
	p.anchor("tail", 80, 42)
	p.anchor("heart", 54, 62)
	p.anchor("feet", 52, 74)
}

// stagFore draws a raised foreleg from x, y to its knee at kx, ky and its foot at fx, fy.
func stagFore(p *pet, c coat, x, y, kx, ky, fx, fy float64, near bool) {
	leg := p.part(c.main, limb(x, y, 4, kx, ky, 2.6, fx, fy, 2))
	hoof := p.part(c.trim, leafAt(fx-0.4, fy-2, fx+0.6, fy+5.4, 6, 0)).throw(0)
	if !near {
		leg.dim()
		hoof.dim()
	}
}

// stagLeg draws a slender leg from x to a hoof at fx.
func stagLeg(p *pet, c coat, x, fx float64, near bool) {
	leg := p.part(c.main, limb(x, 55, 4, (x+fx)/2+1.4, 63, 2.4, fx, 71, 2), poly(0.6, fx-2.4, 71, fx+2.2, 71, fx+2.6, 74,
		fx-3.4, 74))
	leg.mark(c.trim, below(0, 71, 0))
	leg.patch(c.belly, clip(below(0, 64, 0), below(0, 66.4, 180)))
	if !near {
		leg.dim()
	}
}

// stagSky draws a night sky on the stag's coat.
func stagSky(p *pet, body *part, c coat) {
	body.mark(c.mark, wavy(limb(38, 44, 2, 48, 47, 4, 58, 45, 4.4, 70, 49, 4), 1, 9))
	star := []string{"..s..", "..s..", "sslss", "..s..", "..s.."}
	small := []string{".s.", "sls", ".s."}
	p.stamp(52, 44, keys(c.extra), star...)
	p.stamp(45, 50, keys(c.extra), small...)
	p.stamp(61, 52, keys(c.extra), small...)
	p.stamp(58, 47, keys(c.extra), "s")
	p.stamp(49, 45, keys(c.extra), "s")
	p.stamp(66, 47, keys(c.extra), "s")
}

func stagHead(p *pet, n int, c coat) {
	stagAntler(p, n, c, true)
	p.part(c.main, leafAt(38, 25, 50, 22, 7, -1)).patch(rose, leafAt(40, 25, 48, 23, 3.4, -1)).flick(39, 25, 16)
	p.part(c.main, leafAt(24, 25, 15, 21, 6, 1)).dim()
	if n == 3 {
		mane := p.part(c.extra, leafAt(41, 28, 49, 40, 8, 2), leafAt(41, 33, 48, 47, 8, 2), leafAt(37, 34, 33, 52, 9, -2),
			leafAt(40, 34, 40, 53, 9, 0))
		mane.flat(0.7).crease(dark, 37, 38, 35, 47).crease(dark, 41, 38, 41, 47).crease(dark, 44, 34, 47, 42)
	}
	head := p.part(c.main, fuse(4, ovalAt(32, 25.6, 10.4, 8.4, -12), limb(28, 29, 6, 17.4, 36.4, 3.8))).throw(2).calmly()
	head.patch(c.belly, fuse(2, oval(17, 38.4, 4.6, 3), limb(20, 38, 2.4, 30, 34.6, 1.8)))
	p.eye(31, 24, []string{"..KKK.", "KKWWKK", ".KWKKK", ".KKdmK", ".KdmlK", "..KKK."}, c.eye)
	p.eye(21, 25, []string{".KK", "KWK", "KKK", "KmK", ".K."}, c.eye)
	p.stamp(12, 34, keys(ink), ".oo", "olo", "ooo", ".o.")
	p.stamp(15, 39, keys(c.belly), "o...o", ".ooo.")
	p.stamp(32, 31, keys(rose), "mm.", ".mm")
	p.stamp(25, 20, keys(c.extra), "..s..", ".sss.", "sslss", ".sss.", "..s..")
	stagAntler(p, n, c, false)
}

// stagAntler draws one antler, with stars on its tips.
func stagAntler(p *pet, n int, c coat, far bool) {
	side := func(x float64) float64 { return x }
	if far {
		side = func(x float64) float64 { return 32 - (x-33)*0.66 }
	}
	beams := [][]float64{{37, 19, 2.4, 44, 14, 2.2, 54, 13, 1.9, 64, 7, 1.2}, {43, 15, 1.7, 45, 9, 1.4, 42, 5, 1},
		{53, 13, 1.7, 55, 8, 1.4, 53, 4, 1}}
	tips := [][2]float64{{42, 5}, {53, 4.4}, {65, 7}}
	if n == 3 {
		beams = [][]float64{{37, 19, 2.4, 46, 16, 2.2, 54, 9, 1.9, 57, 1, 1}, {51, 12, 1.7, 51, 6, 1.4, 47, 1, 0.9},
			{53, 11, 1.7, 62, 9, 1.4, 67, 3, 0.9}, {43, 17.6, 1.6, 43, 11, 1.3, 39, 6, 0.9}, {49, 14.6, 1.7, 60, 17, 1.4, 69,
				13.6, 0.9}}
		tips = [][2]float64{{47, 1.4}, {57, 1.4}, {68, 3}, {70, 13.4}}
		if far {
			beams, tips = beams[:3], tips[:3]
		}
	}
	var all []shape
	for _, b := range beams {
		for i := 0; i < len(b); i += 3 {
			b[i] = side(b[i])
		}
		all = append(all, limb(b...))
	}
	antler := p.part(c.trim, all...).sharp().wet()
	if far {
		antler.dim()
	}
	for _, t := range tips {
		p.part(sun, stagStar(side(t[0]), t[1], 3.8)).glow().sharp().bright()
	}
}

// stagRose returns a star of four points, as on a compass.
func stagRose(x, y, r float64) shape {
	k := r * 0.26
	return poly(0.3, x, y-r, x+k, y-k, x+r, y, x+k, y+k, x, y+r, x-k, y+k, x-r, y, x-k, y-k)
}

// stagStar returns a star of five points.
func stagStar(x, y, r float64) shape {
	var xy []float64
	for i := range 10 {
		k := r
		if i%2 == 1 {
			k = r * 0.46
		}
		sin, cos := math.Sincos(float64(i)*math.Pi/5 - math.Pi/2)
		xy = append(xy, x+cos*k, y+sin*k)
	}
	return poly(0.3, xy...)
}

// stagTrain draws a tail like a comet's.
func stagTrain(p *pet, c coat) {
	for _, f := range [][6]float64{{66, 47, 84, 16, 10, 5}, {67, 48, 85, 30, 10, 5}, {67, 49, 84, 46, 9, 4}} {
		p.part(c.extra, leafAt(f[0], f[1], f[2], f[3], f[4], f[5])).flat(0.7).mark(c.mark, oval(f[0], f[1], 11, 11))
	}
}

// stagFawn draws the fawn, lying down, with one small star.
func stagFawn(p *pet, c coat) {
	p.part(c.main, leafAt(68, 58, 76, 50, 7, 2)).patch(c.belly, leafAt(70, 57, 75, 52, 4, 2))
	far := p.part(c.main, limb(38, 67, 3.6, 28, 70.4, 2.4, 20, 72.4, 2)).dim()
	far.mark(c.trim, oval(16, 73, 7, 4))
	body := p.part(c.main, fuse(6, oval(55, 62, 15, 9.4), oval(43, 60, 10, 10), limb(43, 56, 7.4, 40, 46, 6, 38, 40, 6)))
	body.patch(c.belly, fuse(3, oval(36, 58, 5, 9), oval(46, 73, 16, 3)))
	body.mark(c.mark, dots(1.3, 48, 55, 54, 54, 60, 56, 51, 59))
	near := p.part(c.main, limb(42, 63, 4.6, 34, 66, 3.4, 27, 68.6, 2.8), limb(27, 69, 2.6, 33, 72.4, 2.1, 41, 73, 1.9)).soft()
	near.mark(c.trim, oval(42, 73.4, 4.4, 3))
	near.crease(edge, 29, 71, 33, 69.6, 37, 69)
	thigh := p.part(c.main, fuse(2, ovalAt(60, 64, 9.6, 8.8, -16), limb(63, 68, 4, 63, 71, 2.8))).soft()
	thigh.mark(c.mark, dots(1.2, 57, 60, 63, 60, 60, 65))
	foot := p.part(c.main, limb(65, 71.6, 2.8, 59, 72.6, 2.2, 51, 73, 1.9)).throw(1)
	foot.mark(c.trim, oval(49, 73.4, 4.4, 3))
	p.posed(pose{dy: -4})
	p.acts(pose{deg: -9, cx: 40, cy: 50})
	p.part(c.main, leafAt(45, 37, 58, 33, 9, -1)).patch(rose, leafAt(47, 37, 56, 34.4, 4.4, -1)).flick(46, 37, 14)
	p.part(c.main, leafAt(27, 37, 17, 32, 8, 1)).dim()
	head := p.part(c.main, fuse(4, oval(36, 38, 13, 11), limb(32, 42, 7.4, 25, 46, 5.4))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(23.6, 47.4, 6, 4), oval(33, 49, 8, 3)))
	p.part(c.trim, limb(32, 29, 2, 30, 23, 1.5), limb(43, 29, 2, 45.6, 23, 1.5))
	p.part(c.extra, stagStar(37, 31, 4.4)).glow().sharp()
	p.eye(36, 36, []string{".KKKK.", "KWWKKK", "KWWKKK", "KKKKmK", "KKdmlK", ".KKKK."}, c.eye)
	p.eye(24, 36, eyeBigFar, c.eye)
	p.stamp(18, 44, keys(ink), ".oo.", "olmo", ".oo.")
	p.stamp(20, 48, keys(c.belly), "o...o", ".ooo.")
	p.stamp(39, 43, keys(rose), "mmm", ".mm")
	p.rests()
	p.posed(pose{})
	p.anchor("crest", 38, 20)
	p.anchor("tail", 74, 53)
	p.anchor("heart", 46, 66)
	p.anchor("feet", 45, 74)
}
