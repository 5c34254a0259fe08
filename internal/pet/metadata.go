package pet

import (
	"fmt"
	"strconv"
)

// Links are the public base addresses, without trailing slash.
type Links struct {
	Pets string // of the pets interface
	Site string // of the site
}

// Metadata is the published document of a pet. Its JSON form is the same for
// the same pet, dictionary and links.
type Metadata struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	Image       string      `json:"image"`
	ExternalURL string      `json:"external_url"`
	Attributes  []Attribute `json:"attributes"`
	Data        Data        `json:"data"`
	RawData     RawData     `json:"rawData"`
}

// An Attribute is one trait as marketplaces read it: Value is a string or a
// JSON number.
type Attribute struct {
	TraitType   string `json:"trait_type"`
	Value       any    `json:"value"`
	DisplayType string `json:"display_type,omitempty"`
}

// Data are the readable values, under the lower-case keys that consumers read.
type Data struct {
	Name                 string `json:"name"`
	Creature             string `json:"creature"`
	Family               string `json:"family"`
	EggType              string `json:"eggtype"`
	Season               uint8  `json:"season"`
	Background           string `json:"background"`
	Pool                 string `json:"pool"`
	Rarity               string `json:"rarity"`
	Element              string `json:"element"`
	Shiny                bool   `json:"shiny"`
	BonusCount           uint8  `json:"bonuscount"`
	GatheringBonus       string `json:"gatheringbonus"`
	GatheringBonusType   string `json:"gatheringbonustype"`
	GatheringBonusRarity string `json:"gatheringbonusrarity"`
	GatheringBonusScalar uint8  `json:"gatheringbonusscalar"`
	CraftingBonus        string `json:"craftingbonus"`
	CraftingBonusType    string `json:"craftingbonustype"`
	CraftingBonusRarity  string `json:"craftingbonusrarity"`
	CraftingBonusScalar  uint8  `json:"craftingbonusscalar"`
	CombatBonus          string `json:"combatbonus"`
	CombatBonusRarity    string `json:"combatbonusrarity"`
	CombatBonusScalar    uint8  `json:"combatbonusscalar"`
	Animation            string `json:"animation"`

	Realm       string `json:"realm"`       // name of the realm where it is
	NativeRealm string `json:"nativerealm"` // name of the realm that it comes from
	Number      uint64 `json:"number"`      // within its native realm
	Owner       string `json:"owner"`
	InTransit   bool   `json:"intransit"`
	RealmClosed bool   `json:"realmclosed"` // the realm's chain is gone: this is its last known state
	Block       uint64 `json:"block"`       // of the realm's chain, at which this was read
}

// RawData are the struct's fields under their names in lower case, with the
// chain's own values. What may not be exact in JavaScript is a string, except
// the id, which always is.
type RawData struct {
	ID                uint64  `json:"id"`
	OriginID          uint8   `json:"originid"`
	Name              Words   `json:"name"`
	Season            uint8   `json:"season"`
	EggType           uint8   `json:"eggtype"`
	Rarity            uint8   `json:"rarity"`
	Element           uint8   `json:"element"`
	BonusCount        uint8   `json:"bonuscount"`
	ProfBonus         uint8   `json:"profbonus"`
	ProfBonusScalar   uint8   `json:"profbonusscalar"`
	CraftBonus        uint8   `json:"craftbonus"`
	CraftBonusScalar  uint8   `json:"craftbonusscalar"`
	CombatBonus       uint8   `json:"combatbonus"`
	CombatBonusScalar uint8   `json:"combatbonusscalar"`
	Appearance        uint16  `json:"appearance"`
	Background        uint8   `json:"background"`
	Shiny             uint8   `json:"shiny"`
	HungryAt          string  `json:"hungryat"`
	EquippableAt      string  `json:"equippableat"`
	EquippedTo        string  `json:"equippedto"`
	FedBy             *string `json:"fedby,omitempty"` // second struct only
	FoodType          *uint8  `json:"foodtype,omitempty"`
}

// maxRawName is how many bytes of the owner's words rawData carries.
const maxRawName = 1024

// Metadata makes the pet's document. It is pure: v is the picture's version,
// hexadecimal, which makes the image's address change with the picture.
func (p Pet) Metadata(d *Dictionary, l Links, realms []Realm, v string) Metadata {
	id := strconv.FormatUint(p.ID, 10)
	data := Data{Name: p.DisplayName(d, realms), Pool: d.EggName(p.Egg) + poolOf, Owner: p.Owner.Hex()}
	family := p.read(&data, d, realms)
	return Metadata{
		Name:        data.Name,
		Description: p.description(family, &data),
		Image:       l.Pets + "/image/" + id + "?v=" + v,
		ExternalURL: l.Site + "/pet/" + id,
		Attributes:  p.attributes(data),
		Data:        data,
		RawData:     p.raw(),
	}
}

// poolOf follows the egg type in the name of a pool.
const poolOf = " pool"

// read fills in the readable values that are looked up, and returns the family.
func (p *Pet) read(data *Data, d *Dictionary, realms []Realm) Family {
	look := d.Appearances[p.Egg][p.Appearance]
	family, ok := d.Families[look.Family]
	if !ok {
		family.Name = "Unknown"
	}
	data.Creature, data.Family, data.EggType = creature(look, p.Egg, p.Appearance), family.Name, d.EggName(p.Egg)
	data.Season, data.BonusCount, data.Shiny = p.Season, p.BonusCount, p.Shiny != 0
	data.Background, data.Rarity, data.Element = d.BackgroundName(p.Background), RarityName(p.Rarity), ElementName(p.Element)
	data.GatheringBonus, data.GatheringBonusRarity, data.GatheringBonusScalar = bonus(d.Gathering, p.Gathering, "gathering"), stars(p.Gathering), p.GatheringScalar
	data.CraftingBonus, data.CraftingBonusRarity, data.CraftingBonusScalar = bonus(d.Crafting, p.Crafting, "crafting"), stars(p.Crafting), p.CraftingScalar
	data.CombatBonus, data.CombatBonusRarity, data.CombatBonusScalar = bonus(d.Combat, p.Combat, "combat"), stars(p.Combat), p.CombatScalar
	data.GatheringBonusType, data.CraftingBonusType, data.Animation = None, None, None
	data.Realm, data.NativeRealm, data.Number = p.Realm, "Unknown", p.ID
	data.InTransit, data.Block = p.InTransit, p.Block
	if p.Gathering != 0 {
		data.GatheringBonusType = d.trade(p.Egg)
	}
	if p.Crafting != 0 {
		data.CraftingBonusType = d.craft(p.Element)
	}
	if r, ok := realmNamed(realms, p.Realm); ok {
		data.Realm, data.RealmClosed = r.Name, r.Closed
	}
	if r, ok := HomeRealm(realms, p.ID); ok {
		data.NativeRealm, data.Number = r.Name, r.Number(p.ID)
	}
	return family
}

// stars words a bonus's strength.
func stars(id uint8) string { return [...]string{None, "★", "★★", "★★★"}[Stars(id)] }

// description says what the creature is, and what a reader must know of where
// it is.
func (p *Pet) description(f Family, data *Data) string {
	text := p.lore(f)
	if before, after := p.whereabouts(data); after != "" {
		text += before + data.Realm + after
	}
	return text
}

// lore says what the creature is.
func (p *Pet) lore(f Family) string {
	switch {
	case f.Lore != "":
		return f.Lore
	case p.Appearance != 0:
		return fmt.Sprintf("A pet of a kind that this collection's pictures do not know yet (egg type %d, appearance %d).", p.Egg, p.Appearance)
	}
	return "A pet that has not shown yet what it will look like."
}

// whereabouts are the words before and after the realm's name, of a pet that is
// not simply there.
func (p *Pet) whereabouts(data *Data) (before, after string) {
	switch {
	case p.InTransit:
		return " It is travelling between realms and was last seen in ", "."
	case data.RealmClosed:
		return " ", " is closed; this is the last that was known."
	}
	return "", ""
}

// attributes makes the list that marketplaces show.
func (p Pet) attributes(data Data) []Attribute {
	list := []Attribute{
		{TraitType: "Creature", Value: data.Creature},
		{TraitType: "Family", Value: data.Family},
		{TraitType: "Egg Type", Value: data.EggType},
		{TraitType: "Season", Value: p.Season, DisplayType: "number"},
		{TraitType: "Rarity", Value: data.Rarity},
		{TraitType: "Element", Value: data.Element},
		{TraitType: "Background", Value: data.Background},
		{TraitType: "Shiny", Value: yes(data.Shiny)},
		{TraitType: "Bonus Count", Value: p.BonusCount, DisplayType: "number"},
	}
	for _, b := range []struct {
		what, name, kind, rarity string
		scalar                   uint8
	}{
		{"Gathering", data.GatheringBonus, data.GatheringBonusType, data.GatheringBonusRarity, p.GatheringScalar},
		{"Crafting", data.CraftingBonus, data.CraftingBonusType, data.CraftingBonusRarity, p.CraftingScalar},
		{"Combat", data.CombatBonus, "", data.CombatBonusRarity, p.CombatScalar},
	} {
		if b.kind != "" {
			list = append(list, Attribute{TraitType: b.what + " Bonus Type", Value: b.kind})
		}
		list = append(list,
			Attribute{TraitType: b.what + " Bonus", Value: b.name},
			Attribute{TraitType: b.what + " Bonus Rarity", Value: b.rarity},
			Attribute{TraitType: b.what + " Bonus Scalar", Value: b.scalar, DisplayType: "number"})
	}
	list = append(list,
		Attribute{TraitType: "Realm", Value: data.Realm},
		Attribute{TraitType: "Native Realm", Value: data.NativeRealm},
		Attribute{TraitType: "In Transit", Value: yes(p.InTransit)})
	return append(list, dates(p)...)
}

// dates lists the moments that a calendar can show; the chain's own extremes
// stand in rawData alone.
func dates(p Pet) []Attribute {
	var list []Attribute
	if dated(p.HungryAt) {
		list = append(list, Attribute{TraitType: "Hungry At", Value: p.HungryAt, DisplayType: "date"})
	}
	if dated(p.EquippableAt) {
		list = append(list, Attribute{TraitType: "Equippable At", Value: p.EquippableAt, DisplayType: "date"})
	}
	return list
}

// dated reports whether t is a moment before the end of the year 9999.
func dated(t uint64) bool { return t > 0 && t <= 253402300799 }

func yes(b bool) string {
	if b {
		return "Yes"
	}
	return "No"
}

// raw makes the struct's own values.
func (p Pet) raw() RawData {
	raw := RawData{
		ID: p.ID, OriginID: p.Origin, Name: Words(clip(p.Name, maxRawName)),
		Season: p.Season, EggType: p.Egg, Rarity: p.Rarity, Element: p.Element, BonusCount: p.BonusCount,
		ProfBonus: p.Gathering, ProfBonusScalar: p.GatheringScalar,
		CraftBonus: p.Crafting, CraftBonusScalar: p.CraftingScalar,
		CombatBonus: p.Combat, CombatBonusScalar: p.CombatScalar,
		Appearance: p.Appearance, Background: p.Background, Shiny: p.Shiny,
		HungryAt:     strconv.FormatUint(p.HungryAt, 10),
		EquippableAt: strconv.FormatUint(p.EquippableAt, 10),
		EquippedTo:   p.EquippedTo.Dec(),
	}
	if !p.StructV1 {
		fed, food := p.FedBy.Hex(), p.FoodType
		raw.FedBy, raw.FoodType = &fed, &food
	}
	return raw
}
