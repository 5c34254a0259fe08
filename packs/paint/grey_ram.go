package main

import "math"

var ridgeRam = creature{
	family: family{"ridge-ram", "Ridge Ram",
		"Each ridge belongs to one ram, and the ram can show you its borders: they are wherever it is looking. Wind that " +
			"has to cross a ridge asks first, and comes out of the fleece a little warmer."},
	draw: drawRam,
	looks: [3]look{
		{"Tor Lamb",
			coat{main: cocoa, belly: fawn, mark: cream, trim: brass, extra: stone, eye: honey},
			coat{main: plum, belly: lilac, mark: rose, trim: gold, extra: slate, eye: plum}},
		{"Saddleback Ram",
			coat{main: ink, belly: slate, mark: snow, trim: fawn, extra: slate, eye: gold},
			coat{main: russet, belly: fawn, mark: sun, trim: cream, extra: ember, eye: ember}},
		{"Bell Elder",
			coat{main: slate, belly: snow, mark: cream, trim: bark, extra: leaf, eye: sun},
			coat{main: tide, belly: foam, mark: pearl, trim: night, extra: rose, eye: tide}},
	},
}

func drawRam(p *pet, n int, c coat) {
	if n == 1 {
		ramLamb(p, c)
		return
	}
	p.part(c.mark, oval(76, 51, 4.6, 5.4)).dim().matt()
	ramLeg(p, c, 43, false)
	ramLeg(p, c, 68, false)
	ramLeg(p, c, 36, true)
	ramLeg(p, c, 62, true)
	if n == 2 {
		p.part(c.main, limb(40, 44, 8, 35, 36, 8))
	} else {
		ramSkirt(p, c)
	}
	ramWool(p, n, c)
	if n == 3 {
		p.posed(pose{dx: 1, dy: 8})
	}
	p.acts(pose{deg: []float64{-11, 9}[n-2], cx: 40, cy: 44, dx: -1})
	ramHead(p, n, c)
	p.rests()
	p.anchor("crest", 33, 20)
	p.posed(pose{})
	p.anchor("tail", 78, 50)
	p.anchor("heart", 52, 58)
	p.anchor("feet", 50, 74)
}

// ramLamb draws the lamb, on top of a pile of flat rocks: large ears and a cloud of wool.
func ramLamb(p *pet, c coat) {
	p.resize(0.92)
	for _, l := range [][5]float64{{46, 70.8, 27, 3.4, 1}, {50, 67, 20, 3.2, -3}, {46, 64, 16, 2.8, 2}} {
		x, y, w, h := l[0], l[1], l[2], l[3]
		slab := turn(poly(0.8, x-w, y, x-w+2.4, y-h, x+w-2, y-h, x+w, y+0.6, x+w-2.6, y+h, x-w+2.4, y+h), x, y, l[4])
		rock := p.part(c.extra, slab).flat(0.6).matt().throw(2)
		rock.crease(dark, x-w*0.5, y-h, x-w*0.42, y, x-w*0.5, y+h).crease(dark, x+w*0.3, y-h*0.4, x+w*0.6, y+h*0.3)
		rock.patch(moss, turn(wavy(below(x, y-h*0.5, 180), 0.6, 7), x, y, l[4]))
	}
	p.posed(pose{dy: -10})
	p.part(c.mark, fuse(2, oval(66, 48, 4.2, 4.6), oval(67, 53, 3.4, 4))).matt().sway(64, 48, 14)
	for _, l := range [][3]float64{{48, 47, 0}, {61, 56, 0}, {40, 39, 1}, {56, 51, 1}} {
		leg := p.part(c.main, limb(l[0], 58, 3.4, (l[0]+l[1])/2, 65, 2.6, l[1], 70, 2.4), poly(0.8, l[1]-3, 69.4, l[1]+2.4,
			69.4, l[1]+2.8, 73, l[1]-3.8, 73))
		leg.mark(c.trim, clip(below(0, 59.4, 0), oval(l[1], 63, 7, 5)))
		if l[2] == 0 {
			leg.dim()
		}
	}
	wool := []shape{oval(51, 51, 13, 10), oval(42, 49, 9, 11)}
	for i := range 10 {
		a := float64(i) / 10 * 2 * math.Pi
		wool = append(wool, oval(50+13.4*math.Cos(a), 50+9.6*math.Sin(a), 5, 4.8))
	}
	fleece := p.part(c.mark, fuse(2, wool...)).matt()
	for _, at := range [][2]float64{{49, 44}, {59, 47}, {52, 54}, {61, 55}} {
		fleece.crease(mid, at[0]-2.6, at[1], at[0], at[1]+2.4, at[0]+2.6, at[1]+0.6)
	}
	p.posed(pose{dy: -13, dx: 1})
	p.acts(pose{deg: -9, cx: 38, cy: 48, dy: 2})
	p.part(c.main, leafAt(24, 33, 11, 39, 7, -2)).dim().patch(rose, leafAt(22, 34, 13, 38.4, 3.4, -1))
	p.part(c.main, leafAt(42, 33, 57, 40, 8, 2)).patch(rose, leafAt(45, 34.4, 55, 39.4, 4, 2)).flick(43, 33, 14)
	head := p.part(c.main, fuse(4, oval(33, 36, 11.6, 11.6), oval(29, 43, 9, 7.6))).throw(3).calmly()
	head.patch(c.belly, fuse(2, oval(27, 45.6, 7, 5), limb(28, 42, 3, 30, 33, 1.6)))
	p.part(c.trim, limb(27, 27, 2.6, 25, 21, 1.4), limb(41, 27, 2.6, 44, 21, 1.4))
	p.part(c.mark, oval(27, 26, 5, 4.6), oval(34, 24, 6.4, 5.4), oval(40, 27, 4.8, 4.4), oval(33, 28, 5, 3.4)).matt()
	p.eye(35, 35, eyeBig, c.eye)
	p.eye(23, 35, eyeBigFar, c.eye)
	p.stamp(24, 43, keys(ink, rose), "oMMo", ".oo.")
	p.stamp(22, 47, keys(c.belly), "o..o..o", ".oo.oo.")
	p.stamp(37, 42, keys(rose), "mmm", ".mm")
	p.rests()
	p.posed(pose{})
	p.anchor("crest", 34, 9)
	p.anchor("tail", 68, 42)
	p.anchor("heart", 48, 52)
	p.anchor("feet", 48, 74)
}

// ramWool draws the fleece of grown rams.
func ramWool(p *pet, n int, c coat) {
	fleece := p.part(c.mark, ramFleece()).matt()
	ramCurls(fleece)
	if n == 2 {
		saddle := oval(60, 44, 10, 15)
		fleece.mark(c.extra, wavy(saddle, 1.4, 7))
	}
	if n == 3 {
		ramMoss(p, fleece, c)
	}
}

// ramFleece returns the fleece, with round locks all along its edge.
func ramFleece() shape {
	all := []shape{oval(54, 52, 20, 12.5), oval(40, 48, 10, 13)}
	for i := range 14 {
		a := float64(i) / 14 * 2 * math.Pi
		all = append(all, oval(54+20*math.Cos(a), 51.5+11.5*math.Sin(a), 5.2, 5))
	}
	return join(append(all, oval(36, 55, 6, 6), oval(33, 47, 6, 6), oval(37, 39, 6, 5))...)
}

// ramCurls draws the locks inside the fleece.
func ramCurls(fleece *part) {
	for _, at := range [][2]float64{{43, 46}, {54, 43}, {65, 45}, {48, 54}, {60, 53}, {70, 53}, {54, 61}, {42, 58}} {
		x, y := at[0], at[1]
		fleece.crease(dark, x-3.5, y+1, x-1, y+3.5, x+3, y+2, x+3, y-1.5)
	}
}

// ramLeg draws a leg with a cloven hoof at x.
func ramLeg(p *pet, c coat, x float64, near bool) {
	leg := p.part(c.main, limb(x, 58, 4, x-0.5, 66, 2.8, x-0.5, 71, 3), poly(0.8, x-3, 70, x+2.4, 70, x+3, 74, x-4, 74))
	leg.mark(c.trim, below(0, 70, 0))
	leg.crease(edge, x-1, 71, x-1, 75)
	if !near {
		leg.dim()
	}
}

func ramHead(p *pet, n int, c coat) {
	ramHorn(p, n, c, true)
	if n == 2 {
		p.part(c.main, leafAt(37, 33, 49, 36, 6, -1)).patch(rose, leafAt(39, 33.5, 47, 35.5, 3, -1)).flick(38, 33, 16)
	}
	if n == 3 {
		p.part(c.belly, leafAt(22, 46, 24, 61, 8, 2), leafAt(26, 46, 30, 58, 7, 1)).matt()
	}
	head := p.part(c.main, fuse(4, oval(31, 31, 11, 10.5), limb(27, 36, 8, 20, 43, 5.4))).throw(2).calmly()
	head.patch(c.belly, fuse(2, oval(18.6, 44, 5.6, 4.6), limb(20, 42, 3.4, 27, 28, 2)))
	tuft := p.part(c.mark, oval(27, 21.5, 5, 4.4), oval(33, 20, 6, 4.6), oval(38, 23, 5, 4.6), oval(31, 24, 5, 3)).matt()
	tuft.crease(dark, 29, 22, 31, 24, 34, 23).crease(dark, 35, 21, 37, 23, 39, 22)
	p.eye(32, 30, []string{"OOOOO.", "KKKKKK", "KWWKmK", ".KWKlK", "..KKK."}, c.eye)
	p.eye(21, 30, []string{".OOO", "KKKK", "KWmK", ".KK."}, c.eye)
	p.stamp(14, 42, keys(ink), "oo...", "oo.oo", "...o.")
	p.stamp(15, 46, keys(c.belly), ".....o", "ooooo.")
	p.stamp(33, 37, keys(rose), "mm.", ".mm")
	ramHorn(p, n, c, false)
	if n == 3 {
		p.part(c.main, leafAt(39, 37, 54, 44, 8, -1)).patch(rose, leafAt(42, 38.6, 52, 43.4, 4, -1)).flick(40, 38, 16)
		p.part(ember, limb(31, 50, 2.4, 38, 53, 2.4, 45, 49, 2.2))
		bell := p.part(gold, fuse(1, oval(36, 56, 4.6, 4.6), poly(1, 31.5, 60, 41, 60, 40.5, 58, 32, 58))).wet()
		bell.crease(dark, 32, 58, 40, 58)
		p.stamp(35, 61, keys(gold), "dd", "oo")
	}
}

// ramHorn draws one horn. It makes one turn on the ram, and one and a half on the elder.
func ramHorn(p *pet, n int, c coat, far bool) {
	cx, cy, turns, r, thick := 45.0, 28.0, 1.05, 11.0, 4.4
	if n == 3 {
		cx, cy, turns, r, thick = 47, 23, 1.75, 8.8, 3.8
	}
	if far {
		cx, r, thick = 20+(cx-45)*0.7, r*0.72, thick*0.72
	}
	const steps = 24
	var xyr []float64
	for i := range steps + 1 {
		t := float64(i) / steps
		a := (-2.5 + t*turns*2*math.Pi)
		k := r * (1 - 0.62*t)
		if n == 3 {
			k = r * (1 - 0.86*t)
		}
		dx := math.Cos(a) * k
		if far {
			dx = -dx
		}
		xyr = append(xyr, cx+dx, cy+math.Sin(a)*k, thick*(1-0.72*t)+0.6)
	}
	pieces := [][]float64{xyr}
	if n == 3 {
		pieces = [][]float64{xyr[13*3:], xyr[:15*3]}
	}
	for _, v := range pieces {
		horn := p.part(c.trim, limb(v...)).throw(1)
		for i := 3; i < len(v)-3; i += 6 {
			x, y, w := v[i], v[i+1], v[i+2]
			a := math.Atan2(y-cy, x-cx)
			horn.crease(dark, x-math.Cos(a)*w*0.6, y-math.Sin(a)*w*0.6, x+math.Cos(a)*w, y+math.Sin(a)*w)
		}
		if far {
			horn.dim()
		}
	}
}

// ramSkirt draws the long lower edge of the elder's fleece.
func ramSkirt(p *pet, c coat) {
	var locks []shape
	for i, x := range []float64{74, 68, 62, 56, 50, 44, 38} {
		locks = append(locks, leafAt(x, 54, x+1, 70.5+float64(i%2)*2, 8, 1))
	}
	skirt := p.part(c.mark, fuse(1, locks...)).dim().matt().throw(1)
	for _, x := range []float64{71, 65, 59, 53, 47, 41} {
		skirt.crease(dark, x, 60, x, 67)
	}
}

// ramMoss draws moss with flowers on the fleece.
func ramMoss(p *pet, fleece *part, c coat) {
	fleece.patch(c.extra, wavy(oval(62, 41, 14, 5.6), 1.6, 7), leafAt(56, 42, 57, 53, 6, 0), leafAt(66, 42, 68, 55, 6, 0),
		leafAt(73, 42, 74, 51, 5, 0))
	flower := []string{".s.", "sms", ".s."}
	p.stamp(56, 40, keys(rose), flower...)
	p.stamp(64, 43, keys(sun), flower...)
	p.stamp(71, 42, keys(rose), flower...)
}
