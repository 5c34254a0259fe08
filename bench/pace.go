package main

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// A pace is a steady rate of requests over some connections.
type pace struct {
	address     string
	perSecond   int
	connections int
	span        time.Duration // 0 means until the context ends
}

// run calls ask for each request when it is due, and returns the microseconds until ask returned.
// If the previous request was not answered by then, the time counts from when this one was due: a
// server that stalls is charged for everyone who waits. Otherwise it counts from the call of ask,
// because our own late wake-up is not the server's fault. The end of ctx is not an error.
func (p pace) run(ctx context.Context, ask func(*client) error) ([]float64, error) {
	if p.span > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.span)
		defer cancel()
	}
	took := make([][]float64, p.connections)
	group, ctx := errgroup.WithContext(ctx)
	began := time.Now()
	for c := range p.connections {
		group.Go(func() (err error) {
			took[c], err = p.one(ctx, began.Add(time.Duration(c)*time.Second/time.Duration(p.perSecond)), ask)
			return err
		})
	}
	err := group.Wait()
	return slices.Concat(took...), err
}

// one does the work of run for one connection.
func (p pace) one(ctx context.Context, due time.Time, ask func(*client) error) ([]float64, error) {
	conn, err := dial(p.address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	var took []float64
	gap := time.Duration(p.connections) * time.Second / time.Duration(p.perSecond)
	for ; ; due = due.Add(gap) {
		wait := time.Until(due)
		select {
		case <-ctx.Done():
			return took, nil
		case <-time.After(wait):
		}
		from := due
		if wait > 0 {
			from = time.Now()
		}
		if err := ask(conn); err != nil {
			return nil, err
		}
		took = append(took, float64(time.Since(from).Nanoseconds())/1000)
	}
}
