package pet

import (
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

// firstStruct returns the first struct that has the i-th of all fields.
func firstStruct(i int) Struct {
	first := V2
	for s := range structs {
		if n := structs[s].fields; i < n && n < structs[first].fields {
			first = Struct(s)
		}
	}
	return first
}

// Fields are all that a contract keeps of a pet besides its id, in the order of
// the struct: under which name they stand in rawData, in imports and in changes
// (the contract's, in lower case), in which column of the store, whether
// listings may select by them, and where in Traits they are. Decoding, the
// store's columns, rawData, imports, changes and listings go by this table.
var Fields = tableOf([]row{
	{"originid", "origin", false, &model.Origin},
	{"name", "name", false, &model.Name},
	{"season", "season", false, &model.Season},
	{"eggtype", "egg", true, &model.Egg},
	{"rarity", "rarity", true, &model.Rarity},
	{"element", "element", true, &model.Element},
	{"bonuscount", "bonuses", false, &model.BonusCount},
	{"profbonus", "gathering", false, &model.Gathering},
	{"profbonusscalar", "gathering_scalar", false, &model.GatheringScalar},
	{"craftbonus", "crafting", false, &model.Crafting},
	{"craftbonusscalar", "crafting_scalar", false, &model.CraftingScalar},
	{"combatbonus", "combat", false, &model.Combat},
	{"combatbonusscalar", "combat_scalar", false, &model.CombatScalar},
	{"appearance", "appearance", false, &model.Appearance},
	{"background", "background", true, &model.Background},
	{"shiny", "shiny", true, &model.Shiny},
	{"hungryat", "hungry", false, &model.HungryAt},
	{"equippableat", "equippable", false, &model.EquippableAt},
	{"equippedto", "equipped", false, &model.EquippedTo},
	// Of the second struct only.
	{"fedby", "fed_by", false, &model.FedBy},
	{"foodtype", "food", false, &model.FoodType},
})

// model is what the rows of the table point into.
var model Traits

type row struct {
	name, column string
	filter       bool
	value        any // pointer to a field of model
}

// A Field is one field of a pet's struct.
type Field struct {
	Name   string
	Column string // in the store; in a Query where Filter is set
	Filter bool
	kind   kind
	offset uintptr // in Traits
}

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

func tableOf(rows []row) []Field {
	list := make([]Field, len(rows))
	for i, r := range rows {
		f := Field{Name: r.name, Column: r.column, Filter: r.filter}
		var at unsafe.Pointer
		switch v := r.value.(type) {
		case *uint8:
			f.kind, at = kindUint8, unsafe.Pointer(v)
		case *uint16:
			f.kind, at = kindUint16, unsafe.Pointer(v)
		case *uint64:
			f.kind, at = kindUint64, unsafe.Pointer(v)
		case *uint256.Int:
			f.kind, at = kindUint256, unsafe.Pointer(v)
		case *common.Address:
			f.kind, at = kindAddress, unsafe.Pointer(v)
		case *string:
			f.kind, at = kindText, unsafe.Pointer(v)
		default:
			panic("pet: the field " + r.name + " is of a type that is not known")
		}
		f.offset = uintptr(at) - uintptr(unsafe.Pointer(&model))
		list[i] = f
	}
	return list
}

// at returns where t has the field, whose kind must be that of T. A call of a
// function in each row would be safe too, and take a tenth of the time in which
// a document is written.
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
