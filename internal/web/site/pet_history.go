package site

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/pet"
)

// A petEvent is one change of a pet in words.
type petEvent struct {
	At     time.Time
	Block  uint64
	Title  string
	Fields []fieldChange
}

// A fieldChange is one value that changed.
type fieldChange struct{ Field, From, To string }

// fieldLabels names what changed as people would; what is not here keeps its name.
var fieldLabels = map[string]string{
	"name": "Name", "season": "Season", "eggtype": "Egg", "rarity": "Rarity", "element": "Element",
	"bonuscount": "Bonuses", "profbonus": "Gathering", "profbonusscalar": "Gathering strength",
	"craftbonus": "Crafting", "craftbonusscalar": "Crafting strength",
	"combatbonus": "Combat", "combatbonusscalar": "Combat strength",
	"appearance": "Appearance", "background": "Place", "shiny": "Shiny",
	"hungryat": "Hungry", "equippableat": "Can be equipped", "equippedto": "Equipped to", "fedby": "Fed by",
	"foodtype": "Food", "realm": "Realm", "owner": "Keeper", "intransit": "In transit",
}

// bonuses are the fields that number a bonus, with the names of those.
var bonuses = map[string]func(*pet.Dictionary) map[uint8]string{
	"profbonus":   func(d *pet.Dictionary) map[uint8]string { return d.Gathering },
	"craftbonus":  func(d *pet.Dictionary) map[uint8]string { return d.Crafting },
	"combatbonus": func(d *pet.Dictionary) map[uint8]string { return d.Combat },
}

func bonusName(names map[uint8]string, n uint8) string {
	if n == 0 {
		return "none"
	}
	return cmp.Or(names[n], "number "+strconv.Itoa(int(n))) + " " + strings.Repeat("★", pet.Stars(n))
}

// petEvents words a pet's changes, newest first.
func (s *Site) petEvents(changes []pet.Change) []petEvent {
	var out []petEvent
	for _, c := range slices.Backward(changes) {
		e := petEvent{At: c.At, Block: c.Block, Title: "Changed in " + s.realmName(c.Realm)}
		switch c.Kind {
		case pet.Appeared:
			e.Title, c.Fields = "First seen in "+s.realmName(c.Realm), nil
		case pet.Moved:
			e.Title = "Travelled"
		case pet.Burned:
			e.Title = "Burned in " + s.realmName(c.Realm)
		case pet.Gone:
			e.Title = "Undone by the chain"
		}
		for _, f := range c.Fields {
			e.Fields = append(e.Fields, fieldChange{
				Field: cmp.Or(fieldLabels[f.Field], f.Field), From: s.value(f.Field, f.From), To: s.value(f.Field, f.To),
			})
		}
		out = append(out, e)
	}
	return out
}

// value words one value of a field; what it cannot word it shows as it is.
func (s *Site) value(field, v string) string {
	n, err := strconv.ParseUint(v, 10, 64)
	d := s.Pack.Dictionary()
	small := err == nil && n <= math.MaxUint8
	switch {
	case v == "":
		return "–"
	case field == "realm":
		return s.realmName(v)
	case field == "name":
		return pet.Clean(v)
	case field == "rarity" && small:
		return pet.RarityName(uint8(n))
	case field == "element" && small:
		return pet.ElementName(uint8(n))
	case field == "eggtype" && small:
		return d.EggName(uint8(n))
	case field == "background" && small:
		return d.BackgroundName(uint8(n))
	case bonuses[field] != nil && small:
		return bonusName(bonuses[field](d), uint8(n))
	case field == "appearance" && n == 0 && err == nil:
		return "not shown yet"
	case field == "shiny" && small:
		if n > 0 {
			return "yes"
		}
		return "no"
	case (field == "hungryat" || field == "equippableat") && err == nil && n > 0 && n < 1<<37:
		return time.Unix(int64(n), 0).UTC().Format("2 Jan 2006, 15:04")
	case field == "owner" || field == "fedby":
		return short(v)
	}
	return v
}

func (s *Site) realmName(key string) string {
	for _, r := range s.Realms {
		if r.Key == key {
			return r.Name
		}
	}
	return key
}
