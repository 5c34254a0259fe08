package main

var cragBear = creature{
	family: family{"crag-bear", "Crag Bear Cub",
		"A crag bear cub picks one boulder and refuses to be moved from it, not for rain, not for supper. By spring the " +
			"two have grown together a little, and the hill has quietly agreed that the cub was there first."},
	draw: drawBear,
	looks: [3]look{
		{"Scree Cub",
			coat{main: bark, belly: cream, mark: cocoa, trim: rose, extra: stone, eye: cocoa},
			coat{main: frost, belly: snow, mark: deep, trim: rose, extra: gold, eye: deep}},
		{"Ledge Bear",
			coat{main: slate, belly: snow, mark: moss, trim: rose, extra: stone, eye: brook},
			coat{main: honey, belly: cream, mark: mint, trim: coral, extra: brook, eye: ember}},
		{"Summit Bear",
			coat{main: fawn, belly: cream, mark: leaf, trim: rose, extra: slate, eye: honey},
			coat{main: mint, belly: cream, mark: tide, trim: coral, extra: lilac, eye: tide}},
	},
}

func drawBear(p *pet, n int, c coat) {
	switch n {
	case 1:
		bearCub(p, c)
	case 2:
		bearLedge(p, c)
	case 3:
		bearSummit(p, c)
	}
}

// bearCub draws the cub, which sits on its boulder.
func bearCub(p *pet, c coat) {
	p.resize(0.9)
	p.part(c.main, oval(64, 54, 4.4, 4.2)).dim()
	p.part(c.main, fuse(2, limb(45, 54, 6, 36, 57, 5), oval(31, 55, 4, 5.6))).dim()
	rock := p.part(c.extra, poly(1.6, 22, 70, 27, 62, 38, 59, 62, 58, 70, 63, 73, 69, 68, 73, 27, 73)).flat(0.6).matt()
	rock.tint(1, poly(0, 20, 60, 46, 56, 66, 56, 60, 64, 44, 66, 28, 64))
	rock.tint(-1, poly(0, 60, 64, 66, 57, 80, 62, 76, 76, 56, 76))
	rock.crease(dark, 28, 64, 35, 65, 44, 66, 60, 64).crease(dark, 60, 64, 58, 69, 56, 74)
	rock.crease(dark, 40, 66, 38, 70, 41, 74)
	body := p.part(c.main, fuse(6, oval(51, 51, 12.5, 10.6), oval(48, 43, 11, 8)))
	body.patch(c.belly, oval(42, 50, 7, 9))
	leg := p.part(c.main, fuse(3, oval(52, 56, 8.4, 6.6), limb(48, 58, 5.4, 38, 61, 4.6), oval(34, 60, 4.6, 6))).soft()
	leg.patch(c.trim, oval(32.6, 61.6, 2.4, 3))
	leg.patch(c.trim, dots(1.1, 31, 56.6, 34, 55.6, 36.6, 57.4))
	arm := p.part(c.main, limb(54, 43, 5.4, 53, 50, 5, 45, 54, 4.4))
	arm.crease(edge, 41, 53, 44, 53).crease(edge, 41, 56, 44, 56)
	p.acts(pose{deg: 8, cx: 46, cy: 42})
	p.posed(pose{dx: 2, dy: -3})
	bearHead(p, c)
	p.posed(pose{})
	p.rests()
	p.anchor("crest", 42, 13)
	p.anchor("tail", 66, 53)
	p.anchor("heart", 48, 50)
	p.anchor("feet", 46, 73)
}

// bearHead draws the head of a grown bear, with its long snout to the left.
func bearHead(p *pet, c coat) {
	p.part(c.main, oval(30, 19, 5, 5)).dim().patch(c.trim, oval(30, 20, 2.4, 2.4)).flick(33, 24, -9)
	p.part(c.main, oval(51, 19, 6, 5.8)).patch(c.trim, oval(50.6, 20.4, 3.2, 3.2)).sway(47, 25, 9)
	p.part(c.main, fuse(5, oval(40, 30, 14.5, 12), oval(38, 35, 15, 8.5), leafAt(48, 35, 59, 41, 8, 1),
		leafAt(47, 38, 54, 46, 7, 1))).throw(3).calmly()
	p.part(c.belly, fuse(3, oval(28, 37, 8.4, 5.6), oval(31, 33, 5, 5))).bare().calmly().matt()
	p.eye(26, 26, []string{".KK.", "KWWK", "KWKK", "KmlK", ".KK."}, c.eye)
	p.eye(39, 26, []string{".KKK.", "KWWKK", "KWKKK", "KdmlK", ".KKK."}, c.eye)
	p.stamp(25, 23, keys(c.main), "oo...", "ooooo", "..ooo")
	p.stamp(38, 23, keys(c.main), "....ooo", ".ooooo.", "ooo....")
	p.stamp(21, 31, keys(ink, c.belly),
		"..ooooo..",
		".olmoooo.",
		".omooooo.",
		"..ooooo..",
		"....O....",
		"....O...O",
		"..OO.OOO.")
	p.stamp(45, 34, keys(c.trim), "mm.", ".mm")
}

// bearLeg draws a leg from x, y to a foot that points to the left, with three claws.
func bearLeg(p *pet, c coat, x, y, r float64) *part {
	q := p.part(c.main, fuse(3, limb(x, y, r, x-0.5, 69, r-2), oval(x-3, 71.6, 7, 3.4)))
	q.crease(edge, x-6, 71, x-6, 74).crease(edge, x-3, 71, x-3, 74)
	p.stamp(int(x)-10, 73, keys(cream), "l..l..l")
	return q
}

// bearLedge draws the bear on its hind legs, with a raised paw and slabs of rock on its shoulder.
func bearLedge(p *pet, c coat) {
	p.part(c.main, oval(64, 66, 4.4, 4.2)).dim()
	bearLeg(p, c, 37, 64, 7).dim()
	bearLeg(p, c, 57, 64, 7.6)
	far := p.part(c.main, fuse(2, limb(34, 49, 5.4, 25, 55, 4.8, 19, 51, 4.4), oval(17, 49, 4.6, 4.8))).dim()
	far.crease(edge, 13, 48, 16, 48).crease(edge, 13, 51, 16, 51)
	p.stamp(11, 45, keys(cream), ".s", "..", "..", "sl", "..", "..", ".s")
	body := p.part(c.main, fuse(7, oval(45, 58, 15.6, 13.4), oval(43, 48, 13, 10)))
	body.patch(c.belly, oval(41, 62, 9.6, 9), leafAt(41, 54, 31, 45, 6, 0), leafAt(41, 54, 53, 46, 6, 0))
	arm := p.part(c.main, fuse(2, limb(57, 49, 6.4, 61, 57, 5.6, 55, 64, 5), oval(53, 65, 5.4, 4.6)))
	arm.crease(edge, 50, 66, 50, 70).crease(edge, 53, 67, 53, 70)
	p.stamp(48, 68, keys(cream), "l..l..l", "s..s..s")
	bearSlabs(p, c, [][5]float64{{66, 46, 11, 3.2, -4}, {68, 40, 8, 3, 4}, {67, 35, 4.6, 2.4, -4}})
	p.acts(pose{deg: 8, cx: 44, cy: 46})
	bearHead(p, c)
	p.rests()
	p.anchor("crest", 40, 16)
	p.anchor("tail", 66, 66)
	p.anchor("heart", 46, 60)
	p.anchor("feet", 45, 74)
}

// bearSlabs draws flat stones with moss on them.
func bearSlabs(p *pet, c coat, at [][5]float64) {
	for _, s := range at {
		x, y, w, h, deg := s[0], s[1], s[2], s[3], s[4]
		all := turn(poly(0.8, x-w, y, x-w+2.4, y-h, x+w-1.6, y-h, x+w, y+0.6, x+w-3, y+h, x-w+3.4, y+h), x, y, deg)
		slab := p.part(c.extra, all).flat(0.5).throw(2).matt()
		slab.patch(c.mark, turn(wavy(below(x, y-h*0.4, 180), 0.6, 6), x, y, deg))
	}
}

// bearSummit draws the old bear on all fours. A mountain has grown on its back.
func bearSummit(p *pet, c coat) {
	p.part(c.main, oval(77, 56.6, 3.4, 3.6)).dim()
	bearLeg(p, c, 32, 58, 6).dim()
	bearLeg(p, c, 65, 58, 6).dim()
	body := p.part(c.main, fuse(8, oval(61, 53, 17.5, 9.6), oval(44, 51, 15, 11.5)))
	body.patch(c.belly, oval(56, 62.6, 12, 3))
	bearLeg(p, c, 74, 56, 7).soft()
	bearLeg(p, c, 45, 56, 7).soft()
	bearPeak(p, c, 67, 10, 52, 81, 51)
	bearPeak(p, c, 53, 30, 43, 64, 53)
	for _, at := range [][2]int{{57, 44}, {63, 46}, {72, 45}} {
		p.stamp(at[0], at[1], keys(c.mark), "..o..", ".olo.", ".omo.", "olmdo", "ommdo", ".ooo.")
	}
	p.acts(pose{deg: 9, cx: 42, cy: 52})
	bearOldHead(p, c)
	p.rests()
	p.anchor("crest", 30, 33)
	p.anchor("tail", 80, 56)
	p.anchor("heart", 54, 60)
	p.anchor("feet", 50, 74)
}

// bearPeak draws a mountain with its top at x, y. Its foot has points, and reaches from x0 to x1.
func bearPeak(p *pet, c coat, x, y, x0, x1, foot float64) {
	w := x1 - x0
	all := poly(0.6, x, y, x+3, y+6, x+6, y+8, x1, foot-3, x1-w*0.1, foot+1, x1-w*0.2, foot-1, x1-w*0.34, foot+4,
		x1-w*0.48, foot, x1-w*0.62, foot+3, x1-w*0.78, foot-1, x0+w*0.1, foot+1, x0, foot-3, x-7, y+12, x-4, y+7)
	q := p.part(c.extra, all).flat(0.3).sharp().matt()
	q.tint(-1, poly(0, x+1, y-2, x+1, y+9, x+5, y+16, x+2, y+24, x+5, foot+6, x1+9, foot+6, x+9, y+2))
	q.patch(snow, clip(all, poly(0, x, y-3, x+10, y+8, x+9, y+14, x+5, y+11, x+3, y+15, x, y+11, x-4, y+15, x-6, y+12,
		x-10, y+13)))
}

// bearOldHead draws the low head of the old bear, from the side, with snowy brows and a beard.
func bearOldHead(p *pet, c coat) {
	p.part(c.main, oval(23, 37.4, 4, 3.6)).dim().patch(c.trim, oval(23, 38, 2, 1.8)).flick(25, 40, -9)
	p.part(c.main, oval(43, 38, 5.2, 4.8)).patch(c.trim, oval(42.6, 39.2, 2.8, 2.6)).sway(40, 42, 9)
	p.part(c.main, fuse(5, oval(33, 47, 14, 10.6), oval(29, 51, 13, 8.4), limb(26, 50, 8, 17, 53, 6), leafAt(40, 50, 50, 57,
		8, 1), leafAt(39, 53, 46, 62, 7, 1))).throw(3).calmly()
	for _, t := range [][5]float64{{36, 57, 40, 67, 6}, {17, 57, 15, 66, 5}, {31, 58, 34, 70, 7}, {22, 58, 20, 70, 6},
		{26, 58, 27, 73, 7}} {
		p.part(c.belly, leafAt(t[0], t[1], t[2], t[3], t[4], 0.6)).flat(0.8).sharp().throw(1)
	}
	p.part(c.belly, fuse(3, limb(25, 54, 6, 16, 55, 4.6), oval(31, 56, 5, 3.4))).bare().calmly().matt()
	p.stamp(18, 44, keys(c.eye, c.main), "OOO.", "KKKK", "KWmK", ".KK.")
	p.stamp(32, 44, keys(c.eye, c.main), ".OOOO", "KKKKK", "KWdmK", ".KKK.")
	p.part(cream, leafAt(31, 42.6, 43, 40.4, 5, -1), leafAt(24, 42.6, 14.6, 41, 4.6, 1)).bright().matt().sharp().throw(1)
	p.stamp(9, 49, keys(ink), "..oooo.", ".olmooo", "ollmooo", "omooooo", ".ooooo.")
	p.stamp(12, 54, keys(ink, c.belly), ".O.........", ".O.......O.", "..OOOOOOO..")
	p.stamp(38, 51, keys(c.trim), "mm.", ".mm")
}
