package main

import "math"

var pebbleMole = creature{
	family: family{"pebble-mole", "Pebble Mole",
		"A pebble mole can tell by touch which mountain a stone fell from, and whether it fell or jumped. It digs towards " +
			"laughter; most of its tunnels end under kitchens."},
	draw: drawMole,
	looks: [3]look{
		{"Hillock Mole",
			coat{main: smoke, belly: pearl, mark: bark, trim: rose, extra: stone, eye: ink},
			coat{main: coral, belly: cream, mark: plum, trim: rose, extra: lilac, eye: ink}},
		{"Cobble Mole",
			coat{main: cocoa, belly: cream, mark: stone, trim: rose, extra: slate, eye: ink},
			coat{main: mint, belly: cream, mark: tide, trim: coral, extra: gold, eye: ink}},
		{"Cairn Mole",
			coat{main: slate, belly: snow, mark: stone, trim: rose, extra: moss, eye: ink},
			coat{main: gold, belly: cream, mark: frost, trim: rose, extra: brook, eye: ink}},
	},
}

func drawMole(p *pet, n int, c coat) {
	switch n {
	case 1:
		moleHill(p, c)
		return
	case 2:
		moleCobble(p, c)
		return
	}
	const y = 34
	p.part(c.trim, limb(60, 69, 2.6, 69, 71, 2, 74, 66, 1))
	moleBack(p, c)
	molePaw(p, c, 19, y, -1)
	p.part(c.trim, oval(34, 72.4, 6.6, 2.6), oval(55, 72.4, 6.6, 2.6))
	body := p.part(c.main, fuse(8, oval(45, 58, 17.5, 14.5), oval(44, 44, 15, 13))).calmly()
	body.patch(c.belly, oval(43, 62, 11, 9.5))
	moleFace(p, c, 0)
	moleCairn(p, c)
	molePaw(p, c, 70, y, 1)
	p.anchor("crest", 45, 12)
	p.anchor("tail", 73, 67)
	p.anchor("heart", 44, 66)
	p.anchor("feet", 45, 74)
}

// moleCobble draws the mole from the side. It digs up a street, and heaps the cobbles behind it.
func moleCobble(p *pet, c coat) {
	moleHeap(p, c)
	p.part(c.trim, limb(58, 58, 2.6, 67, 50, 2.2, 71, 42, 1.8, 76, 39, 1)).sharp().sway(62, 54, 7)
	moleSpade(p, c, 26, 52, true)
	p.part(c.trim, oval(44, 72.4, 6, 2.6), oval(58, 72.4, 7, 2.6))
	body := p.part(c.main, fuse(8, oval(48, 58, 17, 14.6), oval(44, 42, 13, 12.6),
		limb(40, 40, 9.6, 29, 35.6, 5.8, 20, 32.6, 4)))
	body.patch(c.belly, oval(34, 61, 12, 12))
	body.crease(mid, 58, 47, 60, 50, 61, 53).crease(mid, 62, 55, 63, 58, 63, 61).crease(mid, 56, 56, 58, 59, 58, 62)
	moleSpade(p, c, 32, 59.4, false)
	p.anchor("crest", 42, 28)
	p.anchor("tail", 75, 41)
	p.anchor("heart", 46, 64)
	p.anchor("feet", 47, 74)
	p.acts(pose{deg: -4, cx: 44, cy: 50})
	var star []shape
	for _, t := range [][2]float64{{-8.6, 0.6}, {-7, -5.6}, {-1, -8.6}, {5, -6.6}, {5, 6.6}, {-1.4, 8.6}, {-7, 6.4}} {
		star = append(star, limb(19+t[0]*0.3, 32+t[1]*0.3, 2.2, 19+t[0]*0.8, 32+t[1]*0.8, 1.1))
	}
	p.part(c.trim, star...).sharp().throw(1)
	p.part(c.trim, oval(18.4, 32, 3.2, 3.4)).bright().bare().wet()
	p.stamp(37, 33, keys(c.eye), ".KKKK.", "KK..KK", "K....K")
	p.stamp(26, 30, keys(c.eye), ".KK.", "K..K")
	p.stamp(25, 40, keys(c.main, c.trim),
		"o............o",
		".oo........ooo",
		"..oooooooooo..",
		"...oWWMMMMo...",
		"....oMMLMo....",
		".....oooo.....")
	p.stamp(41, 38, keys(c.trim), "mmm.", ".mmm")
	p.rests()
}

// moleHeap draws the cobbles. The uppermost jumps when the mole digs.
func moleHeap(p *pet, c coat) {
	for i, s := range [][4]float64{{71, 53.6, 6, 4.8}, {76, 61, 5, 4.6}, {66, 60, 5.6, 5.2}, {71.6, 67, 6, 5},
		{76.6, 71, 3.6, 3.8}, {64, 69, 5.6, 5.4}} {
		if i == 0 {
			p.acts(pose{dy: -3, deg: 20, cx: s[0], cy: s[1]})
		}
		p.part([]ramp{c.mark, fawn, c.extra}[i%3], ovalAt(s[0], s[1], s[2], s[3], 20)).throw(1).flat(0.7).matt()
		p.rests()
	}
}

// moleSpade draws a digging hand from the side: a spade, with five claws in a fan.
func moleSpade(p *pet, c coat, x, y float64, far bool) {
	if far == (p.phase == 1) {
		y -= 5 * math.Ceil(p.phase)
	}
	var arm *part
	claws := []float64{205, 183, 161, 139, 117}
	long := 13.8
	if far {
		arm = p.part(c.main, limb(x+14, y+1, 5, x+7, y, 4.6, x+3, y, 4)).dim()
		claws, long = []float64{225, 202, 180}, 12.6
	} else {
		arm = p.part(c.main, limb(x+17, y-9, 6, x+11, y-5, 5.6, x+4, y-1, 4.6)).soft()
	}
	arm.mark(c.trim, oval(x, y, 5.4, 6))
	for _, deg := range claws {
		sin, cos := math.Sincos(deg * math.Pi / 180)
		claw := p.part(cream, leafAt(x+cos*1.6, y+sin*1.6, x+cos*long, y+sin*long, 5, 0.6)).sharp().throw(1).bright()
		if far {
			claw.dim()
		}
	}
	palm := p.part(c.trim, fuse(2, ovalAt(x+1.6, y-0.6, 5, 5.6, -25), oval(x-0.6, y+0.6, 4, 4.4)))
	if far {
		palm.dim()
	}
}

// moleFace draws the face: a nose like a star, and closed eyes.
func moleFace(p *pet, c coat, dy float64) {
	p.part(c.belly, move(fuse(3, oval(41, 48, 9.6, 6), oval(41, 44, 6, 4)), 0, dy)).bare().calmly().matt()
	var star []shape
	for _, t := range [][2]float64{{-7.4, -1.6}, {-4.6, -6}, {0, -7.6}, {4.6, -6}, {7.4, -1.6}, {5, 3.6}, {-5, 3.6}} {
		star = append(star, move(leafAt(40.5, 43, 40.5+t[0], 43+t[1], 3.8, 0), 0, dy))
	}
	p.part(c.trim, star...).sharp().throw(1)
	p.part(c.trim, move(oval(40.5, 43, 3, 3), 0, dy)).bright().throw(0).wet()
	iy := int(dy)
	p.stamp(28, 38+iy, keys(c.eye), ".KKK.", "KK.KK", "K...K")
	p.stamp(49, 38+iy, keys(c.eye), ".KKKK.", "KK..KK", "K....K")
	p.stamp(34, 48+iy, keys(c.main, c.trim),
		"o............o",
		".oo........oo.",
		"..ooooooooooo.",
		"...oMWWWWMo...",
		"....oMLLMo....",
		".....oooo.....")
	p.stamp(50, 43+iy, keys(c.trim), "mmm.", ".mmm")
	p.stamp(28, 43+iy, keys(c.trim), ".mm", "mm.")
}

// molePaw draws a raised digging hand. s is -1 on the left and 1 on the right.
func molePaw(p *pet, c coat, x, y, s float64) {
	p.acts(pose{dy: 4 * s})
	arm := p.part(c.main, limb(45+s*14, max(y-1, 52), 5.6, x-s*2, y+2, 5.4))
	for _, a := range [][4]float64{{-5, -2, -10, -6}, {-2.4, -3, -5, -11}, {1.4, -3, 1, -12.4}, {5, -2, 7, -10}} {
		p.part(cream, leafAt(x+s*a[0]*-0.8, y+a[1]*0.6, x-s*a[2], y+a[3], 4.6, 0)).sharp().throw(0).bright()
	}
	palm := p.part(c.trim, fuse(2, oval(x, y+1, 7.6, 6), oval(x, y-1, 6.4, 4)))
	palm.patch(c.belly, oval(x, y+2, 4, 3))
	if s < 0 {
		arm.dim()
	}
	p.rests()
}

// moleBack draws pebbles, set like scales into the fur of the oldest mole.
func moleBack(p *pet, c coat) {
	at := [][4]float64{{57, 34, 4.6, 4}, {61, 41, 5, 4.6}, {63, 64, 5.4, 5}, {31, 34, 4.4, 4}, {28, 41, 4.6, 4.4},
		{27, 64, 5, 5}, {38, 30.6, 4, 3.4}, {51, 30.4, 4.4, 3.6}, {44.5, 29.6, 4.2, 3.4}}
	for i, s := range at {
		r := c.mark
		if i%3 == 1 {
			r = c.extra
		}
		if i%3 == 2 {
			r = brass
		}
		p.part(r, ovalAt(s[0], s[1], s[2], s[3], 30)).throw(1)
	}
}

// moleCairn draws a tower of stones.
func moleCairn(p *pet, c coat) {
	for i, s := range [][5]float64{{44, 29, 11, 4.4, -4}, {45, 22, 8, 4, 6}, {43.6, 15.6, 5.6, 3.6, -8},
		{45, 10.8, 2.8, 2, 0}} {
		r := c.mark
		if i%2 == 1 {
			r = fawn
		}
		rock := p.part(r, ovalAt(s[0], s[1], s[2], s[3], s[4])).throw(1)
		rock.crease(dark, s[0]+s[2]*0.3, s[1]-s[3]*0.5, s[0]+s[2]*0.5, s[1]+s[3]*0.3)
		if i == 0 {
			rock.patch(c.extra, oval(37, 26, 6, 3), leafAt(37, 26, 38, 33, 4, 0))
		}
		if i == 2 {
			rock.patch(c.extra, oval(48, 12.6, 4, 2.4))
		}
	}
}

// moleHill draws the young mole, half out of its hill.
func moleHill(p *pet, c coat) {
	p.part(c.mark, oval(61, 66, 9, 6), oval(26, 66, 9, 6)).dim().matt()
	molePaw(p, c, 68, 57, 1)
	body := p.part(c.main, clip(fuse(6, oval(45, 64, 16, 12), oval(44, 52, 14.5, 12.5)), below(0, 71, 180))).calmly()
	body.patch(c.belly, oval(43, 70, 10, 6))
	moleFace(p, c, 8)
	hill := p.part(c.mark, oval(18, 71, 7, 4), oval(29, 71, 9, 5), oval(44, 72, 11, 4), oval(59, 71, 9, 5),
		oval(69, 72, 7, 3.4)).matt()
	hill.tint(1, dots(1, 24, 70, 37, 71, 50, 70, 64, 70))
	p.acts(pose{dy: -7, dx: 1})
	paw := p.part(c.trim, fuse(2, oval(27, 65, 7.6, 4.6), oval(28.5, 62, 6, 3.4))).matt().throw(1)
	paw.crease(dark, 24, 66, 24, 70).crease(dark, 28, 66, 28, 70).crease(dark, 32, 65, 32, 69)
	p.stamp(19, 67, keys(cream),
		".o...............",
		"oso.oo..oo...oo..",
		"osoosmoosmo.osmo.",
		"oloolmoosmoosmo..",
		".oooldoolmoolmo..",
		"...ooo.oldooldo..",
		"........oo..oo...")
	p.rests()
	for _, s := range [][4]float64{{14, 72.6, 3, 2.2}, {41, 73, 3.6, 2.4}, {48, 73.6, 2.4, 1.6}, {71, 72.6, 3.4, 2.4}} {
		p.part(c.extra, oval(s[0], s[1], s[2], s[3])).throw(1)
	}
	p.part(leaf, leafAt(63, 69, 60, 62, 3, 0), leafAt(64, 69, 67, 61, 3.4, 0)).sharp()
	p.anchor("crest", 44, 39)
	p.anchor("tail", 68, 64)
	p.anchor("heart", 45, 66)
	p.anchor("feet", 44, 74)
	p.ground(11, 77)
}
