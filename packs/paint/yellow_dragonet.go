package main

import "math"

var kiteDragonet = creature{
	family: family{"kite-dragonet", "Kite Dragonet",
		"Kite dragonets hatch from parcels that were tied up with good string. They fly wherever a child is running, " +
			"answer to a tug, and have never once been stuck in a tree except on purpose."},
	draw: drawDragonet,
	looks: [3]look{
		{"Paper Dragonet",
			coat{main: coral, belly: cream, mark: berry, trim: sun, extra: cream, eye: berry},
			coat{main: mint, belly: snow, mark: tide, trim: rose, extra: lilac, eye: tide}},
		{"Patchwork Dragonet",
			coat{main: leaf, belly: lime, mark: plum, trim: coral, extra: sun, eye: russet},
			coat{main: deep, belly: foam, mark: coral, trim: sun, extra: snow, eye: deep}},
		{"Festival Dragonet",
			coat{main: brook, belly: snow, mark: berry, trim: sun, extra: berry, eye: plum},
			coat{main: gold, belly: cream, mark: tide, trim: coral, extra: tide, eye: ember}},
	},
}

func drawDragonet(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.86)
	}
	p.acts(pose{deg: -3.8, cx: 46, cy: 60})
	dragonetString(p, n, c)
	switch n {
	case 1:
		dragonetSail(p, c, 45, 12, 13, 36, 45, 62, 78, 36)
	case 2:
		dragonetDelta(p, c)
	case 3:
		dragonetPair(p, c)
	}
	p.part(c.main, limb(38, 51, 2.8, 32, 54, 2.4, 29, 51, 2.4)).dim()
	p.part(c.main, limb(40, 60, 3.4, 37, 66, 3)).dim()
	body := p.part(c.main, fuse(4, oval(44, 54, 9.5, 10)))
	body.patch(c.belly, oval(42, 55, 6.4, 9))
	for _, y := range []float64{53, 56, 59} {
		body.crease(mid, 37, y, 42, y+1, 47, y)
	}
	p.part(c.main, fuse(2, limb(48, 60, 3.8, 47, 67, 3), oval(45.6, 68, 3.6, 2.2))).soft()
	p.part(c.main, limb(50, 51, 3, 57, 53, 2.6, 60, 49, 2.4)).soft()
	dragonetHead(p, n, c)
	p.rests()
	p.floats = true
	p.anchor("crest", 43, 18)
	p.anchor("tail", 73, 66)
	p.anchor("heart", 44, 58)
	p.anchor("feet", 44, 70)
	p.ground(30, 62)
}

// dragonetSail draws a kite. xy has its corners as x, y pairs: top, left, bottom, right.
func dragonetSail(p *pet, c coat, xy ...float64) {
	tx, ty, lx, ly, bx, by, rx, ry := xy[0], xy[1], xy[2], xy[3], xy[4], xy[5], xy[6], xy[7]
	sail := p.part(c.extra, poly(0.6, tx, ty, lx, ly, bx, by, rx, ry)).flat(0.25).matt()
	mx, my := tx, ly
	sail.patch(c.trim, poly(0, tx, ty-1, mx, my, rx+1, ry), poly(0, lx-1, ly, mx, my, bx, by+1))
	sail.thread(c.mark.at(dark), tx, ty, bx, by)
	sail.thread(c.mark.at(dark), lx, ly, mx, my, rx, ry)
}

// dragonetPair draws a kite on each shoulder, with a streamer at its outer corner.
func dragonetPair(p *pet, c coat) {
	for _, s := range []float64{-1, 1} {
		first := len(p.parts)
		at := func(x float64) float64 { return 45 + s*x }
		p.part(c.trim, limb(at(32), 34, 1.4, at(33.4), 38, 1.5, at(31), 43, 1.4, at(32.4), 47, 1)).sharp()
		kite := p.part(c.extra, poly(0.6, at(27), 10, at(34.4), 33, at(4), 56, at(9), 19)).flat(0.25).matt()
		kite.patch(c.trim, poly(0, at(28), 8, at(20), 25, at(36), 34), poly(0, at(8), 17.6, at(20), 25, at(3), 58))
		kite.thread(c.mark.at(dark), at(27), 10, at(4), 56)
		kite.thread(c.mark.at(dark), at(34.4), 33, at(9), 19)
		p.swayFrom(first, at(4), 50, s*-4)
	}
}

// dragonetDelta draws a wide pair of wings, sewn from pieces of different cloth.
func dragonetDelta(p *pet, c coat) {
	for _, s := range []float64{-1, 1} {
		first := len(p.parts)
		at := func(x float64) float64 { return 45 + s*x }
		wing := p.part(c.extra, poly(0.6, at(2), 40, at(15), 20, at(35), 10.6, at(30.8), 23, at(35), 33, at(27.4), 36.4,
			at(28), 46, at(20), 46.6, at(16), 54, at(4), 54)).flat(0.3).matt()
		if s < 0 {
			wing.dim()
		}
		wing.patch(c.trim, poly(0, at(15), 19, at(37), 9, at(38), 33, at(18), 34))
		wing.patch(c.mark, poly(0, at(2), 40, at(18), 34, at(30), 47, at(18), 48))
		for _, v := range [][2]float64{{34, 12}, {34, 33}, {27, 45}, {15, 53}} {
			wing.crease(dark, at(4), 41, at(v[0]), v[1])
		}
		p.part(c.main, limb(at(4), 42, 2.6, at(14), 22, 2, at(33.6), 11.8, 1.2)).sharp()
		p.swayFrom(first, at(4), 44, s*-4)
	}
}

// dragonetString draws the tail: a line with bows on it.
func dragonetString(p *pet, n int, c coat) {
	line := []float64{48, 62, 2.4, 56, 70, 1.8, 66, 71, 1.4, 73, 66, 1.2, 72, 58, 1.1, 76, 53, 1}
	p.part(c.main, limb(line...)).sharp()
	bows := [][3]float64{{62, 71, 0.2}, {73, 63, 1.4}}
	if n == 2 {
		bows = append(bows, [3]float64{75, 52, 0.6})
	}
	for i, b := range bows {
		r := []ramp{c.trim, c.mark, c.trim}[i]
		dx, dy := 5*math.Cos(b[2]), 5*math.Sin(b[2])
		p.part(r, poly(0.4, b[0], b[1], b[0]-dx-dy*0.6, b[1]-dy+dx*0.6, b[0]-dx+dy*0.6, b[1]-dy-dx*0.6)).sharp()
		p.part(r, poly(0.4, b[0], b[1], b[0]+dx-dy*0.6, b[1]+dy+dx*0.6, b[0]+dx+dy*0.6, b[1]+dy-dx*0.6)).sharp()
	}
}

func dragonetHead(p *pet, n int, c coat) {
	p.part(c.belly, leafAt(37, 26, 32, 15, 5, 1), leafAt(50, 26, 57, 15, 6, -1)).sharp()
	p.part(c.main, leafAt(53, 34, 66, 30, 9, 1)).mark(c.belly, leafAt(55, 34, 63, 31, 4, 1))
	p.part(c.main, leafAt(30, 34, 21, 30, 7, -1)).dim()
	head := p.part(c.main, fuse(4, oval(43, 34, 14, 12), oval(37, 40, 11, 7.5))).throw(3).calmly().flat(0.65)
	head.patch(c.belly, oval(36, 46, 12, 5))
	if n == 2 {
		head.patch(c.mark, oval(50, 31, 5.6, 6.4))
	}
	if n == 3 {
		head.mark(c.mark, poly(0, 42, 22, 45.6, 26, 42, 31.6, 38.4, 26))
	}
	p.eye(32, 30, eyeTallFar, c.eye)
	p.eye(46, 30, eyeTall, c.eye)
	p.stamp(29, 38, keys(c.main), "o..o")
	p.stamp(29, 41, keys(c.main, coral), "o.............o", ".oo.........oo.", "..oWoooooooWo..", "...oDMMMMMDo...",
		"....ooMLLoo....", "......ooo......")
	p.stamp(50, 39, keys(coral), "ll", ".l")
}
