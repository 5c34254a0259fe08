package evm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// Read answers all calls at the block, or returns an error. A quorum agrees on every byte, and the
// answers are checked to be from this chain and block. An element is nil if a call with MayRevert
// reverted, and empty for an address without code. If all answers together are too long, the error
// is ErrTooLong.
func (c *Chain) Read(ctx context.Context, at Block, calls []Call) ([][]byte, error) {
	if len(calls) == 0 {
		return nil, nil
	}
	doing := fmt.Sprintf("%d calls at block %d", len(calls), at.Number)
	plan := c.plan(calls)
	got, err := agree(ctx, c, topic{name: doing, absent: ErrReorg},
		func(ctx context.Context, p *provider) ([]result, error) {
			return c.readFrom(ctx, p, at, plan)
		}, sameResults)
	if pe, ok := errors.AsType[*pollError](err); ok && slices.ContainsFunc(pe.faults, (*jsonrpc.Fault).AnswerTooLong) {
		err = fmt.Errorf("%w (%w)", ErrTooLong, err)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s on %s: %w", doing, c.cfg.Name, err)
	}
	return c.outputs(at, calls, got)
}

// Code returns the code of addresses at a block. A quorum agrees on it. An address without code has
// an empty element.
func (c *Chain) Code(ctx context.Context, at Block, addrs []common.Address) ([][]byte, error) {
	if len(addrs) == 0 {
		return nil, nil
	}
	t := topic{name: fmt.Sprintf("code at block %d", at.Number), quorumFirst: true, absent: ErrReorg}
	got, err := agree(ctx, c, t, func(ctx context.Context, p *provider) ([][]byte, error) {
		return readAt(ctx, p, at, func(at blockParam) ([][]byte, error) { return c.readCode(ctx, p, at, addrs) })
	}, func(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) })
	if err != nil {
		return nil, fmt.Errorf("reading code on %s at block %d: %w", c.cfg.Name, at.Number, err)
	}
	return got, nil
}

// readFrom reads through Multicall3 if that is possible at this block, and otherwise in a plain
// batch.
func (c *Chain) readFrom(ctx context.Context, p *provider, at Block, plan plan) ([]result, error) {
	return readAt(ctx, p, at, func(at blockParam) ([]result, error) {
		if len(plan.bundles) > 0 {
			results, err := c.readBundles(ctx, p, at, plan)
			if !errors.Is(err, errNoMulticall) && !tooHeavy(err) {
				return results, err
			}
		}
		return c.readBatch(ctx, p, at, plan.calls)
	})
}

// readBatch reads without Multicall3, with one request for each call.
func (c *Chain) readBatch(ctx context.Context, p *provider, at blockParam, calls []Call) ([]result, error) {
	reqs := make([]*jsonrpc.Request, len(calls))
	for i, call := range calls {
		if call.Balance {
			reqs[i] = jsonrpc.Ask("eth_getBalance", call.To, at.arg())
		} else {
			reqs[i] = jsonrpc.Ask("eth_call", callArg(call.To, call.Data), at.arg())
		}
	}
	if err := c.sendAt(ctx, p, at, reqs); err != nil {
		return nil, err
	}
	if err := c.findNoCode(ctx, p, at, calls, reqs); err != nil {
		return nil, err
	}
	return parseEach(reqs, func(i int, r *jsonrpc.Request) (result, error) { return resultOf(r, calls[i]) })
}

// findNoCode replaces a node's error with an empty answer if the address has no code. On the chain
// such a call succeeds with an empty result.
func (c *Chain) findNoCode(ctx context.Context, p *provider, at blockParam, calls []Call,
	reqs []*jsonrpc.Request) error {
	var asked []*jsonrpc.Request
	var codes []*jsonrpc.Request
	for i, r := range reqs {
		if r.Fault != nil && r.Fault.LacksCode() && !calls[i].Balance {
			asked = append(asked, r)
			codes = append(codes, jsonrpc.Ask("eth_getCode", calls[i].To, at.arg()))
		}
	}
	if len(asked) == 0 {
		return nil
	}
	if err := c.sendAt(ctx, p, at, codes); err != nil {
		return err
	}
	for i, r := range codes {
		code, err := replyBytes(r)
		if err != nil {
			return err
		}
		if len(code) == 0 {
			asked[i].Result = json.RawMessage(`"0x"`)
			asked[i].Fault = nil
		}
	}
	return nil
}

// resultOf turns the reply to one call into the result that Multicall3 would give.
func resultOf(r *jsonrpc.Request, call Call) (result, error) {
	switch {
	case r.Fault != nil && r.Fault.Reverts() && !call.Balance && !(call.WantsGas && r.Fault.OutOfGas()):
		return result{}, nil
	case r.Fault != nil:
		return result{}, r.Fault
	case call.Balance:
		var n hexutil.Big
		if json.Unmarshal(r.Result, &n) != nil || n.ToInt().BitLen() > 256 {
			return result{}, jsonrpc.Faultf(jsonrpc.Malformed, "balance is not valid")
		}
		return result{ok: true, data: n.ToInt().FillBytes(make([]byte, 32))}, nil
	}
	data, err := replyBytes(r)
	return result{ok: true, data: data}, err
}

func (c *Chain) readCode(ctx context.Context, p *provider, at blockParam, addrs []common.Address) ([][]byte, error) {
	reqs := make([]*jsonrpc.Request, len(addrs))
	for i, a := range addrs {
		reqs[i] = jsonrpc.Ask("eth_getCode", a, at.arg())
	}
	if err := c.sendAt(ctx, p, at, reqs); err != nil {
		return nil, err
	}
	return parseEach(reqs, func(_ int, r *jsonrpc.Request) ([]byte, error) { return replyBytes(r) })
}

// sameResults reports whether two providers agree. It ignores why a call reverted, because nodes
// describe it differently.
func sameResults(a, b []result) bool {
	return slices.EqualFunc(a, b, func(a, b result) bool { return a.ok == b.ok && bytes.Equal(a.data, b.data) })
}

// outputs turns agreed results into return values for the caller.
func (c *Chain) outputs(at Block, calls []Call, results []result) ([][]byte, error) {
	out := make([][]byte, len(calls))
	for i, r := range results {
		switch {
		case r.ok: // a copy, so that the whole answer can be freed; never nil
			out[i] = append([]byte{}, r.data...)
		case !calls[i].MayRevert:
			what := "the balance"
			if data := calls[i].Data; !calls[i].Balance {
				what = hexutil.Encode(data[:min(4, len(data))])
			}
			return nil, fmt.Errorf("reading %s of %s on %s at block %d: %w", what, calls[i].To, c.cfg.Name, at.Number,
				ErrReverted)
		}
	}
	return out, nil
}
