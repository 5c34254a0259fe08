package main

// frameSilver draws a silver channel filled with blue enamel.
func frameSilver() *plate {
	p := newPlate(`
		a 232a45 b 4b5878 c 7b8ba8 d a9b9cd e d3deea f f8fcff
		p 1d3a7a q 2c5cb0 r 4a8adf s 93c8f7`)
	p.bevel("aeqpca", "adqpca", "acpqda")
	p.enamel()
	corner := `
		.......aaaaaaa..
		......affeeeeaa.
		.....afeddddddca
		....afedcccccdca
		...afedcaaaacdca
		..afedcarrqaacaa
		.afedcarsrqa.a..
		.afdcarsrqpa....
		.aedcarrqpa.....
		.aedcaqqpa......
		.aedcaaaa.......
		.aeddcca........
		.aacddca........
		..aaccaa........
		...aaaa.........`
	p.quarters(0, 0, corner, "fe", "fdedscrq")
	p.lozenges()
	return p
}

// lozenges draws a lozenge of enamel in the middle of each side.
func (p *plate) lozenges() {
	p.stamp(40, 0, `
		....aa....
		..aaffaa..
		aaffssddaa
		afesrrqqca
		afdrrqqpca
		aaddqqppaa
		..aaccaa..
		....aa....`)
	p.stamp(40, 82, `
		....aa....
		..aaddaa..
		aaddrrccaa
		aecrqqqpca
		aecqqqppba
		aaccppbbaa
		..aabbaa..
		....aa....`)
	for _, x := range []int{0, 82} {
		p.stamp(x, 40, `
			..aaa...
			..afea..
			.afssca.
			.aesrca.
			afsrrqca
			aesrrqca
			aesrqqca
			aedrqqba
			.adqqpa.
			.acqpba.
			..acba..
			..aaa...`)
	}
}

// enamel draws short bright lines on the blue, at uneven distances.
func (p *plate) enamel() {
	for _, g := range [][2]int{{18, 24}, {27, 28}, {33, 36}, {54, 60}, {63, 64}, {70, 72}} {
		for u := g[0]; u <= g[1]; u++ {
			p.dot(u, 3, 'r')
			p.dot(3, u, 'r')
			p.dot(u, 85, 'r')
			p.dot(85, u, 'r')
		}
		p.dot(g[0]+1, 3, 's')
		p.dot(3, g[0]+1, 's')
	}
}
