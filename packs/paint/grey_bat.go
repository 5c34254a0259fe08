package main

var caveBat = creature{
	family: family{"cave-bat", "Cave Bat",
		"A cave bat hears the shape of a room, a soup or a lie, and giggles at all three. It keeps its cave's echoes in " +
			"good order, and throws the best of them back with one word changed."},
	draw: drawBat,
	looks: [3]look{
		{"Hush Bat",
			coat{main: smoke, belly: pearl, mark: ink, trim: rose, extra: plum, eye: berry},
			coat{main: honey, belly: cream, mark: russet, trim: rose, extra: ember, eye: ember}},
		{"Echo Bat",
			coat{main: ink, belly: lilac, mark: plum, trim: rose, extra: plum, eye: gold},
			coat{main: snow, belly: pearl, mark: frost, trim: rose, extra: coral, eye: berry}},
		{"Geode Bat",
			coat{main: slate, belly: snow, mark: frost, trim: rose, extra: night, eye: tide},
			coat{main: rose, belly: pearl, mark: sun, trim: berry, extra: berry, eye: plum}},
	},
}

func drawBat(p *pet, n int, c coat) {
	if n == 1 {
		batSleepy(p, c)
		return
	}
	if n == 3 {
		p.posed(pose{dy: 4})
	}
	batWing(p, n, c, false)
	batWing(p, n, c, true)
	p.part(c.main, limb(41, 62, 2.6, 40, 68, 1.8), limb(49, 62, 2.6, 50, 68, 1.8))
	p.stamp(37, 68, keys(c.trim), "o.o.o", "mdmdm", "o.o.o")
	p.stamp(48, 68, keys(c.trim), "o.o.o", "mdmdm", "o.o.o")
	body := p.part(c.main, fuse(5, oval(45, 53, 11, 12), oval(45, 44, 11, 8)))
	body.patch(c.belly, oval(44, 56, 6, 6.5))
	p.part(c.belly, leafAt(36, 41, 33, 49, 6, 0), leafAt(40, 41, 39, 52, 7, 0), leafAt(45, 41, 45, 54, 8, 0),
		leafAt(50, 41, 51, 52, 7, 0), leafAt(54, 41, 57, 49, 6, 0)).matt().throw(1)
	batHead(p, n, c, 45, 32)
	p.anchor("crest", 45, 19)
	p.anchor("tail", 73, 62)
	p.anchor("heart", 45, 58)
	p.anchor("feet", 45, 74)
	p.ground(32, 58)
}

// batWing draws an open wing: an arm, its fingers and the skin between them.
func batWing(p *pet, n int, c coat, right bool) {
	first, root, beat := len(p.parts), 39.0, 6.0
	if right {
		root, beat = 51, -6
	}
	p.acts(pose{deg: -3 * beat, cx: root, cy: 44, dx: beat, dy: -3})
	defer func() { p.swayFrom(first, root, 44, beat); p.rests() }()
	side := func(s shape) shape {
		if right {
			return flip(s, 45)
		}
		return s
	}
	line := func(xy ...float64) []float64 {
		if right {
			for i := 0; i < len(xy); i += 2 {
				xy[i] = 90 - xy[i]
			}
		}
		return xy
	}
	if n == 3 {
		geodeWing(p, c, side, right)
		return
	}
	skin := without(poly(0.5, 40, 43, 25, 27, 12, 21, 10, 34, 12, 52, 20, 62, 29, 66, 38, 58),
		join(oval(8, 50, 5, 9), oval(14.5, 63, 6, 8), oval(24.5, 70, 5.4, 8), oval(35, 68, 6, 7)))
	wing := p.part(c.extra, side(skin)).flat(0.6)
	if right {
		wing.dim()
	}
	if n == 2 {
		wing.mark(c.main, side(clip(rings(36, 44, 13, 6.5, 2.4), oval(20, 46, 16, 22))))
	}
	arm := c.main
	for _, f := range [][]float64{{24, 30, 16, 42, 13, 55}, {25, 31, 22, 46, 19, 62}, {26, 32, 29, 48, 29, 63}} {
		wing.thread(arm.at(dark), line(f...)...)
	}
	bone := p.part(arm, side(limb(39, 44, 3.4, 30, 36, 2.4, 24, 29, 2.4, 17, 24, 1.6, 12, 21.5, 1.2))).throw(1)
	if right {
		bone.dim()
	}
	p.part(c.belly, side(poly(0.3, 22, 28, 25, 20, 27, 29))).sharp()
}

// geodeWing draws a raised wing of the geode bat. Its skin has rings like a cut stone, and crystals
// at their centre.
func geodeWing(p *pet, c coat, side func(shape) shape, right bool) {
	skin := without(poly(0.5, 40, 42, 30, 35, 20, 21, 11, 6, 9, 22, 10, 42, 17, 56, 27, 62, 38, 60),
		join(oval(5.6, 32, 5.6, 8), oval(10.6, 51, 6.4, 7.4), oval(21.4, 65, 6, 7.4), oval(34, 66, 6.4, 8.6)))
	wing := p.part(c.main, side(skin)).flat(0.5).matt()
	wing.patch(c.belly, side(grow(skin, -2.6)))
	wing.mark(c.extra, side(grow(skin, -4.4)))
	wing.patch(c.mark, side(grow(skin, -7.4)))
	wing.tint(-1, side(clip(bands(23, 43, 60, 7, 2.4), grow(skin, -8.6))))
	bone := p.part(c.main, side(limb(39, 44, 3.6, 30, 36, 2.8, 20, 22, 2.6, 11.6, 7, 1.4))).throw(1)
	if right {
		wing.dim()
		bone.dim()
	}
	p.part(c.mark, side(batCrystal(21.4, 23, 24, 14))).sharp().wet()
}

// batCrystal returns a pointed crystal from its root at x0, y0 to its tip at x1, y1.
func batCrystal(x0, y0, x1, y1 float64) shape {
	dx, dy := (x1-x0)/10, (y1-y0)/10
	return poly(0.2, x0+dy*1.4, y0-dx*1.4, x0+dx*6+dy*2.2, y0+dy*6-dx*2.2, x1, y1, x0+dx*6-dy*2.2, y0+dy*6+dx*2.2,
		x0-dy*1.4, y0+dx*1.4)
}

func batHead(p *pet, n int, c coat, x, y float64) {
	for _, s := range []float64{-1, 1} {
		ear := p.part(c.main, leafAt(x+s*8, y-4, x+s*17, y-23, 14, s*3))
		ear.patch(c.trim, leafAt(x+s*9, y-5, x+s*15.5, y-18, 8, s*2))
		ear.crease(dark, x+s*11, y-8, x+s*14, y-14)
		ear.flick(x+s*8, y-6, max(s, 0)*9)
	}
	head := p.part(c.main, fuse(3, oval(x, y, 14.5, 12), leafAt(x-6, y+4, x-17, y+9, 8, -1),
		leafAt(x+6, y+4, x+17, y+9, 8, 1), leafAt(x, y-6, x+2, y-17, 7, -1))).throw(3).calmly()
	head.patch(c.belly, oval(x-1, y+9, 8, 4.6))
	if n == 2 {
		head.mark(c.mark, leafAt(x-2, y-5, x-5, y-13, 4, 0), leafAt(x+3, y-5, x+6, y-13, 4, 0))
	}
	if n == 3 {
		for _, t := range [][4]float64{{x - 4, y - 10, x - 7, y - 20}, {x + 4, y - 10, x + 7, y - 20},
			{x, y - 9, x, y - 23}} {
			p.part(c.mark, batCrystal(t[0], t[1], t[2], t[3])).sharp().wet()
		}
	}
	ix, iy := int(x), int(y)
	if n == 1 {
		p.eye(ix-11, iy-2, []string{"K...K", "K...K", ".KKK."}, c.eye)
		p.eye(ix+5, iy-2, []string{"K...K", "K...K", ".KKK."}, c.eye)
	} else {
		p.eye(ix-11, iy-5, []string{"KK....", "KWKKK.", "KWWKKK", "KKKKmK", "KdmlmK", ".KKKK."}, c.eye)
		p.eye(ix+4, iy-5, []string{"....KK", ".KKKWK", "KKWWKK", "KKWKmK", "KdmllK", ".KKKK."}, c.eye)
	}
	p.stamp(ix-3, iy+1, keys(c.trim), ".mm.", "dmmd", ".oo.")
	p.stamp(ix-7, iy+4, keys(c.main, c.trim),
		"o............",
		".oo......ooo.",
		"..oWooooWo..o",
		"..oWMMMMWo...",
		"...oMLLMo....",
		"....oooo.....")
	p.stamp(ix+9, iy+3, keys(c.trim), "mm.", ".mm")
	p.stamp(ix-12, iy+3, keys(c.trim), ".mm", "mm.")
}

// batSleepy draws the young bat, asleep on its feet, its wings half folded.
func batSleepy(p *pet, c coat) {
	p.resize(0.92)
	for _, side := range []func(shape) shape{func(s shape) shape { return flip(s, 45) },
		func(s shape) shape { return s }} {
		root := side(oval(37, 52, 1, 1))
		x := (root.x0 + root.x1) / 2
		wing := p.part(c.extra, side(poly(0.4, 40, 50, 23, 38, 14, 42, 6, 58, 14, 55, 17, 65, 25, 60, 31, 69,
			40, 61))).flat(0.5).sway(x, 52, (45-x)/3)
		wing.tint(-1, side(join(limb(22, 40, 0.7, 14, 48, 0.7, 8, 57, 0.6), limb(23, 40, 0.7, 18, 63, 0.6),
			limb(24, 41, 0.7, 29, 55, 0.7, 31, 67, 0.6))))
		p.part(c.main, side(limb(38, 53, 3.2, 30, 49, 2.6, 22, 40, 2.2))).throw(1).sway(x, 52, (45-x)/3)
		p.part(c.belly, side(poly(0.3, 19.4, 40, 20, 32, 24, 39))).sharp().sway(x, 52, (45-x)/3)
	}
	p.part(c.main, limb(41, 66, 2.8, 39.6, 72, 2), limb(49, 66, 2.8, 50.4, 72, 2))
	p.stamp(37, 72, keys(c.trim), "o.o.o", "mdmdm")
	p.stamp(48, 72, keys(c.trim), "o.o.o", "mdmdm")
	p.part(c.main, fuse(5, oval(45, 59, 10.6, 11), oval(45, 50, 10, 8))).patch(c.belly, oval(44, 61, 6.6, 7))
	p.part(c.belly, leafAt(37, 46, 35, 54, 6, 0), leafAt(42, 46, 41, 57, 7, 0), leafAt(47, 46, 48, 58, 8, 0),
		leafAt(52, 46, 54, 55, 6, 0)).matt().throw(1)
	p.acts(pose{deg: -8, cx: 45, cy: 50, dy: 2})
	batHead(p, 1, c, 45, 35)
	p.rests()
	p.anchor("crest", 45, 22)
	p.anchor("tail", 72, 64)
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}
