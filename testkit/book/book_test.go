package book

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/world"
)

// TestReorgsUndo: a block has the changes of its own ancestors, whatever other branches have at the
// same heights.
func TestReorgsUndo(t *testing.T) {
	chain := &world.Chain{ID: 1, Blocks: world.Steady{Every: time.Second}, Reorgs: []world.Reorg{{From: 5}, {From: 8},
		{From: 3}}}
	book := New(chain)
	who := common.Address{1}
	for _, give := range []struct {
		number uint64
		branch int
		amount int64
	}{{1, 0, 1}, {4, 0, 10}, {6, 0, 100}, {5, 1, 1000}, {9, 2, 10_000}, {7, 3, 100_000}} {
		if !book.Give(world.Block{Number: give.number, Branch: give.branch}, who, big.NewInt(give.amount)) {
			t.Fatal("an amount could not be given")
		}
	}
	for _, at := range []struct {
		number uint64
		branch int
		want   int64
	}{{0, 0, 0}, {1, 0, 1}, {4, 0, 11}, {9, 0, 111}, {5, 1, 1011}, {7, 1, 1011}, {8, 2, 1011},
		{9, 2, 11_011}, {3, 3, 1}, {9, 3, 100_001}} {
		if got := book.Balance(world.Block{Number: at.number, Branch: at.branch}, who); got.Int64() != at.want {
			t.Errorf("block %d of branch %d has %s, want %d", at.number, at.branch, got, at.want)
		}
	}
	if book.Give(world.Block{Number: 9, Branch: 3}, who, big.NewInt(-100_002)) {
		t.Error("an account gave more than it had")
	}
}
