package supply

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A Snapshot is one whole measurement of a token. It never changes once made,
// so everyone may keep the pointer.
type Snapshot struct {
	ID         string    `json:"id"`    // derived from the content: the same content has the same id
	Token      string    `json:"token"` // the token's path
	AsOf       time.Time `json:"asOf"`  // when it was measured, UTC, whole milliseconds
	LedgerHash string    `json:"ledger"`
	Figures
	Max      *Amount   `json:"max"` // nil: there is none
	Blocks   []Block   `json:"blocks"`
	Evidence *Evidence `json:"evidence,omitempty"` // nil where it is no longer kept
	Demo     bool      `json:"demo,omitempty"`
}

// Figures are a token's amounts at one moment, at the token's decimals.
type Figures struct {
	Total       Amount `json:"totalSupply"`
	Circulating Amount `json:"circulatingSupply"`
	Burned      Amount `json:"burnedSupply"`
	Locked      Amount `json:"lockedSupply"`
	Reserved    Amount `json:"reservedSupply"`
}

// Equal compares quantities.
func (f Figures) Equal(g Figures) bool {
	return f.Total.Cmp(g.Total) == 0 && f.Circulating.Cmp(g.Circulating) == 0 &&
		f.Burned.Cmp(g.Burned) == 0 && f.Locked.Cmp(g.Locked) == 0 && f.Reserved.Cmp(g.Reserved) == 0
}

// A BlockRef names the block of one chain that a snapshot was read at.
type Block struct {
	Chain   string      `json:"chain"`
	ChainID uint64      `json:"chainId"`
	Number  uint64      `json:"number"`
	Hash    common.Hash `json:"hash"`
	Time    time.Time   `json:"time"`
}

// identify returns the id of a snapshot with this content.
func (s *Snapshot) identify() string {
	content, err := json.Marshal(struct {
		Token, Ledger string
		Figures       Figures
		Max           *Amount
		Blocks        []Block
	}{s.Token, s.LedgerHash, s.Figures, s.Max, s.Blocks})
	if err != nil {
		panic(fmt.Sprintf("encoding a snapshot of %s: %v", s.Token, err)) // strings, numbers and times: cannot fail
	}
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:8])
}

// Point is the snapshot without its evidence, as history keeps it.
func (s *Snapshot) Point() Point {
	return Point{AsOf: s.AsOf, Figures: s.Figures, Snapshot: s.ID, LedgerHash: s.LedgerHash, Blocks: s.Blocks}
}

// A Point is a token's figures at one moment of its history.
type Point struct {
	AsOf time.Time `json:"asOf"`
	Figures
	Snapshot   string  `json:"snapshot"`
	LedgerHash string  `json:"ledger"`
	Blocks     []Block `json:"blocks"`
}
