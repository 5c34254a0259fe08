package main

import "strconv"

// words is dictionary.json.
type words struct {
	Eggs        []string                    `json:"eggs"`
	Families    map[string]tale             `json:"families"`
	Appearances map[string]map[string]named `json:"appearances"`
	Backgrounds []string                    `json:"backgrounds"`
	Gathering   map[string]string           `json:"gathering"`
	Crafting    map[string]string           `json:"crafting"`
	Combat      map[string]string           `json:"combat"`

	GatheringTypes []string `json:"gatheringTypes"` // by egg type
	CraftingTypes  []string `json:"craftingTypes"`  // by element
}

type tale struct {
	Name string `json:"name"`
	Lore string `json:"lore"`
}

type named struct {
	Name   string `json:"name"`
	Family string `json:"family"`
}

func dictionary() words {
	w := words{Eggs: eggNames, Families: map[string]tale{}, Appearances: map[string]map[string]named{}, Backgrounds: backgroundNames()}
	for egg, nest := range nests() {
		looks := map[string]named{}
		for i, c := range nest {
			w.Families[c.key] = tale{c.family.name, c.lore}
			for n, l := range c.looks {
				looks[strconv.Itoa(3*i+n+1)] = named{l.name, c.key}
			}
		}
		w.Appearances[strconv.Itoa(egg)] = looks
	}
	b := bonuses()
	w.Gathering, w.Crafting, w.Combat = numbered(b["gathering"]), numbered(b["crafting"]), numbered(b["combat"])
	w.GatheringTypes, w.CraftingTypes = gatheringTypes, craftingTypes
	return w
}

func numbered(m map[int]string) map[string]string {
	out := map[string]string{}
	for n, s := range m {
		out[strconv.Itoa(n)] = s
	}
	return out
}
