package supply

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// A tokenPlan is a token with the calls of each entry of its ledger.
type tokenPlan struct {
	token   *ledger.Token
	ledger  ledger.Version
	chains  []string
	joined  map[string][]string // by chain: that chain and those that bridges join with it
	entries []entryPlan
}

func newTokenPlan(t *ledger.Token) tokenPlan {
	p := tokenPlan{token: t, ledger: t.CurrentLedger(), chains: t.Chains(), joined: map[string][]string{}}
	for _, chain := range p.chains {
		p.joined[chain] = t.JoinedWith(chain)
	}
	for _, e := range t.Ledger {
		p.entries = append(p.entries, newEntryPlan(e))
	}
	return p
}

// An entryPlan has the calls of one entry. A declared amount has none.
type entryPlan struct {
	amount, decimals    *plannedCall
	shares, sharesTotal *plannedCall // for a share
	err                 error
}

func newEntryPlan(e ledger.Entry) entryPlan {
	call, onChain, err := e.ChainCall()
	if err != nil || !onChain {
		return entryPlan{err: err}
	}
	p := entryPlan{amount: newPlannedCall(call)}
	if e.Whole().ERC20 != "" {
		p.decimals = newPlannedCall(ledger.DecimalsCall(call.To))
	}
	if e.Share != nil {
		shares, total, err := e.ShareCalls()
		if err != nil {
			return entryPlan{err: err}
		}
		p.shares = newPlannedCall(shares)
		p.sharesTotal = newPlannedCall(total)
	}
	return p
}

// calls lists all calls of the entry.
func (p entryPlan) calls() []*plannedCall {
	all := []*plannedCall{p.amount, p.decimals, p.shares, p.sharesTotal}
	return slices.DeleteFunc(all, func(c *plannedCall) bool { return c == nil })
}

// A plannedCall is a call with its precomputed key.
type plannedCall struct {
	evm.Call
	key callKey
}

// callKey is a call as a map key.
type callKey struct {
	to      common.Address
	data    string
	balance bool
}

func newPlannedCall(c evm.Call) *plannedCall {
	c.MayRevert = true // so that one token's revert does not fail the others
	return &plannedCall{c, callKey{c.To, string(c.Data), c.Balance}}
}

// A chainRead has all calls to one chain at one block, and later their answers. Equal calls are
// made once.
type chainRead struct {
	chain    string
	id       uint64
	onDemand bool
	block    evm.Block
	calls    []evm.Call
	index    map[callKey]int // into calls

	answers [][]byte
	faults  []error // by call: why the proof is wrong about it; nil if no proof is checked
	doubts  []error // by call: why its answer is not confirmed; nil if all answers are confirmed
	last    bool    // checkLast showed that this was the chain's last block when the service read it
	err     error
}

func newChainRead(chain string, id uint64, block evm.Block) *chainRead {
	return &chainRead{chain: chain, id: id, block: block, index: map[callKey]int{}}
}

// add adds the calls of an entry.
func (r *chainRead) add(p entryPlan) {
	for _, call := range p.calls() {
		if _, ok := r.index[call.key]; !ok {
			r.index[call.key] = len(r.calls)
			r.calls = append(r.calls, call.Call)
		}
	}
}

// run makes all calls and stores their answers.
func (r *chainRead) run(ctx context.Context, read func(context.Context, evm.Block, []evm.Call) ([][]byte, error)) {
	var err error
	if r.answers, err = read(ctx, r.block, r.calls); err == nil && len(r.answers) != len(r.calls) {
		err = fmt.Errorf("%d answers to %d calls", len(r.answers), len(r.calls))
	}
	if err != nil {
		r.err = fmt.Errorf("reading %s at block %d: %w", ledger.Clip(r.chain), r.block.Number, err)
	}
}

// errReturn: a call's answer is not a number, because it does not have 32 bytes.
var errReturn = errors.New("want exactly 32 bytes")

// answer returns the 32 bytes that answer the call.
func (r *chainRead) answer(call *plannedCall) ([]byte, error) {
	if r == nil {
		return nil, errors.New("the entry names no chain")
	}
	i, ok := r.index[call.key]
	if !ok {
		return nil, errors.New("the call was not made")
	}
	if r.faults != nil && r.faults[i] != nil {
		return nil, r.faults[i]
	}
	switch word := r.answers[i]; {
	case word == nil:
		return nil, fmt.Errorf("%s at block %d: %w", call.To, r.block.Number, evm.ErrReverted)
	case len(word) != 32:
		return nil, fmt.Errorf("%s at block %d returned %d bytes, %w", call.To, r.block.Number, len(word), errReturn)
	default:
		return word, nil
	}
}

// doubt returns why the reads of an entry are not confirmed, or nil.
func (r *chainRead) doubt(e ledger.Entry) error {
	for _, call := range newEntryPlan(e).calls() {
		if r.doubts != nil && r.doubts[r.index[call.key]] != nil {
			return r.doubts[r.index[call.key]]
		}
	}
	return nil
}

// evidence combines the answers of the token's chains. Evidence that breaks a rule is returned
// together with ErrRejected, for inspection.
func (p tokenPlan) evidence(reads map[string]*chainRead, asOf, measuredAt time.Time) (*Evidence, error) {
	t := p.token
	ev := &Evidence{
		Format: evidenceFormat, Token: t.Path, Symbol: t.Symbol, Decimals: t.Decimals,
		AsOf: asOf.UTC().Truncate(time.Millisecond), MeasuredAt: measuredAt.UTC().Truncate(time.Millisecond),
		LedgerHash: p.ledger.Hash, MaxSupply: t.MaxSupply, Formula: formula, Bridges: p.ledger.Bridges,
		Chains:  []Block{},
		Entries: make([]EvidenceEntry, len(t.Ledger)),
	}
	for _, chain := range p.chains {
		r := reads[chain]
		if r.err != nil {
			return nil, r.err
		}
		b := r.block
		ev.Chains = append(ev.Chains, Block{Chain: chain, ChainID: r.id, Number: b.Number, Hash: b.Hash, Parent: b.Parent,
			Time: b.Time.UTC(), OnDemand: r.onDemand})
	}
	for i, e := range t.Ledger {
		var err error
		if ev.Entries[i], err = p.entries[i].evidence(t, e, reads[e.Chain]); err != nil {
			return nil, fmt.Errorf("ledger[%d] %q: %w", i, e.Label, err)
		}
	}
	ev.Figures = ev.sum()
	return ev, ev.check()
}

// evidence returns the evidence of one entry, with the amount that follows from the answers.
func (p entryPlan) evidence(t *ledger.Token, e ledger.Entry, r *chainRead) (x EvidenceEntry, err error) {
	x = EvidenceEntry{Entry: e, Decimals: e.DeclaredDecimals(t.Decimals), Counted: e.Counted(t.Bridges)}
	if p.err != nil {
		return x, p.err
	}
	if e.Amount != nil {
		x.Decimals = t.Decimals
		x.Amount, err = e.Amount.Rescale(t.Decimals)
		return x, err
	}
	x.Contract = &p.amount.To
	x.Calldata = p.amount.Data
	if x.Return, err = r.answer(p.amount); err != nil {
		return x, err
	}
	if p.decimals != nil {
		if x.DecimalsReturn, err = r.answer(p.decimals); err != nil {
			return x, fmt.Errorf("decimals(): %w", err)
		}
		n := new(big.Int).SetBytes(x.DecimalsReturn)
		if !n.IsInt64() || n.Int64() > ledger.MaxDecimals {
			return x, fmt.Errorf("decimals() returned %s: want 0 to %d", n, ledger.MaxDecimals)
		}
		x.Decimals = int(n.Int64())
	}
	if p.shares != nil {
		x.Formula = shareFormula
		if x.SharesReturn, err = r.answer(p.shares); err != nil {
			return x, fmt.Errorf("balanceOf() of the shares: %w", err)
		}
		if x.SharesTotalReturn, err = r.answer(p.sharesTotal); err != nil {
			return x, fmt.Errorf("totalSupply() of the shares: %w", err)
		}
	}
	x.Amount = x.exact().RoundDown(t.Decimals)
	return x, nil
}

// reads returns the calls of ev to the chain of c at the given block, still without answers.
func (ev *Evidence) reads(c Block, at evm.Block) *chainRead {
	read := newChainRead(c.Chain, c.ChainID, at)
	for _, x := range ev.Entries {
		if x.Entry.Chain == c.Chain {
			read.add(newEntryPlan(x.Entry))
		}
	}
	return read
}
