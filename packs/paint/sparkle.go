package main

// sparkleInks are the lights of a shiny pet and, last, the amber that keeps
// them apart from a pale sky.
const sparkleInks = "a ffffff b fff3b0 c ffd76a d 9fe6ff e c08238"

// sparkles are four-point stars where the edge of a pet is likely to be.
func sparkles() layer {
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
	p.at(big, 11, 20, 68, 34)
	p.at(mid, 64, 13, 13, 53)
	lit := stencilOf(func(x, y float64) bool { return p.img.NRGBAAt(int(x), int(y)).A != 0 })
	p.fill(lit.grown().minus(lit), 'e')
	p.at(small, 24, 13, 74, 55, 10, 40, 56, 9, 66, 63)
	p.at(".d.\ndad\n.d.", 20, 35, 73, 28, 19, 64, 37, 10)
	return layer{file: "sparkle@shiny.png", img: p.img}
}
