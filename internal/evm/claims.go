package evm

import (
	"context"
	"errors"
	"time"

	"petsupply/internal/evm/jsonrpc"
)

const (
	// claimTime is how long after a provider claimed a block the others must have it.
	claimTime = 10 * time.Second
	// claimCheck is how often the blocks that a provider claimed are asked for while its
	// claims are true. One that nobody has reached by then is false without asking.
	claimCheck = 10 * time.Minute
	// falseClaims is how many claims in a row that nobody confirms leave a provider out.
	falseClaims = 2
)

// claims is what is known of the heads of one provider that were ahead of the others.
// health guards it.
type claims struct {
	pending Block     // a head that no quorum had reached; the zero Block: none
	at      time.Time // when it was claimed
	checked time.Time // when one was last confirmed
	refuted int       // claims in a row that nobody confirmed
}

// leftOut reports whether the provider is left out because nobody confirms its claims.
func (h *health) leftOut() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.claims.refuted >= falseClaims
}

// reportedHead returns the number of the provider's last head, 0 if that is older.
func (h *health) reportedHead(since time.Time) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.headAt.Before(since) {
		return 0
	}
	return h.head.Number
}

// toCheck returns the head of the provider that is to be compared with the others'
// now, given the highest number that a quorum has reached. It looks at the last head
// that the provider reported, which may have come after the others were enough.
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
	case c.refuted > 0: // it may agree again
		return head, true
	default:
		c.pending = Block{}
	}
	return Block{}, false
}

// settle remembers whether the others confirmed the head that toCheck returned, and
// reports whether the provider is left out from now on.
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

// judgeClaims compares heads that were ahead of the others with what a quorum has by
// now. A provider whose claims nobody confirms twice in a row is left out, whatever
// their height, until its head agrees again.
func (c *Chain) judgeClaims(ctx context.Context, reached uint64) {
	quorum := reached
	for _, p := range c.providers {
		now := time.Now()
		if reached = quorum; c.cfg.Quorum == 1 { // the word of one provider, which may be behind
			reached = max(reached, c.othersReached(p, now))
		}
		head, due := p.toCheck(reached, now)
		if !due {
			continue
		}
		confirmed := false
		if head.Number <= reached {
			b, err := c.block(ctx, head.Number, true)
			if err != nil && !errors.Is(err, ErrDisagree) {
				continue // it is checked next time
			}
			confirmed = err == nil && b.Hash == head.Hash
		}
		if p.settle(confirmed, now) {
			c.count(p, jsonrpc.Outvoted)
			c.log.Warn("provider reports blocks that no other one has, and is left out until its head agrees again",
				"provider", p.name, "block", head.Number)
		}
	}
}

// othersReached returns the highest head that another provider than p reported lately.
func (c *Chain) othersReached(p *provider, now time.Time) (n uint64) {
	for _, other := range c.providers {
		if other != p && !other.leftOut() {
			n = max(n, other.reportedHead(now.Add(-time.Minute)))
		}
	}
	return n
}

// trusted returns the replies without those of providers that are left out, unless a
// quorum needs them.
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
