package contracts

import (
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// A Pet is the struct of the Pets contract, second version; the first has all
// but the last two fields. It is an argument of hatchAs, update and arrive.
type Pet struct {
	ID                *big.Int       `abi:"id"`
	OriginID          uint8          `abi:"originId"`
	Name              string         `abi:"name"`
	Season            uint8          `abi:"season"`
	EggType           uint8          `abi:"eggType"`
	Rarity            uint8          `abi:"rarity"`
	Element           uint8          `abi:"element"`
	BonusCount        uint8          `abi:"bonusCount"`
	ProfBonus         uint8          `abi:"profBonus"`
	ProfBonusScalar   uint8          `abi:"profBonusScalar"`
	CraftBonus        uint8          `abi:"craftBonus"`
	CraftBonusScalar  uint8          `abi:"craftBonusScalar"`
	CombatBonus       uint8          `abi:"combatBonus"`
	CombatBonusScalar uint8          `abi:"combatBonusScalar"`
	Appearance        uint16         `abi:"appearance"`
	Background        uint8          `abi:"background"`
	Shiny             uint8          `abi:"shiny"`
	HungryAt          uint64         `abi:"hungryAt"`
	EquippableAt      uint64         `abi:"equippableAt"`
	EquippedTo        *big.Int       `abi:"equippedTo"`
	FedBy             common.Address `abi:"fedBy"`
	FoodType          uint8          `abi:"foodType"`
}

// Options is the constructor's argument of the Pets contract.
type Options struct {
	Version    uint8          `abi:"version"` // of the struct: 1 or 2
	Offset     *big.Int       `abi:"offset"`  // its first pet is Offset + 1
	Relative   bool           `abi:"relative"`
	Enumerable bool           `abi:"enumerable"`
	Refresh    bool           `abi:"refresh"` // ERC-4906 events
	Quiet      bool           `abi:"quiet"`   // none of the game's own events
	KeepGuests bool           `abi:"keepGuests"`
	Custody    common.Address `abi:"custody"` // zero: the contract itself
}

// PetOf returns the pet in a result of getPet or getPetV2.
func PetOf(result any) Pet {
	return *abi.ConvertType(result, new(Pet)).(*Pet)
}
