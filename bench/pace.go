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
	span        time.Duration // 0: until the context ends
}

// run calls ask for each request when it is due, and returns the microseconds
// until ask returned. They count from when the request was due if the one before
// it was still not answered then: a server that stalls is charged for everyone
// who had to wait. They count from when ask was called if not: that we woke up
// late is not the server's doing. The end of ctx is no error.
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

// one is run on one connection.
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
