package main

var inkOctopus = creature{
	family: family{"ink-octopus", "Ink Octopus",
		"An ink octopus writes eight letters at once and signs none of them. It has read every bottle that the sea ever " +
			"carried, and answers most, in a beautiful hand and with terrible advice."},
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
	if n == 1 {
		p.resize(0.85)
	}
	left := []float64{32, 52, 5, 22, 53, 4, 15, 48, 3.2, 15, 41, 2.6, 20, 39, 2}
	right := []float64{56, 52, 5, 67, 54, 4, 74, 49, 3.2, 74, 41, 2.6, 69, 39, 2}
	swing := 22.0
	if n == 3 {
		swing = 12
		p.acts(pose{deg: -swing, cx: 56, cy: 52, dy: -2})
		octopusQuill(p, c)
		p.acts(pose{deg: swing, cx: 32, cy: 52, dy: -2})
		octopusInk(p, c)
	}
	p.acts(pose{deg: swing, cx: 32, cy: 52, dy: -2})
	p.part(c.main, limb(left...)).dim()
	p.acts(pose{deg: -swing, cx: 56, cy: 52, dy: -2})
	p.part(c.main, limb(right...)).dim()
	p.rests()
	head := p.part(c.main, fuse(6, oval(45, 31-2*p.phase, 19-p.phase, 16.5+2*p.phase),
		oval(43, 46, 14, 11))).calmly().wet()
	octopusSpots(head, n, c)
	arms := [][]float64{
		{35, 53, 5, 25, 61, 4.4, 16, 63, 3.4, 11, 59, 2.4, 14, 56, 1.8},
		{53, 53, 5, 63, 61, 4.4, 72, 64, 3.4, 78, 60, 2.4, 75, 56, 1.8},
		{39, 55, 5, 34, 65, 4.4, 26, 71, 3.2, 20, 71, 2.2, 18, 68, 1.6},
		{50, 55, 5, 55, 65, 4.4, 63, 71, 3.2, 69, 71, 2.2, 71, 68, 1.6},
		{44, 56, 5.4, 44, 66, 4.6, 39, 72, 3.4, 34, 73, 1.8},
	}
	cups := dots(1.3, 31, 69, 26, 73, 36, 64, 57, 68, 62, 72, 43, 71, 46, 64, 38, 74, 21, 65, 16, 65, 29, 62, 67, 65, 72,
		66, 60, 62)
	for i, a := range arms {
		q := p.part(c.main, limb(a...)).soft().sway(a[0], a[1], float64(i%2*8-4))
		q.patch(c.belly, cups)
		if n == 2 {
			q.mark(c.mark, octopusRings([][3]float64{{24, 61, 2.9}, {65, 61, 2.9}, {34, 64, 3.4}, {55, 64, 3.4}, {44, 66, 3.4}}))
		}
	}
	p.part(c.main, oval(44, 51, 12, 6)).bare().matt()
	octopusFace(p, c)
	p.anchor("crest", 46, 15)
	p.anchor("tail", 76, 60)
	p.anchor("heart", 44, 44)
	p.anchor("feet", 44, 74)
}

func octopusRings(at [][3]float64) shape {
	var all []shape
	for _, r := range at {
		all = append(all, without(oval(r[0], r[1], r[2], r[2]), oval(r[0], r[1], 1.3, 1.3)))
	}
	return join(all...)
}

func octopusFace(p *pet, c coat) {
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
		head.mark(c.mark, octopusRings([][3]float64{{38, 22, 3.4}, {51, 20, 3.4}, {58, 30, 3.4}, {46, 29, 3.4},
			{31, 31, 3.4}}))
	case 3:
		head.mark(c.trim, without(oval(45, 26, 20, 4), oval(45, 23, 20, 4.4)))
	}
}

// octopusQuill draws the quill that the scrivener holds up: a plume on a bare shaft.
func octopusQuill(p *pet, c coat) {
	p.part(snow, limb(70, 38, 1, 68, 44, 1, 66, 49, 0.7)).sharp()
	gaps := join(poly(0, 60, 33, 60, 29.4, 68, 35), poly(0, 60, 25, 60, 21.4, 68, 28), poly(0, 62, 15, 66, 12, 71, 21),
		poly(0, 83, 31, 83, 27, 73, 33), poly(0, 83, 24, 83, 20.4, 75, 26))
	vane := limb(70, 39, 2, 69, 32, 5, 71, 23, 6, 74, 15, 4.6, 79, 13.6, 1.6)
	q := p.part(c.extra, without(vane, gaps)).flat(0.7).sharp()
	q.thread(snow.at(dark), 70, 40, 70, 31, 72, 22, 76, 14)
}

// octopusInk draws the scrivener's bottle of ink.
func octopusInk(p *pet, c coat) {
	pot := p.part(night, poly(1.4, 12, 27, 22, 27, 24, 38, 10, 38), poly(0.5, 14, 22, 20, 22, 20, 27, 14, 27)).wet()
	pot.mark(snow, poly(0, 12, 30, 21, 30, 21, 36, 12, 36))
	p.part(c.trim, poly(0.8, 14, 19, 20, 19, 20, 21, 14, 21))
	p.stamp(15, 31, keys(night), ".m.", "mmd", "mdd")
}
