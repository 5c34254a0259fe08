package evm

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm/jsonrpc"
)

var errNoMulticall = errors.New("no Multicall3 at this block")

// A plan is a list of calls, and the bundles in which they go through Multicall3, if it is used.
// All providers get the same bundles.
type plan struct {
	calls   []Call
	bundles []bundle
}

func (c *Chain) plan(calls []Call) plan {
	if c.cfg.Multicall == (common.Address{}) {
		return plan{calls: calls}
	}
	all := make([]int, len(calls))
	for i := range all {
		all[i] = i
	}
	return plan{calls: calls, bundles: pack(c.cfg.Multicall, calls, all, bundleCalls)}
}

// readBundles reads through Multicall3, with all bundles in one batch.
func (c *Chain) readBundles(ctx context.Context, p *provider, at blockParam, plan plan) ([]result, error) {
	results := make([]result, len(plan.calls))
	if err := c.sendBundles(ctx, p, at, plan.bundles, results); err != nil {
		return nil, err
	}
	return results, c.retryEmptyReverts(ctx, p, at, plan, results)
}

// retryEmptyReverts repeats each call with MayRevert that reverted without data, in a bundle of its
// own. A call also reverts without data if the other calls of its bundle used up the gas. Such a
// revert must not be mistaken for "no such pet".
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
		if err := c.sendBundles(ctx, p, at, chunk, results); err != nil {
			return err
		}
	}
	return nil
}

func (c *Chain) sendBundles(ctx context.Context, p *provider, at blockParam, bundles []bundle, results []result) error {
	var reqs []*jsonrpc.Request
	for _, b := range bundles {
		reqs = append(reqs, jsonrpc.Ask("eth_call", b.arg, at.arg()))
	}
	header := at.header()
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
	for i, b := range bundles {
		raw, err := replyBytes(reqs[i])
		if err != nil {
			return err
		}
		if len(raw) == 0 { // Multicall3 is not deployed at this block
			return errNoMulticall
		}
		if err := b.unpack(raw, c.cfg.ID, at.block, results); err != nil {
			return err
		}
	}
	return nil
}

// tooHeavy reports whether a bundle reverted as a whole, or is too long for the node. A failing
// call does not revert its bundle, so a bundle reverts only if it runs out of gas.
func tooHeavy(err error) bool {
	f, ok := errors.AsType[*jsonrpc.Fault](err)
	return ok && (f.Reverts() || f.BodyTooLong())
}
