package main

import "math"

var capling = creature{
	family: family{"mushroom-capling", "Mushroom Capling",
		"Caplings come up overnight in rings, each certain that it is the only one awake. They are shy of faces but not " +
			"of feet, and follow walkers home in single file, stopping whenever someone turns round."},
	draw: drawCapling,
	looks: [3]look{
		{"Button Capling",
			coat{main: cream, belly: fawn, mark: fawn, trim: coral, extra: bark, eye: cocoa},
			coat{main: mint, belly: snow, mark: snow, trim: rose, extra: tide, eye: tide}},
		{"Scarlet Capling",
			coat{main: cream, belly: snow, mark: snow, trim: rose, extra: ember, eye: ember},
			coat{main: pearl, belly: lilac, mark: sun, trim: rose, extra: plum, eye: plum}},
		{"Lamplit Capling",
			coat{main: lilac, belly: foam, mark: foam, trim: rose, extra: deep, eye: deep},
			coat{main: cream, belly: sun, mark: sun, trim: coral, extra: berry, eye: berry}},
	},
}

func drawCapling(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.84)
	}
	if n > 1 {
		if n == 3 {
			caplingLamps(p, c)
		}
		caplingGills(p, c)
	}
	p.part(c.main, oval(36.5, 72, 5.4, 3)).dim()
	p.part(c.main, oval(52.5, 72, 5.4, 3)).dim()
	stem := p.part(c.main, fuse(4, oval(44.5, 53, 13, 10), oval(44.5, 62, 14, 10.5))).calmly().flat(0.7)
	stem.tint(-1, clip(bands(44.5, 0, 90, 5, 1), oval(44.5, 69, 12, 3)))
	if n == 2 {
		ruff := p.part(c.belly, limb(33, 61, 1.8, 44.5, 63, 2, 56, 61, 1.8), leafAt(36, 61, 33, 68, 6, 0),
			leafAt(41, 62, 40, 69.5, 6, 0), leafAt(48, 62, 49, 69.5, 6, 0), leafAt(53, 61, 56, 68, 6, 0)).flat(0.8)
		ruff.crease(mid, 38, 62, 37, 66)
		ruff.crease(mid, 51, 62, 52, 66)
	}
	p.part(c.main, limb(33, 62.4, 2.6, 28.6, 64.4, 2.6, 27.4, 67, 2.4))
	p.acts(pose{deg: -7, cx: 44.5, cy: 46, dy: -2})
	first := len(p.parts)
	if n == 1 {
		dome := p.part(c.extra, fuse(4, oval(44.5, 33, 20, 17), oval(44.5, 40, 21.5, 6))).throw(3)
		dome.mark(c.mark, without(oval(44.5, 43, 24, 6), oval(44.5, 39.6, 24, 5.6)))
		dome.tint(1, dots(1.4, 36, 26, 53, 30), dots(1, 45, 22, 31, 34, 58, 36))
	}
	if n > 1 {
		caplingCap(p, n, c)
	}
	p.swayFrom(first, 44.5, 50, 2)
	p.rests()
	p.acts(pose{dx: 1, dy: -4})
	p.part(c.main, limb(56, 62, 3, 63, 58, 2.8, 64.6, 50, 2.8))
	p.rests()
	caplingFace(p, c)
	p.anchor("crest", 45, 16)
	p.anchor("tail", 62, 66)
	p.anchor("heart", 45, 66)
	p.anchor("feet", 45, 74)
}

func caplingFace(p *pet, c coat) {
	p.stamp(34, 49, keys(c.eye, c.main), "....D", ".DDD.", ".....", ".KKK.", "KKWWK", "KKWWK", "KdKKK", "KmdKK", ".KKK.")
	p.stamp(49, 49, keys(c.eye, c.main), "D....", ".DDD.", ".....", ".KKK.", "KKWWK", "KKWWK", "KdKKK", "KmdKK", ".KKK.")
	p.stamp(31, 57, keys(c.trim), "lll", "mml")
	p.stamp(54, 57, keys(c.trim), "lll", "lmm")
	p.stamp(42, 57, keys(c.main), "o...o", ".ooo.")
}

// caplingCap draws the open cap of a grown capling, over its head.
func caplingCap(p *pet, n int, c coat) {
	if n == 2 {
		dome := p.part(c.extra, clip(fuse(4, oval(44.5, 38, 26, 26), oval(44.5, 45, 32, 10)),
			oval(44.5, 10, 60, 36.5))).throw(3)
		dome.patch(c.mark, ovalAt(36, 21, 5, 4, -20), oval(54, 18, 3.4, 2.8), oval(61, 32, 4.6, 4.4), oval(47, 31, 4.4, 3.8),
			oval(29, 35, 3.4, 3.8), oval(19, 39, 2.6, 2.6), oval(70, 40, 3, 2.4))
	} else {
		dome := p.part(c.extra, clip(fuse(3, limb(44, 34, 18, 44, 24, 10, 48, 16, 5.4, 55, 13, 3.4, 60, 17, 2),
			oval(44.5, 44, 32, 9)), oval(44.5, 10, 60, 36.5))).throw(3)
		dome.patch(c.mark, oval(34, 30, 3, 3.4), oval(51, 27, 2.4, 2.6), oval(56, 37, 3.4, 3), oval(42, 38, 2.4, 2),
			oval(24, 40, 2.6, 2), oval(69, 42, 2, 1.6), oval(43, 21, 1.8, 1.8))
	}
}

func caplingGills(p *pet, c coat) {
	gills := p.part(c.belly, oval(44.5, 44, 29, 6.4)).dim().matt().flat(0.4)
	for i := range 13 {
		a := math.Pi * (float64(i) + 0.5) / 13
		gills.crease(dark, 44.5-14*math.Cos(a), 44.5+1.5*math.Sin(a), 44.5-30*math.Cos(a), 45+6*math.Sin(a))
	}
}

// caplingLamps draws glowing lamps that hang from the rim of the cap.
func caplingLamps(p *pet, c coat) {
	for _, at := range [][2]float64{{18, 53}, {27, 58}, {62, 58}, {72, 54}} {
		p.part(c.extra, limb(at[0], 45, 0.8, at[0], at[1], 0.8)).sharp()
		p.part(c.mark, leafAt(at[0], at[1]-3, at[0], at[1]+5, 6, 0), oval(at[0], at[1]+2, 2.4, 2.4)).glow()
	}
}
