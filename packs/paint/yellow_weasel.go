package main

var windWeasel = creature{
	family: family{"wind-weasel", "Wind Weasel",
		"A wind weasel is what turns a page when no window is open. It steals hats, one sock, and the ends of sentences, " +
			"and brings back something better within the week."},
	draw: drawWeasel,
	looks: [3]look{
		{"Breeze Kit",
			coat{main: cream, belly: snow, mark: tide, trim: rose, extra: foam, eye: tide},
			coat{main: lilac, belly: snow, mark: plum, trim: rose, extra: rose, eye: plum}},
		{"Zephyr Weasel",
			coat{main: snow, belly: pearl, mark: slate, trim: rose, extra: ember, eye: brook},
			coat{main: sun, belly: cream, mark: honey, trim: coral, extra: tide, eye: russet}},
		{"Whirl Ermine",
			coat{main: brook, belly: snow, mark: deep, trim: coral, extra: sun, eye: deep},
			coat{main: ember, belly: cream, mark: plum, trim: sun, extra: mint, eye: berry}},
	},
}

func drawWeasel(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.resize(0.9)
		weaselStalk(p, c)
	case 2:
		weaselLeap(p, c)
	case 3:
		weaselWhirl(p, c)
	}
}

// weaselStalk draws the young weasel, low on four legs, in its first scarf.
func weaselStalk(p *pet, c coat) {
	tail := p.part(c.main, limb(62, 47, 4.4, 71, 45, 5, 77, 36, 5, 73, 26, 4.4, 66, 20, 3.4, 69, 13, 1.6))
	tail.mark(c.mark, below(0, 29, 180))
	p.part(c.main, limb(36, 52, 3.8, 40, 62, 2.8, 37, 70, 2.4), oval(35, 72.2, 4, 2.2)).dim()
	p.part(c.main, limb(62, 52, 5, 71, 60, 3.6, 72, 69, 2.6), oval(70.4, 72.2, 4, 2.2)).dim()
	body := p.part(c.main, limb(28, 52, 8.4, 37, 47, 9.4, 48, 45, 9.8, 57, 47, 9.8, 63, 53, 8.2))
	body.mark(c.mark, limb(36, 40, 3.6, 48, 38, 4.8, 59, 41, 4.8, 69, 48, 3.4))
	body.patch(c.belly, limb(29, 60, 3.4, 38, 56, 3.2, 48, 54, 3, 57, 57, 2.2))
	weaselThigh(p, c)
	weaselPaw(p, c, 27, 58, 24, 70)
	p.part(c.extra, limb(37, 49, 2.8, 43, 36, 2.8, 51, 33, 2.8, 56, 25, 1.2)).sway(38, 48, 7)
	p.part(c.extra, limb(22, 53, 2.8, 31, 56, 3.4, 39, 50, 3.2)).throw(2)
	p.acts(pose{deg: 12, cx: 32, cy: 50})
	weaselHead(p, 1, c, 24, 43)
	p.rests()
	p.anchor("crest", 26, 31)
	p.anchor("tail", 68, 18)
	p.anchor("heart", 46, 60)
	p.anchor("feet", 45, 74)
	p.ground(18, 70)
}

func weaselThigh(p *pet, c coat) {
	thigh := p.part(c.main, fuse(2, limb(60, 55, 7.4, 65, 63, 4.8, 60, 70, 3), oval(58, 72.2, 4.6, 2.3))).soft()
	thigh.crease(edge, 57, 72, 57, 76)
}

func weaselPaw(p *pet, c coat, x0, y0, x1, y1 float64) {
	paw := p.part(c.main, fuse(2, limb(x0, y0, 4, x1, y1, 2.8), oval(x1-2, y1+2.2, 4.2, 2.3))).soft()
	paw.crease(edge, x1-3, y1+2, x1-3, y1+6)
}

// weaselLeap draws the weasel in a leap, with its scarf.
func weaselLeap(p *pet, c coat) {
	p.part(c.main, limb(62, 54, 4, 70, 50, 4.6, 75.6, 41, 4.4, 75, 31, 4, 69, 27, 3, 65, 31, 2)).mark(c.mark,
		oval(70, 28, 8, 7))
	p.strides(p.fore, 38, 44, 80)
	farFore := p.part(c.main, fuse(1.5, limb(40, 44, 4, 30, 49, 2.8, 20, 48, 2.2), oval(17, 47.6, 3, 2.5))).dim()
	farFore.crease(edge, 13, 47, 16, 48)
	p.strides(p.hind, 60, 56, -80)
	farHind := p.part(c.main, fuse(1.5, limb(59, 57, 5, 62, 63, 3.2, 68, 66, 2.4, 72, 68, 2), oval(74.6, 69, 3, 2.3))).dim()
	farHind.crease(edge, 76, 69, 79, 69)
	p.rests()
	body := p.part(c.main, limb(34, 38, 8, 43, 44, 8.6, 52, 50, 8.8, 60, 54, 8))
	body.patch(c.belly, limb(33, 47, 3.4, 42, 53, 4, 51, 59, 4, 58, 62, 2.4))
	body.mark(c.mark, clip(bands(52, 44, 130, 7, 2.6), limb(40, 35, 5, 50, 41, 5, 60, 48, 5)))
	p.strides(p.hind, 62, 54, -80)
	hind := p.part(c.main, fuse(2, ovalAt(61, 55, 8, 6.6, 20), limb(66, 58, 4, 71, 60, 2.8, 75, 60, 2.2),
		oval(78, 60.4, 3, 2.5)))
	hind.crease(edge, 79, 60, 82, 60).crease(edge, 59, 49, 55.6, 51.6, 54, 55.6, 55, 59.4)
	p.strides(p.fore, 36, 47, 80)
	fore := p.part(c.main, fuse(1.5, limb(37, 47, 4.8, 30, 56, 3.2, 22, 59, 2.5), oval(18.6, 59.6, 3.4, 2.8)))
	fore.crease(edge, 14, 59, 17, 59).crease(edge, 15, 61, 17, 61)
	p.rests()
	for i, s := range [][]float64{{42, 35, 3, 51, 32, 3, 58, 36, 2.8, 66, 44, 1.6}, {42, 34, 3, 50, 27, 2.8, 57, 28, 2.8,
		62, 22, 1.4}} {
		q := p.part(c.extra, limb(s...))
		if i == 0 {
			q.dim()
		}
	}
	p.part(c.extra, limb(25, 41, 3, 33, 43, 3.6, 42, 37, 3.4)).throw(2)
	p.acts(pose{deg: 9, cx: 35, cy: 38})
	weaselHead(p, 2, c, 29, 29)
	p.rests()
	p.anchor("crest", 30, 17)
	p.anchor("tail", 70, 29)
	p.anchor("heart", 46, 54)
	p.anchor("feet", 46, 74)
	p.ground(32, 64)
}

// weaselWhirl draws the weasel above a whirl of wind.
func weaselWhirl(p *pet, c coat) {
	air := foam
	p.part(air, limb(72, 57, 2, 78, 53, 2, 79, 46, 1.6, 74, 44, 1.4, 73, 48, 1)).sharp()
	p.part(air, limb(27, 57, 2, 20, 53, 2, 18, 47, 1.4)).sharp()
	p.part(air, oval(50, 56, 24, 5.6)).dim().matt()
	body := p.part(c.main, limb(54, 60, 8, 55, 52, 8.6, 48, 46, 8.6, 41, 40, 8.4, 39, 30, 8))
	body.patch(c.belly, limb(32, 34, 3, 33, 42, 3.8, 40, 49, 4, 46, 56, 3.4))
	body.mark(c.mark, dots(1.5, 50, 41, 56, 45, 62, 50, 59, 55), dots(1, 47, 37, 55, 50))
	for i, r := range [][4]float64{{46, 73, 6, 2.4}, {53, 69, 11, 3.4}, {46, 64, 17, 4.6}, {51, 57, 25, 6}} {
		ring := oval(r[0], r[1], r[2], r[3])
		q := p.part(air, without(ring, oval(r[0], r[1]-r[3]*0.8, r[2]*0.9, r[3]))).throw(1).bright()
		if i > 1 {
			q.sway(r[0], r[1], float64(i*4-10))
		}
		q.crease(mid, r[0]-r[2]*0.6, r[1]+r[3]*0.6, r[0], r[1]+r[3]*0.85, r[0]+r[2]*0.7, r[1]+r[3]*0.5)
	}
	for i, s := range [][]float64{{46, 31, 3, 56, 34, 3.2, 64, 30, 3.2, 72, 34, 1.6}, {46, 29, 3, 55, 26, 3, 62, 21, 3,
		71, 22, 2.6, 77, 16, 1.4}} {
		q := p.part(c.extra, limb(s...))
		if i == 0 {
			q.dim()
		}
	}
	p.part(c.main, limb(33, 42, 3.8, 24, 43, 3.2, 18, 38, 3)).dim()
	p.part(c.main, fuse(2, limb(46, 40, 4.2, 50, 49, 3.6, 43, 53, 3.2))).soft()
	p.part(c.extra, limb(28, 36, 3, 37, 38, 3.4, 47, 32, 3.2)).throw(2)
	p.acts(pose{deg: -10, cx: 39, cy: 33})
	weaselHead(p, 3, c, 34, 24)
	p.rests()
	p.anchor("crest", 36, 12)
	p.anchor("tail", 62, 64)
	p.anchor("heart", 46, 56)
	p.anchor("feet", 45, 74)
	p.ground(24, 66)
}

// weaselHead draws the head around x, y.
func weaselHead(p *pet, n int, c coat, x, y float64) {
	p.part(c.main, oval(x+10, y-9, 4.4, 4.4)).mark(c.trim, oval(x+10.6, y-8, 2.4, 2.4))
	p.part(c.main, oval(x-8, y-9.6, 3.6, 3.6)).dim()
	head := p.part(c.main, fuse(4, oval(x, y, 14, 10.5), oval(x-6, y+4, 9.5, 6), leafAt(x+5, y+3, x+17, y+7, 8,
		1))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, fuse(2, oval(x-6, y+8, 11, 5.4), oval(x+6, y+9, 8, 3.6)))
	if n == 2 {
		head.mark(c.mark, ovalAt(x+5, y-1, 6.4, 4.4, 15), oval(x-10, y-1, 4, 4.4))
	}
	if n == 3 {
		head.patch(c.belly, leafAt(x-3, y-12, x-4, y+2, 6, 0))
	}
	ix, iy := int(x), int(y)
	switch n {
	case 1:
		p.eye(ix-11, iy-5, eyeTallFar, c.eye)
		p.eye(ix+3, iy-5, eyeTall, c.eye)
	case 2:
		p.eye(ix-12, iy-6, eyeTallFar, c.eye)
		p.stamp(ix+2, iy-3, keys(c.mark), ".KKKK.", "K....K", "K....K")
	case 3:
		p.stamp(ix-12, iy-4, keys(c.eye, c.main), "KKKK.", "KWWmK", "KWWmK", ".KKK.")
		p.stamp(ix+2, iy-4, keys(c.eye, c.main), ".KKKKK", "KKWWmK", "KKWKmK", ".KKKK.")
	}
	p.stamp(ix-12, iy+2, keys(ink, c.belly, coral),
		".ooo.........",
		"oldoo........",
		".ooo........O",
		"..O.......OO.",
		"..OOOOOOOO...",
		"...OW23WO....",
		"....O22O.....",
		".....OO......")
	p.stamp(ix+6, iy+3, keys(c.trim), "ll.", ".ll")
}
