package card

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"petsupply/internal/art"
	"petsupply/internal/art/gridpng"
	"petsupply/internal/art/lettering"
	"petsupply/internal/pet"
)

// A Pet is what the card of a pet shows.
type Pet struct {
	pack    *art.Pack
	look    art.Look
	name    string
	kind    string // family and number
	bonuses []bonus
}

type bonus struct {
	Name  string
	Stars int
}

// NewPet reads off a pet what its card shows.
func NewPet(pack *art.Pack, p pet.Pet, realms []pet.Realm) Pet {
	d := pack.Dictionary()
	given := p
	p.Name = "" // for what it is called by everyone but its owner
	own := p.DisplayName(d, realms)
	out := Pet{pack: pack, look: art.LookOf(p), name: lettering.Plain(given.DisplayName(d, realms)), kind: own}
	if !lettering.Legible(out.name) {
		out.name = own
	}
	if family := d.Families[d.Appearances[p.Egg][p.Appearance].Family].Name; out.name == own && family != "" {
		out.kind = family
	}
	for _, b := range []struct {
		name  string
		words map[uint8]string
		id    uint8
	}{{"Gathering", d.Gathering, p.Gathering}, {"Crafting", d.Crafting, p.Crafting}, {"Combat", d.Combat, p.Combat}} {
		if b.id == 0 {
			continue
		}
		if w := b.words[b.id]; w != "" {
			b.name = w
		}
		out.bonuses = append(out.bonuses, bonus{b.name, pet.Stars(b.id)})
	}
	return out
}

// Version names the card, and changes exactly when it may look otherwise.
func (p Pet) Version() string {
	return version("pet", p.pack.Key(p.look, p.view()), p.name, p.kind, p.bonuses)
}

func (p Pet) view() art.View { return art.View{Frame: true, Background: true, Scale: 1} }

var rarityInks = []color.NRGBA{
	{0xd8, 0xb4, 0x8d, 0xff}, {0xf0, 0x98, 0x60, 0xff}, {0x63, 0xc2, 0xe6, 0xff}, {0xf8, 0xcc, 0x4c, 0xff},
	{0xc0, 0x8c, 0xee, 0xff},
}

var elementInks = []color.NRGBA{
	{0xf0, 0x78, 0x45, 0xff}, {0x4a, 0x9a, 0xe6, 0xff}, {0x9f, 0xc8, 0x50, 0xff}, {0x7f, 0xd0, 0xb8, 0xff},
	{0xff, 0xd8, 0x3c, 0xff}, {0x9f, 0xd8, 0xf2, 0xff}, {0xff, 0xe9, 0x9a, 0xff}, {0xb9, 0x8a, 0xe0, 0xff},
}

// inkOf is the ink of a value, or paper of one that nobody knows.
func inkOf(inks []color.NRGBA, n uint8) color.NRGBA {
	if int(n) < len(inks) {
		return inks[n]
	}
	return paper
}

const (
	portraitX, portraitY, portrait = 16, 15, 180
	columnX                        = 212
	columnWidth                    = columns - columnX - 16
)

// Draw returns the card as a PNG.
func (p Pet) Draw() []byte {
	c := newCanvas()
	c.portrait(p.pack.Draw(p.look, p.view()))
	rarity := inkOf(rarityInks, p.look.Rarity)
	c.fill(columnX-8, 24, columnX-5, rows-24, rarity)
	y := c.text(columnX, 22, 1, muted, lettering.Fit(strings.ToUpper(p.kind), 1, columnWidth)) + 4
	y = c.title(columnX, y, columnWidth, p.name) + 4
	c.fill(columnX, y, columnX+columnWidth, y+1, haze)
	worth := pet.RarityName(p.look.Rarity)
	if p.look.Shiny {
		worth = "Shiny " + worth
	}
	y = c.text(columnX, y+7, 2, rarity, lettering.Fit(worth, 2, columnWidth))
	element := lettering.Fit(pet.ElementName(p.look.Element), 2, columnWidth)
	y = c.text(columnX, y, 2, inkOf(elementInks, p.look.Element), element) + 4
	for _, b := range p.bonuses {
		lettering.Draw(c, columnX, y, 1, amber, strings.Repeat("★", b.Stars)+strings.Repeat("☆", 3-b.Stars))
		x := columnX + lettering.Width("★★★", 1) + 5
		y = c.text(x, y, 1, paper, lettering.Fit(b.Name, 1, columnX+columnWidth-x)) + 2
	}
	return c.png(gridpng.AppendText(nil, "Copyright", p.pack.Licence()))
}

// portrait lays a picture on the left, enlarged by whole pixels if it is small.
func (c canvas) portrait(data []byte) {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		panic("card: decoding a picture that was just drawn: " + err.Error())
	}
	side, last := img.Bounds().Dx(), -1
	line := image.NewNRGBA(image.Rect(0, 0, portrait, 1))
	for y := range portrait {
		if at := y * side / portrait; at != last {
			last = at
			for x := range portrait {
				line.Set(x, 0, img.At(x*side/portrait, at))
			}
		}
		draw.Draw(c, line.Rect.Add(image.Pt(portraitX, portraitY+y)), line, image.Point{}, draw.Over)
	}
}
