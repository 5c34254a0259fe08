package evm

import (
	"context"
	"errors"
	"slices"
	"time"

	"petsupply/internal/evm/jsonrpc"
)

// A head is the newest block of a provider. A claim is a head that no quorum had reached when the
// provider reported it.
const (
	// claimTime is how long the other providers have to reach a claimed block.
	claimTime = 10 * time.Second
	// claimCheck is the time after a confirmed claim in which the hashes of the provider's next
	// claims are not compared, to save requests. In this time a claim is refuted only if the others
	// do not reach its block number. The first refuted claim ends this time. Heads that were
	// reported longer ago than claimCheck are not checked at all.
	claimCheck = 10 * time.Minute
	// falseClaims is how many refuted claims in a row exclude a provider.
	falseClaims = 2
)

// claims tracks the claims of one provider. health.mu guards it.
type claims struct {
	pending Block     // a claim to compare with the other providers' blocks; zero if there is none
	at      time.Time // when the provider reported the pending claim
	checked time.Time // when a claim was last confirmed
	refuted int       // number of claims in a row that nobody confirmed
}

// leftOut reports whether the provider is excluded because nobody confirms its claims.
func (h *health) leftOut() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.claims.refuted >= falseClaims
}

// reportedHead returns the number of the provider's last head, or 0 if that head was reported
// before the given time.
func (h *health) reportedHead(since time.Time) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.headAt.Before(since) {
		return 0
	}
	return h.head.Number
}

// toCheck returns a head of the provider that is now due for comparison with the others, if there
// is one. reached is the number of the highest block that a quorum has. A head counts even if the
// provider reported it too late for that quorum.
func (h *health) toCheck(reached uint64, now time.Time) (Block, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c, head := &h.claims, h.head
	if now.Sub(h.headAt) > claimCheck {
		return Block{}, false
	}
	asks := c.refuted > 0 || now.Sub(c.checked) >= claimCheck
	switch claimed := c.pending; {
	case claimed != (Block{}) && now.Sub(c.at) < claimTime:
	case claimed.Number > reached || claimed != (Block{}) && asks:
		return claimed, true
	case head.Number > reached:
		c.pending, c.at = head, h.headAt
	case c.refuted > 0: // the last claim was refuted, but the other providers may confirm this head
		return head, true
	default:
		c.pending = Block{}
	}
	return Block{}, false
}

// settle records whether the others confirmed the head that toCheck returned. It reports whether
// this excludes the provider.
func (h *health) settle(confirmed bool, now time.Time) (out bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := &h.claims
	c.pending = Block{}
	if confirmed {
		c.refuted, c.checked = 0, now
		return false
	}
	c.refuted++
	h.shown.Disagreements++
	h.shown.LastError = "reports blocks that no other provider has"
	return c.refuted == falseClaims
}

// judgeClaims compares heads that were ahead of the others with the blocks that a quorum has now.
// Two unconfirmed claims in a row exclude a provider until the others confirm one of its heads. If
// reached is 0, no quorum has a block, and judgeClaims checks only excluded providers.
func (c *Chain) judgeClaims(ctx context.Context, reached uint64) {
	quorum := reached
	for _, p := range c.providers {
		if quorum == 0 && !p.leftOut() {
			continue
		}
		now := time.Now()
		reached = max(quorum, c.othersReached(p, now))
		head, due := p.toCheck(reached, now)
		if !due {
			continue
		}
		confirmed := false
		if head.Number <= reached {
			b, err := c.block(ctx, head.Number, true)
			if err != nil && !errors.Is(err, ErrDisagree) {
				continue // check this head next time
			}
			confirmed = err == nil && b.Hash == head.Hash
		}
		if p.settle(confirmed, now) {
			c.count(p, jsonrpc.Outvoted)
			c.log.Warn("provider reports blocks that no other provider has; it is excluded until its head agrees again",
				"provider", p.name, "block", head.Number)
		}
	}
}

// othersReached returns the highest block number that at least quorum-1 other providers have
// reached, or at least one if the quorum is 1. Excluded providers do not count, nor do heads that
// were reported more than a minute ago.
func (c *Chain) othersReached(p *provider, now time.Time) uint64 {
	var heads []uint64
	for _, other := range c.providers {
		if other != p && !other.leftOut() {
			heads = append(heads, other.reportedHead(now.Add(-time.Minute)))
		}
	}
	slices.Sort(heads)
	if i := len(heads) - max(1, c.cfg.Quorum-1); i >= 0 {
		return heads[i]
	}
	return 0
}

// trusted drops the heads that excluded providers reported. It drops none if the other heads and
// the pending replies are too few for a quorum.
func (c *Chain) trusted(got []reply[Block], pending int) []reply[Block] {
	var list []reply[Block]
	heads := 0
	for _, r := range got {
		if r.err != nil || !r.from.leftOut() {
			list = append(list, r)
			heads += len(values([]reply[Block]{r}))
		}
	}
	if heads+pending < c.cfg.Quorum {
		return got
	}
	return list
}
