package main

// meadowInks are the colours of noon: cool blue and dusty green, with cream light.
const meadowInks = `
	a 78aed2 b 90c1dc c aed5e4 d cfe7e6
	u b4cfdf v dbe7ea w f6f3e8
	1 a3c4cb 2 8fb4ba 3 a9c9a8 4 94b896 5 7ba284
	6 c3d486 7 a9c26e 8 8bab5f 9 6c9155 0 4f7549 k 3a5a43
	f 5b7f52 g 76995a h 94b266 i b4c97a
	t 6b5048 T 8f6d57 p e2d2a2 q c6b083
	m f0e4ca n cdb89e o a27f72 r b3695a R d1897a x 5d4b52
	A de7566 B f4d56e C 8792d4 D faf6ea`

func meadowBack() *plate {
	p := newPlate(meadowInks)
	p.sky(60, "abcd", 0, 14, 28, 40)
	p.cloud("uvw", 26, 58, 23, 5, 66, 19, 7, 74, 16, 8, 82, 20, 7, 88, 23, 4)
	p.cloud("uvw", 40, 27, 39, 3, 33, 37, 5, 40, 35, 5, 47, 38, 4, 54, 39, 3)
	p.cloud("uvw", 17, 8, 14, 4, 15, 12, 5, 22, 15, 3)
	p.hill(cut.downs(0, 44, 14, 47, 30, 43, 47, 48, 62, 42, 78, 46, 90, 43), "12")
	p.fill(cut.downs(0, 44, 14, 47, 30, 43, 47, 48, 62, 42, 78, 46, 90, 43).move(0, 1), '1')
	p.meadowHills()
	p.windmill(8, 20)
	p.meadowTree()
	p.meadowField()
	// The larks that give the place its name.
	p.stamp(50, 11, "x...x\n.xxx.\n..x..")
	p.stamp(44, 15, "x.x\n.x.")
	return p
}

// meadowHills draws the rolling slopes with hedges and a far copse.
func (p *plate) meadowHills() {
	far := cut.downs(0, 52, 20, 56, 44, 50, 62, 53, 90, 47)
	p.hill(far, "43")
	p.crown("543", 48, 50, 3, 52, 49, 3.5, 57, 51, 3)
	p.dashes('5', 60, 55, 7, 68, 54, 4, 73, 53, 6, 36, 54, 5)
	mill := cut.downs(0, 46, 11, 43, 25, 47, 44, 57, 60, 60, 90, 61)
	p.hill(mill, "87")
	p.fill(mill.move(5, 4).and(cut.downs(0, 50, 20, 48, 40, 60, 60, 70, 90, 70)), '8')
	p.dashes('7', 8, 48, 5, 16, 47, 6, 24, 50, 4, 11, 52, 7, 29, 54, 5, 20, 55, 4)
	p.dashes('9', 6, 51, 4, 22, 52, 5, 13, 57, 6, 31, 57, 5, 38, 58, 3)
	p.crown("f8h", 6, 48, 3, 9.5, 50, 3.5, 5, 52, 3.5)
	p.crown("f8h", 34, 55, 2.5, 38, 56.5, 3)
}

// windmill draws the mill without its sails, because they turn (see the function sails).
func (p *plate) windmill(x, y int) {
	p.stamp(x, y+4, `
		.......rR........
		......RRrr.......
		.....RRRrrr......
		.....RRRrrr......
		.....oooooo......
		.....mmmnno......
		.....mmmnno......
		.....mmmnno......
		.....mmxxno......
		.....mmxxno......
		.....mmmnno......
		.....mmmnno......
		.....mmmnno......
		....mmmxxnno.....
		....mmmxxnno.....
		....mmmmnnno.....
		...mmmmmnnnoo....
		...mmmxxnnnoo....
		...mmmxxnnnoo....
		..0mmmxxnnno0....`)
	// A path comes down from the door.
	p.line(x+6, y+24, x+8, y+27, 'p')
	p.line(x+7, y+24, x+9, y+27, 'q')
	p.stamp(x+8, y+28, `
		.ppq....
		..pppq..
		...ppppq
		.....ppp`)
}

// meadowTree draws the tree on the right.
func (p *plate) meadowTree() {
	p.stamp(75, 44, `
		...tT.t..
		t..tTtt..
		tt.tTTt..
		.tttTt...
		..ttTt...
		..ttTt...
		..ttTt...
		..ttTt...
		..ttTt...
		..ttTTt..
		..ttTTt..
		..ttTTt..
		.tttTTt..
		.ttTTTtt.
		tttTTtTtt
		.k0tt0tk.`)
	p.crown("0fgh",
		84, 27, 9, 74, 29, 7.5, 88, 38, 7, 70, 38, 7,
		79, 33, 8.5, 84, 43, 6, 75, 42.5, 6.5, 67, 43, 4)
	p.crown("0ghi", 77, 24, 6, 71.5, 33, 5.5, 84, 34, 5.5, 77, 39, 4.5)
}

// meadowField draws the ground from the foot of the hills to the front.
func (p *plate) meadowField() {
	near := cut.downs(0, 59, 18, 60, 40, 61, 64, 60, 90, 59)
	p.hill(near, "76")
	p.fill(cut.oval(45, 72, 33, 7), '6')
	p.fill(cut.oval(47, 73, 29, 5), '7')
	p.dashes('6', 24, 63, 6, 34, 65, 4, 52, 62, 7, 60, 65, 5, 14, 66, 5, 20, 72, 5, 66, 70, 6, 40, 68, 8, 49, 70, 5, 38,
		74, 6)
	p.dashes('8', 4, 63, 8, 30, 62, 5, 42, 63, 6, 68, 63, 9, 8, 69, 6, 70, 67, 8, 27, 68, 5, 58, 68, 4, 34, 71, 4, 54, 74,
		6)
	p.fill(cut.downs(0, 76, 20, 78, 46, 81, 70, 78, 90, 75), '8')
	p.fill(cut.oval(80, 61, 12, 2.2), '9')
	p.dashes('9', 10, 79, 6, 24, 82, 8, 40, 83, 5, 58, 82, 9, 72, 80, 6)
	tuft := "9.9\n.9."
	p.at(tuft, 12, 62, 22, 69, 63, 63, 75, 72, 14, 74, 31, 78, 69, 76, 55, 79)
	p.at("BB", 17, 64, 26, 66, 72, 69, 19, 71)
	p.at("DD", 10, 66, 68, 65, 64, 71, 15, 69, 78, 65)
	p.at("AA", 13, 71, 77, 68)
}

func meadowFront() *plate {
	p := newPlate(meadowInks)
	left := `
		...k........k.......
		...0...k....0...k...
		k..90..0...k9...0...
		0..90.k9...09..k9...
		90.890099k.09.k09.k.
		.9089.989009.k090k0.
		.98990898998.0908099
		.98998.899889099.989
		99889988998898998899
		98899889988998899889
		88988988898898889888
		88888888888888888888
		88888888888888888888
		88888888888888888888`
	p.stamp(4, 73, left)
	p.flip(66, 73, left)
	// Low blades of grass in front of the feet.
	low := `
		..0.....k..
		k.9..0..0.k
		0.90.90.9.0
		90890890899
		.8988988988`
	p.stamp(22, 76, low)
	p.flip(31, 77, low)
	p.stamp(40, 78, low)
	p.flip(49, 77, low)
	p.stamp(57, 76, low)
	p.fill(cut.rect(20, 81, 69, 86), '8')
	p.stamp(22, 80, low)
	p.flip(44, 81, low)
	p.stamp(60, 80, low)
	p.meadowFlowers()
	return p
}

// meadowFlowers draws the blossoms in front, and two tufts of grass at the toes.
func (p *plate) meadowFlowers() {
	tuft := `
		...0..
		0..9..
		9.09.0
		.9099.
		.8989.
		..88..`
	p.stamp(34, 71, tuft)
	p.flip(53, 72, tuft)
	flower := ".A.\nABA\n.A.\n.0.\n.9."
	p.at(flower, 9, 71, 73, 73)
	p.at(".D.\nDBD\n.D.\n.0.", 16, 76, 65, 77)
	p.at(".C.\nCCC\n.0.\n.0.", 26, 74, 78, 70)
	p.at(".B.\nBBB\n.0.", 57, 79, 32, 80)
}
