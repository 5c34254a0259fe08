package pet

import (
	"errors"
	"fmt"

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
	t := Traits{StructV1: structure == "v1", FedBy: p.FedBy, FoodType: p.FoodType}
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
