package main

// poolInks are the colours of wet stone in green light. The waterfall is the brightest.
const poolInks = `
	a 9fcadb b bfdfe2 c dcefe6
	1 33485a 2 45616c 3 5f7f80 4 81a096 5 a8c0ac
	g 2c4a40 h 3f6848 i 5c8a52 j 86ad60 k b4cc7c
	s 2f6488 t 4486aa u 6eaecb v a6d6e3 w d8f1f1 W f8fefb
	m 6f6a5e n 8f8a74 o b5ae90 p d6d0ae
	q 5a463e r 7e6350
	B 2f6fb0 C 58a6dc D e08a4a E f2ecd8 F 2a3a52
	x d8a0a0 y e4d49a z 9ccba4`

func poolBack() *plate {
	p := newPlate(poolInks)
	p.sky(40, "abc", 0, 12, 22)
	for _, t := range [][3]int{{33, 13, 16}, {57, 11, 18}, {63, 15, 12}} {
		p.fir(t[0], t[1], t[2], "445")
	}
	p.crown("4jk", 47, 23, 5, 38, 22, 5, 53, 21, 5.5, 60, 20, 5, 31, 20, 4.5)
	p.crown("hijk", 42, 27, 5.5, 50, 27, 5.5, 35, 25, 5, 58, 25, 5.5)
	p.poolCliff()
	p.poolFall()
	p.poolWater()
	p.poolBank()
	p.kingfisher()
	return p
}

// poolCliff draws a half ring of ledges around the pool.
func (p *plate) poolCliff() {
	back := cut.land(0, 12, 10, 13, 24, 15, 27, 19, 30, 20, 32, 26, 37, 27, 39, 31, 51, 31, 54, 27, 58, 26, 60, 21, 65,
		20, 67, 15, 73, 14, 75, 11, 90, 11)
	p.fill(back, '3')
	p.fill(back.rim(0, 2), '5')
	p.fill(cut.land(28, 26, 33, 28, 36, 33, 40, 36, 52, 36, 57, 32, 62, 29, 66, 60).and(back), '2')
	for _, l := range [][5]int{ // ledges: x, y, length, thickness, colour of the lit edge
		{28, 32, 8, 2, '4'}, {38, 38, 9, 2, '3'}, {50, 36, 9, 2, '3'}, {34, 44, 7, 2, '3'}, {46, 46, 10, 2, '3'},
		{58, 42, 6, 2, '3'},
		{66, 22, 9, 3, '5'}, {76, 28, 10, 3, '5'}, {66, 34, 8, 3, '4'}, {74, 41, 12, 3, '4'}, {65, 47, 8, 3, '4'},
		{4, 20, 7, 3, '5'}, {4, 32, 7, 3, '4'}, {4, 44, 6, 3, '4'},
	} {
		p.box(l[0], l[1], l[0]+l[2]-1, l[1], byte(l[4]))
		p.box(l[0]+1, l[1]+1, l[0]+l[2], l[1]+l[3]-1, '2')
		p.row(l[0]+2, l[0]+l[2], l[1]+l[3], '1')
	}
	for _, c := range [][3]int{{70, 26, 33}, {79, 32, 40}, {69, 38, 46}, {82, 45, 54}, {76, 46, 55}, {6, 24, 31},
		{8, 36, 43}, {36, 47, 54}, {52, 49, 55}, {60, 46, 55}, {42, 41, 45}} {
		p.col(c[0], c[1], c[2], '1')
	}
	moss := `
		.jk.jkk.
		jijjijij
		i.hi.i.h
		h....h..`
	p.at(moss, 66, 20, 75, 26, 75, 39, 4, 18, 3, 30, 29, 30, 49, 34, 66, 45)
}

// poolFall draws the waterfall on the left.
func (p *plate) poolFall() {
	p.fill(cut.poly(12, 13, 23, 14, 24, 40, 25, 58, 10, 58, 11, 36), 'v')
	p.fill(cut.poly(10, 14, 12, 14, 11, 58, 8, 58), '1')
	p.fill(cut.poly(24, 15, 26, 18, 28, 58, 25, 58, 24.5, 40), '1')
	for _, c := range [][4]int{
		{13, 13, 30, 'w'}, {14, 14, 38, 'W'}, {16, 13, 26, 'w'}, {17, 18, 44, 'W'}, {19, 13, 34, 'w'}, {21, 15, 30, 'W'},
		{22, 24, 46, 'w'},
		{15, 22, 52, 'u'}, {20, 28, 50, 'u'}, {18, 36, 54, 'w'}, {12, 30, 50, 'w'}, {13, 40, 56, 'W'}, {23, 36, 54, 'u'},
		{22, 44, 56, 'W'}, {16, 44, 56, 'W'}, {11, 46, 56, 'u'}, {19, 46, 57, 'W'},
	} {
		p.col(c[0], c[1], c[2], byte(c[3]))
	}
	p.stamp(11, 11, `
		..wwwwwwwww..
		.wWWWwWWWWWw.
		wWWwwWWwwWWWw`)
	// Stones split the fall halfway down.
	p.stamp(14, 33, `
		..44..
		.4332.
		43322.
		w.22.w`)
	// A rainbow in the spray.
	for i, c := range []byte("xyz") {
		arc := cut.oval(24, 60, 17-float64(i), 17-float64(i)).minus(cut.oval(24, 60, 16-float64(i),
			16-float64(i))).and(cut.rect(27, 40, 50, 55))
		p.fill(arc, c)
	}
}

// poolWater draws the pool, with foam under the waterfall.
func (p *plate) poolWater() {
	p.fill(cut.rect(0, 56, 89, 72), 't')
	p.fill(cut.downs(0, 63, 30, 65, 60, 63, 90, 62), 's')
	p.dashes('u', 32, 57, 12, 50, 58, 9, 64, 57, 14, 30, 60, 7, 44, 61, 10, 70, 60, 9, 60, 62, 6, 6, 64, 9, 26, 64, 7, 74,
		64, 8)
	p.dashes('v', 36, 58, 6, 68, 58, 6, 48, 60, 4, 30, 62, 5, 8, 66, 6)
	p.dashes('2', 56, 56, 8, 78, 56, 8, 36, 56, 8)
	foam := cut.ovals(9, 58, 3.4, 14, 57, 3.6, 20, 57.5, 3.8, 26, 58.5, 3)
	p.fill(foam.move(0, 1), 'v')
	p.fill(foam, 'w')
	p.fill(foam.and(foam.move(-1, -2)), 'W')
	p.dashes('w', 6, 62, 12, 20, 63, 9, 29, 61, 3, 10, 64, 7)
	p.at(".jj.\njkij\n.ii.", 66, 60, 74, 62)
	p.stamp(67, 58, ".E.\nExE")
}

// poolBank draws a shelf of flat, pale stone.
func (p *plate) poolBank() {
	s := cut.downs(0, 70, 14, 69, 26, 66, 45, 65, 64, 66, 76, 69, 90, 71)
	p.fill(s.move(0, -1), 'w')
	p.fill(s, 'n')
	p.fill(s.rim(0, 2), 'p')
	p.fill(cut.oval(45, 71, 29, 4.4), 'o')
	p.fill(cut.oval(47, 72, 25, 3.2), 'n')
	p.dashes('o', 32, 71, 8, 46, 73, 8, 58, 72, 5, 24, 72, 4, 36, 75, 6)
	p.dashes('m', 18, 72, 6, 66, 72, 7, 26, 75, 6, 54, 76, 7, 12, 75, 4, 76, 75, 5)
	p.fill(cut.downs(0, 76, 22, 78, 46, 80, 70, 78, 90, 76), 'm')
}

// kingfisher draws a kingfisher on a branch on the right.
func (p *plate) kingfisher() {
	p.stamp(66, 49, `
		..............q.
		..........qqqqqr
		.q...qqqqqrrrrr.
		..qqqrrrrr......
		qqrr............`)
	p.stamp(69, 40, `
		...BBB....
		FFFBCBB...
		..EFEBB...
		...DDBB...
		..DDDBCB..
		..DDDBCCB.
		..DDDBBCB.
		...DDBBB..
		...FDFBBB.
		.......BB.`)
	p.crown("hij", 84, 50, 4.5, 87, 46, 4)
}

func poolFront() *plate {
	p := newPlate(poolInks)
	rock := `
		.....5555.......
		...55444433.....
		..5444433332....
		.544433333222...
		5443333332222...
		4433jj33222221..
		433jkij3222211..
		33jjijji2222111.
		3jiihijih221111.
		jihhghiihh11111.`
	p.stamp(4, 75, rock)
	p.flip(71, 75, rock)
	water := cut.downs(0, 81, 18, 80, 30, 81, 46, 80, 60, 81, 72, 80, 90, 81)
	p.fill(water, 't')
	p.fill(water.rim(0, 1), 'W')
	p.fill(water.rim(0, 2).minus(water.rim(0, 1)), 'v')
	p.dashes('u', 22, 84, 8, 36, 83, 6, 50, 84, 9, 64, 84, 6)
	p.stamp(4, 75, rock)
	p.flip(70, 75, rock)
	fern := `
		...k..k.
		.k.jk.j.
		.jk.jkj.
		k.jkjj.k
		jkijjikj
		.iijiij.
		..hiih..`
	p.stamp(14, 74, fern)
	p.flip(66, 74, fern)
	p.stamp(7, 69, fern)
	p.flip(74, 69, fern)
	p.at(".pp.\npoon\nonnm", 28, 77, 56, 78)
	p.at("poo\nonm", 36, 79, 48, 79, 24, 80, 63, 79)
	p.stamp(34, 72, "k..k.\njk.j.\n.jkj.\n.iji.")
	p.stamp(52, 73, ".k.k\n.jkj\n.ij.")
	return p
}
