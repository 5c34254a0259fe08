package main

import "math"

// golden returns the creatures of legends. They hatch from golden eggs.
func golden() []creature {
	return []creature{emberPhoenix, starStag, moonHare, gildedWyrm, crownedLion, auroraSerpent, runeOwl, dawnFox}
}

// fan draws k feathers of width w that spread from x, y. Their angles go from the argument "from" to
// the argument "to", in degrees. Their lengths go from the argument "long" to the argument "short".
func fan(p *pet, r ramp, x, y, from, to float64, k int, long, short, w float64) []*part {
	all := make([]*part, k)
	for i := range all {
		t := 0.0
		if k > 1 {
			t = float64(i) / float64(k-1)
		}
		sin, cos := math.Sincos((from + (to-from)*t) * math.Pi / 180)
		reach := long + (short-long)*t
		bend := math.Copysign(reach*0.08, to-from)
		all[i] = p.part(r, leafAt(x, y, x+cos*reach, y+sin*reach, w, bend)).flat(0.8).throw(1)
	}
	return all
}
