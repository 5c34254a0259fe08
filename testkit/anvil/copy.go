package anvil

import (
	"context"
	"fmt"
	"maps"
	"testing"
)

// Copy starts a second node with the same chain: the same blocks and hashes,
// and the state of each. From there on the two chains are on their own: to have
// a fork, copy first and then mine differently. The copy's node cannot take back
// a block that it was given, only those that it made.
func (n *Node) Copy(ctx context.Context) (*Node, error) {
	var state string
	if err := n.RPC.CallContext(ctx, &state, "anvil_dumpState", true); err != nil {
		return nil, fmt.Errorf("copying a chain: %w", err)
	}
	o := n.options
	o.Port = 0
	o.Bare = true // whatever the chain has comes with its state
	twin, err := Start(ctx, o)
	if err != nil {
		return nil, err
	}
	var done bool
	if err := twin.RPC.CallContext(ctx, &done, "anvil_loadState", state); err != nil || !done {
		twin.Close()
		return nil, fmt.Errorf("copying a chain: the new node took it: %t: %w", done, err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	twin.bound = maps.Clone(n.bound)
	return twin, nil
}

// TestCopy is Copy for a test: the copy ends with it.
func (n *Node) TestCopy(t testing.TB) *Node {
	t.Helper()
	twin, err := n.Copy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(twin.Close)
	return twin
}
