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

// A question is a call with its key: the same call is asked once.
type question struct {
	call evm.Call
	key  callKey
}

func ask(c evm.Call) *question {
	c.MayRevert = true // so that one token's fault does not reject the others
	return &question{c, callKey{c.To, string(c.Data), c.Balance}}
}

// A line is what one entry asks: nothing if it is a declared amount.
type line struct {
	amount, decimals *question
	err              error
}

func newLine(e Entry) line {
	call, onChain, err := e.Read()
	if err != nil || !onChain {
		return line{err: err}
	}
	l := line{amount: ask(call)}
	if e.ERC20 != "" {
		l.decimals = ask(decimalsCall(call.To))
	}
	return l
}

// A page is a token with a line for each entry of its ledger.
type page struct {
	token  *Token
	ledger Ledger
	chains []string
	lines  []line
}

func newPage(t *Token) page {
	g := page{token: t, ledger: t.Version(), chains: t.Chains()}
	for _, e := range t.Ledger {
		g.lines = append(g.lines, newLine(e))
	}
	return g
}

// A plan is everything that is read of one chain, and then what it answered.
type plan struct {
	calls []evm.Call
	index map[callKey]int // into calls

	id      uint64
	block   evm.Block
	answers [][]byte
	err     error
}

// want adds what l asks.
func (p *plan) want(l line) {
	for _, q := range []*question{l.amount, l.decimals} {
		if q == nil {
			continue
		}
		if _, ok := p.index[q.key]; !ok {
			p.index[q.key] = len(p.calls)
			p.calls = append(p.calls, q.call)
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

// answer returns the 32 bytes that answer q.
func (p *plan) answer(q *question) ([]byte, error) {
	if p == nil {
		return nil, errors.New("names no chain")
	}
	i, ok := p.index[q.key]
	if !ok {
		return nil, errors.New("was not read")
	}
	word := p.answers[i]
	if word == nil {
		return nil, fmt.Errorf("%s at block %d: %w", q.call.To, p.block.Number, evm.ErrReverted)
	}
	if len(word) != 32 {
		return nil, fmt.Errorf("%s at block %d returned %d bytes, %w", q.call.To, p.block.Number, len(word), errReturn)
	}
	return word, nil
}

// assemble puts together what a token's chains answered. Evidence that breaks a
// rule is returned beside ErrRejected, for people to look at.
func (v *survey) assemble(g page, at time.Time) (*Evidence, error) {
	t := g.token
	ev := &Evidence{
		Format: EvidenceFormat, Token: t.Path, Symbol: t.Symbol, Decimals: t.Decimals,
		AsOf: at.UTC().Truncate(time.Millisecond), LedgerHash: g.ledger.Hash, MaxSupply: t.MaxSupply,
		Formula: Formula, Bridges: g.ledger.Bridges, Chains: []EvidenceBlock{},
		Entries: make([]EvidenceEntry, len(t.Ledger)),
	}
	plans := map[string]*plan{}
	for _, name := range g.chains {
		p, err := v.plan(g, name)
		if err == nil {
			err = p.err
		}
		if err != nil {
			return nil, err
		}
		plans[name] = p
		b := p.block
		ev.Chains = append(ev.Chains, EvidenceBlock{name, p.id, b.Number, b.Hash, b.Parent, b.Time.UTC()})
	}
	for i, e := range t.Ledger {
		var err error
		if ev.Entries[i], err = g.lines[i].read(t, e, plans[e.Chain]); err != nil {
			return nil, fmt.Errorf("ledger[%d] %q: %w", i, e.Label, err)
		}
	}
	y := ev.tally()
	ev.Figures = y.figures()
	return ev, y.check(ev.Figures)
}

// read turns the answers to one entry's line into its amount.
func (l line) read(t *Token, e Entry, p *plan) (x EvidenceEntry, err error) {
	x = EvidenceEntry{Entry: e, Decimals: e.scale(t.Decimals), Counted: t.counted(e)}
	if l.err != nil {
		return x, l.err
	}
	if l.amount != nil {
		x.Contract, x.Calldata = &l.amount.call.To, l.amount.call.Data
		if x.Return, err = p.answer(l.amount); err != nil {
			return x, err
		}
	}
	if l.decimals != nil {
		if x.DecimalsReturn, err = p.answer(l.decimals); err != nil {
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
		Token: ev.Token, AsOf: ev.AsOf, LedgerHash: ev.LedgerHash, Figures: ev.Figures,
		Max: ev.MaxSupply, Blocks: []Block{}, Evidence: ev,
	}
	for _, c := range ev.Chains {
		s.Blocks = append(s.Blocks, Block{c.Chain, c.ChainID, c.Number, c.Hash, c.Time})
	}
	s.ID = s.identify()
	ev.Snapshot = s.ID
	return s
}
