package evm

import (
	"context"
	"fmt"
	"time"
)

// A LatestChain is a Chain whose Pin ignores the chain's finality. It is for callers that undo what
// they read in blocks that a reorg removed.
type LatestChain struct{ *Chain }

// AtLatest returns the chain for reads at its newest block.
func (c *Chain) AtLatest() LatestChain { return LatestChain{c} }

// Pin returns the newest block that a quorum of providers has. It ignores the limit.
func (c LatestChain) Pin(ctx context.Context, _ time.Time) (Block, error) {
	at, err := c.agreedHead(ctx, Finality{tag: "latest"})
	if err != nil {
		return Block{}, fmt.Errorf("pinning %s at latest: %w", c.cfg.Name, err)
	}
	if lag := c.now().Sub(at.Time); lag > c.cfg.MaxLag && !c.cfg.OnDemand {
		return Block{}, fmt.Errorf("pinning %s at latest: %w: block %d is %s old",
			c.cfg.Name, errLag, at.Number, lag.Round(time.Second))
	}
	return at, nil
}
