package main

var coiledSeahorse = creature{
	family: family{"coiled-seahorse", "Coiled Seahorse",
		"It stands in the current as a knight stands in a doorway: very straight, holding on with its tail. Coiled " +
			"seahorses bow to every wave, and keep count of the ones that bow back."},
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
	if n == 1 {
		p.resize(0.87)
	}
	if n == 3 {
		for _, l := range [][6]float64{{55, 34, 70, 22, 7, 3}, {57, 40, 77, 30, 7, 3}, {48, 28, 60, 14, 7, 2},
			{50, 38, 66, 16, 7, 3}} {
			p.part(c.extra, leafAt(l[0], l[1], l[2], l[3], l[4], l[5])).flat(0.7).sway(l[0], l[1], 4)
		}
	}
	fin := p.part(c.trim, poly(0.7, 54, 34, 64, 31, 66, 35, 71, 36, 69, 41, 73, 44, 68, 47, 68, 52, 62, 51, 54,
		53)).flat(0.5).sway(55, 44, 6)
	for _, l := range [][]float64{{56, 38, 65, 34}, {56, 41, 69, 38}, {56, 44, 71, 44}, {56, 47, 67, 49}} {
		fin.crease(dark, l...)
	}
	tail := []float64{54, 62, 5.6, 51, 70, 4.2, 43, 72, 3.4, 36, 68, 2.8, 36.5, 62, 2.3, 41, 61, 1.9}
	if n == 3 {
		tail = []float64{51, 61, 5.8, 55, 68, 4.6, 64, 71, 3.6, 72, 67, 3, 73, 60, 2.4, 67.6, 59, 1.9}
	}
	body := p.part(c.main, fuse(4, limb(append([]float64{43, 26, 8, 50, 34, 7, 48, 44, 10.5, 51, 54, 7.4}, tail...)...),
		oval(42, 45, 9, 9.5)))
	body.patch(c.belly, loop(42, 33, 38, 36, 31, 44, 34, 53, 41, 57, 44, 52, 43, 44, 44, 37))
	for _, y := range []float64{39, 43, 47, 51, 55} {
		body.crease(dark, 31, y, 38, y+1.5, 44, y-0.5)
	}
	rings := [][]float64{{47, 58, 56, 56}, {49, 64, 60, 64}, {48, 67, 55, 72}, {43, 69, 44, 76}, {34, 70, 39, 67}}
	if n == 3 {
		rings = [][]float64{{45, 59, 57, 58}, {47, 66, 57, 63}, {55, 73, 58, 66}, {63, 76, 64, 68}, {69, 72, 74, 65}}
	}
	for _, l := range rings {
		body.crease(dark, l...)
	}
	switch n {
	case 2:
		body.mark(c.mark, clip(bands(50, 48, 12, 6, 2.6), loop(46, 24, 46, 38, 46, 50, 44, 66, 46, 76, 64, 72, 62, 40, 56,
			26)), dots(1.5, 40, 72, 36, 66))
	case 3:
		body.mark(c.mark, dots(1.3, 53, 34, 55, 42, 54, 50, 57, 57, 55, 67, 47, 72))
	}
	p.part(c.trim, leafAt(46, 38, 55, 45, 7, 2)).flat(0.6)
	p.acts(pose{deg: -13, cx: 47, cy: 33})
	seahorseHead(p, n, c)
	p.rests()
	if n == 1 {
		seahorseBlade(p, c)
	} else {
		seahorseLance(p, n, c)
	}
	p.anchor("crest", 42, 15)
	p.anchor("tail", 37, 71)
	p.anchor("heart", 44, 52)
	p.anchor("feet", 46, 75)
	p.ground(34, 60)
	if n == 3 {
		p.anchor("tail", 70, 62)
		p.ground(34, 74)
	}
}

// seahorseBlade draws the squire's first lance: a blade of eelgrass.
func seahorseBlade(p *pet, c coat) {
	blade := p.part(c.extra, limb(67, 65, 1.6, 50, 57, 2.6, 30, 49, 2.6, 17, 44, 1.8, 8, 40, 0.6)).sharp().throw(1)
	blade.crease(light, 64, 62, 50, 56, 30, 48, 16, 43)
	p.part(c.trim, leafAt(51, 48, 42, 59, 9, 2)).flat(0.6).throw(1)
}

// seahorseLance draws a lance under a fin: a banded shaft, a guard and a gilt point. The paladin's
// lance has a pennant.
func seahorseLance(p *pet, n int, c coat) {
	if n == 3 {
		p.part(coral, poly(0.4, 13, 45, 23, 48, 20, 52, 24, 55.6, 14, 53)).flat(0.5).sway(18, 47, 7)
	}
	p.part(gold, leafAt(16, 44.8, 8.6, 42.4, 4.4, 0)).sharp().wet()
	shaft := p.part(snow, limb(66, 61.6, 2.2, 40, 53, 2.8, 14, 44.2, 1.7)).sharp().throw(1)
	shaft.mark(ember, clip(bands(37, 52, 109, 7, 3.4), oval(40, 53, 30, 16)))
	p.part(gold, poly(0.6, 28.6, 41.6, 34.4, 60.4, 40, 53)).wet().throw(1)
	p.part(c.trim, leafAt(51, 47, 42, 58, 9, 2)).flat(0.6).throw(1)
}

func seahorseHead(p *pet, n int, c coat) {
	crown := [][6]float64{{44, 21, 50, 10, 6, 1}, {48, 22, 58, 15, 5, 1}, {39, 20, 41, 9.6, 6, 0}}
	if n == 1 {
		crown = [][6]float64{{42, 20, 47, 11, 6, 1}, {46, 22, 54, 16, 5, 1}}
	}
	for _, l := range crown {
		p.part(c.trim, leafAt(l[0], l[1], l[2], l[3], l[4], l[5])).sharp()
	}
	head := p.part(c.main, fuse(4, oval(40, 26, 12, 11), limb(32, 29, 5.4, 25, 32, 3.2, 20, 33, 4))).throw(3).calmly()
	head.patch(c.belly, oval(37, 36, 8, 4))
	switch n {
	case 2:
		head.mark(c.mark, oval(40, 16, 2.4, 6), oval(46, 19, 2, 5), clip(bands(27, 33, 70, 5, 2), oval(25, 33, 6, 6)))
	case 3:
		head.mark(c.mark, dots(1.2, 40, 19, 46, 22, 46, 29))
	}
	head.crease(dark, 49, 23, 50, 28, 47, 33)
	p.eye(37, 22, eyeBig, c.eye)
	p.stamp(37, 19, keys(c.main), "oo....", "..oooo")
	p.stamp(17, 33, keys(c.main), "oo")
	p.stamp(34, 30, keys(rose), "mm.", ".ml")
	p.stamp(28, 23, keys(c.eye), ".K", "KW", "KK", "Km", ".K")
}
