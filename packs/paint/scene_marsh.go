package main

// marshInks are the colours of a blue night. Only the lights are warm.
const marshInks = `
	a 232a4d b 2c3860 c 384b76 d 4a648c e 6583a0 f 8aa6b2
	m f6f0d2 n e2dcc0 o c5c5b8 h 52709a i 3f5883
	1 41577c 2 34466b 3 2a3857 4 5c7896
	w 34507a x 42648b y 5b82a0 z 9dbcbc Z e6e6cc
	g 1c2a38 j 28403f k 385647 l 557552 p 7f9c6a
	r 4b3f3c s 6d5a48 t 93795a
	B 8f9fb4 C c4ccd0 D 4d5b78 L ffe08a M f2a65a`

func marshBack() *plate {
	p := newPlate(marshInks)
	p.sky(60, "abcde", 0, 13, 24, 33, 40)
	p.marshMoon()
	p.marshShore()
	p.marshWater()
	p.marshBank()
	p.heron(70, 41)
	return p
}

// marshMoon draws the moon at the upper left, with a ring around it and clouds in front, and the
// stars.
func (p *plate) marshMoon() {
	p.fill(cut.oval(23.5, 21.5, 15.4, 15.4), 'i')
	p.fill(cut.oval(23.5, 21.5, 12.4, 12.4), 'h')
	moon := cut.oval(23.5, 21.5, 9.4, 9.4)
	p.fill(moon, 'm')
	p.fill(moon.rim(-2, -2), 'n')
	p.stamp(20, 16, `
		.nn....
		nnon...
		.nn..n.
		.....on
		..n....
		.non...
		nnoon..
		.nnn..n`)
	p.fill(cut.oval(20, 29, 14, 1.6), 'd')
	p.fill(cut.oval(27, 31, 12, 1.4), 'e')
	p.fill(cut.oval(13, 27.5, 7, 1.1), 'd')
	p.fill(cut.oval(66, 19, 15, 1.5), 'c')
	p.fill(cut.oval(73, 21, 10, 1.2), 'd')
	star := ".f.\nfmf\n.f."
	p.at(star, 58, 10, 77, 28)
	p.at("ff", 41, 12, 50, 21, 66, 14, 79, 12, 46, 31, 62, 26, 11, 12, 69, 34)
	p.at("z", 54, 15, 43, 24, 74, 17, 12, 34, 56, 33)
}

// marshShore draws the far wood and its mist.
func (p *plate) marshShore() {
	p.fill(cut.downs(0, 44, 12, 42, 26, 45, 40, 43, 56, 45, 70, 41, 90, 42), '4')
	p.crown("144", 5, 46, 5, 14, 47, 5, 30, 48, 4, 37, 47, 5, 60, 48, 4, 54, 47, 4)
	for _, t := range [][3]int{{8, 35, 17}, {15, 39, 13}, {22, 42, 10}, {63, 40, 12}, {68, 34, 18}, {74, 38, 14},
		{81, 32, 20}} {
		p.fir(t[0], t[1], t[2], "221")
	}
	p.fill(cut.downs(0, 50, 20, 49, 44, 51, 68, 49, 90, 50), '2')
	p.dashes('4', 4, 51, 22, 30, 52, 14, 50, 51, 18, 72, 52, 14)
	p.dashes('e', 8, 52, 14, 36, 53, 10, 58, 52, 9)
}

// marshWater draws the pool with the moon's broken reflection, a boat and lily pads.
func (p *plate) marshWater() {
	p.fill(cut.rect(0, 53, 89, 70), 'x')
	p.fill(cut.rect(0, 61, 89, 70), 'w')
	p.dashes('y', 4, 54, 12, 34, 54, 9, 52, 55, 11, 70, 54, 8, 8, 57, 6, 40, 58, 8, 60, 58, 7, 36, 62, 5, 6, 61, 6, 58,
		63, 8)
	p.dashes('w', 10, 59, 8, 44, 56, 6, 64, 60, 9, 34, 60, 5)
	p.dashes('x', 6, 64, 8, 40, 65, 9, 68, 64, 7, 52, 61, 8)
	p.dashes('z', 17, 54, 14, 19, 56, 9, 21, 58, 7, 16, 60, 6, 25, 60, 4, 20, 62, 8, 17, 64, 5, 24, 65, 4)
	p.dashes('Z', 20, 54, 8, 22, 56, 5, 23, 58, 3, 22, 60, 2, 21, 62, 4, 22, 64, 2)
	// The boat with its lantern.
	p.stamp(47, 45, `
		....r......
		....r......
		....rrr....
		....r.L....
		....r.M....
		t..Br.....t
		trrrrrrrrrr
		.srrrrrrrr.
		..gggggg...`)
	p.dashes('M', 52, 55, 3, 53, 57, 2)
	// Lily pads.
	p.at(".kkk.\nklllk\n.kkk.", 7, 66, 30, 63)
	p.at(".kk.\nkllk", 36, 67, 60, 66)
	p.stamp(9, 64, ".C.\nCCC")
}

// marshBank draws the tussock that the pet stands on.
func (p *plate) marshBank() {
	bank := cut.downs(0, 69, 12, 71, 24, 68, 45, 66, 66, 67, 78, 70, 90, 68)
	p.fill(bank.move(0, -1), 'g')
	p.hill(bank, "kl")
	p.fill(bank.move(0, 5), 'j')
	p.fill(cut.oval(45, 72, 27, 4), 'k')
	p.dashes('l', 30, 70, 6, 44, 69, 8, 56, 71, 6, 24, 73, 5, 38, 74, 7, 62, 74, 5, 50, 76, 5)
	p.dashes('j', 34, 72, 5, 50, 73, 6, 28, 71, 4, 64, 71, 4)
	p.dashes('k', 12, 79, 7, 30, 80, 6, 50, 81, 8, 70, 79, 7)
	p.at("p.p\n.l.", 27, 66, 63, 66, 33, 68)
}

// heron draws a heron in the shallows.
func (p *plate) heron(x, y int) {
	p.stamp(x, y, `
		....CCD......
		tttCgCDD.....
		....CCB......
		.....CB......
		.....CB......
		....CCB......
		....CB.......
		....CBB......
		....CCBBBB...
		.....CCBBBBB.
		.....DCCBBBBD
		......DBBBDDD
		.......DDD..D
		........t.t..
		........t.t..
		........t.t..
		........t.t..
		........t.t..
		........t.t..
		.......yyyyy.
		......z.....z
		.......yyyyy.`)
}

func marshFront() *plate {
	p := newPlate(marshInks)
	reeds := `
		......t.........
		......s......t..
		.....sss...p.s..
		.p...tss...p.ss.
		.p...tss...l.ts.
		.p...tss.p.l.ts.
		.lp..tss.p.lpss.
		.ll...s..l.ll.l.
		..l.p.l..l.kl.l.
		p.l.l.l.pl.kl.lp
		l.llk.lkll.klkll
		l.lkk.llkk.kklk.
		.lkl.klllklkkkk.
		.kkl.kllkkllkkl.
		.kkkkkkkkkklkkk.
		.jkkjkkjkkkjkkk.
		.jjkjjkjjkjjkjj.
		..jjjjjjjjjjjj..`
	p.stamp(5, 66, reeds)
	p.flip(68, 68, reeds)
	low := `
		...p....l..
		l..l..p.k..
		k.kl..l.k.l
		.kkk.kk.kkk
		.jkkjkkjkk.`
	p.stamp(19, 76, low)
	p.flip(29, 78, low)
	p.stamp(41, 79, low)
	p.flip(52, 78, low)
	p.stamp(60, 76, low)
	p.fill(cut.rect(4, 82, 85, 86), 'j')
	p.dashes('g', 8, 84, 12, 26, 84, 9, 42, 85, 8, 58, 84, 10, 74, 85, 8)
	p.stamp(20, 79, low)
	p.stamp(37, 71, "..p.\nl.l.\nk.kl\n.kk.\n.jk.")
	p.stamp(54, 72, ".p..\n.l.l\nkk.k\n.kk.")
	// Fireflies.
	p.at(".L.\nLZL\n.L.", 25, 69, 64, 74)
	p.at("L\nM", 32, 75, 58, 70)
	return p
}
