package main

var stormHawk = creature{
	family: family{"storm-hawk", "Storm Hawk",
		"Storm hawks wait on the edge of bad weather with their wings open, daring it. Shepherds watch which way one " +
			"leans, and are under a roof before the first drop; the hawk stays out, for the thunder."},
	draw: drawHawk,
	looks: [3]look{
		{"Squall Eyas",
			coat{main: smoke, belly: snow, mark: slate, trim: sun, extra: slate, eye: sun},
			coat{main: honey, belly: cream, mark: russet, trim: brook, extra: ember, eye: brook}},
		{"Gale Hawk",
			coat{main: bark, belly: cream, mark: cocoa, trim: sun, extra: deep, eye: gold},
			coat{main: snow, belly: frost, mark: deep, trim: gold, extra: tide, eye: gold}},
		{"Thunderhead Hawk",
			coat{main: night, belly: lilac, mark: ink, trim: sun, extra: plum, eye: sun},
			coat{main: tide, belly: mint, mark: ink, trim: coral, extra: deep, eye: coral}},
	},
}

func drawHawk(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.82)
	}
	hawkTail(p, n, c)
	hawkWing(p, n, c, -1)
	hawkWing(p, n, c, 1)
	for _, x := range []float64{39, 49} {
		p.part(c.main, limb(x, 54, 5, x-0.5, 60, 3.6)).soft()
		p.part(c.trim, limb(x-0.5, 62, 1.8, x-4, 66, 1.2), limb(x-0.5, 62, 1.8, x-0.5, 67, 1.2),
			limb(x-0.5, 62, 1.8, x+3, 66, 1.2)).sharp()
	}
	body := p.part(c.main, fuse(5, oval(44.5, 45, 11.5, 13), oval(44, 36, 10, 9)))
	body.patch(c.belly, oval(42.5, 48, 8, 10))
	if n > 1 {
		for _, v := range [][2]float64{{38, 44}, {44, 44}, {41, 48}, {47, 48}, {38, 52}, {44, 52}} {
			p.stamp(int(v[0]), int(v[1]), keys(c.mark), "m.m", ".m.")
		}
	}
	if n == 1 {
		eyasHead(p, c)
	} else {
		hawkHead(p, n, c)
	}
	p.anchor("crest", 43, 16)
	p.anchor("tail", 63, 69)
	p.anchor("heart", 44, 54)
	p.anchor("feet", 44, 68)
	p.ground(32, 57)
}

// hawkWing draws a wing: the feathers and, over them, the arm. s is -1 on the left and 1 on the
// right.
func hawkWing(p *pet, n int, c coat, s float64) {
	first := len(p.parts)
	p.acts(pose{deg: s * 20, cx: 45 + s*6, cy: 40, dx: s * -4})
	defer func() { p.swayFrom(first, 45+s*6, 40, s*-4); p.rests() }()
	at := func(x float64) float64 { return 45 + s*x }
	arm, tips := hawkReach(n)
	for i := len(tips) - 1; i >= 0; i-- {
		t := tips[i]
		k := float64(i) / float64(len(tips))
		x0, y0 := arm[2][0]+1-16*k, arm[2][1]+1+(38-arm[2][1])*k
		f := p.part(c.extra, leafAt(at(x0), y0, at(t[0]), t[1], 9, 0)).flat(0.75).throw(1)
		if n == 2 {
			f.mark(c.mark, oval(at(t[0]), t[1], 5, 5))
		}
		if n == 3 {
			f.patch(c.trim, oval(at(t[0]), t[1], 3.6, 3.6))
		}
		if s < 0 {
			f.dim()
		}
	}
	thick, down := 1.0, arm[:3]
	if n == 1 {
		thick, down = 0.7, arm[:2]
	}
	q := p.part(c.main, limb(at(arm[0][0]), arm[0][1], 6*thick, at(arm[1][0]), arm[1][1], 5*thick, at(arm[2][0]),
		arm[2][1], 4*thick, at(arm[3][0]), arm[3][1], 2.2*thick)).throw(3)
	for i, a := range down {
		w := (6 - float64(i)*0.4) * thick
		b := p.part(c.main, leafAt(at(a[0]+1), a[1], at(a[0]+5), a[1]+8, w, 0), leafAt(at(a[0]+4), a[1]-3, at(a[0]+9),
			a[1]+3, w, 0)).throw(2).soft()
		if s < 0 {
			b.dim()
		}
	}
	if s < 0 {
		q.dim()
	}
	if n == 2 {
		q.mark(c.mark, dots(1.3, at(arm[1][0]), arm[1][1], at(arm[2][0]), arm[2][1], at(arm[0][0]+4), arm[0][1]-3))
	}
}

// hawkReach returns the joints of look n's wing and the tips of its feathers.
func hawkReach(n int) (arm, tips [][2]float64) {
	switch n {
	case 1:
		return [][2]float64{{6, 40}, {13, 36}, {20, 30}, {26, 22}}, [][2]float64{{33, 14}, {37.6, 23}, {37.6, 33}, {33, 42},
			{25, 49}}
	case 2:
		return [][2]float64{{6, 40}, {14, 37}, {22, 32}, {29, 25}}, [][2]float64{{35, 17}, {36.6, 28}, {36.4, 39}, {33, 48},
			{26, 55}, {17, 60}}
	}
	return [][2]float64{{6, 39}, {13, 33}, {20, 25}, {26, 17}}, [][2]float64{{34.5, 11}, {36, 21}, {36, 31}, {33, 40},
		{27, 48}, {20, 54}, {13, 57}}
}

// hawkTail draws a fan of feathers that points to the lower right. On look 3, a bolt of lightning
// is behind it.
func hawkTail(p *pet, n int, c coat) {
	if n == 3 {
		p.part(c.trim, poly(0.4, 50, 52, 59, 56, 56, 61, 66, 62, 62.6, 66.6, 74, 75.4, 55, 70.4, 58, 66, 48,
			63)).sharp().flat(0.6)
	}
	for i, t := range [][2]float64{{65, 68}, {46, 74}, {61, 72.6}, {50.6, 75}, {56, 74.8}} {
		if n == 3 && i > 2 {
			break
		}
		f := p.part(c.extra, leafAt(46, 48, t[0], t[1], 9, 0)).flat(0.6)
		switch {
		case n == 2:
			f.mark(c.mark, clip(rings(46, 48, 12, 6, 2.4), oval(t[0], t[1], 12, 12)))
			f.patch(c.belly, oval(t[0], t[1], 3, 3))
		case n == 1:
			f.patch(c.belly, oval(t[0], t[1], 3.4, 3.4))
		}
		if i < 2 {
			f.dim()
		}
	}
}

// eyasHead draws the head of a fledgling: large, downy and round-eyed.
func eyasHead(p *pet, c coat) {
	p.part(c.main, leafAt(43, 20, 39, 9, 5, 1), leafAt(45, 20, 48, 7, 6, -1), leafAt(48, 21, 56, 12, 5, -1)).sharp()
	head := p.part(c.main, fuse(3, oval(43, 28, 15, 13), oval(42, 34, 14.6, 9)), leafAt(54, 36, 61, 40, 7, 0),
		leafAt(51, 40, 57, 45, 7, 0), leafAt(31, 38, 25, 42, 7, 0), leafAt(35, 41, 31, 46, 6, 0)).throw(3).calmly().flat(0.7)
	head.patch(c.belly, fuse(2, oval(35, 34, 8, 8), oval(50, 34, 8.4, 8)), oval(42, 41, 9, 3.4))
	p.part(c.trim, fuse(1, poly(0.8, 37, 34, 45, 34, 43.6, 38, 41, 42, 38, 38.6))).throw(1).sharp()
	p.stamp(38, 38, keys(c.trim), "ooooo.")
	p.stamp(30, 29, keys(c.eye), ".KKKK.", "KKKKKK", "KWWKKK", "KWWKmK", "KKKmmK", "KKmmlK", ".KKKK.")
	p.stamp(47, 29, keys(c.eye), ".KKKK.", "KKKKKK", "KWWKKK", "KWWKmK", "KKKmmK", "KKmmlK", ".KKKK.")
	p.stamp(29, 27, keys(c.mark), "oo....", "..oo..")
	p.stamp(49, 27, keys(c.mark), "....oo", "..oo..")
}

func hawkHead(p *pet, n int, c coat) {
	switch n {
	case 2:
		p.part(c.mark, leafAt(48, 24, 61, 17, 7, 1), leafAt(50, 28, 63, 25, 6, 1))
	case 3:
		p.part(c.trim, poly(0.4, 42, 21, 47, 9.8, 50, 16, 57, 9.8, 57, 16, 65, 13, 60, 20, 66, 22, 53, 28)).sharp().flat(0.6)
	}
	head := p.part(c.main, fuse(3, oval(43, 28, 12, 10.5), oval(41, 33, 11, 8))).throw(3).calmly().flat(0.7)
	head.patch(c.belly, oval(37, 35, 8, 5), oval(49, 35, 5, 4))
	if n == 3 {
		head.mark(c.mark, oval(41, 22, 9, 5))
	}
	p.part(c.trim, fuse(1, poly(0.6, 33, 30, 41, 30, 39, 35, 36, 37, 36, 41, 32.6, 38))).throw(1).sharp()
	p.stamp(32, 34, keys(c.trim), "....ooo", "..oo...")
	p.stamp(29, 25, keys(c.eye, c.main), "KK....", ".KKK..", ".KWKKK", ".KWmmK", "..KKK.")
	p.stamp(42, 25, keys(c.eye, c.main), "....KKK", "..KKKK.", "KKKWWK.", "KmmKWK.", ".KmKK..", "..KK...")
}
