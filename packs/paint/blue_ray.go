package main

var lanternRay = creature{
	family: family{"lantern-ray", "Lantern Ray",
		"A lantern ray carries its own small moon at the end of its tail and is never lost on the darkest tide. Fishing " +
			"boats follow it home; it pretends not to notice, and slows down."},
	draw: drawRay,
	looks: [3]look{
		{"Shoal Ray",
			coat{main: brook, belly: snow, mark: deep, trim: coral, extra: sun, eye: deep},
			coat{main: honey, belly: cream, mark: ember, trim: coral, extra: foam, eye: ember}},
		{"Constellation Ray",
			coat{main: deep, belly: frost, mark: foam, trim: rose, extra: foam, eye: plum},
			coat{main: plum, belly: pearl, mark: sun, trim: rose, extra: sun, eye: berry}},
		{"Harbour Moon Ray",
			coat{main: night, belly: lilac, mark: brook, trim: coral, extra: sun, eye: night},
			coat{main: tide, belly: snow, mark: lime, trim: coral, extra: rose, eye: tide}},
	},
}

func drawRay(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.88)
	}
	p.acts(pose{deg: -12, cx: 47, cy: 58})
	p.part(c.main, limb(46, 58, 3.5, 54, 68, 2.4, 66, 71, 1.8, 74, 66, 1.4, 73, 58, 1.2)).sharp()
	rayLantern(p, n, c)
	p.rests()
	p.floats = true
	p.part(c.main, limb(35, 28, 4, 30, 19, 3.2, 32, 13, 2), limb(50, 28, 4, 55, 18, 3.2, 53, 12, 2))
	body := rayWings(p, n, c)
	body.patch(c.belly, loop(33, 34, 42, 31, 52, 34, 57, 41, 52, 51, 43, 58, 34, 52, 28, 42))
	p.part(c.main, oval(30.5, 31, 6.4, 6.2)).bare().matt().bright()
	p.part(c.main, oval(53.5, 31, 6.4, 6.2)).bare().matt().bright()
	p.eye(28, 28, eyeBig, c.eye)
	p.eye(51, 28, eyeBig, c.eye)
	p.stamp(36, 37, keys(c.belly, c.trim),
		"o...........o",
		".oo.......oo.",
		"...ooooooo...",
		"....OMLMO....",
		".....OOO.....")
	p.stamp(30, 38, keys(c.trim), "mm.", ".mm")
	p.stamp(52, 38, keys(c.trim), ".mm", "mm.")
	for i, y := range []float64{47, 50, 53} {
		k := float64(i)
		body.crease(mid, 36+k, y, 39+k, y+0.5)
		body.crease(mid, 50-k, y, 47-k, y+0.5)
	}
	p.anchor("crest", 42, 21)
	p.anchor("tail", 72, 50)
	p.anchor("heart", 43, 55)
	p.anchor("feet", 44, 73)
	p.ground(28, 60)
}

// rayWings draws the body, and under its edges both wings, which beat. It returns the body.
func rayWings(p *pet, n int, c coat) *part {
	all := loopOfRay(n)
	for _, s := range []float64{-1, 1} {
		wing := p.part(c.main, clip(all, below(43+s*14, 0, s*-90))).wet().sway(43+s*17, 42, s*-9).flick(43+s*17, 42, s*12)
		rayPattern(wing, n, c)
	}
	body := p.part(c.main, clip(all, oval(43, 44, 21, 40))).bare().wet()
	rayPattern(body, n, c)
	return body
}

// rayLantern draws the light at the end of the tail: a lamp, a star or a moon.
func rayLantern(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.part(c.extra, oval(72, 51.5, 5.6, 5.6)).glow().wet()
	case 2:
		star := poly(0.8, 73, 44, 75, 49, 80, 50, 76.5, 54, 77.5, 59, 73, 56.5, 68.5, 59, 69.5, 54, 66, 50, 71, 49)
		p.part(c.extra, star).glow().sharp()
	case 3:
		p.part(c.extra, without(oval(74, 53, 7.4, 7.4), oval(78, 50, 6, 6))).glow().sharp()
	}
}

// loopOfRay returns the wings and body of look n.
func loopOfRay(n int) shape {
	switch n {
	case 1:
		return loop(33, 26, 25, 31, 14, 41, 12, 46, 20, 46, 29, 54, 37, 61, 44, 62, 52, 59, 61, 50, 70, 41, 76, 37, 72, 33,
			60, 30, 51, 26, 42, 27)
	case 2:
		return loop(33, 26, 24, 29, 12, 34, 10, 41, 18, 44, 28, 52, 36, 61, 44, 63, 52, 60, 61, 49, 71, 40, 79, 33, 73, 29,
			60, 28, 51, 26, 42, 27)
	}
	return loop(33, 27, 26, 32, 19, 27, 12, 11, 10, 24, 13, 40, 21, 50, 30, 57, 37, 62, 44, 65, 51, 62, 59, 57, 67, 49,
		75, 38, 78.6, 22, 77, 11, 69, 27, 60, 32, 51, 27, 42, 28)
}

func rayPattern(body *part, n int, c coat) {
	switch n {
	case 2:
		body.mark(c.mark, dots(1.6, 21, 38, 70, 35, 62, 43), dots(1.1, 15, 38, 25, 47, 27, 38, 66, 39, 74, 33, 60, 34, 57,
			52), dots(0.8, 19, 43, 31, 54, 68, 31))
	case 3:
		body.mark(c.mark, clip(rings(43, 20, 26, 8, 2.6), join(oval(15, 34, 11, 26), oval(71, 34, 12, 26))))
	}
}
