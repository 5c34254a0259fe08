package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A life is the run of one service on several clients at once.
type life struct {
	*settings
	v       *service
	end     time.Time
	round   int
	counts  map[string]int
	order   []string // the keys of counts, in the order in which they were added
	slowest time.Duration
	faults  []string
}

// together starts one client of each kind and runs one service on all of them until the time is
// over. There are changes everywhere, the service pauses, and nodes are restarted in turn. Chains
// that make blocks on demand have quiet times, while a token that is bridged to a busy chain
// changes there.
func (s *settings) together(ctx context.Context) (*life, error) {
	var towns []*town
	byName := map[string]*town{}
	for i, c := range clients {
		if c.name == "geth-hash" {
			continue // one geth is enough
		}
		t, err := s.settle(ctx, c, "-together", uint64(i)*1e12)
		if err != nil {
			return nil, err
		}
		defer t.stop()
		towns = append(towns, t)
		byName[c.name] = t
	}
	b, err := buildBridge(ctx, byName["subnet-evm"], byName["kaia"])
	if err != nil {
		return nil, err
	}
	v, err := s.newService((*town).usual, b, towns...)
	if err != nil {
		return nil, err
	}
	if err := v.run(ctx); err != nil {
		return nil, err
	}
	defer v.stop()
	l := &life{settings: s, v: v, end: time.Now().Add(s.allAtOnce), counts: map[string]int{}}
	l.tried(ctx, "first start", func() error { return nil })
	for time.Now().Before(l.end) && ctx.Err() == nil {
		l.live(ctx)
	}
	return l, ctx.Err()
}

// live runs one round.
func (l *life) live(ctx context.Context) {
	l.round++
	for range 3 {
		l.tried(ctx, "change on all chains", func() error { return l.happenAll(ctx) })
	}
	t := l.v.towns[l.round%len(l.v.towns)]
	l.tried(ctx, "restart of "+t.name, func() error {
		t.node.stop()
		return t.open(ctx)
	})
	l.tried(ctx, "change on all chains", func() error { return l.happenAll(ctx) })
	blocks := l.pauses[(l.round-1)%len(l.pauses)]
	l.tried(ctx, fmt.Sprintf("stop of the service for %d blocks", blocks), func() error { return l.pause(ctx, blocks) })
	l.tried(ctx, "change on all chains", func() error { return l.happenAll(ctx) })
	if l.round%2 == 1 {
		l.rest(ctx)
	}
}

// tried calls do, waits until the service agrees with the chains, and reports how long that took.
func (l *life) tried(ctx context.Context, what string, do func() error) {
	if ctx.Err() != nil || (time.Now().After(l.end) && l.round > 0) {
		return
	}
	if l.counts[what] == 0 {
		l.order = append(l.order, what)
	}
	l.counts[what]++
	err := do()
	began := time.Now()
	if err == nil {
		err = l.v.explain(l.v.tellsTruth(ctx, patience))
	}
	took := time.Since(began).Round(100 * time.Millisecond)
	if err != nil && ctx.Err() == nil {
		l.faults = append(l.faults, what+": "+err.Error())
		l.say("%s: **no**: %v", what, err)
		return
	}
	l.slowest = max(l.slowest, took)
	l.say("%s: true after %s", what, took)
}

func (l *life) happenAll(ctx context.Context) error {
	var errs []error
	for _, t := range l.v.towns {
		errs = append(errs, t.happen(ctx))
	}
	return errors.Join(append(errs, l.v.bridge.cross(ctx))...)
}

// pause stops the service while every chain makes this many blocks, some of them with changes.
func (l *life) pause(ctx context.Context, blocks int) error {
	l.v.stop()
	if err := l.happenAll(ctx); err != nil {
		return err
	}
	errs := make(chan error)
	for _, t := range l.v.towns {
		go func() { errs <- t.pass(ctx, blocks) }()
	}
	var all []error
	for range l.v.towns {
		all = append(all, <-errs)
	}
	return errors.Join(append(all, l.v.run(ctx))...)
}

// rest leaves on-demand chains without changes, while the others go on.
func (l *life) rest(ctx context.Context) {
	before, err := l.v.bridge.quiet.height(ctx)
	for end := time.Now().Add(l.quiet); time.Now().Before(end) && time.Now().Before(l.end) && ctx.Err() == nil; {
		l.tried(ctx, "change on the other chains while the Avalanche chains make no block", func() error {
			for _, t := range l.v.towns {
				if !t.onDemand {
					if err := t.happen(ctx); err != nil {
						return err
					}
				}
			}
			return l.v.bridge.trade(ctx)
		})
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
		}
	}
	after, err2 := l.v.bridge.quiet.height(ctx)
	if err != nil || err2 != nil || before != after {
		l.faults = append(l.faults, fmt.Sprintf("the quiet chain went from block %d to %d (%v, %v)", before, after, err,
			err2))
	}
}

// text returns the results as text.
func (l *life) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "One service ran on all clients for %.0f minutes, in %d rounds. After each event, every figure and\n"+
		"every pet had to become correct again. The events, and how often each occurred:\n\n", l.allAtOnce.Minutes(), l.round)
	for _, what := range l.order {
		fmt.Fprintf(&b, "- %s: %d\n", what, l.counts[what])
	}
	fmt.Fprintf(&b, "\nIt took at most %.1f s until everything was correct again. Failures: %d.\n", l.slowest.Seconds(),
		len(l.faults))
	for _, f := range l.faults {
		fmt.Fprintf(&b, "\n- %s\n", strings.Join(strings.Fields(f), " "))
	}
	return b.String()
}
