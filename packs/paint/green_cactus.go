package main

var cactusPup = creature{
	family: family{"cactus-pup", "Cactus Pup",
		"A cactus pup wants nothing more than to be hugged, and has thought hard about how. It drinks once a month, with " +
			"both ears, and lays its spines flat for anyone who asks it kindly."},
	draw: drawCactus,
	looks: [3]look{
		{"Pincushion Pup",
			coat{main: mint, belly: cream, mark: tide, trim: coral, extra: coral, eye: tide},
			coat{main: rose, belly: pearl, mark: berry, trim: coral, extra: sun, eye: berry}},
		{"Prickly-Pear Pup",
			coat{main: lilac, belly: pearl, mark: plum, trim: rose, extra: sun, eye: plum},
			coat{main: foam, belly: snow, mark: brook, trim: coral, extra: coral, eye: deep}},
		{"Saguaro Hound",
			coat{main: leaf, belly: lime, mark: moss, trim: coral, extra: berry, eye: russet},
			coat{main: gold, belly: cream, mark: russet, trim: coral, extra: brook, eye: deep}},
	},
}

func drawCactus(p *pet, n int, c coat) {
	p.resize([]float64{0.86, 0.93, 1}[n-1])
	for _, t := range [][4]float64{{57, 30, 62, 25}, {27, 29, 22, 24}, {59, 40, 65, 40}, {25, 41, 19, 42},
		{58, 52, 64, 49}, {61, 58, 67, 56}, {33, 55, 28, 54}, {72, 60, 77, 57}, {70, 65, 76, 66}} {
		p.part(cream, leafAt(t[0]-(t[2]-t[0])*0.4, t[1]-(t[3]-t[1])*0.4, t[2], t[3], 3.4, 0)).sharp()
	}
	p.part(c.main, limb(60, 66, 4, 67, 65, 4.4, 71, 59, 4)).crease(dark, 66, 68, 70, 63, 72, 58)
	if n == 3 {
		arm := p.part(c.main, fuse(2, limb(56, 57, 5, 69, 55, 5, 73.5, 50, 4.6, 74, 41, 4.4)))
		arm.crease(dark, 62, 58, 71, 55, 75, 50, 75, 41)
		arm.crease(light, 62, 54, 69, 53, 72, 49, 72, 41)
		cactusBloom(p, c.extra, 74, 37, 0.8)
		p.part(c.main, limb(34, 62, 4.4, 24, 63, 4.2, 18, 59, 4, 17, 53, 4)).dim().crease(edge, 32, 63, 24, 63, 18, 59, 17,
			52)
		cactusBloom(p, c.extra, 17, 50, 0.6)
	}
	body := p.part(c.main, fuse(5, oval(47, 60, 13.5, 13), oval(43, 52, 11, 9)))
	body.patch(c.belly, oval(40.5, 59, 7, 10))
	for _, l := range [][]float64{{51, 48, 54, 56, 53, 66}, {55, 50, 59, 57, 59, 66}} {
		body.crease(dark, l...)
	}
	thigh := p.part(c.main, fuse(3, oval(56.5, 66, 8, 7), oval(53, 71.5, 7, 3))).soft()
	thigh.crease(dark, 58, 60, 60, 66, 58, 72)
	p.part(c.main, limb(36.5, 59, 4, 35.5, 70, 3.6), oval(34.5, 71.6, 4.8, 2.8)).dim()
	fore := p.part(c.main, fuse(2, limb(45.5, 60, 4.4, 44.5, 70, 4), oval(43, 71.6, 5.2, 2.8))).soft()
	fore.crease(edge, 41, 72, 41, 75)
	fore.crease(edge, 44, 72, 44, 75)
	p.acts(pose{deg: -8, cx: 44, cy: 52})
	cactusEars(p, n, c)
	head := p.part(c.main, fuse(4, oval(42, 36, 16.5, 13), oval(40, 41, 16, 9))).throw(3).calmly().flat(0.65)
	for _, l := range [][]float64{{41, 23, 40, 29}, {35, 24, 33, 30}, {48, 24, 50, 30}, {54, 29, 57, 36, 55, 44}} {
		head.crease(dark, l...)
	}
	p.part(c.belly, fuse(2, oval(33, 42.5, 7.5, 5.6), oval(39, 43, 7.5, 5.4))).bare().calmly().matt().flat(0.3)
	cactusFace(p, n, c)
	p.rests()
	p.anchor("crest", 42, 20)
	p.anchor("tail", 71, 57)
	p.anchor("heart", 44, 64)
	p.anchor("feet", 46, 74)
}

func cactusFace(p *pet, n int, c coat) {
	if n == 2 {
		p.stamp(26, 35, keys(c.main), ".KK.", "K..K", "K..K")
		p.stamp(43, 35, keys(c.main), ".KKK.", "K...K", "K...K")
	} else {
		p.eye(26, 33, eyeTallFar, c.eye)
		p.eye(43, 33, eyeTall, c.eye)
	}
	p.stamp(32, 37, keys(ink, c.belly, c.trim),
		".oooo...",
		"olddoo..",
		".oooo...",
		"...O....",
		"O..O...O",
		".OOOOOO.",
		"..232O..",
		"..232...",
		"...2....")
	p.stamp(49, 41, keys(c.trim), "ll.", ".ll")
	spine := legend{'s': cream.at(shine)}
	for _, at := range [][2]int{{39, 25}, {33, 27}, {49, 27}, {55, 33}, {53, 55}, {58, 60}, {60, 67}, {53, 63}, {44, 55}} {
		p.stamp(at[0], at[1], spine, "s.s", ".s.")
	}
}

func cactusEars(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.part(c.main, ovalAt(25, 32, 4.6, 9, 25)).dim()
		p.part(c.main, ovalAt(59, 33, 5.4, 9.6, -25)).throw(2).mark(c.mark, ovalAt(60, 35, 2.6, 6, -25)).flick(56, 26, -10)
		cactusBloom(p, c.extra, 42, 22, 1)
	case 2:
		for _, e := range [][5]float64{{31, 19, 6.4, 9, -15}, {54, 19, 7.2, 9.4, 18}} {
			ear := p.part(c.main, ovalAt(e[0], e[1], e[2], e[3], e[4]))
			ear.mark(c.mark, dots(0.9, e[0]-2, e[1]-4, e[0]+2, e[1]-3, e[0]-1, e[1], e[0]+2, e[1]+3, e[0]-3, e[1]+3))
		}
		p.part(c.main, ovalAt(64, 17, 4, 5.4, 50)).mark(c.mark, dots(0.9, 63, 17, 66, 16))
		cactusBloom(p, c.extra, 27, 11.5, 0.7)
		cactusBloom(p, c.extra, 57, 11.5, 0.8)
		p.part(c.extra, oval(69, 13, 2.2, 2.6)).wet()
	case 3:
		p.part(c.main, ovalAt(24, 33, 4.6, 10, 20)).dim()
		p.part(c.main, ovalAt(60, 34, 5.4, 10.6, -20)).throw(2).mark(c.mark, ovalAt(61, 36, 2.6, 6.4, -20)).flick(57, 26, -10)
		for _, b := range [][3]float64{{31, 24, 0.8}, {52, 23, 0.9}, {41.5, 21, 1.1}} {
			cactusBloom(p, c.extra, b[0], b[1], b[2])
		}
	}
}

// cactusBloom draws a flower of size k that opens upwards from x, y.
func cactusBloom(p *pet, r ramp, x, y, k float64) {
	for i, d := range [][2]float64{{-9, -3}, {9, -3}, {-6, -8}, {6, -8}, {0, -10}} {
		q := p.part(r, leafAt(x, y+3*k, x+d[0]*k, y+d[1]*k, 6*k, 0)).flat(0.8).throw(1).soft().flick(x, y+3*k, 9)
		if i < 2 {
			q.dim()
		}
	}
	p.part(sun, oval(x, y+k, 2.4*k, 1.8*k)).soft()
}
