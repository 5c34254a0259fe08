package supply

import (
	"cmp"
	"strconv"

	"petsupply/internal/evm"
)

// A Block is the block of one chain at which a token was read. It has the same form everywhere: in
// evidence, leaves, documents and histories.
type Block struct {
	Chain   string `json:"chain"`
	ChainID uint64 `json:"chainId"`
	evm.Block
	// OnDemand says that the chain makes blocks only when it has transactions. The state of its
	// newest block then applies until the next block.
	OnDemand bool `json:"onDemand,omitempty"`
}

// is returns an error if b, a block from a node, differs from c, the block in the evidence.
func (c Block) is(b evm.Block) error {
	return cmp.Or(
		differ("its hash", b.Hash.Hex(), c.Hash.Hex()),
		differ("its number", strconv.FormatUint(b.Number, 10), strconv.FormatUint(c.Number, 10)),
		differ("its parent", b.Parent.Hex(), c.Parent.Hex()),
		differ("its time", formatTime(b.Time), formatMillis(c.Time)))
}
