package main

import "math"

var dawnFox = creature{
	family: family{"dawn-fox", "Dawn Fox",
		"It runs one hour ahead of the sun, all round the world, and wakes the birds in the right order. Whoever has seen " +
			"a dawn fox leap keeps a little morning in the voice for the rest of the day."},
	draw: drawDawnFox,
	looks: [3]look{
		{"First Blush",
			coat{main: rose, belly: cream, mark: plum, trim: coral, extra: sun, eye: plum},
			coat{main: foam, belly: snow, mark: deep, trim: mint, extra: sun, eye: deep}},
		{"Morning Runner",
			coat{main: coral, belly: cream, mark: plum, trim: rose, extra: sun, eye: tide},
			coat{main: lilac, belly: pearl, mark: night, trim: frost, extra: rose, eye: night}},
		{"Bringer of Day",
			coat{main: coral, belly: snow, mark: berry, trim: lilac, extra: sun, eye: brook},
			coat{main: deep, belly: frost, mark: night, trim: plum, extra: coral, eye: sun}},
	},
}

func drawDawnFox(p *pet, n int, c coat) {
	switch n {
	case 1:
		dawnKit(p, c)
		return
	case 3:
		dawnBringer(p, c)
		return
	}
	dawnTail(p, c)
	sock := func(q *part, x0, y0, r float64) { q.mark(c.mark, oval(x0, y0, r, r)) }
	p.strides(p.hind, 58, 54, -76)
	farHind := p.part(c.main, fuse(2, limb(57, 55, 5.6, 60, 63, 3.8, 66, 67, 2.8, 72, 69, 2.4), oval(75, 70, 3.2, 2.4))).dim()
	sock(farHind, 74, 70, 7)
	p.strides(p.fore, 38, 46, 80)
	farFore := p.part(c.main, fuse(2, limb(39, 46, 4.6, 30, 54, 3.2, 22, 59, 2.6), oval(19, 60.6, 3.4, 2.6))).dim()
	sock(farFore, 19, 61, 6)
	p.rests()
	body := p.part(c.main, fuse(6, limb(33, 42, 9, 44, 45, 9, 57, 50, 8.6), limb(34, 40, 8, 28, 35, 7)))
	body.patch(c.belly, fuse(3, leafAt(24, 38, 34, 57, 12, -2), limb(38, 56, 3, 52, 59, 2.4)))
	p.strides(p.fore, 36, 47, 80)
	fore := p.part(c.main, fuse(2, limb(36, 47, 5, 25, 51, 3.4, 16, 49.6, 2.6), oval(13, 49, 3.4, 2.8)))
	sock(fore, 13, 49, 7)
	fore.crease(edge, 9, 49, 12, 49)
	p.strides(p.hind, 58, 53, -76)
	thigh := p.part(c.main, fuse(3, ovalAt(58, 53, 9.4, 8, 24), limb(63, 57, 5.4, 68, 60, 3.4, 73, 60.4, 2.6),
		oval(77, 61, 3.2, 2.6))).soft()
	sock(thigh, 76, 61, 6.6)
	thigh.crease(edge, 78, 61, 81, 61)
	rays := clip(rings(26, 62, 24, 6, 2), below(0, 56, 180))
	body.mark(c.extra, clip(rays, oval(52, 46, 14, 9)))
	thigh.mark(c.extra, clip(rays, oval(58, 50, 12, 6)))
	p.rests()
	p.acts(pose{deg: 10, cx: 33, cy: 40})
	dawnHead(p, n, c, 27, 31)
	p.rests()
	p.anchor("crest", 30, 18)
	p.anchor("tail", 76, 30)
	p.anchor("heart", 44, 58)
	p.anchor("feet", 46, 74)
	p.ground(31, 66)
}

func dawnHead(p *pet, n int, c coat, x, y float64) {
	far := p.part(c.main, leafAt(x-8, y-3, x-14, y-22, 11, -1)).dim()
	far.mark(c.mark, oval(x-15, y-23, 6, 8))
	near := p.part(c.main, leafAt(x+7, y-3, x+16, y-22, 13, 3)).flick(x+8, y-6, 9)
	near.patch(c.belly, leafAt(x+8, y-4, x+14, y-16, 6, 2))
	near.mark(c.mark, oval(x+17, y-23, 7, 8))
	head := p.part(c.main, fuse(3, oval(x, y, 13, 10.6), limb(x-6, y+4, 6, x-15, y+7, 3), leafAt(x+5, y+3, x+20, y+7, 9,
		1), leafAt(x+4, y+6, x+14, y+14, 8, 1), oval(x-8, y+9, 6, 3.6))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(x-8, y+10, 9, 4.6), leafAt(x-4, y+8, x+19, y+9, 8, -1),
		leafAt(x, y+8, x+13, y+14, 7, 1)))
	head.patch(c.extra, clip(oval(x-3, y-3, 3.4, 3.4), below(0, y-2.6, 180)))
	ix, iy := int(x), int(y)
	p.stamp(ix, iy-3, keys(c.eye, c.main), ".KKKK..", "KKWWKKK", ".KWKdmK", ".KKdmlK", "..KKKK.")
	p.stamp(ix-12, iy-2, keys(c.eye, c.main), ".KKK", "KWWK", "KKmK", ".KK.")
	p.stamp(ix-18, iy+4, keys(ink), ".oo.", "olmo", ".oo.")
	p.stamp(ix-14, iy+8, keys(c.mark), "d......d", ".dd..dd.", "...dd...")
	p.stamp(ix+4, iy+4, keys(rose), "mmm", ".mm")
	p.stamp(ix-8, iy-10, keys(c.extra), ".....s.....", ".....s.....", ".s...s...s.", "..s.....s..")
}

// dawnTail draws the two tails of look 2.
func dawnTail(p *pet, c coat) {
	dawnPlume(p, c, 59, 54, 80.4, 44, 11, 3)
	dawnPlume(p, c, 58, 53, 79, 18, 17, 5)
}

// dawnPlume draws one tail, whose colour changes from root to tip.
func dawnPlume(p *pet, c coat, x0, y0, x1, y1, w, bend float64) {
	q := p.part(c.main, leafAt(x0, y0, x1, y1, w, bend)).flat(0.8)
	q.mark(c.trim, wavy(oval(x1, y1, w*1.25, w*1.25), 1.4, 7))
	q.patch(c.belly, wavy(oval(x1, y1, w*0.85, w*0.85), 1.2, 6))
	q.patch(c.extra, wavy(oval(x1, y1, w*0.45, w*0.45), 1, 6))
}

// dawnBringer draws the fox with its tails fanned out and the sun among them.
func dawnBringer(p *pet, c coat) {
	dawnSun(p, c, 65, 25)
	dawnPlume(p, c, 56, 58, 80.4, 62, 11, 3)
	dawnPlume(p, c, 56, 56, 80.4, 46, 12, 3)
	dawnPlume(p, c, 54, 54, 76, 32, 12, 3)
	for _, l := range [][]float64{{54, 60, 4.4, 56, 67, 3.2, 54.6, 71, 2.8}, {34, 58, 4, 34, 66, 3, 33, 71, 2.8}} {
		far := p.part(c.main, fuse(2, limb(l...), oval(l[6]-1.4, 72.6, 4.2, 2.2))).dim()
		far.mark(c.mark, below(0, 67, 0))
	}
	body := p.part(c.main, fuse(6, limb(38, 52, 9.6, 47, 56, 8.6, 55, 57, 8.4)))
	body.patch(c.belly, leafAt(34, 46, 33, 64, 13, -1))
	thigh := p.part(c.main, fuse(3, oval(57, 59, 7.6, 7.6), limb(59, 62, 5, 62, 67, 3.4, 60, 71, 2.8),
		oval(58.6, 72.6, 4.6, 2.4))).soft()
	fore := p.part(c.main, fuse(2, limb(42, 57, 4.8, 42, 66, 3.6, 41.6, 71, 3), oval(40, 72.6, 4.6, 2.4))).soft()
	for _, q := range []*part{thigh, fore} {
		q.mark(c.mark, below(0, 66, 0))
	}
	fore.crease(edge, 38, 72, 38, 75).crease(edge, 41, 72, 41, 75)
	thigh.crease(edge, 57, 72, 57, 75)
	p.acts(pose{deg: 10, cx: 37, cy: 46})
	dawnHead(p, 3, c, 31, 36)
	p.rests()
	p.anchor("crest", 34, 23)
	p.anchor("tail", 78, 44)
	p.anchor("heart", 46, 62)
	p.anchor("feet", 46, 74)
}

// dawnSun draws the disc of the sun with its rays.
func dawnSun(p *pet, c coat, cx, cy float64) {
	for i := range 16 {
		long := 16.0
		if i%2 == 1 {
			long = 13
		}
		sin, cos := math.Sincos(float64(i)/16*2*math.Pi - math.Pi/2)
		p.part(c.extra, leafAt(cx+cos*7, cy+sin*7, cx+cos*long, cy+sin*long, 4, 0)).glow().sharp()
	}
	disc := p.part(c.extra, oval(cx, cy, 10, 10)).glow().bright()
	disc.tint(-1, without(oval(cx, cy, 8, 8), oval(cx, cy, 6.6, 6.6)))
}

// dawnKit draws the young fox, seated, with its tail raised behind it.
func dawnKit(p *pet, c coat) {
	tail := p.part(c.main, fuse(3, limb(56, 68, 5, 68, 66, 7, 73, 56, 6.4, 70, 49, 4), leafAt(73, 58, 66, 41, 10, -2)))
	tail.mark(c.trim, below(0, 58, 180))
	tail.patch(c.belly, wavy(below(0, 53, 180), 1.4, 7))
	tail.patch(c.extra, wavy(below(0, 47, 180), 1.2, 7))
	body := p.part(c.main, fuse(6, oval(48, 62, 12, 11.4), limb(42, 50, 8, 43, 58, 9)))
	body.patch(c.belly, leafAt(38, 48, 38, 68, 12, 0))
	far := p.part(c.main, fuse(2, limb(37, 57, 4, 36, 70, 3.2), oval(34.6, 72.6, 4.4, 2.4)))
	haunch := p.part(c.main, fuse(3, oval(54, 65.6, 8, 7.6), oval(50, 72.4, 6.4, 2.6))).soft()
	near := p.part(c.main, fuse(2, limb(45, 56, 4.6, 44, 70, 3.6), oval(42.6, 72.6, 4.8, 2.4)))
	for _, q := range []*part{far, near, haunch} {
		q.mark(c.mark, below(0, 69, 0))
	}
	near.crease(edge, 41, 72, 41, 75).crease(edge, 44, 72, 44, 75)
	p.acts(pose{deg: 10, cx: 42, cy: 48})
	dawnHead(p, 1, c, 37, 38)
	p.rests()
	p.anchor("crest", 39, 26)
	p.anchor("tail", 67, 46)
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}
