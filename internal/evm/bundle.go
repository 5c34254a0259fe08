package evm

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/ethereum/go-ethereum/common"
)

var errNoMulticall = errors.New("no Multicall3 at this block")

// maxBatch is the text of the parts in one batch: with JSON around it, still
// within the 5 MB that nodes take.
const maxBatch = 4 << 20

// readBundled reads by Multicall3, all parts in one batch. Unless it is certain
// that the contract is there, its code is asked for in the same batch.
func (c *Chain) readBundled(ctx context.Context, p *provider, ref reference, plan plan, certain bool) ([]result, error) {
	results := make([]result, len(plan.calls))
	for parts := plan.parts; len(parts) > 0; certain = true {
		n, size := 0, 0
		for n < len(parts) && (n == 0 || size+len(parts[n].arg) <= maxBatch) {
			size += len(parts[n].arg)
			n++
		}
		if err := c.sendParts(ctx, p, ref, parts[:n], certain, results); err != nil {
			return nil, err
		}
		parts = parts[n:]
	}
	return results, c.confirmBlank(ctx, p, ref, plan, results)
}

func (c *Chain) sendParts(ctx context.Context, p *provider, ref reference, parts []part, certain bool, results []result) error {
	var reqs []*request
	for _, part := range parts {
		reqs = append(reqs, ask("eth_call", part.arg, ref.arg()))
	}
	var code, header *request
	if !certain {
		code = ask("eth_getCode", c.multicall, ref.arg())
		reqs = append(reqs, code)
	}
	if ref.byNumber {
		header = ref.header()
		reqs = append(reqs, header)
	}
	if err := p.send(ctx, reqs...); err != nil {
		return err
	}
	if header != nil {
		if err := header.is(ref.at); err != nil {
			return err
		}
	}
	if code != nil {
		text, err := code.bytes()
		if err != nil {
			return err
		}
		p.code.learn(ref.at.Number, len(text) > 0)
		if len(text) == 0 {
			return errNoMulticall
		}
	}
	return c.unpackParts(p, ref.at, parts, reqs, results)
}

func (c *Chain) unpackParts(p *provider, at Block, parts []part, reqs []*request, results []result) error {
	for i, part := range parts {
		raw, err := reqs[i].bytes()
		if err != nil {
			return err
		}
		if len(raw) == 0 {
			p.code.forget()
			return faultf(malformed, "Multicall3 answered nothing")
		}
		if err := part.unpack(raw, c.id, at, results); err != nil {
			return err
		}
	}
	return nil
}

// callArg is {"data":data,"to":to} as JSON.
func callArg(to common.Address, data []byte) json.RawMessage {
	text := make([]byte, 0, 2*len(data)+70)
	text = hex.AppendEncode(append(text, `{"data":"0x`...), data)
	text = hex.AppendEncode(append(text, `","to":"0x`...), to[:])
	return append(text, `"}`...)
}

// confirmBlank asks again, one call to a part, for calls that may revert and
// did so without a word: in a bundle that is also what a call looks like that
// ran out of the gas that the bundle shares, and "there is no such pet" must
// not be concluded from that.
func (c *Chain) confirmBlank(ctx context.Context, p *provider, ref reference, plan plan, results []result) error {
	var blank []int
	for _, part := range plan.parts {
		for _, i := range part.calls {
			if r := results[i]; !r.ok && r.blank && plan.calls[i].MayRevert && len(part.calls) > 1 {
				blank = append(blank, i)
			}
		}
	}
	parts := pack(c.multicall, plan.calls, blank, 1)
	for len(parts) > 0 {
		n := min(100, len(parts))
		if err := c.sendParts(ctx, p, ref, parts[:n], true, results); err != nil {
			return err
		}
		parts = parts[n:]
	}
	return nil
}
