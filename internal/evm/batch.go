package evm

import (
	"context"
	"encoding/json"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// send asks p, and makes sure that it speaks for this chain: the chain's id is
// asked for in the same batch, or once a minute where the node takes none.
func (c *Chain) send(ctx context.Context, p *provider, reqs ...*request) error {
	if p.allowed.calls.Load() == 1 && time.Now().Unix()-p.ofChain.Load() < 60 {
		return p.send(ctx, reqs...)
	}
	reqs = append([]*request{ask("eth_chainId")}, reqs...)
	if err := p.send(ctx, reqs...); err != nil {
		return err
	}
	err := reqs[0].checkChainID(c.cfg.ID)
	if err == nil {
		p.ofChain.Store(time.Now().Unix())
	}
	return err
}

// sendAt asks p about one block, with the chain's id and the header beside: the
// node must have exactly this block. By number, each part has them beside it, if
// the node takes three requests at once.
func (c *Chain) sendAt(ctx context.Context, p *provider, at blockParam, reqs []*request) error {
	for len(reqs) > 0 {
		n, most := len(reqs), int(p.allowed.calls.Load())
		if at.byNumber {
			n = min(n, max(1, most-2))
		}
		header := at.header()
		if err := c.send(ctx, p, append([]*request{header}, reqs[:n]...)...); err != nil {
			return err
		}
		if err := header.checkBlock(at.block); err != nil {
			return err
		}
		if now := int(p.allowed.calls.Load()); at.byNumber && now < most && now > 2 {
			continue // it went in parts: again, in smaller ones
		}
		reqs = reqs[n:]
	}
	return nil
}

// A blockParam is how a provider is told which block to read at.
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

// header asks for the header that the reads beside it belong to.
func (at blockParam) header() *request {
	if at.byNumber {
		return ask("eth_getBlockByNumber", hexutil.Uint64(at.block.Number), false)
	}
	return ask("eth_getBlockByHash", at.block.Hash, false)
}

// readAt lets read refer to the block by hash, or by number where the node
// refuses that form, which is remembered.
func readAt[T any](ctx context.Context, p *provider, block Block, read func(blockParam) (T, error)) (T, error) {
	got, err := askAgain(ctx, p, block.Number, func() (T, error) {
		byNumber := p.byNumber.Load()
		got, err := read(blockParam{block, byNumber})
		if err != nil && !byNumber && asFault(err).refusesBlockHash() {
			if got, err = read(blockParam{block, true}); err == nil {
				p.byNumber.Store(true)
			}
		}
		return got, err
	})
	if err != nil && asFault(err).kind == pruned {
		err = p.prunedFault(block, asFault(err))
	}
	return got, err
}
