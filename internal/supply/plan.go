package supply

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// callKey is a call as a map key.
type callKey struct {
	to      common.Address
	data    string
	balance bool
}

// A plan is everything that is read of one chain, and then what it answered.
type plan struct {
	calls []evm.Call
	index map[callKey]int // into calls: the same call is asked once

	id      uint64
	block   evm.Block
	answers [][]byte
	err     error
}

func (p *plan) add(c evm.Call) {
	key := callKey{c.To, string(c.Data), c.Balance}
	if _, ok := p.index[key]; !ok {
		p.index[key] = len(p.calls)
		c.MayRevert = true // so that one token's fault does not reject the others
		p.calls = append(p.calls, c)
	}
}

// want adds what e asks.
func (p *plan) want(e Entry) {
	if call, ok, err := e.Read(); ok && err == nil {
		p.add(call)
		if e.ERC20 != "" {
			p.add(decimalsCall(call.To))
		}
	}
}

// run reads the plan and keeps what came of it.
func (p *plan) run(ctx context.Context, name string, read func(context.Context, evm.Block, []evm.Call) ([][]byte, error)) {
	p.answers, p.err = read(ctx, p.block, p.calls)
	switch {
	case p.err != nil:
		p.err = fmt.Errorf("reading %s at block %d: %w", name, p.block.Number, p.err)
	case len(p.answers) != len(p.calls):
		p.err = fmt.Errorf("reading %s at block %d: %d answers to %d calls", name, p.block.Number, len(p.answers), len(p.calls))
	}
}

// errReturn: the node's answer is not a number.
var errReturn = errors.New("want exactly 32 bytes")

// answer returns the 32 bytes that c returned.
func (p *plan) answer(c evm.Call) ([]byte, error) {
	if p == nil {
		return nil, errors.New("names no chain")
	}
	i, ok := p.index[callKey{c.To, string(c.Data), c.Balance}]
	if !ok {
		return nil, errors.New("was not read")
	}
	word := p.answers[i]
	if word == nil {
		return nil, fmt.Errorf("%s at block %d: %w", c.To, p.block.Number, evm.ErrReverted)
	}
	if len(word) != 32 {
		return nil, fmt.Errorf("%s at block %d returned %d bytes, %w", c.To, p.block.Number, len(word), errReturn)
	}
	return word, nil
}

// assemble puts together what a token's chains answered. Evidence that breaks a
// rule is returned beside ErrRejected, for people to look at.
func (v *survey) assemble(t *Token, at time.Time) (*Evidence, error) {
	ev := &Evidence{
		Format: EvidenceFormat, Token: t.Path, Symbol: t.Symbol, Decimals: t.Decimals,
		AsOf: at.UTC().Truncate(time.Millisecond), Ledger: t.LedgerHash(), MaxSupply: t.MaxSupply,
		Formula: Formula, Bridges: t.Version().Bridges, Chains: []EvidenceChain{},
	}
	plans := map[string]*plan{}
	for _, name := range t.Chains() {
		p, err := v.plan(t, name)
		if err == nil {
			err = p.err
		}
		if err != nil {
			return nil, err
		}
		plans[name] = p
		b := p.block
		ev.Chains = append(ev.Chains, EvidenceChain{name, p.id, b.Number, b.Hash, b.Parent, b.Time.UTC()})
	}
	for i, e := range t.Ledger {
		x, err := read(t, e, plans[e.Chain])
		if err != nil {
			return nil, fmt.Errorf("ledger[%d] %q: %w", i, e.Label, err)
		}
		ev.Entries = append(ev.Entries, x)
	}
	y := ev.tally()
	ev.Figures = y.figures()
	return ev, y.check(ev.Figures)
}

// read turns one entry's answers into its amount.
func read(t *Token, e Entry, p *plan) (EvidenceEntry, error) {
	x := EvidenceEntry{Entry: e, Decimals: e.scale(t.Decimals), Counted: t.counted(e)}
	call, onChain, err := e.Read()
	if err != nil {
		return x, err
	}
	if onChain {
		x.Contract, x.Calldata = &call.To, call.Data
		if x.Return, err = p.answer(call); err != nil {
			return x, err
		}
	}
	if e.ERC20 != "" {
		if x.DecimalsReturn, err = p.answer(decimalsCall(call.To)); err != nil {
			return x, fmt.Errorf("decimals(): %w", err)
		}
	}
	x.Decimals, x.Amount, err = x.compute(t.Decimals)
	return x, err
}

// compute returns the decimals and the amount that follow from the returns.
func (x EvidenceEntry) compute(token int) (int, Amount, error) {
	decimals := x.Entry.scale(token)
	if x.Entry.Amount != nil {
		a, err := x.Entry.Amount.Rescale(token)
		return token, a, err
	}
	if x.Entry.ERC20 != "" {
		n := new(big.Int).SetBytes(x.DecimalsReturn)
		if !n.IsInt64() || n.Int64() > MaxDecimals {
			return 0, Amount{}, fmt.Errorf("decimals() returned %s: want 0 to %d", n, MaxDecimals)
		}
		decimals = int(n.Int64())
	}
	a, err := Amount{new(big.Int).SetBytes(x.Return), decimals}.Rescale(token)
	return decimals, a, err
}

func (ev *Evidence) tally() tally {
	return tally{ev.Decimals, ev.MaxSupply, ev.Bridges, ev.Entries}
}

// snapshot makes the snapshot that ev is the evidence of, and names it in ev.
func (ev *Evidence) snapshot() *Snapshot {
	s := &Snapshot{
		Token: ev.Token, AsOf: ev.AsOf, Ledger: ev.Ledger, Figures: ev.Figures,
		Max: ev.MaxSupply, Blocks: []BlockRef{}, Evidence: ev,
	}
	for _, c := range ev.Chains {
		s.Blocks = append(s.Blocks, BlockRef{c.Name, c.ChainID, c.Number, c.Hash, c.Time})
	}
	s.ID = s.identify()
	ev.Snapshot = s.ID
	return s
}
