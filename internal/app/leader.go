package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"petsupply/internal/store"
)

// A leader runs work on one of the instances that share a store. It starts the work when this
// instance gets the lease in the store. It stops the work when the lease is lost or may have
// expired.
type leader struct {
	store    *store.Store
	instance string // the name of this instance
	ttl      time.Duration
	work     func(context.Context) // runs until its context ends
	log      *slog.Logger
	leading  atomic.Bool
	fault    atomic.Pointer[string] // why the last attempt to take or renew the lease failed; nil if it did not
	holder   atomic.Pointer[string] // the leading instance, as last seen
}

// run tries to lead until ctx ends, and then gives up the lease.
func (l *leader) run(ctx context.Context) error {
	tick := time.NewTicker(l.ttl / 4)
	defer tick.Stop()
	var stopWork func() // nil while this instance does not lead
	var until time.Time // this instance has the lease at least until then, by its own clock
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
			l.log.Warn("renewing the lease failed; this instance still has it for a while", "error", err)
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
				l.log.Warn("the lease could not be given up; it will expire", "error", err)
			}
			return nil
		case <-tick.C:
		}
	}
}

// renew takes or renews the lease. It waits for at most half of the lease's time.
func (l *leader) renew(ctx context.Context) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, l.ttl/2)
	defer cancel()
	won, err := l.store.Campaign(ctx, l.instance, l.ttl)
	if err != nil {
		text := "the store does not answer, or cannot be written"
		if moved, ok := errors.AsType[*store.Moved](err); ok {
			text = moved.Error() // this service can no longer publish
		}
		before := l.fault.Swap(&text)
		if (before == nil || *before != text) && !errors.Is(err, context.Canceled) {
			l.log.Error(text, "error", err)
		}
		return false, err
	}
	l.fault.Store(nil)
	holder := l.instance
	if !won {
		holder, err = l.store.Leader(ctx)
		if err != nil {
			return false, nil // another instance leads, but its name could not be read
		}
	}
	before := l.holder.Swap(&holder)
	if !won && (before == nil || *before != holder) {
		l.log.Info("another instance leads; this one serves what it publishes", "leader", holder)
	}
	return won, nil
}

// startWork starts the leader's work. stop ends it and waits until it has ended.
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

// status returns the leading instance, as last seen, and reports whether it is this one.
func (l *leader) status() (holder string, leading bool) {
	if known := l.holder.Load(); known != nil {
		holder = *known
	}
	return holder, l.leading.Load()
}

// instanceName returns a name for this process among the instances that share a store.
func instanceName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return host + "/" + strconv.Itoa(os.Getpid())
}
