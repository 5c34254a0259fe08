package evm

import (
	"context"
	"errors"
	"slices"

	"petsupply/internal/evm/jsonrpc"
)

var errNoMulticall = errors.New("no Multicall3 at this block")

// A plan is a set of calls, bundled once for all providers.
type plan struct {
	calls   []Call
	bundles []bundle
}

func (c *Chain) plan(calls []Call) plan {
	all := make([]int, len(calls))
	for i := range all {
		all[i] = i
	}
	if c.code.never {
		return plan{calls: calls}
	}
	return plan{calls, pack(c.cfg.Multicall, calls, all, bundleCalls)}
}

// readBundles reads by Multicall3, all bundles in one batch. Unless it is known
// that the contract is there, its code is asked for in the same batch.
func (c *Chain) readBundles(ctx context.Context, p *provider, at blockParam, plan plan, known bool) ([]result, error) {
	results := make([]result, len(plan.calls))
	if err := c.sendBundles(ctx, p, at, plan.bundles, known, results); err != nil {
		return nil, err
	}
	return results, c.retryEmptyReverts(ctx, p, at, plan, results)
}

// retryEmptyReverts asks again, one call to a bundle, for calls that may revert
// and did so without a word: in a bundle that is also what a call looks like that
// ran out of the gas that the bundle shares, and "there is no such pet" must not
// be concluded from that.
func (c *Chain) retryEmptyReverts(ctx context.Context, p *provider, at blockParam, plan plan, results []result) error {
	var again []int
	for _, b := range plan.bundles {
		for _, i := range b.calls {
			if results[i].emptyRevert && plan.calls[i].MayRevert && len(b.calls) > 1 {
				again = append(again, i)
			}
		}
	}
	for chunk := range slices.Chunk(pack(c.cfg.Multicall, plan.calls, again, 1), 100) {
		if err := c.sendBundles(ctx, p, at, chunk, true, results); err != nil {
			return err
		}
	}
	return nil
}

func (c *Chain) sendBundles(ctx context.Context, p *provider, at blockParam, bundles []bundle, known bool, results []result) error {
	var reqs []*jsonrpc.Request
	for _, b := range bundles {
		reqs = append(reqs, jsonrpc.Ask("eth_call", b.arg, at.arg()))
	}
	code, header := jsonrpc.Ask("eth_getCode", c.cfg.Multicall, at.arg()), at.header()
	if !known {
		reqs = append(reqs, code)
	}
	if at.byNumber {
		reqs = append(reqs, header)
	}
	if err := p.Send(ctx, reqs...); err != nil {
		return err
	}
	if at.byNumber {
		if err := checkBlock(header, at.block); err != nil {
			return err
		}
	}
	if !known {
		text, err := replyBytes(code)
		if err != nil {
			return err
		}
		c.code.learn(at.block.Number, len(text) > 0)
		if len(text) == 0 {
			return errNoMulticall
		}
	}
	for i, b := range bundles {
		raw, err := replyBytes(reqs[i])
		if err != nil {
			return err
		}
		if len(raw) == 0 { // as at an address without code
			c.code.forget()
			return errNoMulticall
		}
		if err := b.unpack(raw, c.cfg.ID, at.block, results); err != nil {
			return err
		}
	}
	return nil
}

// tooHeavy reports whether a bundle as a whole was undone, or is too long. Its
// calls may fail one by one, so the former only happens when the node grants it
// too little gas.
func tooHeavy(err error) bool {
	var f *jsonrpc.Fault
	return errors.As(err, &f) && (f.Reverts() || f.BodyTooLong())
}
