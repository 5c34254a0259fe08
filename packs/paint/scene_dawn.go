package main

// dawnInks are the colours of violet stone under a peach sky.
const dawnInks = `
	a 67729f b 8e88ae c bb9cb2 d e4b6aa e f6d2a8 f fdeac0 g fffadc
	1 c39fb2 2 a98aaa 3 91799f 4 d9b3b0 5 76668e 6 62567c 7 8f7a94
	h 4a4264 i 5c5274 j 766680 k 9a8088 l c4a092 m e8c6a4
	n 5e6a5c o 7d8668 p a5a574
	q b0554f r dfae5c s 6b8fae t 7d9f7e u efe2cc w 4f4250 x 7a6158`

func dawnBack() *plate {
	p := newPlate(dawnInks)
	p.sky(62, "abcde", 0, 13, 23, 32, 40)
	p.dawnSun()
	p.dawnRange()
	p.dawnCliffs()
	p.dawnGround()
	return p
}

// dawnSun draws the sun in the notch of the pass, and long clouds that are lit from below.
func (p *plate) dawnSun() {
	p.fill(cut.oval(28.5, 40.5, 12.4, 12.4), 'f')
	p.fill(cut.oval(28.5, 40.5, 7.4, 7.4), 'g')
	for _, c := range [][4]float64{{66, 17, 15, 1.7}, {74, 19, 9, 1.3}, {20, 20, 11, 1.4}, {55, 27, 11, 1.2},
		{14, 29, 8, 1.1}, {76, 30, 8, 1.1}} {
		s := cut.oval(c[0], c[1], c[2], c[3])
		p.fill(s, '1')
		p.fill(s.rim(0, -1), 'e')
	}
	// Flying geese.
	p.stamp(64, 9, `
		......h..
		..h..h...
		h..hh....
		.hh......
		....h..h.
		.....hh..`)
}

// dawnRange draws three mountain ranges, each darker than the one behind it.
func (p *plate) dawnRange() {
	far := cut.land(0, 38, 8, 34, 14, 42, 19, 47, 25, 50, 33, 49, 38, 44, 43, 37, 47, 40, 54, 33, 61, 38, 68, 31, 76, 37,
		90, 33)
	p.fill(far, '1')
	p.fill(far.rim(2, 1).and(cut.rect(30, 0, 89, 60)), '4')
	p.fill(far.rim(-2, 1).and(cut.rect(0, 0, 24, 60)), '4')
	mid := cut.land(0, 40, 6, 43, 12, 49, 19, 53, 27, 56, 36, 53, 44, 46, 50, 49, 58, 43, 66, 46, 74, 39, 82, 43, 90, 40)
	p.fill(mid, '2')
	p.fill(mid.rim(1, 1), '4')
	near := cut.land(0, 50, 10, 53, 22, 57, 36, 58, 48, 55, 60, 53, 70, 48, 78, 50, 90, 46)
	p.fill(near, '3')
	p.fill(near.rim(1, 1), '1')
	p.dashes('2', 40, 58, 7, 54, 56, 6, 64, 53, 5, 14, 56, 5, 26, 58, 6, 72, 52, 4)
}

// dawnCliffs draws the walls of the pass: in shade on the left, lit on the right.
func (p *plate) dawnCliffs() {
	left := cut.land(0, 23, 7, 24, 9, 30, 12, 32, 13, 39, 16, 42, 17, 50, 20, 53, 21, 59, 26, 64, 30, 66)
	p.fill(left, 'i')
	p.fill(left.rim(-1, 0), 'k')
	p.fill(left.rim(-2, 0).minus(left.rim(-1, 0)), 'j')
	for _, c := range [][4]int{{6, 30, 8, 40}, {8, 40, 7, 48}, {11, 38, 13, 46}, {13, 46, 12, 56}, {5, 52, 8, 60},
		{16, 52, 17, 60}} {
		p.line(c[0], c[1], c[2], c[3], 'h')
	}
	right := cut.land(60, 66, 64, 63, 66, 58, 68, 55, 69, 48, 72, 45, 73, 38, 76, 35, 77, 28, 80, 25, 82, 18, 90, 15)
	p.fill(right, 'j')
	p.fill(right.rim(1, 0), 'm')
	p.fill(right.rim(3, 0).minus(right.rim(1, 0)), 'l')
	p.fill(right.rim(5, 1).minus(right.rim(3, 0)), 'k')
	for _, c := range [][4]int{{80, 30, 79, 38}, {79, 38, 82, 46}, {76, 42, 75, 52}, {75, 52, 78, 60}, {83, 40, 84, 54},
		{72, 52, 71, 60}} {
		p.line(c[0], c[1], c[2], c[3], 'i')
	}
	p.stamp(70, 41, "..p.p\n.popo\nppoo.")
	p.stamp(10, 28, "o.o..\n.nno.\n..nno")
}

// dawnGround draws the path over the pass.
func (p *plate) dawnGround() {
	s := cut.downs(0, 64, 20, 65, 45, 63, 68, 64, 90, 62)
	p.fill(s, 'k')
	p.fill(s.rim(0, 1), 'm')
	p.fill(s.rim(0, 2).minus(s.rim(0, 1)), 'l')
	p.fill(cut.oval(45, 71, 31, 5.4), 'l')
	p.fill(cut.oval(47, 72.5, 27, 4), 'k')
	p.dashes('l', 36, 71, 8, 47, 73, 7, 30, 74, 5, 58, 70, 6)
	p.dashes('m', 28, 67, 7, 44, 66, 9, 60, 68, 5, 40, 69, 5)
	p.dashes('j', 8, 67, 7, 18, 70, 5, 70, 67, 8, 76, 71, 6, 24, 76, 7, 56, 76, 7, 10, 74, 6)
	p.fill(cut.downs(0, 76, 22, 78, 46, 81, 70, 78, 90, 75), 'j')
	p.at(".ml.\nmlkk\n.jjj", 17, 66, 68, 69)
	p.at("lk\njj", 27, 70, 62, 74, 12, 71)
}

// prayerFlags draws flags on a rope between the two walls. The wind comes from the left, and lifts
// one flag after another.
func prayerFlags(p *plate, step int) {
	rope := [][2]int{{7, 22}, {16, 27}, {26, 30}, {38, 32}, {50, 32}, {62, 29}, {72, 24}, {81, 17}}
	for i := 0; i+1 < len(rope); i++ {
		p.line(rope[i][0], rope[i][1], rope[i+1][0], rope[i+1][1], 'w')
	}
	flag := []string{"q", "r", "u", "s", "t"}
	for i, at := range [][2]int{{10, 24}, {15, 27}, {20, 29}, {25, 30}, {30, 31}, {36, 32}, {42, 33}, {48, 33}, {54, 32},
		{59, 30}, {64, 28}, {69, 26}, {74, 23}} {
		c := flag[i%len(flag)][0]
		p.box(at[0], at[1]+1, at[0]+2, at[1]+3, c)
		lift := 1 + swing[(i+3*step)%4]
		p.row(at[0]+lift, at[0]+2+lift, at[1]+4, c)
		if lift > 0 {
			p.dot(at[0]+3, at[1]+4-lift, c)
		}
	}
	p.box(6, 17, 7, 32, 'w')
	p.col(6, 17, 32, 'x')
}

func dawnFront() *plate {
	p := newPlate(dawnInks)
	s := cut.downs(0, 77, 16, 79, 32, 82, 48, 83, 62, 82, 76, 79, 90, 76)
	p.fill(s, 'i')
	p.fill(s.rim(0, 1), 'k')
	// A cairn on the right, stones on the left.
	p.stamp(69, 60, `
		.....mm.....
		....mlkj....
		....kkji....
		...mmlkk....
		..mllkkji...
		..kkkjjih...
		...mlllkk...
		..mllkkkji..
		.mllkkkjjih.
		.kkkjjjiihh.
		..mmlllkkj..
		.mllkkkkjji.
		mllkkkjjjiih
		mlkkkjjjiihh
		kkkjjjiiihhh
		.jjiiihhhhh.`)
	p.stamp(8, 71, `
		....mml...
		..mmllkk..
		.mllkkkji.
		mllkkjjjih
		lkkkjjiihh
		kkjjjiihh.
		.jiiihhh..`)
	p.stamp(18, 76, ".mlk.\nmlkji\nkjjih")
	tuft := `
		..p...p.
		p.o.p.o.
		.pop.op.
		.ooonoo.
		..nonn..`
	p.at(tuft, 24, 75, 56, 76, 42, 79, 61, 72)
	p.flip(32, 77, tuft)
	p.flip(14, 71, tuft)
	p.stamp(36, 72, ".p..\n.op.\npoo.\n.nn.")
	p.stamp(50, 73, "..p\np.o\nopo\n.nn")
	p.dashes('h', 10, 83, 9, 30, 84, 8, 54, 84, 9, 70, 82, 8)
	return p
}
