package main

var tideCrab = creature{
	family: family{"tide-crab", "Tide Crab",
		"Tide crabs believe that they pull the sea in twice a day, and nobody has the heart to argue with those claws. " +
			"Beaten at a game, a tide crab bows, walks off sideways, and comes back with a harder one."},
	draw: drawCrab,
	looks: [3]look{
		{"Pebble Crab",
			coat{main: brook, belly: cream, mark: deep, trim: coral, extra: slate, eye: deep},
			coat{main: sun, belly: cream, mark: honey, trim: leaf, extra: gold, eye: leaf}},
		{"Wave Crab",
			coat{main: coral, belly: cream, mark: snow, trim: ember, extra: brook, eye: ember},
			coat{main: frost, belly: snow, mark: night, trim: deep, extra: gold, eye: deep}},
		{"Reef King",
			coat{main: deep, belly: frost, mark: foam, trim: honey, extra: rose, eye: plum},
			coat{main: plum, belly: pearl, mark: mint, trim: gold, extra: tide, eye: tide}},
	},
}

func drawCrab(p *pet, n int, c coat) {
	const cx = 44
	if n == 1 {
		p.resize(0.86)
	}
	for i, l := range [][]float64{{32, 58, 2.6, 22, 54, 2.4, 17, 62, 1.8, 15, 69, 0.8}, {33, 61, 2.8, 24, 61, 2.6, 20, 68,
		2, 21, 73, 0.8}, {36, 64, 2.8, 30, 66, 2.6, 28, 71, 1.8, 30, 74, 0.8}} {
		s := limb(l...)
		left, right := p.part(c.main, s).matt(), p.part(c.main, flip(s, cx)).matt()
		if i == 0 {
			left.dim()
			right.dim()
		}
	}
	crabCrown(p, n, c)
	for _, x := range []float64{34, 54} {
		p.part(c.main, limb(x+1, 46, 2.2, x, 34, 2)).matt()
	}
	shell := p.part(c.main, fuse(3, oval(cx, 55, 22, 13), oval(cx, 60, 16, 9))).wet()
	shell.patch(c.belly, clip(oval(cx, 70, 18, 7), oval(cx, 55, 22, 14)))
	crabShell(shell, n, c)
	p.acts(pose{dy: -5})
	crabClaws(p, n, c)
	p.rests()
	p.part(snow, oval(33.5, 31, 6, 6.2)).matt().bright()
	p.part(snow, oval(54.5, 31, 6.2, 6.4)).matt().bright()
	crabFace(p, c)
	p.anchor("crest", 44, 22)
	if n == 3 {
		p.anchor("crest", 44, 18)
	}
	p.anchor("tail", 73, 67)
	p.anchor("heart", 44, 64)
	p.anchor("feet", 44, 74)
}

func crabFace(p *pet, c coat) {
	p.stamp(30, 29, keys(c.eye), ".KKK.", "KWWKK", "KWKKK", "KKdmK", ".KKK.")
	p.stamp(51, 29, keys(c.eye), ".KKK.", "KWWKK", "KWKKK", "KKdmK", ".KKK.")
	p.stamp(27, 24, keys(c.main), ".ooo.......", "omlmoo.....", ".oommmoo...", "..ooommmoo.", "....oooomo.", ".......oo..")
	p.stamp(51, 24, keys(c.main), ".......ooo.", ".....oomlmo", "...oommmoo.", ".oommmooo..", ".omoooo....", "..oo.......")
	p.stamp(35, 54, keys(c.main, c.trim),
		"oo..............oo",
		".ooo..........ooo.",
		"..ooWWooooooWWoo..",
		"...oWMMMMMMMMWo...",
		"....ooMLLLLMoo....",
		"......oooooo......")
}

func crabShell(shell *part, n int, c coat) {
	switch n {
	case 1:
		shell.tint(1, dots(1.2, 32, 49, 44, 47, 56, 50))
	case 2:
		shell.mark(c.mark, clip(wavy(bands(44, 46, 0, 20, 3.4), 1.6, 9), oval(44, 50, 24, 10)))
	case 3:
		shell.mark(c.mark, dots(1.8, 32, 48, 56, 48, 26, 53, 62, 53), dots(1, 38, 46, 50, 46, 29, 58, 59, 58))
	}
}

// crabClaws draws the arms and claws. The right claw is the larger one. In the action both claws
// snap shut, then open wide.
func crabClaws(p *pet, n int, c coat) {
	gape := p.phase * (6*p.phase - 5) // -1 is shut, 0 at rest, 1 wide open
	if n == 3 {
		p.part(c.main, limb(26, 56, 3.6, 18, 62, 3.2, 15, 57, 2.6))
		p.resize(0.62) // the king's left claw is small and held low
		p.posed(pose{deg: -24, cx: 18, cy: 36, dx: -18, dy: 9})
	} else {
		p.part(c.main, limb(26, 53, 3.6, 17, 50, 3.4, 17, 43, 3))
	}
	left := p.part(c.trim, without(fuse(2, oval(18, 36, 7.5, 8), leafAt(13, 38, 14-3*gape, 18, 10, -3),
		leafAt(22, 38, 26+3*gape, 22-gape, 8, 3)), poly(0.5, 16-3*gape, 14, 19, 31, 25+5*gape, 16))).wet().sharp().sway(18,
		44, -7)
	if n == 3 {
		p.resize(0)
		p.posed(pose{})
	}
	p.part(c.main, limb(62, 53, 4, 72, 50, 3.8, 72, 42, 3.4))
	right := p.part(c.trim, without(fuse(2, oval(71, 34, 8.6, 9), leafAt(66, 36, 63-3*gape, 15-gape, 10, -3),
		leafAt(76, 36, 78+2*gape, 13, 11, 3)), poly(0.5, 65-5*gape, 10, 70.5, 29, 73+3*gape, 10))).wet().sharp().sway(71, 43,
		6)
	if n >= 2 {
		left.mark(c.belly, dots(1.2, 16, 39, 20, 37))
		right.mark(c.belly, dots(1.4, 69, 38, 74, 36, 72, 41))
	}
}

// crabCrown draws the reef that the king wears.
func crabCrown(p *pet, n int, c coat) {
	if n != 3 {
		return
	}
	p.part(c.extra, limb(40, 44, 2.4, 38, 34, 2, 35, 27, 1.8), limb(48, 44, 2.4, 50, 32, 2, 54, 24, 1.8)).dim()
	p.part(c.extra, limb(44, 46, 3.4, 44, 34, 2.8, 44, 18, 2.4), limb(44, 32, 2.2, 39, 26, 2, 38, 19, 1.9),
		limb(44, 35, 2.2, 49, 28, 2, 51, 20, 1.9))
	p.part(pearl, oval(44, 42, 3.4, 3.4)).wet()
}
