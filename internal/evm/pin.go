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

// clockSkew is how far the clocks of block producers may be ahead of this process's clock.
const clockSkew = time.Minute

// headMemory is how long an agreed head stays valid when later answers report a lower one.
const headMemory = 30 * time.Second

// An agreedBlock is a head that a quorum agreed on, with the time of the agreement.
type agreedBlock struct {
	Block
	at time.Time
}

// Pin returns the highest block, at the chain's finality, that a quorum of providers has reached
// and that is no later than limit. A zero limit means now. Pin returns as soon as a quorum has
// answered, so a provider that hangs does not delay it. If a provider lags, Pin waits a moment for
// others to outvote it. Pin also updates Height in Health.
func (c *Chain) Pin(ctx context.Context, limit time.Time) (Block, error) {
	b, err := c.agreedHead(ctx, c.finality)
	if err != nil {
		return Block{}, fmt.Errorf("pinning %s at %s: %w", c.cfg.Name, c.finality, err)
	}
	now := c.now()
	if limit.IsZero() || limit.After(now) {
		limit = now
		if b.Time.Before(now.Add(clockSkew)) {
			limit = now.Add(clockSkew)
		}
	}
	if last := c.agreed.Load(); last != nil && last.Time.After(limit) && now.Sub(last.at).Abs() < headMemory &&
		last.Number > b.Number {
		// The block to find may be above b. So search down from the last agreed head, which is
		// higher.
		b = last.Block
	} else {
		c.agreed.Store(&agreedBlock{Block: b, at: now})
	}
	if b.Time.After(limit) {
		// The block that the search finds has a successor that is later than limit. So the chain is
		// not behind, even if the found block is much older than limit.
		b, err = searchByTime(b, limit, func(numbers []uint64) ([]Block, error) { return c.Blocks(ctx, numbers...) })
		if err != nil {
			return Block{}, fmt.Errorf("pinning %s no later than %s: %w", c.cfg.Name,
				limit.UTC().Format(time.RFC3339), err)
		}
	} else if lag := min(now.Sub(b.Time), limit.Sub(b.Time)); lag > c.cfg.MaxLag && !c.cfg.OnDemand {
		return Block{}, fmt.Errorf("pinning %s: %w: block %d is %s old", c.cfg.Name, errLag, b.Number,
			lag.Round(time.Second))
	}
	c.pinned.Store(max(c.pinned.Load(), b.Number))
	return b, nil
}

// agreedHead returns the highest block at finality f that a quorum has reached and agrees on.
func (c *Chain) agreedHead(ctx context.Context, f Finality) (Block, error) {
	got, err := poll(ctx, c, question[Block]{
		ask: func(ctx context.Context, p *provider) (Block, error) { return c.head(ctx, p, f.tag) },
		decide: func(got []reply[Block], pending int) verdict {
			heads := values(got)
			switch {
			case len(heads)+pending < c.cfg.Quorum:
				return lacking
			case len(heads) < c.cfg.Quorum:
				return waiting
			case c.isBehind(c.quorumHead(heads)) && pending > 0:
				return waiting // an old block is no result, so wait for slow providers too
			case c.isBehind(c.quorumHead(heads)):
				return lacking // so ask those in back-off
			case c.settled(got, f):
				return enough
			}
			return linger
		},
	})
	if err != nil {
		return Block{}, err
	}
	if len(values(got)) < c.cfg.Quorum {
		return Block{}, newPollError(ErrUnavailable, got)
	}
	return c.elect(ctx, got, f)
}

// elect returns the highest block at finality f that a quorum of the replying providers has. A chain
// that makes blocks on demand has no depth: there elect tries again for a while, because the
// providers that lack the newest block may be about to receive it.
func (c *Chain) elect(ctx context.Context, got []reply[Block], f Finality) (b Block, err error) {
	if !c.cfg.OnDemand {
		return c.tryHeads(ctx, got, f.back)
	}
	retry(ctx, func() bool {
		b, err = c.tryHeads(ctx, got, 0)
		return err == nil
	})
	return b, err
}

// headWait is about how long a provider may take to receive the newest block.
const headWait = 4 * time.Second

// retry calls try until it returns true, with growing pauses, for headWait.
func retry(ctx context.Context, try func() bool) {
	for wait := lingerTime; !try() && wait < headWait && jsonrpc.Sleep(ctx, wait); wait *= 2 {
	}
}

// tryHeads tries the reported heights, the highest first, until a quorum has the block that is back
// blocks below.
func (c *Chain) tryHeads(ctx context.Context, got []reply[Block], back uint64) (b Block, err error) {
	err = newPollError(ErrDisagree, got)
	heads := values(got)
	for _, n := range heights(heads) {
		if back == 0 {
			if b, ok := c.sameHead(got, n); ok {
				c.blameForks(got, b)
				return b, nil
			}
		}
		if !c.mayElect(heads, n) {
			continue
		}
		b, err = c.block(ctx, n-min(n, back), false)
		if err == nil {
			break
		}
		// A provider reported a block that a quorum does not have.
	}
	return b, err
}

// mayElect reports whether a quorum of heads has reached height n. On a chain that makes blocks on
// demand, a quorum must be at or below n, because otherwise the chain may have a newer state.
func (c *Chain) mayElect(heads []Block, n uint64) bool {
	count := 0
	for _, b := range heads {
		if c.cfg.OnDemand && b.Number <= n || !c.cfg.OnDemand && b.Number >= n {
			count++
		}
	}
	return count >= c.cfg.Quorum
}

// heights returns the numbers of heads, each once, the highest first.
func heights(heads []Block) []uint64 {
	var list []uint64
	for _, b := range heads {
		list = append(list, b.Number)
	}
	slices.SortFunc(list, func(a, b uint64) int { return cmp.Compare(b, a) })
	return slices.Compact(list)
}

// head asks p for the block that tag names.
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

// checkSynced returns an error if the node is still syncing. It asks only if the newest block is
// too old or below an earlier pin.
func (c *Chain) checkSynced(ctx context.Context, p *provider, newest Block) error {
	if !c.isBehind(newest) && newest.Number >= c.pinned.Load() {
		return nil
	}
	syncing := jsonrpc.Ask("eth_syncing")
	if err := c.send(ctx, p, syncing); err != nil {
		return err
	}
	// A node that is not syncing replies false, which Unmarshal rejects.
	var progress struct{ CurrentBlock, HighestBlock hexutil.Uint64 }
	if syncing.Fault != nil || json.Unmarshal(syncing.Result, &progress) != nil {
		return nil
	}
	return jsonrpc.Faultf(jsonrpc.Refused, "is still syncing: at block %d of %d", uint64(progress.CurrentBlock),
		uint64(progress.HighestBlock))
}

// isBehind reports whether a chain is behind if b is its newest block.
func (c *Chain) isBehind(b Block) bool { return !c.cfg.OnDemand && c.now().Sub(b.Time) > c.cfg.MaxLag }

// quorumHead returns a head with the highest number that a quorum of heads has reached.
func (c *Chain) quorumHead(heads []Block) Block {
	heads = slices.SortedFunc(slices.Values(heads), func(a, b Block) int { return cmp.Compare(a.Number, b.Number) })
	return heads[len(heads)-c.cfg.Quorum]
}

// settled reports whether more answers would hardly change the pinned block. No head may be more
// than one block above the highest that a quorum has reached, and the result must not be below an
// earlier pin. Unless the finality is latest-N, a quorum must also have reported the block.
func (c *Chain) settled(got []reply[Block], f Finality) bool {
	heads := values(got)
	n := c.quorumHead(heads).Number
	if slices.ContainsFunc(heads, func(b Block) bool { return b.Number > n+1 }) {
		return false
	}
	if f.back == 0 {
		if _, ok := c.sameHead(got, n); !ok {
			return false
		}
	}
	return n-min(n, f.back) >= c.pinned.Load()
}

// sameHead returns block n if a quorum reported it with the same hash, parent and time.
func (c *Chain) sameHead(got []reply[Block], n uint64) (Block, bool) {
	for _, group := range alike(got, func(a, b Block) bool { return a == b }) {
		if b := group[0].value; b.Number == n && len(group) >= c.cfg.Quorum {
			return b, true
		}
	}
	return Block{}, false
}

// blameForks blames providers with another block at the height of b, or with a child of another
// block.
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
