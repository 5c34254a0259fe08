package main

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/kingdom"
)

// truth knows a token's figures at given blocks, from the kingdom's own books.
type truth struct {
	kingdom *kingdom.Kingdom
	tokens  map[string]ledger.Token // by path

	mu    sync.Mutex               // guards nodes
	nodes map[string][]*anvil.Node // by chain: nodes of the chain, then of its forks
}

// moment finds the node that has a block. It reports whether the node is one of a fork.
func (x *truth) moment(ctx context.Context, b supply.Block) (_ kingdom.Moment, forked bool, err error) {
	x.mu.Lock()
	nodes := slices.Clone(x.nodes[b.Chain])
	x.mu.Unlock()
	for i, node := range nodes {
		var found *struct{ Number, Timestamp hexutil.Uint64 }
		if err := node.RPC.CallContext(ctx, &found, "eth_getBlockByHash", b.Hash, false); err != nil {
			return kingdom.Moment{}, false, fmt.Errorf("asking for block %s: %w", b.Hash, err)
		}
		switch {
		case found == nil:
			continue
		case uint64(found.Number) != b.Number || int64(found.Timestamp) != b.Time.Unix():
			return kingdom.Moment{}, false, fmt.Errorf("%s is block %d of %d, not %d of %d", b.Hash, found.Number,
				found.Timestamp, b.Number, b.Time.Unix())
		}
		return kingdom.Moment{Node: node, Block: rpc.BlockNumberOrHashWithHash(b.Hash, false)}, i > 0, nil
	}
	return kingdom.Moment{}, false, fmt.Errorf("%s is no block of %s", b.Hash, b.Chain)
}

// A figureSet is a token's figures in units of 18 decimals, by their name in the
// document.
type figureSet map[string]*big.Int

// figures returns the true figures of a token at these blocks, and whether one of the blocks is
// on a fork. A block that does not exist, or has a wrong number or time, is an error.
func (x *truth) figures(ctx context.Context, path string, blocks []supply.Block) (_ figureSet, forked bool, err error) {
	at := map[string]kingdom.Moment{}
	for _, b := range blocks {
		moment, other, err := x.moment(ctx, b)
		if err != nil {
			return nil, false, err
		}
		at[b.Chain] = moment
		forked = forked || other
	}
	book, err := x.kingdom.BookAt(ctx, path, at)
	return figuresOf(book), forked, err
}

func figuresOf(b kingdom.Book) figureSet {
	return figureSet{"totalSupply": b.Total, "circulatingSupply": b.Circulating, "burnedSupply": b.Burned,
		"lockedSupply": b.Locked, "reservedSupply": b.Reserved, "maxSupply": b.Max}
}

// figure matches a published figure.
var figure = regexp.MustCompile(`^\d+(\.\d+)?$`)

// amountOf reads a published figure. It returns nil for other texts.
func amountOf(text string) *big.Int {
	if !figure.MatchString(text) {
		return nil
	}
	whole, part, _ := strings.Cut(text, ".")
	if len(part) > 18 {
		return nil
	}
	v, ok := new(big.Int).SetString(whole+part+strings.Repeat("0", 18-len(part)), 10)
	if !ok {
		return nil
	}
	return v
}
