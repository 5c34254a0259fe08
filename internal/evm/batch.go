package evm

import (
	"context"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// send asks p, and makes sure that it speaks for this chain: the chain's id is
// asked for in the same batch.
func (c *Chain) send(ctx context.Context, p *provider, reqs ...*request) error {
	reqs = append([]*request{ask("eth_chainId")}, reqs...)
	if err := p.send(ctx, reqs...); err != nil {
		return err
	}
	for _, r := range reqs {
		if r.fault != nil && r.fault.batchTooLong() {
			return r.fault
		}
	}
	return reqs[0].checkChainID(c.cfg.ID)
}

// sendAt asks p about one block, in as few batches as it takes. Beside each are
// the chain's id and the header: the node must have exactly this block.
func (c *Chain) sendAt(ctx context.Context, p *provider, at blockParam, reqs []*request) error {
	return p.sendInBatches(len(reqs), 2, func(first, end int) error {
		header := at.header()
		if err := c.send(ctx, p, append([]*request{header}, reqs[first:end]...)...); err != nil {
			return err
		}
		return header.checkBlock(at.block)
	})
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
func readAt[T any](p *provider, block Block, read func(blockParam) (T, error)) (T, error) {
	byNumber := p.byNumber.Load()
	got, err := read(blockParam{block, byNumber})
	if err != nil && !byNumber && asFault(err).refusesBlockHash() {
		if got, err = read(blockParam{block, true}); err == nil {
			p.byNumber.Store(true)
		}
	}
	if err != nil && asFault(err).kind == pruned {
		err = p.prunedFault(block, asFault(err))
	}
	return got, err
}
