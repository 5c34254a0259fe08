package main

var tuftedLynx = creature{
	family: family{"tufted-lynx", "Tufted Lynx",
		"It hears snow decide to fall. A tufted lynx will sit with you for an evening at precisely the distance it chose " +
			"before you arrived, and considers this an embrace."},
	draw: drawLynx,
	looks: [3]look{
		{"Tassel Kitten",
			coat{main: fawn, belly: cream, mark: bark, trim: rose, extra: ink, eye: leaf},
			coat{main: rose, belly: pearl, mark: berry, trim: coral, extra: plum, eye: plum}},
		{"Dapple Lynx",
			coat{main: stone, belly: snow, mark: ink, trim: rose, extra: ink, eye: sun},
			coat{main: sun, belly: cream, mark: russet, trim: coral, extra: russet, eye: leaf}},
		{"Winter Regent",
			coat{main: frost, belly: snow, mark: deep, trim: rose, extra: night, eye: sun},
			coat{main: night, belly: lilac, mark: ink, trim: rose, extra: gold, eye: gold}},
	},
}

func drawLynx(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.resize(0.84)
	case 3:
		lynxRegent(p, c)
		return
	}
	tail := p.part(c.main, limb(60, 66, 4.6, 69, 65, 4.6, 74, 59, 4.2, 74, 54, 3))
	tail.mark(c.extra, below(0, 58, 180))
	body := p.part(c.main, fuse(7, oval(51, 60, 13.5, 13.5), limb(44, 46, 10, 42, 56, 10)))
	far := p.part(c.main, fuse(2, limb(38, 52, 5, 36, 64, 4, 36, 71, 3.8), oval(34.5, 72.4, 4.8, 2.6)))
	body.patch(c.belly, oval(38, 51, 7, 12))
	haunch := p.part(c.main, fuse(3, oval(57, 64, 9.4, 9), oval(52, 72.2, 7, 2.8))).soft()
	near := p.part(c.main, fuse(2, limb(46, 52, 5.4, 45, 64, 4.4, 45, 71, 4.2), oval(43.5, 72.4, 5.2, 2.6)))
	for _, x := range []float64{33, 36} {
		far.crease(edge, x, 72, x, 75)
	}
	for _, x := range []float64{42, 45} {
		near.crease(edge, x, 72, x, 75)
	}
	haunch.crease(edge, 49, 72, 49, 75)
	if n >= 2 {
		spots := dots(1.5, 54, 51, 60, 55, 53, 58, 62, 62, 56, 65, 60, 70, 50, 65, 66, 65, 49, 49, 57, 60)
		for _, q := range []*part{body, haunch, tail} {
			q.mark(c.mark, spots)
		}
		for _, q := range []*part{near, far} {
			q.mark(c.mark, clip(bands(0, 60, 8, 5, 1.8), below(0, 57, 0)))
		}
	}
	lynxRuff(p, n, c)
	p.acts(pose{deg: -8, cx: 42, cy: 46})
	lynxHead(p, n, c)
	p.rests()
	p.anchor("crest", 39, 20)
	p.anchor("tail", 74, 55)
	p.anchor("heart", 45, 62)
	p.anchor("feet", 46, 74)
}

// lynxRegent draws the regent, lying down.
func lynxRegent(p *pet, c coat) {
	tail := p.part(c.main, limb(70, 66, 4.4, 75.6, 61, 4.2, 76, 52, 4, 72, 47, 2.8))
	tail.mark(c.extra, below(0, 53, 180))
	far := p.part(c.main, fuse(2, limb(40, 64, 5.2, 28, 70, 4.2), oval(20, 71.6, 6.6, 3.2))).dim()
	body := p.part(c.main, fuse(7, limb(44, 58, 12, 56, 62, 11, 65, 64, 9.6)))
	body.patch(c.belly, oval(52, 74, 16, 4))
	haunch := p.part(c.main, fuse(3, oval(65, 64.6, 9, 9), oval(60, 72, 9, 3))).soft()
	near := p.part(c.main, fuse(2, limb(46, 64, 5.6, 38, 71, 4), oval(29, 72.2, 7.4, 3.2)))
	far.crease(edge, 16, 71, 16, 74).crease(edge, 19, 71, 19, 74)
	near.crease(edge, 24, 72, 24, 75).crease(edge, 27, 72, 27, 75)
	haunch.crease(edge, 54, 72, 54, 75).crease(edge, 57, 72, 57, 75)
	for _, q := range []*part{body, haunch, tail} {
		q.mark(c.mark, dots(1.5, 58, 55, 64, 58, 60, 62, 68, 63, 63, 67, 70, 68, 75, 58, 54, 58))
	}
	p.posed(pose{dx: 2, dy: 5})
	lynxRuff(p, 3, c)
	p.acts(pose{deg: -8, cx: 44, cy: 50})
	lynxHead(p, 3, c)
	p.rests()
	p.posed(pose{})
	p.anchor("crest", 41, 25)
	p.anchor("tail", 73, 49)
	p.anchor("heart", 46, 64)
	p.anchor("feet", 44, 74)
}

// lynxRuff draws the fur of the chest. On the regent it is a mantle.
func lynxRuff(p *pet, n int, c coat) {
	if n == 3 {
		mantle := p.part(c.belly, leafAt(52, 40, 69, 50, 13, 3), leafAt(51, 42, 64, 58, 13, 3), leafAt(48, 42, 56, 63, 12, 2),
			leafAt(28, 42, 19, 53, 10, -2), leafAt(32, 42, 25, 60, 11, -2)).bright().matt()
		mantle.crease(mid, 54, 45, 62, 50).crease(mid, 52, 47, 59, 56).crease(mid, 28, 46, 23, 52)
		p.part(c.belly, leafAt(36, 42, 32, 64, 11, -1), leafAt(46, 42, 48, 65, 11, 1),
			leafAt(41, 42, 40, 68, 12, 0)).bright().matt().
			crease(mid, 36, 46, 34, 57).crease(mid, 41, 47, 40, 61).crease(mid, 46, 46, 47, 58)
		return
	}
	p.part(c.belly, leafAt(34, 42, 31, 53, 7, -1), leafAt(46, 42, 46, 54, 8, 1),
		leafAt(39, 42, 38, 58, 9, 0)).matt().soft()
}

func lynxHead(p *pet, n int, c coat) {
	lynxEar(p, n, c, -1)
	lynxEar(p, n, c, 1)
	cheeks := []shape{leafAt(48, 34, 63, 43, 11, 1), leafAt(46, 37, 57, 50, 10, 1), leafAt(29, 34, 16, 42, 10, -1),
		leafAt(30, 37, 20, 49, 9, -1)}
	ruff := p.part(c.main, fuse(1, cheeks...)).throw(3)
	ruff.patch(c.belly, below(0, 42, 0))
	if n >= 2 {
		ruff.mark(c.mark, limb(53, 37, 1.2, 61, 42, 0.8), limb(51, 42, 1.2, 56, 48, 0.8), limb(25, 38, 1.2, 18, 42, 0.8),
			limb(26, 43, 1.2, 21, 48, 0.8))
	}
	head := p.part(c.main, fuse(3, oval(39, 32, 14.5, 11.5), oval(37, 37, 13, 8))).calmly().soft()
	head.patch(c.belly, oval(35, 44, 9, 3.6))
	head.patch(c.belly, oval(28, 30, 3.4, 1.6), oval(47, 30, 3.8, 1.6))
	head.mark(c.mark, leafAt(36, 28, 35, 19, 3.4, 0), leafAt(40.5, 28, 42, 19, 3.4, 0))
	if n >= 2 {
		head.mark(c.mark, leafAt(31, 26, 29, 20, 3, 0), leafAt(46, 26, 49, 20, 3, 0))
	}
	p.part(c.belly, fuse(2, oval(32.5, 40, 5, 4), oval(38.5, 40, 5.4, 4))).bare().calmly().matt()
	p.stamp(25, 31, keys(c.eye, c.main), "KKKK.", "KllKK", "KdKWK", ".KKKK", "...K.")
	p.stamp(42, 31, keys(c.eye, c.main), "..KKKK", "KKKllK", "KWKKdK", "KKKKK.", ".K....")
	p.stamp(33, 36, keys(c.trim, ink, c.belly),
		"OmmmO",
		".OmO.",
		"..O..",
		".0O0.",
		"0...0")
	p.stamp(29, 41, keys(c.belly), "d.d")
	p.stamp(39, 41, keys(c.belly), "d.d")
}

// lynxEar draws an ear with its tuft. The regent has the longest.
func lynxEar(p *pet, n int, c coat, s float64) {
	x := 39 + s*10.5
	tip := x + s*5
	first := len(p.parts)
	switch n {
	case 3:
		p.part(c.extra, leafAt(tip-s*1.5, 21, tip+s*6.4, 6, 4.8, s*1.6)).sharp()
	case 2:
		p.part(c.extra, leafAt(tip-s*1.5, 21, tip+s*5, 9, 4.6, s)).sharp()
	default:
		p.part(c.extra, leafAt(tip-s*1.5, 21, tip+s*3, 11, 4.6, s)).sharp()
	}
	ear := p.part(c.main, leafAt(x-s*2, 31, tip, 15, 13, s))
	ear.mark(c.extra, oval(tip+s, 15, 5, 4))
	ear.patch(c.trim, leafAt(x-s*1, 30, tip-s*1, 20, 6, s))
	if s < 0 {
		ear.dim()
		return
	}
	p.flickFrom(first, x-2, 30, 9)
}
