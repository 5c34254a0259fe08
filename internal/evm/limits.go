package evm

import (
	"context"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// Limits are the measured limits of one provider.
type Limits struct {
	Provider string
	Head     uint64 // its newest block
	State    uint64 // how far back it keeps state, in blocks before its newest one
	AllState bool   // it keeps the state of all blocks: an archive node, or a short chain
	Logs     uint64 // how many blocks one search for logs may cover, up to 10,000
	Err      error  // why the measurement is incomplete
}

// String describes the limits in a few words.
func (l Limits) String() string {
	if l.Err != nil {
		return l.Err.Error()
	}
	state := fmt.Sprintf("state of all %d blocks so far", l.Head+1)
	if !l.AllState {
		state = fmt.Sprintf("state of the last %d blocks", l.State)
	}
	logs := fmt.Sprintf("logs of up to %d blocks at once", l.Logs)
	if l.Logs > l.Head {
		logs = fmt.Sprintf("logs of all %d blocks at once", l.Head+1)
	}
	return fmt.Sprintf("%s: %s, %s", l.Provider, state, logs)
}

// SearchWidth returns how many blocks every measured provider can search for logs at once, at most
// 2,000.
func SearchWidth(list []Limits) uint64 {
	width := uint64(2000)
	for _, l := range list {
		if l.Err == nil && l.Logs > 0 {
			width = min(width, l.Logs)
		}
	}
	return width
}

// mostLogs is the widest search for logs that Limits tries.
const mostLogs = 10_000

// Limits returns the limits of every provider, in configured order. It measures how far back a
// provider keeps state (fewer than thirty small reads), and how many blocks the provider searches for
// logs at once. The search covers the given addresses. Without addresses it covers all contracts,
// which may be expensive.
func (c *Chain) Limits(ctx context.Context, addrs []common.Address) []Limits {
	out := make([]Limits, len(c.providers))
	var group sync.WaitGroup
	for i, p := range c.providers {
		group.Go(func() { out[i] = c.limitsOf(ctx, p, addrs) })
	}
	group.Wait()
	return out
}

func (c *Chain) limitsOf(ctx context.Context, p *provider, addrs []common.Address) Limits {
	l := Limits{Provider: p.name}
	head, err := c.head(ctx, p, "latest")
	if err == nil {
		l.Head = head.Number
		l.State, err = c.stateDepth(ctx, p, head.Number)
		l.AllState = err == nil && l.State+1 >= l.Head
	}
	if err == nil {
		l.Logs, err = c.logWidth(ctx, p, head.Number, addrs)
	}
	if err != nil {
		l.Err = fmt.Errorf("measuring provider %s of %s: %w", p.name, c.cfg.Name, err)
	}
	return l
}

// stateDepth finds how far back p keeps state, in blocks before p's newest one. The chain may grow in
// the meantime, so hasState updates head.
func (c *Chain) stateDepth(ctx context.Context, p *provider, head uint64) (uint64, error) {
	// has ≤ result < lacks. Block 0 is not tried, because many nodes keep its state forever.
	has := uint64(0)
	lacks := head
	for has+1 < lacks {
		depth := has + (lacks-has)/2
		there, err := c.hasState(ctx, p, &head, depth)
		switch {
		case err != nil:
			return 0, err
		case there:
			has = depth
		default:
			lacks = depth
		}
	}
	return has, nil
}

// hasState reports whether p has the state of the block that is depth blocks before head. It also
// updates head.
func (c *Chain) hasState(ctx context.Context, p *provider, head *uint64, depth uint64) (bool, error) {
	balance := jsonrpc.Ask("eth_getBalance", common.Address{}, hexutil.Uint64(*head-min(depth, *head)))
	latest := jsonrpc.Ask("eth_getBlockByNumber", "latest", false)
	if err := c.send(ctx, p, balance, latest); err != nil {
		return false, err
	}
	b, err := replyBlock(latest)
	if err != nil {
		return false, err
	}
	*head = max(*head, b.Number)
	if f := balance.Fault; f != nil && f.Kind != jsonrpc.Pruned {
		return false, f
	}
	return balance.Fault == nil, nil
}

// logWidth finds how many blocks p searches at once.
func (c *Chain) logWidth(ctx context.Context, p *provider, head uint64, addrs []common.Address) (uint64, error) {
	served := uint64(0)
	refused := min(mostLogs, head+1) + 1
	for width := refused - 1; served+1 < refused; width = served + (refused-served)/2 {
		_, err := c.searchFrom(ctx, p, LogQuery{From: head + 1 - width, To: head, Addresses: addrs})
		switch {
		case err == nil:
			served = width
		case width > 1 && jsonrpc.AsFault(err).TooWide():
			refused = width
		default:
			return 0, err
		}
	}
	return served, nil
}
