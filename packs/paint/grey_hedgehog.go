package main

import "math"

var quillHedgehog = creature{
	family: family{"quill-hedgehog", "Quill Hedgehog",
		"A quill hedgehog lends its quills to anyone with something to mend, and remembers who has which. It apologises " +
			"before it bristles, while it bristles, and for some days after."},
	draw: drawHedgehog,
	looks: [3]look{
		{"Burr",
			coat{main: fawn, belly: cream, mark: cocoa, trim: rose, extra: cocoa, eye: cocoa},
			coat{main: lilac, belly: pearl, mark: night, trim: rose, extra: deep, eye: deep}},
		{"Needlepoint Hedgehog",
			coat{main: fawn, belly: cream, mark: snow, trim: rose, extra: slate, eye: russet},
			coat{main: rose, belly: pearl, mark: sun, trim: coral, extra: berry, eye: berry}},
		{"Thistle Marshal",
			coat{main: cream, belly: snow, mark: berry, trim: rose, extra: ink, eye: plum},
			coat{main: foam, belly: snow, mark: sun, trim: coral, extra: tide, eye: tide}},
	},
}

func drawHedgehog(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.resize(0.82)
	case 3:
		hedgehogMarshal(p, c)
		return
	}
	p.part(c.main, limb(64, 66, 4, 72, 70, 1.6))
	hedgehogQuills(p, n, c)
	p.part(c.main, limb(56, 66, 4, 55, 72, 3.4), oval(53, 73, 4.4, 2)).dim()
	body := p.part(c.main, fuse(5, oval(42, 63.6, 17, 8.6), oval(30, 58, 12, 10))).throw(1)
	body.patch(c.belly, oval(38, 69, 15, 5))
	p.part(c.main, fuse(2, oval(48, 70, 5, 4), oval(45, 73, 5, 2))).soft()
	p.part(c.main, fuse(2, limb(28, 64, 3, 27, 71, 2.6), oval(25, 73, 4.2, 2)))
	p.acts(pose{dx: 3, dy: 2})
	hedgehogHead(p, n, c)
	p.rests()
	p.anchor("crest", 30, 36)
	p.anchor("tail", 72, 66)
	p.anchor("heart", 44, 68)
	p.anchor("feet", 42, 74)
}

// hedgehogMarshal draws the marshal, who stands upright.
func hedgehogMarshal(p *pet, c coat) {
	p.resize(0.94)
	p.part(c.main, limb(66, 68, 3.6, 74, 71, 1.6))
	p.posed(pose{deg: 34, cx: 52, cy: 62, dx: 2, dy: -7.4})
	hedgehogQuills(p, 3, c)
	p.posed(pose{})
	p.part(c.main, fuse(2, oval(57, 70, 5.4, 4.6), oval(54, 73, 5.6, 2.2))).dim()
	body := p.part(c.main, fuse(6, oval(46, 60, 12.6, 14), oval(40, 48, 11, 11))).throw(1)
	body.patch(c.belly, oval(41, 60, 8.6, 12))
	p.part(c.main, fuse(2, oval(43, 70.6, 6, 4.6), oval(40, 73, 5.8, 2.2))).soft()
	p.part(c.main, limb(35, 53, 3, 28, 59, 2.4)).dim()
	p.part(c.main, limb(46, 54, 3.2, 39, 61, 2.6)).soft()
	p.posed(pose{dx: 7, dy: -17})
	p.acts(pose{dx: 3, dy: 2})
	hedgehogHead(p, 3, c)
	p.rests()
	p.posed(pose{})
	p.anchor("crest", 37, 20)
	p.anchor("tail", 74, 68)
	p.anchor("heart", 46, 64)
	p.anchor("feet", 47, 74)
}

// hedgehogQuills draws three rows of quills, each from the rear over the back to the brow. An inner
// row covers the roots of the row outside it.
func hedgehogQuills(p *pet, n int, c coat) {
	const cx, cy = 46.0, 59.0
	long := []float64{9, 11, 9}[n-1]
	p.part(c.extra, clip(oval(cx, cy-1, 22, 20), below(0, 71, 180))).dim()
	for row, root := range []float64{19, 12.5, 6} {
		step := []float64{15, 18, 26}[row]
		var tips [][4]float64
		start := 24.0 + 5*float64(row)
		if n == 3 && row == 0 {
			start, root = 4, 15.4
		}
		for a := start; a > -182; a -= step {
			sin, cos := math.Sincos(a * math.Pi / 180)
			tsin, tcos := math.Sincos((a + 16) * math.Pi / 180)
			reach := long + 2.6*p.phase // longer when it bristles
			if row == 0 && n > 1 && int(a/step)%2 == 0 {
				reach += 2
			}
			x, y := cx+cos*root*1.05, cy+sin*root*0.9
			tx, ty := x+tcos*reach*1.05, y+tsin*reach
			quill := p.part(c.extra, leafAt(x-tcos*5, y-tsin*5, tx, ty, 8, 0)).sharp().throw(1)
			if n == 2 {
				quill.patch(c.mark, oval(tx, ty, 5, 5))
			}
			if n == 1 {
				quill.patch(c.belly, oval(tx, ty, 2.6, 2.6))
			}
			if n == 3 && row == 0 && len(tips) < 3 {
				tips = append(tips, [4]float64{tx, ty, tcos, tsin})
				a -= 38
			}
		}
		for _, t := range tips {
			hedgehogThistle(p, c, t[0], t[1], t[2], t[3])
		}
	}
}

// hedgehogThistle draws a flower on a quill: two leaves, a tuft and a scaled cup. The quill's tip is at x, y and points in the direction
// ux, uy.
func hedgehogThistle(p *pet, c coat, x, y, ux, uy float64) {
	x, y = x-ux*5, y-uy*5
	at := func(deg, r float64) (float64, float64) {
		sin, cos := math.Sincos(math.Atan2(uy, ux) + deg*math.Pi/180)
		return x + cos*r, y + sin*r
	}
	for _, side := range []float64{-1, 1} {
		tx, ty := at(side*98, 8)
		p.part(leaf, leafAt(x, y, tx, ty, 4.6, -side)).sharp().throw(1).flat(0.8)
	}
	var tuft []shape
	rx, ry := at(0, 2)
	for _, deg := range []float64{-44, -26, -9, 9, 26, 44} {
		tx, ty := at(deg, 12)
		tuft = append(tuft, leafAt(rx, ry, tx, ty, 4.4, 0))
	}
	q := p.part(c.mark, tuft...).flick(x, y, 12).sharp().bright().throw(1)
	for _, deg := range []float64{-22, 0, 22} {
		ax, ay := at(deg, 6)
		bx, by := at(deg, 10)
		q.crease(dark, ax, ay, bx, by)
	}
	cx, cy := at(0, 1.8)
	cup := p.part(leaf, oval(cx, cy, 3.9, 3.9)).throw(1)
	for _, deg := range []float64{-60, 0, 60} {
		sin, cos := math.Sincos(deg * math.Pi / 180)
		cup.crease(dark, cx+cos*1.6-1, cy+sin*1.6, cx+cos*1.6, cy+sin*1.6+1, cx+cos*1.6+1, cy+sin*1.6)
	}
}

// hedgehogHead draws the head: a narrow snout under a fringe of quills.
func hedgehogHead(p *pet, n int, c coat) {
	head := p.part(c.belly, fuse(5, oval(32, 56, 11, 10), limb(27, 58, 7.6, 18, 60.6, 4.4, 11.4, 59.6,
		2.2))).throw(2).calmly()
	head.mark(c.main, fuse(2, oval(37, 50, 9, 9), limb(30, 51, 5, 20, 56, 2.4, 14, 57.6, 1)))
	p.part(c.main, oval(39, 53, 3.8, 4.4)).patch(c.trim, oval(38.6, 53.8, 2, 2.6)).sway(38, 57, 16)
	for i, q := range [][4]float64{{41, 49, 50, 38}, {37, 51, 44, 37}, {33, 51, 37, 36}, {29, 52, 30, 38},
		{25.4, 53.4, 23.4, 42.6}} {
		quill := p.part(c.extra, leafAt(q[0], q[1], q[2], q[3], 7.4, 0)).sharp().throw(1)
		switch {
		case n == 2:
			quill.patch(c.mark, oval(q[2], q[3], 5, 5))
		case n == 1 || i%2 == 0:
			quill.patch(c.belly, oval(q[2], q[3], 2.6, 2.6))
		}
	}
	p.eye(19, 53, []string{".KK", "KWK", "KKK", ".K."}, c.eye)
	p.eye(28, 54, []string{".KKK.", "KWWKK", "KWKKK", "KKKmK", ".KKK."}, c.eye)
	p.stamp(8, 56, keys(ink), ".ooo", "olmo", "oooo", ".oo.")
	p.stamp(13, 62, keys(c.main), "o.....", ".oooo.", ".....o")
	p.stamp(29, 60, keys(c.trim), "mmm", ".mm")
}
