package main

// streetInks are the colours of dusk, with warm light in windows and lanterns.
const streetInks = `
	a 2c3058 c 514a78 d 82678a e ac8090 f d29c90
	1 4a4870 2 5c5880 3 383660
	g 302a48 h 473c58 i 63546c j 83707e k a38e92 l c2ada4
	r 3a3350 s 55466a t 74597a
	y f4bd62 z ffe6a4 o d8663e p f09350 q 8e3a38
	m 3b3a58 n 4d4c6a u 625f7c v 7b7690 w 989099
	x 221e34 A 4a6a5a B 6f8c68 C d8788a`

func streetBack() *plate {
	p := newPlate(streetInks)
	p.sky(62, "acde", 0, 22, 36, 46)
	p.streetFar()
	p.houseLeft()
	p.houseRight()
	p.cobbles()
	return p
}

// streetFar draws the end of the lane: towers, roofs and a gate with light.
func (p *plate) streetFar() {
	p.at("f", 38, 12, 55, 18, 47, 9)
	p.at("ff", 43, 20, 60, 11, 31, 16)
	p.stamp(48, 26, `
		....1.....
		....1.....
		...111....
		...111....
		..11111...
		..11111...
		.1111111..
		..12221...
		..12y21...
		..12y21...
		..12221...
		..122212..
		..1222122.
		..1222112.`)
	p.fill(cut.land(24, 48, 29, 40, 30, 40, 36, 47, 40, 47, 44, 41, 48, 47, 52, 40, 58, 47, 62, 44, 66, 47), '1')
	p.fill(cut.land(22, 60, 22, 48, 34, 48, 34, 50, 46, 50, 46, 46, 58, 46, 58, 49, 68, 49, 68, 60), '2')
	p.at("yy\nyy", 30, 50, 38, 52, 54, 49, 61, 52)
	p.stamp(42, 50, `
		..333333..
		.33zzzz33.
		33zyyyyz33
		3zyyyyyyz3
		3yyyyyyyy3
		3yyyyyyyy3
		3yypppypy3
		3ypppppyy3
		3pppppppp3`)
}

// houseLeft draws a timbered front with two lit windows and a flower box.
func (p *plate) houseLeft() {
	p.fill(cut.rect(4, 22, 21, 64), 'j')
	p.fill(cut.rect(4, 44, 24, 64), 'j')
	p.fill(cut.rect(20, 22, 21, 43), 'i')
	p.fill(cut.rect(23, 45, 24, 64), 'i')
	roof := cut.poly(4, 4, 10, 4, 27, 24, 4, 24)
	p.fill(roof, 's')
	p.fill(roof.rim(0, -2), 'r')
	p.fill(roof.rim(-1, 0), 't')
	for y := 9; y < 22; y += 4 {
		p.dashes('r', 4, y, 3, 8+(y-9)/2, y, 3, 12+(y-9)/2, y+2, 2)
	}
	for _, b := range [][4]int{{4, 24, 23, 25}, {4, 43, 26, 45}, {20, 26, 21, 42}, {23, 46, 24, 64}, {9, 26, 9, 42}} {
		p.box(b[0], b[1], b[2], b[3], 'h')
	}
	p.line(10, 41, 19, 27, 'h')
	p.line(10, 42, 20, 27, 'h')
	p.window(10, 29, 9, 10)
	p.window(8, 48, 10, 9)
	p.stamp(7, 57, `
		.B.C.BC.B.C.
		CBBACBABCBAB
		hhhhhhhhhhhh
		.gggggggggg.`)
	p.row(4, 26, 46, 'g')
}

// houseRight draws a shop with an awning and a sign, and a cat on the windowsill above.
func (p *plate) houseRight() {
	p.fill(cut.rect(68, 18, 89, 66), 'i')
	p.fill(cut.rect(68, 18, 70, 66), 'j')
	roof := cut.poly(62, 19, 74, 4, 90, 4, 90, 19)
	p.fill(roof, 's')
	p.fill(roof.rim(1, 0), 't')
	p.fill(roof.rim(0, -2), 'r')
	p.dashes('r', 74, 8, 4, 80, 8, 4, 71, 12, 4, 77, 12, 4, 83, 12, 3, 70, 15, 3)
	for _, b := range [][4]int{{66, 19, 89, 20}, {68, 39, 89, 40}, {68, 21, 68, 66}} {
		p.box(b[0], b[1], b[2], b[3], 'g')
	}
	p.window(72, 24, 10, 12)
	p.stamp(71, 29, `
		.x..x...
		.xxxx...
		.xxxx...
		..xxx...
		..xxxx..
		..xxxxx.
		..xxxxxx
		hhhhhhhhhhhhh
		.ggggggggggg.
		......x......
		.......x.....`)
	// The shop window and its awning.
	p.fill(cut.rect(72, 51, 85, 62), 'y')
	p.fill(cut.rect(73, 52, 78, 56), 'z')
	p.col(79, 51, 62, 'h')
	p.row(72, 85, 57, 'h')
	p.box(71, 62, 85, 63, 'h')
	for x := 69; x < 89; x++ {
		c := byte('o')
		if (x-69)/3%2 == 1 {
			c = 'l'
		}
		p.box(x, 44, x, 49, c)
		if (x-69)%3 == 1 {
			p.dot(x, 50, c)
		}
	}
	p.row(69, 88, 44, 'q')
	p.dashes('k', 72, 49, 3, 78, 49, 3, 84, 49, 3)
	p.stamp(63, 36, `
		ggggg
		.g.g.
		hhhhh
		hyzyh
		hyyyh
		.hhh.`)
}

// window draws a window that is lit from inside. Its upper left pane is the brightest.
func (p *plate) window(x, y, w, h int) {
	p.box(x-1, y-1, x+w, y+h, 'h')
	p.box(x, y, x+w-1, y+h-1, 'y')
	p.box(x+1, y+1, x+w/2-1, y+h/2-1, 'z')
	p.col(x+w/2, y, y+h-1, 'h')
	p.row(x, x+w-1, y+h/2, 'h')
}

// cobbles draws the paved lane. Light from the gate falls on its middle.
func (p *plate) cobbles() {
	p.fill(cut.downs(0, 64, 22, 60, 45, 58, 68, 61, 90, 65), 'u')
	p.fill(cut.poly(40, 59, 52, 59, 66, 80, 24, 80), 'v')
	p.fill(cut.poly(43, 59, 49, 59, 54, 68, 38, 68), 'w')
	p.fill(cut.downs(0, 76, 22, 78, 46, 81, 70, 78, 90, 75), 'n')
	rows := []struct{ y, step, x int }{{61, 5, 2}, {63, 6, 0}, {66, 7, 3}, {69, 8, 0}, {73, 9, 4}, {77, 10, 0},
		{81, 11, 5}}
	for _, r := range rows {
		for x := r.x; x < plateSide; x += r.step {
			if p.is(x, r.y, 'u') || p.is(x, r.y, 'v') || p.is(x, r.y, 'w') || p.is(x, r.y, 'n') {
				c := byte('n')
				if p.is(x, r.y, 'n') {
					c = 'm'
				}
				if p.is(x, r.y, 'w') {
					c = 'v'
				}
				p.row(x, x+r.step-3, r.y, c)
				p.dot(x+r.step-2, r.y-1, c)
			}
		}
	}
	p.box(4, 64, 26, 65, 'm')
	p.box(66, 65, 86, 66, 'm')
	p.row(4, 26, 64, 'v')
	p.row(66, 86, 65, 'v')
}

// lanternLine draws a line of swinging paper lanterns across the lane.
func lanternLine(p *plate, step int) {
	rope := [][2]int{{24, 21}, {32, 25}, {40, 27}, {50, 27}, {58, 25}, {66, 20}}
	for i := 0; i+1 < len(rope); i++ {
		p.line(rope[i][0], rope[i][1], rope[i+1][0], rope[i+1][1], 'g')
	}
	lamp := `
		.qqq.
		opppo
		pzzpo
		pzzpo
		opppo
		.qqq.
		..y..`
	for i, at := range [][2]int{{26, 23}, {34, 26}, {43, 27}, {52, 26}, {60, 23}} {
		p.dot(at[0]+2, at[1], 'g')
		p.stamp(at[0]+swing[(i+step)%4], at[1]+1, lamp)
	}
}

func streetFront() *plate {
	p := newPlate(streetInks)
	kerb := cut.downs(0, 79, 20, 81, 46, 83, 70, 81, 90, 78)
	p.fill(kerb, 'm')
	p.fill(kerb.rim(0, 1), 'v')
	p.fill(kerb.rim(0, 2).minus(kerb.rim(0, 1)), 'n')
	p.dashes('g', 12, 83, 1, 12, 84, 1, 24, 83, 1, 24, 84, 1, 36, 84, 1, 50, 84, 1, 62, 84, 1, 74, 83, 1, 74, 84, 1)
	// A lantern on the left, a pot of flowers on the right.
	p.stamp(9, 66, `
		...ggg....
		..g...g...
		..qqqqq...
		.oppppoo..
		.pzzzppo..
		ppzzzppoo.
		pzzzzppoo.
		ppzzzppoo.
		.pzzzppo..
		.oppppoo..
		..qqqqq...
		.yygggyy..
		yy.....yyy
		.yyyyyyy..`)
	p.stamp(70, 66, `
		...C..C...
		.CBCCB.C..
		CCBABCCBC.
		.BABBABBAB
		.ABAABAAB.
		..jkjjii..
		.qooooqqq.
		..ooooqq..
		..ooooqq..
		..oooqqq..
		...ooqq...
		...hhhh...`)
	// Weeds between the stones, in front of the feet.
	weed := `
		..B.
		B.A.
		ABAB
		.AA.`
	p.at(weed, 33, 72, 53, 73, 27, 79, 60, 79, 43, 81)
	p.at("B.B\n.A.", 38, 81, 50, 80, 22, 79, 66, 79)
	return p
}
