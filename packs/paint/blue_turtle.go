package main

var gardenTurtle = creature{
	family: family{"garden-turtle", "Shell-Garden Turtle",
		"Whatever falls on its shell is allowed to grow there. An old shell-garden turtle knows each plant by name and " +
			"turns it to the sun itself; it has been late for everything, and has never missed a spring."},
	draw: drawTurtle,
	looks: [3]look{
		{"Sprout Turtle",
			coat{main: mint, belly: cream, mark: leaf, trim: tide, extra: leaf, eye: tide},
			coat{main: fawn, belly: cream, mark: honey, trim: rose, extra: lime, eye: ember}},
		{"Daisy Turtle",
			coat{main: tide, belly: cream, mark: sun, trim: bark, extra: leaf, eye: leaf},
			coat{main: lilac, belly: pearl, mark: frost, trim: plum, extra: mint, eye: plum}},
		{"Orchard Turtle",
			coat{main: brook, belly: cream, mark: foam, trim: slate, extra: rose, eye: deep},
			coat{main: coral, belly: cream, mark: sun, trim: gold, extra: snow, eye: berry}},
	},
}

func drawTurtle(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.86)
	}
	p.part(c.main, limb(72, 62, 4, 78, 66, 1.5))
	p.part(c.main, limb(42, 60, 5, 41, 71, 4.4)).dim()
	p.part(c.main, limb(68, 60, 5, 69, 71, 4.4)).dim()
	if n == 3 {
		turtleTree(p, c)
	}
	shell := p.part(c.trim, clip(oval(52, 54, 25, 22), below(52, 60, 180))).throw(0)
	turtleShell(shell, n, c)
	p.part(c.belly, limb(36, 61, 3, 44, 63, 3.4, 56, 64, 3.6, 70, 62, 3.4, 76, 58, 2.4)).matt()
	for _, x := range []float64{35, 61} {
		leg := p.part(c.main, fuse(2, limb(x, 62, 6, x-2, 71, 5), oval(x-3, 72, 5.5, 2.6))).soft()
		leg.crease(edge, x-6, 72, x-6, 75)
		leg.crease(edge, x-3, 72, x-3, 75)
	}
	p.acts(pose{dx: 6, dy: 3})
	if n == 2 {
		p.part(c.main, limb(39, 60, 6.6, 32, 52, 6.4, 29, 44, 6.2)).throw(0)
		p.posed(pose{dx: 1, dy: -11})
	}
	head := p.part(c.main, fuse(5, limb(36, 58, 6, 28, 52, 6.5), oval(24, 44, 13, 11.5), oval(18, 49, 8, 6))).calmly()
	head.patch(c.belly, oval(19, 55, 11, 5))
	if n >= 2 {
		head.mark(c.mark, oval(33.5, 41, 3.4, 1.4), oval(33.5, 45, 4, 1.4), oval(33, 49, 4.4, 1.4), oval(24, 34, 3.4, 2))
	}
	p.rests()
	lifted := p.pose
	p.posed(pose{})
	turtlePlants(p, n, c)
	p.posed(lifted)
	p.acts(pose{dx: 6, dy: 3})
	p.eye(12, 41, eyeDrowsy, c.eye)
	p.eye(22, 41, eyeSleepy, c.eye)
	p.stamp(12, 50, keys(c.main), "o......o.", ".oo..oo..", "...oo....")
	p.stamp(26, 48, keys(rose), "mm.", ".mm")
	p.stamp(15, 47, keys(c.main), "o.o")
	p.rests()
	p.anchor("crest", 24, 33)
	p.posed(pose{})
	p.anchor("tail", 77, 66)
	p.anchor("heart", 44, 66)
	p.anchor("feet", 48, 74)
}

func turtleShell(shell *part, n int, c coat) {
	seams := [][]float64{{42, 32, 38, 44, 42, 54, 40, 62}, {60, 32, 64, 44, 60, 54, 62, 62}, {28, 46, 38, 44},
		{64, 44, 76, 46}, {42, 54, 60, 54}}
	if n == 2 {
		shell.mark(c.mark, oval(51, 48, 5, 4), oval(34, 52, 3, 4), oval(69, 52, 3.4, 4))
		shell.mark(c.trim, oval(51, 48, 2.4, 2))
	}
	for _, l := range seams {
		shell.crease(dark, l...)
	}
	moss := leaf
	if n != 3 {
		moss = c.extra
	}
	shell.patch(moss, wavy(oval(51, 32, 26, 8), 1.3, 9))
	shell.tint(1, dots(1, 40, 37, 47, 35, 57, 36, 64, 38))
}

// turtleTree draws the tree behind the ridge of the shell.
func turtleTree(p *pet, c coat) {
	p.part(bark, limb(54, 38, 4.4, 52, 28, 2.8, 54, 20, 2), limb(52, 29, 2, 44, 22, 1.4), limb(53, 28, 2, 61, 23, 1.4))
	p.part(c.extra, oval(65, 20, 9, 6.4), oval(71, 23, 6, 4.4)).dim()
	p.part(c.extra, oval(41, 19.5, 9, 6.4), oval(35, 22, 5.4, 4.4))
	top := p.part(c.extra, oval(49, 14.5, 8, 5.4), oval(58, 15, 8, 5.6), oval(53, 19, 9, 5))
	top.tint(1, dots(1, 46, 16, 52, 18, 60, 17, 56, 12))
	top.tint(-1, dots(1, 49, 21, 57, 21))
	p.stamp(39, 24, keys(coral), "mm", "md")
	p.stamp(66, 24, keys(coral), "mm", "md")
}

// turtlePlants draws the plants on the near side of the ridge.
func turtlePlants(p *pet, n int, c coat) {
	blossom := []string{".m.", "msm", ".m."}
	first := len(p.parts)
	switch n {
	case 1:
		p.part(c.extra, limb(51, 34, 1.6, 51, 26, 1.2)).sharp()
		p.part(c.extra, leafAt(51, 27, 39, 19, 8, 3)).flat(0.7)
		p.part(c.extra, leafAt(51, 27, 64, 17, 9, -3)).flat(0.7).crease(dark, 54, 24, 61, 19)
		p.swayFrom(first, 51, 35, 6)
	case 2:
		for i, at := range [][3]float64{{43, 28, 4}, {66, 30, 4}, {55, 22, 5.2}} {
			x, y, r := at[0], at[1], at[2]
			first = len(p.parts)
			p.part(c.extra, limb(x, 38, 1.2, x, y, 1)).sharp()
			p.part(c.extra, leafAt(x, 36, x+5, 31, 4, 1)).flat(0.7)
			petals := p.part(snow, oval(x, y, r, r)).bright().matt()
			for _, d := range [][2]float64{{1, 0}, {0, 1}, {0.7, 0.7}, {0.7, -0.7}} {
				petals.crease(mid, x-d[0]*r, y-d[1]*r, x+d[0]*r, y+d[1]*r)
			}
			p.part(sun, oval(x, y, r*0.45, r*0.45)).bare()
			p.swayFrom(first, x, 38, float64(i%2*14-7))
		}
		p.stamp(49, 32, keys(rose), blossom...)
		p.stamp(60, 34, keys(sun), blossom...)
		p.stamp(39, 36, keys(sun), blossom...)
	case 3:
		p.stamp(40, 36, keys(sun), blossom...)
		p.stamp(63, 36, keys(c.extra), blossom...)
		p.stamp(68, 40, keys(sun), blossom...)
	}
}
