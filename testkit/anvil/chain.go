package anvil

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/contracts"
)

// A Block is a block's header.
type Block struct {
	Number hexutil.Uint64 `json:"number"`
	Hash   common.Hash    `json:"hash"`
	Parent common.Hash    `json:"parentHash"`
	Time   hexutil.Uint64 `json:"timestamp"`
}

// Block returns a block by number or tag, such as rpc.LatestBlockNumber.
func (n *Node) Block(ctx context.Context, number rpc.BlockNumber) (Block, error) {
	var b *Block
	if err := n.RPC.CallContext(ctx, &b, "eth_getBlockByNumber", number, false); err != nil {
		return Block{}, fmt.Errorf("reading block %s: %w", number, err)
	}
	if b == nil {
		return Block{}, fmt.Errorf("reading block %s: there is none", number)
	}
	return *b, nil
}

// Height returns the latest block's number.
func (n *Node) Height(ctx context.Context) (uint64, error) {
	var height hexutil.Uint64
	if err := n.RPC.CallContext(ctx, &height, "eth_blockNumber"); err != nil {
		return 0, fmt.Errorf("reading the height: %w", err)
	}
	return uint64(height), nil
}

// Mine adds blocks. The first has the transactions in the pool.
func (n *Node) Mine(ctx context.Context, blocks int) error {
	return n.do(ctx, "anvil_mine", hexutil.Uint64(blocks))
}

// MineEvery adds blocks whose times are step apart. The chain's clock then runs ahead.
func (n *Node) MineEvery(ctx context.Context, blocks int, step time.Duration) error {
	return n.do(ctx, "anvil_mine", hexutil.Uint64(blocks), hexutil.Uint64(step.Seconds()))
}

// MineAt adds one block with that time, which must not be before the last one.
func (n *Node) MineAt(ctx context.Context, t time.Time) error {
	if err := n.do(ctx, "evm_setNextBlockTimestamp", t.Unix()); err != nil {
		return err
	}
	return n.Mine(ctx, 1)
}

// Place puts a contract's code at a chosen address, in a block of its own, and binds it. The
// constructor does not run, so it suits contracts without state. The previous block may seem to
// have the code too.
func (n *Node) Place(ctx context.Context, at common.Address, name string) error {
	c, err := contracts.Load(name)
	if err != nil {
		return err
	}
	if err := n.do(ctx, "anvil_setCode", at, c.Runtime); err != nil {
		return err
	}
	n.bind(at, c)
	return n.Mine(ctx, 1)
}

// Snapshot remembers the state of the chain. Revert goes back to it, once.
func (n *Node) Snapshot(ctx context.Context) (string, error) {
	var id string
	if err := n.RPC.CallContext(ctx, &id, "evm_snapshot"); err != nil {
		return "", fmt.Errorf("taking a snapshot: %w", err)
	}
	return id, nil
}

// Revert undoes every block since the snapshot.
func (n *Node) Revert(ctx context.Context, snapshot string) error {
	n.guard.mining.Lock()
	defer n.guard.mining.Unlock()
	var done bool
	if err := n.RPC.CallContext(ctx, &done, "evm_revert", snapshot); err != nil {
		return fmt.Errorf("reverting to snapshot %s: %w", snapshot, err)
	}
	if !done {
		return fmt.Errorf("reverting to snapshot %s: there is none", snapshot)
	}
	return nil
}

// Reorg replaces the last depth blocks with as many others, at once. The old blocks' transactions
// are gone; txs are in the first new block.
func (n *Node) Reorg(ctx context.Context, depth int, txs ...Tx) error {
	requests, err := n.encode(txs)
	if err != nil {
		return err
	}
	pairs := make([][2]any, len(requests))
	for i, r := range requests {
		pairs[i] = [2]any{r, 0}
	}
	// Use another beneficiary, because equal blocks would get equal hashes.
	var miner common.Address
	if _, err := rand.Read(miner[:]); err != nil {
		return err
	}
	if err := n.do(ctx, "anvil_setCoinbase", miner); err != nil {
		return err
	}
	return n.do(ctx, "anvil_reorg", depth, pairs)
}

// do calls a method that changes the chain, and ignores its result.
func (n *Node) do(ctx context.Context, method string, args ...any) error {
	n.guard.mining.Lock()
	defer n.guard.mining.Unlock()
	var ignored any
	if err := n.RPC.CallContext(ctx, &ignored, method, args...); err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	return nil
}
