package main

import "math"

// eggBlue shows the sea: scales of water below, a wave, and bubbles above.
var eggBlue = eggKind{
	name: "blue",
	form: eggForm{19, 26, 2, .34},
	shell: [2]string{
		" 0 17234f 1 27458a 2 3a6bb8 3 5b9bde 4 9fd2f5 5 f0fcff ",
		" 0 3d1a45 1 6d2f6b 2 a8508c 3 dc82ac 4 f7bfd0 5 fff5f2 "},
	paint: [2]string{
		" a 14566e b 2390a0 c 5ccfc4 d d9fff0 ",
		" a 4b3fa0 b 6f78dc c 9dbcff d e8f6ff "},
	motif: func(e eggPoint) int {
		wave := .06 * math.Sin(4*e.u+.4)
		v := e.v - wave
		switch {
		case v > .12 && v < .2:
			return 2
		case v >= .2 && v < .34:
			return 1
		case v >= .34:
			return eggScale(e, 4.5, 6.5)
		}
		return eggDots(e, -.75, -.52, .09, -.1, -.6, .13, .55, -.38, .1, -.35, -.22, .12, .2, -.2, .17, .95, -.1, .09, -.95,
			-.3, .1, -.75, -.02, .08, .72, -.08, .07)
	},
}

// eggGrey shows mountains: firs around the foot, and pebbles around the tip.
var eggGrey = eggKind{
	name: "grey",
	form: eggForm{22, 20.6, 2.6, .1},
	shell: [2]string{
		" 0 2b2734 1 4d4857 2 746e7b 3 a09a9c 4 cfc9bf 5 fbf7e8 ",
		" 0 16303a 1 24555e 2 3c8484 3 6cb8a8 4 b3e6cc 5 f6fff0 "},
	paint: [2]string{
		" a 43333a b 6d5049 c 9a775c d cfb082 ",
		" a 7a3a20 b b8642c c eea04a d ffe0a0 "},
	motif: func(e eggPoint) int {
		if v := e.v + .03*math.Sin(7*e.u); v > .62 {
			if v > .68 {
				return 1
			}
			return 2
		}
		if eggFir(e) {
			return 1
		}
		return eggDots(e, -.6, -.62, .15, .3, -.72, .12, .25, -.42, .2, -.9, -.28, .13, -.25, -.2, .13, .95, -.3, .14, .65,
			-.05, .1, -.65, -.04, .08, .15, -.06, .07)
	},
}

// eggGreen shows a bud: overlapping leaves at the foot, and a flower at the tip.
var eggGreen = eggKind{
	name: "green",
	form: eggForm{18.6, 27.4, 1.55, .06},
	shell: [2]string{
		" 0 173a30 1 24603f 2 3f8c4a 3 77bb58 4 bde37e 5 fbffd6 ",
		" 0 3a2a18 1 6e4a1e 2 a87a2a 3 dcb04a 4 f7e08e 5 fffce0 "},
	paint: [2]string{
		" a 7d2f58 b bb4f78 c ee8fa4 d ffdbd6 ",
		" a 1f4f6a b 2f86a0 c 6cc8d0 d dffff4 "},
	motif: func(e eggPoint) int {
		// Petals hang from the tip.
		petal := math.Abs(math.Mod(e.u*1.3+10.25, 1)-.5) * 2
		if edge := -.62 + .22*(1-petal*petal); e.v < edge {
			if e.v > edge-.1 || petal > .85 {
				return 1
			}
			return 2
		}
		if e.v > -.02 {
			return eggLeaves(e)
		}
		return eggDots(e, -.5, -.2, .08, .42, -.26, .08, .0, -.1, .08, .95, -.12, .08, -1.05, -.14, .08)
	},
}

// eggYellow shows the sky: a sun with rays, between rings of feathers.
var eggYellow = eggKind{
	name: "yellow",
	form: eggForm{21.4, 22.4, 2, .03},
	shell: [2]string{
		" 0 6b4a2a 1 c2983f 2 ecd068 3 fbeb96 4 fff8c8 5 fffff4 ",
		" 0 2a2350 1 473d8c 2 6f68c4 3 a2a0ea 4 d7daff 5 ffffff "},
	paint: [2]string{
		" a a8451f b e06a2a c ff9a4a d ffd29a ",
		" a 8a2c5c b d2517c c ff95a0 d ffe0d0 "},
	motif: func(e eggPoint) int {
		du, dv := math.Sin(e.u)+.12, (e.v-.06)*1.3
		r, a := math.Hypot(du, dv), math.Atan2(dv, du)
		switch {
		case r < .22:
			return 2
		case r < .29:
			return 1
		case r > .36 && r < .5+.1*math.Abs(math.Sin(a*4)) && math.Abs(math.Sin(a*6)) < 1.05-r*1.35:
			return 1
		}
		chev := math.Abs(math.Mod(e.u*1.6+10, 1)-.5) * .24
		for _, at := range []float64{-.86, -.68, .56, .74} {
			w := e.v - at - chev*math.Copysign(1, -at)
			if w > 0 && w < .085 {
				return 1
			}
		}
		return 0
	},
}

// eggGolden shows treasure: a belt of gems, and a lattice above it.
var eggGolden = eggKind{
	name: "golden",
	extra: func(p *plate) {
		p.stamp(36, 68, `
			000..............000
			2430............0420
			02443000....00034320
			.0244443333333343200
			..02223222222223200.
			.000002344443200000.
			.0244443333333333210
			.0000000000000000000`)
		p.stamp(43, 17, `
			...000...
			..04530..
			..03320..
			.0002000.
			045430320
			024323210
			.0000000.`)
	},
	form: eggForm{17.4, 24, 2, .14},
	shell: [2]string{
		" 0 3a1a18 1 78401a 2 b06c1e 3 d89a28 4 fbcf4e 5 fff6c0 ",
		" 0 20223f 1 3f4a74 2 7083ac 3 a9bed8 4 e0edf7 5 ffffff "},
	paint: [2]string{
		" a 3a1c5c b 6a35a0 c a46ad8 d ecc8ff ",
		" a 8a1838 b c92c4c c f4646c d ffc8b8 "},
	motif: func(e eggPoint) int {
		g := math.Abs(math.Mod(e.u*1.27+10.5, 1) - .5)
		switch v := math.Abs(e.v - .12); {
		case g/.26+v/.15 < 1 && g/.26+v/.15 > .45:
			return 1
		case g/.26+v/.15 <= .45:
			return 2
		case v > .19 && v < .245, v < .19 && v > .16 && g > .4:
			return 3
		}
		if e.v > .4 {
			return eggScale(e, 3.2, 5) // engraved scales
		}
		if e.v < -.2 {
			p, q := math.Mod(e.u*1.27+e.v*2.5+20.1, 1), math.Mod(e.u*1.27-e.v*2.5+20.1, 1)
			if p < .13 || q < .13 {
				return 3
			}
			if math.Abs(p-.565) < .15 && math.Abs(q-.565) < .15 {
				return 2
			}
		}
		return 0
	},
}

// eggDots returns 1 (painted) inside the dots and 0 elsewhere. The dots are given as u, v, radius
// triples.
func eggDots(e eggPoint, uvr ...float64) int {
	for i := 0; i+2 < len(uvr); i += 3 {
		du, dv := (e.u-uvr[i])*.8, e.v-uvr[i+1]
		if du*du+dv*dv < uvr[i+2]*uvr[i+2] {
			return 1
		}
	}
	return 0
}

// eggScale returns 3 (engraved) on the edges of overlapping scales, otherwise 0.
func eggScale(e eggPoint, across, rows float64) int {
	r := math.Floor(e.v * rows)
	u := math.Mod(e.u*across/2+10+.5*math.Mod(r+20, 2), 1) - .5
	d := math.Hypot(u*2, (e.v*rows-r)*1.05)
	if d > .8 && d < 1.12 {
		return 3
	}
	return 0
}

// eggFir reports whether one of the firs at the foot covers the point. They have three tiers of
// boughs. Tall and short ones alternate.
func eggFir(e eggPoint) bool {
	n := math.Floor(e.u*1.45 + 10)
	u := math.Abs(e.u*1.45+10-n-.5) * 2
	top := -.06
	if math.Mod(n, 2) == 0 {
		top = .14
	}
	h := (e.v - top) / (.64 - top)
	if h < 0 {
		return false
	}
	return u < .1+.28*math.Floor(h*3)*.55+.5*math.Mod(h*3, 1)*(.6+.2*h)
}

// eggLeaves returns 3 (engraved) on the edges and ribs of pointed leaves in rows, otherwise 0.
func eggLeaves(e eggPoint) int {
	const rows = 2.6
	for r := 2.0; r >= 0; r-- { // the lowest row lies on top
		top := r/rows - .04
		h := (e.v - top) * rows / 1.35
		u := math.Abs(math.Mod(e.u*1.05+10.1+.5*math.Mod(r, 2), 1)-.5) * 2
		half := math.Sqrt(max(0, min(h, 1))) * 1.04
		switch {
		case h < 0 || u > half:
			continue
		case u > half-.17:
			return 3
		case u < .08 && h > .3 && h < .75:
			return 3
		}
		return 0
	}
	return 0
}
