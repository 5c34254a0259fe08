package pet

import (
	"fmt"
	"strconv"

	"petsupply/internal/pet/collection"
)

// Words say in plain text what is published of pets. They are safe for concurrent
// use.
type Words struct {
	*collection.Texts
	Collection *collection.Collection
	realms     []Realm
}

// NewWords compiles the texts of a collection with the tables of an art pack.
func NewWords(c *collection.Collection, tables map[string]collection.Table, realms []Realm) (*Words, error) {
	texts, err := c.Texts(tables, func(s string) string { return s })
	if err != nil {
		return nil, fmt.Errorf("the texts of the collection %s: %w", c.Name, err)
	}
	return &Words{Texts: texts, Collection: c, realms: realms}, nil
}

// Name returns what the pet is called, safe to show beside other text.
func (w *Words) Name(p *Pet) string { return w.Texts.Name(w.token(p)) }

// Description returns the pet's published description.
func (w *Words) Description(p *Pet) string { return w.Texts.Description(w.token(p)) }

// Line returns the short line below the pet's name in lists.
func (w *Words) Line(p *Pet) string { return w.Texts.Line(w.token(p)) }

// Attributes returns the published attributes of the pet.
func (w *Words) Attributes(p *Pet) []collection.Attribute { return w.Texts.Attributes(w.token(p)) }

// KindOf returns what kind the pet is of.
func (w *Words) KindOf(p *Pet) collection.Kind { return w.Texts.KindOf(p.Value()) }

// Number returns the value of a field, 0 where the pet lacks it.
func (w *Words) Number(p *Pet, f *collection.Field) uint64 { return w.Collection.Uint(p.Value(), f) }

// token returns what texts can show of a pet.
func (w *Words) token(p *Pet) *collection.Token {
	x := &collection.Token{ID: p.ID, Number: p.ID, Name: Clean(p.Name), Value: p.Value(), Realm: p.Realm, NativeRealm: "Unknown",
		Owner: p.Owner, InTransit: p.InTransit, Block: p.Block, ChangedAt: p.ChangedAt.Unix()}
	x.Casings = w.Collection.Casings(p.Owner, x.Value)
	if r, ok := realmNamed(w.realms, p.Realm); ok {
		x.Realm, x.Closed = r.Name, r.Closed
	}
	if r, ok := HomeRealm(w.realms, p.ID); ok {
		x.NativeRealm, x.Number = r.Name, r.Number(p.ID)
	}
	return x
}

// none is what the published data says where a pet has no such bonus.
const none = "None"

// The chain numbers these; the names are public facts of the contract.
var (
	rarities = []string{"Common", "Uncommon", "Rare", "Legendary", "Mythic"}
	elements = []string{"Fire", "Water", "Earth", "Wind", "Lightning", "Ice", "Light", "Dark"}
	trades   = []string{"Fishing", "Foraging", "Gardening"}
)

// nameOf returns list[n], or a fallback that says what is not known.
func nameOf(list []string, n uint8, what string) string {
	if int(n) < len(list) && list[n] != "" {
		return list[n]
	}
	return fmt.Sprintf("Unknown %s %d", what, n)
}

// RarityName and ElementName name the chain's numbers.
func RarityName(n uint8) string  { return nameOf(rarities, n, "rarity") }
func ElementName(n uint8) string { return nameOf(elements, n, "element") }

// EggName names an egg type.
func (d *Dictionary) EggName(n uint8) string { return nameOf(d.Eggs, n, "egg") }

// BackgroundName names a background.
func (d *Dictionary) BackgroundName(n uint8) string { return nameOf(d.Backgrounds, n, "background") }

// creature returns the name of what the pet looks like.
func creature(a Appearance, egg uint8, appearance uint16) string {
	if a.Name != "" {
		return a.Name
	}
	if appearance == 0 {
		return "Unrevealed pet"
	}
	return fmt.Sprintf("Unknown pet %d-%d", egg, appearance)
}

// trade returns what a pet of this egg type helps to gather.
func (d *Dictionary) trade(egg uint8) string {
	if int(egg) < len(d.GatheringTypes) && d.GatheringTypes[egg] != "" {
		return d.GatheringTypes[egg]
	}
	if int(egg) < len(trades) {
		return trades[egg]
	}
	return fmt.Sprintf("Gathering of egg type %d", egg)
}

// craft returns what a pet of this element helps to make.
func (d *Dictionary) craft(element uint8) string {
	if int(element) < len(d.CraftingTypes) && d.CraftingTypes[element] != "" {
		return d.CraftingTypes[element]
	}
	return ElementName(element) + " crafting"
}

// bonus names a bonus id out of its list; 0 is none.
func bonus(names map[uint8]string, id uint8, what string) string {
	if id == 0 {
		return none
	}
	if n := names[id]; n != "" {
		return n
	}
	return fmt.Sprintf("Unknown %s bonus %d", what, id)
}

// stars words a bonus's strength.
func stars(id uint8) string { return [...]string{none, "★", "★★", "★★★"}[Stars(id)] }

// Stars returns how strong a bonus is by its id: 0 for none, one star from
// 1, two from 80, three from 160.
func Stars(id uint8) int {
	switch {
	case id >= 160:
		return 3
	case id >= 80:
		return 2
	case id >= 1:
		return 1
	}
	return 0
}

// DisplayName returns what the pet is called, safe to show beside other text:
// the owner's words without control characters and direction overrides, in
// single spaces and at most 64 characters; the creature's name and number
// where the owner wrote none.
func (p Pet) DisplayName(d *Dictionary, realms []Realm) string {
	if name := Clean(p.Name); name != "" {
		return name
	}
	number := p.ID
	if r, ok := HomeRealm(realms, p.ID); ok {
		number = r.Number(p.ID)
	}
	return creature(d.Appearances[p.Egg][p.Appearance], p.Egg, p.Appearance) + " #" + strconv.FormatUint(number, 10)
}
