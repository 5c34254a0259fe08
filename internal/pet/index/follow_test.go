package index

import (
	"context"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// fixedBlocks is a chain that only has blocks.
type fixedBlocks struct {
	Chain
	blocks map[uint64]evm.Block
}

func (c fixedBlocks) Blocks(_ context.Context, numbers ...uint64) (list []evm.Block, err error) {
	for _, n := range numbers {
		list = append(list, c.blocks[n])
	}
	return list, nil
}

// TestFollowedBlocksFormOneChain: near the head each block must be the parent of the next,
// beginning with the position's block. Blocks without events are checked too, because nothing else
// shows that they were replaced.
func TestFollowedBlocksFormOneChain(t *testing.T) {
	hash := func(n uint64) common.Hash { return common.BytesToHash([]byte{byte(n)}) }
	for name, test := range map[string]struct {
		stray uint64 // the block with another parent, 0 for none
		far   bool
		want  error
	}{
		"one chain":                          {0, false, nil},
		"the first block has another parent": {11, false, evm.ErrReorg},
		"one between has another parent":     {12, false, evm.ErrReorg},
		"the head has another parent":        {14, false, evm.ErrReorg},
		"far from the head":                  {12, true, nil}, // only the last block is checked
	} {
		t.Run(name, func(t *testing.T) {
			blocks := map[uint64]evm.Block{}
			for n := uint64(10); n <= 14; n++ {
				b := evm.Block{Number: n, Hash: hash(n), Parent: hash(n - 1)}
				if n == test.stray {
					b.Parent = hash(99)
				}
				blocks[n] = b
			}
			x := New(pet.Realm{}, nil, fixedBlocks{blocks: blocks}, nil, nil)
			at, err := x.markBlocks(t.Context(), newTouched(), blocks[10], 14, blocks[14], test.far)
			if !errors.Is(err, test.want) || test.want == nil && at != blocks[14] {
				t.Errorf("at %d, %v; want %v", at.Number, err, test.want)
			}
		})
	}
}
