package supply

import (
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// A Block is the block of one chain at which a token was read. It has the same form everywhere: in
// evidence, leaves, documents and histories.
type Block struct {
	Chain   string      `json:"chain"`
	ChainID uint64      `json:"chainId"`
	Number  uint64      `json:"number"`
	Hash    common.Hash `json:"hash"`
	Parent  common.Hash `json:"parentHash"`
	Time    time.Time   `json:"time"`
	// OnDemand says that the chain makes blocks only when it has transactions. The state of its
	// newest block then applies until the next block.
	OnDemand bool `json:"onDemand,omitempty"`
}

// is returns an error if b, a block from a node, differs from c, the block in the evidence.
func (c Block) is(b evm.Block) error {
	switch {
	case b.Hash != c.Hash:
		return fmt.Errorf("it has the hash %s; the evidence says %s", b.Hash, c.Hash)
	case b.Number != c.Number:
		return fmt.Errorf("it has the number %d; the evidence says %d", b.Number, c.Number)
	case b.Parent != c.Parent:
		return fmt.Errorf("it has the parent %s; the evidence says %s", b.Parent, c.Parent)
	case !b.Time.Equal(c.Time):
		return fmt.Errorf("it has the time %s; the evidence says %s", formatTime(b.Time), formatTime(c.Time))
	}
	return nil
}
