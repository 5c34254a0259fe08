package faultproxy

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// blockParam is the position of each method's block parameter.
var blockParam = map[string]int{
	"eth_call": 1, "eth_getBalance": 1, "eth_getCode": 1, "eth_getTransactionCount": 1,
	"eth_getStorageAt": 2, "eth_getProof": 2, "eth_getBlockByNumber": 0,
}

// readsState reports whether a call reads state, and not headers.
func (c *Call) readsState() bool {
	_, takes := blockParam[c.Method]
	return takes && c.Method != "eth_getBlockByNumber"
}

// block returns the block that a call names: a tag or number, or a hash.
func (c *Call) block() (tag, hash string) {
	if c.Method == "eth_getBlockByHash" && len(c.Params) > 0 {
		json.Unmarshal(c.Params[0], &hash)
		return "", hash
	}
	i, takes := blockParam[c.Method]
	if !takes || i >= len(c.Params) {
		return "", ""
	}
	if json.Unmarshal(c.Params[i], &tag) == nil {
		if len(tag) == 66 {
			return "", tag
		}
		return tag, ""
	}
	var named struct{ BlockHash, BlockNumber string }
	json.Unmarshal(c.Params[i], &named)
	return named.BlockNumber, named.BlockHash
}

func (c *Call) setBlock(tag string) {
	if i, takes := blockParam[c.Method]; takes && i < len(c.Params) {
		c.Params[i], _ = json.Marshal(tag)
	}
}

// TagIgnored reads state at the latest block, whatever block a call names.
func TagIgnored() Fault {
	return Fault{Name: "block tag ignored", before: func(_ context.Context, _ *Proxy, c *Call) {
		if c.readsState() {
			c.setBlock("latest")
		}
	}}
}

// TagOlder reads state some blocks before the latest, whatever block a call names. Headers are
// true.
func TagOlder(blocks uint64) Fault {
	return Fault{Name: "block tag ignored, older state", before: func(ctx context.Context, p *Proxy, c *Call) {
		if !c.readsState() {
			return
		}
		var height hexutil.Uint64
		if err := p.ask(ctx, &height, "eth_blockNumber"); err != nil {
			c.fail(-32603, err.Error())
			return
		}
		c.setBlock(hexutil.EncodeUint64(uint64(height) - min(blocks, uint64(height))))
	}}
}

// Behind is a node that stopped at a block, and does not know later ones. The block should be hours
// old, as the fault's name says.
func Behind(stopped uint64) Fault {
	head := hexutil.EncodeUint64(stopped)
	return Fault{Name: "hours behind", before: func(ctx context.Context, p *Proxy, c *Call) {
		if c.Method == "eth_blockNumber" {
			c.give(head)
			return
		}
		tag, hash := c.block()
		switch {
		case hash != "":
			var b *struct{ Number hexutil.Uint64 }
			if err := p.ask(ctx, &b, "eth_getBlockByHash", hash, false); err != nil || b == nil || uint64(b.Number) > stopped {
				c.absent()
			}
		case tag == "latest" || tag == "pending" || tag == "safe" || tag == "finalized":
			c.setBlock(head)
		case tag != "":
			if n, err := hexutil.DecodeUint64(tag); err == nil && n > stopped {
				c.absent()
			}
		}
	}}
}

// Pruned is a node that keeps only the state of its newest blocks, and refuses older ones with the
// given words. It has all headers and logs.
func Pruned(keeps uint64, words string) Fault {
	return Fault{Name: "state gone", before: func(ctx context.Context, p *Proxy, c *Call) {
		tag, hash := c.block()
		if !c.readsState() || tag == "latest" {
			return
		}
		var height hexutil.Uint64
		if err := p.ask(ctx, &height, "eth_blockNumber"); err != nil {
			c.fail(-32603, err.Error())
			return
		}
		at, _ := hexutil.DecodeUint64(tag)
		if hash != "" {
			var b *struct{ Number hexutil.Uint64 }
			if err := p.ask(ctx, &b, "eth_getBlockByHash", hash, false); err != nil || b == nil {
				return // let the node answer
			}
			at = uint64(b.Number)
		}
		if at+keeps < uint64(height) {
			c.fail(-32000, words)
		}
	}}
}

// absent answers that the block does not exist.
func (c *Call) absent() {
	if c.readsState() {
		c.fail(-32001, "header not found")
		return
	}
	c.give(nil)
}

// OtherChain lets a node of another chain answer everything.
func OtherChain(node string) Fault {
	return Fault{Name: "another chain's answers", node: func(string, *exchange) string { return node }}
}

// OtherReads lets another node answer every request that reads state. If a batch has such a
// request, the other node answers the whole batch. Other requests, such as those for headers, chain
// id and logs, still go to the right chain.
func OtherReads(node string) Fault {
	return Fault{Name: "another chain's state", node: func(own string, x *exchange) string {
		for _, c := range x.calls {
			if c.readsState() {
				return node
			}
		}
		return own
	}}
}

// Switch uses the node until the first read of state, and another node from then on. If the other
// node has a reorganised copy of the chain, the provider seems to move to another fork between pin
// and read.
func Switch(node string) Fault {
	var over atomic.Bool
	return Fault{Name: "a reorg between pin and read", node: func(own string, x *exchange) string {
		for _, c := range x.calls {
			if c.readsState() {
				over.Store(true)
			}
		}
		if over.Load() {
			return node
		}
		return own
	}}
}

// OnRead calls fn once, before the first read of state reaches the node. fn may reorganise the
// chain between pin and read.
func OnRead(name string, fn func(context.Context) error) Fault {
	var done atomic.Bool
	return Fault{Name: name, before: func(ctx context.Context, _ *Proxy, c *Call) {
		if c.readsState() && !done.Swap(true) {
			if err := fn(ctx); err != nil {
				c.fail(-32603, err.Error())
			}
		}
	}}
}

// NoFinalized is a node that does not know the tags finalized and safe.
func NoFinalized() Fault {
	return Fault{Name: "finalized unsupported", before: func(_ context.Context, _ *Proxy, c *Call) {
		if tag, _ := c.block(); tag == "finalized" || tag == "safe" {
			c.fail(-32602, "invalid argument 0: hex string without 0x prefix")
		}
	}}
}

// Syncing is a node that has synced up to one block on its way to another, and says so when asked.
func Syncing(at, to uint64) Fault {
	behind := Behind(at)
	return Fault{Name: "syncing", before: func(ctx context.Context, p *Proxy, c *Call) {
		if c.Method == "eth_syncing" {
			c.give(map[string]any{"startingBlock": "0x0", "currentBlock": hexutil.Uint64(at),
				"highestBlock": hexutil.Uint64(to)})
			return
		}
		behind.before(ctx, p, c)
	}}
}
