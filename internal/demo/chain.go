package demo

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// A chain answers measurements like a node. Its answers depend only on the block
// and the call.
type chain struct {
	name    string
	id      uint64
	every   time.Duration // between blocks
	genesis time.Time
	newest  time.Time // the newest block is the last one not after this
}

// chains of the kingdom. Their ids belong to no network.
var chains = map[string]chain{
	"first":  {name: "first", id: 990_000_001, every: 2 * time.Second, genesis: Start.AddDate(-4, 0, 0)},
	"second": {name: "second", id: 990_000_002, every: 2 * time.Second, genesis: Start.AddDate(-3, 0, 0)},
	"third":  {name: "third", id: 990_000_003, every: time.Second, genesis: Start.AddDate(-2, 0, 0)},
}

// Chains are the kingdom's chains by name, as they were at a time: nothing after it
// has happened yet.
func Chains(at time.Time) map[string]supply.Chain {
	out := map[string]supply.Chain{}
	for name, c := range chains {
		c.newest = at
		out[name] = c
	}
	return out
}

// tides are what flows on all chains, by chain and call.
var tides = sync.OnceValue(func() map[string]tide {
	out := map[string]tide{}
	for _, ledger := range lines {
		for _, l := range ledger {
			if call, measured, err := l.source.ChainCall(); err == nil && measured {
				out[l.source.Chain+key(call)] = l.tide
			}
		}
	}
	return out
})

// ID is the chain's id, which no network has.
func (c chain) ID() uint64 { return c.id }

// OnDemand is false: it makes blocks all the time.
func (c chain) OnDemand() bool { return false }

// Pin returns the last block not after limit.
func (c chain) Pin(_ context.Context, limit time.Time) (evm.Block, error) {
	if limit.IsZero() || limit.After(c.newest) {
		limit = c.newest
	}
	return c.at(limit), nil
}

// Read answers every call as of the given block.
func (c chain) Read(_ context.Context, at evm.Block, calls []evm.Call) ([][]byte, error) {
	hour := uint64(max(at.Time.Sub(Start), 0) / time.Hour)
	out := make([][]byte, len(calls))
	for i, call := range calls {
		if bytes.Equal(call.Data, callDecimals) {
			out[i] = word(big.NewInt(decimals))
			continue
		}
		flow, ok := tides()[c.name+key(call)]
		if !ok {
			return nil, fmt.Errorf("the demo kingdom has nothing at %s: %w", call.To, evm.ErrReverted)
		}
		out[i] = word(flow.at(hour))
	}
	return out, nil
}

// at returns the block of a moment.
func (c chain) at(t time.Time) evm.Block {
	number := uint64(t.Sub(c.genesis) / c.every)
	return evm.Block{
		Number: number,
		Hash:   c.hash(number),
		Parent: c.hash(number - 1),
		Time:   c.genesis.Add(time.Duration(number) * c.every),
	}
}

func (c chain) hash(number uint64) common.Hash {
	return crypto.Keccak256Hash(binary.BigEndian.AppendUint64([]byte("petsupply demo kingdom/block/"+c.name), number))
}

func key(c evm.Call) string {
	if c.Balance {
		return string(c.To[:])
	}
	return string(c.To[:]) + string(c.Data)
}

var callDecimals = crypto.Keccak256([]byte("decimals()"))[:4]

func word(n *big.Int) []byte { return common.LeftPadBytes(n.Bytes(), 32) }
