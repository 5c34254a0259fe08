package main

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
		spriteTress(p, c, 60, 30, 3, 9)
		spriteTress(p, c, 24, 31, -1, 9)
	}
	p.part(c.main, limb(41, 62, 3, 39.5, 70, 2.6)).dim()
	p.part(c.main, limb(49, 62, 3, 50, 70, 2.6))
	p.part(c.trim, limb(40.5, 72, 2.6, 36, 72.4, 2.2, 33, 70, 1.2))
	p.part(c.trim, limb(52, 72, 2.8, 47, 72.6, 2.4, 43.5, 70, 1.2))
	spriteWave(p, c)
	spriteDress(p, n, c)
	if n == 3 {
		spriteStaff(p, c)
	}
	p.part(c.main, limb(51, 54, 3, 58, 58, 2.7, 62, 54, 2.6))
	p.acts(pose{deg: -5, cx: 44, cy: 54})
	p.part(c.main, fuse(4, oval(43, 37, 16, 13), oval(41.5, 42, 15, 9))).throw(3).calmly().flat(0.5)
	spriteHair(p, n, c)
	p.eye(30, 36, eyeTallFar, c.eye)
	p.eye(43, 36, eyeTall, c.eye)
	p.stamp(30, 33, keys(c.main), "ddd")
	p.stamp(44, 32, keys(c.main), ".dd.", "d..d")
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
	p.part(c.trim, leafAt(39, 51, 33, 68, 9, -1), leafAt(50, 51, 58, 67, 10, 1)).dim().flat(0.8)
	p.part(c.main, oval(44, 55, 7, 7))
	front := p.part(c.trim, leafAt(42, 50, 38.5, 70, 10, 0), leafAt(48, 50, 52, 70, 11, 0),
		leafAt(44, 49, 45.5, 72, 10, 0)).flat(0.8)
	front.crease(dark, 44, 55, 45, 69)
	front.crease(light, 48, 58, 51, 67)
	if n == 2 {
		p.part(c.extra, limb(36, 52, 2.4, 44, 54, 2.8, 52, 52, 2.4)).soft()
		p.part(c.extra, leafAt(50, 53, 58, 64, 6, 2)).soft()
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
		p.part(bark, limb(34, 27, 2, 29, 18, 1.5, 23, 14, 1), limb(30, 19, 1.2, 31, 12, 0.8),
			limb(52, 27, 2, 58, 18, 1.5, 65, 15, 1), limb(57, 19, 1.2, 55, 11, 0.8)).sharp()
		crown := p.part(c.extra, dots(4.4, 30, 30, 36, 26, 43, 24.5, 50, 26, 56, 30), dots(3, 28, 35, 33, 32, 39, 31, 47, 31,
			59, 36)).soft()
		crown.tint(1, dots(1.4, 29, 29, 35, 25, 42, 23, 49, 25))
		p.stamp(40, 20, keys(c.mark, snow), ".LL.", "LmmL", "LmmL", ".LL.")
	}
}

// spriteTress draws a cluster of blossoms that hangs from x, y. long is its number of rows, and
// lean says how much it leans to the right.
func spriteTress(p *pet, c coat, x, y, lean float64, long int) {
	for i := long - 1; i >= 0; i-- {
		t := float64(i) / float64(long)
		q := p.part(c.extra, oval(x+lean*t*2-2*(1-t), y+float64(i)*4.2, 4.6-2.4*t, 3),
			oval(x+lean*t*2+3*(1-t), y+1+float64(i)*4.2, 4.6-2.4*t, 3)).throw(1).soft()
		if i%2 == 0 {
			q.bright()
		}
	}
}

// spriteStaff draws a twig with a glowing bell.
func spriteStaff(p *pet, c coat) {
	p.part(bark, limb(63, 73, 1.2, 63, 50, 1.2, 66, 40, 1.2, 72, 40, 1)).sharp()
	p.part(c.mark, loop(72, 41, 68, 46, 67, 51, 70, 50, 72, 52, 74, 50, 77, 51, 76, 46)).glow().wet().sway(72, 41, 12)
}
