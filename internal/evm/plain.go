package evm

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// shortestBatch is what every node must take.
const shortestBatch = 10

// readPlain reads without Multicall3: one JSON-RPC batch at the block, with the
// header and the chain id in it. More calls than the node takes in a batch make
// several, each with its own header. Unless it is certain that Multicall3 is
// missing, its code is asked for along the way, for the next time.
func (c *Chain) readPlain(ctx context.Context, p *provider, ref reference, calls []Call, certain bool) ([]result, error) {
	results := make([]result, 0, len(calls))
	for len(results) < len(calls) {
		limit := int(p.batchMax.Load())
		rest := calls[len(results):]
		chunk, err := c.readChunk(ctx, p, ref, rest[:min(len(rest), limit-3)], certain)
		if p.shorten(limit, min(limit, len(rest)+3), err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		results = append(results, chunk...)
		certain = true
	}
	return results, nil
}

// shorten makes batches half as long if err says that sent requests were too
// many for p, and reports whether to try again. limit is what it was so far.
func (p *provider) shorten(limit, sent int, err error) bool {
	var f *fault
	if sent <= shortestBatch || !errors.As(err, &f) || !f.crowded() {
		return false
	}
	p.batchMax.CompareAndSwap(int64(limit), int64(max(shortestBatch, sent/2)))
	return true
}

func (c *Chain) readChunk(ctx context.Context, p *provider, ref reference, calls []Call, certain bool) ([]result, error) {
	reqs := []*request{ask("eth_chainId"), ref.header()}
	for _, call := range calls {
		if call.Balance {
			reqs = append(reqs, ask("eth_getBalance", call.To, ref.arg()))
		} else {
			reqs = append(reqs, ask("eth_call", callArg(call.To, call.Data), ref.arg()))
		}
	}
	if !certain {
		reqs = append(reqs, ask("eth_getCode", c.multicall, ref.arg()))
	}
	if err := p.send(ctx, reqs...); err != nil {
		return nil, err
	}
	if f := firstFault(reqs); f != nil && f.crowded() {
		return nil, f
	}
	if err := c.checkHeader(reqs[0], reqs[1], ref.at); err != nil {
		return nil, err
	}
	results := make([]result, len(calls))
	for i, call := range calls {
		var err error
		if results[i], err = reqs[2+i].outcomeOf(call); err != nil {
			return nil, err
		}
	}
	if !certain {
		if code, err := reqs[len(reqs)-1].bytes(); err == nil {
			p.code.learn(ref.at.Number, len(code) > 0)
		}
	}
	return results, nil
}

// outcomeOf reads the reply to one call as Multicall3 would have given it.
func (r *request) outcomeOf(call Call) (result, error) {
	if call.Balance {
		if r.fault != nil {
			return result{}, r.fault
		}
		var n hexutil.Big
		if json.Unmarshal(r.result, &n) != nil || n.ToInt().BitLen() > 256 {
			return result{}, faultf(malformed, "balance is not valid")
		}
		return result{ok: true, data: n.ToInt().FillBytes(make([]byte, 32))}, nil
	}
	if r.fault != nil && r.fault.reverts() {
		return result{}, nil
	}
	data, err := r.bytes()
	return result{ok: true, data: data}, err
}
