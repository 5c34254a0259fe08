package contracts

import (
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// A Pet is the second struct of the Pets contract, with the names of its ABI; the first lacks the
// last two fields. It is an argument of hatchAs, update and arrive.
type Pet struct {
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

// Options is the constructor's argument of the Pets contract.
type Options struct {
	Version    uint8    // version of the struct: 1 or 2
	Offset     *big.Int // its first pet is Offset + 1
	Relative   bool
	Enumerable bool
	Refresh    bool // emits ERC-4906 events
	Quiet      bool // emits none of the game's own events
	KeepGuests bool
	Custody    common.Address // zero means the contract itself
}

// PetOf returns the pet in a result of getPet or getPetV2. Fields that the first struct lacks are
// zero.
func PetOf(result any) Pet {
	return *abi.ConvertType(result, new(Pet)).(*Pet)
}
