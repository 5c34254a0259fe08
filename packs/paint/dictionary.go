package main

// dictionary returns dictionary.json.
func dictionary() Dictionary {
	bonus := bonuses()
	d := Dictionary{
		Eggs: eggNames, Families: map[string]Family{}, Appearances: map[uint8]map[uint16]Appearance{},
		Backgrounds: backgroundNames(),
		Gathering:   bonus["gathering"], Crafting: bonus["crafting"], Combat: bonus["combat"],
		GatheringTypes: gatheringTypes, CraftingTypes: craftingTypes,
	}
	for egg, nest := range nests() {
		looks := map[uint16]Appearance{}
		for i, c := range nest {
			d.Families[c.key] = Family{Name: c.family.name, Lore: c.lore}
			for n, l := range c.looks {
				looks[uint16(3*i+n+1)] = Appearance{Name: l.name, Family: c.key}
			}
		}
		d.Appearances[uint8(egg)] = looks
	}
	return d
}

// A Dictionary has words for values that are only numbers in the contracts of the default
// collection.
type Dictionary struct {
	Eggs           []string                        `json:"eggs"` // by egg type
	Families       map[string]Family               `json:"families"`
	Appearances    map[uint8]map[uint16]Appearance `json:"appearances"` // by egg type, then appearance
	Backgrounds    []string                        `json:"backgrounds"`
	Gathering      map[uint8]string                `json:"gathering"` // bonus id to name
	Crafting       map[uint8]string                `json:"crafting"`
	Combat         map[uint8]string                `json:"combat"`
	GatheringTypes []string                        `json:"gatheringTypes,omitempty"` // by egg type
	CraftingTypes  []string                        `json:"craftingTypes,omitempty"`  // by element
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
