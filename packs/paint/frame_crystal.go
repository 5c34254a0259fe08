package main

// frameCrystal draws a frame of crystal. Points stick out of both its edges, its facets are lit
// differently, and gems are in its corners.
func frameCrystal() *plate {
	p := newPlate(`
		a 221240 b 42206e c 6a36a4 d 9558d2 e c08cee f e6c6ff g ffffff
		p 0e5675 q 1d9bb6 r 68dfe0 s dcfff5`)
	p.facets()
	p.points()
	p.crystalCorner()
	p.reflect("gffeed", "gefeedfddccb")
	p.crystalCrest()
	return p
}

// facets draws the bar of the upper left quarter as leaning facets of uneven width.
func (p *plate) facets() {
	edges := []int{6, 13, 18, 27, 33, 39, 48}
	for u := 7; u < 45; u++ {
		i := 0
		for edges[i+1] <= u {
			i++
		}
		for y := 1; y <= 5; y++ {
			c := crystalFacet(u, edges[i], edges[i+1], y-2)
			if y == 1 || y == 5 {
				c = 'a'
			}
			p.dot(u, y, c)
			p.dot(y, u, c)
		}
	}
}

// crystalFacet returns the ink of the pixel at u, in row d of the facet from u0 to u1.
func crystalFacet(u, u0, u1, d int) byte {
	ridge := u0 + (u1-u0)/3
	switch {
	case u-u0 < d-1:
		return 'c'
	case u-u0 == d-1 || u == u0 && d == 0:
		return 'g'
	case u < ridge:
		return 'f'
	case u1-u <= 3-d:
		return 'b'
	case u-ridge < 2:
		return 'e'
	}
	return 'd'
}

// points draws the shards that stick out of both edges of the bar.
func (p *plate) points() {
	p.pointPair(18, 0, `
		..aa...
		aafeaaa
		.fedc..`)
	p.pointPair(32, 0, `
		..aa...
		aafeaaa
		.fedc..`)
	p.pointPair(22, 4, `
		.feedc.
		aaeecaa
		..aeba.
		...aa..`)
	p.pointPair(28, 4, `
		.edc
		aeca
		.aa.`)
}

// pointPair stamps a pixel map on the top bar and, mirrored at the diagonal, on the left bar.
func (p *plate) pointPair(x, y int, art string) {
	p.stamp(x, y, art)
	for j, line := range stampRows(art) {
		for i := range len(line) {
			p.dot(y+j, x+i, line[i])
		}
	}
}

// crystalCorner draws a cluster of crystals around a gem in the cut corner.
func (p *plate) crystalCorner() {
	for y := range 8 {
		for x := range 8 {
			p.dot(x, y, '!')
		}
	}
	p.stamp(0, 0, `
		aa.....aa.....
		afaa...afa....
		aaeea..afea.aa
		.aedeaaaafdaea
		.aadcassaaaeda
		..aaassrraaeda
		...assrrqaedca
		aaaasrrrqpadca
		afaaarrqqpaaa.
		.afeaaqqpaaca.
		..afdaapaaeca.
		.aaaaaaaadcaa.
		aeedddcaacca..
		.aaaccaa.aa...`)
}

// crystalCrest draws the gem in the middle of the top, between crystals.
func (p *plate) crystalCrest() {
	p.stamp(36, 0, `
		..a.....aa.....a..
		.aea...assa...aea.
		.aeda.asrrqa.aeda.
		aafdaasrrrqpaafdca
		feedaasrrrqpaaedcb
		dfedaaasrqpaaaddcb
		cdecaaaarpaaaadcba
		aaadceaaaaaaedcaaa
		...aadceaaaedcaa..
		.....aadcedcaa....
		.......aedca......
		........aa........`)
}
