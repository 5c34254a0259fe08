package anvil

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/contracts"
)

// Bind binds a contract's ABI to an address, as Deploy does.
func (n *Node) Bind(at common.Address, name string) error {
	c, err := contracts.Load(name)
	if err != nil {
		return err
	}
	n.bind(at, c)
	return nil
}

func (n *Node) bind(at common.Address, c *contracts.Contract) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.bound[at] = c
}

func (n *Node) contract(at common.Address) *contracts.Contract {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.bound[at]
}

func (n *Node) pack(to common.Address, method string, args []any) ([]byte, error) {
	c := n.contract(to)
	if c == nil {
		return nil, fmt.Errorf("calling %s: no contract is bound to %s", method, to)
	}
	data, err := c.ABI.Pack(method, args...)
	if err != nil {
		return nil, fmt.Errorf("calling %s.%s: %w", c.Name, method, err)
	}
	return data, nil
}

// Call reads a view at the latest block and returns its results.
func (n *Node) Call(ctx context.Context, to common.Address, method string, args ...any) ([]any, error) {
	return n.CallAt(ctx, rpc.BlockNumberOrHashWithNumber(rpc.LatestBlockNumber), to, method, args...)
}

// CallAt reads a view at a block.
func (n *Node) CallAt(ctx context.Context, at rpc.BlockNumberOrHash, to common.Address, method string,
	args ...any) ([]any, error) {
	data, err := n.pack(to, method, args)
	if err != nil {
		return nil, err
	}
	var out hexutil.Bytes
	tx := map[string]any{"to": to, "data": hexutil.Bytes(data)}
	if err := n.RPC.CallContext(ctx, &out, "eth_call", tx, at); err != nil {
		return nil, fmt.Errorf("calling %s: %w", method, err)
	}
	results, err := n.contract(to).ABI.Unpack(method, out)
	if err != nil {
		return nil, fmt.Errorf("calling %s: %w", method, err)
	}
	return results, nil
}

// Uint reads a view whose one result is a uint256.
func (n *Node) Uint(ctx context.Context, to common.Address, method string, args ...any) (*big.Int, error) {
	results, err := n.Call(ctx, to, method, args...)
	if err != nil {
		return nil, err
	}
	value, ok := results[0].(*big.Int)
	if !ok {
		return nil, fmt.Errorf("calling %s: the result is %T, not a uint256", method, results[0])
	}
	return value, nil
}
