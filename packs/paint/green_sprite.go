package main

import "math"

var leafSprite = creature{
	family: family{"leaf-sprite", "Leaf-Headed Sprite",
		"Leaf-headed sprites wake when a gardener talks to the seedlings, and stay to hear the end of the story. They ask " +
			"one question a day, always a good one, and press the answer between two stones."},
	draw: drawSprite,
	looks: [3]look{
		{"Seedling Sprite",
			coat{main: cream, belly: mint, mark: honey, trim: lime, extra: leaf, eye: leaf},
			coat{main: frost, belly: snow, mark: brook, trim: rose, extra: berry, eye: berry}},
		{"Maple Sprite",
			coat{main: fawn, belly: cream, mark: sun, trim: olive, extra: ember, eye: russet},
			coat{main: mint, belly: snow, mark: pearl, trim: night, extra: plum, eye: plum}},
		{"Wisteria Sprite",
			coat{main: pearl, belly: snow, mark: sun, trim: tide, extra: plum, eye: plum},
			coat{main: cream, belly: snow, mark: foam, trim: coral, extra: sun, eye: ember}},
	},
}

func drawSprite(p *pet, n int, c coat) {
	if n == 1 {
		p.resize(0.88)
	}
	if n == 3 {
		spriteTress(p, c, 1)
		spriteTress(p, c, -1)
	}
	p.part(c.main, limb(41, 62, 3, 39.5, 70, 2.6)).dim()
	p.part(c.main, limb(49, 62, 3, 50, 70, 2.6))
	p.part(c.extra, limb(40.5, 72, 2.6, 36, 72.4, 2.2, 33, 70, 1.2))
	p.part(c.extra, limb(52, 72, 2.8, 47, 72.6, 2.4, 43.5, 70, 1.2))
	spriteWave(p, c)
	spriteDress(p, n, c)
	p.part(c.main, limb(51, 54, 3, 58, 58, 2.7, 62, 54, 2.6))
	p.acts(pose{deg: -5, cx: 44, cy: 54})
	p.part(c.main, fuse(4, oval(43, 37, 16, 13), oval(41.5, 42, 15, 9))).throw(3).calmly().flat(0.5)
	spriteHair(p, n, c)
	p.eye(30, 36, eyeTallFar, c.eye)
	p.eye(43, 36, eyeTall, c.eye)
	if n < 3 {
		p.stamp(30, 33, keys(c.main), "ddd")
		p.stamp(44, 32, keys(c.main), ".dd.", "d..d")
	}
	p.stamp(36, 43, keys(c.main, coral), "o....o", ".oooo.", "..ML..")
	p.stamp(28, 44, keys(coral), "ll", "l.")
	p.stamp(49, 44, keys(coral), "lll", ".ll")
	p.rests()
	p.anchor("crest", 44, 16)
	p.anchor("tail", 61, 66)
	p.anchor("heart", 44, 60)
	p.anchor("feet", 44, 74)
}

// spriteWave draws the waving arm: low at rest, then up, then out.
func spriteWave(p *pet, c coat) {
	arm := []float64{38, 54, 2.8, 31, 58, 2.5, 26, 54, 2.4}
	switch p.phase {
	case 0.5:
		arm = []float64{38, 54, 2.8, 28, 55, 2.6, 22, 46, 2.8}
	case 1:
		arm = []float64{38, 54, 2.8, 28, 56, 2.6, 17, 51, 2.8}
	}
	p.part(c.main, limb(arm...)).dim()
}

// spriteDress draws a tunic of overlapping leaves.
func spriteDress(p *pet, n int, c coat) {
	if n == 3 {
		p.part(c.trim, leafAt(39, 51, 33, 68, 9, -1), leafAt(50, 51, 58, 67, 10, 1)).dim().flat(0.8)
		p.part(c.main, oval(44, 55, 7, 7))
		p.part(c.trim, leafAt(41, 50, 29, 66, 9, -2), leafAt(47, 50, 60, 66, 9, 2)).dim()
		p.part(c.trim, leafAt(42, 50, 36, 69, 9.6, -1), leafAt(46, 50, 53, 69, 9.6, 1))
		p.part(c.trim, fuse(3, oval(44, 53, 7.4, 5), leafAt(44, 49, 44.4, 72, 10.6, 0))).soft()
		return
	}
	front := p.part(c.trim, poly(0.8, 38.6, 51, 50.6, 51, 54, 57, 57.4, 63.6, 53, 67, 49.2, 63, 45, 68, 40.8, 63, 37,
		67, 32.6, 63.6, 36, 57)).flat(0.8).sharp()
	front.crease(dark, 41, 63, 41, 60, 42, 56).crease(dark, 49, 63, 48, 60, 47, 56)
	front.crease(light, 45, 66, 45, 57)
	if n == 2 {
		p.part(c.extra, limb(36, 52, 2.4, 44, 54, 2.8, 52, 52, 2.4)).soft()
		p.part(c.extra, leafAt(41, 53, 38, 61, 5, 1)).soft()
	}
}

func spriteHair(p *pet, n int, c coat) {
	switch n {
	case 1:
		p.part(c.trim, limb(43, 26, 1.8, 43, 19, 1.5, 45, 12, 1.4)).sharp()
		p.part(c.extra, leafAt(45, 14, 21, 12, 14, 5)).flat(0.8).sway(45, 15, 5).crease(dark, 42, 11, 34, 8, 24, 11)
		p.part(c.extra, leafAt(45, 14, 70, 3, 16, -5)).flat(0.8).sway(45, 15, 5).crease(dark, 47, 14, 57, 13, 67, 5)
		p.part(c.extra, leafAt(44, 24, 28, 34, 8, -2), leafAt(43, 24, 38, 33, 6, 0), leafAt(44, 24, 60, 36, 9, 3)).flat(0.8)
	case 2:
		hat := p.part(c.extra, leafAt(45, 26, 20, 37, 12, -3), leafAt(46, 27, 23, 17, 13, 1), leafAt(45, 28, 42, 8.6, 13, 0),
			leafAt(44, 26, 65, 14, 13, 0), leafAt(44, 26, 68, 37, 13, 4), oval(44, 26, 11, 6)).flat(0.9).sharp().sway(45, 27, 3)
		for _, v := range [][]float64{{45, 25, 32, 28, 22, 36}, {45, 25, 34, 21, 26, 18}, {45, 25, 43, 12},
			{45, 25, 54, 20, 62, 15}, {45, 25, 57, 28, 66, 35}} {
			hat.thread(c.mark.at(mid), v...)
		}
		p.part(c.trim, limb(45, 26, 1.2, 50, 20, 1, 51, 13, 1)).sharp()
	case 3:
		p.part(leaf, limb(44, 24, 1.2, 43, 16, 1, 48, 11, 1, 53, 13, 0.9, 51, 17, 0.8)).sharp()
		cap := p.part(c.extra, clip(fuse(3, oval(43, 32, 17.5, 13), oval(43, 25, 11, 5)), below(0, 31, 180)),
			leafAt(42, 24, 25, 41, 9, -3), leafAt(43, 22, 35, 37, 8, -1), leafAt(44, 22, 44, 35, 7, 0),
			leafAt(45, 22, 53, 36, 8, 1), leafAt(46, 24, 62, 42, 9, 3))
		cap.tint(1, dots(1.7, 31, 30, 37, 28, 43, 30, 49, 28, 54, 31, 58, 36))
		p.part(leaf, limb(25, 31, 1.2, 33, 24, 1.3, 44, 21.6, 1.4, 54, 24, 1.3, 61, 31, 1.2)).throw(1)
		p.part(leaf, leafAt(33, 25, 20, 17, 8, 2), leafAt(54, 25, 68, 16, 8, -2)).flat(0.7).throw(1).sway(44, 25, 4)
		p.stamp(40, 18, keys(c.mark, snow), ".LLLL.", "LLMMLL", "LMllML", "LLmmLL", ".LMML.")
	}
}

// spriteTress draws a cluster of blossoms that hangs beside the head. s is -1 on the left and 1 on
// the right.
func spriteTress(p *pet, c coat, s float64) {
	first := len(p.parts)
	const rows = 10
	for i := rows - 1; i >= 0; i-- {
		t := float64(i) / (rows - 1)
		x, y := 43+s*(16+14*math.Sin(t*math.Pi*0.62)), 29+33*t
		r := 5.6 - 4.2*t
		for _, side := range []float64{s, -s} {
			q := p.part(c.extra, oval(x+side*r*0.6, y+side*s*0.8, r*0.9, r*0.8)).throw(1)
			if t < 0.4 {
				q.bright()
			}
			if t > 0.8 {
				q.dim()
			}
		}
	}
	p.swayFrom(first, 43+s*16, 29, 4)
}
