package main

var auroraSerpent = creature{
	family: family{"aurora-serpent", "Aurora Serpent",
		"It hangs its old skins in the northern sky to dry, and people write songs about the laundry. An aurora serpent " +
			"speaks once a year, in colours, and is always understood."},
	draw: drawAurora,
	looks: [3]look{
		{"Glimmer Coil",
			coat{main: lilac, belly: pearl, mark: plum, trim: brook, extra: mint, eye: plum},
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

// auroraSmall draws the young serpent. It stands upright on one coil.
func auroraSmall(p *pet, c coat) {
	p.part(c.extra, leafAt(74, 55, 68, 43, 8, -1), leafAt(75, 55, 80, 43, 7, 1)).flat(0.6).sharp()
	tail := p.part(c.main, limb(56, 70, 5, 67, 70, 4.2, 74, 64, 2.8, 74.6, 54, 1.4)).wet()
	tail.mark(c.trim, wavy(below(0, 62, 0), 1.4, 9))
	back := p.part(c.main, limb(26, 66, 5.6, 36, 61, 6, 52, 61, 6, 61, 66, 5.6)).wet()
	back.dim()
	for _, f := range [][5]float64{{60, 57, 69, 50, 8}, {60, 49, 69, 40, 8}, {56, 41, 64, 32, 8}} {
		fin := p.part(c.extra, leafAt(f[0], f[1], f[2], f[3], f[4], 2)).flat(0.6).flick(f[0], f[1], 8)
		fin.mark(c.mark, oval(f[0], f[1], 5, 5))
	}
	p.acts(pose{deg: 8, cx: 50, cy: 56, dx: -1})
	rise := p.part(c.main, limb(44, 67, 7, 54, 58, 7, 56, 48, 6.8, 49, 40, 6.6, 46, 31, 6.6)).wet()
	rise.patch(c.belly, limb(40, 32, 2.8, 43, 42, 3, 50, 49, 2.8, 48, 57, 2.8, 39, 64, 2.2))
	rise.mark(c.mark, wavy(below(0, 53, 0), 1.6, 9))
	rise.patch(c.belly, clip(limb(50, 49, 2.8, 48, 57, 2.8, 39, 64, 2.4), below(0, 50, 0)))
	rise.mark(c.extra, dots(1.5, 52, 37, 58, 44, 60, 52))
	auroraHead(p, 1, c, 41, 25)
	p.rests()
	front := p.part(c.main, limb(61, 65, 5.8, 54, 68.8, 6.2, 38, 68.8, 6.2, 26, 65, 5.4)).wet()
	front.mark(c.trim, wavy(below(0, 67, 0), 1.4, 9))
	front.mark(c.extra, dots(1.5, 31, 66, 39, 68, 47, 68.6, 55, 67.4))
	p.anchor("crest", 43, 15)
	p.anchor("tail", 74, 52)
	p.anchor("heart", 46, 60)
	p.anchor("feet", 44, 74)
}
