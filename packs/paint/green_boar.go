package main

var mossBoar = creature{
	family: family{"moss-boar", "Moss Boar",
		"A moss boar lies so still between two rains that its back begins to grow. It grumbles at every visitor and then " +
			"turns over a stone for them, because under it is usually something good."},
	draw: drawBoar,
	looks: [3]look{
		{"Clover Shoat",
			coat{main: bark, belly: fawn, mark: cream, trim: rose, extra: leaf, eye: russet},
			coat{main: rose, belly: pearl, mark: cream, trim: coral, extra: mint, eye: berry}},
		{"Lichen Boar",
			coat{main: slate, belly: stone, mark: foam, trim: coral, extra: moss, eye: tide},
			coat{main: cream, belly: snow, mark: sun, trim: rose, extra: honey, eye: ember}},
		{"Heather Tusker",
			coat{main: russet, belly: fawn, mark: rose, trim: rose, extra: plum, eye: sun},
			coat{main: night, belly: lilac, mark: sun, trim: rose, extra: foam, eye: gold}},
	},
}

func drawBoar(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.resize(0.82)
	case 3:
		boarHeath(p, c)
	}
	p.part(c.main, limb(72, 48, 2, 77, 46, 1.6, 78, 52, 1.4)).sharp()
	p.part(c.main, oval(78, 55, 2.6, 3.6))
	for _, x := range []float64{40, 61} {
		p.part(c.main, limb(x, 63, 4.4, x-1, 72, 3.2)).dim().mark(ink, oval(x-1, 76, 8, 4))
	}
	body := p.part(c.main, fuse(6, oval(59, 55, 16.5, 14), oval(46, 50, 16.5, 17)))
	body.mark(c.belly, oval(52, 71, 20, 6))
	switch n {
	case 1:
		body.patch(c.mark, clip(bands(56, 50, -4, 8, 2.4), oval(60, 50, 14, 13)))
	case 2:
		body.patch(c.mark, wavy(oval(66, 57, 3.4, 2.6), 0.6, 5), oval(61, 62, 1.6, 1.4), oval(71, 52, 1.6, 1.6),
			oval(56, 60, 2, 1.6))
	}
	if n > 1 {
		boarMoss(p, n, c)
	}
	for _, x := range []float64{49, 66} {
		leg := p.part(c.main, fuse(2, limb(x, 61, 6, x-1, 67, 4, x-1.5, 72, 3.2), oval(x-2, 72.4, 4.2, 2))).soft()
		leg.mark(ink, oval(x-1, 75.4, 8, 4))
		leg.crease(edge, x-2, 72, x-2, 76)
	}
	p.acts(pose{deg: 10, cx: 40, cy: 54})
	if n == 1 {
		boarYoungHead(p, c)
	} else {
		boarHead(p, n, c)
	}
	p.rests()
	p.anchor("crest", 34, 30)
	p.anchor("tail", 78, 55)
	p.anchor("heart", 50, 62)
	p.anchor("feet", 52, 74)
}

// boarYoungHead draws a round head with a short snout, and clover on it.
func boarYoungHead(p *pet, c coat) {
	p.part(c.main, leafAt(24, 42, 19, 28, 9, 1)).dim()
	head := p.part(c.main, fuse(5, oval(32, 46, 14, 13), oval(26, 54, 11, 8))).throw(3).calmly()
	head.patch(c.belly, oval(27, 62, 13, 6))
	boarEar(p, c)
	snout := p.part(c.main, fuse(2, oval(20, 53, 8, 7.5), oval(16, 53, 6, 7))).calmly().soft()
	snout.crease(dark, 21, 46, 23, 48, 23, 51)
	snout.crease(dark, 25, 48, 26, 51)
	p.part(c.trim, oval(14.6, 53, 4.4, 6.2)).calmly()
	p.stamp(12, 51, keys(c.trim), "o..o", "o..o", "o..o")
	p.part(c.extra, limb(35, 34, 1.4, 35, 26, 1.2)).sharp()
	p.part(c.extra, oval(35, 16, 3.4, 3.4), oval(39.5, 17, 3.4, 3.4), leafAt(38, 13, 34.5, 26, 9, 0)).dim().flat(0.7)
	p.part(c.extra, oval(28, 20, 4, 3.6), oval(28.5, 25, 4, 3.4), leafAt(26, 22, 36, 26, 8, 0)).flat(0.7).crease(light,
		28, 22, 35, 25)
	p.part(c.extra, oval(43, 21, 4, 3.6), oval(42, 26, 4, 3.4), leafAt(45, 24, 34, 26, 8, 0)).flat(0.7).crease(light, 42,
		23, 36, 26)
	p.eye(21, 41, eyeTallFar, c.eye)
	p.eye(32, 41, eyeTall, c.eye)
	p.stamp(21, 38, keys(c.main), "oo..", "..oo")
	p.stamp(32, 37, keys(c.main), "...oo", "oo.oo")
	p.stamp(36, 50, keys(c.trim), "ll.", ".ll")
}

// boarHead draws a head with a long snout. Its tusk rises in front of the forehead.
func boarHead(p *pet, n int, c coat) {
	p.part(c.main, leafAt(28, 40, 23, 26, 9, 1)).dim()
	head := p.part(c.main, fuse(5, oval(35, 46, 12.5, 13), oval(29, 53, 10, 8.4), limb(26, 53, 8, 19, 54, 6.6, 16.6, 54.4,
		6.2))).throw(3).calmly()
	head.patch(c.belly, oval(29, 62.6, 13, 5))
	boarEar(p, c)
	head.crease(dark, 25, 47, 27, 49, 27, 52).crease(dark, 22, 48, 23, 50, 23, 52)
	p.part(c.trim, oval(14.4, 54.4, 3.8, 6.4)).calmly().throw(0)
	p.stamp(12, 53, keys(c.trim), "o.o", "o.o", "o.o")
	head.crease(edge, 17, 60.6, 22, 59.6, 27, 60, 32, 57.6)
	tusk := [][]float64{{26, 60.4, 2.2, 21.4, 63, 2.1, 16.6, 63.4, 1.6, 13, 61.6, 0.8},
		{28, 60.4, 2.6, 22.4, 64.6, 2.5, 15.6, 66, 2.1, 10.6, 63.4, 1.5, 9.4, 58.6, 0.8}}[n-2]
	p.part(cream, limb(tusk...)).sharp().bright()
	p.stamp(24, 40, keys(c.eye, c.main), "KK...", ".KKK.", "KWKKK", "KWKmK", ".KmK.")
	p.stamp(34, 40, keys(c.eye, c.main), "....KK", "..KKK.", "KKKWWK", "KWKmWK", "KWKmK.", ".KKK..")
	head.crease(dark, 30, 40, 31, 43)
	head.crease(dark, 33, 39, 32, 42)
	p.stamp(38, 50, keys(c.trim), "ll.", ".ll")
}

func boarEar(p *pet, c coat) {
	ear := p.part(c.main, leafAt(38, 42, 50, 27, 13, -2)).throw(2).flick(40, 40, 9)
	ear.mark(c.trim, leafAt(40, 40, 48, 30, 6, -1))
}

// boarMoss draws the moss on a grown boar's back, and what grows in the moss.
func boarMoss(p *pet, n int, c coat) {
	mantle := p.part(c.extra, fuse(3, limb(40, 36, 6, 52, 34, 7, 64, 38, 7, 72, 47, 5)),
		leafAt(40, 36, 36, 50, 9, 0), leafAt(46, 36, 44, 53, 9, 0), leafAt(53, 36, 53, 54, 10, 0),
		leafAt(60, 38, 61, 52, 9, 0), leafAt(67, 41, 69, 54, 9, 0), leafAt(72, 46, 74, 56, 6, 0)).flat(0.9)
	for _, x := range []float64{42, 50, 58, 66} {
		mantle.crease(dark, x, 36+(x-42)*0.2, x-1, 44+(x-42)*0.2)
	}
	mantle.tint(1, dots(1.6, 44, 40, 52, 38, 60, 42, 68, 47), dots(1.1, 48, 46, 56, 47, 64, 49, 40, 45))
	if n == 3 {
		mantle.patch(c.mark, dots(1.5, 42, 44, 49, 42, 57, 46, 65, 45, 53, 50, 61, 50, 71, 51),
			dots(1, 46, 48, 54, 40, 62, 41, 68, 51))
	}
	if n == 2 {
		for _, at := range [][3]float64{{47, 27, 4}, {55, 24, 5}, {64, 30, 4}} {
			p.part(cream, limb(at[0], 34, 1.6, at[0], at[1], 1.3)).sharp()
			p.part(c.mark, clip(oval(at[0], at[1]+1, at[2], at[2]), below(at[0], at[1]+1.6, 180)))
		}
	}
}

// boarHeath draws spikes of heather behind the tusker's back.
func boarHeath(p *pet, c coat) {
	for i, at := range [][4]float64{{44, 36, 39, 17}, {50, 36, 49, 11}, {57, 37, 60, 12}, {64, 39, 70, 18},
		{70, 44, 78, 28}} {
		x0, y0, x1, y1 := at[0], at[1], at[2], at[3]
		first := len(p.parts)
		p.part(c.extra, leafAt(x0, y0+4, x1, y1, 9, 0)).flat(0.8)
		for k := range 6 {
			t := 0.2 + float64(k)*0.16
			r := 3.4 - 0.4*float64(k)
			side := float64((k+i)%2)*3 - 1.5
			q := p.part(c.mark, oval(x0+(x1-x0)*t+side, y0+(y1-y0)*t, r, r*0.9)).throw(1).soft()
			if k > 3 {
				q.bright()
			}
		}
		p.swayFrom(first, x0, y0, 4)
	}
}
