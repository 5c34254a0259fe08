package pet

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
)

// errStruct: a contract's answer is not the struct that it should be.
var errStruct = errors.New("not a pet")

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

// petV1 and petV2 are what go-ethereum decodes the structs into.
type petV1 struct {
	Id                *big.Int
	OriginId          uint8
	Name              string
	Season            uint8
	EggType           uint8
	Rarity            uint8
	Element           uint8
	BonusCount        uint8
	ProfBonus         uint8
	ProfBonusScalar   uint8
	CraftBonus        uint8
	CraftBonusScalar  uint8
	CombatBonus       uint8
	CombatBonusScalar uint8
	Appearance        uint16
	Background        uint8
	Shiny             uint8
	HungryAt          uint64
	EquippableAt      uint64
	EquippedTo        *big.Int
}

type petV2 struct {
	Id                *big.Int
	OriginId          uint8
	Name              string
	Season            uint8
	EggType           uint8
	Rarity            uint8
	Element           uint8
	BonusCount        uint8
	ProfBonus         uint8
	ProfBonusScalar   uint8
	CraftBonus        uint8
	CraftBonusScalar  uint8
	CombatBonus       uint8
	CombatBonusScalar uint8
	Appearance        uint16
	Background        uint8
	Shiny             uint8
	HungryAt          uint64
	EquippableAt      uint64
	EquippedTo        *big.Int
	FedBy             common.Address
	FoodType          uint8
}

// first returns the fields that both structs have.
func (p petV2) first() petV1 {
	return petV1{
		p.Id, p.OriginId, p.Name, p.Season, p.EggType, p.Rarity, p.Element, p.BonusCount,
		p.ProfBonus, p.ProfBonusScalar, p.CraftBonus, p.CraftBonusScalar, p.CombatBonus, p.CombatBonusScalar,
		p.Appearance, p.Background, p.Shiny, p.HungryAt, p.EquippableAt, p.EquippedTo,
	}
}

// decodeTraits reads the contract's answer to getPet or getPetV2 for id. An
// answer of another shape, or for another id, is an error, never a pet.
func decodeTraits(structure string, id uint64, data []byte) (Traits, error) {
	args := structV2
	if structure == "v1" {
		args = structV1
	}
	values, err := args.Unpack(data)
	if err != nil || len(data)%32 != 0 || !canonical(structure, data) {
		return Traits{}, fmt.Errorf("pet %d: decoding struct %s of %d bytes: %w", id, structure, len(data), errors.Join(errStruct, err))
	}
	var p petV1
	t := Traits{StructV1: true}
	if structure == "v1" {
		p = *abi.ConvertType(values[0], new(petV1)).(*petV1)
	} else {
		v2 := *abi.ConvertType(values[0], new(petV2)).(*petV2)
		p = v2.first()
		t = Traits{FedBy: v2.FedBy, FoodType: v2.FoodType}
	}
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
	if n, ok := uintAnswer(data[:32]); !ok || n != 32 {
		return false
	}
	return structure == "v1" || common.BytesToHash(data[fedBy:fedBy+12]) == (common.Hash{})
}

// selector returns the first four bytes of a call of the given signature.
func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

var (
	selGetPet       = selector("getPet(uint256)")
	selGetPetV2     = selector("getPetV2(uint256)")
	selOwnerOf      = selector("ownerOf(uint256)")
	selNextPetID    = selector("nextPetId()")
	selTotalSupply  = selector("totalSupply()")
	selTokenByIndex = selector("tokenByIndex(uint256)")
)

// word makes a call with one number.
func word(sel []byte, n uint64) []byte {
	w := uint256.NewInt(n).Bytes32()
	return append(append(make([]byte, 0, 36), sel...), w[:]...)
}

// uintAnswer reads one number; a nil or odd answer is not one.
func uintAnswer(b []byte) (uint64, bool) {
	if len(b) != 32 {
		return 0, false
	}
	n := new(uint256.Int).SetBytes32(b)
	return n.Uint64(), n.IsUint64()
}

// A Sighting is what one realm says of one pet at one block.
type Sighting struct {
	ID    uint64
	Owner common.Address // zero: the realm has no such pet
	Traits
}

// stateCalls asks r for the owner and the struct of each id.
func (r Realm) stateCalls(ids []uint64) []evm.Call {
	get := selGetPetV2
	if r.Struct == "v1" {
		get = selGetPet
	}
	calls := make([]evm.Call, 0, 2*len(ids))
	for _, id := range ids {
		calls = append(calls,
			evm.Call{To: r.Contract, Data: word(selOwnerOf, id), MayRevert: true},
			evm.Call{To: r.Contract, Data: word(get, id), MayRevert: true})
	}
	return calls
}

// sightings reads the answers to stateCalls. A pet whose ownerOf reverts or
// answers zero is not in the realm. A pet that has an owner but whose answer
// is not understood is odd: it is left out of the list, never taken for gone.
// If most are odd, the node is, and that is an error.
func (r Realm) sightings(ids []uint64, answers [][]byte) (list []Sighting, odd []uint64, err error) {
	if len(answers) != 2*len(ids) {
		return nil, nil, fmt.Errorf("reading %d pets of %s: %d answers to %d calls", len(ids), r.Key, len(answers), 2*len(ids))
	}
	list = make([]Sighting, 0, len(ids))
	for i, id := range ids {
		s, e := r.sighting(id, answers[2*i], answers[2*i+1])
		if e != nil {
			odd, err = append(odd, id), fmt.Errorf("in %s: %w", r.Key, e)
			continue
		}
		list = append(list, s)
	}
	if 2*len(odd) > len(ids) && len(odd) > 1 {
		return nil, nil, fmt.Errorf("reading %d pets of %s: %d answers make no sense: %w", len(ids), r.Key, len(odd), err)
	}
	return list, odd, nil
}

func (r Realm) sighting(id uint64, owner, body []byte) (Sighting, error) {
	s := Sighting{ID: id}
	if owner == nil {
		return s, nil
	}
	if len(owner) != 32 || common.BytesToHash(owner[:12]) != (common.Hash{}) {
		return s, fmt.Errorf("pet %d: ownerOf answered %d bytes: %w", id, len(owner), errStruct)
	}
	s.Owner = common.BytesToAddress(owner)
	if s.Owner == (common.Address{}) {
		return s, nil
	}
	var err error
	s.Traits, err = decodeTraits(r.Struct, id, body)
	return s, err
}
