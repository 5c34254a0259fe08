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

// A Measurer measures tokens as often as it is asked to. What their ledgers ask
// is worked out once.
type Measurer struct {
	chains map[string]Chain
	plans  []tokenPlan
}

// NewMeasurer returns a measurer of the tokens, which must not change any more.
func NewMeasurer(tokens []Token, chains map[string]Chain) *Measurer {
	m := &Measurer{chains: chains}
	for i := range tokens {
		m.plans = append(m.plans, newTokenPlan(&tokens[i]))
	}
	return m
}

// Measure is for tokens that are measured once.
func Measure(ctx context.Context, tokens []Token, chains map[string]Chain, at time.Time) []Result {
	return NewMeasurer(tokens, chains).Measure(ctx, at)
}

// maxSkew is how far the newest blocks of one token's chains may lie apart in
// time: what moves over a bridge meanwhile is counted on both sides or on none.
const maxSkew = time.Minute

// Measure reads the ledgers of all tokens at their chains' newest blocks, or at
// the last ones before at if that is past: one pin and one read for each chain,
// however many entries there are. Where the newest blocks of a token's chains
// lie further apart than maxSkew, the chains that are ahead are read further
// back for it. A token is measured whole or not at all, and never at the cost
// of another.
func (m *Measurer) Measure(ctx context.Context, at time.Time) []Result {
	return m.measure(ctx, at, maxSkew, func(ctx context.Context, chain string, limit time.Time) (evm.Block, error) {
		if limit.IsZero() && time.Since(at).Abs() > maxSkew {
			limit = at // another time than now
		}
		return m.chains[chain].Pin(ctx, limit)
	})
}

// A pinFunc chooses a block of chain, no later than limit unless that is zero.
type pinFunc func(ctx context.Context, chain string, limit time.Time) (evm.Block, error)

// measure pins, reads everything, and makes the results. maxSkew 0: the blocks
// of a token may lie apart as they will.
func (m *Measurer) measure(ctx context.Context, at time.Time, maxSkew time.Duration, pin pinFunc) []Result {
	v := measurement{Measurer: m, maxSkew: maxSkew, pins: map[pinKey]*pinned{}, reads: map[chainBlock]*chainRead{}}
	v.pinAll(ctx, pin)
	tokens := make([]map[string]*chainRead, len(m.plans))
	results := make([]Result, len(m.plans))
	for i, p := range m.plans {
		tokens[i], results[i].Err = v.plan(p)
	}
	var all sync.WaitGroup
	for _, r := range v.reads {
		all.Go(func() { r.run(ctx, m.chains[r.chain].Read) })
	}
	all.Wait()
	for i, p := range m.plans {
		r := &results[i]
		r.Token = p.token
		if r.Err == nil {
			r.Evidence, r.Err = p.evidence(tokens[i], at)
		}
		if r.Err != nil {
			r.Err = fmt.Errorf("measuring %s: %w", p.token.Path, r.Err)
		} else {
			r.Snapshot = r.Evidence.snapshot()
		}
	}
	return results
}

// A measurement is one round of measuring: which block of each chain every
// token is read at, and what is read there.
type measurement struct {
	*Measurer
	maxSkew time.Duration
	pins    map[pinKey]*pinned
	reads   map[chainBlock]*chainRead
}

// A pinKey asks for the newest block of a chain, or the last one before limit.
type pinKey struct {
	chain string
	limit time.Time
}

type pinned struct {
	block evm.Block
	err   error
}

type chainBlock struct {
	chain string
	block common.Hash
}

// pinAll finds the blocks: the newest of each chain, and then earlier ones for
// the tokens whose chains lie too far apart.
func (v *measurement) pinAll(ctx context.Context, pin pinFunc) {
	newest := func(_ tokenPlan, chain string) pinKey { return pinKey{chain: chain} }
	for _, choose := range []func(tokenPlan, string) pinKey{newest, v.pinKey} {
		var all sync.WaitGroup
		for _, p := range v.plans {
			for _, chain := range p.chains {
				key := choose(p, chain)
				if v.pins[key] != nil {
					continue
				}
				at := &pinned{}
				v.pins[key] = at
				all.Go(func() {
					if v.chains[key.chain] == nil {
						at.err = fmt.Errorf("chain %s is not configured", key.chain)
					} else if at.block, at.err = pin(ctx, key.chain, key.limit); at.err != nil {
						at.err = fmt.Errorf("choosing a block of %s: %w", key.chain, at.err)
					}
				})
			}
		}
		all.Wait()
	}
}

// pinKey says where chain is read for p, once the newest blocks are known: at
// its newest block, unless that is too far ahead of the newest block of another
// of p's chains.
func (v *measurement) pinKey(p tokenPlan, chain string) pinKey {
	head := v.pins[pinKey{chain: chain}]
	if head.err != nil || v.maxSkew == 0 {
		return pinKey{chain: chain}
	}
	limit := head.block.Time
	for _, other := range p.chains {
		o := v.pins[pinKey{chain: other}]
		if latest := o.block.Time.Add(v.maxSkew); o.err == nil && latest.Before(limit) {
			limit = latest
		}
	}
	if limit.Equal(head.block.Time) {
		return pinKey{chain: chain}
	}
	return pinKey{chain, limit}
}

// plan adds p's entries to what is read, unless one of its chains cannot be,
// and returns its reads by chain.
func (v *measurement) plan(p tokenPlan) (map[string]*chainRead, error) {
	reads := map[string]*chainRead{}
	for _, chain := range p.chains {
		at := v.pins[v.pinKey(p, chain)]
		if at.err != nil {
			return nil, at.err
		}
		where := chainBlock{chain, at.block.Hash}
		if v.reads[where] == nil {
			v.reads[where] = newChainRead(chain, v.chains[chain].ID(), at.block)
		}
		reads[chain] = v.reads[where]
	}
	for i, e := range p.entries {
		if r := reads[p.token.Ledger[i].Chain]; r != nil {
			r.add(e)
		}
	}
	return reads, nil
}
