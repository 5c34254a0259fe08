package evm

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// latestTimeout is the longest that a caller of Latest waits.
const latestTimeout = 3 * time.Second

// A latestRead is what one provider read at its own newest block.
type latestRead struct {
	at      Block
	results []result
}

// Latest reads calls at the newest block, for a caller that waits. Each provider reads
// at its own newest block. If a quorum reads the same, Latest returns it with the
// newest of their blocks. If they differ, as they do just after a change, they are
// asked once more at one block.
func (c *Chain) Latest(ctx context.Context, calls []Call) (Block, [][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, min(latestTimeout, 2*c.cfg.Timeout))
	defer cancel()
	doing := fmt.Sprintf("%d calls at the newest block", len(calls))
	plan := c.plan(calls)
	got, err := agree(ctx, c, topic{name: doing, mayDiffer: true}, func(ctx context.Context, p *provider) (latestRead, error) {
		at, err := c.head(ctx, p, "latest")
		if err != nil {
			return latestRead{}, err
		}
		results, err := c.readFrom(ctx, p, at, plan)
		return latestRead{at: at, results: results}, err
	}, func(a, b latestRead) bool { return sameResults(a.results, b.results) })
	switch {
	case errors.Is(err, ErrDisagree):
		return c.latestAgreed(ctx, calls)
	case err != nil:
		return Block{}, nil, fmt.Errorf("reading %s on %s: %w", doing, c.cfg.Name, err)
	}
	newest := got[0]
	for _, g := range got {
		if g.at.Number > newest.at.Number {
			newest = g
		}
	}
	if lag := c.now().Sub(newest.at.Time); lag > c.cfg.MaxLag && !c.cfg.OnDemand {
		return Block{}, nil, fmt.Errorf("reading %s on %s: %w: block %d is %s old", doing, c.cfg.Name, errLag, newest.at.Number, lag.Round(time.Second))
	}
	out, err := c.outputs(newest.at, calls, newest.results)
	return newest.at, out, err
}

// latestAgreed reads at the newest block that a quorum has.
func (c *Chain) latestAgreed(ctx context.Context, calls []Call) (Block, [][]byte, error) {
	at, err := c.agreedHead(ctx, Finality{tag: "latest"})
	if err != nil {
		return Block{}, nil, fmt.Errorf("pinning %s at latest: %w", c.cfg.Name, err)
	}
	out, err := c.Read(ctx, at, calls)
	return at, out, err
}
