package pet

import (
	"errors"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet/collection"
	"petsupply/testkit/contracts"
	"petsupply/testkit/traits"
)

// fields are those of the second struct, in order. The first struct lacks the last two.
var fields = []abi.ArgumentMarshaling{
	{Name: "id", Type: "uint256"}, {Name: "originId", Type: "uint8"}, {Name: "name", Type: "string"},
	{Name: "season", Type: "uint8"}, {Name: "eggType", Type: "uint8"}, {Name: "rarity", Type: "uint8"},
	{Name: "element", Type: "uint8"}, {Name: "bonusCount", Type: "uint8"},
	{Name: "profBonus", Type: "uint8"}, {Name: "profBonusScalar", Type: "uint8"},
	{Name: "craftBonus", Type: "uint8"}, {Name: "craftBonusScalar", Type: "uint8"},
	{Name: "combatBonus", Type: "uint8"}, {Name: "combatBonusScalar", Type: "uint8"},
	{Name: "appearance", Type: "uint16"}, {Name: "background", Type: "uint8"}, {Name: "shiny", Type: "uint8"},
	{Name: "hungryAt", Type: "uint64"}, {Name: "equippableAt", Type: "uint64"}, {Name: "equippedTo", Type: "uint256"},
	{Name: "fedBy", Type: "address"}, {Name: "foodType", Type: "uint8"},
}

// The two structs as the contract returns them.
var (
	structV1 = tuple(fields[:20])
	structV2 = tuple(fields)
)

func tuple(fields []abi.ArgumentMarshaling) abi.Arguments {
	t, err := abi.NewType("tuple", "", fields)
	if err != nil {
		panic(err) // the list above is wrong
	}
	return abi.Arguments{{Type: t}}
}

// decoded is the content of a contract's answer.
type decoded struct {
	value collection.Value
	name  string
}

// getter returns a getter of the collection.
func getter(name string) *collection.Getter {
	i := slices.IndexFunc(pets.Getters, func(g collection.Getter) bool { return g.Name == name })
	return &pets.Getters[i]
}

func decode(structure string, id uint64, data []byte) (d decoded, err error) {
	d.value, d.name, err = pets.Decode(getter(structure), id, data)
	return d, err
}

var errUnpacked = errors.New("not a pet")

// unpackTraits decodes an answer with go-ethereum.
func unpackTraits(structure string, id uint64, data []byte) (decoded, error) {
	args := structV2
	if structure == "v1" {
		args = structV1
	}
	values, err := args.Unpack(data)
	if err != nil || len(data)%32 != 0 || !canonical(structure, data) {
		return decoded{}, errors.Join(errUnpacked, err)
	}
	p := contracts.PetOf(values[0])
	if !p.Id.IsUint64() || p.Id.Uint64() != id {
		return decoded{}, errUnpacked
	}
	all := []any{"originid", p.OriginId, "season", p.Season, "egg", p.EggType, "rarity", p.Rarity, "element", p.Element,
		"bonuscount", p.BonusCount, "profbonus", p.ProfBonus, "profbonusscalar", p.ProfBonusScalar, "craftbonus",
		p.CraftBonus,
		"craftbonusscalar", p.CraftBonusScalar, "combatbonus", p.CombatBonus, "combatbonusscalar", p.CombatBonusScalar,
		"appearance", p.Appearance, "background", p.Background, "shiny", p.Shiny, "hungryat", p.HungryAt,
		"equippableat", p.EquippableAt, "equippedto", p.EquippedTo}
	if structure == "v1" {
		return decoded{traits.V1(all...), collection.Clip(p.Name, maxName)}, nil
	}
	return decoded{traits.V2(append(all, "fedby", p.FedBy.Hex(), "foodtype", p.FoodType)...),
		collection.Clip(p.Name, maxName)}, nil
}

// canonical rejects encodings that go-ethereum accepts: a struct that does not begin right after
// its offset, a name that is not directly after the struct or does not end the data, or an address
// of more than 20 bytes.
func canonical(structure string, data []byte) bool {
	words, fedBy := 22, 32*(1+20)
	if structure == "v1" {
		words = 20
	}
	begin, ok := DecodeUint(data[:32])
	name, there := DecodeUint(data[32*3 : 32*4])
	if !ok || begin != 32 || !there || name != uint64(32*words) {
		return false
	}
	length, _ := DecodeUint(data[32+name : 64+name])
	if uint64(len(data)) != 64+name+(length+31)/32*32 {
		return false
	}
	return structure == "v1" || common.BytesToHash(data[fedBy:fedBy+12]) == (common.Hash{})
}

// A struct with one field more or less than configured is never accepted as a pet, for any values
// and any position of the field.
func TestAStructThatDoesNotFitIsAnError(t *testing.T) {
	h := highest(7)
	for _, structure := range []string{"v1", "v2"} {
		right := fields
		if structure == "v1" {
			right = fields[:20]
		}
		for i := range len(right) + 1 {
			for _, kind := range []string{"uint8", "uint256", "string", "address"} {
				more := slices.Insert(slices.Clone(right), i, abi.ArgumentMarshaling{Name: "mood", Type: kind})
				refuse(t, structure, "with a "+kind+" more", i, more, h)
			}
			if i < len(right) {
				refuse(t, structure, "with one less", i, slices.Delete(slices.Clone(right), i, i+1), h)
			}
		}
	}
}

// refuse packs a struct of other fields and expects an error. All values but the id are zero or
// empty, which is the easiest to mistake for something else.
func refuse(t *testing.T, structure, what string, i int, other []abi.ArgumentMarshaling, h contracts.Pet) {
	t.Helper()
	args := tuple(other)
	v := reflect.New(args[0].Type.GetType()).Elem()
	for n := range v.NumField() {
		if f := v.Field(n); f.Type() == reflect.TypeFor[*big.Int]() {
			f.Set(reflect.ValueOf(h.Id))
		}
	}
	data, err := args.Pack(v.Interface())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decode(structure, 7, data); err == nil {
		t.Errorf("%s %s at %d is accepted as a pet: %+v", structure, what, i, got)
	}
}
