package main

var mistSeal = creature{
	family: family{"mist-seal", "Mist Seal",
		"On grey mornings mist seals breathe out the fog that hides them, because they are shy, and then lean out of it, because they are curious. A friend is anyone who waits."},
	draw: drawSeal,
	looks: [3]look{
		{"Drizzle Pup",
			coat{main: snow, belly: snow, mark: slate, trim: rose, extra: foam, eye: slate},
			coat{main: sun, belly: cream, mark: honey, trim: coral, extra: cream, eye: honey}},
		{"Ringed Seal",
			coat{main: slate, belly: frost, mark: ink, trim: rose, extra: foam, eye: deep},
			coat{main: mint, belly: snow, mark: tide, trim: coral, extra: snow, eye: tide}},
		{"Fogbank Seal",
			coat{main: deep, belly: frost, mark: brook, trim: rose, extra: snow, eye: brook},
			coat{main: berry, belly: pearl, mark: rose, trim: coral, extra: pearl, eye: plum}},
	},
}

func drawSeal(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.9)
	}
	p.part(c.main, leafAt(68, 62, 79, 52, 9, 3)).dim()
	if n == 3 {
		puffs(p, c.extra, 66, 44, 6, 73, 38, 5, 60, 40, 5)
	}
	body := p.part(c.main, fuse(8, oval(50, 61, 20, 12), oval(39, 54, 15, 15), limb(60, 64, 8, 72, 65, 4)))
	body.patch(c.belly, fuse(4, oval(32, 63, 10, 12), oval(46, 72, 16, 5)))
	p.part(c.main, leafAt(68, 66, 81, 62, 9, 3)).crease(dark, 73, 65, 78, 62)
	p.part(c.main, leafAt(28, 58, 19, 73, 9, -2)).dim()
	flipper := p.part(c.main, leafAt(47, 57, 40, 74, 12, -3))
	flipper.crease(dark, 40, 69, 39, 73)
	flipper.crease(dark, 43, 69, 42, 73)
	sealCoat(body, n, c)
	if n == 3 {
		puffs(p, c.extra, 55, 44, 5, 51, 50, 6, 17, 51, 4.5, 44, 54, 6, 23, 54, 5.5, 34, 56, 7)
	}
	sealHead(p, n, c)
	if n == 3 {
		sealMist(p, c)
	}
	p.anchor("crest", 34, 23)
	p.anchor("tail", 79, 58)
	p.anchor("heart", 44, 58)
	p.anchor("feet", 46, 73)
}

func sealCoat(body *part, n int, c coat) {
	switch n {
	case 2:
		rings := [][3]float64{{56, 53, 3.6}, {63, 60, 3}, {50, 60, 3}, {57, 66, 2.6}, {49, 50, 2}, {68, 65, 2}}
		for _, r := range rings {
			body.mark(c.mark, without(oval(r[0], r[1], r[2], r[2]*0.85), oval(r[0], r[1], r[2]-1.3, r[2]*0.85-1.3)))
		}
	case 3:
		body.mark(c.mark, dots(1.6, 58, 56, 66, 61, 52, 62, 60, 65), dots(1, 54, 57, 63, 57))
	}
}

func sealHead(p *pet, n int, c coat) {
	head := p.part(c.main, fuse(4, oval(34, 37, 16, 13.5), oval(32, 43, 15, 9))).throw(3).calmly()
	if n == 2 {
		head.mark(c.mark, dots(1.4, 40, 26, 46, 31, 34, 25.5), dots(1, 43, 29, 37, 28.5))
	}
	if n == 3 {
		head.mark(c.mark, oval(34, 23, 5, 6), oval(34, 28, 2.4, 5))
	}
	muzzle := c.belly
	p.part(muzzle, fuse(2, oval(25.5, 44, 7, 5.4), oval(34.5, 44, 7.4, 5.4))).bare().calmly().matt().bright()
	p.eye(19, 34, eyeBigFar, c.eye)
	p.eye(36, 34, eyeBig, c.eye)
	p.stamp(18, 30, keys(c.mark), "..d", "dd.")
	p.stamp(39, 30, keys(c.mark), "d..", ".dd")
	p.stamp(26, 39, keys(ink, c.mark),
		"ooooo.",
		"olmooo",
		".oooo.",
		"..dd..",
		"d.dd.d",
		".d..d.")
	p.stamp(14, 43, keys(slate), "m.....m", ".mm.m..", "......m", "mmm....")
	p.stamp(40, 43, keys(slate), "m.....m", "..m.mm.", "m......", "....mmm")
	p.stamp(42, 40, keys(c.trim), "lm.", ".lm")
	p.stamp(18, 41, keys(c.trim), ".m", "m.")
}

// sealMist rolls over the ground in front of it.
func sealMist(p *pet, c coat) {
	puffs(p, c.extra, 76, 72, 3, 62, 71, 5, 70, 70, 6)
	puffs(p, c.extra, 12, 73, 2.6, 27, 73, 4, 19, 71, 5.5)
}

// puffs is a bank of round clouds at x, y with a radius.
func puffs(p *pet, r ramp, xyr ...float64) {
	for i := 0; i+2 < len(xyr); i += 3 {
		p.part(r, oval(xyr[i], xyr[i+1], xyr[i+2]*1.15, xyr[i+2])).soft().bright().matt().throw(1)
	}
}
