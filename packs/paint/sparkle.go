package main

import (
	"fmt"
	"hash/fnv"
	"image"
	"math/rand/v2"
	"slices"
)

// sparkleInks are the colours of the sparkles around a shiny pet. The last one, amber, outlines the
// larger sparkles, so that they show against a pale sky.
const sparkleInks = "a ffffff b fff3b0 c ffd76a d 9fe6ff e c08238"

const (
	bigStar = `
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
	midStar = `
		...c...
		...b...
		..bab..
		cbaaabc
		..bab..
		...b...
		...c...`
	smallStar = `
		..d..
		..a..
		daaad
		..a..
		..d..`
	tinyStar = ".d.\ndad\n.d."
)

// sparkles returns the four-point stars around a shiny pet. There are two layers, for two halves of
// the elements. name is that of the pet's picture. covers has the pet in all frames of its loop,
// and face the stamps that no star may cover, in all frames.
func sparkles(name string, still *image.NRGBA, face *image.NRGBA) (out []layer) {
	for half, elements := range []string{"0+2+4+6", "1+3+5+7"} {
		at := starPoints(fmt.Sprint(name, half), still, face)
		l := layer{file: "sparkle/" + name + "-" + elements + "@shiny.png", img: stars(at, 0)}
		l.moves, l.play = []*image.NRGBA{stars(at, 1)}, quarters(0, 0, 1, 1)
		out = append(out, l)
	}
	return out
}

// starPoints returns the middles of four large stars and seven small ones. They are where a number
// that is made from the seed says: the large ones near the pet's edge, all clear of its face.
func starPoints(seed string, still, face *image.NRGBA) (at [][2]int) {
	h := fnv.New64a()
	h.Write([]byte(seed))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	count := func(img *image.NRGBA, x, y, reach int) (n int) {
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				if abs(dx)+abs(dy) <= reach && img.NRGBAAt(x+dx, y+dy).A > 0 {
					n++
				}
			}
		}
		return n
	}
	apart := 25.0
	for tries := 0; len(at) < 11; tries++ {
		x, y := 8+r.IntN(grid-16), 8+r.IntN(grid-26)
		reach, gap, few, most := 6, apart, 8, 30
		if len(at) >= 4 {
			reach, gap, few, most = 3, apart/2, 0, 3
		}
		edge := min(x, grid-1-x, y) - reach
		if edge < 5 || min(x, grid-1-x)+y < 20+reach {
			continue
		}
		if n := count(still, x, y, reach); n < few || n > most || count(face, x, y, reach+1) > 0 {
			if tries%400 == 399 {
				apart *= 0.9
			}
			continue
		}
		if len(at) >= 4 && count(still, x, y, 14) == 0 {
			continue
		}
		near := func(o [2]int) bool { return far(o, [2]int{x, y}) < gap }
		if slices.ContainsFunc(at, near) {
			if tries%400 == 399 {
				apart *= 0.9
			}
			continue
		}
		at = append(at, [2]int{x, y})
	}
	return at
}

// stars returns the sparkles at moment 0 or 1. Stars that are larger at one moment are smaller at
// the other.
func stars(at [][2]int, moment int) *image.NRGBA {
	p := newPlate(sparkleInks)
	for i, c := range at[:4] {
		if i%2 == moment {
			p.stamp(c[0]-5, c[1]-5, bigStar)
		} else {
			p.stamp(c[0]-3, c[1]-3, midStar)
		}
	}
	lit := stencilOf(func(x, y float64) bool { return p.img.NRGBAAt(int(x), int(y)).A != 0 })
	p.fill(lit.grown().minus(lit), 'e')
	for i, c := range at[4:] {
		if i%2 == moment {
			p.stamp(c[0]-2, c[1]-2, smallStar)
		} else {
			p.stamp(c[0]-1, c[1]-1, tinyStar)
		}
	}
	return p.img
}
