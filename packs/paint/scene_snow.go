package main

// snowInks are the colours of a clear cold morning: blue shadows, and a little cream.
const snowInks = `
	a 93b6d4 b adcae0 c c9deea d e3eef0
	1 cfdeea 2 b7cbdf 3 edf2f2 4 c6d7e8 5 a5bcd8 6 8499ba 7 6b7d9f
	g 2e4a5b h 426570 i 638a8b w f5f8f7 v e4edf3 u c8d9e8 t a9c0da s 89a4c6
	k 4d3b40 l 6d5149 m 8f6f58 n b5946f y ffdc7e z fff6c8 o 9fb3cc`

func snowBack() *plate {
	p := newPlate(snowInks)
	p.sky(60, "abcd", 0, 13, 26, 38)
	far := cut.land(0, 38, 8, 34, 14, 37, 24, 30, 31, 35, 38, 33, 46, 39, 56, 32, 66, 37, 78, 31, 90, 36)
	p.fill(far, '2')
	p.fill(far.rim(1, 2), '1')
	p.snowPeaks()
	p.snowSlopes()
	p.cabin(7, 43)
	p.snowPines()
	return p
}

// snowPeaks draws two summits, lit from the left, their right sides in shade.
func (p *plate) snowPeaks() {
	big := cut.land(34, 58, 40, 50, 46, 41, 50, 37, 53, 31, 57, 26, 60, 20, 63, 15, 66, 19, 69, 26, 73, 29, 77, 36, 82,
		40, 90, 50)
	p.fill(big, '3')
	shade := cut.poly(63, 15, 64, 21, 62, 25, 65, 30, 63, 36, 67, 41, 64, 46, 69, 52, 67, 60, 90, 60, 90, 50, 82, 40, 77,
		36, 73, 29, 69, 26, 66, 19)
	p.fill(shade.and(big), '4')
	p.fill(cut.poly(66, 19, 69, 26, 73, 29, 77, 36, 82, 40, 90, 50, 90, 60, 80, 60, 77, 50, 73, 44, 74, 38, 70, 33, 68,
		27).and(big), '5')
	p.fill(cut.poly(53, 31, 57, 34, 55, 39, 59, 44, 56, 50, 46, 58, 38, 58, 48, 47, 50, 40).and(big), '4')
	for _, rock := range []stencil{
		cut.poly(58, 26, 61, 27, 60, 33, 58, 36, 57, 31), cut.poly(52, 36, 54, 41, 51, 46, 50, 42),
		cut.poly(68, 31, 71, 37, 69, 43, 67, 37), cut.poly(75, 40, 79, 46, 77, 51, 74, 46), cut.poly(63, 44, 65, 50, 61, 53,
			60, 49),
	} {
		p.fill(rock, '6')
		p.fill(rock.rim(-1, 0), '7')
	}
	left := cut.land(0, 38, 6, 33, 11, 29, 15, 24, 19, 29, 23, 31, 28, 39, 34, 45, 40, 52, 46, 58)
	p.fill(left, '3')
	p.fill(cut.poly(15, 24, 15, 30, 18, 34, 15, 40, 20, 45, 18, 58, 46, 58, 40, 52, 34, 45, 28, 39, 23, 31, 19,
		29).and(left), '4')
	p.fill(cut.poly(24, 36, 28, 39, 34, 45, 40, 52, 34, 56, 29, 50, 26, 44).and(left), '5')
	p.fill(cut.poly(10, 33, 12, 33, 11, 39, 9, 42, 8, 37), '6')
	p.fill(cut.poly(20, 36, 22, 39, 21, 45, 19, 41), '6')
}

// snowSlopes draws the drifts from the foot of the peaks to the front.
func (p *plate) snowSlopes() {
	back := cut.downs(0, 55, 16, 57, 34, 54, 52, 58, 70, 54, 90, 56)
	p.fill(back, 'u')
	p.fill(back.rim(0, 2), 'v')
	mid := cut.downs(0, 60, 14, 59, 36, 63, 58, 61, 76, 58, 90, 60)
	p.fill(mid, 'v')
	p.fill(mid.rim(0, 1), 'w')
	p.fill(cut.oval(45, 72, 32, 6), 'w')
	p.dashes('u', 6, 64, 9, 20, 66, 6, 62, 64, 9, 76, 67, 7, 10, 71, 7, 70, 73, 8, 30, 75, 9, 52, 77, 10, 16, 77, 6)
	p.dashes('t', 8, 65, 5, 64, 65, 5, 72, 74, 5, 54, 78, 6)
	p.fill(cut.downs(0, 77, 20, 80, 46, 82, 70, 80, 90, 76), 'u')
	// Footprints lead from the cabin door to where the pet stands.
	p.at("st", 20, 60, 23, 62, 25, 64, 28, 66, 30, 69, 33, 71)
}

// cabin draws a lit house, with smoke above its chimney.
func (p *plate) cabin(x, y int) {
	p.stamp(x, y-16, `
		............o.
		...........oo.
		...........o..
		..........oo..
		..........oo..
		.........oo...
		.........o....
		.........oo...
		..........o...`)
	p.stamp(x, y-7, `
		.........ww......
		.........lk......
		......w..lk......
		....wwwww.lk.....
		...wwwwwwwlk.....
		..wwwwvvwwwww....
		.wwwwvvvvvwwwww..
		wwwvvvuuuuvvvwww.
		wvvuuttttttuuvvvt
		.tkkkkkkkkkkkkkt.
		..lnnnnnmmmmmlk..
		..lmyymmmlkklmk..
		..lnzymnmkkkkmk..
		..lmyymmmkllkmk..
		..lnnnnnmkllkmk..
		..lmmmmmmkllklk..
		..lnnnmmmkllkmk..
		wvuvvvuuukllkuuvw
		..wwwvvvvvwwwvv..`)
}

// snowPines draws pines on both sides, with snow on their boughs.
func (p *plate) snowPines() {
	for _, t := range [][3]int{{26, 46, 12}, {66, 43, 14}, {59, 50, 8}} {
		p.fir(t[0], t[1], t[2], "hhi")
		p.snowed(t[0], t[1], t[2])
	}
	p.fir(82, 30, 30, "ghi")
	p.snowed(82, 30, 30)
	p.fir(73, 38, 23, "ghi")
	p.snowed(73, 38, 23)
	p.dashes('t', 68, 61, 12, 77, 60, 9, 22, 58, 8, 63, 57, 7)
}

// snowed draws snow on the upper side of each tier of a fir.
func (p *plate) snowed(x, y, h int) {
	tier := 3
	if h > 10 {
		tier = 4
	}
	p.col(x, y, y+1, 'w')
	for j := tier; j < h; j += tier {
		w := j/tier + 1
		p.row(x-w, x-w+w/2+1, y+j+1, 'w')
		p.row(x-w-1, x-w, y+j+2, 'v')
		p.row(x+1, x+w-1, y+j+1, 'u')
	}
}

func snowFront() *plate {
	p := newPlate(snowInks)
	drift := cut.downs(0, 73, 8, 73, 18, 75, 32, 76, 58, 76, 72, 75, 82, 73, 90, 73)
	p.fill(drift, 'v')
	p.fill(drift.rim(0, 3), 'w')
	p.fill(drift.move(0, 5), 'u')
	p.fill(drift.move(0, 5).rim(0, 1), 'v')
	p.dashes('t', 6, 82, 8, 26, 84, 9, 50, 84, 12, 74, 81, 7)
	p.dashes('w', 14, 79, 7, 66, 80, 6, 40, 83, 6)
	// A bare bush on the left, dry grass on the right.
	p.stamp(7, 66, `
		..w....w.
		..l.w..l.
		w.l.l.kl.
		.klkl.l..
		..lkkkk..
		...llk...
		...kk....
		..wwww...`)
	p.stamp(74, 69, `
		n...n..n
		.n..n.n.
		.m.nm.m.
		..mmmmm.
		..wmmww.
		.wwwwww.`)
	// Two small heaps of snow in front.
	p.stamp(29, 79, `
		...www....
		.wwwwww...
		wwwvvvvv..
		vvvuuuuvvv`)
	p.stamp(52, 80, `
		....www...
		..wwwwwww.
		.wvvvvvvvv
		vvuuuuuuvv`)
	return p
}
