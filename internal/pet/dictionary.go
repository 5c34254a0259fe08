package pet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"petsupply/internal/pet/collection"
)

// A Dictionary names what the chain only numbers. It comes with an art pack,
// never from code; what it does not know gets an honest fallback.
type Dictionary struct {
	Eggs        []string                        `json:"eggs"` // by egg type
	Families    map[string]Family               `json:"families"`
	Appearances map[uint8]map[uint16]Appearance `json:"appearances"` // by egg type, then appearance
	Backgrounds []string                        `json:"backgrounds"`
	Gathering   map[uint8]string                `json:"gathering"` // bonus id to name
	Crafting    map[uint8]string                `json:"crafting"`
	Combat      map[uint8]string                `json:"combat"`
	// GatheringTypes and CraftingTypes name the trade that a bonus serves, by
	// egg type and by element. Optional.
	GatheringTypes []string `json:"gatheringTypes,omitempty"`
	CraftingTypes  []string `json:"craftingTypes,omitempty"`
}

// A Family is a kind of creature, with its lore.
type Family struct {
	Name string `json:"name"`
	Lore string `json:"lore"`
}

// An Appearance is one look of a family.
type Appearance struct {
	Name   string `json:"name"`
	Family string `json:"family"` // key in Families
}

// each returns a copy of the dictionary with f applied to every text.
func (d *Dictionary) each(f func(string) string) *Dictionary {
	list := func(texts []string) []string {
		texts = slices.Clone(texts)
		for i := range texts {
			texts[i] = f(texts[i])
		}
		return texts
	}
	return &Dictionary{
		Eggs: list(d.Eggs), Backgrounds: list(d.Backgrounds), GatheringTypes: list(d.GatheringTypes), CraftingTypes: list(d.CraftingTypes),
		Gathering: values(d.Gathering, f), Crafting: values(d.Crafting, f), Combat: values(d.Combat, f),
		Families: values(d.Families, func(a Family) Family { return Family{f(a.Name), f(a.Lore)} }),
		Appearances: values(d.Appearances, func(looks map[uint16]Appearance) map[uint16]Appearance {
			return values(looks, func(a Appearance) Appearance { return Appearance{f(a.Name), a.Family} })
		}),
	}
}

// values returns a copy of m with f applied to its values.
func values[K comparable, V any](m map[K]V, f func(V) V) map[K]V {
	out := make(map[K]V, len(m))
	for k, v := range m {
		out[k] = f(v)
	}
	return out
}

// Tables returns the dictionary as tables of a collection.
func (d *Dictionary) Tables() map[string]collection.Table {
	var tables map[string]collection.Table
	text, err := json.Marshal(d)
	if err == nil {
		text = bytes.ReplaceAll(text, []byte(":null"), []byte(":{}"))
		err = json.Unmarshal(text, &tables)
	}
	if err != nil {
		panic(err) // a dictionary has nothing but texts
	}
	return tables
}

// maxDictionary bounds a dictionary file.
const maxDictionary = 16 << 20

// ParseDictionary reads a dictionary.json. Unknown keys and references to
// families that are not there are errors.
func ParseDictionary(r io.Reader) (*Dictionary, error) {
	dec := json.NewDecoder(io.LimitReader(r, maxDictionary))
	dec.DisallowUnknownFields()
	d := new(Dictionary)
	if err := dec.Decode(d); err != nil {
		return nil, fmt.Errorf("reading the dictionary: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("reading the dictionary: more text after its end")
	}
	var faults []error
	for egg, looks := range d.Appearances {
		for n, a := range looks {
			if _, ok := d.Families[a.Family]; !ok {
				faults = append(faults, fmt.Errorf("dictionary: appearance %d of egg type %d is of family %q, which is not there", n, egg, a.Family))
			}
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return d, nil
}
