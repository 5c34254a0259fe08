package pet

import (
	"fmt"

	"petsupply/internal/pet/collection"
)

// Words return the published texts of pets as plain text. They are safe for concurrent use.
type Words struct {
	*collection.Texts
	Collection *collection.Collection
	realms     []Realm
}

// NewWords compiles the texts of a collection with the tables of an art pack.
func NewWords(c *collection.Collection, tables map[string]collection.Table, realms []Realm) (*Words, error) {
	texts, err := c.Texts(tables, func(s string) string { return s })
	if err != nil {
		return nil, fmt.Errorf("compiling the texts of the collection %s: %w", c.Name, err)
	}
	return &Words{Texts: texts, Collection: c, realms: realms}, nil
}

// Name returns the pet's name, safe to show beside other text.
func (w *Words) Name(p *Pet) string { return w.Texts.Name(w.token(p)) }

// Description returns the pet's published description.
func (w *Words) Description(p *Pet) string { return w.Texts.Description(w.token(p)) }

// Line returns the short line below the pet's name in lists.
func (w *Words) Line(p *Pet) string { return w.Texts.Line(w.token(p)) }

// Attributes returns the published attributes of the pet.
func (w *Words) Attributes(p *Pet) []collection.Attribute { return w.Texts.Attributes(w.token(p)) }

// KindOf returns the pet's kind.
func (w *Words) KindOf(p *Pet) collection.Kind { return w.Texts.KindOf(p.Value) }

// Number returns the value of a field, or 0 if the pet lacks it.
func (w *Words) Number(p *Pet, f *collection.Field) uint64 { return w.Collection.Uint(p.Value, f) }

// token returns the data that texts can show of a pet.
func (w *Words) token(p *Pet) *collection.Token {
	x := Prepare(w.Collection, *p).token(w.realms)
	x.Name = Clean(p.Name)
	return &x
}
