package main

// forestInks are the colours of a forest, from a pale gold clearing to dark bark at the sides.
const forestInks = `
	a eef0c8 b d6e2b0 c b6cf9e d 94b78e e 749d80 f 567f6e g 3f6459
	1 c3d0a0 2 9fb48c 3 7f9678 4 5f7868
	t 3d3338 u 57463f v 75604a w 977d58 x b59c6c
	h 2f4d47 i 44684c j 5f8753 k 83a75c l abc574
	p d9c796 q bfa577 r 9a805f s 776149
	m 8d5748 n c0705a o e6a27c y f7d774 z fff3b4 A e9dcc4 B a58a78`

func forestBack() *plate {
	p := newPlate(forestInks)
	p.forestGlow()
	p.forestFar()
	p.forestFloor()
	p.forestNear()
	return p
}

// forestGlow draws the clearing at the end of the path, seen through leaves.
func (p *plate) forestGlow() {
	p.fill(cut.rect(0, 0, 89, 89), 'd')
	p.fill(cut.leafy(45, 34, 34, 34), 'c')
	p.fill(cut.leafy(43, 36, 26, 28), 'b')
	p.fill(cut.leafy(42, 38, 17, 21), 'a')
	p.crown("cba", 24, 22, 6, 64, 20, 6.5, 58, 12, 6, 30, 13, 6)
	p.crown("dcb", 18, 30, 6, 70, 30, 6, 13, 40, 6, 75, 42, 6, 44, 8, 6, 68, 48, 5, 20, 49, 5)
}

// forestFar draws thin trunks and undergrowth in the haze.
func (p *plate) forestFar() {
	for _, t := range [][4]int{{33, 2, '1', 'b'}, {54, 2, '1', 'b'}, {60, 3, '2', '1'}, {27, 3, '2', '1'}} {
		p.box(t[0], 6, t[0]+t[1]-1, 56, byte(t[2]))
		p.col(t[0], 6, 56, byte(t[3]))
	}
	p.crown("dcb", 30, 55, 4, 36, 57, 3.5, 56, 56, 4, 61, 55, 4.5)
	for _, t := range [][2]int{{20, 4}, {66, 5}} {
		x, w := t[0], t[1]
		p.box(x, 4, x+w-1, 60, '3')
		p.col(x, 4, 60, '2')
		p.col(x+w-1, 4, 60, '4')
		p.dashes('4', x+1, 18, 2, x+2, 29, 1, x+1, 41, 2, x+2, 52, 1)
		p.stamp(x-1, 57, "3.\n33\n33")
		p.stamp(x+w-1, 58, "4.\n44")
	}
	// A bough of the right-hand trunk.
	p.stamp(58, 24, `
		22......
		.322....
		..3332..
		....3333
		......33`)
	p.beam(cut.poly(22, 4, 33, 4, 15, 62, 4, 62), "dcb123ef", "cba1122e")
	p.beam(cut.poly(42, 4, 49, 4, 31, 62, 24, 62), "dcb123ef", "cba1122e")
	p.beam(cut.poly(62, 4, 66, 4, 50, 62, 46, 62), "dcb123ef", "cba1122e")
	p.crown("fed", 15, 58, 5, 24, 60, 4, 66, 60, 4.5, 73, 58, 5)
}

// forestFloor draws moss with a path of warm earth that bends out of sight.
func (p *plate) forestFloor() {
	floor := cut.downs(0, 60, 24, 62, 45, 60, 66, 62, 90, 60)
	p.hill(floor, "jk")
	p.fill(floor.move(0, 12), 'i')
	p.dashes('k', 14, 65, 5, 70, 64, 6, 8, 69, 4, 74, 70, 5, 17, 73, 5)
	path := cut.poly(38, 60, 43, 60, 49, 61.5, 55, 63, 59, 65, 61, 67, 63, 71, 68, 75, 76, 86, 12, 86, 17, 78, 24, 72, 33,
		69, 43, 67, 47, 65, 45, 63.5)
	p.fill(path.grown(), 'i')
	p.fill(path, 'q')
	p.fill(path.and(path.move(-2, 1)).and(path.move(3, 1)), 'p')
	p.dashes('q', 40, 69, 5, 46, 64, 3, 30, 74, 6, 53, 73, 5, 42, 77, 8, 25, 79, 6, 60, 78, 5, 36, 82, 7, 52, 83, 9)
	p.dashes('r', 33, 71, 3, 57, 70, 4, 24, 76, 4, 64, 75, 4, 48, 67, 2)
	p.dashes('i', 10, 63, 6, 26, 64, 5, 60, 65, 5, 76, 67, 6, 12, 76, 5)
	p.at("rs\nss", 31, 68, 60, 72)
	p.at(".x.\nkjk", 33, 63, 57, 64)
}

// forestNear draws the two large trunks at the sides, the leaves above them, and a small door in
// the right-hand trunk.
func (p *plate) forestNear() {
	left := cut.poly(4, 0, 15, 0, 15.5, 30, 16, 50, 18, 60, 23, 66, 17, 66, 12, 68, 4, 67)
	p.bark(left)
	right := cut.poly(71, 0, 90, 0, 90, 69, 77, 69, 71, 66, 64, 66, 69, 61, 70.5, 48, 71.5, 25)
	p.bark(right)
	p.dashes('t', 6, 20, 2, 11, 34, 2, 8, 47, 3, 12, 55, 2, 79, 16, 2, 76, 25, 2, 83, 30, 2)
	for _, g := range [][3]int{{7, 14, 24}, {10, 27, 38}, {6, 33, 44}, {12, 42, 52}, {9, 52, 60}, {14, 57, 63},
		{76, 12, 21}, {81, 20, 31}, {75, 29, 36}, {78, 57, 63}} {
		p.col(g[0], g[1], g[2], 'u')
		p.col(g[0]+1, g[1]+2, g[2]-3, 'w')
	}
	p.stamp(72, 40, `
		...tttttt..
		..txxwwwut.
		.txwmmmmwut
		.twmnnnmmut
		twmnnmmnmut
		twmnnnmmnut
		twmyznymnut
		twmzyynmnut
		twmyyznmnut
		twmnnnmmnut
		twmnntyynut
		twmnnnmynut
		twmnnmmmnut
		twmnnnmmnut
		twmnnmmnnut
		twmnnnmmnut
		.qqqpppqqr.
		qqpppppqqrr`)
	p.forestMoss()
	p.crown("ghf", 4, 6, 7, 14, 4, 7, 26, 4, 5.5, 84, 6, 8, 73, 4, 7, 62, 4, 5.5)
	p.crown("hijk", 8, 9, 6.5, 18, 7, 5, 3, 17, 5, 82, 10, 7, 72, 7, 5.5, 87, 20, 6)
	p.crown("hij", 28, 6, 4, 62, 6, 4, 37, 4, 4, 53, 4, 4)
}

// bark fills a trunk, with a lit left edge and a dark right edge.
func (p *plate) bark(s stencil) {
	p.fill(s, 'v')
	p.fill(s.rim(1, 0), 'x')
	p.fill(s.rim(2, 0).minus(s.rim(1, 0)), 'w')
	p.fill(s.rim(-4, 0), 'u')
	p.fill(s.rim(-1, 0), 't')
}

// forestMoss draws moss on the roots, and shelf mushrooms on the left.
func (p *plate) forestMoss() {
	p.stamp(4, 58, `
		k.........
		lk........
		jlk.......
		ijkk......
		ijjlk..k..
		iijjkk.lk.
		iiijjlkjkl
		iiijjjjjjj`)
	p.stamp(66, 63, `
		.......k
		..k...kl
		.lkj.kjj
		kjjjjjij`)
	p.stamp(14, 36, `
		AAA..
		BAAA.
		.BBB.`)
	p.stamp(13, 42, `
		AA.
		BAA
		.B.`)
}

func forestFront() *plate {
	p := newPlate(forestInks)
	fern := `
		.........l......
		........lk......
		....l..lkl..l...
		...lk..kjk.lk...
		...kkl.jkllkj...
		.l.jjk.jjkkjj.l.
		lk..jkljjjkj.lk.
		kjk..jkijkji.kj.
		.jjk.ijijjiikj..
		..ijkiijjikjji..
		...iijiiiijjii..
		....hiihihiih...
		.....hhhhhhh....`
	p.stamp(5, 71, fern)
	p.flip(70, 70, fern)
	p.stamp(0, 75, fern)
	p.flip(60, 77, fern)
	p.stamp(17, 78, fern)
	leaf := `
		..k.
		k.jk
		jkji
		.ii.`
	p.at(leaf, 33, 81, 48, 82, 40, 82, 56, 80, 28, 79)
	p.fill(cut.rect(4, 84, 85, 86), 'i')
	p.dashes('h', 10, 84, 9, 30, 84, 6, 46, 84, 5, 63, 84, 8)
	// Toadstools and a fallen leaf by the feet.
	p.stamp(23, 72, `
		.nnn.
		nonon
		.mAm.
		..A..
		..B..`)
	p.stamp(29, 75, `
		.nn.
		nonm
		.AB.`)
	p.stamp(62, 72, `
		.k.l.k
		jk.k.j
		.jkjk.
		.iijj.
		..ii..`)
	p.stamp(51, 74, "..o\nnon\nm..")
	p.stamp(37, 73, "l..\nklk\n.jk\n.i.")
	return p
}
