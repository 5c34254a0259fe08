package supply

import (
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// A Block is the block of one chain that a token was read at. Evidence and leaves
// write it with other keys: see evidenceBlock and leafBlock, which have the same
// fields.
type Block struct {
	Chain   string      `json:"chain"`
	ChainID uint64      `json:"chainId"`
	Number  uint64      `json:"number"`
	Hash    common.Hash `json:"hash"`
	Parent  common.Hash `json:"-"` // zero unless it comes from evidence
	Time    time.Time   `json:"time"`
	// OnDemand: the chain makes blocks only when there is something to put into
	// them, so its newest one is its state until the next.
	OnDemand bool `json:"onDemand,omitempty"`
}

// is says whether b is the block that c claims.
func (c Block) is(b evm.Block) error {
	switch {
	case b.Hash != c.Hash:
		return fmt.Errorf("its hash is %s, not %s", b.Hash, c.Hash)
	case b.Number != c.Number:
		return fmt.Errorf("its number is %d, not %d", b.Number, c.Number)
	case b.Parent != c.Parent:
		return fmt.Errorf("its parent is %s, not %s", b.Parent, c.Parent)
	case !b.Time.Equal(c.Time):
		return fmt.Errorf("its time is %s, not %s", formatTime(b.Time), formatTime(c.Time))
	}
	return nil
}
