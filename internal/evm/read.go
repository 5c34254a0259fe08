package evm

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Read answers all calls at the block, or none: enough providers agreed to the
// byte, and the answers name this chain and this block themselves. An element
// is nil where a call reverted that may; a call to an address without code has
// an empty one, as it has on the chain.
func (c *Chain) Read(ctx context.Context, at Block, calls []Call) ([][]byte, error) {
	if len(calls) == 0 {
		return nil, nil
	}
	doing := fmt.Sprintf("%d calls at block %d", len(calls), at.Number)
	plan := c.plan(calls)
	got, err := agree(ctx, c, matter{name: doing}, func(ctx context.Context, p *provider) ([]result, error) {
		return c.readFrom(ctx, p, at, plan)
	}, keyOfResults)
	if err != nil {
		return nil, fmt.Errorf("reading %s on %s: %w", doing, c.name, c.absence(err, ErrReorg))
	}
	return c.deliver(at, calls, got[0])
}

// deliver turns agreed results into what the caller asked for.
func (c *Chain) deliver(at Block, calls []Call, results []result) ([][]byte, error) {
	out := make([][]byte, len(calls))
	for i, r := range results {
		switch {
		case r.ok: // a copy, never nil: what is kept must not keep the whole answer
			out[i] = append([]byte{}, r.data...)
		case !calls[i].MayRevert:
			return nil, fmt.Errorf("reading %s of %s on %s at block %d: %w",
				selector(calls[i]), calls[i].To, c.name, at.Number, ErrReverted)
		}
	}
	return out, nil
}

func selector(call Call) string {
	switch {
	case call.Balance:
		return "the balance"
	case len(call.Data) < 4:
		return "a call without selector"
	}
	return hexutil.Encode(call.Data[:4])
}

// absence makes a sentinel of a round in which so many providers do not have
// the block that no quorum can. Other errors stay as they are.
func (c *Chain) absence(err, sentinel error) error {
	var re *roundError
	if !errors.As(err, &re) || !errors.Is(re.err, ErrUnavailable) {
		return err
	}
	if without := re.faults[absent] + re.faults[moved]; without > len(c.providers)-c.quorum {
		re.err = sentinel
	}
	return err
}

// A plan is a set of calls, bundled once for all providers.
type plan struct {
	calls []Call
	parts []part
}

func (c *Chain) plan(calls []Call) plan {
	all := make([]int, len(calls))
	for i := range all {
		all[i] = i
	}
	return plan{calls, pack(c.multicall, calls, all, partCalls)}
}

// A reference is how a provider is told which block to read at.
type reference struct {
	at       Block
	byNumber bool
}

func (r reference) arg() any {
	if r.byNumber {
		return hexutil.Uint64(r.at.Number)
	}
	return json.RawMessage(`{"blockHash":"` + r.at.Hash.Hex() + `","requireCanonical":true}`)
}

// header asks for the header that the reads beside it belong to.
func (r reference) header() *request {
	if r.byNumber {
		return ask("eth_getBlockByNumber", hexutil.Uint64(r.at.Number), false)
	}
	return ask("eth_getBlockByHash", r.at.Hash, false)
}

// atBlock lets read refer to the block by hash, or by number where the node
// refuses that form, which is remembered.
func (p *provider) atBlock(at Block, read func(reference) error) error {
	if p.byNumber.Load() {
		return read(reference{at, true})
	}
	err := read(reference{at, false})
	var f *fault
	if !errors.As(err, &f) || !f.refusesForm() {
		return err
	}
	second := read(reference{at, true})
	if second == nil {
		p.byNumber.Store(true)
	}
	return second
}

// checkHeader makes sure that a batch came from this chain and that the node
// has exactly this block.
func (c *Chain) checkHeader(chain, header *request, at Block) error {
	if err := chain.checkChain(c.id); err != nil {
		return err
	}
	return header.is(at)
}

// is makes sure that r was answered with the block at.
func (r *request) is(at Block) error {
	b, err := r.block()
	switch {
	case err != nil:
		return err
	case b.Hash != at.Hash && b.Number == at.Number:
		return faultf(moved, "has another block %d", at.Number)
	case b != Block{at.Number, at.Hash, at.Parent, at.Time.UTC()}:
		return faultf(mismatch, "gave block %d where block %d was asked for", b.Number, at.Number)
	}
	return nil
}

func (c *Chain) readFrom(ctx context.Context, p *provider, at Block, plan plan) ([]result, error) {
	var results []result
	err := p.atBlock(at, func(ref reference) (err error) {
		there, certain := c.multicallAt(p, at.Number)
		if there {
			results, err = c.readBundled(ctx, p, ref, plan, certain)
			if !errors.Is(err, errNoMulticall) && !tooHeavy(err) {
				return err
			}
			certain = true
		}
		results, err = c.readPlain(ctx, p, ref, plan.calls, certain)
		return err
	})
	return results, err
}

// multicallAt says whether p has Multicall3 at a block, and whether p itself
// said so. Else it is what another one said: a good guess saves a round trip, and
// a bad one costs no more than that.
func (c *Chain) multicallAt(p *provider, block uint64) (there, certain bool) {
	there, certain = p.code.at(block)
	for _, other := range c.providers {
		if certain {
			break
		}
		if said, sure := other.code.at(block); sure {
			return said, false
		}
	}
	return there, certain
}

// tooHeavy reports whether a bundle as a whole was undone. Its calls may fail
// one by one, so that only happens when the node grants it too little gas.
func tooHeavy(err error) bool {
	var f *fault
	return errors.As(err, &f) && f.reverts()
}

// keyOfResults ignores why a call reverted: nodes word that differently.
func keyOfResults(results []result) key {
	h := sha256.New()
	var head [8]byte
	for _, r := range results {
		n := uint64(1<<63) | uint64(len(r.data))
		if !r.ok {
			n = 0
		}
		binary.BigEndian.PutUint64(head[:], n)
		h.Write(head[:])
		h.Write(r.data)
	}
	return key(h.Sum(nil))
}
