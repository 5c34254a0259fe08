package evm

import (
	"context"
	"slices"

	"petsupply/internal/evm/jsonrpc"
)

// A topic is a question on which providers must agree.
type topic struct {
	name        string // names the question in the log when a provider is blamed
	quorumFirst bool   // ask a quorum first, the others only if needed
	absent      error  // the error if no quorum has the block
	mayNotExist bool   // the block may not exist, so do not wait for providers that lack it
}

// agree asks the chain's providers and returns the answer of a quorum. If providers that lack the
// block could complete a quorum, agree asks again for a while, because they may be about to receive
// the block. It blames a provider that gave a different answer, even a late one.
func agree[T any](ctx context.Context, c *Chain, t topic,
	ask func(context.Context, *provider) (T, error), same func(a, b T) bool) (T, error) {
	var agreed *T // the answer of the quorum, or nil; set before the first late reply
	most := 0
	q := question[T]{
		quorumFirst: t.quorumFirst,
		ask:         ask,
		decide: func(got []reply[T], pending int) verdict {
			groups := alike(got, same)
			most = 0
			if len(groups) > 0 {
				most = len(groups[0])
			}
			switch {
			case most >= c.cfg.Quorum:
				agreed = &groups[0][0].value
				return enough
			case most+pending < c.cfg.Quorum:
				return lacking
			}
			return waiting
		},
		late: func(r reply[T]) {
			if agreed != nil && r.err == nil && !same(r.value, *agreed) {
				c.blame(r.from, t.name)
			}
		},
	}
	var got []reply[T]
	var err error
	retry(ctx, func() bool {
		got, err = poll(ctx, c, q)
		absent := newPollError(nil, got).count(jsonrpc.Absent)
		undecided := most > 0 && most < c.cfg.Quorum && most+absent >= c.cfg.Quorum
		return err != nil || !undecided || t.mayNotExist
	})
	if err != nil {
		return *new(T), err
	}
	return tally(c, t, got, same)
}

// tally returns the answer of the quorum and blames the outvoted providers. If two answers share
// the most votes, it blames every provider that answered.
func tally[T any](c *Chain, t topic, got []reply[T], same func(a, b T) bool) (agreed T, err error) {
	groups := alike(got, same)
	if len(groups) > 1 {
		wrong := groups[1:]
		if len(groups[0]) == len(groups[1]) {
			wrong = groups
		}
		for _, r := range slices.Concat(wrong...) {
			c.blame(r.from, t.name)
		}
	}
	switch {
	case len(groups) > 0 && len(groups[0]) >= c.cfg.Quorum:
		return groups[0][0].value, nil
	case len(groups) > 1:
		return agreed, newPollError(ErrDisagree, got)
	}
	e := newPollError(ErrUnavailable, got)
	gone := e.count(jsonrpc.Pruned)
	switch {
	case t.absent != nil && e.count(jsonrpc.Absent)+e.count(jsonrpc.Moved) > len(c.providers)-c.cfg.Quorum:
		e.err = t.absent
		if e.err == ErrAbsent && len(groups) > 0 {
			e.err = ErrLagging
		}
	case gone > 0 && gone+len(values(got)) >= c.cfg.Quorum:
		e.err = errPruned
	}
	return agreed, e
}

// alike groups equal answers, the largest group first.
func alike[T any](got []reply[T], same func(a, b T) bool) [][]reply[T] {
	var groups [][]reply[T]
	for _, r := range got {
		if r.err != nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g []reply[T]) bool { return same(g[0].value, r.value) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	slices.SortStableFunc(groups, func(a, b []reply[T]) int { return len(b) - len(a) })
	return groups
}
