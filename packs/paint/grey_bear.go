package main

import "math"

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
			coat{main: slate, belly: snow, mark: ink, trim: rose, extra: stone, eye: brook},
			coat{main: honey, belly: cream, mark: ember, trim: coral, extra: brook, eye: ember}},
		{"Summit Bear",
			coat{main: smoke, belly: pearl, mark: plum, trim: rose, extra: slate, eye: plum},
			coat{main: mint, belly: cream, mark: tide, trim: coral, extra: lilac, eye: tide}},
	},
}

func drawBear(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.86)
	}
	if n == 3 {
		bearPeaks(p, c)
	}
	p.part(c.main, oval(63, 65, 5, 4.6)).dim()
	if n == 3 {
		bearArms(p, c)
	} else {
		p.part(c.main, limb(33, 48, 5.4, 25, 55, 5, 27, 61, 4.4)).dim()
	}
	body := p.part(c.main, fuse(6, oval(45, 60, 16.5, 13), oval(43, 50, 14, 10)))
	body.patch(c.belly, oval(40, 61, 10.5, 10.5))
	if n >= 2 {
		body.mark(c.mark, poly(0.5, 29, 50, 40, 58, 52, 50, 52, 53.5, 40, 62, 29, 53.5))
	}
	bearFeet(p, c)
	if n == 1 {
		stone := p.part(c.extra, fuse(2, ovalAt(38, 61, 10, 8, -12), oval(43, 57, 6, 5)))
		stone.crease(dark, 40, 54, 42, 58, 39, 62, 41, 66).crease(dark, 42, 58, 47, 58)
	}
	if n < 3 {
		arm := p.part(c.main, limb(55, 49, 6, 60, 57, 5.6, 53, 62, 5)).soft()
		arm.crease(edge, 47, 61, 49, 62)
		arm.crease(edge, 47, 64, 49, 64)
	}
	if n == 1 {
		p.part(c.main, limb(27, 56, 4.6, 29, 61, 4.2)).crease(edge, 31, 60, 33, 60).crease(edge, 31, 63, 33, 63)
	}
	if n == 2 {
		bearLedges(p, c)
	}
	p.acts(pose{deg: 8, cx: 44, cy: 50})
	bearHead(p, n, c)
	p.rests()
	p.anchor("crest", 40, 17)
	p.anchor("tail", 66, 64)
	p.anchor("heart", 42, 62)
	p.anchor("feet", 44, 73)
}

// bearFeet draws the feet, with their soles towards the viewer.
func bearFeet(p *pet, c coat) {
	for _, x := range []float64{28, 57} {
		foot := p.part(c.main, fuse(2, oval(x, 69, 7.2, 6.4), oval(x-2, 66, 5, 4)))
		foot.patch(c.trim, oval(x-0.5, 71, 3.6, 2.6))
		foot.patch(c.trim, dots(1.1, x-4.5, 67, x-0.5, 65.6, x+3.5, 67))
	}
}

func bearHead(p *pet, n int, c coat) {
	p.part(c.main, oval(25.5, 22.5, 6, 5.8)).dim().patch(c.trim, oval(25.5, 23.5, 3, 3)).flick(30, 29, -9)
	p.part(c.main, oval(55, 22, 6.6, 6.4)).patch(c.trim, oval(54.6, 23.4, 3.6, 3.6)).sway(50, 30, 9)
	head := p.part(c.main, fuse(4, oval(40, 33, 18, 14.5), oval(38, 39, 18.5, 9.5), leafAt(50, 38, 63, 43, 8, 1),
		leafAt(28, 40, 17, 45, 7, -1))).throw(3).calmly()
	head.patch(c.belly, oval(35, 49, 11, 4))
	switch n {
	case 2:
		head.mark(c.mark, oval(28, 34, 5, 6), oval(47.5, 34, 6, 6.4))
		head.patch(c.belly, leafAt(38, 36, 38, 17, 5, 0))
	case 3:
		head.mark(c.mark, leafAt(30, 27, 36, 15, 5, 0), leafAt(47, 28, 45, 15, 5, 0), leafAt(38.5, 30, 40, 13, 5, 0))
	}
	p.part(c.belly, fuse(2, oval(35, 41.5, 9, 6.2), oval(35, 38, 6, 4))).bare().calmly().matt()
	p.eye(25, 32, []string{".KK.", "KWWK", "KWKK", "KKKK", "KmlK", ".KK."}, c.eye)
	p.eye(44, 32, eyeBig, c.eye)
	p.stamp(23, 29, keys(c.main), "oo....", ".ooooo", "....oo")
	p.stamp(43, 29, keys(c.main), "....oo.", ".ooooo.", "oo.....")
	p.stamp(31, 36, keys(ink, c.belly),
		".oooooo.",
		"olmooooo",
		"omoooooo",
		".oooooo.",
		"...OO...",
		"...OO...",
		".OOOOOO.",
		"O.ww...O")
	p.stamp(50, 39, keys(c.trim), "mm.", ".mm")
	p.stamp(21, 39, keys(c.trim), ".m", "m.")
}

// bearLedges draws the flat stones that are stacked on the bear's shoulders.
func bearLedges(p *pet, c coat) {
	for _, s := range [][5]float64{{62, 50, 9.6, 3.8, -5}, {64, 44, 7.2, 3.2, 4}, {63, 39, 4.6, 2.4, -6},
		{21, 51, 8.6, 3.6, 5}, {19.6, 45.8, 5.8, 2.8, -4}} {
		ledge := p.part(c.extra, ovalAt(s[0], s[1], s[2], s[3], s[4])).flat(0.8).throw(2)
		ledge.crease(dark, s[0]+s[2]*0.2, s[1]-s[3]*0.5, s[0]+s[2]*0.4, s[1]+s[3]*0.4)
	}
}

// bearArms draws the raised arms.
func bearArms(p *pet, c coat) {
	far := p.part(c.main, limb(33, 52, 5.6, 20, 49, 5.4, 14.6, 39, 5)).dim()
	far.crease(edge, 12, 35, 12, 38).crease(edge, 15, 34, 15, 37)
	near := p.part(c.main, limb(56, 52, 6, 69, 49, 5.6, 74.6, 38, 5.2))
	near.crease(edge, 73, 33, 73, 36).crease(edge, 76, 34, 76, 37)
}

// bearPeaks draws the snowy peaks of rock on the bear's back.
func bearPeaks(p *pet, c coat) {
	for _, m := range [][5]float64{{79, 57, 56, 66, 5}, {11, 57, 34, 66, 5}, {66, 20, 54, 54, 7}, {16, 20, 36, 54, 6.5},
		{50, 10.6, 46, 40, 8}, {30, 11.6, 38, 40, 7}} {
		x, y, bx, by, w := m[0], m[1], m[2], m[3], m[4]
		long := math.Hypot(bx-x, by-y)
		ux, uy := (bx-x)/long, (by-y)/long
		spire := func(k float64) shape {
			return poly(0.6, x, y, x+ux*k*0.4-uy*w*0.7, y+uy*k*0.4+ux*w*0.7, x+ux*k-uy*w, y+uy*k+ux*w, x+ux*k+uy*w, y+uy*k-ux*w,
				x+ux*k*0.4+uy*w*0.7, y+uy*k*0.4-ux*w*0.7)
		}
		q := p.part(c.extra, spire(long)).flat(0.6).sharp()
		q.patch(snow, clip(spire(long), wavy(oval(x, y, 8, 8), 1.6, 6)))
		q.tint(-1, poly(0, x+1, y, bx+1, by, bx+16, by-10, x+9, y+2))
	}
}
