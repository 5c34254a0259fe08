package supply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

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
// even if Err is ErrRejected.
type Result struct {
	Token    *ledger.Token
	Snapshot *Snapshot
	Evidence *Evidence
	Err      error
}

// Measure reads the ledgers of all tokens. now is the time of our clock. A chain is read at its
// newest block, once for all entries. Chains that a token's bridge joins are pinned again at one
// moment, so that amounts in transit are counted once. A token is measured completely or not at
// all. One token's failure does not affect the others.
//
// If too few providers can read a chosen block, its chain is tried once more at an earlier block.
func Measure(ctx context.Context, tokens []ledger.Token, chains map[string]Chain, now time.Time) []Result {
	v := newMeasurement(tokens, chains, now)
	results := v.run(ctx)
	before := v.beforeFailed()
	if len(before) == 0 {
		return results
	}
	again := newMeasurement(tokens, chains, now)
	again.before = before
	earlier := func(chain string) bool { return before[chain] != evm.Block{} }
	for i, r := range again.run(ctx) {
		if results[i].Err != nil && slices.ContainsFunc(r.Token.Chains(), earlier) {
			results[i] = r
		}
	}
	return results
}

// A measurement is one round of measuring: the block of each chain for every token, and the reads
// at these blocks.
type measurement struct {
	tokens []ledger.Token
	groups [][][]string // by token: its chains, those that bridges join in one group
	chains map[string]Chain
	now    time.Time            // by our clock
	before map[string]evm.Block // by chain: read the chain at a block before this one
	pins   map[pinKey]*pinned
	reads  map[Block]*chainRead
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

func newMeasurement(tokens []ledger.Token, chains map[string]Chain, now time.Time) *measurement {
	v := &measurement{tokens: tokens, chains: chains, now: now, pins: map[pinKey]*pinned{},
		reads: map[Block]*chainRead{}}
	for i := range tokens {
		v.groups = append(v.groups, tokens[i].BridgedChains())
	}
	return v
}

// run pins blocks, reads everything, and makes the results.
func (v *measurement) run(ctx context.Context) []Result {
	v.pinAll(ctx, func(_ []string, chain string) pinKey { return v.newestKey(chain) })
	v.pinAll(ctx, v.pinKey)
	reads := make([]map[string]*chainRead, len(v.tokens))
	results := make([]Result, len(v.tokens))
	for i := range v.tokens {
		reads[i], results[i].Err = v.plan(i)
	}
	v.readAll(ctx)
	for i := range v.tokens {
		r := &results[i]
		r.Token = &v.tokens[i]
		if r.Err == nil {
			r.Evidence, r.Err = newEvidence(r.Token, reads[i], v.asOf(r.Token), v.now)
		}
		if r.Err != nil {
			r.Err = fmt.Errorf("measuring %s: %w", r.Token.Path, r.Err)
		} else {
			r.Snapshot = r.Evidence.snapshot()
		}
	}
	return results
}

// pinAll pins the block that choose selects for each chain of each group, and each block once.
// Chains do not wait for each other.
func (v *measurement) pinAll(ctx context.Context, choose func(group []string, chain string) pinKey) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	var all sync.WaitGroup
	for _, group := range slices.Concat(v.groups...) {
		for _, chain := range group {
			key := choose(group, chain)
			if v.pins[key] != nil {
				continue
			}
			at := &pinned{}
			v.pins[key] = at
			all.Go(func() { at.block, at.err = v.pin(ctx, key) })
		}
	}
	all.Wait()
}

func (v *measurement) pin(ctx context.Context, key pinKey) (evm.Block, error) {
	chain := v.chains[key.chain]
	if chain == nil {
		return evm.Block{}, fmt.Errorf("chain %s is not configured", key.chain)
	}
	b, err := chain.Pin(ctx, key.limit)
	if err != nil {
		return b, fmt.Errorf("choosing a block of %s: %w", key.chain, err)
	}
	return b, nil
}

// readAll makes all reads. Chains do not wait for each other.
func (v *measurement) readAll(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	var all sync.WaitGroup
	for _, r := range v.reads {
		all.Go(func() { r.run(ctx, v.chains[r.Chain].Read) })
	}
	all.Wait()
}

// beforeFailed returns, by chain, the earliest block that too few providers could read. It leaves
// out chains without such a block.
func (v *measurement) beforeFailed() map[string]evm.Block {
	before := map[string]evm.Block{}
	for _, r := range v.reads {
		if !errors.Is(r.err, evm.ErrUnavailable) {
			continue
		}
		if b, ok := before[r.Chain]; !ok || r.Number < b.Number {
			before[r.Chain] = r.Block.Block
		}
	}
	return before
}

// justBefore returns the last second before a block. Block times have whole seconds.
func justBefore(b evm.Block) time.Time { return b.Time.Add(-time.Second) }

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

// pinKey returns the key of the block at which a chain of a group is read. The newest blocks must
// be known. Chains that bridges join are read as of one moment, the latest for which all of them
// vouch. If the chain's newest block is later than that moment, the chain is read at its last block
// up to that moment. Otherwise it is read at its newest block.
func (v *measurement) pinKey(group []string, chain string) pinKey {
	newest := v.newestKey(chain)
	moment, ok := v.moment(group)
	if !ok || !v.pins[newest].block.Time.After(moment) {
		return newest
	}
	return pinKey{chain, moment}
}

// asOf returns the moment of t's figures: the earliest of the times for which its chains vouch, and
// never after our clock.
func (v *measurement) asOf(t *ledger.Token) time.Time {
	if moment, ok := v.moment(t.Chains()); ok && moment.Before(v.now) {
		return moment
	}
	return v.now
}

// plan adds the calls of the token with index i to v.reads, and returns the token's reads by chain.
// It returns an error if a chain of the token cannot be read.
func (v *measurement) plan(i int) (map[string]*chainRead, error) {
	reads := map[string]*chainRead{}
	for _, group := range v.groups[i] {
		for _, chain := range group {
			at := v.pins[v.pinKey(group, chain)]
			if at.err != nil {
				return nil, at.err
			}
			c := v.chains[chain]
			b := Block{Chain: chain, ChainID: c.ID(), Block: at.block, OnDemand: c.OnDemand()}
			if v.reads[b] == nil {
				v.reads[b] = newChainRead(b)
			}
			reads[chain] = v.reads[b]
		}
	}
	for _, e := range v.tokens[i].Ledger {
		if r := reads[e.Chain]; r != nil {
			r.add(e)
		}
	}
	return reads, nil
}
