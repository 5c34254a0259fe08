package main

import pets "petsupply/internal/pet"

// dictionary is dictionary.json.
func dictionary() pets.Dictionary {
	bonus := bonuses()
	d := pets.Dictionary{
		Eggs: eggNames, Families: map[string]pets.Family{}, Appearances: map[uint8]map[uint16]pets.Appearance{},
		Backgrounds: backgroundNames(),
		Gathering:   bonus["gathering"], Crafting: bonus["crafting"], Combat: bonus["combat"],
		GatheringTypes: gatheringTypes, CraftingTypes: craftingTypes,
	}
	for egg, nest := range nests() {
		looks := map[uint16]pets.Appearance{}
		for i, c := range nest {
			d.Families[c.key] = pets.Family{Name: c.family.name, Lore: c.lore}
			for n, l := range c.looks {
				looks[uint16(3*i+n+1)] = pets.Appearance{Name: l.name, Family: c.key}
			}
		}
		d.Appearances[uint8(egg)] = looks
	}
	return d
}
