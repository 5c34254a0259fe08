package evm

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// Block returns the block with that number. The error is ErrAbsent if no quorum of providers has
// it.
func (c *Chain) Block(ctx context.Context, number uint64) (Block, error) {
	got, err := c.Blocks(ctx, number)
	if err != nil {
		return Block{}, err
	}
	return got[0], nil
}

// Blocks returns several blocks by number, all or none. It asks for all of them in one batch.
func (c *Chain) Blocks(ctx context.Context, numbers ...uint64) ([]Block, error) {
	return c.blocks(ctx, numbers, topic{quorumFirst: true})
}

// block works like Block, but does not wait for providers that lack the block. It asks all
// providers at once, unless quorumFirst is set.
func (c *Chain) block(ctx context.Context, number uint64, quorumFirst bool) (Block, error) {
	got, err := c.blocks(ctx, []uint64{number}, topic{quorumFirst: quorumFirst, mayNotExist: true})
	if err != nil {
		return Block{}, err
	}
	return got[0], nil
}

// blocks returns the headers that a quorum agrees on.
func (c *Chain) blocks(ctx context.Context, numbers []uint64, t topic) ([]Block, error) {
	t.name = fmt.Sprintf("block %d", numbers[0])
	t.absent = ErrAbsent
	if more := len(numbers) - 1; more > 0 {
		t.name += fmt.Sprintf(" and %d more", more)
	}
	got, err := agree(ctx, c, t, func(ctx context.Context, p *provider) ([]Block, error) {
		return c.headers(ctx, p, numbers)
	}, slices.Equal)
	if err != nil {
		return nil, fmt.Errorf("asking %s for %s: %w", c.cfg.Name, t.name, err)
	}
	return got, nil
}

// headers asks p for blocks by number and returns all or none.
func (c *Chain) headers(ctx context.Context, p *provider, numbers []uint64) ([]Block, error) {
	return askAgain(ctx, p, slices.Max(numbers), func() ([]Block, error) {
		reqs := make([]*jsonrpc.Request, len(numbers))
		for i, n := range numbers {
			reqs[i] = jsonrpc.Ask("eth_getBlockByNumber", hexutil.Uint64(n), false)
		}
		if err := c.send(ctx, p, reqs...); err != nil {
			return nil, err
		}
		return parseEach(reqs, func(i int, r *jsonrpc.Request) (Block, error) { return replyNumbered(r, numbers[i]) })
	})
}

// maxProbes is the most headers that one round trip of searchByTime asks for.
const maxProbes = 20

// searchByTime returns the last block that is no later than limit. The search goes down from the
// argument after, which is a block later than limit. The first probes are close to that block,
// because the result is usually there. Later probes are evenly spaced in the remaining range.
func searchByTime(after Block, limit time.Time, get func(numbers []uint64) ([]Block, error)) (Block, error) {
	var probes []uint64
	for _, back := range []uint64{512, 128, 32, 8, 7, 6, 5, 4, 3, 2, 1} {
		if back <= after.Number {
			probes = append(probes, after.Number-back)
		}
	}
	var before *Block
	first := uint64(0) // the blocks below it are no later than limit
	for first < after.Number {
		blocks, err := get(probes)
		if err != nil {
			return Block{}, err
		}
		for _, b := range blocks {
			if b.Time.After(limit) {
				after = b
				break
			}
			before = &b
			first = b.Number + 1
		}
		probes = nil
		for n := first; n < after.Number; n += (after.Number-first)/maxProbes + 1 {
			probes = append(probes, n)
		}
	}
	if before == nil {
		return Block{}, fmt.Errorf("%w: the first block was made later, at %s", ErrAbsent,
			after.Time.Format(time.RFC3339))
	}
	return *before, nil
}
