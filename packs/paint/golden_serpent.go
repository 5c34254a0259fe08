package main

var auroraSerpent = creature{
	family: family{"aurora-serpent", "Aurora Serpent",
		"It hangs its old skins in the northern sky to dry, and people write songs about the laundry. An aurora serpent " +
			"speaks once a year, in colours, and is always understood."},
	draw: drawAurora,
	looks: [3]look{
		{"Glimmer Coil",
			coat{main: mint, belly: cream, mark: tide, trim: brook, extra: rose, eye: tide},
			coat{main: sun, belly: cream, mark: honey, trim: coral, extra: berry, eye: ember}},
		{"Curtain Serpent",
			coat{main: tide, belly: foam, mark: brook, trim: plum, extra: mint, eye: mint},
			coat{main: coral, belly: cream, mark: rose, trim: plum, extra: sun, eye: plum}},
		{"Crown of the North",
			coat{main: foam, belly: snow, mark: mint, trim: lilac, extra: rose, eye: berry},
			coat{main: night, belly: lilac, mark: plum, trim: berry, extra: foam, eye: sun}},
	},
}

func drawAurora(p *pet, n int, c coat) {
	if n == 1 {
		auroraSmall(p, c)
		return
	}
	if n == 3 {
		auroraVeil(p, c)
	}
	auroraFins(p, n, c)
	path := []float64{75, 59, 1.2, 76, 65, 2.6, 70, 69.4, 4.4, 56, 69.2, 5.8, 38, 69, 6.2, 25, 65, 6.2, 25, 56.6, 6.2, 38,
		53.4, 6.4, 54, 53, 6.6, 64, 47, 6.6, 62, 38, 6.6, 52, 34, 6.6, 42, 32, 6.8}
	if n == 3 {
		path = []float64{15, 58, 1.2, 14.6, 65, 2.6, 22, 69.6, 4.4, 36, 69.6, 5.8, 54, 69.4, 6.2, 63, 62, 6.2, 56, 54, 6.2,
			46, 48, 6.4, 44, 40, 6.6, 40, 32, 6.8}
	}
	body := p.part(c.main, limb(path...)).wet()
	body.mark(c.mark, wavy(below(0, 45, 0), 1.6, 9))
	body.mark(c.trim, wavy(below(0, 60, 0), 1.6, 9))
	if n == 2 {
		body.patch(c.belly, limb(34, 38, 3, 50, 41, 2.8, 56, 45, 2, 50, 49, 1.4))
	} else {
		body.patch(c.belly, limb(34, 36, 3, 38, 44, 3, 42, 51, 2.4, 52, 58, 1.4))
	}
	auroraMarks(body, n, c)
	p.acts(pose{deg: 8, cx: 38, cy: 32, dx: -2})
	auroraHead(p, n, c, 33, 27)
	p.rests()
	p.anchor("crest", 35, 16)
	p.anchor("tail", 76, 56)
	if n == 3 {
		p.anchor("tail", 16, 57)
	}
	p.anchor("heart", 46, 60)
	p.anchor("feet", 48, 74)
}

func auroraMarks(body *part, n int, c coat) {
	if n == 2 {
		for _, x := range []float64{30, 38, 46, 54, 62} {
			body.mark(c.extra, leafAt(x-3, 73, x+4, 66, 3, 1))
		}
		for _, at := range [][2]float64{{34, 53}, {42, 51.6}, {50, 51}, {61, 44}, {57, 34}} {
			body.mark(c.extra, leafAt(at[0]-3, at[1]+3, at[0]+4, at[1]-3, 3, 1))
		}
		return
	}
	body.mark(c.extra, dots(1.5, 22, 70, 31, 70, 40, 70, 49, 70, 58, 68, 63, 61, 56, 53, 48, 46, 47, 38))
}

// auroraFins draws small curtains of light along the back.
func auroraFins(p *pet, n int, c coat) {
	fins := [][5]float64{{24, 62, 10.6, 57, 8}, {26, 58, 14, 47, 9}, {75, 60, 80, 50, 7}, {75, 60, 71, 51, 6},
		{66, 46, 79, 40, 9}, {65, 42, 78, 31, 9}, {60, 36, 69, 23, 9}}
	if n == 3 {
		fins = [][5]float64{{15, 62, 13, 48, 6}, {15, 62, 22, 50, 6}}
	}
	for _, f := range fins {
		fin := p.part(c.extra, leafAt(f[0], f[1], f[2], f[3], f[4], 2)).flat(0.6).flick(f[0], f[1], 8)
		fin.mark(c.mark, oval(f[0], f[1], 8, 8))
		if n == 2 {
			fin.crease(light, f[0], f[1], f[2], f[3])
		}
	}
}

// auroraVeil draws the light of the crowned serpent. It rises from the back in folds, each of two
// colours.
func auroraVeil(p *pet, c coat) {
	for i, f := range [][4]float64{{64, 66, 80, 50}, {64, 62, 80.4, 36}, {60, 57, 77, 22}, {54, 52, 71, 13},
		{49, 46, 63, 10}, {46, 40, 55, 13}} {
		r := []ramp{c.extra, c.extra, c.trim, c.trim, c.mark, c.mark}[i]
		fold := p.part(r, leafAt(f[0], f[1], f[2], f[3], 10, 2)).flat(0.6).glow()
		fold.mark(c.main, oval(f[0], f[1]-2, 12, 12))
		fold.crease(shine, f[0]+2, f[1]-9, (f[0]+f[2])/2+1, (f[1]+f[3])/2, f[2], f[3]+5)
	}
}

// auroraHead draws the head, with frills like ears.
func auroraHead(p *pet, n int, c coat, x, y float64) {
	for _, f := range [][5]float64{{6, 2, 19, -3, 7}, {5, -2, 16, -10, 7}} {
		p.part(c.extra, leafAt(x+f[0], y+f[1], x+f[2], y+f[3], f[4], 2)).flat(0.6).flick(x+f[0], y+f[1], 9).crease(dark,
			x+f[0], y+f[1], x+f[2], y+f[3])
	}
	switch n {
	case 2:
		p.part(c.trim, limb(x+1, y-6, 2, x+4, y-12, 1.6, x+10, y-15, 0.8), limb(x-5, y-6, 1.8, x-5, y-12, 1.4, x-1, y-16,
			0.8)).wet()
	case 3:
		for _, h := range [][3]float64{{-8, -9, -13}, {-4, -6, -18}, {1, 2, -19}, {5, 9, -14}} {
			p.part(sun, leafAt(x+h[0], y-5, x+h[1], y+h[2], 4.6, 0)).glow().sharp().bright()
		}
		p.part(c.trim, limb(x-10, y-6, 1.6, x-2, y-9, 1.8, x+7, y-6, 1.6)).wet()
	}
	head := p.part(c.main, fuse(4, oval(x, y, 11.4, 9.4), limb(x-5, y+3, 7, x-13, y+4.6, 5))).throw(3).calmly().wet()
	head.patch(c.belly, fuse(2, oval(x-12, y+9, 8, 3.6), oval(x-2, y+9, 8, 3.6)))
	head.mark(c.mark, leafAt(x+1, y-3, x+10, y-4, 4, 0), leafAt(x-4, y-4, x-3, y-10, 4, 0))
	ix, iy := int(x), int(y)
	if n == 1 {
		p.eye(ix-1, iy-4, eyeBig, c.eye)
		p.eye(ix-13, iy-4, eyeBigFar, c.eye)
	} else {
		p.stamp(ix-1, iy-3, keys(c.eye, c.main), "OOOOO..", "OLLLOO.", "KKKKKKK", ".KWKlmK", "..KmlK.", "...KK..")
		p.stamp(ix-13, iy-3, keys(c.eye, c.main), ".OOO", "OLLO", "KKKK", "KWmK", ".KK.")
	}
	p.stamp(ix-17, iy+3, keys(c.main), "o", "o")
	p.stamp(ix-16, iy+7, keys(c.main), "o............o", ".oooo.....ooo.", ".....ooooo....")
	p.stamp(ix+3, iy+3, keys(rose), "mm.", ".mm")
}

// auroraSmall draws the young serpent, coiled, with its head raised.
func auroraSmall(p *pet, c coat) {
	p.part(c.extra, leafAt(76, 58, 71, 43, 8, -1), leafAt(76, 58, 80.4, 44, 7, 1)).flat(0.6).sharp()
	p.part(c.main, limb(62, 69, 5.4, 72, 68, 4, 77, 61, 2.6, 76, 55, 1.4)).wet().mark(c.trim,
		wavy(below(0, 62, 0), 1.4, 9))
	for i, r := range [][4]float64{{43, 67, 29, 7.4}, {44.5, 58, 22, 7.2}, {46, 50, 15, 6.6}} {
		ring := p.part(c.main, oval(r[0], r[1], r[2], r[3])).wet()
		ring.mark([]ramp{c.trim, c.mark, c.main}[i], wavy(below(0, r[1]+1, 0), 1.4, 9))
		ring.mark(c.extra, dots(1.4, r[0]-r[2]*0.7, r[1]-1, r[0]-r[2]*0.25, r[1]+1, r[0]+r[2]*0.25, r[1]+1, r[0]+r[2]*0.7,
			r[1]-1))
	}
	p.acts(pose{deg: 8, cx: 48, cy: 48, dx: -1})
	neck := p.part(c.main, limb(51, 50, 6.6, 50, 42, 6.4, 43, 36, 6.4)).wet()
	neck.patch(c.belly, limb(43, 48, 2.6, 43, 43, 2.6, 38, 40, 2.4))
	neck.mark(c.extra, dots(1.4, 54, 44, 50, 38))
	auroraHead(p, 1, c, 38, 31)
	p.rests()
	p.anchor("crest", 40, 21)
	p.anchor("tail", 76, 52)
	p.anchor("heart", 44, 64)
	p.anchor("feet", 44, 74)
}
