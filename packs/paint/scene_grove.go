package main

// groveInks are the colours of teal air, moss, old stone and a cold glow.
const groveInks = `
	a c4dcb4 b a0c6aa c 7caca0 d 5c8f90 e 45747e f 345c6a
	t 2c2a38 u 40393f v 5a4f4b w 7a6a58 x 9c8a6a
	g 1f3a3c h 2d5346 i 45734c j 6a9654 k 98b868 l c4d488
	1 3c4a58 2 566670 3 76878a 4 9caaa0 5 c4ccb8
	m 7fe0cc n d4fff0 o 3f9c9c
	p 6e4a78 q a678a8 r d8b0cc y ffd88a z fff4cc Y e09a4c`

func groveBack() *plate {
	p := newPlate(groveInks)
	p.groveMist()
	p.groveFloor()
	p.elderTree()
	p.standingStones()
	return p
}

// groveMist draws rows of trees, paler with distance, with beams of light between them.
func (p *plate) groveMist() {
	p.fill(cut.rect(0, 0, 89, 89), 'd')
	p.fill(cut.leafy(52, 36, 34, 32), 'c')
	p.fill(cut.leafy(50, 38, 24, 24), 'b')
	p.fill(cut.leafy(49, 40, 14, 15), 'a')
	for _, t := range [][4]int{{42, 3, 'b', 56}, {56, 4, 'b', 56}, {36, 3, 'c', 58}, {63, 4, 'c', 58}, {30, 4, 'd', 60}} {
		x, w := t[0], t[1]
		p.box(x, 6, x+w-1, t[3], byte(t[2]))
		p.box(x-1, t[3]-3, x+w, t[3], byte(t[2]))
	}
	p.crown("dcb", 44, 12, 6, 56, 11, 7, 66, 18, 6, 34, 16, 6)
	p.crown("edc", 70, 12, 8, 80, 18, 8, 60, 6, 6, 84, 30, 6, 36, 8, 6, 28, 24, 5)
	for _, t := range [][3]int{{70, 4, 62}, {80, 6, 62}} {
		x, w := t[0], t[1]
		p.box(x, 4, x+w-1, t[2], 'e')
		p.col(x, 4, t[2], 'd')
		p.col(x+w-1, 4, t[2], 'f')
		p.box(x-1, t[2]-4, x+w, t[2], 'e')
	}
	p.crown("fed", 64, 58, 5, 72, 60, 5, 82, 58, 6, 34, 60, 4)
	p.beam(cut.poly(50, 4, 60, 4, 42, 62, 30, 62), "edcb", "dcba")
	p.beam(cut.poly(72, 4, 77, 4, 62, 62, 56, 62), "edcbf", "dcbae")
}

// groveFloor draws moss over roots.
func (p *plate) groveFloor() {
	s := cut.downs(0, 62, 24, 64, 46, 61, 68, 63, 90, 61)
	p.fill(s, 'i')
	p.fill(s.rim(0, 1), 'k')
	p.fill(s.rim(0, 2).minus(s.rim(0, 1)), 'j')
	p.fill(cut.oval(47, 71, 30, 5), 'j')
	p.fill(cut.oval(48, 72.5, 26, 3.6), 'i')
	p.dashes('j', 34, 71, 7, 48, 73, 8, 60, 70, 6, 26, 74, 6, 40, 75, 6, 70, 66, 7)
	p.dashes('k', 38, 67, 8, 52, 66, 7, 30, 69, 4, 62, 68, 4)
	p.dashes('h', 64, 65, 6, 72, 70, 8, 56, 76, 7, 24, 71, 5, 12, 75, 8, 76, 75, 6)
	p.fill(cut.downs(0, 76, 22, 79, 46, 81, 70, 79, 90, 76), 'h')
}

// elderTree draws the tree on the left. Its hollow has a shrine with one candle, and its bough
// reaches over the whole clearing.
func (p *plate) elderTree() {
	bough := cut.poly(4, 4, 90, 4, 90, 7, 76, 9, 62, 9, 50, 12, 38, 14, 30, 20, 26, 30, 4, 30)
	bole := cut.poly(4, 20, 27, 22, 25, 36, 25, 48, 27, 56, 32, 62, 40, 66, 31, 67, 27, 65, 26, 70, 19, 66, 12, 70, 4, 69)
	s := bough.or(bole)
	p.fill(s, 'v')
	p.fill(s.rim(0, -2), 'u')
	p.fill(bole.rim(-3, 0), 'u')
	p.fill(s.rim(-1, 0), 't')
	p.fill(s.rim(0, -1), 't')
	for _, c := range [][4]int{
		{22, 24, 21, 34}, {21, 34, 22, 46}, {22, 46, 24, 58}, {6, 22, 7, 34}, {8, 12, 18, 16}, {18, 16, 32, 10},
		{34, 9, 48, 7}, {10, 22, 19, 21}, {26, 58, 34, 64}, {8, 60, 6, 67}, {17, 60, 19, 65},
	} {
		p.line(c[0], c[1], c[2], c[3], 'u')
		p.line(c[0]-1, c[1], c[2]-1, c[3], 'w')
	}
	p.dashes('x', 6, 9, 8, 20, 8, 7, 40, 5, 6, 5, 40, 1, 5, 41, 1, 5, 42, 1)
	p.stamp(8, 36, `
		....tttt.....
		..ttggggtt...
		.tgggggggtt..
		.tggggggggt..
		tgggg5ggggtt.
		tggg445gggt..
		tgg44555ggtt.
		tgggt33tgggt.
		tgggty3tgggt.
		tggg3z33gggt.
		tggt3y33tggt.
		tgY34Y433Ygt.
		tYy333333yYt.
		tyz3222223yt.
		txxxwwwwwwxt.
		.twwwvvvvwt..
		..tttttttt...`)
	p.stamp(4, 58, `
		j.........
		kj........
		jkk...k...
		ijjkk.jk..
		hijjjkjjk.
		hhiijjiijj`)
	p.groveVines()
}

// groveVines draws vines and leaves that hang from the bough.
func (p *plate) groveVines() {
	for _, v := range [][3]int{{30, 18, 30}, {40, 13, 22}, {53, 11, 20}, {64, 9, 24}, {70, 9, 17}, {77, 9, 28},
		{34, 15, 21}, {58, 10, 15}, {82, 8, 19}} {
		p.col(v[0], v[1], v[2], 'h')
		for y := v[1] + 1; y < v[2]; y += 3 {
			p.stamp(v[0]-1, y, "j..\n..j")
		}
		p.dot(v[0], v[2]+1, 'j')
	}
	p.crown("ghij", 8, 6, 6, 18, 5, 5, 46, 4, 5, 60, 4, 5, 74, 5, 5, 84, 6, 6)
	p.crown("hijk", 30, 5, 5, 38, 6, 4.5, 67, 5, 4)
}

// standingStones draws leaning stones on the right. One of them has a rune.
func (p *plate) standingStones() {
	p.stamp(63, 48, `
		..3333...
		.344432..
		.344332..
		3443322..
		34433221.
		34433221.
		34333221.
		33333221.
		33332211.
		3333221h.
		j3j32j1h.
		ijijjhih.`)
	p.stamp(71, 34, `
		....44444..
		..4455443..
		.445444332.
		.4544443322
		.4544433322
		44544433222
		4544o443322
		454omo43322
		44omnmo3322
		444omo33221
		444omo33221
		44omnmo3221
		444omo33221
		44omomo3221
		4444o433221
		44443333221
		44443332211
		44443332211
		44433332211
		44433332211
		j4k333k2j11
		kjj3kkjj1jh
		jijkjijjiih`)
}

// groveLights draws lights that drift between the trees.
func groveLights(p *plate, step int) {
	for i, at := range [][2]int{{34, 30}, {64, 36}, {56, 20}, {29, 44}, {67, 28}, {43, 24}, {60, 44}, {38, 52}} {
		light, by := "mn", floating[(i+step)%4]
		if i < 3 {
			light = ".m.\nmnm\n.m."
		}
		p.stamp(at[0]+by[0], at[1]+by[1], light)
	}
}

func groveFront() *plate {
	p := newPlate(groveInks)
	root := cut.downs(0, 74, 12, 75, 22, 80, 34, 83, 48, 84, 62, 83, 72, 79, 80, 76, 90, 75)
	p.fill(root, 'h')
	p.fill(root.rim(0, 1), 'k')
	p.fill(root.rim(0, 3).minus(root.rim(0, 1)), 'i')
	cap := `
		...rrr...
		.rrqrqqp.
		rqqqqrqqp
		pqrqqqqpp
		..n5mo...
		...5m....
		...54....
		...543...`
	p.stamp(10, 67, cap)
	p.flip(72, 68, cap)
	tiny := `
		.rr.
		rqqp
		.m3.
		.53.`
	p.at(tiny, 19, 74, 67, 75, 7, 76, 82, 73)
	fern := `
		....l...k.
		.l..k..lk.
		.kl.jk.kj.
		..kk.jkj.l
		l..jkjjikk
		kk.ijjiij.
		.jkiiihij.
		..hihhhi..`
	p.stamp(18, 77, fern)
	p.flip(60, 77, fern)
	grass := `
		.l..k.
		.k.lj.
		kj.ki.
		.jiji.
		.ihhi.`
	p.at(grass, 29, 79, 36, 80, 46, 80, 54, 79)
	p.stamp(26, 71, "..l.\nk.k.\n.jj.\n.ii.")
	p.stamp(61, 72, "l..k\n.kj.\n.ii.")
	p.at("n", 24, 73, 65, 72, 42, 78)
	return p
}
