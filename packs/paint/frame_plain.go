package main

// frameWood draws four worn planks, nailed where they meet.
func frameWood() *plate {
	p := newPlate(`
		a 2e282b b 4a413f c 645951 d 7b6f63 e 958a78 f b3a992
		m 4b5a38 n 78904e k 5c3326 i a8633f`)
	p.bevel("afedcb", "acddcb", "abcdca")
	p.woodGrain()
	// A seam on each corner, where the planks meet.
	p.quarters(1, 1, `
		.........
		.........
		.........
		.........
		......b..
		.....bk..
		....bki..
		.........`, "", "")
	p.woodWear()
	return p
}

// woodGrain draws long grain lines and knots.
func (p *plate) woodGrain() {
	for _, g := range [][3]int{ // from, to, depth; reversed on the left and at the bottom
		{11, 19, 3}, {22, 34, 2}, {29, 38, 3}, {43, 52, 3}, {49, 57, 2}, {60, 66, 3}, {64, 75, 2}, {72, 79, 3},
	} {
		for u := g[0]; u <= g[1]; u++ {
			v := 89 - u
			p.dot(u, 1+g[2], 'd')
			p.dot(1+g[2], v, 'd')
			p.dot(88-g[2], u, 'b')
			p.dot(v, 88-g[2], 'b')
		}
	}
	knot := `
		.ddd.
		dbbcd
		.ddd.`
	p.at(knot, 36, 2)
	p.stamp(2, 62, "dcd\ndbd\ndbd\ndcd\n.d.")
	p.stamp(85, 30, ".b.\nbab\nbcb\nbab\n.b.")
	p.at(`
		.bbb.
		bcaab
		.bbb.`, 58, 85)
}

// woodWear draws chips and splits in the planks, moss, and the nails.
func (p *plate) woodWear() {
	// Chips: the outline steps in.
	p.stamp(23, 1, "!!!!\naccb")
	p.stamp(68, 1, "!!\naa")
	p.stamp(1, 38, "!a\n!b\n!c\n!a")
	p.stamp(87, 55, "a!\nb!\na!")
	p.stamp(30, 87, "abca\n!!!!")
	// Splits.
	p.stamp(52, 2, "..bb\nbb..")
	p.stamp(84, 66, ".a\n.a\na.\na.")
	// Moss in the lower left.
	p.stamp(2, 72, `
		.n..
		nm..
		nmn.
		mmm.
		.mmn
		..nm`)
	p.stamp(13, 83, `
		..nn.n..
		nmnmnmn.
		.mm.mmmn`)
	nail := `
		ki
		ak`
	p.at(nail, 11, 3, 77, 3, 11, 85, 77, 85, 3, 12, 85, 12, 3, 76, 85, 76)
}

// frameCopper draws a round bar with riveted corner plates and verdigris.
func frameCopper() *plate {
	p := newPlate(`
		a 4a1c22 b 8c3426 c c4502c d ec7a3c e ffa964 f ffdcae
		u 2c8f86 v 6fd3ba`)
	p.bevel("aefdcb", "acddcb", "abcdea")
	corner := `
		.......aaaaaaaa
		......aeeffeeda
		.....aefdddddca
		....aefddddddca
		...aefdddaaddca
		..aefddbbbbaaaa
		.aefddbbb......
		aefdddbb.......
		aedddab........
		afddda.........
		afddda.........
		aeddda.........
		aeddaa.........
		adccaa.........
		aaaaa..........`
	p.quarters(0, 0, corner, "fe", "fded")
	rivet := `
		.ab.
		afdb
		adcb
		.bb.`
	rivetDim := `
		.ab.
		aecb
		accb
		.bb.`
	p.at(rivet, 10, 2, 76, 2, 2, 10, 84, 10, 27, 2, 43, 2, 59, 2, 2, 27, 2, 43, 2, 59)
	p.at(rivetDim, 2, 76, 84, 76, 10, 84, 76, 84, 27, 84, 43, 84, 59, 84, 84, 27, 84, 43, 84, 59)
	// Verdigris under the plates and in the seams.
	p.stamp(16, 4, "uv..\n.uu.")
	p.stamp(70, 5, ".uuv")
	p.stamp(4, 16, "vu\nu.\nu.")
	p.stamp(83, 69, ".u\nuv\nuu\n.u")
	p.stamp(15, 83, "u...\nvuu.\n.vvu")
	p.stamp(83, 17, "u.\nvu\nu.")
	p.stamp(68, 83, "..uu\n.uv.")
	return p
}
