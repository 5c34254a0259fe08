package evm

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"

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
	if !c.usesMulticall() {
		return plan{calls: calls}
	}
	return plan{calls: calls, bundles: pack(c.cfg.Multicall, calls, all, bundleCalls)}
}

// readBundles reads by Multicall3, all bundles in one batch. Unless the contract is
// known to be there, the batch asks for its code, too.
func (c *Chain) readBundles(ctx context.Context, p *provider, at blockParam, plan plan, known bool) ([]result, error) {
	results := make([]result, len(plan.calls))
	if err := c.sendBundles(ctx, p, at, plan.bundles, known, results); err != nil {
		return nil, err
	}
	return results, c.retryEmptyReverts(ctx, p, at, plan, results)
}

// retryEmptyReverts asks again, one call to a bundle, for calls that may revert and
// did so without data. A call that ran out of the bundle's shared gas looks the
// same, and it must not be taken for "no such pet".
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

// tooHeavy reports whether a bundle as a whole reverted or is too long. A failing
// call does not revert its bundle, so the bundle had too little gas.
func tooHeavy(err error) bool {
	f, ok := errors.AsType[*jsonrpc.Fault](err)
	return ok && (f.Reverts() || f.BodyTooLong())
}

// usesMulticall reports whether calls are bundled at all.
func (c *Chain) usesMulticall() bool { return c.cfg.Multicall != common.Address{} }

// codeSeen remembers at which blocks Multicall3 has code. It saves a request on
// most reads, and a round trip where there is none. Code stays, so it is there from
// the lowest block where it was seen. A wrong memory costs time only: the answers
// to a read show whether the contract was there.
type codeSeen struct {
	present atomic.Uint64 // the lowest block with code, plus one; 0 if none was seen
	missing atomic.Uint64 // the highest block without code, plus one
}

func (s *codeSeen) learn(block uint64, there bool) {
	if there {
		if present := s.present.Load(); present == 0 || block+1 < present {
			s.present.Store(block + 1)
		}
	} else if block+1 > s.missing.Load() {
		s.missing.Store(block + 1)
	}
}

func (s *codeSeen) forget() {
	s.present.Store(0)
	s.missing.Store(0)
}

// at reports whether to read a block by Multicall3, and whether it is known to be
// there.
func (s *codeSeen) at(block uint64) (there, known bool) {
	present := s.present.Load()
	known = present > 0 && block+1 >= present
	return known || block+1 > s.missing.Load(), known
}
