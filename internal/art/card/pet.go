package card

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"strings"

	"petsupply/internal/art"
	"petsupply/internal/art/gridpng"
	"petsupply/internal/art/lettering"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A Pet has the content of a pet's card.
type Pet struct {
	pack    *art.Pack
	look    art.Look
	name    string
	kind    string // small text above the name: the default name or the family, and the home realm if there are several
	lines   []line
	starred []starred
	foot    string
}

// A line is a text and its colour.
type line struct {
	Text string
	Ink  color.NRGBA
}

// starred is a text with a rating in stars.
type starred struct {
	Name       string
	Stars, Max int
}

// NewPet returns the content of a pet's card. foot is its last line.
func NewPet(pack *art.Pack, p pet.Pet, realms []pet.Realm, foot string) Pet {
	x := &collection.Token{ID: p.ID, Number: p.ID, Value: p.Value}
	home, known := pet.HomeRealm(realms, p.ID)
	if known {
		x.Number = home.Number(p.ID)
	}
	texts := pack.Texts()
	own := texts.Name(x) // the default name
	out := Pet{pack: pack, look: pack.LookOf(p), name: lettering.Plain(cmp.Or(pet.Clean(p.Name), own)), kind: own,
		foot: foot}
	if !lettering.Legible(out.name) {
		out.name = own
	}
	if family := texts.KindOf(x.Value).Family; out.name == own && family != "" {
		out.kind = family
	} else if out.name == own {
		out.kind = "" // the name on the card is already the default name
	}
	if known && len(realms) > 1 { // pets of other realms can have the same name and number
		out.kind = strings.TrimPrefix(out.kind+" · "+cmp.Or(home.Name, home.Key), " · ")
	}
	attributes := texts.Attributes(x)
	out.lines = linesOf(pack, x.Value)
	for _, a := range attributes {
		if a.Stars == 0 || a.Absent {
			continue
		}
		name := a.Trait
		if i := slices.IndexFunc(attributes, func(b collection.Attribute) bool {
			return b.Field == a.Field && b.Display == "text"
		}); i >= 0 {
			name = attributes[i].Text
		}
		out.starred = append(out.starred, starred{name, int(a.Number), a.Stars})
	}
	return out
}

// maxLines is the largest number of lines that linesOf returns.
const maxLines = 4

// linesOf returns the words that the card shows in large letters. These are the words of fields
// that have colours. If no field has colours, they are the words of the fields that pictures depend
// on (Look) and that do not decide the kind. The first line begins with the labels of those Look
// fields that can only be 0 or 1, and are 1.
func linesOf(pack *art.Pack, v collection.Value) []line {
	c, texts := pack.Collection(), pack.Texts()
	coloured := slices.ContainsFunc(c.Fields, func(f collection.Field) bool { return pack.Colours(&f) != nil })
	marks := ""
	var lines []line
	for i := range c.Fields {
		f := &c.Fields[i]
		n, inks := c.Uint(v, f), pack.Colours(f)
		word := texts.FieldWord(f, n)
		switch most, _ := f.Most(); {
		case f.Look && (f.Bool || most == 1) && n != 0:
			marks += texts.FieldLabel(f) + " "
		case len(lines) == maxLines:
		case n < uint64(len(inks)):
			lines = append(lines, line{word, inks[n]})
		case inks != nil, !coloured && f.Look && len(texts.FieldOptions(f)) > 0 && !slices.Contains(c.KindFields(), f):
			lines = append(lines, line{word, paper})
		}
	}
	if marks != "" && len(lines) == 0 {
		lines = []line{{"", paper}}
	}
	if len(lines) > 0 {
		lines[0].Text = strings.TrimSpace(marks + lines[0].Text)
	}
	return lines
}

// Version identifies the card, and changes exactly when the card may look different.
func (p Pet) Version() string {
	return version("pet", p.pack.Key(p.look, p.view()), p.name, p.kind, p.lines, p.starred, p.foot)
}

func (p Pet) view() art.View { return art.View{Frame: true, Background: true, Scale: 1} }

const (
	portraitX, portraitY, portrait = 16, 15, 180
	columnX                        = 212
	columnWidth                    = columns - columnX - 16
)

// Draw returns the card as a PNG.
func (p Pet) Draw() []byte {
	c := newCanvas()
	c.portrait(p.pack.Draw(p.look, p.view()))
	bar := paper
	if len(p.lines) > 0 {
		bar = p.lines[0].Ink
	}
	c.fill(columnX-8, 24, columnX-5, rows-24, bar)
	y := c.text(columnX, 22, 1, muted, lettering.Fit(strings.ToUpper(p.kind), 1, columnWidth)) + 4
	below := 4 + 7 + 2*(lettering.Height+1)*len(p.lines) + 4 + (lettering.Height+3)*len(p.starred)
	lines := 2
	if y+3*2*(lettering.Height+1)+below <= footY {
		lines = 3
	}
	y = c.title(columnX, y, columnWidth, lines, p.name) + 4
	c.fill(columnX, y, columnX+columnWidth, y+1, haze)
	y += 7
	for _, l := range p.lines {
		y = c.text(columnX, y, 2, l.Ink, lettering.Fit(l.Text, 2, columnWidth))
	}
	y += 4
	for _, b := range p.starred {
		if y+lettering.Height >= footY {
			break
		}
		stars := strings.Repeat("★", b.Stars) + strings.Repeat("☆", max(b.Max-b.Stars, 0))
		lettering.Draw(c, columnX, y, 1, amber, stars)
		x := columnX + lettering.Width(stars, 1) + 5
		y = c.text(x, y, 1, paper, lettering.Fit(b.Name, 1, columnX+columnWidth-x)) + 2
	}
	c.text(columnX, footY, 1, silver, p.foot)
	return c.png(gridpng.AppendText(nil, "Copyright", p.pack.Licence()))
}

// portrait puts a picture on the left, enlarged or reduced to a fixed width. It mixes no colours.
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
