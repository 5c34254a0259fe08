package main

var mistSeal = creature{
	family: family{"mist-seal", "Mist Seal",
		"On grey mornings mist seals breathe out the fog that hides them, because they are shy, and then lean out of it, " +
			"because they are curious. A friend is anyone who waits."},
	draw: drawSeal,
	looks: [3]look{
		{"Drizzle Seal",
			coat{main: snow, belly: snow, mark: slate, trim: rose, extra: foam, eye: slate},
			coat{main: sun, belly: cream, mark: honey, trim: coral, extra: cream, eye: honey}},
		{"Ringed Seal",
			coat{main: slate, belly: snow, mark: ink, trim: rose, extra: foam, eye: deep},
			coat{main: mint, belly: snow, mark: tide, trim: coral, extra: snow, eye: tide}},
		{"Fogbank Seal",
			coat{main: deep, belly: snow, mark: brook, trim: rose, extra: snow, eye: brook},
			coat{main: berry, belly: pearl, mark: rose, trim: coral, extra: pearl, eye: plum}},
	},
}

func drawSeal(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.88)
	}
	p.part(c.main, leafAt(68, 63, 80, 54, 9, 3)).dim()
	if n == 3 {
		p.part(c.extra, limb(58, 58, 5, 68, 52, 5, 75, 44, 4.2, 74, 36, 3.4, 68, 34, 2.8, 65, 38, 2.2)).bright().matt()
	}
	body := p.part(c.main, fuse(8, oval(50, 62, 19, 11), oval(39, 54, 14, 16.6), limb(60, 65, 8, 73, 66, 4)))
	body.patch(c.belly, fuse(4, oval(32, 60, 9, 15), oval(46, 74, 16, 5)))
	p.part(c.main, leafAt(69, 67, 81, 64, 9, 3)).crease(dark, 74, 66, 79, 64)
	p.part(c.main, leafAt(27, 57, 18, 74, 9, -2)).dim()
	flipper := p.part(c.main, leafAt(47, 55, 41, 75, 12, -3))
	flipper.crease(dark, 41, 69, 40, 73)
	flipper.crease(dark, 44, 69, 43, 73)
	sealCoat(p, body, n, c)
	p.acts(pose{deg: 9, cx: 42, cy: 50})
	sealHead(p, n, c)
	p.rests()
	if n == 3 {
		p.part(c.extra, oval(13, 73, 3, 2.4), oval(19, 71, 5, 4), oval(26, 72.5, 4.6, 3)).bright().matt().throw(1)
		p.part(c.extra, oval(60, 72.5, 4, 3), oval(67, 70.5, 6, 4.6), oval(75, 72.5, 4.4, 3)).bright().matt().throw(1)
	}
	p.anchor("crest", 34, 19)
	p.anchor("tail", 79, 58)
	p.anchor("heart", 46, 63)
	p.anchor("feet", 46, 73)
}

func sealCoat(p *pet, body *part, n int, c coat) {
	switch n {
	case 1:
		p.part(c.belly, leafAt(33, 44, 28, 57, 7, 1), leafAt(38, 44, 36, 59, 7, 1),
			leafAt(43, 44, 44, 56, 7, 1)).flat(0.6).bare()
	case 2:
		for _, r := range [][3]float64{{55, 55, 3.6}, {63, 61, 3}, {50, 63, 3}, {57, 67, 2.6}, {68, 66, 2.2}} {
			body.mark(c.mark, without(oval(r[0], r[1], r[2], r[2]*0.85), oval(r[0], r[1], r[2]-1.3, r[2]*0.85-1.3)))
		}
	case 3:
		body.mark(c.mark, dots(1.8, 57, 57, 66, 62, 52, 64), dots(1.1, 60, 66, 63, 58, 53, 56))
		p.part(c.extra, oval(18, 47, 4.4, 4), oval(23, 51, 6, 5), oval(32, 53, 7, 5.4), oval(42, 51.5, 7, 5.6),
			oval(50, 46, 6, 5.4), oval(54, 40, 4.6, 4.4)).bright().matt()
	}
}

func sealHead(p *pet, n int, c coat) {
	if n == 1 {
		p.part(c.main, limb(37, 22, 3, 39, 17, 2.2, 43, 15, 1.4, 45, 17, 1))
	}
	form := fuse(4, oval(34, 33, 17, 14), oval(32, 39, 16, 9.5))
	if n == 1 {
		form = fuse(1.5, form, leafAt(44, 36, 55, 40, 6, 1), leafAt(44, 40, 52, 46, 6, 1), leafAt(22, 36, 13, 41, 6, -1),
			leafAt(24, 40, 16, 47, 6, -1))
	}
	head := p.part(c.main, form).throw(3).calmly()
	switch n {
	case 2:
		head.mark(c.mark, dots(1.7, 41, 22, 47, 29), dots(1, 44, 26, 37, 23, 49, 33))
	case 3:
		head.mark(c.mark, without(oval(34, 24, 5, 4.4), oval(34, 22, 4, 3.4)))
	}
	p.part(c.belly, fuse(2, oval(25.5, 40.5, 7, 5.6), oval(34.5, 40.5, 7.4, 5.6))).bare().calmly().matt()
	p.eye(18, 29, eyeBigFar, c.eye)
	p.eye(36, 29, eyeBig, c.eye)
	p.stamp(17, 25, keys(c.mark), "..d", "dd.")
	p.stamp(39, 25, keys(c.mark), "d..", ".dd")
	p.stamp(26, 35, keys(ink, c.mark),
		"ooooo.",
		"olmooo",
		".oooo.",
		"..dd..",
		"d.dd.d",
		".d..d.")
	p.stamp(13, 39, keys(slate), "m.....m", ".mm.m..", "......m", "mmm....")
	p.stamp(41, 39, keys(slate), "m.....m", "..m.mm.", "m......", "....mmm")
	p.stamp(43, 36, keys(c.trim), "mm.", ".mm")
	p.stamp(17, 36, keys(c.trim), ".m", "m.")
}
