package evm

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// skew is how far the clocks of block producers may run ahead of ours.
const skew = time.Minute

// Pin returns the highest block, at the chain's finality, that a quorum of
// providers has reached, and no later than limit (zero: now). It ends as soon as
// a quorum has answered, so a provider that hangs costs nothing; one that lags
// is given a moment to be outvoted by the others. Height in Health is the newest
// block that a provider reported here.
func (c *Chain) Pin(ctx context.Context, limit time.Time) (Block, error) {
	b, err := c.top(ctx, c.finality)
	if err != nil {
		return Block{}, fmt.Errorf("pinning %s at %s: %w", c.name, c.finality, err)
	}
	now := c.now()
	if limit.IsZero() || limit.After(now) {
		if limit = now; b.Time.Before(now.Add(skew)) {
			limit = now.Add(skew)
		}
	}
	if b.Time.After(limit) {
		// A block that another one follows is not behind, however long before
		// limit it was made: the chain was quiet.
		if b, err = c.notAfter(ctx, b, limit); err != nil {
			return Block{}, fmt.Errorf("pinning %s no later than %s: %w", c.name, limit.UTC().Format(time.RFC3339), err)
		}
	} else if lag := min(now.Sub(b.Time), limit.Sub(b.Time)); lag > c.maxLag {
		return Block{}, fmt.Errorf("pinning %s: %w: block %d is %s old", c.name, ErrLag, b.Number, lag.Round(time.Second))
	}
	for {
		old := c.pinned.Load()
		if b.Number <= old || c.pinned.CompareAndSwap(old, b.Number) {
			return b, nil
		}
	}
}

// BlockAt returns the last block not after t, and not newer than the chain's
// finality allows.
func (c *Chain) BlockAt(ctx context.Context, t time.Time) (Block, error) {
	return c.Pin(ctx, t)
}

// top is the highest block at f that a quorum has reached and agrees on.
func (c *Chain) top(ctx context.Context, f Finality) (Block, error) {
	got, err := poll(ctx, c, question[Block]{
		ask: func(ctx context.Context, p *provider) (Block, error) { return c.head(ctx, p, f.tag) },
		decide: func(got []reply[Block], pending int) verdict {
			heads := values(got)
			switch {
			case len(heads)+pending < c.quorum:
				return lacking
			case len(heads) < c.quorum:
				return waiting
			case c.settled(heads, f):
				return enough
			}
			return linger
		},
	})
	if err != nil {
		return Block{}, err
	}
	heads := values(got)
	if len(heads) < c.quorum {
		return Block{}, unanswered(ErrUnavailable, got)
	}
	n := c.reached(heads)
	if f.back > 0 {
		n -= min(n, f.back)
	} else if b, ok := c.elect(heads, n); ok {
		c.blameForks(got, b)
		return b, nil
	}
	return c.blockOfAll(ctx, n)
}

// blockOfAll asks every provider, not just a quorum, for block n.
func (c *Chain) blockOfAll(ctx context.Context, n uint64) (Block, error) {
	b, err := c.blocks(ctx, []uint64{n}, false)
	if err != nil {
		return Block{}, err
	}
	return b[0], nil
}

// head asks p for the block at tag. While it is not known that Multicall3 has
// code there, that is asked in the same round trip.
func (c *Chain) head(ctx context.Context, p *provider, tag string) (Block, error) {
	reqs := []*request{ask("eth_chainId"), ask("eth_getBlockByNumber", tag, false)}
	if p.code.unproven() {
		reqs = append(reqs, ask("eth_getCode", c.multicall, tag))
	}
	if err := p.send(ctx, reqs...); err != nil {
		return Block{}, err
	}
	if err := reqs[0].checkChain(c.id); err != nil {
		return Block{}, err
	}
	b, err := reqs[1].block()
	if err != nil {
		return Block{}, err
	}
	if len(reqs) > 2 {
		if code, err := reqs[2].bytes(); err == nil {
			p.code.learn(b.Number, len(code) > 0)
		}
	}
	p.health.reached(b)
	return b, nil
}

func values[T any](got []reply[T]) []T {
	var vs []T
	for _, r := range got {
		if r.err == nil {
			vs = append(vs, r.value)
		}
	}
	return vs
}

// reached is the highest number that a quorum of heads has reached.
func (c *Chain) reached(heads []Block) uint64 {
	var ns []uint64
	for _, b := range heads {
		ns = append(ns, b.Number)
	}
	slices.Sort(ns)
	return ns[len(ns)-c.quorum]
}

// settled reports whether more answers would hardly change what is pinned: the
// heads are level, they agree, and none goes back behind what was pinned.
func (c *Chain) settled(heads []Block, f Finality) bool {
	n := c.reached(heads)
	for _, b := range heads {
		if b.Number > n+1 {
			return false
		}
	}
	if f.back > 0 {
		return n-min(n, f.back) >= c.pinned.Load()
	}
	_, ok := c.elect(heads, n)
	return ok && n >= c.pinned.Load()
}

// elect finds the block n that a quorum of heads vouches for: by being it, or
// by naming its hash as their parent.
func (c *Chain) elect(heads []Block, n uint64) (Block, bool) {
	var best Block
	most := 0
	for _, b := range heads {
		if b.Number != n {
			continue
		}
		votes := 0
		for _, h := range heads {
			if h == b || h.Number == n+1 && h.Parent == b.Hash {
				votes++
			}
		}
		if votes > most {
			best, most = b, votes
		}
	}
	return best, most >= c.quorum
}

// blameForks counts against whoever has another block at the same height, or
// grows on another one.
func (c *Chain) blameForks(got []reply[Block], b Block) {
	for _, r := range got {
		if r.err != nil {
			continue
		}
		if r.value.Number == b.Number && r.value != b || r.value.Number == b.Number+1 && r.value.Parent != b.Hash {
			c.blame(r.from, fmt.Sprintf("block %s", hexutil.EncodeUint64(b.Number)))
		}
	}
}
