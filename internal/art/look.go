package art

import (
	"fmt"
	"strconv"

	"petsupply/internal/art/petpack"
)

// A Look is what of a pet shows in its picture: its trait tuple. Pets with the
// same look share one picture.
type Look struct {
	Egg, Rarity, Element, Background uint8
	Appearance                       uint16
	Shiny                            bool
}

// A View is how a look is asked for. Scale is pixels per pixel of the pack's
// grid, 1 to its MaxScale; 0 means the pack's own.
type View struct {
	Frame, Background bool
	Scale             int
	Form              Form
}

// A Form is what a picture is sent as.
type Form uint8

// The forms: a still PNG, a PNG that moves where a viewer can show it, and a GIF
// that moves.
const (
	Still Form = iota
	Moving
	GIF
)

// Media is the form's media type.
func (f Form) Media() string {
	if f == GIF {
		return "image/gif"
	}
	return "image/png"
}

// maxGIF is the widest GIF: its pixels are compressed one by one.
const maxGIF = 1080

// ParseForm returns the form that a caller asks for: png or gif, moving or not.
// A pack without movement is drawn still.
func (p *Pack) ParseForm(format string, animated bool, scale int) (Form, error) {
	switch {
	case format != "" && format != "png" && format != "gif":
		return Still, fmt.Errorf("%q is neither png nor gif", format)
	case format == "gif" && scale*p.grid > maxGIF:
		return Still, fmt.Errorf("a gif is at most %d pixels wide; as png it may have %d", maxGIF, p.MaxScale()*p.grid)
	case format == "gif":
		return GIF, nil
	case animated && p.Moves():
		return Moving, nil
	}
	return Still, nil
}

// Whole is the view that is served when nothing else is asked for.
var Whole = View{Frame: true, Background: true}

// MaxScale is the largest scale of the pack's pictures.
func (p *Pack) MaxScale() int { return petpack.MaxScale(p.grid) }

// Moves reports whether any picture of the pack may move.
func (p *Pack) Moves() bool { return len(p.m.Delays) > 0 }

// ParseSize returns the scale that makes a picture of the pack as many pixels
// wide as s says: a multiple of the grid, in plain decimal.
func (p *Pack) ParseSize(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if most := p.MaxScale() * p.grid; err != nil || strconv.Itoa(n) != s || n%p.grid != 0 || n < p.grid || n > most {
		return 0, fmt.Errorf("size %q: not one of %d, %d, … %d", s, p.grid, 2*p.grid, most)
	}
	return n / p.grid, nil
}

// The traits, in the order of petpack.Traits.
const (
	traitEgg = iota
	traitAppearance
	traitRarity
	traitElement
	traitShiny
	traitBackground
	traitCount = len(petpack.Traits)
)

// traitDomain is how many values of a trait are known to be in use. A pack must
// draw all of them, and may know more.
var traitDomain = [traitCount]int{5, 1, 5, 8, 2, 11}

// values returns the look as a value for each trait.
func (l Look) values() [traitCount]int {
	shiny := 0
	if l.Shiny {
		shiny = 1
	}
	return [traitCount]int{int(l.Egg), int(l.Appearance), int(l.Rarity), int(l.Element), shiny, int(l.Background)}
}

// lookOf is the inverse of values.
func lookOf(v [traitCount]int) Look {
	return Look{
		Egg: uint8(v[traitEgg]), Appearance: uint16(v[traitAppearance]), Rarity: uint8(v[traitRarity]),
		Element: uint8(v[traitElement]), Shiny: v[traitShiny] != 0, Background: uint8(v[traitBackground]),
	}
}

// String names every trait, for messages about a look.
func (l Look) String() string {
	return fmt.Sprintf("egg %d, appearance %d, rarity %d, element %d, shiny %t, background %d",
		l.Egg, l.Appearance, l.Rarity, l.Element, l.Shiny, l.Background)
}
