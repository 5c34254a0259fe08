package art

import (
	"crypto/sha256"
	"image"
	"image/color"
	"image/draw"
	"strconv"

	"petsupply/internal/art/petpack"
	"petsupply/internal/art/png"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A plain pack draws the tokens of a collection that has no pictures. Each picture is a card with a
// crest that is made from the token's id, and the token's number.
type plain struct {
	realms []pet.Realm
}

// Sizes in the pictures of a plain pack, in pixels of the grid.
const (
	plainGrid   = 120
	plainScale  = 3
	plateMargin = 6
	crestCell   = 4
	crestCells  = 11 // cells across; the right half mirrors the left
	plateTop    = 68
)

// newPlain returns the plain pack of a collection.
func newPlain(c *collection.Collection, realms []pet.Realm) (*Pack, error) {
	texts, err := c.Texts(map[string]collection.Table{}, func(s string) string { return s })
	if err != nil {
		return nil, err
	}
	m := &petpack.Manifest{Format: "petpack/2", ID: "plain", Version: "1", Name: c.Name, Licence: "CC0-1.0",
		Grid: plainGrid, Scale: plainScale}
	return &Pack{
		m: m, collection: c, texts: texts, grid: plainGrid, scale: plainScale,
		anchorSlot: none, unpack: func() {}, soft: true, plain: &plain{realms: realms},
		head: "plain\n1\n" + c.Name + "\n", text: licenceText(m.Licence),
	}, nil
}

// IsPlain reports whether the pack has no pictures of its own and draws plain cards.
func (p *Pack) IsPlain() bool { return p.plain != nil }

// licenceText returns the licence as PNG chunks.
func licenceText(licence string) []byte {
	return png.AppendText(png.AppendText(nil, "Copyright", licence), "Software", "petsupply")
}

// lookOf returns the look of a token in plain pictures.
func (l *plain) lookOf(x pet.Pet) Look {
	number := x.ID
	if r, ok := pet.HomeRealm(l.realms, x.ID); ok {
		number = r.Number(x.ID)
	}
	return Look{values: [maxTraits]uint64{x.ID, number}}
}

// plainInks are the colour schemes of cards. Each has a dark, a middle and a light colour.
var plainInks = [...][3]color.NRGBA{
	{{0x2b, 0x3a, 0x67, 0xff}, {0x4b, 0x6c, 0xa8, 0xff}, {0xa9, 0xd0, 0xf0, 0xff}},
	{{0x1f, 0x4a, 0x4a, 0xff}, {0x3a, 0x80, 0x74, 0xff}, {0xa6, 0xe3, 0xc4, 0xff}},
	{{0x35, 0x4a, 0x21, 0xff}, {0x67, 0x86, 0x3a, 0xff}, {0xd3, 0xe6, 0x8c, 0xff}},
	{{0x5a, 0x3a, 0x1c, 0xff}, {0xa8, 0x72, 0x32, 0xff}, {0xf8, 0xd6, 0x86, 0xff}},
	{{0x5e, 0x29, 0x2b, 0xff}, {0xa8, 0x4e, 0x48, 0xff}, {0xf7, 0xb3, 0x9b, 0xff}},
	{{0x57, 0x26, 0x52, 0xff}, {0x9a, 0x4c, 0x8c, 0xff}, {0xf2, 0xb0, 0xdc, 0xff}},
	{{0x3b, 0x2c, 0x66, 0xff}, {0x6a, 0x56, 0xa8, 0xff}, {0xc9, 0xb8, 0xf4, 0xff}},
}

var plainDark = color.NRGBA{0x1c, 0x18, 0x26, 0xff}

// draw paints a card. Crest and colour depend on title (the name of the collection) and on the id.
func (l *plain) draw(pix []color.NRGBA, title string, look *Look, v View) {
	c := plainCanvas{image.NewNRGBA(image.Rect(0, 0, plainGrid, plainGrid))}
	sum := sha256.Sum256([]byte(title + "\n" + strconv.FormatUint(look.values[0], 10)))
	inks := plainInks[int(sum[31])%len(plainInks)]
	c.card(inks, v)
	c.crest(sum[:], inks)
	c.plate(look, inks)
	copy(pix, pixels(c.NRGBA))
}

// A plainCanvas is a card being drawn.
type plainCanvas struct{ *image.NRGBA }

func (c plainCanvas) fill(x0, y0, x1, y1 int, ink color.NRGBA) {
	draw.Draw(c, image.Rect(x0, y0, x1, y1), image.NewUniform(ink), image.Point{}, draw.Src)
}

// card paints the background and the frame of a card with cut corners.
func (c plainCanvas) card(inks [3]color.NRGBA, v View) {
	for y := range plainGrid {
		for x := range plainGrid {
			edge := min(x, y, plainGrid-1-x, plainGrid-1-y)
			cut := min(x, plainGrid-1-x) + min(y, plainGrid-1-y)
			edge = min(edge, cut-4)
			switch {
			case edge < 0 || edge < 4 && !v.Frame && !v.Background:
			case edge < 4 && v.Frame:
				c.SetNRGBA(x, y, [...]color.NRGBA{plainDark, inks[2], inks[1], plainDark}[edge])
			case v.Background && (y > 74 || y > 44 && (x+y)%2 == 0 && y%2 == 0):
				c.SetNRGBA(x, y, inks[0])
			case v.Background:
				c.SetNRGBA(x, y, inks[1])
			}
		}
	}
}

// crest paints a symmetric figure of cells.
func (c plainCanvas) crest(sum []byte, inks [3]color.NRGBA) {
	const left, top = (plainGrid - crestCell*crestCells) / 2, 14
	filled := func(x, y int) bool {
		if x < 0 || y < 0 || x >= crestCells || y >= crestCells {
			return false
		}
		column := min(x, crestCells-1-x)
		dx := x - crestCells/2
		dy := y - crestCells/2
		if dx*dx+dy*dy > 30 { // outside the round shield
			return false
		}
		bit := y*(crestCells/2+1) + column
		return dx*dx+dy*dy <= 2 || sum[bit/8]>>(bit%8)&1 == 1
	}
	for y := -1; y <= crestCells; y++ {
		for x := -1; x <= crestCells; x++ {
			px := left + x*crestCell
			py := top + y*crestCell
			switch {
			case filled(x, y):
				c.fill(px, py, px+crestCell, py+crestCell, inks[2])
				if !filled(x, y+1) {
					c.fill(px, py+crestCell-1, px+crestCell, py+crestCell, inks[1])
				}
			case filled(x-1, y) || filled(x+1, y) || filled(x, y-1) || filled(x, y+1):
				c.fill(px, py, px+crestCell, py+crestCell, plainDark)
			}
		}
	}
}

// digits has the pixels of each digit, three in a row.
var digits = [10]string{
	"####.##.##.####", ".#.##..#..#.###", "###..#####..###", "###..####..####", "#.##.####..#..#",
	"####..###..####", "####..####.####", "###..#..#..#..#", "####.#####.####", "####.####..####",
}

// plate paints the number below the crest, as large as it fits.
func (c plainCanvas) plate(look *Look, inks [3]color.NRGBA) {
	const bottom = plainGrid - plateMargin
	c.fill(plateMargin, plateTop, bottom, bottom, plainDark)
	c.fill(plateMargin, plateTop, bottom, plateTop+1, inks[2])
	number := strconv.FormatUint(look.values[1], 10)
	size := min(4, (bottom-plateMargin-8)/(4*len(number)))
	left := (plainGrid - size*(4*len(number)-1)) / 2
	top := (plateTop + bottom - size*5) / 2
	for i, digit := range number {
		for at, pixel := range digits[digit-'0'] {
			if pixel == '#' {
				x := left + size*(4*i+at%3)
				y := top + size*(at/3)
				c.fill(x, y, x+size, y+size, inks[2])
			}
		}
	}
}
