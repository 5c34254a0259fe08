package supply

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// Chain is what a measurement reads. *evm.Chain is one.
type Chain interface {
	// ID is the number that the chain gives itself.
	ID() uint64
	// Pin returns the highest block at the chain's finality that enough of its
	// providers have reached, and no later than limit.
	Pin(ctx context.Context, limit time.Time) (evm.Block, error)
	// Read answers all calls at block, or none: enough providers agreed to the
	// byte, and the answers name this chain and this block themselves. An
	// answer is nil where a call that may revert did.
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// A Result is what became of measuring one token: a snapshot or an error.
type Result struct {
	Token    *Token
	Snapshot *Snapshot
	Err      error
}

// Measure reads the ledgers of all tokens, each chain at one block no later
// than at: one pin and one read for each chain, however many entries there are.
// A token is measured whole or not at all, and never at the cost of another.
func Measure(ctx context.Context, tokens []Token, chains map[string]Chain, at time.Time) []Result {
	pin := func(ctx context.Context, name string) (evm.Block, error) { return chains[name].Pin(ctx, at) }
	return measure(ctx, tokens, chains, at, pin)
}

// measure is Measure with another way to choose each chain's block.
func measure(ctx context.Context, tokens []Token, chains map[string]Chain, at time.Time,
	pin func(ctx context.Context, chain string) (evm.Block, error)) []Result {
	plans := map[string]*plan{}
	for _, t := range tokens {
		for _, e := range t.Ledger {
			if e.Chain == "" {
				continue
			}
			if plans[e.Chain] == nil {
				plans[e.Chain] = &plan{index: map[callKey]int{}}
			}
			if call, ok, err := e.Read(); ok && err == nil {
				plans[e.Chain].add(call)
				if e.ERC20 != "" {
					plans[e.Chain].add(decimalsCall(call.To))
				}
			}
		}
	}
	var all sync.WaitGroup
	for name, p := range plans {
		all.Go(func() { p.run(ctx, name, chains[name], pin) })
	}
	all.Wait()
	results := make([]Result, len(tokens))
	for i := range tokens {
		t := &tokens[i]
		results[i] = Result{Token: t}
		results[i].Snapshot, results[i].Err = assemble(t, plans, at)
		if results[i].Err != nil {
			results[i].Err = fmt.Errorf("measuring %s: %w", t.Path, results[i].Err)
		}
	}
	return results
}

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

func (p *plan) run(ctx context.Context, name string, c Chain, pin func(context.Context, string) (evm.Block, error)) {
	if c == nil {
		p.err = fmt.Errorf("chain %s is not configured", name)
		return
	}
	p.id = c.ID()
	if p.block, p.err = pin(ctx, name); p.err != nil {
		p.err = fmt.Errorf("choosing a block of %s: %w", name, p.err)
		return
	}
	p.answers, p.err = c.Read(ctx, p.block, p.calls)
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

// assemble makes a token's snapshot of what its chains answered.
func assemble(t *Token, plans map[string]*plan, at time.Time) (*Snapshot, error) {
	ev := &Evidence{
		Format: EvidenceFormat, Token: t.Path, Symbol: t.Symbol, Decimals: t.Decimals,
		AsOf: at.UTC().Truncate(time.Millisecond), Ledger: t.LedgerHash(), MaxSupply: t.MaxSupply,
		Formula: Formula, Bridges: t.Version().Bridges, Chains: []EvidenceChain{},
	}
	for _, name := range t.Chains() {
		p := plans[name]
		if p.err != nil {
			return nil, p.err
		}
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
	if err := y.check(ev.Figures); err != nil {
		return nil, err
	}
	return ev.snapshot(), nil
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
