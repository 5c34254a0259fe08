package main

import "image"

// sparkleInks are the colours of the sparkles around a shiny pet. The last one, amber, outlines the
// larger sparkles, so that they show against a pale sky.
const sparkleInks = "a ffffff b fff3b0 c ffd76a d 9fe6ff e c08238"

// sparkles returns four-point stars, placed where the edge of a pet is likely to be.
func sparkles() layer {
	l := layer{file: "sparkle@shiny.png", img: stars(0)}
	l.moves, l.play = []*image.NRGBA{stars(1)}, quarters(0, 0, 1, 1)
	return l
}

// stars returns the sparkles at moment 0 or 1. Stars that are larger at one moment are smaller at
// the other.
func stars(moment int) *image.NRGBA {
	p := newPlate(sparkleInks)
	big := `
		.....c.....
		.....b.....
		.....b.....
		....bab....
		...baaab...
		cbbaaaaabbc
		...baaab...
		....bab....
		.....b.....
		.....b.....
		.....c.....`
	mid := `
		...c...
		...b...
		..bab..
		cbaaabc
		..bab..
		...b...
		...c...`
	small := `
		..d..
		..a..
		daaad
		..a..
		..d..`
	switch moment {
	case 0:
		p.at(big, 11, 20, 68, 34)
		p.at(mid, 64, 13, 13, 53)
	case 1:
		p.at(mid, 13, 22, 70, 36)
		p.at(big, 62, 11, 11, 51)
	}
	lit := stencilOf(func(x, y float64) bool { return p.img.NRGBAAt(int(x), int(y)).A != 0 })
	p.fill(lit.grown().minus(lit), 'e')
	tiny := ".d.\ndad\n.d."
	if moment == 1 {
		small, tiny = tiny, small
	}
	p.at(small, 24, 13, 74, 55, 10, 40, 56, 9, 66, 63)
	p.at(tiny, 20, 35, 73, 28, 19, 64, 37, 10)
	return p.img
}
