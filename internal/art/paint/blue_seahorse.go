package main

var coiledSeahorse = creature{
	family: family{"coiled-seahorse", "Coiled Seahorse",
		"It stands in the current as a knight stands in a doorway: very straight, holding on with its tail. Coiled seahorses bow to every wave, and keep count of the ones that bow back."},
	draw: drawSeahorse,
	looks: [3]look{
		{"Eelgrass Squire",
			coat{main: honey, belly: cream, mark: ember, trim: sun, extra: leaf, eye: ember},
			coat{main: mint, belly: snow, mark: tide, trim: foam, extra: rose, eye: tide}},
		{"Banded Lancer",
			coat{main: brook, belly: foam, mark: deep, trim: coral, extra: sun, eye: deep},
			coat{main: coral, belly: cream, mark: berry, trim: gold, extra: gold, eye: berry}},
		{"Kelp Paladin",
			coat{main: plum, belly: pearl, mark: night, trim: tide, extra: lime, eye: plum},
			coat{main: gold, belly: cream, mark: russet, trim: brook, extra: frost, eye: deep}},
	},
}

func drawSeahorse(p *pet, n int, c coat) {
	if n == 3 {
		for _, l := range [][6]float64{{55, 34, 68, 24, 7, 3}, {57, 40, 73, 33, 7, 3}, {52, 60, 66, 60, 7, -2}, {54, 66, 66, 71, 6, -2}, {48, 28, 58, 15, 7, 2}} {
			p.part(c.extra, leafAt(l[0], l[1], l[2], l[3], l[4], l[5])).flat(0.7)
		}
	}
	fin := p.part(c.trim, loop(54, 41, 63, 37, 71, 42, 72, 50, 66, 56, 55, 55)).flat(0.5)
	for _, l := range [][]float64{{57, 44, 68, 40}, {57, 47, 71, 46}, {57, 50, 70, 52}, {57, 53, 65, 56}} {
		fin.crease(dark, l...)
	}
	// the coil: the outer turn lies behind, the tip curls in front of it
	outer := p.part(c.main, limb(48, 54, 9, 52, 62, 6.6, 51, 69, 5, 44, 71.5, 4.2, 37, 69, 3.6, 35, 63, 3))
	tip := p.part(c.main, limb(35, 64, 3, 38, 60, 2.6, 42, 62, 2.2, 42, 65.5, 1.8))
	body := p.part(c.main, fuse(4, limb(42, 25, 8, 49, 34, 7.6, 46, 46, 11.5, 49, 58, 7.6), oval(41, 47, 9, 9.5))).bare()
	body.patch(c.belly, loop(41, 34, 37, 38, 30, 46, 33, 55, 40, 60, 43, 54, 42, 46, 43, 38))
	for _, y := range []float64{40, 44, 48, 52, 56} {
		body.crease(dark, 30, y, 37, y+1.5, 43, y-0.5)
	}
	if n == 2 {
		stripes := clip(bands(50, 50, 14, 7, 2.6), below(49, 20, 96))
		body.mark(c.mark, stripes)
		outer.mark(c.mark, clip(bands(50, 66, 40, 6, 2.2), oval(48, 66, 14, 12)))
		tip.mark(c.mark, dots(1.2, 40, 60))
	}
	if n == 3 {
		body.mark(c.mark, dots(1.3, 53, 38, 55, 46, 52, 53, 49, 32))
	}
	p.part(c.trim, leafAt(46, 40, 54, 47, 7, 2)).flat(0.6)
	seahorseHead(p, n, c)
	p.anchor("crest", 42, 15)
	p.anchor("tail", 41, 64)
	p.anchor("heart", 44, 46)
	p.anchor("feet", 46, 75)
	p.ground(34, 60)
}

func seahorseHead(p *pet, n int, c coat) {
	crown := [][6]float64{{44, 20, 50, 9, 6, 1}, {48, 22, 58, 15, 5, 1}, {39, 19, 41, 8, 6, 0}}
	if n == 1 {
		crown = [][6]float64{{42, 20, 47, 11, 6, 1}, {46, 22, 54, 16, 5, 1}}
	}
	for _, l := range crown {
		p.part(c.trim, leafAt(l[0], l[1], l[2], l[3], l[4], l[5])).sharp()
	}
	head := p.part(c.main, fuse(4, oval(39, 26, 11, 10), limb(32, 29, 5, 22, 33, 3.4, 18, 33.5, 3.8))).throw(3).calmly()
	head.patch(c.belly, oval(37, 36, 8, 4))
	switch n {
	case 2:
		head.mark(c.mark, oval(40, 16, 2.4, 6), oval(46, 19, 2, 5), clip(bands(24, 33, 70, 5, 2), oval(23, 33, 6, 6)))
	case 3:
		head.mark(c.mark, dots(1.2, 40, 19, 46, 22, 46, 29))
	}
	head.crease(dark, 47, 24, 48, 29, 45, 33)
	p.eye(36, 22, eyeProud, c.eye)
	p.stamp(36, 20, keys(c.main), "oo...", "..ooo")
	p.stamp(16, 34, keys(c.main), "ooo")
	p.stamp(33, 30, keys(rose), "mm.", ".ml")
	p.stamp(28, 23, keys(ink), ".K", "KW", "KK", ".K")
}
