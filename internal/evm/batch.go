package evm

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// send asks p and checks that p is on this chain. The request for the chain id goes into the same
// batch, or is sent once a minute if the node takes no batches.
func (c *Chain) send(ctx context.Context, p *provider, reqs ...*jsonrpc.Request) error {
	if p.MostCalls() == 1 && time.Now().Unix()-p.ofChain.Load() < 60 {
		return p.Send(ctx, reqs...)
	}
	reqs = append([]*jsonrpc.Request{jsonrpc.Ask("eth_chainId")}, reqs...)
	if err := p.Send(ctx, reqs...); err != nil {
		return err
	}
	err := checkChainID(reqs[0], c.cfg.ID)
	if err == nil {
		p.ofChain.Store(time.Now().Unix())
	}
	return err
}

// sendAt asks p about one block. It also asks for the chain id and the header, to check that the
// node has this block. If the block is named by its number, every post contains the header. If the
// node takes fewer than three requests at once, or not even one with the header, the header is
// asked for separately.
func (c *Chain) sendAt(ctx context.Context, p *provider, at blockParam, reqs []*jsonrpc.Request) error {
	most := len(reqs)
	for len(reqs) > 0 {
		n := len(reqs)
		if at.byNumber {
			n = min(n, most, max(1, p.MostCalls()-2))
		}
		header := at.header()
		if err := c.send(ctx, p, append([]*jsonrpc.Request{header}, reqs[:n]...)...); err != nil {
			return err
		}
		if err := checkBlock(header, at.block); err != nil {
			return err
		}
		if at.byNumber && n > 1 && !jsonrpc.Together(append([]*jsonrpc.Request{header}, reqs[:n]...)...) {
			most = n / 2 // some requests were answered in a post without the header: send them again
			continue
		}
		reqs = reqs[n:]
	}
	return nil
}

// A blockParam says at which block a provider reads.
type blockParam struct {
	block    Block
	byNumber bool
}

func (at blockParam) arg() any {
	if at.byNumber {
		return hexutil.Uint64(at.block.Number)
	}
	return json.RawMessage(`{"blockHash":"` + at.block.Hash.Hex() + `","requireCanonical":true}`)
}

// header returns a request for the block's header.
func (at blockParam) header() *jsonrpc.Request {
	if at.byNumber {
		return jsonrpc.Ask("eth_getBlockByNumber", hexutil.Uint64(at.block.Number), false)
	}
	return jsonrpc.Ask("eth_getBlockByHash", at.block.Hash, false)
}

// readAt calls read with the block's hash, or with its number if the node refuses hashes. It
// remembers the refusal.
func readAt[T any](ctx context.Context, p *provider, block Block, read func(blockParam) (T, error)) (T, error) {
	got, err := askAgain(ctx, p, block.Number, func() (T, error) {
		byNumber := p.byNumber.Load()
		got, err := read(blockParam{block: block, byNumber: byNumber})
		if err != nil && !byNumber && jsonrpc.AsFault(err).RefusesBlockHash() {
			got, err = read(blockParam{block: block, byNumber: true})
			if err == nil {
				p.byNumber.Store(true)
			}
		}
		return got, err
	})
	if err != nil && jsonrpc.AsFault(err).Kind == jsonrpc.Pruned {
		err = p.prunedFault(block, jsonrpc.AsFault(err))
	}
	return got, err
}

// askAgain asks up to three more times if a node does not know a block that it reported. One
// address may have several nodes behind it, and only some of them may have the block.
func askAgain[T any](ctx context.Context, p *provider, number uint64, read func() (T, error)) (T, error) {
	for tries := 0; ; tries++ {
		got, err := read()
		if err == nil || jsonrpc.AsFault(err).Kind != jsonrpc.Absent || p.snapshot(time.Now()).Height < number {
			return got, err
		}
		if tries == 3 || !jsonrpc.Sleep(ctx, 40*time.Millisecond<<tries) {
			return got, err
		}
	}
}
