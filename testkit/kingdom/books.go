package kingdom

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/anvil"
)

// A Book has the true figures of a token, in units of 18 decimals.
type Book struct {
	Total, Circulating, Burned, Locked, Reserved, Max *big.Int
}

// A Moment is a block of a chain. Its node may be the chain's own or that of a fork.
type Moment struct {
	Node  *anvil.Node // nil means the chain's own
	Block rpc.BlockNumberOrHash
}

// Books reads the true figures of each token, by its path, at the latest blocks. It asks the
// contracts one by one, which is slow and independent of the service.
func (k *Kingdom) Books(ctx context.Context) (map[string]Book, error) {
	books := map[string]Book{}
	for _, c := range k.coins {
		b, err := c.book(ctx, nil)
		if err != nil {
			return nil, fmt.Errorf("reading the books of %s: %w", c.symbol, err)
		}
		books[c.path] = b
	}
	return books, nil
}

// BookAt reads the true figures of one token at a block of each chain, by the chain's name. A chain
// that is not named is read at its latest block.
func (k *Kingdom) BookAt(ctx context.Context, path string, blocks map[string]Moment) (Book, error) {
	for _, c := range k.coins {
		if c.path == path {
			return c.book(ctx, blocks)
		}
	}
	return Book{}, fmt.Errorf("reading the books of %s: there is no such token", path)
}

func (c *coin) book(ctx context.Context, blocks map[string]Moment) (Book, error) {
	var fault error
	read := func(n *Chain, to common.Address, method string, args ...any) *big.Int {
		if to == (common.Address{}) || fault != nil {
			return new(big.Int)
		}
		at, ok := blocks[n.Name]
		if !ok {
			at.Block = rpc.BlockNumberOrHashWithNumber(rpc.LatestBlockNumber)
		}
		node := at.Node
		if node == nil {
			node = n.Node
		}
		out, err := node.CallAt(ctx, at.Block, to, method, args...)
		if err != nil {
			fault = err
			return new(big.Int)
		}
		return out[0].(*big.Int) // each of these views returns one uint256
	}
	b := Book{
		Total:    read(c.home, c.token, "totalSupply"),
		Burned:   add(read(c.home, c.token, "balanceOf", Dead), whole(c.lost)),
		Locked:   add(read(c.home, c.token, "totalLock"), read(c.home, c.vesting, "reservedToken")),
		Reserved: read(c.home, c.token, "balanceOf", Treasury),
		Max:      whole(c.cap),
	}
	if c.bridge == "relay" {
		scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(18-c.farDecimals)), nil)
		b.Total = add(b.Total, scale.Mul(scale, read(c.far, c.farToken, "totalSupply")))
	}
	if c.gas != nil {
		b.Burned = add(b.Burned, read(c.gas, c.furnace, "totalBurn"))
		b.Reserved = read(c.gas, anvil.Multicall3, "getEthBalance", Treasury)
	}
	b.Total = new(big.Int).Sub(b.Total, b.Burned)
	b.Circulating = new(big.Int).Sub(b.Total, add(b.Locked, b.Reserved))
	return b, fault
}

func add(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }
