package anvil

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Copy starts a second node with the same chain: the same blocks and hashes, and the state of each.
// After that the two chains are independent. To make a fork, copy first and then mine differently.
// The copy cannot remove blocks that it was given, only those that it made.
func (n *Node) Copy(ctx context.Context) (*Node, error) {
	n.guard.mining.RLock()
	var state hexutil.Bytes
	err := n.RPC.CallContext(ctx, &state, "anvil_dumpState", true)
	n.guard.mining.RUnlock()
	if err != nil {
		return nil, fmt.Errorf("taking the state of a chain: %w", err)
	}
	o := n.options
	o.Bare = true // if the chain has Multicall3, the loaded state contains it
	twin, err := Start(ctx, o)
	if err != nil {
		return nil, err
	}
	var done bool
	err = twin.RPC.CallContext(ctx, &done, "anvil_loadState", state)
	if err == nil && !done {
		err = errors.New("the node refused it")
	}
	if err != nil {
		twin.Close()
		return nil, fmt.Errorf("giving a node the state of a chain: %w", err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	twin.bound = maps.Clone(n.bound)
	return twin, nil
}

// TestCopy is Copy for a test. The copy ends with the test.
func (n *Node) TestCopy(t testing.TB) *Node {
	t.Helper()
	twin, err := n.Copy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(twin.Close)
	return twin
}
