package pet

import (
	"math"
	"slices"
	"strconv"
	"unsafe"

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
	kind   kind
	offset uintptr // in Traits
}

// Fields are all that a contract keeps of a pet besides its id, in the order of
// the struct: a new one goes to the end. Decoding, the store's columns, rawData,
// imports, changes and listings go by this table.
var Fields = []Field{
	{"originid", "origin", false, kindUint8, unsafe.Offsetof(Traits{}.Origin)},
	{"name", "name", false, kindText, unsafe.Offsetof(Traits{}.Name)},
	{"season", "season", false, kindUint8, unsafe.Offsetof(Traits{}.Season)},
	{"eggtype", "egg", true, kindUint8, unsafe.Offsetof(Traits{}.Egg)},
	{"rarity", "rarity", true, kindUint8, unsafe.Offsetof(Traits{}.Rarity)},
	{"element", "element", true, kindUint8, unsafe.Offsetof(Traits{}.Element)},
	{"bonuscount", "bonuses", false, kindUint8, unsafe.Offsetof(Traits{}.BonusCount)},
	{"profbonus", "gathering", false, kindUint8, unsafe.Offsetof(Traits{}.Gathering)},
	{"profbonusscalar", "gathering_scalar", false, kindUint8, unsafe.Offsetof(Traits{}.GatheringScalar)},
	{"craftbonus", "crafting", false, kindUint8, unsafe.Offsetof(Traits{}.Crafting)},
	{"craftbonusscalar", "crafting_scalar", false, kindUint8, unsafe.Offsetof(Traits{}.CraftingScalar)},
	{"combatbonus", "combat", false, kindUint8, unsafe.Offsetof(Traits{}.Combat)},
	{"combatbonusscalar", "combat_scalar", false, kindUint8, unsafe.Offsetof(Traits{}.CombatScalar)},
	{"appearance", "appearance", true, kindUint16, unsafe.Offsetof(Traits{}.Appearance)},
	{"background", "background", true, kindUint8, unsafe.Offsetof(Traits{}.Background)},
	{"shiny", "shiny", true, kindUint8, unsafe.Offsetof(Traits{}.Shiny)},
	{"hungryat", "hungry", false, kindUint64, unsafe.Offsetof(Traits{}.HungryAt)},
	{"equippableat", "equippable", false, kindUint64, unsafe.Offsetof(Traits{}.EquippableAt)},
	{"equippedto", "equipped", false, kindUint256, unsafe.Offsetof(Traits{}.EquippedTo)},
	// Of the second struct only.
	{"fedby", "fed_by", false, kindAddress, unsafe.Offsetof(Traits{}.FedBy)},
	{"foodtype", "food", false, kindUint8, unsafe.Offsetof(Traits{}.FoodType)},
}

// A kind is the type of a field in Traits; a test holds the table to it.
type kind uint8

const (
	kindUint8 kind = iota
	kindUint16
	kindUint64
	kindUint256
	kindAddress
	kindText // only the name: see Prepared
)

// typeNames are the kinds' names in Solidity.
var typeNames = [...]string{"uint8", "uint16", "uint64", "uint256", "address", "string"}

// at returns where t has the field, whose kind must be that of T. Functions in
// the rows instead of offsets would be safe without a test, but calling them
// makes a document a tenth slower to write.
func at[T any](f *Field, t *Traits) *T { return (*T)(unsafe.Add(unsafe.Pointer(t), f.offset)) }

// Of returns a pointer to the field's value in t: a *uint8, *uint16, *uint64,
// *uint256.Int, *common.Address or *string.
func (f *Field) Of(t *Traits) any {
	switch f.kind {
	case kindUint8:
		return at[uint8](f, t)
	case kindUint16:
		return at[uint16](f, t)
	case kindUint64:
		return at[uint64](f, t)
	case kindUint256:
		return at[uint256.Int](f, t)
	case kindAddress:
		return at[common.Address](f, t)
	}
	return at[string](f, t)
}

// Max is the largest value of a field that listings select by.
func (f *Field) Max() int {
	if f.kind == kindUint16 {
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
	}
	return Clean(*at[string](f, t))
}
