package evm

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// clockSkew is how far the clocks of block producers may run ahead of ours.
const clockSkew = time.Minute

// headMemory is how long an agreed head is known to have been there, although the
// next answers may be behind it.
const headMemory = 30 * time.Second

// An agreedBlock is a head that a quorum agreed on at a time.
type agreedBlock struct {
	Block
	at time.Time
}

// Pin returns the highest block, at the chain's finality, that a quorum of
// providers has reached, and no later than limit (zero: now): with a limit in the
// past, the last block of that time. It ends as soon as a quorum has answered, so
// a provider that hangs costs nothing; one that lags is given a moment to be
// outvoted by the others. Height in Health is the newest block that a provider
// reported here.
func (c *Chain) Pin(ctx context.Context, limit time.Time) (Block, error) {
	b, err := c.agreedHead(ctx, c.finality)
	if err != nil {
		return Block{}, fmt.Errorf("pinning %s at %s: %w", c.cfg.Name, c.finality, err)
	}
	now := c.now()
	if limit.IsZero() || limit.After(now) {
		if limit = now; b.Time.Before(now.Add(clockSkew)) {
			limit = now.Add(clockSkew)
		}
	}
	if last := c.agreed.Load(); last != nil && last.Time.After(limit) && now.Sub(last.at).Abs() < headMemory && last.Number > b.Number {
		b = last.Block // the blocks between them may be of before limit
	} else {
		c.agreed.Store(&agreedBlock{Block: b, at: now})
	}
	if b.Time.After(limit) {
		// A block that another one follows is not behind, however long before
		// limit it was made: the chain was quiet.
		b, err = searchByTime(b, limit, func(numbers []uint64) ([]Block, error) { return c.blocks(ctx, numbers, true) })
		if err != nil {
			return Block{}, fmt.Errorf("pinning %s no later than %s: %w", c.cfg.Name, limit.UTC().Format(time.RFC3339), err)
		}
	} else if lag := min(now.Sub(b.Time), limit.Sub(b.Time)); lag > c.cfg.MaxLag && !c.cfg.OnDemand {
		return Block{}, fmt.Errorf("pinning %s: %w: block %d is %s old", c.cfg.Name, errLag, b.Number, lag.Round(time.Second))
	}
	c.pinned.Store(max(c.pinned.Load(), b.Number))
	return b, nil
}

// agreedHead is the highest block at f that a quorum has reached and agrees on.
func (c *Chain) agreedHead(ctx context.Context, f Finality) (Block, error) {
	got, err := poll(ctx, c, question[Block]{
		heads: true,
		ask:   func(ctx context.Context, p *provider) (Block, error) { return c.head(ctx, p, f.tag) },
		decide: func(got []reply[Block], pending int) verdict {
			heads := values(c.trusted(got, pending))
			switch {
			case len(heads)+pending < c.cfg.Quorum:
				return lacking
			case len(heads) < c.cfg.Quorum:
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
	got = c.trusted(got, 0)
	heads := values(got)
	if len(heads) < c.cfg.Quorum {
		return Block{}, newPollError(ErrUnavailable, got)
	}
	b, err := c.elect(ctx, got, f)
	if err == nil {
		c.judgeClaims(ctx, b.Number+f.back)
	}
	return b, err
}

// elect returns the highest block at f that a quorum of the providers that reported
// these heads has.
func (c *Chain) elect(ctx context.Context, got []reply[Block], f Finality) (b Block, err error) {
	if c.cfg.OnDemand {
		return c.sharedHead(ctx, got)
	}
	heads := values(got)
	n := c.quorumHeight(heads)
	if f.back > 0 {
		n -= min(n, f.back)
	} else if b, ok := c.sameHead(got, n); ok {
		c.blameForks(got, b)
		return b, nil
	}
	for tries := 0; ; tries++ {
		if b, err = c.block(ctx, n, false); err == nil || tries == len(heads) {
			return b, err
		}
		// Somebody claimed a block that a quorum does not have.
		lower, ok := lowerHead(heads, n+f.back)
		if !ok {
			return b, err
		}
		n = lower - min(lower, f.back)
	}
}

// headWait is how long a provider may take to receive the newest block of a chain
// that makes blocks on demand.
const headWait = 4 * time.Second

// sharedHead is the newest block of a chain that makes blocks on demand. If a quorum
// lacks it, some may be about to receive it, so they are asked again for a while.
func (c *Chain) sharedHead(ctx context.Context, got []reply[Block]) (Block, error) {
	for wait, waited := lingerTime, time.Duration(0); ; wait *= 2 {
		b, err := c.tryHeads(ctx, got)
		if err == nil || waited >= headWait || !jsonrpc.Sleep(ctx, wait) {
			return b, err
		}
		waited += wait
	}
}

// tryHeads tries the heights that providers reported, the highest first, until a
// quorum has that block and a quorum reported no later one. Otherwise it would not be
// the state of now.
func (c *Chain) tryHeads(ctx context.Context, got []reply[Block]) (Block, error) {
	heads := values(got)
	n := slices.MaxFunc(heads, func(a, b Block) int { return cmp.Compare(a.Number, b.Number) }).Number
	for {
		if b, ok := c.sameHead(got, n); ok {
			c.blameForks(got, b)
			return b, nil
		}
		if c.newest(heads, n) {
			if b, err := c.block(ctx, n, false); err == nil {
				return b, nil
			}
		}
		lower, ok := lowerHead(heads, n)
		if !ok {
			return Block{}, newPollError(ErrDisagree, got)
		}
		n = lower
	}
}

// newest reports whether a quorum reported no later head than n.
func (c *Chain) newest(heads []Block, n uint64) bool {
	count := 0
	for _, b := range heads {
		if b.Number <= n {
			count++
		}
	}
	return count >= c.cfg.Quorum
}

// lowerHead returns the highest number of a head below n.
func lowerHead(heads []Block, n uint64) (lower uint64, ok bool) {
	for _, b := range heads {
		if b.Number < n && (!ok || b.Number > lower) {
			lower, ok = b.Number, true
		}
	}
	return lower, ok
}

// head asks p for the block at tag.
func (c *Chain) head(ctx context.Context, p *provider, tag string) (Block, error) {
	header := jsonrpc.Ask("eth_getBlockByNumber", tag, false)
	if err := c.send(ctx, p, header); err != nil {
		return Block{}, err
	}
	if f := header.Fault; f != nil && f.RefusesBlockHash() && tag != "latest" {
		return Block{}, jsonrpc.Faultf(jsonrpc.Refused,
			"does not know the block tag %s; set the chain's finality to latest, or to latest-N (%s)", tag, f.Text)
	}
	b, err := replyBlock(header)
	if err != nil {
		return Block{}, err
	}
	p.observeHead(b)
	return b, c.checkSynced(ctx, p, b)
}

// checkSynced asks a node whose newest block is older than it should be whether it
// is still catching up, and if so says so.
func (c *Chain) checkSynced(ctx context.Context, p *provider, newest Block) error {
	late := !c.cfg.OnDemand && c.now().Sub(newest.Time) > c.cfg.MaxLag
	if !late && newest.Number >= c.pinned.Load() {
		return nil
	}
	syncing := jsonrpc.Ask("eth_syncing")
	if err := c.send(ctx, p, syncing); err != nil {
		return err
	}
	var progress struct{ CurrentBlock, HighestBlock hexutil.Uint64 } // false where it is not
	if syncing.Fault != nil || json.Unmarshal(syncing.Result, &progress) != nil {
		return nil
	}
	return jsonrpc.Faultf(jsonrpc.Refused, "is still syncing: at block %d of %d", uint64(progress.CurrentBlock), uint64(progress.HighestBlock))
}

// quorumHeight is the highest number that a quorum of heads has reached.
func (c *Chain) quorumHeight(heads []Block) uint64 {
	ns := make([]uint64, len(heads))
	for i, b := range heads {
		ns[i] = b.Number
	}
	slices.Sort(ns)
	return ns[len(ns)-c.cfg.Quorum]
}

// settled reports whether more answers would hardly change what is pinned: the
// heads are level, they agree, and none goes back behind what was pinned.
func (c *Chain) settled(heads []Block, f Finality) bool {
	n := c.quorumHeight(heads)
	if slices.ContainsFunc(heads, func(b Block) bool { return b.Number > n+1 }) {
		return false
	}
	if f.back > 0 {
		return n-min(n, f.back) >= c.pinned.Load()
	}
	return c.vouchedFor(heads, n) && n >= c.pinned.Load()
}

// vouchedFor says whether a quorum of heads knows one block n: by being it, or by
// naming its hash as their parent. Those know nothing of its time.
func (c *Chain) vouchedFor(heads []Block, n uint64) bool {
	return slices.ContainsFunc(heads, func(b Block) bool {
		votes := 0
		for _, h := range heads {
			if h == b || h.Number == n+1 && h.Parent == b.Hash {
				votes++
			}
		}
		return b.Number == n && votes >= c.cfg.Quorum
	})
}

// sameHead is the block n that a quorum gave alike, with all that it says.
func (c *Chain) sameHead(got []reply[Block], n uint64) (Block, bool) {
	for _, group := range alike(got, func(a, b Block) bool { return a == b }) {
		if b := group[0].value; b.Number == n && len(group) >= c.cfg.Quorum {
			return b, true
		}
	}
	return Block{}, false
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
