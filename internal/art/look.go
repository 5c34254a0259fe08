package art

import (
	"fmt"
	"strconv"
	"strings"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet"
)

// maxTraits is how many fields a pack can select layers by.
const maxTraits = 8

// A Look is the visible part of a token: the values of the fields that a pack selects layers by.
// Tokens with the same look share one picture. A look is valid only for the pack that made it.
type Look struct {
	values [maxTraits]uint64 // in a plain pack (see plain): the id and the number
}

// LookOf returns the look of a token in the pack's pictures.
func (p *Pack) LookOf(x pet.Pet) (l Look) {
	if p.plain != nil {
		return p.plain.lookOf(x)
	}
	for i := range p.traits {
		if t := &p.traits[i]; t.field == nil {
			l.values[i] = x.ID
		} else {
			l.values[i] = t.truth(p.collection.Uint(x.Value, t.field))
		}
	}
	return l
}

// Look returns the look with these values. The keys are names of fields as packs write them.
// Missing fields are 0. Fields that the pack does not select layers by are ignored.
func (p *Pack) Look(values map[string]uint64) (l Look) {
	for i := range p.traits {
		l.values[i] = p.traits[i].truth(values[p.traits[i].Name])
	}
	return l
}

// describe names every value of a look, for people.
func (p *Pack) describe(l Look) string {
	parts := make([]string, len(p.traits))
	for i := range p.traits {
		parts[i] = fmt.Sprintf("%s %d", p.traits[i].Name, l.values[i])
	}
	return strings.Join(parts, ", ")
}

// A View says how a look is drawn. Scale is how many pixels wide a pixel of the grid is drawn, 1 to
// MaxScale; 0 means the pack's Scale.
type View struct {
	Frame, Background bool
	Scale             int
	Form              Form
}

// A Form is the format of a picture.
type Form uint8

// The forms: a still PNG, and a PNG that moves in viewers that support it.
const (
	Still Form = iota
	Moving
)

// ParseForm returns the form that a caller asks for. format is png, or "" for png. If nothing in
// the pack moves, no picture moves.
func (p *Pack) ParseForm(format string, animated bool) (Form, error) {
	if format != "" && format != "png" {
		return Still, fmt.Errorf("%q is not png", format)
	}
	if animated && p.Moves() {
		return Moving, nil
	}
	return Still, nil
}

// Whole is the default view.
var Whole = View{Frame: true, Background: true}

// MaxScale returns the largest scale of the pack's pictures.
func (p *Pack) MaxScale() int { return petpack.MaxScale(p.grid) }

// Moves reports whether the pack can draw pictures that move.
func (p *Pack) Moves() bool { return len(p.m.Delays) > 0 }

// ParseSize returns the scale of a picture that is s pixels wide. s must be a multiple of the grid,
// in plain decimal.
func (p *Pack) ParseSize(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if most := p.MaxScale() * p.grid; err != nil || strconv.Itoa(n) != s || n%p.grid != 0 || n < p.grid || n > most {
		return 0, fmt.Errorf("%q is not one of %d, %d, … %d", s, p.grid, 2*p.grid, most)
	}
	return n / p.grid, nil
}
