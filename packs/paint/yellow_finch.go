package main

import "math"

var sunFinch = creature{
	family: family{"sun-finch", "Sun Finch",
		"A sun finch sings the first light over the dunes, and is quite sure that the sun comes to hear it. On cloudy " +
			"mornings it sings twice as loud, and on the whole this works."},
	draw: drawFinch,
	looks: [3]look{
		{"Dawn Chick",
			coat{main: sun, belly: cream, mark: honey, trim: honey, extra: coral, eye: cocoa},
			coat{main: rose, belly: pearl, mark: berry, trim: gold, extra: lilac, eye: plum}},
		{"Noon Finch",
			coat{main: ember, belly: cream, mark: ink, trim: sun, extra: brook, eye: deep},
			coat{main: mint, belly: snow, mark: deep, trim: honey, extra: sun, eye: tide}},
		{"Sunburst Finch",
			coat{main: tide, belly: lime, mark: deep, trim: honey, extra: gold, eye: russet},
			coat{main: plum, belly: lilac, mark: night, trim: coral, extra: coral, eye: berry}},
	},
}

func drawFinch(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.84)
	}
	finchTail(p, n, c)
	for _, x := range []float64{40, 50} {
		p.part(c.trim, limb(x, 66, 1.4, x-0.5, 73, 1.2), limb(x-0.5, 73, 1.4, x-6, 73.4, 1), limb(x-0.5, 73, 1.4, x+4, 73.4,
			1)).sharp()
	}
	if n > 1 {
		for _, t := range [][2]float64{{20, 67}, {13.6, 61}, {12.6, 53}} {
			p.acts(pose{deg: 34, cx: 33, cy: 55})
			p.part(c.extra, leafAt(33, 55, t[0], t[1], 7, 0)).dim().flat(0.8)
			p.rests()
		}
	}
	body := p.part(c.main, fuse(7, oval(46, 55, 17, 14.5), oval(40, 39, 15.5, 13.5))).calmly()
	body.patch(c.belly, oval(38, 59, 12, 10))
	switch n {
	case 2:
		body.mark(c.mark, without(oval(34, 38, 15, 7), oval(36, 47, 14, 6)), leafAt(40, 25, 55, 40, 9, 2))
	case 3:
		body.mark(c.mark, oval(40, 27, 11, 5))
		body.patch(c.extra, without(oval(38, 52, 16, 6), oval(38, 49, 18, 6)))
	}
	p.acts(pose{deg: -62, cx: 50, cy: 50})
	finchWing(p, n, c)
	p.rests()
	finchCrest(p, n, c)
	p.part(coral, oval(28.4, 45.6, 3.4, 2.6)).matt().throw(0)
	p.part(c.trim, poly(0.5, 23, 48.6, 31, 46.4, 30.4, 50, 26.6, 50.4)).throw(1).dim()
	p.part(c.trim, poly(0.5, 18.6, 44.6, 22.6, 40.8, 28, 39.4, 33, 41.4, 32, 45.4, 26, 45.8)).throw(1).flat(0.8)
	p.eye(26, 32, eyeTallFar, c.eye)
	p.eye(38, 33, eyeTall, c.eye)
	p.stamp(43, 41, keys(coral), "lll", ".l.")
	p.anchor("crest", 41, 22)
	p.anchor("tail", 72, 58)
	p.anchor("heart", 44, 60)
	p.anchor("feet", 45, 74)
}

func finchWing(p *pet, n int, c coat) {
	r := c.extra
	if n == 1 {
		p.part(c.mark, leafAt(50, 48, 66, 58, 13, -2)).throw(2).crease(dark, 55, 54, 62, 57)
		return
	}
	p.part(r, leafAt(52, 50, 76, 60, 9, -2)).flat(0.7)
	p.part(r, leafAt(50, 50, 72, 66, 10, -2)).flat(0.7)
	p.part(r, leafAt(49, 50, 64, 69, 11, -1)).flat(0.7)
	cover := p.part(c.main, fuse(3, oval(53, 52, 9, 7), leafAt(50, 50, 64, 62, 12, 0))).soft()
	if n == 2 {
		cover.patch(snow, clip(bands(58, 58, -45, 6, 2.2), oval(58, 57, 9, 8)))
	} else {
		cover.patch(c.extra, dots(1.3, 50, 50, 55, 53, 59, 58, 54, 58, 50, 55))
	}
}

func finchCrest(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.part(c.main, leafAt(40, 28, 36, 15, 5, 1), leafAt(42, 28, 45, 13, 6, -1),
			leafAt(43, 28, 53, 19, 5, -1)).sharp().flick(42, 29, 9)
	case 2:
		p.part(c.main, leafAt(38, 28, 36, 13, 7, 1), leafAt(42, 28, 47, 11, 8, -2),
			leafAt(46, 29, 58, 17, 7, -2)).sharp().flick(42, 30, 8).tint(1, leafAt(41, 28, 45, 16, 3, -1))
	case 3:
		for i := range 5 {
			a := (-150 + 30*float64(i)) * math.Pi / 180
			p.part(c.extra, leafAt(41+8*math.Cos(a), 32+8*math.Sin(a), 41+21*math.Cos(a), 32+21*math.Sin(a), 6,
				0)).sharp().flick(41, 32, 4)
		}
		p.part(c.trim, clip(oval(41, 31, 8, 7), below(41, 29, 180)))
	}
}

// finchTail draws the tail, by look: a stub, a fork, or a fan like a sun.
func finchTail(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.part(c.mark, leafAt(58, 58, 72, 52, 8, 1), leafAt(58, 60, 72, 59, 7, 0))
	case 2:
		p.part(c.extra, leafAt(58, 58, 80, 44, 8, 1)).flat(0.7).crease(dark, 62, 54, 77, 46)
		p.part(c.mark, leafAt(58, 60, 80, 54, 8, -1)).flat(0.7)
	case 3:
		for i := range 8 {
			a := (-84 + 16*float64(i)) * math.Pi / 180
			long := 31 + 5*float64(i%2)
			x, y := 50+long*math.Cos(a)*0.86, 56+long*math.Sin(a)*0.98
			r := c.extra
			if i%2 == 0 {
				r = c.trim
			}
			q := p.part(r, leafAt(50, 56, x, y, 11, 0)).flat(0.8)
			if i%2 == 1 {
				q.mark(c.mark, oval(50+(x-50)*0.82, 56+(y-56)*0.82, 2.2, 2.2))
			}
		}
	}
}
