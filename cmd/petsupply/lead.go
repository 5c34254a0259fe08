package main

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// lease is what a term of leading stands on. *store.Store is one.
type lease interface {
	// Campaign takes the lease if it is free or renews it if it is ours.
	Campaign(ctx context.Context, holder string, ttl time.Duration) (bool, error)
	// Resign gives it back at once.
	Resign(ctx context.Context) error
	// Leader names the holder, "" for none.
	Leader(ctx context.Context) (string, error)
}

// A campaign keeps one of all instances at work: it runs work while this one
// leads and ends it when the lease is lost, or can no longer be known to be
// ours.
type campaign struct {
	lease  lease
	name   string // of this instance
	ttl    time.Duration
	work   func(context.Context) // returns when its context ends
	log    *slog.Logger
	leads  atomic.Bool
	away   atomic.Bool            // the store did not answer last time
	leader atomic.Pointer[string] // who leads, as far as is known
}

// run campaigns until ctx ends, and then gives the lease back.
func (c *campaign) run(ctx context.Context) error {
	tick := time.NewTicker(c.ttl / 4)
	defer tick.Stop()
	var end func()      // ends the work of this term and waits for it
	var until time.Time // the lease is surely ours up to here, by our own clock
	for {
		asked := time.Now()
		won, err := c.ask(ctx)
		switch {
		case won:
			until = asked.Add(c.ttl)
			if end == nil {
				c.log.Info("leading", "instance", c.name)
				end = c.begin(ctx)
			}
		case err != nil && time.Now().Before(until):
			c.log.Warn("the lease could not be renewed yet", "error", err)
		case end != nil:
			c.log.Warn("no longer leading", "instance", c.name, "error", err)
			end()
			end = nil
		}
		select {
		case <-ctx.Done():
			if end != nil {
				end()
			}
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			if err := c.lease.Resign(ctx); err != nil {
				c.log.Warn("the lease could not be given back; it runs out by itself", "error", err)
			}
			return nil
		case <-tick.C:
		}
	}
}

// ask campaigns once, and does not wait longer than half the lease for it.
func (c *campaign) ask(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, c.ttl/2)
	defer cancel()
	won, err := c.lease.Campaign(ctx, c.name, c.ttl)
	if was := c.away.Swap(err != nil); err != nil {
		if !was && !errors.Is(err, context.Canceled) {
			c.log.Warn("the store does not answer, or cannot be written", "error", err)
		}
		return false, err
	}
	leader := c.name
	if !won { // whoever leads now, this term is over
		if leader, err = c.lease.Leader(ctx); err != nil {
			return false, nil
		}
	}
	c.leader.Store(&leader)
	return won, nil
}

// begin starts the work of a term and returns how to end it.
func (c *campaign) begin(ctx context.Context) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	c.leads.Store(true)
	go func() {
		defer close(done)
		c.work(ctx)
	}()
	return func() {
		c.leads.Store(false)
		cancel()
		<-done
	}
}
