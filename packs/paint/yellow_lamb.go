package main

import "math"

var cloudLamb = creature{
	family: family{"cloud-lamb", "Cloud Lamb",
		"Cloud lambs are counted by people who cannot sleep, and nod off themselves at about seven. By day they graze on " +
			"morning fog; shear one, and it rains a little, politely, on whatever needs it most."},
	draw: drawLamb,
	looks: [3]look{
		{"Wisp Lamb",
			coat{main: snow, belly: fawn, mark: frost, trim: rose, extra: sun, eye: cocoa},
			coat{main: mint, belly: cream, mark: foam, trim: coral, extra: sun, eye: tide}},
		{"Drizzle Lamb",
			coat{main: slate, belly: cream, mark: ink, trim: rose, extra: brook, eye: deep},
			coat{main: lilac, belly: snow, mark: plum, trim: rose, extra: sun, eye: plum}},
		{"Sunset Ram",
			coat{main: coral, belly: lilac, mark: rose, trim: gold, extra: sun, eye: plum},
			coat{main: frost, belly: cream, mark: deep, trim: gold, extra: pearl, eye: deep}},
	},
}

func drawLamb(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.84)
	}
	lambSky(p, n, c)
	for _, x := range []float64{46, 66} {
		p.part(c.belly, limb(x, 62, 3, x, 71, 2.6)).dim().mark(ink, oval(x, 75, 5, 3.6))
	}
	wool := p.part(c.main, append(lambWool(n), leafAt(62, 60, 81, 61, 8, 0), leafAt(58, 63, 75, 67, 6, 0),
		leafAt(66, 55, 80, 53, 8, -2))...)
	if n == 1 {
		wool.bright()
	}
	for _, w := range [][3]float64{{45, 50, 5}, {57, 47, 6}, {63, 56, 5}, {51, 58, 5}, {68, 49, 4}} {
		curl := without(oval(w[0], w[1], w[2], w[2]), oval(w[0]-1.2, w[1]-1.8, w[2], w[2]))
		if n == 2 {
			wool.mark(c.mark, curl)
		} else {
			wool.tint(-1, curl)
		}
	}
	if n == 3 {
		wool.mark(c.mark, wavy(oval(54, 68, 40, 15), 1.4, 9))
	}
	for _, x := range []float64{40, 60} {
		p.part(c.belly, limb(x, 63, 3.2, x, 71, 2.8)).mark(ink, oval(x, 75, 5, 3.6))
	}
	if n == 1 {
		p.part(c.main, dots(3.4, 35, 72, 45, 72), dots(4, 40, 71)).bright()
		p.part(c.main, dots(3.4, 56, 72, 66, 72), dots(4, 61, 71)).bright()
		p.part(c.main, dots(2.6, 80, 48, 84, 47, 82, 45)).bright()
	}
	hem := c.main
	if n == 3 {
		hem = c.mark
	}
	p.part(hem, dots(4.6, 39, 60, 47, 63, 55, 64, 63, 62)).bare()
	p.acts(pose{deg: -7, cx: 38, cy: 50, dy: 5})
	lambHead(p, n, c)
	p.rests()
	if n == 2 {
		for _, d := range [][2]float64{{33, 66}, {50, 67}, {70, 66}, {76, 62}} {
			p.part(c.extra, leafAt(d[0], d[1]+4, d[0], d[1]-4, 4, 0), oval(d[0], d[1]+2, 1.8, 2)).glow()
		}
	}
	p.anchor("crest", 28, 28)
	p.anchor("tail", 76, 52)
	p.anchor("heart", 52, 62)
	p.anchor("feet", 50, 74)
}

func lambWool(n int) []shape {
	wool := []shape{oval(53, 53, 18, 13), dots(8, 40, 50, 48, 43, 58, 42, 67, 48, 70, 56, 62, 60, 46, 60),
		dots(6, 37, 57, 54, 61)}
	switch n {
	case 2:
		wool = append(wool, dots(7, 46, 36, 57, 35, 65, 40))
	case 3:
		wool = append(wool, dots(8.4, 46, 38, 56, 36, 65, 41))
	}
	return wool
}

// lambSky draws a rainbow behind look 2 and a sun behind look 3.
func lambSky(p *pet, n int, c coat) {
	switch n {
	case 2:
		for i, r := range []ramp{ember, sun, mint, brook} {
			out := 30 - 2.4*float64(i)
			ring := without(oval(51, 46, out, out+2), oval(51, 46, out-2.4, out-0.4))
			p.part(r, clip(ring, below(51, 52, 180))).bright().matt().calmly().flat(0).bare()
		}
	case 3:
		lambSun(p, c)
	}
}

// lambSun draws the sun, half set behind the ram's back.
func lambSun(p *pet, c coat) {
	for i := range 8 {
		long := 21.0
		if i%2 == 1 {
			long = 18
		}
		sin, cos := math.Sincos((-170 + 20*float64(i)) * math.Pi / 180)
		p.part(c.extra, leafAt(57+12*cos, 32+12*sin, 57+long*cos, 32+long*sin, 5, 0)).glow().sharp()
	}
	p.part(c.extra, oval(57, 32, 14.4, 14.4)).glow()
}

func lambHead(p *pet, n int, c coat) {
	p.part(c.belly, leafAt(19, 42, 10, 47, 7, -1)).dim()
	head := p.part(c.belly, fuse(4, oval(28, 43, 11.5, 11), oval(25, 48, 10, 8))).throw(3).calmly().flat(0.6)
	if n == 2 {
		head.mark(c.main, oval(25, 38, 5, 8))
	}
	p.part(c.belly, leafAt(38, 41, 49, 46, 8, 1)).mark(c.trim, leafAt(40, 42, 47, 45, 4, 1)).flick(39, 41, 18)
	p.part(c.main, dots(4.6, 21, 34, 27, 31, 34, 32, 38, 36), dots(3.4, 25, 36, 31, 36)).throw(2)
	if n == 3 {
		horn := p.part(c.trim, limb(37, 33, 3.4, 44, 31, 3.4, 48, 36, 3, 46, 42, 2.6, 41, 42, 2, 40, 39, 1.2))
		for _, l := range [][]float64{{41, 29, 41, 35}, {45, 36, 50, 33}, {46, 38, 50, 40}, {44, 40, 45, 45}} {
			horn.crease(dark, l...)
		}
		p.part(c.trim, limb(20, 34, 3, 14, 33, 2.8, 11.4, 38, 2.4, 13, 42, 1.6)).dim()
	}
	switch n {
	case 2:
		p.stamp(17, 43, keys(c.belly), "K..K", ".KK.")
		p.stamp(28, 43, keys(c.belly), "K...K", ".KKK.")
	default:
		p.stamp(17, 39, keys(c.eye, c.belly), ".OO.", "OLLO", "KKKK", "KWWK", "KWdK", "KdmK", ".KK.")
		p.stamp(28, 39, keys(c.eye, c.belly), ".OOO.", "OLLLO", "KKKKK", "KWWKK", "KWKdK", "KdmlK", ".KKK.")
	}
	p.stamp(20, 47, keys(rose, c.belly), ".ddd.", "..d..", "O.O.O", ".O.O.")
	p.stamp(32, 47, keys(rose), "lll", ".l.")
	p.stamp(16, 47, keys(rose), "ll")
}
