package main

var windWeasel = creature{
	family: family{"wind-weasel", "Wind Weasel",
		"A wind weasel is what turns a page when no window is open. It steals hats, one sock, and the ends of sentences, and brings back something better within the week."},
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
		weaselPounce(p, c)
	case 2:
		weaselLeap(p, c)
	case 3:
		weaselWhirl(p, c)
	}
}

// weaselPounce draws the weasel as it comes down from a leap.
func weaselPounce(p *pet, c coat) {
	tail := p.part(c.main, limb(62, 47, 4.4, 71, 45, 5, 77, 36, 5, 73, 26, 4.4, 66, 20, 3.4, 69, 13, 1.6))
	tail.mark(c.mark, below(0, 29, 180))
	p.part(c.main, limb(36, 52, 3.8, 40, 62, 2.8, 37, 70, 2.4), oval(35, 72.2, 4, 2.2)).dim()
	p.part(c.main, limb(61, 51, 4.6, 70, 54, 3.6, 76, 59, 2.8), oval(77.4, 61, 2.8, 2.6)).dim()
	body := p.part(c.main, limb(28, 52, 8.4, 37, 47, 9.4, 48, 45, 9.8, 57, 47, 9.8, 63, 53, 8.2))
	body.mark(c.mark, limb(36, 40, 3.6, 48, 38, 4.8, 59, 41, 4.8, 69, 48, 3.4))
	body.patch(c.belly, limb(29, 60, 3.4, 38, 56, 3.2, 48, 54, 3, 57, 57, 2.2))
	p.part(c.main, fuse(2, limb(60, 54, 6.8, 67, 61, 4.8, 73, 66, 3.4), oval(75, 67.6, 4, 2.8))).soft()
	weaselPaw(p, c, 27, 58, 24, 70)
	p.acts(pose{deg: 10, cx: 32, cy: 50})
	weaselHead(p, 1, c, 24, 43)
	p.rests()
	for _, a := range [][]float64{{44, 62, 0.8, 50, 65, 1.4, 57, 62, 1.4, 56, 57, 1.1, 52, 58, 0.8}, {40, 70, 0.7, 48, 72, 1.2, 58, 71, 0.8}} {
		p.part(c.extra, limb(a...)).bright().sharp()
	}
	p.anchor("crest", 26, 31)
	p.anchor("tail", 68, 18)
	p.anchor("heart", 46, 60)
	p.anchor("feet", 45, 74)
	p.ground(18, 70)
}

func weaselPaw(p *pet, c coat, x0, y0, x1, y1 float64) {
	paw := p.part(c.main, fuse(2, limb(x0, y0, 4, x1, y1, 2.8), oval(x1-2, y1+2.2, 4.2, 2.3))).soft()
	paw.crease(edge, x1-3, y1+2, x1-3, y1+6)
}

// weaselLeap draws the weasel in a leap, with its scarf.
func weaselLeap(p *pet, c coat) {
	p.part(c.main, limb(62, 56, 4, 70, 52, 4.6, 75.6, 43, 4.4, 75, 33, 4, 69, 29, 3, 65, 33, 2)).mark(c.mark, oval(70, 30, 8, 7))
	p.part(c.main, limb(36, 46, 3.6, 26, 52, 3, 18, 52, 2.6)).dim()
	p.part(c.main, limb(60, 60, 4.6, 68, 62, 3.4, 77, 62, 2.8)).dim()
	body := p.part(c.main, limb(34, 38, 8, 43, 45, 8.6, 52, 53, 9, 60, 58, 8.4))
	body.patch(c.belly, limb(33, 47, 3.4, 42, 54, 4, 51, 62, 4, 58, 66, 3))
	body.mark(c.mark, clip(bands(52, 46, 130, 7, 2.6), limb(40, 36, 5, 50, 43, 5, 60, 51, 5)))
	p.part(c.main, fuse(2, limb(60, 62, 5.4, 66, 69, 4, 73, 70, 3), oval(75, 69.6, 3.6, 2.4))).soft()
	p.part(c.main, fuse(2, limb(40, 50, 4.2, 32, 58, 3.6, 23, 60, 3), oval(21, 60, 3.6, 2.6))).soft()
	for i, s := range [][]float64{{42, 35, 3, 51, 32, 3, 58, 36, 2.8, 66, 44, 1.6}, {42, 34, 3, 50, 27, 2.8, 57, 28, 2.8, 62, 22, 1.4}} {
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
	p.anchor("tail", 70, 31)
	p.anchor("heart", 46, 56)
	p.anchor("feet", 46, 71)
	p.ground(28, 66)
}

// weaselWhirl draws the weasel above a whirl of wind.
func weaselWhirl(p *pet, c coat) {
	air := foam
	p.part(c.main, limb(62, 56, 7.4, 64, 63, 6, 57, 68.6, 4.6, 47, 71, 3, 37, 70, 1.6, 33, 66, 1))
	body := p.part(c.main, limb(62, 58, 7.6, 58, 51, 8.4, 48, 47, 8.6, 41, 40, 8.4, 39, 30, 8))
	body.patch(c.belly, limb(32, 34, 3, 33, 42, 3.8, 40, 49, 4, 50, 55, 3.4))
	body.mark(c.mark, dots(1.5, 50, 42, 56, 46, 63, 50, 66, 57), dots(1, 47, 38, 60, 54))
	for _, a := range [][]float64{
		{54, 56, 0.9, 60, 61, 1.8, 69, 60, 1.9, 75, 55, 1.6, 77, 49, 1.3, 73, 46, 1.2, 70, 49, 1},
		{46, 66, 0.9, 53, 72, 1.7, 63, 73, 1.8, 72, 69, 1.5, 78, 68, 0.9},
		{54, 74.4, 0.8, 44, 74.6, 1.4, 33, 72.6, 1.6, 26, 67, 1.5, 25, 61, 1.2, 30, 59, 1.1, 32, 62, 0.9},
		{20, 54, 0.9, 26, 52, 1.4, 33, 53, 0.9},
	} {
		p.part(air, limb(a...)).throw(2).bright().sharp()
	}
	for i, s := range [][]float64{{46, 31, 3, 56, 34, 3.2, 64, 30, 3.2, 72, 34, 1.6}, {46, 29, 3, 55, 26, 3, 62, 21, 3, 71, 22, 2.6, 77, 16, 1.4}} {
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
	head := p.part(c.main, fuse(4, oval(x, y, 14, 10.5), oval(x-6, y+4, 9.5, 6), leafAt(x+5, y+3, x+17, y+7, 8, 1))).throw(3).calmly().flat(0.65)
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
