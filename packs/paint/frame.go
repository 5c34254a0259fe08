package main

// frameThick is the width in pixels of the frame's border. The border begins one pixel inside the
// picture, so that ornaments can stick out.
const frameThick = 6

// A side is a side or a corner of the border. Light from the upper left falls on each differently.
type side int

const (
	sideTop side = iota
	sideLeft
	sideRight
	sideBottom
	cornerTopLeft
	cornerTopRight
	cornerBottomLeft
	cornerBottomRight
)

// frameAt returns how deep a pixel is in the border, on which side, and how far along that side.
// Depth 0 is the outer line. Pixels with a depth of frameThick or more are in the opening of the
// frame, and those with a negative depth are outside the border.
func frameAt(x, y int) (depth int, s side, along int) {
	l, t, r, b := x-1, y-1, 88-x, 88-y
	depth, s, along = t, sideTop, x
	for _, c := range []struct {
		d int
		s side
		u int
	}{
		{l, sideLeft, y}, {r, sideRight, y}, {b, sideBottom, x},
		{frameSlant(l + t), cornerTopLeft, x - y}, {frameSlant(r + t), cornerTopRight, x + y - 89},
		{frameSlant(l + b), cornerBottomLeft, x + y - 89}, {frameSlant(r + b), cornerBottomRight, x - y},
	} {
		if c.d < depth {
			depth, s, along = c.d, c.s, c.u
		}
	}
	return depth, s, along
}

// frameSlant returns the depth across a cut corner. k is the sum of the distances from the two
// sides.
func frameSlant(k int) int {
	k -= 6
	if k < 0 {
		return -1
	}
	return k * 7 / 10
}

// bevel paints the border. Each argument has six inks, from the outer line inwards: lit for the top
// and left, dim for the right and bottom, which face away from the light, and flat for the two
// corners where a lit side meets a dim one.
func (p *plate) bevel(lit, flat, dim string) {
	p.border(func(depth int, s side, _ int) byte {
		switch s {
		case sideTop, sideLeft, cornerTopLeft:
			return lit[depth]
		case cornerTopRight, cornerBottomLeft:
			return flat[depth]
		}
		return dim[depth]
	})
}

// border calls ink for every pixel of the border, and paints the pixel with the result.
func (p *plate) border(ink func(depth int, s side, along int) byte) {
	for y := range plateSide {
		for x := range plateSide {
			if d, s, u := frameAt(x, y); d >= 0 && d < frameThick {
				p.dot(x, y, ink(d, s, u))
			}
		}
	}
}

// quarters stamps a pixel map, drawn for the upper left corner, at all four corners. The strings
// half and dim have pairs of inks; the first of a pair becomes the second. The pairs of half are
// for the upper right and lower left corners. Those of dim are for the lower right corner, which
// faces away from the light.
func (p *plate) quarters(x, y int, art string, half, dim string) {
	rows := stampRows(art)
	for j, line := range rows {
		for i := range len(line) {
			c := line[i]
			p.dot(x+i, y+j, c)
			p.dot(89-x-i, y+j, frameSwap(c, half))
			p.dot(x+i, 89-y-j, frameSwap(c, half))
			p.dot(89-x-i, 89-y-j, frameSwap(c, dim))
		}
	}
}

// reflect copies the upper left quarter to the other three. The strings half and dim have pairs of
// inks; the first of a pair becomes the second. The pairs of half are for the upper right and lower
// left corners. Those of dim are for the sides and the corner that face away from the light.
func (p *plate) reflect(half, dim string) {
	for y := range plateSide {
		for x := range plateSide {
			_, s, _ := frameAt(x, y)
			pairs := ""
			switch s {
			case cornerTopRight, cornerBottomLeft:
				pairs = half
			case sideRight, sideBottom, cornerBottomRight:
				pairs = dim
			}
			c := p.letter(min(x, 89-x), min(y, 89-y))
			p.dot(x, y, frameSwap(c, pairs))
		}
	}
}

// frameSwap returns the second letter of the pair that begins with c, or c if there is no such
// pair.
func frameSwap(c byte, pairs string) byte {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == c {
			return pairs[i+1]
		}
	}
	return c
}

// cardStencil returns the card, which is the area that a scene covers. It reaches a few pixels
// under the frame, and has the same cut corners.
func cardStencil() stencil {
	return stencilOf(func(fx, fy float64) bool {
		x, y := int(fx), int(fy)
		l, t, r, b := x-4, y-4, 85-x, 85-y
		return min(l, t, r, b) >= 0 && min(l+t, r+t, l+b, r+b) >= 5
	})
}

// frames returns two layers for each rarity: the frame, and the upper ornaments that reach into the
// picture. The pet stands in front of these.
func frames() []layer {
	const margin = 8 // pets keep this far from the edge
	var out []layer
	for n, draw := range []func() *plate{frameWood, frameCopper, frameSilver, frameGold, frameCrystal} {
		front, behind := draw(), newPlate("")
		found := false
		for y := margin; y < plateSide/2; y++ {
			for x := margin; x < plateSide-margin; x++ {
				if c := front.img.NRGBAAt(x, y); c.A > 0 && n < 4 {
					found = true
					behind.img.SetNRGBA(x, y, c)
					front.dot(x, y, '!')
				}
			}
		}
		out = append(out, layer{file: "frame/" + rarityValues[n] + ".png", img: front.img})
		if found {
			out = append(out, layer{file: "ornament/" + rarityValues[n] + ".png", img: behind.img})
		}
	}
	return out
}
