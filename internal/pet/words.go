package pet

import (
	"fmt"
	"strconv"
)

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
