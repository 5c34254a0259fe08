package index

import (
	"context"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// fixedBlocks is a chain that only has blocks, without logs.
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

func (c fixedBlocks) Logs(context.Context, evm.LogQuery) ([]evm.Log, error) { return nil, nil }

// TestFollowedBlocksFormOneChain: near the head each block must be the parent of the next,
// beginning with the position's block. Blocks without events are checked too, because nothing else
// shows that they were replaced.
func TestFollowedBlocksFormOneChain(t *testing.T) {
	hash := func(n uint64) common.Hash { return common.BytesToHash([]byte{byte(n), byte(n >> 8)}) }
	for name, test := range map[string]struct {
		stray uint64 // the block with another parent, 0 for none
		head  uint64
		want  error
	}{
		"one chain":                          {0, 14, nil},
		"the first block has another parent": {11, 14, evm.ErrReorg},
		"one between has another parent":     {12, 14, evm.ErrReorg},
		"the head has another parent":        {14, 14, evm.ErrReorg},
		"far from the head":                  {12, 10 + 3*depth, nil}, // only the last block is checked
	} {
		t.Run(name, func(t *testing.T) {
			blocks := map[uint64]evm.Block{}
			for n := uint64(10); n <= test.head; n++ {
				b := evm.Block{Number: n, Hash: hash(n), Parent: hash(n - 1)}
				if n == test.stray {
					b.Parent = hash(99)
				}
				blocks[n] = b
			}
			x := New(pet.Realm{}, nil, fixedBlocks{blocks: blocks}, nil, nil)
			marked := newTouched()
			at, err := x.events(t.Context(), marked, blocks[10], blocks[test.head])
			want := blocks[14]
			if test.head > 14 {
				want = blocks[test.head-depth]
			}
			if !errors.Is(err, test.want) || test.want == nil && at != want {
				t.Errorf("at %d, %v; want %v", at.Number, err, test.want)
			}
			if marks := marked.marks(0); test.head > 14 && len(marks) != 1 {
				t.Errorf("far from the head, %d blocks are marked", len(marks))
			}
		})
	}
}
