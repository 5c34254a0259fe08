package main

var burrowHare = creature{
	family: family{"burrow-hare", "Burrow Hare",
		"A burrow hare has eleven doors and worries about a twelfth. It knows all the news of the hill an hour before it " +
			"happens, because it has already run away from it twice."},
	draw: drawHare,
	looks: [3]look{
		{"Form Leveret",
			coat{main: bark, belly: cream, mark: cocoa, trim: rose, extra: bark, eye: honey},
			coat{main: lilac, belly: pearl, mark: plum, trim: rose, extra: lilac, eye: plum}},
		{"Brindle Hare",
			coat{main: honey, belly: cream, mark: russet, trim: rose, extra: ink, eye: leaf},
			coat{main: tide, belly: foam, mark: deep, trim: coral, extra: sun, eye: sun}},
		{"Wayfarer Hare",
			coat{main: fawn, belly: cream, mark: russet, trim: rose, extra: bark, eye: tide},
			coat{main: snow, belly: snow, mark: frost, trim: rose, extra: berry, eye: berry}},
	},
}

func drawHare(p *pet, n int, c coat) {
	switch n {
	case 1:
		hareForm(p, c)
		return
	case 2:
		hareBoxer(p, c)
		return
	}
	hareBundle(p, c)
	p.part(c.belly, oval(62, 66, 6, 5.4)).matt()
	p.part(c.main, fuse(2, limb(38, 67, 5, 37, 71, 3.4), oval(32.5, 72, 8, 2.8))).dim()
	body := p.part(c.main, fuse(6, oval(49, 62, 12.5, 10.6), limb(45, 50, 9, 46, 57, 9)))
	body.patch(c.belly, fuse(4, oval(41, 56, 6, 8), oval(42, 64, 7, 7)))
	p.part(c.main, limb(39, 52, 3, 33, 56, 2.6, 34, 61, 2.6)).dim()
	thigh := p.part(c.main, fuse(3, ovalAt(54, 64.5, 9.4, 8, -30), oval(46, 72, 10, 3))).soft()
	thigh.crease(edge, 39, 72, 39, 75).crease(edge, 42, 72, 42, 75)
	arm := p.part(c.main, limb(48, 51, 4, 50, 56, 3.6, 43, 60, 3.2)).soft()
	arm.crease(edge, 40, 60, 42, 60)
	p.part(leaf, limb(35, 48, 2.6, 42, 51, 3, 51, 47, 2.6)).crease(dark, 38, 50, 44, 51, 50, 48)
	p.part(leaf, leafAt(38, 50, 34, 61, 6, -1)).flat(0.7).crease(dark, 38, 52, 35, 58)
	p.acts(pose{deg: 9, cx: 46, cy: 50})
	far := p.part(c.main, leafAt(35, 34, 28, 8.8, 9.6, -2)).dim()
	far.patch(c.trim, leafAt(34, 31, 29, 14, 4, -2))
	far.mark(c.extra, oval(27.6, 8, 5, 7))
	near := p.part(c.main, limb(45, 30, 3, 49, 19, 4, 56, 13, 4.2, 64, 17, 4, 67, 24, 2.6, 67.6, 28, 0.8)).flick(46, 32, 8)
	near.patch(c.trim, limb(55, 17, 1.2, 62, 20, 2, 65.6, 26, 1))
	near.mark(c.extra, oval(68, 28, 6, 6))
	hareHead(p, c)
	hareHat(p)
	harePout(p, c, 27, 34)
	p.rests()
	p.anchor("crest", 41, 20)
	p.anchor("tail", 66, 66)
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}

// hareBoxer draws the hare upright, its ears laid back and its fists raised.
func hareBoxer(p *pet, c coat) {
	p.part(c.belly, oval(65, 63, 5.6, 5)).matt()
	p.part(c.main, fuse(2, limb(46, 63, 5.4, 40, 70, 3.4), oval(35, 72.4, 7.6, 2.4))).dim()
	p.acts(pose{dx: 4, dy: 1})
	fist := p.part(c.main, limb(44, 45, 3.2, 34, 49, 2.8, 25, 45, 2.8), oval(22, 43, 4.8, 4.6)).dim()
	fist.crease(edge, 17, 42, 20, 43).crease(edge, 17, 45, 20, 45)
	p.rests()
	body := p.part(c.main, fuse(6, oval(53, 62, 10, 10), limb(53, 58, 8.6, 48, 44, 8)))
	body.patch(c.belly, fuse(4, oval(43, 49, 6, 8), oval(46, 61, 6, 8)))
	thigh := p.part(c.main, fuse(3, ovalAt(57, 63, 8.6, 8, -40), limb(58, 67, 4, 56, 71, 3),
		oval(50.6, 72.4, 8.4, 2.6))).soft()
	stripes := clip(bands(52, 50, 24, 5.6, 2.2), oval(61, 56, 11, 20))
	body.mark(c.mark, stripes)
	thigh.mark(c.mark, stripes)
	thigh.crease(edge, 45, 72, 45, 75).crease(edge, 48, 72, 48, 75)
	far := p.part(c.main, leafAt(46, 22, 64, 11, 9, 2.4)).dim()
	far.mark(c.extra, oval(66, 10, 7, 5))
	near := p.part(c.main, leafAt(52, 26, 77, 21, 10.6, 4)).flick(54, 26, -8)
	near.patch(c.trim, leafAt(56, 25, 73, 21.6, 4.6, 3))
	near.mark(c.extra, oval(79, 21, 7, 6))
	p.posed(pose{dx: 5, dy: -10})
	head := hareHead(p, c)
	head.mark(c.mark, leafAt(40, 33, 40, 25, 3.6, 0), leafAt(44.5, 32, 46, 26, 3, 0))
	harePout(p, c, 27, 34)
	p.posed(pose{})
	p.acts(pose{dx: -5, dy: -2})
	arm := p.part(c.main, limb(50, 47, 4, 46, 56, 3.4, 37, 57, 3), oval(33.6, 56, 5, 4.8))
	arm.crease(edge, 28, 55, 31, 56).crease(edge, 28, 58, 31, 58)
	p.rests()
	p.anchor("crest", 46, 16)
	p.anchor("tail", 68, 62)
	p.anchor("heart", 50, 64)
	p.anchor("feet", 46, 74)
}

func hareHead(p *pet, c coat) *part {
	head := p.part(c.main, fuse(4, oval(41, 37, 12.5, 10.6), oval(34, 41, 9, 7.4),
		leafAt(46, 42, 56, 47, 9, 1))).throw(3).calmly()
	return head.patch(c.belly, fuse(2, oval(35, 48, 9, 4), oval(48, 46, 6, 3)))
}

// hareHat draws a straw hat with two holes for the ears.
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

// harePout draws the face, with one eye wide open.
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

// hareForm draws the young hare, pressed flat to the ground.
func hareForm(p *pet, c coat) {
	p.part(c.belly, oval(69, 60, 5.4, 5)).matt()
	body := p.part(c.main, fuse(6, oval(53, 61, 16, 11.6), oval(40, 62, 11, 9)))
	body.patch(c.belly, oval(42, 72, 18, 4.6))
	p.part(c.main, fuse(2, oval(29, 71.6, 5, 2.8), limb(34, 66, 4, 31, 71, 3)))
	thigh := p.part(c.main, fuse(3, ovalAt(58, 63, 9.6, 8.4, -20), oval(51, 72, 8.4, 2.8))).soft()
	thigh.crease(edge, 45, 72, 45, 75).crease(edge, 48, 72, 48, 75)
	body.mark(c.mark, dots(1.2, 50, 52, 56, 51, 61, 54, 53, 56))
	p.acts(pose{deg: 9, cx: 44, cy: 64})
	far := p.part(c.main, leafAt(37, 46, 55, 36, 9, 3)).dim()
	far.patch(c.trim, leafAt(41, 44.5, 52, 38, 4, 2))
	near := p.part(c.main, leafAt(41, 49, 66, 45, 10, 3)).flick(43, 48, -9)
	near.patch(c.trim, leafAt(45, 48, 61, 45.4, 4.6, 2))
	head := p.part(c.main, fuse(4, oval(34, 54, 12.5, 10.6), oval(27, 58, 9, 7.4),
		leafAt(40, 58, 50, 64, 9, 1))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(28, 65, 9, 4), oval(41, 63, 6, 3)))
	harePout(p, c, 20, 51)
	p.rests()
	p.anchor("crest", 36, 43)
	p.anchor("tail", 72, 60)
	p.anchor("heart", 48, 66)
	p.anchor("feet", 44, 74)
}

// hareBundle draws a cloth bundle on a stick.
func hareBundle(p *pet, c coat) {
	p.part(bark, limb(40, 62, 1.4, 56, 51, 1.4, 72, 39, 1.4)).sharp()
	p.part(ember, leafAt(70, 42, 79, 37, 6, 1), leafAt(69, 42, 62, 35, 6, -1)).flat(0.7)
	sack := p.part(ember, fuse(3, oval(71, 51, 8.4, 8), oval(70, 44, 4, 4)))
	sack.mark(cream, dots(1.3, 67, 49, 73, 47, 75, 53, 69, 55))
	sack.crease(dark, 67, 45, 70, 47, 73, 45)
}
