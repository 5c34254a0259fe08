package main

var frilledNewt = creature{
	family: family{"frilled-newt", "Frilled Newt",
		"A frilled newt smiles because its face is built that way, and after a while so does everyone else in the pond. " +
			"Its frills redden when it is told a secret, which it keeps."},
	draw: drawNewt,
	looks: [3]look{
		{"Puddle Newt",
			coat{main: foam, belly: snow, mark: brook, trim: coral, extra: rose, eye: deep},
			coat{main: sun, belly: cream, mark: honey, trim: ember, extra: coral, eye: ember}},
		{"Freckle Newt",
			coat{main: tide, belly: mint, mark: lime, trim: honey, extra: sun, eye: leaf},
			coat{main: rose, belly: pearl, mark: berry, trim: plum, extra: lilac, eye: berry}},
		{"Twilight Newt",
			coat{main: night, belly: lilac, mark: frost, trim: rose, extra: berry, eye: plum},
			coat{main: pearl, belly: snow, mark: gold, trim: gold, extra: sun, eye: tide}},
	},
}

func drawNewt(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.84)
	}
	newtTail(p, n, c)
	far := []float64{33, 56, 3, 28, 62, 2.6, 27, 66, 2.4}
	if n == 3 {
		far = []float64{35, 58, 3, 26, 59, 2.8, 21, 54, 2.4}
	}
	p.part(c.main, limb(far...)).dim()
	body := p.part(c.main, fuse(4, oval(44, 61, 11.5, 11.5), oval(41, 52, 9, 8)))
	body.patch(c.belly, oval(38.5, 61, 8, 11))
	p.part(c.main, fuse(2, oval(34, 70, 5, 3.6), limb(34, 72, 2, 28, 73, 1.4))).throw(1)
	thigh := p.part(c.main, fuse(2, oval(52, 67, 7, 6), oval(49, 72, 7, 2.4))).soft()
	arm := p.part(c.main, limb(48, 53, 3.4, 52, 59, 3, 49, 64, 2.8)).soft()
	p.acts(pose{deg: -5, cx: 42, cy: 52})
	newtFrills(p, n, c)
	if n == 3 {
		sail := p.part(c.extra, poly(0.6, 34, 28, 32, 16, 36, 18, 39, 10, 42, 16, 46, 13, 46, 19, 50, 20, 47,
			28)).flat(0.5).sharp()
		for _, l := range [][]float64{{36, 26, 33, 18}, {39, 26, 39, 13}, {43, 26, 45, 16}, {46, 26, 49, 21}} {
			sail.crease(dark, l...)
		}
	}
	head := p.part(c.main, fuse(4, oval(39, 36, 17.5, 12), oval(37, 40, 18, 9.5))).throw(3).calmly()
	head.patch(c.belly, oval(36, 48, 15, 6))
	switch n {
	case 2:
		spots := dots(1.7, 33, 27, 45, 26, 52, 33, 39, 30, 58, 52, 56, 62, 51, 68, 55, 70, 66, 66, 72, 58, 60, 67)
		for _, q := range []*part{head, body, thigh, arm} {
			q.mark(c.mark, spots, dots(1, 28, 31, 48, 30, 42, 25, 53, 66, 53, 56))
		}
	case 3:
		head.mark(c.mark, dots(1.7, 33, 28, 50, 30), dots(1, 46, 28, 52, 35, 40, 25), dots(0.8, 29, 31, 43, 31, 49, 26))
		thigh.mark(c.mark, dots(1, 53, 64, 57, 69))
	}
	p.eye(24, 33, eyeBigFar, c.eye)
	p.eye(43, 33, eyeBig, c.eye)
	p.stamp(27, 40, keys(c.main, c.trim),
		"o...........o",
		".oo.......oo.",
		"...ooooooo...",
		"....OMLMO....",
		".....OOO.....")
	p.stamp(21, 40, keys(c.trim), "ml", ".m")
	p.stamp(48, 40, keys(c.trim), "ml.", "mml")
	p.rests()
	p.anchor("crest", 40, 24)
	if n == 3 {
		p.anchor("crest", 40, 14)
	}
	p.anchor("tail", 74, 52)
	p.anchor("heart", 42, 58)
	p.anchor("feet", 43, 73)
}

// newtTail draws a tail with a fin around it. On look 3, the fin is jagged.
func newtTail(p *pet, n int, c coat) {
	fin := loop(56, 58, 64, 55, 70, 46, 76, 44, 79, 50, 77, 60, 71, 68, 63, 71, 55, 69)
	if n == 3 {
		fin = poly(0.6, 55, 58, 60, 50, 63, 54, 66, 46, 69, 50, 73, 46, 75, 50, 80, 49, 78, 54, 80.6, 58, 76.6, 60, 78, 66,
			72.6, 66, 71, 71, 66, 70, 62, 73, 55, 70)
	}
	p.part(c.trim, fin).flat(0.5).crease(dark, 72, 60, 77, 50).crease(dark, 68, 58, 72, 49)
	tail := p.part(c.main, limb(50, 66, 6, 62, 67, 4.6, 70, 60, 2.6, 74, 53, 1))
	switch n {
	case 2:
		tail.mark(c.mark, dots(1.4, 60, 65, 67, 63, 64, 69))
	case 3:
		tail.mark(c.mark, dots(1, 60, 65, 67, 63))
	}
}

// newtFrills draws three feathered gills on each side of the head.
func newtFrills(p *pet, n int, c coat) {
	long := 1.0
	if n == 3 {
		long = 1.14
	}
	for i, at := range [][4]float64{{49, 28, 9, -12}, {53, 34, 14, -4}, {53, 40, 12, 5}, {29, 28, -7, -12},
		{24, 34, -11, -4}, {24, 40, -9, 5}} {
		x, y, dx, dy := at[0], at[1], at[2]*long, at[3]*long
		q := p.part(c.trim, leafAt(x+dx*0.2, y+dy*0.2, x+dx*1.1-dy*0.35, y+dy*1.1+dx*0.2, 5, 0),
			leafAt(x, y, x+dx*1.25, y+dy*1.25, 6, 0), leafAt(x+dx*0.2, y+dy*0.2, x+dx*1.0+dy*0.35, y+dy*1.0-dx*0.2, 5,
				0)).sharp()
		turn := 8.0
		if i > 2 {
			q.dim()
			turn = -turn
		}
		q.flick(x, y, turn)
		p.part(c.main, limb(x, y, 2.6, x+dx*0.55, y+dy*0.55, 1.6)).throw(0).flick(x, y, turn)
	}
}
