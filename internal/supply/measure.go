package supply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// Chain is the chain that a measurement reads. *evm.Chain implements it.
type Chain interface {
	// ID returns the chain id.
	ID() uint64
	// OnDemand reports whether the chain makes blocks only when it has transactions. Then the state
	// of its newest block applies until the next block. On other chains it is known to apply only
	// up to the block's own time.
	OnDemand() bool
	// Pin returns the highest block at the chain's finality that a quorum of its providers has
	// reached. The block is no later than limit; zero means no limit.
	Pin(ctx context.Context, limit time.Time) (evm.Block, error)
	// Read answers all calls at the block, or returns an error. A quorum agrees on every byte, and
	// the answers are checked to be from this chain and block. An answer is nil if a call with
	// MayRevert reverted.
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// A Result is the outcome of measuring one token: a snapshot or an error. Evidence has the reads,
// even if Err is ErrRejected. The snapshots of a Measurer have no id. Judge gives one to those that
// it publishes or holds.
type Result struct {
	Token    *ledger.Token
	Snapshot *Snapshot
	Evidence *Evidence
	Err      error
}

// A Measurer measures tokens repeatedly. It plans the calls of their ledgers once.
type Measurer struct {
	chains map[string]Chain
	plans  []tokenPlan
}

// NewMeasurer returns a measurer of the tokens, which must not change afterwards.
func NewMeasurer(tokens []ledger.Token, chains map[string]Chain) *Measurer {
	m := &Measurer{chains: chains}
	for i := range tokens {
		m.plans = append(m.plans, newTokenPlan(&tokens[i]))
	}
	return m
}

// Measure measures tokens once, and sets the ids of their snapshots.
func Measure(ctx context.Context, tokens []ledger.Token, chains map[string]Chain, at time.Time) []Result {
	results := NewMeasurer(tokens, chains).Measure(ctx, at)
	for _, r := range results {
		if r.Err == nil {
			r.Snapshot.name()
		}
	}
	return results
}

// Measure reads the ledgers of all tokens. now is the time of our clock. A chain is read at its
// newest block, once for all entries. Chains that a token's bridge joins are pinned again at one
// moment, so that amounts in transit are counted once. A token is measured completely or not at
// all. One token's failure does not affect the others.
//
// If too few providers can read a chosen block, its chain is tried once more at an earlier block.
func (m *Measurer) Measure(ctx context.Context, now time.Time) []Result {
	v := newMeasurement(m, now)
	results := v.run(ctx)
	before := v.beforeFailed()
	if len(before) == 0 {
		return results
	}
	again := newMeasurement(m, now)
	again.before = before
	earlier := func(chain string) bool { return before[chain] != evm.Block{} }
	for i, r := range again.run(ctx) {
		if results[i].Err != nil && slices.ContainsFunc(m.plans[i].chains, earlier) {
			results[i] = r
		}
	}
	return results
}

// beforeFailed returns, by chain, the earliest block that too few providers could read. It leaves
// out chains without such a block.
func (v *measurement) beforeFailed() map[string]evm.Block {
	before := map[string]evm.Block{}
	for _, r := range v.reads {
		if !errors.Is(r.err, evm.ErrUnavailable) {
			continue
		}
		if b, ok := before[r.chain]; !ok || r.block.Number < b.Number {
			before[r.chain] = r.block
		}
	}
	return before
}

// justBefore returns the last moment before a block.
func justBefore(b evm.Block) time.Time { return b.Time.Add(-time.Second) }

func newMeasurement(m *Measurer, now time.Time) *measurement {
	return &measurement{Measurer: m, now: now, pins: map[pinKey]*pinned{}, reads: map[readKey]*chainRead{}}
}

// run pins blocks, reads everything, and makes the results.
func (v *measurement) run(ctx context.Context) []Result {
	v.pinAll(ctx)
	tokens := make([]map[string]*chainRead, len(v.plans))
	results := make([]Result, len(v.plans))
	for i, p := range v.plans {
		tokens[i], results[i].Err = v.plan(p)
	}
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	var all sync.WaitGroup
	for _, r := range v.reads {
		all.Go(func() { r.run(ctx, v.chains[r.chain].Read) })
	}
	all.Wait()
	for i, p := range v.plans {
		r := &results[i]
		r.Token = p.token
		if r.Err == nil {
			r.Evidence, r.Err = p.evidence(tokens[i], v.asOf(p), v.now)
		}
		if r.Err != nil {
			r.Err = fmt.Errorf("measuring %s: %w", p.token.Path, r.Err)
		} else {
			r.Snapshot = r.Evidence.unnamed()
		}
	}
	return results
}

// A measurement is one round of measuring: the block of each chain for every token, and the reads
// at these blocks.
type measurement struct {
	*Measurer
	now    time.Time            // by our clock
	before map[string]evm.Block // by chain: read the chain at a block before this one
	pins   map[pinKey]*pinned
	reads  map[readKey]*chainRead
}

// A pinKey identifies the last block of a chain that is not after limit, or the newest block if
// limit is zero.
type pinKey struct {
	chain string
	limit time.Time
}

type pinned struct {
	block evm.Block
	err   error
}

// A readKey identifies a block that is read.
type readKey struct {
	chain string
	block common.Hash
}

// pinAll finds the blocks: the newest of each chain, and then earlier ones for tokens that need
// them.
func (v *measurement) pinAll(ctx context.Context) {
	newest := func(_ tokenPlan, chain string) pinKey { return v.newestKey(chain) }
	for _, choose := range []func(tokenPlan, string) pinKey{newest, v.pinKey} {
		ctx, cancel := context.WithTimeout(ctx, readLimit)
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
					} else if at.block, at.err = v.chains[key.chain].Pin(ctx, key.limit); at.err != nil {
						at.err = fmt.Errorf("choosing a block of %s: %w", key.chain, at.err)
					}
				})
			}
		}
		all.Wait()
		cancel()
	}
}

// newestKey returns the key of the latest block at which a chain may be read.
func (v *measurement) newestKey(chain string) pinKey {
	if b, ok := v.before[chain]; ok {
		return pinKey{chain, justBefore(b)}
	}
	return pinKey{chain: chain}
}

// vouched returns the time up to which the chain is known to be in the state of its newest block.
// The chain vouches for its state until that time.
func (v *measurement) vouched(chain string) time.Time {
	head := v.pins[v.newestKey(chain)].block
	onDemand := v.chains[chain].OnDemand()
	if b, ok := v.before[chain]; ok {
		if onDemand && head.Number+1 == b.Number {
			return justBefore(b)
		}
		return head.Time // a block between head and b may have changed the state
	}
	if onDemand {
		return later(v.now, head.Time) // the block was still the newest when we asked
	}
	return head.Time
}

// moment returns the latest time for which all the chains vouch (see vouched). ok is false if a
// chain could not be asked, or if there are no chains.
func (v *measurement) moment(chains []string) (least time.Time, ok bool) {
	for i, chain := range chains {
		if v.pins[v.newestKey(chain)].err != nil {
			return time.Time{}, false
		}
		if at := v.vouched(chain); i == 0 || at.Before(least) {
			least = at
		}
	}
	return least, len(chains) > 0
}

// pinKey returns the key of the block at which a chain is read for the token of p. The newest
// blocks must be known. Chains that bridges join are read as of one moment, the latest for which
// all of them vouch. If the chain's newest block is later than that moment, the chain is read at
// its last block up to that moment. Otherwise it is read at its newest block.
func (v *measurement) pinKey(p tokenPlan, chain string) pinKey {
	newest := v.newestKey(chain)
	moment, ok := v.moment(p.joined[chain])
	if !ok || !v.pins[newest].block.Time.After(moment) {
		return newest
	}
	return pinKey{chain, moment}
}

// asOf returns the moment of p's figures: the earliest of the times for which its chains vouch, and
// never after our clock.
func (v *measurement) asOf(p tokenPlan) time.Time {
	if moment, ok := v.moment(p.chains); ok && moment.Before(v.now) {
		return moment
	}
	return v.now
}

// plan adds the entries of p to v.reads, and returns the reads of p by chain. It returns an error
// if a chain of p cannot be read.
func (v *measurement) plan(p tokenPlan) (map[string]*chainRead, error) {
	reads := map[string]*chainRead{}
	for _, chain := range p.chains {
		at := v.pins[v.pinKey(p, chain)]
		if at.err != nil {
			return nil, at.err
		}
		where := readKey{chain: chain, block: at.block.Hash}
		if v.reads[where] == nil {
			v.reads[where] = newChainRead(chain, v.chains[chain].ID(), at.block)
			v.reads[where].onDemand = v.chains[chain].OnDemand()
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
