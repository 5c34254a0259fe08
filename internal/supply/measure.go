package supply

import (
	"context"
	"fmt"
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

// A Result is what became of measuring one token: a snapshot or an error. What
// was read is in Evidence, also where Err is ErrRejected.
type Result struct {
	Token    *Token
	Snapshot *Snapshot
	Evidence *Evidence
	Err      error
}

// A Surveyor measures tokens as often as it is asked to. What their ledgers ask
// is worked out once.
type Measurer struct {
	chains map[string]Chain
	pages  []page
}

// NewSurveyor returns a surveyor of the tokens, which must not change any more.
func NewMeasurer(tokens []Token, chains map[string]Chain) *Measurer {
	s := &Measurer{chains: chains}
	for i := range tokens {
		s.pages = append(s.pages, newPage(&tokens[i]))
	}
	return s
}

// Measure is for tokens that are measured once.
func Measure(ctx context.Context, tokens []Token, chains map[string]Chain, at time.Time) []Result {
	return NewMeasurer(tokens, chains).Measure(ctx, at)
}

// Measure reads the ledgers of all tokens at their chains' newest blocks, or at
// the last ones before at if that is past: one pin and one read for each chain,
// however many entries there are. Where the newest blocks of a token's chains
// lie further apart than apart, the chains that are ahead are read further back
// for it. A token is measured whole or not at all, and never at the cost of
// another.
func (s *Measurer) Measure(ctx context.Context, at time.Time) []Result {
	v := survey{Measurer: s, apart: apart, pin: func(ctx context.Context, chain string, limit time.Time) (evm.Block, error) {
		if limit.IsZero() && time.Since(at).Abs() > apart {
			limit = at // another time than now
		}
		return s.chains[chain].Pin(ctx, limit)
	}}
	return v.measure(ctx, at)
}

// apart is how far the newest blocks of one token's chains may lie apart in
// time: what moves over a bridge meanwhile is counted on both sides or on none.
const apart = time.Minute

// A survey is one round of measuring: which block of each chain every token is
// read at, and what was read there.
type survey struct {
	*Measurer
	pin   func(ctx context.Context, chain string, limit time.Time) (evm.Block, error)
	apart time.Duration // 0: the blocks of a token may lie apart as they will

	pins  map[moment]*pinned
	plans map[place]*plan
}

// A moment is the newest block of a chain, or the last one before limit.
type moment struct {
	chain string
	limit time.Time
}

type pinned struct {
	block evm.Block
	err   error
}

// A place is where a plan is read.
type place struct {
	chain string
	block common.Hash
}

// pinAll finds the blocks: the newest of each chain, and then earlier ones for
// the tokens whose chains lie too far apart.
func (v *survey) pinAll(ctx context.Context) {
	v.pins = map[moment]*pinned{}
	for _, g := range v.pages {
		for _, chain := range g.chains {
			v.pins[moment{chain: chain}] = nil
		}
	}
	v.resolve(ctx)
	for _, g := range v.pages {
		for _, chain := range g.chains {
			if m := v.moment(g, chain); v.pins[m] == nil {
				v.pins[m] = nil // to be resolved
			}
		}
	}
	v.resolve(ctx)
}

// resolve pins what is not pinned yet, all at once.
func (v *survey) resolve(ctx context.Context) {
	var all sync.WaitGroup
	for m, p := range v.pins {
		if p != nil {
			continue
		}
		p = &pinned{}
		v.pins[m] = p
		all.Go(func() {
			if v.chains[m.chain] == nil {
				p.err = fmt.Errorf("chain %s is not configured", m.chain)
			} else if p.block, p.err = v.pin(ctx, m.chain, m.limit); p.err != nil {
				p.err = fmt.Errorf("choosing a block of %s: %w", m.chain, p.err)
			}
		})
	}
	all.Wait()
}

// moment says where chain is read for g: at its newest block, unless that is
// too far ahead of the newest block of another of g's chains.
func (v *survey) moment(g page, chain string) moment {
	head := v.pins[moment{chain: chain}]
	if head.err != nil || v.apart == 0 {
		return moment{chain: chain}
	}
	limit := head.block.Time
	for _, other := range g.chains {
		p := v.pins[moment{chain: other}]
		if latest := p.block.Time.Add(v.apart); p.err == nil && latest.Before(limit) {
			limit = latest
		}
	}
	if limit.Equal(head.block.Time) {
		return moment{chain: chain}
	}
	return moment{chain, limit}
}

// plan is what is read of chain for g.
func (v *survey) plan(g page, chain string) (*plan, error) {
	p := v.pins[v.moment(g, chain)]
	if p.err != nil {
		return nil, p.err
	}
	where := place{chain, p.block.Hash}
	if v.plans[where] == nil {
		v.plans[where] = &plan{index: map[callKey]int{}, id: v.chains[chain].ID(), block: p.block}
	}
	return v.plans[where], nil
}

// measure pins, reads everything, and makes the results.
func (v *survey) measure(ctx context.Context, at time.Time) []Result {
	v.pinAll(ctx)
	v.plans = map[place]*plan{}
	for _, g := range v.pages {
		v.collect(g)
	}
	var all sync.WaitGroup
	for where, p := range v.plans {
		all.Go(func() { p.run(ctx, where.chain, v.chains[where.chain].Read) })
	}
	all.Wait()
	results := make([]Result, len(v.pages))
	for i, g := range v.pages {
		r := Result{Token: g.token}
		if r.Evidence, r.Err = v.assemble(g, at); r.Err != nil {
			r.Err = fmt.Errorf("measuring %s: %w", g.token.Path, r.Err)
		} else {
			r.Snapshot = r.Evidence.snapshot()
		}
		results[i] = r
	}
	return results
}

// collect adds g's entries to what is read, unless one of its chains cannot be.
func (v *survey) collect(g page) {
	plans := map[string]*plan{}
	for _, chain := range g.chains {
		p, err := v.plan(g, chain)
		if err != nil {
			return
		}
		plans[chain] = p
	}
	for i, l := range g.lines {
		if p := plans[g.token.Ledger[i].Chain]; p != nil {
			p.want(l)
		}
	}
}
