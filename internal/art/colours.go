package art

import (
	"fmt"
	"image/color"
	"strconv"

	"petsupply/internal/pet/collection"
)

// coloursTable names the table of colours. Under a field's key it has a colour for each value of
// the field.
const coloursTable = "colours"

// maxFieldColours bounds the colours of one field.
const maxFieldColours = 256

// readColours reads the colours in which package card shows the values of fields. If the pack's
// table has no colours for a field, it takes those of the collection's table.
func (p *Pack) readColours() error {
	p.inks = map[string][]color.NRGBA{}
	for i := range p.collection.Fields {
		key := p.collection.Fields[i].Key
		for _, table := range []collection.Table{p.tables[coloursTable], p.collection.Table(coloursTable)} {
			for n := 0; n < maxFieldColours && len(p.inks[key]) == n; n++ {
				text, ok := table.Text(key, strconv.Itoa(n))
				if !ok {
					break
				}
				rgb, err := strconv.ParseUint(text[min(1, len(text)):], 16, 32)
				if err != nil || len(text) != 7 || text[0] != '#' {
					return fmt.Errorf("%s: %s %d: %q is not a colour of the form #rrggbb", coloursTable, key, n, text)
				}
				p.inks[key] = append(p.inks[key], color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255})
			}
		}
	}
	return nil
}

// Colours returns the colours in which package card shows a field's values, indexed by value. It
// returns nil if the field has none.
func (p *Pack) Colours(f *collection.Field) []color.NRGBA { return p.inks[f.Key] }
