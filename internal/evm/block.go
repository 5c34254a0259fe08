package evm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// Block is the block with that number, as a quorum of providers knows it. If a
// quorum does not, the error is ErrAbsent.
func (c *Chain) Block(ctx context.Context, number uint64) (Block, error) {
	return c.block(ctx, number, true)
}

// block asks all providers, unless quorumFirst is set.
func (c *Chain) block(ctx context.Context, number uint64, quorumFirst bool) (Block, error) {
	got, err := c.blocks(ctx, []uint64{number}, quorumFirst)
	if err != nil {
		return Block{}, err
	}
	return got[0], nil
}

// blocks are the headers that a quorum agrees on.
func (c *Chain) blocks(ctx context.Context, numbers []uint64, quorumFirst bool) ([]Block, error) {
	t := topic{name: fmt.Sprintf("block %d", numbers[0]), quorumFirst: quorumFirst, absent: ErrAbsent}
	got, err := agree(ctx, c, t, func(ctx context.Context, p *provider) ([]Block, error) {
		return c.headers(ctx, p, numbers)
	}, slices.Equal)
	if err != nil {
		return nil, fmt.Errorf("asking %s for block %d: %w", c.cfg.Name, numbers[0], err)
	}
	return got[0], nil
}

// headers asks p for blocks by number, all or nothing.
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

// headersFunc gets blocks by number, all or none.
type headersFunc func(numbers []uint64) ([]Block, error)

// searchByTime finds the last block before after whose time is not past limit.
// Many headers go into each round trip: a few seconds back costs one, a year two
// or three, since blocks come at a nearly even pace.
func searchByTime(after Block, limit time.Time, get headersFunc) (Block, error) {
	if after.Number == 0 {
		return Block{}, fmt.Errorf("%w: the first block is of %s", ErrAbsent, after.Time.Format(time.RFC3339))
	}
	// The first look: the last blocks one by one, and some further back. Only
	// if all are too late the far ones: a node may have dropped them.
	before, after, err := narrow(get, probesBack(after.Number, 1, 1<<9), nil, after, limit)
	if errors.Is(err, ErrAbsent) && after.Number > 0 {
		far := append(probesBack(after.Number, 1<<9, 1<<13), 0)
		for i := range uint64(7) {
			far = append(far, after.Number/8*(i+1))
		}
		before, after, err = narrow(get, far, nil, after, limit)
	}
	for err == nil && before.Number+1 < after.Number {
		before, after, err = narrow(get, probesBetween(*before, after, limit), before, after, limit)
	}
	if err != nil {
		return Block{}, err
	}
	return *before, nil
}

// probesBack lists the numbers from to to before a block: one by one at first, then
// ever further apart.
func probesBack(number, from, to uint64) (probes []uint64) {
	for d := from; d <= min(number, to); {
		probes = append(probes, number-d)
		if d < 8 {
			d++
		} else {
			d *= 4
		}
	}
	return probes
}

// narrow asks for the probes and returns the nearest blocks on both sides of
// limit.
func narrow(get headersFunc, probes []uint64, before *Block, after Block, limit time.Time) (*Block, Block, error) {
	slices.Sort(probes)
	blocks, err := get(slices.Compact(probes))
	if err != nil {
		return nil, after, err
	}
	for _, b := range blocks {
		if b.Time.After(limit) {
			after = b
			break
		}
		before = &b
	}
	if before == nil {
		return nil, after, fmt.Errorf("%w: the first block is of %s", ErrAbsent, after.Time.Format(time.RFC3339))
	}
	return before, after, nil
}

// probesBetween picks numbers strictly between two blocks: around where limit would
// lie if blocks came evenly, and every eighth, so that it ends in any case.
func probesBetween(before, after Block, limit time.Time) []uint64 {
	lo, hi := before.Number, after.Number
	if hi-lo <= 48 {
		var all []uint64
		for n := lo + 1; n < hi; n++ {
			all = append(all, n)
		}
		return all
	}
	part := float64(limit.Sub(before.Time)) / float64(after.Time.Sub(before.Time))
	guess := lo + uint64(part*float64(hi-lo))
	var probes []uint64
	for i := uint64(1); i < 8; i++ {
		probes = append(probes, lo+(hi-lo)/8*i)
	}
	for d := uint64(1); d < hi-lo; d *= 4 {
		if guess >= lo+1+d {
			probes = append(probes, guess-d)
		}
		if guess+d < hi {
			probes = append(probes, guess+d)
		}
	}
	if guess > lo && guess < hi {
		probes = append(probes, guess)
	}
	return probes
}
