package anvil

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Copy starts a second node with the same chain: the same blocks and hashes, and the state of each.
// After that the two chains are independent. To make a fork, copy first and then mine differently.
// The copy cannot remove blocks that it was given, only those that it made.
func (n *Node) Copy(ctx context.Context) (*Node, error) {
	state, err := n.Dump(ctx)
	if err != nil {
		return nil, err
	}
	o := n.options
	o.Port = 0
	o.Bare = true // if the chain has Multicall3, the loaded state contains it
	twin, err := Start(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := twin.Load(ctx, state); err != nil {
		twin.Close()
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	twin.bound = maps.Clone(n.bound)
	return twin, nil
}

// Dump returns the chain with the state of each block, as a JSON document.
func (n *Node) Dump(ctx context.Context) ([]byte, error) {
	n.guard.mining.RLock()
	defer n.guard.mining.RUnlock()
	var packed hexutil.Bytes
	if err := n.RPC.CallContext(ctx, &packed, "anvil_dumpState", true); err != nil {
		return nil, fmt.Errorf("taking the state of a chain: %w", err)
	}
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("taking the state of a chain: %w", err)
	}
	return io.ReadAll(in)
}

// Load gives a new node the result of Dump.
func (n *Node) Load(ctx context.Context, state []byte) error {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(state); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	var done bool
	if err := n.RPC.CallContext(ctx, &done, "anvil_loadState", hexutil.Bytes(packed.Bytes())); err != nil || !done {
		return fmt.Errorf("giving a node the state of a chain: %w", cmp.Or(err, errors.New("the node refused it")))
	}
	return nil
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
