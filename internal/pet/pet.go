// Package pet is what a pet is: its traits, the realms that it lives in, how a
// realm's contract tells of it, where it is, what changed in it, and the
// document that is published of it. A field of a pet is a field of Traits and a
// row of the table in fields.go. Pets are found by pet/directory and kept true
// to the chains by pet/index.
package pet

import (
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	// ErrBadID: not decimal digits without sign or leading zero.
	ErrBadID = errors.New("malformed pet id")
	// ErrNotFound: outside every realm's band, or no such pet.
	ErrNotFound = errors.New("no such pet")
	// ErrBurned: there was such a pet, and no realm has it any more.
	ErrBurned = fmt.Errorf("burned: %w", ErrNotFound)
	// ErrUnavailable: not known here, and the chain cannot be asked now.
	ErrUnavailable = errors.New("pet cannot be looked up now")
	// ErrBadPageToken: a listing's page token that was not made here.
	ErrBadPageToken = errors.New("malformed cursor")
)

// Traits are what a pet contract stores of a pet, with the chain's own values.
// Two Traits are equal if the contract's answers are.
type Traits struct {
	Origin          uint8  // originId: deprecated on chain and wrong there, see Realm
	Name            string // as the owner wrote it, at most maxName bytes: see DisplayName
	Season          uint8
	Egg             uint8
	Rarity          uint8
	Element         uint8
	BonusCount      uint8
	Gathering       uint8 // profBonus
	GatheringScalar uint8
	Crafting        uint8 // craftBonus
	CraftingScalar  uint8
	Combat          uint8 // combatBonus
	CombatScalar    uint8
	Appearance      uint16 // unique within an egg type; 0 is unrevealed
	Background      uint8
	Shiny           uint8
	HungryAt        uint64 // unix seconds
	EquippableAt    uint64 // unix seconds
	EquippedTo      uint256.Int
	FedBy           common.Address // second struct only
	FoodType        uint8          // second struct only
	Struct          Struct         // that this was read from; what it does not have is zero
}

// A Pet is one pet as it is published: its traits, and where it is.
type Pet struct {
	ID uint64
	Traits
	Realm     string         // key of the realm where it is, or was last
	Owner     common.Address // in Realm; zero while it is in transit after a burn
	InTransit bool           // no realm shows an owner, one has it in custody: it is between two
	Burned    bool           // no realm has it any more: nothing else is known of it, and it is not served
	Block     uint64         // of Realm's chain, at which this state was read
	ChangedAt time.Time      // that block's time
}
