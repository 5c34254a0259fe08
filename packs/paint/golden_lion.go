package main

import "math"

var crownedLion = creature{
	family: family{"crowned-lion", "Crowned Lion",
		"Nobody crowned it; the crown was found on its head one morning and fitted. It settles quarrels by listening to " +
			"both sides until they are embarrassed, and has never needed to roar in its own hall."},
	draw: drawLion,
	looks: [3]look{
		{"Little Majesty",
			coat{main: fawn, belly: cream, mark: russet, trim: gold, extra: berry, eye: honey},
			coat{main: rose, belly: pearl, mark: plum, trim: gold, extra: deep, eye: plum}},
		{"Herald Lion",
			coat{main: sun, belly: cream, mark: ember, trim: gold, extra: deep, eye: brook},
			coat{main: slate, belly: snow, mark: frost, trim: gold, extra: berry, eye: brook}},
		{"Sovereign",
			coat{main: pearl, belly: snow, mark: deep, trim: gold, extra: berry, eye: sun},
			coat{main: ink, belly: slate, mark: honey, trim: gold, extra: tide, eye: sun}},
	},
}

func drawLion(p *pet, n int, c coat) {
	switch n {
	case 1:
		lionCub(p, c)
	case 2:
		lionHerald(p, c)
	case 3:
		lionSovereign(p, c)
	}
}

// lionHerald draws the herald, walking with a raised paw, under a cloth with its arms.
func lionHerald(p *pet, c coat) {
	p.part(c.main, limb(68, 50, 3, 76, 52, 2.6, 79, 44, 2.2, 74, 37, 2, 73, 30, 1.8)).throw(1)
	p.part(c.mark, leafAt(74, 34, 65, 24, 7, -2), leafAt(73, 34, 80, 22, 7, 2), leafAt(74, 35, 71, 16, 10, -2)).sharp()
	raised := p.part(c.main, fuse(2, limb(38, 55, 6.4, 28, 57, 5.6, 20, 61, 4.8), oval(17, 64.4, 5.4, 5)))
	raised.crease(edge, 14, 66, 14, 69).crease(edge, 17, 66.6, 17, 69.6)
	raised.mark(c.extra, clip(bands(24, 59, 62, 90, 2.8), oval(24, 59, 9, 9)))
	p.stamp(11, 68, keys(cream), "s..s..s")
	lionLeg(p, c, 60, 60, false)
	body := p.part(c.main, fuse(6, limb(42, 50, 11, 54, 51, 9, 64, 51, 9.6)))
	body.patch(c.belly, oval(51, 62, 10, 3.4))
	p.part(c.main, fuse(3, oval(66, 55, 8, 9), limb(69, 60, 5, 68, 66, 4))).soft()
	lionLeg(p, c, 69, 70, true)
	lionLeg(p, c, 44, 43, true)
	lionTabard(p, c)
	p.acts(pose{deg: -8, cx: 40, cy: 46})
	lionMane(p, 2, c)
	lionFace(p, 2, c, 33, 36)
	lionForelock(p, c, 33, 36)
	lionCrown(p, c, 36, 19, false)
	p.rests()
	p.anchor("crest", 36, 17)
	p.anchor("tail", 72, 24)
	p.anchor("heart", 54, 60)
	p.anchor("feet", 52, 74)
}

// lionTabard draws the cloth on the herald's back.
func lionTabard(p *pet, c coat) {
	cloth := poly(0.6, 50, 40.4, 65, 41, 67, 52, 66, 63, 62, 60, 58.4, 64, 54.6, 60, 50, 63)
	q := p.part(c.extra, cloth).flat(0.6).matt()
	q.patch(c.trim, without(cloth, grow(cloth, -2)))
	q.patch(c.trim, leafAt(58, 47, 58, 42.6, 4, 0), leafAt(58, 50, 58, 57, 4, 0), leafAt(57, 49, 53, 51, 3.4, 0),
		leafAt(59, 49, 63, 51, 3.4, 0), oval(58, 49, 2.4, 2.4))
}

func lionLeg(p *pet, c coat, x, fx float64, near bool) {
	leg := p.part(c.main, fuse(2, limb(x, 56, 5.4, (x+fx)/2, 64, 4.2, fx, 71, 4), oval(fx-1.5, 72.4, 5.2, 2.6)))
	leg.mark(c.extra, clip(below(0, 65.6, 0), below(0, 68.4, 180)))
	leg.crease(edge, fx-4, 72, fx-4, 75).crease(edge, fx-1, 72, fx-1, 75)
	if near {
		leg.soft()
	} else {
		leg.dim()
	}
}

// lionMane draws the mane around the head.
func lionMane(p *pet, n int, c coat) {
	const cx, cy = 36.0, 37.0
	for row, far := range []float64{24, 19} {
		k := 16 - 3*row
		for i := range k {
			a := (float64(i)+0.5*float64(row))/float64(k)*2*math.Pi + 1.2
			sin, cos := math.Sincos(a)
			reach := far
			if n == 3 {
				reach += 1.5
			}
			if sin < -0.5 {
				reach -= 3
			}
			lock := p.part(c.mark, leafAt(cx+cos*7, cy+sin*7, cx+cos*reach, cy+sin*reach*0.98, 10, 2)).flat(0.8).throw(1)
			if row == 0 {
				lock.dim()
			}
			if n == 3 && row == 0 {
				lock.patch(c.trim, oval(cx+cos*reach, cy+sin*reach, 5, 5))
			}
		}
	}
}

func lionFace(p *pet, n int, c coat, x, y float64) {
	p.part(c.main, oval(x-10.4, y-9, 4, 4)).dim().patch(rose, oval(x-10.4, y-8.6, 2, 2))
	p.part(c.main, oval(x+12.4, y-9, 4.6, 4.6)).patch(rose, oval(x+12, y-8.4, 2.4, 2.4))
	head := p.part(c.main, fuse(4, oval(x, y, 13.5, 11.6), oval(x-4, y+6, 10, 7))).throw(2).calmly()
	head.patch(c.belly, oval(x-4, y+13, 8, 3.6))
	if n == 3 {
		head.patch(c.trim, leafAt(x-2, y-4, x-1, y-13, 4, 0))
	}
	p.part(c.belly, fuse(2, oval(x-8, y+6.4, 5.4, 4.4), oval(x-1.4, y+6.4, 5.8, 4.4))).bare().calmly().matt()
	ix, iy := int(x), int(y)
	p.stamp(ix+1, iy-4, keys(c.eye, c.main), "...OOOO", "OOOOLO.", "KKKKKK.", "KWWKdK.", ".KKlmK.", "..KKK..")
	p.stamp(ix-13, iy-4, keys(c.eye, c.main), "OOO..", ".OLOO", "KKKKK", "KWKmK", ".KKK.")
	p.stamp(ix-8, iy+1, keys(ink, c.belly, rose),
		"ooooooo",
		"o23332o",
		".o222o.",
		"..ooo..",
		"...O...",
		"O..O..O",
		".OO.OO.")
	p.stamp(ix-11, iy+7, keys(c.belly), "d.d")
	p.stamp(ix+1, iy+7, keys(c.belly), "d.d")
}

// lionForelock draws the part of the mane that falls over the forehead.
func lionForelock(p *pet, c coat, x, y float64) {
	for _, a := range [][5]float64{{5, -15, 9, -4, 1}, {-2, -15, -7, -5, -1}, {2, -16, 1, -3, 0}} {
		p.part(c.mark, leafAt(x+a[0], y+a[1], x+a[2], y+a[3], 7, a[4])).flat(0.8).throw(1).sharp()
	}
}

// lionCrown draws a crown around x, y. Only the sovereign's is tall.
func lionCrown(p *pet, c coat, x, y float64, tall bool) {
	up := 8.0
	if tall {
		up = 9.8
	}
	p.part(c.extra, oval(x, y-1, 7.6, 4)).matt()
	crown := p.part(c.trim, poly(0.5, x-9, y+3, x-10, y-up*0.65, x-5.6, y-2, x, y-up, x+5.6, y-2, x+10, y-up*0.65, x+9,
		y+3)).wet().sharp()
	crown.crease(dark, x-8, y+1, x, y+2, x+8, y+1)
	for _, g := range [][2]float64{{-10, -up * 0.65}, {0, -up}, {10, -up * 0.65}} {
		p.part(c.trim, oval(x+g[0], y+g[1], 1.7, 1.7)).bright().throw(0)
	}
	p.stamp(int(x)-2, int(y)-2, keys(c.extra), ".m.", "msm", ".d.")
	p.stamp(int(x)-7, int(y)-1, keys(c.mark), "m", "d")
	p.stamp(int(x)+5, int(y)-1, keys(c.mark), "m", "d")
}

// lionSovereign draws the sovereign, seated, in a velvet cape.
func lionSovereign(p *pet, c coat) {
	p.part(c.main, limb(66, 70, 3, 76, 69, 2.6, 78.6, 60, 2.2))
	p.part(c.mark, leafAt(78, 62, 73, 47, 9, -1), leafAt(78, 62, 80, 48, 7, 1)).sharp()
	cape := p.part(c.extra, loop(34, 46, 24, 54, 17, 64, 13, 73, 24, 74.6, 44, 72, 60, 74.6, 75, 74, 70, 62, 62, 50, 52,
		44)).flat(0.7)
	cape.patch(c.trim, without(below(0, 0, 0), loop(34, 40, 25, 54, 20, 63, 16, 70.4, 26, 71.6, 44, 68, 60, 71.6, 71.6,
		71, 67, 62, 59, 50, 52, 40)))
	cape.crease(dark, 29, 52, 24, 62, 22, 72).crease(dark, 58, 52, 64, 62, 66, 72)
	cape.mark(c.trim, dots(1.2, 24, 66, 28, 60, 62, 60, 66, 67))
	body := p.part(c.main, fuse(6, oval(44, 62, 14, 11.4), limb(42, 48, 10.6, 43, 58, 11)))
	body.patch(c.belly, oval(40, 57, 7, 10))
	for i, x := range []float64{29, 58} {
		haunch := p.part(c.main, fuse(3, oval(x, 66, 6.6, 7), oval(x-1.6, 72.2, 6, 2.8))).soft()
		haunch.crease(edge, x-4, 72, x-4, 75).crease(edge, x-1, 72, x-1, 75)
		if i == 0 {
			haunch.dim()
		}
	}
	for _, x := range []float64{38, 49} {
		leg := p.part(c.main, fuse(2, limb(x, 58, 5, x-0.6, 70, 4.4), oval(x-1.6, 72.4, 5.2, 2.6)))
		leg.mark(c.trim, clip(below(0, 66, 0), below(0, 68.4, 180)))
		leg.crease(edge, x-4, 72, x-4, 75).crease(edge, x-1, 72, x-1, 75)
	}
	p.posed(pose{dx: 6})
	p.acts(pose{deg: -8, cx: 44, cy: 48})
	lionMane(p, 3, c)
	lionFace(p, 3, c, 35, 36)
	lionForelock(p, c, 35, 36)
	lionCrown(p, c, 37, 20, true)
	p.rests()
	p.posed(pose{})
	p.anchor("crest", 43, 17)
	p.anchor("tail", 77, 52)
	p.anchor("heart", 43, 64)
	p.anchor("feet", 44, 74)
}

// lionCub draws the cub under a crown that is too large for it.
func lionCub(p *pet, c coat) {
	p.part(c.main, limb(58, 68, 3.4, 68, 68, 2.8, 73, 61, 2.2, 72, 56, 1.8))
	p.part(c.mark, leafAt(72, 59, 68, 46, 8, -1), leafAt(72, 59, 76, 48, 7, 1)).sharp()
	body := p.part(c.main, fuse(5, oval(49, 62, 12, 11.4), limb(43, 52, 8.6, 43, 60, 9)))
	body.patch(c.belly, oval(38, 58, 6.4, 9))
	far := p.part(c.main, fuse(2, limb(38, 58, 4.4, 37, 70, 3.8), oval(35.6, 72.4, 4.8, 2.6)))
	haunch := p.part(c.main, fuse(3, oval(55, 65.6, 8, 7.6), oval(51, 72.2, 6.4, 2.8))).soft()
	near := p.part(c.main, fuse(2, limb(45, 57, 4.8, 45, 70, 4.2), oval(43.6, 72.4, 5, 2.6)))
	far.crease(edge, 34, 72, 34, 75)
	near.crease(edge, 42, 72, 42, 75).crease(edge, 45, 72, 45, 75)
	haunch.crease(edge, 52, 72, 52, 75)
	for i := range 9 {
		a := float64(i)/8*4.2 - 2.6
		sin, cos := math.Sincos(a + math.Pi/2)
		p.part(c.mark, leafAt(39+cos*8, 42+sin*8, 39+cos*18, 43+sin*15, 8, 1)).flat(0.8).throw(1)
	}
	p.acts(pose{deg: -8, cx: 41, cy: 52})
	lionFace(p, 1, c, 37, 41)
	p.part(c.mark, leafAt(40, 34, 31, 27, 5, 1), leafAt(41, 34, 36, 24, 5, 1)).sharp()
	crown := p.part(c.trim, turn(poly(0.5, 37, 30, 36, 20, 41, 24.6, 46, 18, 51, 24.6, 56, 20, 55, 30), 46, 28,
		16)).wet().sharp()
	crown.crease(dark, 38, 26, 45, 29, 53, 31)
	p.stamp(45, 25, keys(c.extra), ".m.", "msm", ".d.")
	p.rests()
	p.anchor("crest", 46, 20)
	p.anchor("tail", 72, 50)
	p.anchor("heart", 45, 64)
	p.anchor("feet", 45, 74)
}
