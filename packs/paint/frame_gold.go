package main

// frameGold draws a laurel between two gold mouldings, with acanthus in the corners and a ruby at
// the top.
func frameGold() *plate {
	p := newPlate(`
		a 40221c b 74401f c a96a28 d d69a37 e f5cd5f f fff3b4
		p 66102f q a81b3b r e2455a s ffb8ab`)
	p.mouldings()
	p.acanthus()
	p.reflect("fe", "feeddccb")
	p.stamp(43, 83, `
		.aa.
		aeda
		edcb
		edcb
		adca
		.aa.`)
	for _, x := range []int{0, 84} {
		p.stamp(x, 43, `
			.aaaa.
			aeeeda
			aedcba
			.aaaa.`)
	}
	p.goldCrest()
	return p
}

// mouldings draws the bar of the upper left quarter: a bright outer edge, a laurel whose leaves
// point away from the corner, and a thin inner edge.
func (p *plate) mouldings() {
	bar := []string{
		"aaaaaa",
		"eeeeff",
		"febbbf",
		"bfedbb",
		"dcbbbd",
		"aaaaaa",
	}
	for u := 9; u < 45; u++ {
		for d, line := range bar {
			c := line[u%6]
			p.dot(u, d, c)
			p.dot(d, u, c)
		}
	}
}

// acanthus draws the corner: one broad leaf on the diagonal, and two slim leaves along the bars.
func (p *plate) acanthus() {
	// The cut corner itself.
	for y := range 12 {
		for x := range 12 {
			if k := x + y; k < 7 {
				p.dot(x, y, '!')
			} else if k < 14 {
				p.dot(x, y, "aafedcb"[k-7])
			}
		}
	}
	p.leaf(6, 8, 21, 4, 5)
	p.leaf(8, 6, 4, 21, 5)
	p.leaf(3.5, 3.5, 14.6, 14.6, 9)
	for _, v := range [][2]int{{6, 3}, {8, 5}, {10, 7}} { // veins
		p.line(v[0], v[0], v[0]+1, v[1]+1, 'c')
		p.line(v[0], v[0], v[1]+1, v[0]+1, 'b')
	}
	p.line(5, 5, 13, 13, 'b')
}

// leaf draws a pointed oval between two points, dark below and lit above.
func (p *plate) leaf(x0, y0, x1, y1, thick float64) {
	s := cut.lens(x0, y0, x1, y1, thick)
	p.fill(s.grown(), 'a')
	p.fill(s, 'd')
	p.fill(s.rim(-1, -1), 'c')
	p.fill(s.rim(1, 1), 'e')
	p.fill(s.rim(1, 1).and(s.rim(2, 0)).and(s.rim(0, 2)), 'f')
}

// goldCrest draws the ruby in the middle of the top.
func (p *plate) goldCrest() {
	p.stamp(30, 0, `
		...........aaaaaaaa...........
		..aaa.....aassrrrqaa.....aaa..
		.affea..aaasffrrqqqaaa..aedca.
		affeedaaaeasfrrrqqpaeaaaeddcba
		aeedccdeeeasrrrqqqppaeeeddccba
		.aecbbccddasrrrqqppaaddccbbca.
		..aaa.aabcaaarrqqpaaacbaa.aaa.
		....aefaaacceaaqpaaecaaafea...
		....aedca.aadceaaedcaa.aedca..
		.....aaa....aadeedaa....aaa...
		..............aadaa...........`)
}
