package evm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// notAfter finds the last block before after whose time is not past limit. Many
// headers go into each round trip: a few seconds back costs one, a year two or
// three, since blocks come at a nearly even pace.
func (c *Chain) notAfter(ctx context.Context, after Block, limit time.Time) (Block, error) {
	return search(after, limit, func(numbers []uint64) ([]Block, error) { return c.blocks(ctx, numbers, true) })
}

// headers gets blocks by number, all or none.
type headers func(numbers []uint64) ([]Block, error)

func search(after Block, limit time.Time, get headers) (Block, error) {
	if after.Number == 0 {
		return Block{}, fmt.Errorf("%w: the first block is of %s", ErrAbsent, after.Time.Format(time.RFC3339))
	}
	// The first look: the last blocks one by one, and some further back. Only
	// if all are too late the far ones: a node may have dropped them.
	before, after, err := narrow(get, back(after.Number, 1, 1<<9), nil, after, limit)
	if errors.Is(err, ErrAbsent) && after.Number > 0 {
		far := append(back(after.Number, 1<<9, 1<<13), 0)
		for i := range uint64(7) {
			far = append(far, after.Number/8*(i+1))
		}
		before, after, err = narrow(get, far, nil, after, limit)
	}
	for err == nil && before.Number+1 < after.Number {
		before, after, err = narrow(get, between(*before, after, limit), before, after, limit)
	}
	if err != nil {
		return Block{}, err
	}
	return *before, nil
}

// back lists the numbers from to to before a block: one by one at first, then
// ever further apart.
func back(number, from, to uint64) (probes []uint64) {
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
func narrow(get headers, probes []uint64, before *Block, after Block, limit time.Time) (*Block, Block, error) {
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

// between picks numbers strictly between two blocks: around where limit would
// lie if blocks came evenly, and every eighth, so that it ends in any case.
func between(before, after Block, limit time.Time) []uint64 {
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
