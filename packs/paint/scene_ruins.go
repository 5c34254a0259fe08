package main

// ruinsInks are the colours of pale stone in a violet night, with one fire.
const ruinsInks = `
	a 191c3d b 232a56 c 31407a d 475d97 e 6c80ad f 9aa8c4 s e8ecf0 S fff6cc
	1 2c3056 2 3a4068 3 515a80 4 737e9c 5 9aa4b8 6 c4cacc
	m 343c5c n 454f70 o 5a6684 p 78849c q 98a2b0
	g 22353f h 30504c i 466c58 j 6a8e68
	u a8402a v e8762c w ffb848 x fff0a0 y 4a3438 z 6e4c44`

func ruinsBack() *plate {
	p := newPlate(ruinsInks)
	p.sky(62, "abcd", 0, 18, 32, 44)
	p.milkyWay()
	p.ruinsFar()
	p.ruinsArch()
	p.ruinsColumns()
	p.ruinsFloor()
	return p
}

// milkyWay draws the Milky Way from lower left to upper right, with a falling star beside it.
func (p *plate) milkyWay() {
	for _, s := range [][4]float64{{16, 40, 10, 5}, {28, 31, 10, 5.5}, {41, 23, 10, 5}, {54, 15, 10, 5}, {66, 8, 9, 5}} {
		p.beam(cut.leafy(s[0], s[1], s[2], s[3]), "abcd", "bcde")
	}
	for _, s := range [][4]float64{{20, 36, 5, 2.4}, {33, 28, 6, 2.8}, {46, 19, 5, 2.4}, {59, 11, 5, 2.4}} {
		p.beam(cut.leafy(s[0], s[1], s[2], s[3]), "abcd", "bcde")
	}
	p.at(".e.\neSe\n.e.", 13, 12, 49, 8, 78, 30, 33, 13)
	p.at("ss", 20, 20, 40, 9, 62, 24, 72, 14, 80, 18, 28, 8, 10, 26, 55, 31)
	p.at("f", 24, 15, 36, 18, 45, 14, 52, 20, 66, 30, 76, 24, 15, 31, 30, 24, 60, 8, 70, 7, 39, 33, 26, 34, 57, 14, 82, 12)
	p.at("ff", 9, 19, 43, 27, 68, 19, 31, 33, 64, 13, 17, 8)
	// The falling star.
	for i, c := range []byte("ccddeeffss") {
		p.row(67-i, 68-i, 10+i/2, c)
		if i > 5 {
			p.row(66-i, 67-i, 11+i/2, c)
		}
	}
	p.stamp(56, 14, ".s.\nsSs\n.s.")
}

// ruinsFar draws hills and a broken tower on the skyline.
func (p *plate) ruinsFar() {
	p.fill(cut.downs(0, 52, 20, 55, 40, 50, 60, 54, 90, 49), '3')
	p.stamp(22, 40, `
		3..3.......
		33.33......
		333333.....
		33w333.....
		333333.....
		333333..3..
		3333333333.
		33333333333
		33333333333
		33333333333
		33333333333`)
	s := cut.downs(0, 58, 22, 56, 44, 59, 66, 56, 90, 58)
	p.fill(s, '2')
	p.fill(s.rim(0, 1), '3')
	p.crown("123", 32, 58, 3.4, 60, 57, 3.4, 55, 58, 3)
}

// ruinsArch draws half an arch on the left, with ivy on it.
func (p *plate) ruinsArch() {
	arch := cut.rect(6, 24, 14, 64).or(cut.poly(6, 24, 7, 16, 12, 12, 20, 10, 28, 12, 30, 15, 27, 19, 22, 17, 17, 19, 15,
		24, 14, 30, 6, 30))
	p.fill(arch, '4')
	p.fill(arch.rim(1, 1), '6')
	p.fill(arch.rim(-3, -1), '3')
	p.fill(arch.rim(-1, -1), '2')
	for _, y := range []int{30, 37, 44, 51, 58} {
		p.row(6, 13, y, '3')
		p.row(7, 12, y+1, '5')
	}
	p.dashes('2', 10, 33, 1, 10, 34, 1, 9, 40, 1, 9, 41, 1, 11, 47, 1, 11, 48, 1, 9, 54, 1)
	p.line(16, 13, 18, 18, '3')
	p.line(22, 11, 22, 16, '3')
	p.line(11, 16, 15, 20, '3')
	p.box(4, 61, 17, 66, '3')
	p.row(4, 17, 61, '6')
	p.row(4, 17, 62, '4')
	ivy := `
		.j.i..
		jiij..
		.ihij.
		..ihi.
		...hj.
		..jih.
		...i..`
	p.stamp(5, 17, ivy)
	p.stamp(9, 42, ivy)
	p.flip(5, 50, ivy)
	p.stamp(24, 16, "ij.\nhi.\n.h.\n.j.")
	p.crown("ghi", 7, 64, 3)
}

// ruinsColumns draws a whole column and a broken one on the right.
func (p *plate) ruinsColumns() {
	p.column(74, 26, 64)
	p.stamp(71, 20, `
		.66666666666.
		6555555554433
		5444444443322
		.65555554432.
		..6544443322.
		...44433322..`)
	p.column(62, 46, 62)
	p.stamp(61, 43, `
		......5...
		.65..554..
		6555455443
		6544444332`)
	p.box(60, 61, 72, 63, '3')
	p.row(60, 72, 61, '5')
	p.box(71, 62, 84, 65, '3')
	p.row(71, 84, 62, '5')
	p.stamp(79, 24, "j.i\nij.\n.hi\n.i.\nj..\nih.\n.i.")
}

// column draws a fluted shaft between two rows.
func (p *plate) column(x, y0, y1 int) {
	for i, c := range []byte("56545343322"[:8]) {
		p.col(x+i, y0, y1, c)
	}
	p.row(x+1, x+6, (y0+y1)/2, '3')
	p.row(x+1, x+5, (y0+y1)/2+1, '6')
}

// ruinsFloor draws a paved court with grass between the stones.
func (p *plate) ruinsFloor() {
	s := cut.downs(0, 65, 22, 63, 45, 62, 68, 63, 90, 65)
	p.fill(s, 'n')
	p.fill(s.rim(0, 1), 'p')
	p.fill(cut.oval(45, 71, 32, 5.4), 'o')
	rows := []struct{ y, step, x int }{{66, 9, 6}, {70, 11, 2}, {75, 13, 8}, {80, 15, 3}}
	for i, r := range rows {
		p.row(0, 89, r.y, 'm')
		p.over(cut.rect(0, r.y+1, 89, r.y+1).and(cut.oval(45, 71, 30, 5)), "o", 'p')
		for x := r.x; x < plateSide; x += r.step {
			next := 84
			if i+1 < len(rows) {
				next = rows[i+1].y
			}
			p.line(x, r.y, x+(x-45)/12, next, 'm')
		}
	}
	p.fill(cut.downs(0, 77, 22, 79, 46, 82, 70, 79, 90, 77), 'm')
	p.at("j.j\nihi", 24, 64, 33, 69, 56, 65, 18, 69, 47, 73, 63, 74, 28, 74)
}

// campfire draws the fire at a step of its movement.
func (p *plate) campfire(x, y, step int) {
	p.over(cut.oval(float64(x)+6, float64(y)+12, 11, 2.6), "nop", 'z')
	flame := `
		......w......
		......v......
		.....vw......
		.....vwv..v..
		...v.vwv.vv..
		...vvvwwvvv..
		...vwvwxwwv..
		..vvwwxxxwv..
		..vwwxxxxwv..
		..uvwxxxwvu..`
	switch step {
	case 0:
		p.stamp(x, y, flame)
	case 1:
		p.flip(x, y, flame)
	default: // it burns low
		p.stamp(x, y+3, `
			.......v.....
			..v...vw.....
			..vv..vwv....
			..vwvvwwvv...
			..vwwwxxwv...
			..vwwxxxwv...
			..uvwxxxwvu..`)
	}
	p.stamp(x, y+10, `
		.zzuvwwwvuzz.
		yyzzzuuuzzzyy
		.yyyyzzzyyyy.`)
}

func ruinsFront() *plate {
	p := newPlate(ruinsInks)
	s := cut.downs(0, 78, 14, 79, 30, 82, 46, 83, 62, 82, 76, 79, 90, 78)
	p.fill(s, 'g')
	p.fill(s.rim(0, 2), 'h')
	// A fallen part of a column on the left, blocks on the right.
	p.stamp(6, 69, `
		...666666.....
		..65555554....
		.6544445543...
		6544334454333.
		65433334543322
		65433334543322
		65444344543322
		.654444543322.
		..6555544322..
		...44443322...`)
	p.stamp(71, 72, `
		...6666666..
		..66555544..
		.6666666443.
		.5555554333.
		.5444443322.
		.5444433322.
		.4443333222.`)
	grass := `
		..j....j.
		j.i.j..i.
		i.ijij.ij
		.hiihiiih
		.hhihhihh
		.ghhghhgh`
	p.at(grass, 4, 78, 15, 78, 25, 79, 34, 80, 44, 80, 53, 80, 62, 79, 72, 79, 78, 78)
	p.stamp(34, 72, "..j.\nj.i.\n.ij.\n.hi.")
	p.stamp(53, 73, ".j..\n.ij.\n.hi.")
	p.at(".s.\nsis\n.h.\n.h.", 22, 75, 66, 76)
	p.at("s\nh", 31, 79, 58, 79)
	return p
}
