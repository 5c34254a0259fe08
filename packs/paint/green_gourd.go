package main

var gourdImp = creature{
	family: family{"gourd-imp", "Gourd Imp",
		"Gourd imps ripen with a plan. They swap the labels in the seed drawer, tie bootlaces to beanpoles, and on the " +
			"first night of frost carry every tender pot indoors and are gone before anyone can thank them."},
	draw: drawGourd,
	looks: [3]look{
		{"Butternut Imp",
			coat{main: fawn, belly: cream, mark: honey, trim: coral, extra: leaf, eye: moss},
			coat{main: lilac, belly: pearl, mark: plum, trim: rose, extra: mint, eye: plum}},
		{"Swan-Neck Imp",
			coat{main: tide, belly: mint, mark: cream, trim: coral, extra: lime, eye: sun},
			coat{main: berry, belly: rose, mark: cream, trim: coral, extra: sun, eye: gold}},
		{"Lantern Imp",
			coat{main: honey, belly: sun, mark: ember, trim: sun, extra: plum, eye: sun},
			coat{main: slate, belly: foam, mark: deep, trim: foam, extra: ember, eye: foam}},
	},
}

func drawGourd(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.86)
	}
	p.part(c.extra, limb(52, 66, 1.8, 62, 70, 1.6, 71, 67, 1.4, 74, 60, 1.2, 70, 56, 1.1, 67, 59, 1)).sharp()
	if n == 3 {
		gourdWings(p, c)
	} else {
		p.part(c.extra, leafAt(72, 64, 80, 69, 6, 1)).flat(0.7)
	}
	p.part(c.extra, limb(39, 66, 2.6, 38.5, 71, 2.4), limb(40, 72, 2.4, 35, 72.4, 2, 31.5, 69.5, 1)).dim()
	p.part(c.extra, limb(50, 66, 2.6, 51, 71, 2.4), limb(53, 72, 2.6, 47, 72.4, 2.2, 43, 69.5, 1))
	p.acts(pose{deg: 34, cx: 36, cy: 58})
	p.part(c.extra, limb(36, 58, 2, 28, 61, 1.8, 23, 56, 1.6), leafAt(24, 57, 16, 50, 6, 0),
		leafAt(24, 57, 21, 47, 5, 0)).dim()
	p.rests()
	body := p.part(c.main, fuse(4, oval(45, 60.5, 12, 9.5)))
	gourdRibs(body, [][]float64{{38, 54, 36, 60, 39, 68}, {45, 53, 44, 60, 45, 69}, {51, 54, 54, 60, 51, 68}})
	if n == 2 {
		body.patch(c.mark, oval(41, 61, 1.4, 9), oval(49.5, 61, 1.6, 9), oval(55, 61, 1, 7))
	}
	laugh := pose{deg: 12, cx: 45, cy: 54, dy: -2}
	p.acts(laugh)
	gourdHead(p, n, c)
	p.rests()
	p.part(c.extra, limb(53, 57, 2.2, 61, 59, 2, 56, 65, 1.8)).throw(2)
	p.acts(laugh)
	gourdFace(p, n, c)
	p.rests()
	p.anchor("crest", 45, 16)
	p.anchor("tail", 74, 62)
	p.anchor("heart", 45, 62)
	p.anchor("feet", 45, 74)
}

func gourdRibs(q *part, ribs [][]float64) {
	for _, l := range ribs {
		q.crease(dark, l...)
	}
}

func gourdHead(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.part(c.extra, limb(43, 21, 2, 44, 14, 1.8, 50, 11, 1.6, 53, 15, 1.2)).sharp()
		head := p.part(c.main, fuse(7, oval(43, 41, 17, 12), oval(43.5, 29, 10, 10))).throw(3).calmly()
		head.tint(-1, oval(36, 24, 1.6, 1), oval(50, 28, 1, 1.4))
		head.patch(c.belly, oval(40, 52, 14, 6))
		p.part(c.extra, leafAt(43, 22, 30, 26, 8, -2), leafAt(43, 22, 56, 27, 8, 2),
			leafAt(42, 22, 40, 29, 6, 0)).flat(0.7).flick(43, 22, 8)
	case 2:
		head := p.part(c.main, fuse(7, oval(42, 41, 18, 12.5), limb(44, 32, 10, 51, 22, 7, 59, 17, 5, 66, 20, 4, 67, 27,
			3))).throw(3).calmly()
		head.patch(c.mark, limb(33, 32, 1.2, 42, 24, 1.2, 52, 15, 1, 60, 13, 0.8), limb(41, 30, 1.4, 49, 24, 1.4, 58, 18, 1,
			64, 19, 0.8), limb(56, 42, 1.4, 54, 33, 1.4, 56, 25, 1.2, 62, 23, 0.8))
		head.patch(c.mark, limb(27, 38, 1, 27, 48, 1), limb(37, 50, 1.2, 38, 56, 1), limb(49, 50, 1.2, 48, 56, 1))
		p.part(c.extra, limb(67, 28, 2.2, 68, 33, 1.8)).sharp()
		p.part(c.extra, leafAt(67, 30, 77, 28, 7, 2)).flat(0.7).flick(67, 30, 16).crease(dark, 69, 29, 75, 27)
	case 3:
		p.part(c.extra, limb(45, 24, 3, 44, 17, 2.4, 50, 12, 2, 54, 14, 1.4)).sharp()
		p.part(c.main, oval(29.5, 37, 8.5, 12), oval(58, 37, 8.5, 12)).dim()
		head := p.part(c.main, fuse(1, oval(35, 37.5, 11, 14), oval(53, 37.5, 11, 14)),
			oval(44, 38, 11, 15.5)).throw(3).calmly()
		gourdRibs(head, [][]float64{{37, 24, 34, 30}, {51, 24, 54, 30}, {44, 23, 44, 28}, {36, 50, 38, 53}, {53, 50, 51, 53}})
		p.part(c.extra, leafAt(45, 23, 33, 19, 7, 1), leafAt(46, 23, 59, 21, 8, -1)).flat(0.7).flick(45, 23, 8)
	}
}

func gourdFace(p *pet, n int, c coat) {
	if n == 3 {
		p.stamp(30, 33, keys(c.eye, c.main), "oo......", "ooooo...", ".ommmooo", ".olsmmoo", "..olsmo.", "...ooo..")
		p.stamp(46, 33, keys(c.eye, c.main), "......oo", "...ooooo", "ooommmo.", "oolsmmo.", ".olsmo..", "..ooo...")
		p.stamp(30, 42, keys(c.eye, c.main),
			"o......................o",
			"ooo..................ooo",
			".olooo..oooo....ooooloo.",
			"..olslooosllooolslsmoo..",
			"...olslslslslslslsmoo...",
			".....oomsoomlmoosmoo....",
			"......ooo..oooo..oo.....")
		return
	}
	p.stamp(29, 36, keys(c.eye, c.main), "KK....", ".KKK..", "..KKKK", "KWWmKK", "KWWmmK", ".KKKK.")
	p.stamp(45, 36, keys(c.eye, c.main), "....KK", "..KKK.", "KKKK..", "KWWmKK", "KWWmmK", ".KKKK.")
	mouth := []string{
		"o................o",
		".oo...........ooo.",
		"..oooooooooooooo..",
		"...oWWoMMMMoWWo...",
		"....oWoLLLMooo....",
		"......ooooo.......",
	}
	if p.phase > 0 { // it laughs
		mouth = append(mouth[:4],
			"...oWMMMMMMMMWo...",
			"....oMMLLLLMMo....",
			".....oWLLLLWo.....",
			"......oooooo......")
	}
	p.stamp(31, 43, keys(c.main, c.trim), mouth...)
	p.stamp(27, 43, keys(c.trim), "ll", "l.")
	p.stamp(51, 43, keys(c.trim), "ll", ".l")
}

// gourdWings draws the wings of look 3: two torn leaves.
func gourdWings(p *pet, c coat) {
	for _, s := range []float64{-1, 1} {
		at := func(x float64) float64 { return 45 + s*x }
		p.acts(pose{deg: s * -14, cx: at(9), cy: 57})
		w := p.part(c.extra, poly(0.6, at(8), 57, at(18), 46, at(29), 38, at(35.5), 37, at(32), 43, at(34.5), 49, at(29), 50,
			at(30), 57, at(24), 56, at(23), 62, at(17), 60)).flat(0.5).flick(at(9), 57, s*-7)
		if s < 0 {
			w.dim()
		}
		for _, v := range [][2]float64{{34, 38}, {33, 49}, {28, 56}} {
			w.crease(dark, at(10), 57, at((10+v[0])/2), (55+v[1])/2, at(v[0]), v[1])
		}
		p.rests()
	}
}
