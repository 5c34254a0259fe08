package evm

import (
	"context"
	"slices"

	"petsupply/internal/evm/jsonrpc"
)

// A topic is what providers are to agree on.
type topic struct {
	name        string // for blame
	quorumFirst bool   // a quorum is asked first, the others only if need be
	absent      error  // what it means that no quorum has the block
}

// agree asks the chain's providers and returns the answer that a quorum of them gave.
// A provider that answered otherwise is blamed, also if its answer comes late.
func agree[T any](ctx context.Context, c *Chain, t topic,
	ask func(context.Context, *provider) (T, error), same func(a, b T) bool) (T, error) {
	var agreed *T // set, if at all, before anybody is late
	got, err := poll(ctx, c, question[T]{
		quorumFirst: t.quorumFirst,
		ask:         ask,
		decide: func(got []reply[T], pending int) verdict {
			groups := alike(got, same)
			most := 0
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
	})
	if err != nil {
		return *new(T), err
	}
	return tally(c, t, got, same)
}

// tally returns the answer of the quorum and blames the outvoted providers. If no
// answer leads, it blames all.
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
	case gone > 0 && gone+len(values(got)) >= c.cfg.Quorum:
		e.err = ErrPruned
	}
	return agreed, e
}

// alike groups the replies that are answers by what they say, the largest group
// first.
func alike[T any](got []reply[T], same func(a, b T) bool) [][]reply[T] {
	var groups [][]reply[T]
	for _, r := range got {
		if r.err != nil {
			continue
		}
		i := slices.IndexFunc(groups, func(g []reply[T]) bool { return same(g[0].value, r.value) })
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	slices.SortStableFunc(groups, func(a, b []reply[T]) int { return len(b) - len(a) })
	return groups
}
