package main

var moonHare = creature{
	family: family{"moon-hare", "Moon Hare",
		"Someone has to push the moon over the last hill, and the moon hare has never asked for thanks. It sleeps through " +
			"every noon, and whatever it dreams is what the tide brings in."},
	draw: drawMoonHare,
	looks: [3]look{
		{"New-Moon Leveret",
			coat{main: lilac, belly: pearl, mark: night, trim: rose, extra: sun, eye: plum},
			coat{main: coral, belly: cream, mark: berry, trim: rose, extra: snow, eye: berry}},
		{"Tide Runner",
			coat{main: plum, belly: pearl, mark: night, trim: rose, extra: frost, eye: frost},
			coat{main: foam, belly: snow, mark: deep, trim: coral, extra: sun, eye: tide}},
		{"Keeper of the Crescent",
			coat{main: snow, belly: snow, mark: plum, trim: rose, extra: gold, eye: plum},
			coat{main: night, belly: lilac, mark: frost, trim: rose, extra: pearl, eye: frost}},
	},
}

func drawMoonHare(p *pet, n int, c coat) {
	switch n {
	case 1:
		moonCurled(p, c)
	case 2:
		moonRunning(p, c)
	default:
		moonSeated(p, c)
	}
}

// crescent returns a crescent moon around x, y, of radius r, which is open in the direction dx, dy.
func crescent(x, y, r, dx, dy float64) shape {
	return without(oval(x, y, r, r), oval(x+dx, y+dy, r*0.86, r*0.86))
}

// moonFace draws the head around x, y.
func moonFace(p *pet, n int, c coat, x, y float64) {
	head := p.part(c.main, fuse(4, oval(x, y, 12.5, 10.6), oval(x-7, y+4, 9, 7.2), leafAt(x+5, y+5, x+16, y+10, 8, 1),
		leafAt(x+4, y+7, x+11, y+15, 7, 1))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(x-6, y+11, 9, 4), oval(x+6, y+10, 7, 3.4)))
	p.part(c.extra, crescent(x-3, y-7, 4, 2, -1.6)).glow().sharp()
	p.part(c.belly, fuse(2, oval(x-11, y+6, 3.8, 3.2), oval(x-5.4, y+6.4, 4.4, 3.4))).bare().calmly().matt()
	ix, iy := int(x), int(y)
	if n == 1 {
		p.stamp(ix-13, iy, keys(c.eye), "K..K", ".KK.")
		p.stamp(ix+1, iy, keys(c.eye), "K....K", "KK..KK", ".KKKK.")
	} else {
		p.eye(ix, iy-3, []string{"OOOOO..", "KKKKKKK", ".KWWKdK", ".KWKdmK", ".KKmlK.", "..KKK.."}, c.eye)
		p.eye(ix-13, iy-3, []string{".OOO", "KKKK", "KWWK", "KKmK", ".KK."}, c.eye)
	}
	p.stamp(ix-11, iy+3, keys(c.trim, c.belly), "dmmd", ".oo.", ".OO.", "O..O")
	p.stamp(ix+4, iy+4, keys(c.trim), "mmm.", ".mmm")
}

// moonCurled draws the hare asleep over a small moon.
func moonCurled(p *pet, c coat) {
	p.part(c.belly, oval(71, 66, 5.6, 5.4)).bright().matt()
	p.acts(pose{deg: -14, cx: 34, cy: 38})
	far := p.part(c.main, limb(33, 38, 3.4, 29, 28, 4.4, 22, 23, 4, 15.6, 27, 1.6)).dim()
	far.mark(c.mark, oval(15, 27, 6, 7))
	p.rests()
	body := p.part(c.main, fuse(6, oval(55, 62, 13.6, 11.4), oval(49, 53, 10.6, 10)))
	body.patch(c.belly, oval(42, 66, 6, 8))
	body.mark(c.mark, crescent(58, 52, 4, 2.2, -1.6))
	moon := p.part(c.extra, oval(31, 62, 12, 12)).glow().bright()
	moon.tint(-1, oval(26, 60, 2.4, 2), oval(34, 68, 2, 1.6), oval(27, 67.6, 1.4, 1.4), oval(21.6, 65, 1.2, 1.6))
	thigh := p.part(c.main, fuse(3, ovalAt(58, 65, 9, 7.6, -20), oval(49, 72.2, 8, 2.6))).soft()
	thigh.crease(edge, 44, 72, 44, 75).crease(edge, 47, 72, 47, 75)
	arm := p.part(c.main, limb(50, 54, 4.4, 45, 60, 3.8, 38, 62, 3.4)).soft()
	arm.crease(edge, 34, 61, 37, 61).crease(edge, 34, 64, 37, 64)
	p.acts(pose{deg: -18, cx: 44, cy: 38})
	near := p.part(c.main, limb(43, 38, 3.8, 51, 29, 5, 61, 28, 5, 69, 36, 2)).flick(44, 38, -7)
	near.patch(c.trim, limb(49, 33, 1.4, 55, 30, 2.2, 61, 31, 2, 66, 35, 1))
	near.mark(c.mark, oval(70, 36, 6, 7))
	p.acts(pose{deg: 6, cx: 44, cy: 54})
	moonFace(p, 1, c, 36, 44)
	p.rests()
	p.anchor("crest", 38, 33)
	p.anchor("tail", 73, 65)
	p.anchor("heart", 48, 66)
	p.anchor("feet", 44, 74)
}

// moonRunning draws the hare in a leap, with the phases of the moon along its side.
func moonRunning(p *pet, c coat) {
	p.posed(pose{dy: -2})
	p.part(c.belly, oval(71, 44, 6, 5.6)).bright().matt()
	p.strides(p.hind, 57, 56, -78)
	farHind := p.part(c.main, fuse(2, limb(56, 56, 5.6, 59, 64, 4, 66, 68, 3, 72, 70, 2.6), oval(75, 71, 3.6, 2.4))).dim()
	farHind.crease(edge, 76, 70, 79, 70)
	p.strides(p.fore, 38, 47, 80)
	farFore := p.part(c.main, fuse(2, limb(39, 47, 4.4, 30, 54, 3, 20, 53, 2.4), oval(16.6, 52.6, 3.4, 2.8))).dim()
	farFore.crease(edge, 12, 53, 15, 53)
	p.rests()
	body := p.part(c.main, fuse(6, limb(34, 44, 9, 46, 44, 9.6, 57, 48, 9.4), limb(34, 42, 8, 28, 37, 8)))
	body.patch(c.belly, limb(30, 52, 4, 42, 57, 4, 52, 59, 3))
	p.strides(p.fore, 36, 49, 80)
	fore := p.part(c.main, fuse(2, limb(37, 49, 5, 29, 60, 3.4, 20, 64, 2.6), oval(16.4, 64.6, 3.8, 3)))
	fore.crease(edge, 12, 64, 15, 64).crease(edge, 13, 66, 15, 66)
	p.strides(p.hind, 60, 53, -78)
	thigh := p.part(c.main, fuse(3, ovalAt(60, 53, 10.4, 8.4, 24), limb(66, 57, 5.4, 70, 60, 3.4, 75, 60.4, 2.8)),
		fuse(2, limb(73, 60, 2.8, 77, 62, 2.6), oval(78.6, 63, 2.8, 2.6)))
	thigh.crease(edge, 78, 62, 81, 62).crease(edge, 57, 45, 52.6, 48, 50.8, 53, 52, 58)
	body.mark(c.mark, oval(38, 42, 2.6, 2.6), oval(46, 43.4, 2.8, 2.8))
	body.mark(c.extra, crescent(38, 42, 2.6, -1.6, 0), clip(oval(46, 43.4, 2.8, 2.8), below(46, 0, 90)))
	thigh.mark(c.extra, oval(56, 49, 3, 3))
	thigh.mark(c.mark, crescent(65, 54, 3, 1.6, 0))
	p.rests()
	p.acts(pose{deg: 8, cx: 32, cy: 42})
	far := p.part(c.main, leafAt(30, 28, 55, 12, 9, 2)).dim()
	far.mark(c.mark, oval(55, 12, 7, 6))
	near := p.part(c.main, leafAt(32, 30, 60, 24, 10, 3)).flick(34, 29, -8)
	near.patch(c.trim, leafAt(36, 29, 54, 24, 4.6, 2.4))
	near.mark(c.mark, oval(61, 24, 7, 5))
	moonFace(p, 2, c, 26, 34)
	p.rests()
	p.whole = pose{}
	for _, s := range [][3]float64{{76.6, 33, 3}, {70, 25, 2}, {77, 19, 2.4}} {
		p.part(c.extra, stagStar(s[0], s[1], s[2]+1)).glow().sharp().bright()
	}
	p.anchor("crest", 28, 22)
	p.posed(pose{})
	p.anchor("tail", 75, 43)
	p.anchor("heart", 46, 56)
	p.anchor("feet", 48, 74)
	p.ground(31, 66)
}

// moonSeated draws the hare seated in the curve of the moon.
func moonSeated(p *pet, c coat) {
	p.acts(pose{deg: -8, cx: 46, cy: 44})
	far := p.part(c.main, leafAt(38, 30, 28, 8.8, 9, -3)).dim()
	far.mark(c.mark, oval(27, 8, 6, 8))
	p.rests()
	p.part(c.belly, oval(62, 57, 6, 5.6)).bright().matt()
	p.part(c.main, fuse(2, limb(42, 60, 4, 36, 63, 3.4), oval(33, 63, 6, 2.6))).dim()
	body := p.part(c.main, fuse(6, oval(50, 54, 12, 10.6), limb(45, 44, 8, 47, 50, 8)))
	body.patch(c.belly, oval(41, 53, 7, 9))
	p.part(c.mark, limb(35, 44, 2.6, 42, 47, 3, 52, 44, 2.6)).crease(dark, 38, 46, 43, 47, 49, 45)
	p.part(c.mark, leafAt(50, 44, 71, 40, 7, 4), leafAt(51, 45, 74, 48, 7, -4)).flat(0.7).crease(dark, 55, 42, 66, 39)
	thigh := p.part(c.main, fuse(3, ovalAt(55, 56, 9, 7.6, -30), oval(47, 63.4, 9, 2.8))).soft()
	thigh.crease(edge, 41, 63, 41, 66).crease(edge, 44, 63, 44, 66)
	p.part(c.main, limb(42, 49, 3.4, 38, 55, 3, 38, 60, 2.6)).soft()
	p.acts(pose{deg: -8, cx: 46, cy: 44})
	near := p.part(c.main, leafAt(48, 30, 60, 8.8, 11, 4)).flick(49, 28, 8)
	near.patch(c.trim, leafAt(49, 28, 58, 13, 5, 3.4))
	near.mark(c.mark, oval(61, 8, 7, 8))
	moonFace(p, 3, c, 44, 34)
	p.rests()
	moon := p.part(c.extra, turn(without(oval(45, 42, 34, 33), oval(45, 33.4, 32, 31)), 45, 42,
		-8)).glow().bright().sharp()
	moon.tint(-1, oval(39, 70, 2.4, 1.6), oval(58, 68, 2, 1.6), dots(1, 31, 67, 48, 72, 66, 61, 74, 47))
	for _, s := range [][3]float64{{15, 25, 3.6}, {76, 22, 3.6}, {21, 39, 2.6}} {
		p.part(c.extra, stagStar(s[0], s[1], s[2])).glow().sharp().bright()
	}
	p.anchor("crest", 45, 23)
	p.anchor("tail", 66, 56)
	p.anchor("heart", 46, 60)
	p.anchor("feet", 45, 74)
	p.ground(26, 64)
}
