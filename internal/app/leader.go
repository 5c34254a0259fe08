package app

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"petsupply/internal/store"
)

// A leader runs work on one of all instances that share a store and its lease: it starts the
// work when this instance gets the lease, and ends it when the lease is lost or
// can no longer be known to be ours.
type leader struct {
	store     *store.Store
	instance  string // the name of this one
	ttl       time.Duration
	work      func(context.Context) // returns when its context ends
	log       *slog.Logger
	leading   atomic.Bool
	storeDown atomic.Bool            // the store did not answer last time
	holder    atomic.Pointer[string] // which instance leads, as far as is known
}

// run tries to lead until ctx ends, and then gives the lease back.
func (l *leader) run(ctx context.Context) error {
	tick := time.NewTicker(l.ttl / 4)
	defer tick.Stop()
	var stopWork func() // nil while this instance does not lead
	var until time.Time // the lease is surely ours up to here, by our own clock
	for {
		asked := time.Now()
		won, err := l.renew(ctx)
		switch {
		case won:
			until = asked.Add(l.ttl)
			if stopWork == nil {
				l.log.Info("leading", "instance", l.instance)
				stopWork = l.startWork(ctx)
			}
		case err != nil && time.Now().Before(until):
			l.log.Warn("the lease could not be renewed yet", "error", err)
		case stopWork != nil:
			l.log.Warn("no longer leading", "instance", l.instance, "error", err)
			stopWork()
			stopWork = nil
		}
		select {
		case <-ctx.Done():
			if stopWork != nil {
				stopWork()
			}
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			defer cancel()
			if err := l.store.Resign(ctx); err != nil {
				l.log.Warn("the lease could not be given back; it runs out by itself", "error", err)
			}
			return nil
		case <-tick.C:
		}
	}
}

// renew takes or renews the lease, and does not wait longer than half of it.
func (l *leader) renew(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, l.ttl/2)
	defer cancel()
	won, err := l.store.Campaign(ctx, l.instance, l.ttl)
	if was := l.storeDown.Swap(err != nil); err != nil {
		if !was && !errors.Is(err, context.Canceled) {
			l.log.Warn("the store does not answer, or cannot be written", "error", err)
		}
		return false, err
	}
	holder := l.instance
	if !won {
		if holder, err = l.store.Leader(ctx); err != nil {
			return false, nil // whoever leads now, it is not us
		}
	}
	l.holder.Store(&holder)
	return won, nil
}

// startWork starts the leader's work and returns how to stop it and wait for
// its end.
func (l *leader) startWork(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	l.leading.Store(true)
	go func() {
		defer close(done)
		l.work(ctx)
	}()
	return func() {
		l.leading.Store(false)
		cancel()
		<-done
	}
}

// status names the instance that leads, as far as is known, and says whether it
// is this one. Without a leader, as in the demo, nobody leads.
func (l *leader) status() (holder string, leading bool) {
	if l == nil {
		return "", false
	}
	if known := l.holder.Load(); known != nil {
		holder = *known
	}
	return holder, l.leading.Load()
}
