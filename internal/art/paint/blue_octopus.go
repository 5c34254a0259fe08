package main

var inkOctopus = creature{
	family: family{"ink-octopus", "Ink Octopus",
		"An ink octopus writes eight letters at once and signs none of them. It has read every bottle that the sea ever carried, and answers most, in a beautiful hand and with terrible advice."},
	draw: drawOctopus,
	looks: [3]look{
		{"Blot",
			coat{main: plum, belly: rose, mark: night, trim: coral, extra: ink, eye: plum},
			coat{main: mint, belly: cream, mark: leaf, trim: coral, extra: ink, eye: leaf}},
		{"Ringlet Octopus",
			coat{main: honey, belly: cream, mark: deep, trim: coral, extra: ink, eye: brook},
			coat{main: snow, belly: frost, mark: berry, trim: rose, extra: gold, eye: berry}},
		{"Grand Scrivener",
			coat{main: deep, belly: lilac, mark: ink, trim: gold, extra: snow, eye: gold},
			coat{main: ember, belly: cream, mark: ink, trim: gold, extra: frost, eye: honey}},
	},
}

func drawOctopus(p *pet, n int, c coat) {
	back := []shape{
		limb(32, 54, 5, 22, 58, 4, 14, 54, 3, 13, 47, 2.4, 18, 45, 1.8),
		limb(56, 54, 5, 66, 58, 4, 74, 54, 3, 76, 47, 2.4, 71, 45, 1.8),
	}
	for _, s := range back {
		p.part(c.main, s).dim()
	}
	if n == 3 {
		octopusQuill(p, c)
	}
	head := p.part(c.main, fuse(6, oval(45, 32, 19, 17), oval(43, 47, 14, 11))).calmly().wet()
	octopusSpots(head, n, c)
	arms := [][]float64{
		{34, 54, 5.4, 26, 64, 4.6, 17, 67, 3.6, 12, 63, 2.6, 15, 60, 1.8},
		{54, 54, 5.4, 62, 64, 4.6, 71, 68, 3.6, 77, 64, 2.6, 75, 60, 1.8},
		{38, 56, 5.4, 34, 66, 4.8, 27, 72, 3.4, 22, 72, 2},
		{50, 56, 5.4, 55, 66, 4.8, 62, 72, 3.4, 67, 71, 2},
		{44, 56, 5.6, 43, 67, 5, 47, 72, 3.6, 52, 70.5, 2.2},
	}
	for i, a := range arms {
		q := p.part(c.main, limb(a...)).soft()
		if i >= 2 {
			q.mark(c.belly, dots(1.2, 31, 68, 27, 72, 36, 62, 57, 67, 62, 71, 46, 70, 43, 64))
		} else {
			q.mark(c.belly, dots(1.2, 21, 67, 15, 65, 68, 67, 74, 66, 28, 63, 60, 63))
		}
		if n == 2 {
			q.mark(c.mark, clip(bands(44, 60, 90, 9, 2), below(44, 58, 0)))
		}
	}
	p.part(c.main, oval(44, 52, 12, 6)).bare().matt()
	octopusFace(p, n, c)
	p.anchor("crest", 46, 16)
	p.anchor("tail", 75, 62)
	p.anchor("heart", 44, 44)
	p.anchor("feet", 44, 74)
}

func octopusFace(p *pet, n int, c coat) {
	p.stamp(31, 38, keys(c.eye, c.main), "OOO....", "OLLOOO.", "KKKKKKK", "KWWKmWK", "KWWKmWK", ".KWWWK.", "..KKK..")
	p.stamp(46, 38, keys(c.eye, c.main), "....OOO", ".OOOLLO", "KKKKKKK", "KWWKmWK", "KWWKmWK", ".KWWWK.", "..KKK..")
	p.stamp(38, 48, keys(c.main, c.trim), "o.......", ".oo...oo", "...ooo..")
	p.stamp(30, 47, keys(c.trim), "mm.", ".mm")
	p.stamp(51, 47, keys(c.trim), ".mm", "mm.")
}

func octopusSpots(head *part, n int, c coat) {
	switch n {
	case 1:
		head.tint(1, oval(36, 22, 3, 2), dots(1, 53, 24, 57, 30))
	case 2:
		for _, r := range [][3]float64{{38, 22, 3.4}, {51, 20, 3}, {58, 30, 3.2}, {46, 29, 2.6}, {31, 31, 2.6}} {
			head.mark(c.mark, without(oval(r[0], r[1], r[2], r[2]), oval(r[0], r[1], r[2]-1.5, r[2]-1.5)))
		}
	case 3:
		head.mark(c.trim, without(oval(45, 26, 20, 4), oval(45, 23, 20, 4.4)))
	}
}

// octopusQuill is the feather behind its head.
func octopusQuill(p *pet, c coat) {
	q := p.part(c.extra, leafAt(60, 44, 76, 14, 12, 3)).flat(0.7)
	q.crease(dark, 62, 42, 70, 28, 75, 17)
}
