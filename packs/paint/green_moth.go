package main

var petalMoth = creature{
	family: family{"petal-moth", "Petal Moth",
		"Petal moths sleep inside flowers by day, and by evening nobody can say where the flower ends. They drift towards " +
			"lit windows to listen, and leave a little pollen on the sill as thanks for the music."},
	draw: drawMoth,
	looks: [3]look{
		{"Poppy Flit",
			coat{main: cream, belly: snow, mark: ink, trim: rose, extra: coral, eye: cocoa},
			coat{main: snow, belly: frost, mark: deep, trim: rose, extra: brook, eye: deep}},
		{"Pansy Moth",
			coat{main: sun, belly: cream, mark: lilac, trim: coral, extra: plum, eye: night},
			coat{main: fawn, belly: cream, mark: snow, trim: coral, extra: ember, eye: ember}},
		{"Moonflower Moth",
			coat{main: snow, belly: frost, mark: tide, trim: rose, extra: mint, eye: tide},
			coat{main: smoke, belly: lilac, mark: rose, trim: rose, extra: night, eye: berry}},
	},
}

func drawMoth(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.84)
	}
	fore, hind := mothWings(n)
	for i, side := range []func(shape) shape{func(s shape) shape { return flip(s, 45) },
		func(s shape) shape { return s }} {
		beat := float64(6 - 12*i)
		// Only the fore wings beat. When a fore wing lifts, a dim patch covers the gap between the
		// fore wing and the hind wing.
		p.part(c.extra, side(clip(fore, grow(move(hind, 0, -6), 2)))).flat(0.3).dim().bare()
		h := p.part(c.extra, side(hind)).flat(0.45)
		f := p.part(c.extra, side(fore)).flat(0.45).throw(3).sway(45, 45, beat)
		mothPattern(h, f, n, c, side, fore, hind)
	}
	p.part(c.main, limb(45, 48, 6, 45.5, 56, 5, 44.5, 63, 2.4)).mark(c.extra,
		clip(bands(45, 54, 0, 5, 2), oval(45, 58, 8, 8)))
	ruff := c.main
	if n > 1 {
		ruff = c.belly
	}
	fluff := p.part(ruff, fuse(2, oval(45, 45, 10, 7.5)), leafAt(39, 45, 35, 54, 7, 0), leafAt(45, 46, 45, 57, 8, 0),
		leafAt(51, 45, 55, 54, 7, 0)).bright()
	fluff.crease(mid, 42, 47, 41, 51)
	fluff.crease(mid, 48, 47, 49, 51)
	p.part(c.main, limb(40, 51, 1.8, 41.5, 56, 1.6)).dim()
	p.part(c.main, limb(50, 51, 1.8, 48.5, 56, 1.6)).dim()
	p.acts(pose{deg: -9, cx: 45, cy: 44, dy: 1})
	mothFeelers(p, n, c)
	head := p.part(c.main, fuse(3, oval(45, 33, 12.5, 10), oval(44.5, 37, 12, 7))).throw(3).calmly().flat(0.7).bright()
	if n == 2 {
		mask := join(leafAt(45, 32, 40, 21, 5, 0), leafAt(45, 32, 50, 21, 5, 0))
		head.mark(c.extra, mask).tint(-2, mask)
	}
	if n == 3 {
		p.part(c.extra, leafAt(45, 30, 45, 20, 7, 0), leafAt(43, 29, 36, 22, 5, 0), leafAt(47, 29, 54, 22, 5, 0)).flat(0.8)
		p.part(c.mark, oval(45, 27, 2, 2)).glow()
	}
	p.stamp(34, 31, keys(c.eye), "..KKK.", ".KKKKK", "KKWWKK", "KKWWmK", "KKKmmK", "KKmllK", ".KKKK.")
	p.stamp(49, 31, keys(c.eye), ".KKK..", "KKKKK.", "KKWWKK", "KKWWmK", "KKKmmK", "KKmllK", ".KKKK.")
	p.stamp(42, 39, keys(c.main, c.trim), "o...o", ".ooo.")
	p.stamp(33, 39, keys(c.trim), "ll", "l.")
	p.stamp(54, 39, keys(c.trim), "ll", ".l")
	p.rests()
	p.anchor("crest", 45, 22)
	hem := [][2]int{{69, 60}, {73, 62}, {71, 70}}[n-1]
	p.anchor("tail", hem[0], hem[1])
	p.anchor("heart", 45, 52)
	p.anchor("feet", 45, 66)
	p.ground(32, 58)
	p.floats = true
}

// mothWings returns the right wings of look n.
func mothWings(n int) (fore, hind shape) {
	switch n {
	case 1:
		return loop(46, 42, 49, 29, 58, 19, 70, 17, 77, 24, 77, 34, 70, 42, 58, 46),
			loop(46, 46, 58, 45, 68, 48, 71, 56, 66, 63, 56, 63, 48, 55)
	case 2:
		return loop(46, 42, 48, 28, 56, 17, 64, 12, 70, 15, 77, 15, 78, 22, 80, 29, 76, 34, 74, 41, 66, 43, 57, 47),
			loop(46, 46, 58, 45, 69, 47, 75, 51, 73, 57, 73, 63, 66, 64, 61, 68, 55, 64, 48, 55)
	}
	return loop(46, 42, 50, 29, 58, 19, 69, 11, 79, 10, 80, 18, 76, 27, 76, 35, 67, 41, 57, 46),
		loop(46, 46, 57, 45, 67, 46, 72, 51, 69, 57, 64, 61, 66, 67, 72, 71, 71, 75, 65, 75, 59, 70, 57, 62, 49, 55)
}

func mothPattern(h, f *part, n int, c coat, side func(shape) shape, fore, hind shape) {
	switch n {
	case 1:
		f.mark(c.mark, side(join(ovalAt(58, 37, 5, 3.6, -40), leafAt(56, 38, 66, 34, 3, 0), leafAt(56, 36, 61, 27, 3, 0))))
		h.mark(c.mark, side(ovalAt(56, 52, 4, 2.6, 40)))
		f.tint(1, side(without(fore, grow(fore, -2.4))))
	case 2:
		f.patch(c.mark, side(without(fore, grow(fore, -2.6))), side(ovalAt(54, 38, 8, 4.4, -45)))
		h.patch(c.mark, side(without(hind, grow(hind, -2.6))), side(ovalAt(54, 50, 6, 3.4, 45)))
		f.mark(night, side(join(leafAt(50, 40, 66, 24, 5, 0), leafAt(50, 41, 70, 33, 4, 0))))
		h.mark(night, side(join(leafAt(50, 48, 64, 58, 5, 0), leafAt(50, 49, 57, 61, 3, 0))))
	case 3:
		f.patch(c.main, side(without(fore, grow(fore, -1.8))))
		h.patch(c.main, side(without(hind, grow(hind, -1.8))))
		f.mark(c.mark, side(oval(65, 27, 5, 5)))
		f.patch(c.trim, side(oval(65, 27, 3, 3)))
		h.mark(c.mark, side(oval(61, 53, 3.4, 3.4)))
		h.patch(c.trim, side(oval(61, 53, 1.8, 1.8)))
	}
}

// mothFeelers draws the feelers, which are longer on older moths.
func mothFeelers(p *pet, n int, c coat) {
	r := c.main
	switch n {
	case 1:
		r = c.extra
	case 2:
		r = c.mark
	}
	k := []float64{0.8, 1, 1.1}[n-1]
	for _, s := range []float64{-1, 1} {
		at := func(dx, dy float64) (float64, float64) { return 45 + s*dx*k, 27 - dy*k }
		x0, y0 := at(4, 0)
		x1, y1 := at(9, 10)
		x2, y2 := at(16, 13)
		p.part(r, limb(x0, y0, 1, x1, y1, 1, x2, y2, 0.9)).sharp()
		if n > 1 {
			for _, b := range [][4]float64{{7, 6, 12, 4}, {9, 9, 15, 7}, {12, 11, 18, 10}} {
				bx, by := at(b[0], b[1])
				tx, ty := at(b[2], b[3])
				p.part(r, leafAt(bx, by, tx, ty, 3.4, 0)).sharp()
			}
		} else {
			p.part(c.mark, oval(x2, y2, 2, 2))
		}
	}
}
