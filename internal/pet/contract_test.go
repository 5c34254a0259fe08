package pet

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/testkit/contracts"
)

// fields are the second struct's, in order; the first lacks the last two.
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

// decode is decodeTraits of a new pet.
func decode(structure string, id uint64, data []byte) (t Traits, err error) {
	if err = decodeTraits(&t, Realm{Struct: structure}.layout(), id, data); err != nil {
		return Traits{}, err
	}
	return t, nil
}

// unpackTraits is decodeTraits by way of go-ethereum.
func unpackTraits(structure string, id uint64, data []byte) (Traits, error) {
	args := structV2
	if structure == "v1" {
		args = structV1
	}
	values, err := args.Unpack(data)
	if err != nil || len(data)%32 != 0 || !canonical(structure, data) {
		return Traits{}, fmt.Errorf("pet %d: decoding struct %s of %d bytes: %w", id, structure, len(data), errors.Join(errStruct, err))
	}
	p := contracts.PetOf(values[0])
	t := Traits{Struct: Realm{Struct: structure}.layout(), FedBy: p.FedBy, FoodType: p.FoodType}
	if !p.Id.IsUint64() || p.Id.Uint64() != id {
		return Traits{}, fmt.Errorf("pet %d: the contract answered for pet %v: %w", id, p.Id, errStruct)
	}
	t.Origin, t.Name, t.Season = p.OriginId, clip(p.Name, MaxName), p.Season
	t.Egg, t.Rarity, t.Element, t.BonusCount = p.EggType, p.Rarity, p.Element, p.BonusCount
	t.Gathering, t.GatheringScalar = p.ProfBonus, p.ProfBonusScalar
	t.Crafting, t.CraftingScalar = p.CraftBonus, p.CraftBonusScalar
	t.Combat, t.CombatScalar = p.CombatBonus, p.CombatBonusScalar
	t.Appearance, t.Background, t.Shiny = p.Appearance, p.Background, p.Shiny
	t.HungryAt, t.EquippableAt = p.HungryAt, p.EquippableAt
	t.EquippedTo = *uint256.MustFromBig(p.EquippedTo)
	return t, nil
}

// canonical reports what go-ethereum lets pass: a struct that does not begin
// right after its offset, or an address of more than 20 bytes.
func canonical(structure string, data []byte) bool {
	const fedBy = 32 * (1 + 20)
	if n, ok := DecodeUint(data[:32]); !ok || n != 32 {
		return false
	}
	return structure == "v1" || common.BytesToHash(data[fedBy:fedBy+12]) == (common.Hash{})
}

// TestFields: the table has each field of Traits once, under names of its own,
// where it is and of the kind that it is.
func TestFields(t *testing.T) {
	traits := reflect.TypeFor[Traits]()
	if want := traits.NumField() - 1; len(Fields) != want { // besides Struct
		t.Errorf("%d fields, Traits have %d", len(Fields), want)
	}
	types := map[uintptr]reflect.Type{}
	for i := range traits.NumField() {
		types[traits.Field(i).Offset] = traits.Field(i).Type
	}
	seen := map[any]bool{}
	for _, f := range Fields {
		if got := reflect.TypeOf(f.Of(new(Traits))).Elem(); got != types[f.offset] {
			t.Errorf("%s is taken for a %v, and is a %v", f.Name, got, types[f.offset])
		}
		for _, key := range []any{f.Name, "column " + f.Column, f.offset} {
			if seen[key] {
				t.Errorf("%s: %v stands in the table twice", f.Name, key)
			}
			seen[key] = true
		}
	}
	for i, want := range map[int]Struct{0: V1, 18: V1, 19: V2, 20: V2} {
		if got := firstStruct(i); got != want || !got.has(i) {
			t.Errorf("field %d is first in struct %s", i, structs[got].name)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	p := highest(5)
	p.Name = "Burr"
	data, err := structV2.Pack(p)
	if err != nil {
		b.Fatal(err)
	}
	ids, answers := make([]uint64, 500), make([][]byte, 0, 1000)
	owner := common.BigToHash(big.NewInt(7))
	for i := range ids {
		ids[i] = 5
		answers = append(answers, owner[:], data)
	}
	r := Realm{Key: "second", Struct: "v2"}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := r.Observations(ids, answers); err != nil {
			b.Fatal(err)
		}
	}
}
