package pet

import (
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
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
	t.Origin, t.Name, t.Season = p.OriginId, clip(p.Name, maxName), p.Season
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
// right after its offset, a name that does not lie right behind the struct or
// is not the end of it, or an address of more than 20 bytes.
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

// A struct with a field more or less than is configured is never taken for a
// pet, whatever the values and wherever the field is.
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

// refuse packs a struct of other fields, all but the id zero or empty, which is
// what is taken for something else most easily, and expects an error.
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
		t.Errorf("%s %s at %d is taken for a pet: %+v", structure, what, i, got)
	}
}

// TestFields: the table has each field of Traits once, under names of its own.
func TestFields(t *testing.T) {
	traits := reflect.TypeFor[Traits]()
	if want := traits.NumField() - 1; len(Fields) != want { // besides Struct
		t.Errorf("%d fields, Traits have %d", len(Fields), want)
	}
	var one Traits
	seen := map[any]bool{}
	for _, f := range Fields {
		switch f.Of(&one).(type) {
		case *uint8, *uint16:
		default:
			if f.Filter {
				t.Errorf("%s is a filter, whose Max is not known", f.Name)
			}
		}
		for _, key := range []any{f.Name, "column " + f.Column, f.Of(&one)} {
			if seen[key] {
				t.Errorf("%s: %v stands in the table twice", f.Name, key)
			}
			seen[key] = true
		}
	}
	for i, s := range Structs {
		if i > 0 && len(s.Fields()) <= len(Structs[i-1].Fields()) {
			t.Errorf("%s is not longer than the one before it", s)
		}
	}
	if len(Structs) != len(structs) {
		t.Errorf("%d structs are listed, there are %d", len(Structs), len(structs))
	}
	if longest := Structs[len(Structs)-1]; len(longest.Fields()) != len(Fields) {
		t.Errorf("%s has %d of %d fields, and no struct has the others", longest, len(longest.Fields()), len(Fields))
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
