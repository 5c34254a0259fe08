package evm

import (
	"context"
	"fmt"
	"time"
)

// latestTimeout is the longest time that Latest takes.
const latestTimeout = 3 * time.Second

// Latest reads calls at the newest block that a quorum has, for a caller that cannot wait long.
func (c *Chain) Latest(ctx context.Context, calls []Call) (Block, [][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, min(latestTimeout, 2*c.cfg.Timeout))
	defer cancel()
	at, err := c.agreedHead(ctx, Finality{tag: "latest"})
	if err != nil {
		return Block{}, nil, fmt.Errorf("pinning %s at latest: %w", c.cfg.Name, err)
	}
	if lag := c.now().Sub(at.Time); lag > c.cfg.MaxLag && !c.cfg.OnDemand {
		return Block{}, nil, fmt.Errorf("pinning %s at latest: %w: block %d is %s old",
			c.cfg.Name, errLag, at.Number, lag.Round(time.Second))
	}
	out, err := c.Read(ctx, at, calls)
	return at, out, err
}
