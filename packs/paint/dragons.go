package main

// The dragons are the pack of the example in examples/dragons. A dragon's genes select one of four
// bodies, three kinds of wings and four colours.

// dragonBodies are the bodies in the order of the gene.
var dragonBodies = []struct {
	file, name, lore string
	draw             func(p *pet, wings int, c coat)
}{
	{"shellkin", "Shellkin", "It hatched a while ago and has not been told. The shell is warm, there is room for a " +
		"biscuit in it, and the view is as good as any.", drawShellkin},
	{"drake", "Hearth Drake", "Hearth drakes adopt a house by its chimney. They keep the kettle on, the draught out, " +
		"and one eye on whoever holds the toasting fork.", drawDrake},
	{"noodle", "Brook Noodle", "A brook noodle has no clear idea where it ends. It ties itself in a knot when it " +
		"thinks, and has to be reminded which way to swim.", drawNoodle},
	{"boulder", "Boulderback", "People have built on boulderbacks without noticing. They do not mind, as long as " +
		"somebody waters the moss.",
		drawBoulder},
}

// dragonWings are the wings in the order of the gene.
var dragonWings = []struct{ file, name string }{
	{"wingless", "no wings"}, {"leather", "leather wings"}, {"feather", "feathered wings"},
}

// dragonColours are the colours in the order of the gene.
var dragonColours = []struct {
	file, name string
	coat       coat
}{
	{"ember", "Ember", coat{main: ember, belly: cream, mark: honey, trim: sun, extra: coral, eye: gold}},
	{"fern", "Fern", coat{main: leaf, belly: lime, mark: mint, trim: cream, extra: sun, eye: russet}},
	{"tide", "Tide", coat{main: brook, belly: foam, mark: deep, trim: pearl, extra: frost, eye: deep}},
	{"dusk", "Dusk", coat{main: plum, belly: lilac, mark: night, trim: rose, extra: lilac, eye: berry}},
}

// dragonWing draws a wing on each side of x, y. apart is the distance of each wing from x, and k
// scales its size.
func dragonWing(p *pet, kind int, c coat, x, y, apart, k float64) {
	if kind == 0 {
		return
	}
	for _, side := range []float64{-1, 1} {
		first := len(p.parts)
		size := k
		if side < 0 {
			size *= 0.82
		}
		at := func(xy ...float64) []float64 {
			out := make([]float64, len(xy))
			for i := 0; i < len(xy); i += 2 {
				out[i], out[i+1] = x+side*(apart+xy[i]*size), y+xy[i+1]*size
			}
			return out
		}
		if kind == 1 {
			leatherWing(p, c, at, size)
		} else {
			featherWing(p, c, at, size)
		}
		for _, q := range p.parts[first:] {
			if side < 0 {
				q.dim()
			}
			q.sway(x+side*apart, y, side*-6)
		}
	}
}

// leatherWing draws a wing of skin between long fingers. The argument at is a function that turns
// x, y pairs of the wing into places in the picture.
func leatherWing(p *pet, c coat, at func(...float64) []float64, k float64) {
	hole := func(x, y, rx, ry float64) shape {
		c := at(x, y)
		return oval(c[0], c[1], rx*k, ry*k)
	}
	skin := without(poly(0.5, at(0, 0, 4, -14, 10, -31, 21, -26, 26, -15, 27, -3, 14, 2)...),
		join(hole(27.4, -21.6, 4.4, 5), hole(29.4, -8.8, 4.4, 5.2), hole(21.6, 3.2, 6, 4.4)))
	p.part(c.extra, skin).flat(0.5).tint(-1, poly(0, at(0, 0, 26, -9, 27, 0, 12, 3)...))
	bone := func(r float64, xy ...float64) shape {
		pts := at(xy...)
		var out []float64
		for i := 0; i < len(pts); i += 2 {
			out = append(out, pts[i], pts[i+1], max(r*k-float64(i)*0.35, 0.8))
		}
		return limb(out...)
	}
	p.part(c.main, bone(2.6, 0, 0, 4, -15, 10, -31), bone(1.5, 4.6, -16, 14, -24, 22, -27), bone(1.5, 4, -13, 15, -16, 26,
		-15), bone(1.4, 3, -9, 14, -8, 26, -3)).throw(1)
	tip := at(10, -31)
	p.part(c.trim, oval(tip[0], tip[1]-1, 1.6, 1.8)).wet()
}

// featherWing draws a wing: an arm with five long feathers. The argument at is as in leatherWing.
func featherWing(p *pet, c coat, at func(...float64) []float64, k float64) {
	for _, f := range [][4]float64{{3, -3, 17, 4}, {5, -7, 24, -3}, {7, -12, 28, -12}, {9, -17, 27, -22},
		{10, -21, 21, -31}} {
		q := at(f[0], f[1], f[2], f[3])
		tip := at(f[2]-5, f[3]+2, f[2]+2, f[3]-1)
		p.part(c.trim, leafAt(q[0], q[1], q[2], q[3], 8.4*k, 1)).flat(0.6).
			mark(c.mark, leafAt(tip[0], tip[1], tip[2], tip[3], 9*k, 0)).crease(dark, q...)
	}
	a := at(0, 0, 5, -12, 11, -23)
	p.part(c.trim, limb(a[0], a[1], 4*k, a[2], a[3], 4.4*k, a[4], a[5], 3*k)).bright()
}

// dragonSpine draws a flat spine from its root to its tip.
func dragonSpine(p *pet, c coat, x, y, tx, ty float64) {
	dx, dy := (tx-x)*0.42, (ty-y)*0.42
	p.part(c.mark, poly(0.3, x-dy, y+dx, tx, ty, x+dy, y-dx)).sharp().flat(0.6)
}

// dragonHorn draws a bent horn from its root at x, y to its tip at tx, ty.
func dragonHorn(p *pet, c coat, x, y, tx, ty, bend float64) *part {
	mx, my := (x+tx)/2+bend, (y+ty)/2-2
	return p.part(c.trim, limb(x, y, 3, mx, my, 2.3, tx, ty, 0.8)).wet()
}

// dragonLift is the action of all dragons: they raise their heads.
var dragonLift = pose{dy: -2}

// drawShellkin draws a dragon in the lower half of its egg, with a piece of shell on its head.
func drawShellkin(p *pet, wings int, c coat) {
	dragonWing(p, wings, c, 43, 55, 13, 0.86)
	p.part(c.main, limb(56, 66, 4, 68, 66, 3.4, 74, 59, 2.6, 72, 52, 1.4)).soft()
	p.part(c.trim, poly(0.5, 72, 45, 76.4, 51.4, 72, 55, 68, 51.4)).wet()
	body := p.part(c.main, oval(44, 58, 14, 13))
	body.patch(c.belly, oval(42, 60, 9, 12))
	for _, y := range []float64{56, 59.5} {
		body.crease(mid, 34, y, 42, y+1.2, 50, y)
	}
	p.part(c.main, limb(34, 56, 3.4, 28, 60, 3.2)).dim()
	shell := p.part(pearl, clip(oval(44, 61, 21, 15), poly(0, 20, 64, 25, 59, 30, 64.6, 36, 60, 41, 66, 47, 60.6, 53,
		65.4, 58, 60, 63, 63.6, 68, 60, 70, 90, 20, 90)))
	shell.mark(c.mark, dots(2.4, 32, 70, 44, 71.4, 56, 69, 62, 66)).mark(c.mark, dots(1.4, 38, 67, 51, 70, 27, 66))
	p.part(c.main, oval(30, 62.4, 4, 3.4)).soft().crease(edge, 28, 62, 28, 65).crease(edge, 31, 62, 31, 65)
	p.part(c.main, oval(57, 62.4, 4, 3.4)).soft().crease(edge, 55, 62, 55, 65).crease(edge, 58, 62, 58, 65)
	p.acts(dragonLift)
	for _, e := range [][]float64{{27, 37, 16, 33, 8, -2}, {57, 37, 69, 32, 9, 2}} {
		p.part(c.mark, leafAt(e[0], e[1], e[2], e[3], e[4], e[5])).flick(e[0], e[1], e[5]*5).crease(dark, e[0], e[1],
			(e[0]+e[2])/2, (e[1]+e[3])/2)
	}
	head := p.part(c.main, fuse(4, oval(43, 36, 18, 15), oval(37, 44, 13, 8))).throw(3).calmly().flat(0.7)
	head.patch(c.belly, oval(36, 49, 13, 5.4))
	cap := p.part(pearl, clip(oval(46, 28, 14, 11), poly(0, 28, 10, 64, 10, 62, 26, 57, 22.6, 53, 27, 48, 22.6, 43, 26.6,
		38, 22, 31, 26)))
	cap.mark(c.mark, dots(2, 42, 20, 52, 20.6)).mark(c.mark, dots(1.2, 47, 23.4, 36, 22))
	p.eye(29, 34, eyeTallFar, c.eye)
	p.eye(45, 34, eyeTall, c.eye)
	p.stamp(28, 42, keys(c.main), "o...o")
	p.stamp(28, 45, keys(c.main, coral), "o...........o", ".oo.......oo.", "...oooWooo...", ".....oMo.....")
	p.stamp(51, 42, keys(coral), "mm.", ".mm")
	p.stamp(24, 42, keys(coral), "mm")
	p.rests()
	p.anchor("crest", 46, 14)
	p.anchor("tail", 72, 50)
	p.anchor("heart", 44, 64)
	p.anchor("feet", 44, 74)
}

// drawDrake draws a dragon that sits like a cat with its head held high.
func drawDrake(p *pet, wings int, c coat) {
	dragonWing(p, wings, c, 51, 50, 2, 1.08)
	p.part(c.main, limb(60, 68, 5.4, 71, 70, 4.4, 79, 64, 3.2, 77, 55, 2.2, 71, 54, 1.2)).soft()
	p.part(c.mark, leafAt(72, 55, 63, 49, 8, -1)).wet().sharp()
	p.part(c.main, limb(40, 58, 4.4, 37, 66, 3.8, 36, 71, 3.4)).dim()
	body := p.part(c.main, fuse(6, oval(51, 62, 14, 12), limb(44, 44, 7, 46, 54, 9.4)))
	body.patch(c.belly, fuse(3, oval(42, 60, 7, 11), oval(40, 50, 5, 8)))
	for _, y := range []float64{51, 55, 59, 63, 67} {
		body.crease(mid, 35, y, 41, y+1.4, 48, y-0.6)
	}
	for _, s := range [][4]float64{{64, 57, 71, 52}, {59, 51, 66, 45}, {55, 44, 62, 39}} {
		dragonSpine(p, c, s[0], s[1], s[2], s[3])
	}
	thigh := p.part(c.main, fuse(3, oval(58, 65, 8.6, 8), oval(53, 72, 7.6, 2.8))).soft()
	thigh.mark(c.mark, dots(1.4, 60, 61, 63, 65, 58, 65))
	thigh.crease(edge, 48, 72, 48, 75).crease(edge, 51.6, 72, 51.6, 75)
	leg := p.part(c.main, fuse(3, limb(46, 56, 4.4, 44, 64, 3.8, 43, 70, 3.6), oval(41, 72, 5.4, 2.8))).soft()
	leg.crease(edge, 38, 72, 38, 75).crease(edge, 41, 72, 41, 75)
	p.part(c.main, oval(33, 72.4, 4.6, 2.4)).throw(1).dim()
	p.acts(dragonLift)
	for _, e := range [][]float64{{50, 32, 64, 31, 9, 2}, {28, 30, 18, 26, 7, -1}} {
		p.part(c.extra, leafAt(e[0], e[1], e[2], e[3], e[4], e[5])).flick(e[0], e[1], e[5]*5).crease(dark, e[0]+2, e[1],
			(e[0]+e[2])/2+2, e[3])
	}
	dragonHorn(p, c, 34, 22, 36, 9, -3).dim()
	dragonHorn(p, c, 46, 22, 55, 9, 4)
	head := p.part(c.main, fuse(4, oval(41, 30, 14, 12.4), limb(34, 35, 8, 27, 37, 6))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(28, 42, 9, 3.6), oval(38, 42.6, 9, 3.6)))
	head.mark(c.mark, leafAt(41, 26, 42, 16, 5, 0), dots(1.3, 50, 36, 52, 32))
	p.eye(42, 27, eyeTall, c.eye)
	p.eye(29, 26, eyeTallFar, c.eye)
	p.stamp(21, 34, keys(c.main), "o..o", "....")
	p.stamp(22, 39, keys(c.main, coral), "...............o", "oo..........ooo.", "..ooooooooooo...", "...W......W.....")
	p.stamp(47, 35, keys(coral), "mm.", ".mm")
	p.rests()
	p.anchor("crest", 42, 15)
	p.anchor("tail", 68, 52)
	p.anchor("heart", 46, 62)
	p.anchor("feet", 46, 74)
}

// drawNoodle draws a long dragon, tied in a loop.
func drawNoodle(p *pet, wings int, c coat) {
	dragonWing(p, wings, c, 52, 50, 4, 0.98)
	p.part(c.main, limb(60, 60, 5.6, 70, 56, 5, 77, 48, 4, 75, 39, 2.8, 69, 38, 1.6)).soft()
	p.part(c.mark, leafAt(70, 39, 60, 31, 9, -2), leafAt(71, 38, 66, 28, 7, 1)).sharp()
	back := p.part(c.main, limb(26, 64, 6, 36, 57, 6.6, 50, 55, 7, 63, 58, 6.8, 68, 65, 6)).dim()
	back.mark(c.mark, dots(1.6, 36, 54, 46, 51.6, 56, 52.6, 64, 57))
	neck := p.part(c.main, limb(58, 60, 8, 56, 50, 7.4, 49, 43, 7, 44, 36, 6.6, 41, 30, 6.4))
	neck.patch(c.belly, limb(50, 61, 4.4, 48.6, 52, 4, 43, 45, 3.6, 38, 37, 3.4))
	for _, l := range [][]float64{{45, 58, 54, 60}, {44, 54, 53, 55}, {42, 50, 51, 49}, {39, 46, 47, 44}} {
		neck.crease(mid, l...)
	}
	for _, s := range [][4]float64{{64, 55, 72, 51}, {62, 49, 70, 44}, {56, 43, 64, 37}} {
		if wings == 0 {
			dragonSpine(p, c, s[0], s[1], s[2], s[3])
		}
	}
	front := p.part(c.main, limb(69, 63, 6, 62, 68.4, 6.8, 46, 69, 7, 30, 68, 6.6, 21, 62, 5.2, 25, 56, 4))
	front.patch(c.belly, limb(62, 73, 3, 46, 74, 3.4, 30, 73, 3))
	for _, x := range []float64{30, 38, 46, 54, 62} {
		front.crease(mid, x, 72, x+1, 76)
	}
	front.mark(c.mark, dots(1.8, 30, 65, 38, 65.4, 46, 65.6, 54, 65, 62, 63.6))
	p.acts(dragonLift)
	for _, h := range [][]float64{{32, 20, 28, 9, -1}, {46, 20, 53, 8, 1}} {
		dragonHorn(p, c, h[0], h[1], h[2], h[3], h[4]*2)
		p.part(c.trim, limb((h[0]+h[2])/2+h[4], (h[1]+h[3])/2-1, 1.8, (h[0]+h[2])/2+h[4]*6, (h[1]+h[3])/2-4, 0.9)).wet()
	}
	p.part(c.extra, leafAt(49, 28, 62, 24, 9, 2), leafAt(49, 32, 61, 34, 8, 1)).flat(0.7).flick(49, 30, 8)
	head := p.part(c.main, fuse(4, oval(40, 28, 13, 11.4), limb(33, 32, 8, 25, 34, 6.4))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(26, 39.4, 9, 3.6), oval(37, 39.6, 9, 3.4)))
	p.part(c.trim, limb(22, 36, 1.2, 15, 38, 1, 12, 44, 0.9, 14, 50, 0.7)).sharp().sway(21, 36, 5)
	p.eye(42, 24, eyeBig, c.eye)
	p.eye(28, 24, eyeBigFar, c.eye)
	p.stamp(20, 31, keys(c.main), "o..o")
	p.stamp(21, 36, keys(c.main, coral), "...............o", "oo..........ooo.", "..ooooooooooo...")
	p.stamp(46, 33, keys(coral), "mm.", ".mm")
	p.rests()
	p.anchor("crest", 41, 14)
	p.anchor("tail", 67, 34)
	p.anchor("heart", 46, 66)
	p.anchor("feet", 46, 75)
}

// drawBoulder draws a dragon that looks like a hill.
func drawBoulder(p *pet, wings int, c coat) {
	dragonWing(p, wings, c, 56, 44, 3, 0.84)
	p.part(c.main, limb(70, 64, 5.4, 76, 66, 4, 80, 61, 2.6)).soft()
	p.part(c.main, fuse(3, limb(44, 62, 5.6, 43, 69, 5), oval(41, 72, 6.4, 2.8))).dim()
	p.part(c.main, fuse(3, limb(68, 62, 5.6, 69, 69, 5), oval(67, 72, 6.4, 2.8))).dim()
	body := p.part(c.main, oval(55, 59, 19, 13))
	body.patch(c.belly, oval(50, 69, 15, 5))
	hill := p.part(stone, fuse(3, oval(57, 51, 20, 12), oval(50, 46, 12, 8), oval(66, 47, 9, 8))).matt()
	hill.mark(moss, clip(fuse(3, oval(52, 40, 14, 5), oval(66, 41, 9, 4), oval(58, 44, 9, 4)), hill.shape))
	hill.crease(edge, 48, 52, 52, 56, 50, 60).crease(edge, 62, 50, 66, 55, 64, 59).crease(dark, 56, 53, 58, 58)
	p.part(leaf, leafAt(58, 40, 56, 31, 5, 1), leafAt(58, 40, 62, 32, 5, -1)).sharp().sway(58, 40, 7)
	p.part(c.extra, oval(49, 37, 2.4, 2.4), oval(53, 36.4, 2.2, 2.2), oval(51, 33.6, 2.4, 2.2)).wet()
	p.stamp(50, 35, keys(sun), "ml", "dm")
	for _, x := range []float64{48, 64} {
		leg := p.part(c.main, fuse(3, limb(x+1, 61, 6.4, x, 68, 5.6), oval(x-2, 72, 7, 3))).soft()
		leg.crease(edge, x-6, 72, x-6, 75).crease(edge, x-2.6, 72, x-2.6, 75).crease(edge, x+0.8, 72, x+0.8, 75)
	}
	p.acts(dragonLift)
	p.part(c.extra, leafAt(38, 40, 48, 34, 8, 2)).flick(39, 41, 8).crease(dark, 40, 40, 45, 36)
	p.part(c.extra, leafAt(20, 38, 13, 32, 6, -1)).dim()
	dragonHorn(p, c, 36, 35, 42, 25, 3)
	dragonHorn(p, c, 23, 34, 22, 24, -2).dim()
	head := p.part(c.main, fuse(4, oval(30, 45, 14, 12.4), limb(25, 51, 9, 19, 53, 7.4))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(20, 59.4, 10, 3.6), oval(31, 58.6, 10, 3.6)))
	head.mark(c.mark, dots(1.6, 38, 50, 40, 46, 37, 54))
	p.part(c.trim, limb(17, 47, 2.8, 15, 42, 2, 16, 38, 0.9)).wet().throw(1)
	p.stamp(31, 41, keys(c.eye, c.main), ".....OO", "OOOOOLO", "KKKKKKO", "KWWKmK.", "KWKKlK.", ".KKKK..")
	p.stamp(18, 41, keys(c.eye, c.main), "OO...", "OLOOO", "KKKKK", "KWKmK", ".KKK.")
	p.stamp(12, 50, keys(c.main), "o...o")
	p.stamp(13, 53, keys(c.main, coral), "................o", "oo....W....W.ooo.", "..oooWWoooWWoo...")
	p.stamp(36, 50, keys(coral), "mm.", ".mm")
	p.rests()
	p.anchor("crest", 29, 30)
	p.anchor("tail", 79, 60)
	p.anchor("heart", 50, 66)
	p.anchor("feet", 50, 75)
}
