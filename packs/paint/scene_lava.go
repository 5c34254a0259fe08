package main

// lavaInks are soot and wine red. Only the lava is bright.
const lavaInks = `
	a 2a1b30 c 5e2c40 d 853e44 e b05c4a 
	1 352236 2 4a2c42 3 6b3c4a 4 96544e
	g 221a26 h 33272f i 493840 j 645058 k 84706f
	l a8301e m d8551f n f58f30 o ffc957 p fff2ad
	u 3f6a35 v 6fa044 w a8cf62`

func lavaBack() *plate {
	p := newPlate(lavaInks)
	p.sky(62, "acde", 0, 24, 38, 48)
	p.lavaSmoke()
	p.volcano()
	p.lavaColumns()
	p.lavaFloor()
	return p
}

// lavaSmoke draws smoke that is lit from below.
func (p *plate) lavaSmoke() {
	p.cloud("321", 40, 67, 27, 4, 63, 22, 5.5, 57, 16, 7, 66, 15, 6, 48, 11, 7, 58, 8, 7, 38, 8, 6, 69, 8, 6)
	p.fill(cut.oval(67, 31, 3.4, 2.4), '4')
	p.cloud("321", 16, 8, 14, 4, 15, 12, 5, 23, 15, 3)
	p.dashes('4', 6, 17, 13, 21, 17, 5)
	p.dashes('3', 74, 22, 9, 70, 24, 6)
}

// volcano draws the volcano on the right, with two streams of lava and a glowing mouth.
func (p *plate) volcano() {
	far := cut.land(0, 50, 10, 45, 18, 48, 28, 44, 36, 49, 48, 47, 60, 52, 90, 50)
	p.hill(far, "34")
	cone := cut.land(40, 60, 48, 54, 54, 47, 59, 40, 63, 33, 65, 31, 67, 32, 70, 31, 72, 33, 75, 40, 80, 46, 86, 52, 90,
		56)
	p.fill(cone, '2')
	p.fill(cone.rim(2, 1), '3')
	p.fill(cut.poly(68, 34, 72, 33, 75, 40, 80, 46, 90, 56, 90, 62, 74, 62, 70, 50, 71, 42).and(cone), '1')
	p.stamp(63, 30, `
		.no..noon..
		.mnoooonnm.
		..lmnnnmml.
		...lmnml...`)
	for _, s := range [][3]int{{67, 34, 2}, {67, 36, 2}, {66, 38, 2}, {65, 40, 3}, {65, 42, 2}, {63, 44, 3}, {62, 46, 3},
		{62, 48, 4}, {61, 50, 4}, {59, 52, 6}, {57, 54, 8}} {
		p.box(s[0], s[1], s[0]+s[2]-1, s[1]+1, 'm')
		p.col(s[0]+s[2]/2, s[1], s[1]+1, 'o')
	}
	for _, s := range [][3]int{{70, 34, 1}, {71, 37, 1}, {72, 40, 2}, {74, 44, 2}, {75, 47, 3}, {77, 50, 3}, {79, 53, 5}} {
		p.box(s[0], s[1], s[0]+s[2]-1, s[1]+3, 'l')
		p.col(s[0], s[1], s[1]+2, 'n')
	}
	p.at("on", 60, 27, 74, 26, 63, 22, 71, 21)
}

// lavaColumns draws basalt pillars on both sides, and the river of lava between them.
func (p *plate) lavaColumns() {
	for _, c := range [][3]int{{19, 52, 62}, {4, 30, 64}, {8, 36, 64}, {12, 33, 64}, {16, 43, 64}, {20, 54, 64},
		{6, 49, 64}, {11, 53, 64}, {15, 57, 64}} {
		x, y := c[0], c[1]
		p.box(x, y, x+4, c[2], 'h')
		p.box(x, y, x+1, c[2], 'i')
		p.col(x+4, y+1, c[2], 'g')
		p.stamp(x, y-2, ".jkj.\njkkjj\n.ijji")
	}
	p.fill(cut.downs(0, 61, 26, 60, 50, 58, 70, 57, 90, 58), 'm')
	p.dashes('n', 30, 61, 8, 40, 60, 11, 55, 59, 10, 67, 60, 8, 78, 59, 6, 23, 62, 6, 62, 62, 6)
	p.dashes('o', 42, 60, 5, 57, 59, 5, 69, 60, 4, 24, 62, 4)
	p.dashes('l', 34, 63, 8, 50, 62, 6, 72, 62, 8, 26, 64, 5, 60, 60, 3)
	p.dashes('n', 36, 60, 4, 48, 61, 5, 64, 58, 5, 74, 61, 5)
	for _, c := range [][3]int{{80, 50, 66}, {84, 46, 66}, {76, 57, 66}} {
		x, y := c[0], c[1]
		p.box(x, y, x+4, c[2], 'h')
		p.box(x, y, x+1, c[2], 'i')
		p.col(x+4, y+1, c[2], 'g')
		p.stamp(x, y-2, ".jkj.\njkkjj\n.ijji")
	}
}

// lavaFloor draws the crust that the pet stands on, and the scene's only plant.
func (p *plate) lavaFloor() {
	s := cut.downs(0, 63, 22, 65, 44, 64, 66, 65, 90, 63)
	p.fill(s, 'i')
	p.fill(s.rim(0, 1), 'k')
	p.fill(s.rim(0, 2).minus(s.rim(0, 1)), 'j')
	p.fill(cut.oval(45, 72, 31, 5), 'j')
	p.fill(cut.oval(47, 73, 28, 4), 'i')
	p.fill(cut.downs(0, 76, 24, 79, 46, 80, 68, 79, 90, 75), 'h')
	p.dashes('j', 34, 70, 8, 46, 71, 9, 28, 73, 5, 58, 74, 6, 40, 75, 7, 14, 68, 5, 72, 69, 7)
	p.dashes('h', 10, 71, 6, 26, 69, 4, 62, 70, 6, 74, 73, 6, 20, 75, 6, 50, 77, 6)
	for _, c := range [][4]int{ // cracks with light in them
		{4, 74, 9, 73}, {9, 73, 13, 75}, {13, 75, 19, 74}, {66, 76, 71, 74}, {71, 74, 75, 76}, {75, 76, 85, 74},
		{13, 75, 15, 79}, {71, 74, 73, 71}, {22, 79, 30, 81}, {30, 81, 36, 80}, {54, 81, 62, 79}, {62, 79, 66, 76},
	} {
		p.line(c[0], c[1], c[2], c[3], 'm')
	}
	p.dashes('o', 7, 73, 3, 14, 75, 3, 72, 75, 2, 77, 76, 3, 28, 80, 2, 60, 79, 2)
	p.stamp(23, 60, `
		.w....
		wwv.w.
		.vvww.
		..vuv.
		..u...
		..u...
		.kuj..
		kjjjj.`)
}

func lavaFront() *plate {
	p := newPlate(lavaInks)
	rocks := `
		......jk........
		.....jkkj.......
		....jkkjii...j..
		..jkkjjiih..jkj.
		.jkjjiiihhjkkjii
		jkjjiiiihhkjjiih
		jjiiimiihhjiiihh
		iiiihnmhiiiiihhh
		iihhhinmhhiiihhg
		hhhhhhhmnmhhhhgg
		hhgghhhhhmmhhhhg
		gghhhgghhhhggghh`
	p.stamp(4, 74, rocks)
	p.flip(70, 74, rocks)
	crust := cut.downs(0, 80, 18, 82, 30, 80, 40, 82, 52, 81, 62, 82, 72, 80, 90, 81)
	p.fill(crust, 'h')
	p.fill(crust.rim(0, 1), 'j')
	p.stamp(4, 74, rocks)
	p.flip(70, 74, rocks)
	small := `
		...kk....
		.jkkjj...
		kjjiiijk.
		jiiiihhij
		iiihhhhhg`
	p.stamp(24, 78, small)
	p.flip(58, 78, small)
	p.stamp(40, 81, small)
	p.dashes('m', 34, 83, 6, 50, 84, 7, 64, 84, 5)
	p.dashes('n', 36, 83, 2, 53, 84, 2)
	p.stamp(33, 72, ".kk.\nkjji\njiih")
	p.stamp(52, 73, "..kj.\nkjjii\niiihh")
	p.at("no\nmn", 24, 72, 66, 70, 14, 67)
	p.at("o\nn", 30, 68, 61, 74, 72, 64, 45, 79)
	return p
}
