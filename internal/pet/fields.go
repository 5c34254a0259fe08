package pet

import (
	"math"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A Struct is a version of the struct in which a contract keeps a pet. Each has
// the fields of the one before and some more. The numbers are those of the
// store's column v1; a third struct would be 2.
type Struct uint8

const (
	V2 Struct = 0
	V1 Struct = 1
)

// structs are what there is to know of each: its name in the configuration,
// the method that returns it, and how many of the Fields it has.
var structs = [...]struct {
	name, getter string
	fields       int
}{
	V1: {"v1", "getPet(uint256)", 19},
	V2: {"v2", "getPetV2(uint256)", 21},
}

// Structs are all there are, the shortest first.
var Structs = []Struct{V1, V2}

func (s Struct) String() string { return structs[s].name }

// structNames are their names in the configuration.
func structNames() (names []string) {
	for _, s := range Structs {
		names = append(names, s.String())
	}
	return names
}

// structNamed returns the struct of that name in the configuration.
func structNamed(name string) (Struct, bool) {
	for s := range structs {
		if structs[s].name == name {
			return Struct(s), true
		}
	}
	return V2, false
}

// Fields returns the fields that the struct has.
func (s Struct) Fields() []Field { return Fields[:structs[s].fields] }

// has reports whether the struct has the i-th of all fields.
func (s Struct) has(i int) bool { return i < structs[s].fields }

// firstStruct returns the shortest struct that has the i-th of all fields.
func firstStruct(i int) Struct {
	return Structs[slices.IndexFunc(Structs, func(s Struct) bool { return s.has(i) })]
}

// A Field is one field of a pet's struct.
type Field struct {
	Name   string // in rawData, in imports and in changes: the contract's, in lower case
	Column string // in the store; in a Query where Filter is set
	Filter bool   // listings may select by it

	// Of returns a pointer to the field's value: a *uint8, *uint16, *uint64,
	// *uint256.Int, *common.Address or *string.
	Of func(t *Traits) any
}

// Fields are all that a contract keeps of a pet besides its id, in the order of
// the struct: a new one goes to the end. Decoding, the store's columns, rawData,
// imports, changes and listings go by this table.
var Fields = []Field{
	{"originid", "origin", false, func(t *Traits) any { return &t.Origin }},
	{"name", "name", false, func(t *Traits) any { return &t.Name }},
	{"season", "season", false, func(t *Traits) any { return &t.Season }},
	{"eggtype", "egg", true, func(t *Traits) any { return &t.Egg }},
	{"rarity", "rarity", true, func(t *Traits) any { return &t.Rarity }},
	{"element", "element", true, func(t *Traits) any { return &t.Element }},
	{"bonuscount", "bonuses", false, func(t *Traits) any { return &t.BonusCount }},
	{"profbonus", "gathering", false, func(t *Traits) any { return &t.Gathering }},
	{"profbonusscalar", "gathering_scalar", false, func(t *Traits) any { return &t.GatheringScalar }},
	{"craftbonus", "crafting", false, func(t *Traits) any { return &t.Crafting }},
	{"craftbonusscalar", "crafting_scalar", false, func(t *Traits) any { return &t.CraftingScalar }},
	{"combatbonus", "combat", false, func(t *Traits) any { return &t.Combat }},
	{"combatbonusscalar", "combat_scalar", false, func(t *Traits) any { return &t.CombatScalar }},
	{"appearance", "appearance", true, func(t *Traits) any { return &t.Appearance }},
	{"background", "background", true, func(t *Traits) any { return &t.Background }},
	{"shiny", "shiny", true, func(t *Traits) any { return &t.Shiny }},
	{"hungryat", "hungry", false, func(t *Traits) any { return &t.HungryAt }},
	{"equippableat", "equippable", false, func(t *Traits) any { return &t.EquippableAt }},
	{"equippedto", "equipped", false, func(t *Traits) any { return &t.EquippedTo }},
	// Of the second struct only.
	{"fedby", "fed_by", false, func(t *Traits) any { return &t.FedBy }},
	{"foodtype", "food", false, func(t *Traits) any { return &t.FoodType }},
}

// solidityType is the field's type in the contract.
func (f *Field) solidityType() string {
	switch f.Of(new(Traits)).(type) {
	case *uint8:
		return "uint8"
	case *uint16:
		return "uint16"
	case *uint64:
		return "uint64"
	case *uint256.Int:
		return "uint256"
	case *common.Address:
		return "address"
	}
	return "string"
}

// Max is the largest value of a field that listings select by.
func (f *Field) Max() int {
	if _, wide := f.Of(new(Traits)).(*uint16); wide {
		return math.MaxUint16
	}
	return math.MaxUint8
}

// text words the field's value for people: decimal, hexadecimal, or as shown.
func (f *Field) text(t *Traits) string {
	switch v := f.Of(t).(type) {
	case *uint8:
		return strconv.FormatUint(uint64(*v), 10)
	case *uint16:
		return strconv.FormatUint(uint64(*v), 10)
	case *uint64:
		return strconv.FormatUint(*v, 10)
	case *uint256.Int:
		return v.Dec()
	case *common.Address:
		return v.Hex()
	case *string:
		return Clean(*v)
	}
	return ""
}
