package anvil

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
)

// A read by block hash returns the state of that block, and Multicall3 confirms it.
func TestReadByHash(t *testing.T) {
	n, ctx := Test(t, Options{Manual: true}), t.Context()
	who := common.HexToAddress("0xabcd")
	pay := Tx{To: who, Value: big.NewInt(1)}
	_, err := n.Do(ctx, pay)
	must(t, err)
	past, err := n.Block(ctx, rpc.LatestBlockNumber)
	must(t, err)
	_, err = n.Do(ctx, pay)
	must(t, err)
	must(t, n.Mine(ctx, 600)) // more than the node has in memory
	for _, node := range []*Node{n, n.TestCopy(t)} {
		at := rpc.BlockNumberOrHashWithHash(past.Hash, true)
		out, err := node.CallAt(ctx, at, Multicall3, "getEthBalance", who)
		must(t, err)
		if out[0].(*big.Int).Int64() != 1 {
			t.Errorf("the balance is %s, want 1 as in that block", out[0])
		}
		out, err = node.CallAt(ctx, at, Multicall3, "getBlockNumber")
		must(t, err)
		if out[0].(*big.Int).Uint64() != uint64(past.Number) {
			t.Errorf("the block is %s, want %d", out[0], past.Number)
		}
		out, err = node.CallAt(ctx, at, Multicall3, "getLastBlockHash")
		must(t, err)
		if common.Hash(out[0].([32]byte)) != past.Parent {
			t.Errorf("the last block hash is %x, want %s", out[0], past.Parent)
		}
		out, err = node.CallAt(ctx, at, Multicall3, "getCurrentBlockTimestamp")
		must(t, err)
		if out[0].(*big.Int).Uint64() != uint64(past.Time) {
			t.Errorf("the time is %s, want %d", out[0], past.Time)
		}
	}
}

func TestACopyIsTheSameChain(t *testing.T) {
	n, ctx := Test(t, Options{Manual: true, Chain: 53935}), t.Context()
	must(t, n.Mine(ctx, 5))
	twin := n.TestCopy(t)
	for number := range rpc.BlockNumber(7) {
		a, err := n.Block(ctx, number)
		must(t, err)
		b, err := twin.Block(ctx, number)
		must(t, err)
		if a != b {
			t.Errorf("block %d is %+v here and %+v there", number, a, b)
		}
	}
	must(t, twin.Mine(ctx, 1))
	height, err := n.Height(ctx)
	must(t, err)
	if height != 6 {
		t.Errorf("a block of the copy moved the original to %d", height)
	}
}
