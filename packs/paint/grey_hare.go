package main

var burrowHare = creature{
	family: family{"burrow-hare", "Burrow Hare",
		"A burrow hare has eleven doors and worries about a twelfth. It knows all the news of the hill an hour before it happens, because it has already run away from it twice."},
	draw: drawHare,
	looks: [3]look{
		{"Form Leveret",
			coat{main: bark, belly: cream, mark: cocoa, trim: rose, extra: bark, eye: honey},
			coat{main: lilac, belly: pearl, mark: plum, trim: rose, extra: lilac, eye: plum}},
		{"Brindle Hare",
			coat{main: stone, belly: snow, mark: slate, trim: rose, extra: ink, eye: honey},
			coat{main: tide, belly: foam, mark: deep, trim: coral, extra: sun, eye: sun}},
		{"Wayfarer Hare",
			coat{main: fawn, belly: cream, mark: russet, trim: rose, extra: bark, eye: tide},
			coat{main: snow, belly: snow, mark: frost, trim: rose, extra: berry, eye: berry}},
	},
}

func drawHare(p *pet, n int, c coat) {
	if n == 1 {
		hareForm(p, c)
		return
	}
	if n == 3 {
		hareBundle(p, c)
	}
	p.part(c.belly, oval(62, 66, 6, 5.4)).matt()
	p.part(c.main, fuse(2, limb(38, 67, 5, 37, 71, 3.4), oval(32.5, 72, 8, 2.8))).dim()
	body := p.part(c.main, fuse(6, oval(49, 62, 12.5, 10.6), limb(45, 50, 9, 46, 57, 9)))
	body.patch(c.belly, fuse(4, oval(41, 56, 6, 8), oval(42, 64, 7, 7)))
	p.part(c.main, limb(39, 52, 3, 33, 56, 2.6, 34, 61, 2.6)).dim()
	thigh := p.part(c.main, fuse(3, ovalAt(54, 64.5, 9.4, 8, -30), oval(46, 72, 10, 3))).soft()
	thigh.crease(edge, 39, 72, 39, 75).crease(edge, 42, 72, 42, 75)
	if n == 2 {
		stripes := clip(bands(50, 50, 28, 5.4, 2.2), oval(58, 60, 10, 18))
		body.mark(c.mark, stripes)
		thigh.mark(c.mark, stripes)
	}
	arm := p.part(c.main, limb(48, 51, 4, 50, 56, 3.6, 43, 60, 3.2)).soft()
	arm.crease(edge, 40, 60, 42, 60)
	if n == 3 {
		p.part(leaf, limb(35, 48, 2.6, 42, 51, 3, 51, 47, 2.6)).crease(dark, 38, 50, 44, 51, 50, 48)
		p.part(leaf, leafAt(38, 50, 34, 61, 6, -1)).flat(0.7).crease(dark, 38, 52, 35, 58)
	}
	hareHead(p, n, c)
	p.anchor("crest", 41, 27-7*(n-2))
	p.anchor("tail", 66, 66)
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}

func hareHead(p *pet, n int, c coat) {
	if n == 2 {
		far := p.part(c.main, limb(35, 32, 3.4, 31, 21, 4.4, 25, 14, 4, 17, 17, 3, 13.5, 24, 1.4)).dim()
		far.mark(c.extra, oval(13, 23, 5, 5))
	} else {
		far := p.part(c.main, leafAt(35, 34, 28, 8.8, 9.6, -2)).dim()
		far.patch(c.trim, leafAt(34, 31, 29, 14, 4, -2))
		far.mark(c.extra, oval(27.6, 8, 5, 7))
	}
	near := p.part(c.main, leafAt(45, 34, 54, 8.6, 11.6, 3)).flick(46, 32, 8)
	near.patch(c.trim, leafAt(46, 32, 52.6, 14, 5.4, 2.4))
	near.mark(c.extra, oval(55, 8, 6, 7))
	head := p.part(c.main, fuse(4, oval(41, 37, 12.5, 10.6), oval(34, 41, 9, 7.4), leafAt(46, 42, 56, 47, 9, 1))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(35, 48, 9, 4), oval(48, 46, 6, 3)))
	if n == 2 {
		head.mark(c.mark, leafAt(40, 33, 40, 25, 3.6, 0), leafAt(44.5, 32, 46, 26, 3, 0))
	}
	if n == 3 {
		hareHat(p)
	}
	harePout(p, c, 27, 34)
}

// hareHat is straw, with a brim for rain and two holes.
func hareHat(p *pet) {
	for _, ear := range [][4]float64{{33, 28, 3, 3}, {46, 28, 3.6, 3}} {
		p.part(brass, oval(ear[0], ear[1], ear[2], ear[3])).throw(0)
	}
	crown := p.part(sun, clip(oval(40, 27, 9.4, 7.6), below(0, 29, 180))).matt()
	crown.mark(leaf, poly(0, 28, 25, 52, 25, 52, 28, 28, 28))
	crown.crease(dark, 36, 20, 35, 24).crease(dark, 43, 20, 44, 24)
	brim := p.part(sun, ovalAt(40, 29.4, 17, 3.6, -3)).matt().throw(2)
	brim.crease(dark, 27, 30, 34, 31.5, 46, 30.5, 53, 29)
}

// harePout is the face: one eye wide, nose always moving.
func harePout(p *pet, c coat, x, y int) {
	fx, fy := float64(x), float64(y)
	p.part(c.belly, fuse(2, oval(fx+2.6, fy+10, 3.8, 3.4), oval(fx+8, fy+10.4, 4.4, 3.6))).bare().calmly().matt()
	p.eye(x+14, y, []string{"..KKK..", ".KWWKK.", "wKWKKKw", "wKKKKKw", ".KdmlK.", "..KKK.."}, c.eye)
	p.eye(x, y, []string{".KK.", "KWWK", "KWKK", "KKKK", "KmlK", ".KK."}, c.eye)
	p.stamp(x+14, y-2, keys(c.main), "oo.....", "..oo...")
	p.stamp(x+2, y+6, keys(c.trim, c.belly, ink),
		"dmmd",
		".oo.",
		".OO.",
		"O..O",
		".ww.",
		".ww.")
	p.stamp(x+18, y+8, keys(c.trim), "mm.", ".mm")
	p.stamp(x-4, y+9, keys(c.belly), "s...", ".sss", "....", "sss.")
}

// hareForm is the young one, pressed flat into the grass.
func hareForm(p *pet, c coat) {
	p.part(c.belly, oval(69, 60, 5.4, 5)).matt()
	body := p.part(c.main, fuse(6, oval(53, 61, 16, 11.6), oval(40, 62, 11, 9)))
	body.patch(c.belly, oval(42, 72, 18, 4.6))
	p.part(c.main, fuse(2, oval(29, 71.6, 5, 2.8), limb(34, 66, 4, 31, 71, 3)))
	thigh := p.part(c.main, fuse(3, ovalAt(58, 63, 9.6, 8.4, -20), oval(51, 72, 8.4, 2.8))).soft()
	thigh.crease(edge, 45, 72, 45, 75).crease(edge, 48, 72, 48, 75)
	body.mark(c.mark, dots(1.2, 50, 52, 56, 51, 61, 54, 53, 56))
	far := p.part(c.main, leafAt(37, 46, 55, 36, 9, 3)).dim()
	far.patch(c.trim, leafAt(41, 44.5, 52, 38, 4, 2))
	near := p.part(c.main, leafAt(41, 49, 66, 45, 10, 3)).flick(43, 48, -9)
	near.patch(c.trim, leafAt(45, 48, 61, 45.4, 4.6, 2))
	head := p.part(c.main, fuse(4, oval(34, 54, 12.5, 10.6), oval(27, 58, 9, 7.4), leafAt(40, 58, 50, 64, 9, 1))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(28, 65, 9, 4), oval(41, 63, 6, 3)))
	harePout(p, c, 20, 51)
	p.anchor("crest", 36, 43)
	p.anchor("tail", 72, 60)
	p.anchor("heart", 48, 66)
	p.anchor("feet", 44, 74)
}

// hareBundle is all it owns, tied up in a cloth on a stick.
func hareBundle(p *pet, c coat) {
	p.part(bark, limb(40, 62, 1.4, 56, 51, 1.4, 72, 39, 1.4)).sharp()
	p.part(ember, leafAt(70, 42, 79, 37, 6, 1), leafAt(69, 42, 62, 35, 6, -1)).flat(0.7)
	sack := p.part(ember, fuse(3, oval(71, 51, 8.4, 8), oval(70, 44, 4, 4)))
	sack.mark(cream, dots(1.3, 67, 49, 73, 47, 75, 53, 69, 55))
	sack.crease(dark, 67, 45, 70, 47, 73, 45)
}
