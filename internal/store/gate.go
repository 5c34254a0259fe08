package store

import (
	"context"
	"errors"
)

// ErrBusy: too many others ask for lists already; come back in a moment.
var ErrBusy = errors.New("too many lists are being read")

// waiting is how many wait for their turn at each gate.
const waiting = 32

// A gate lets a few through at a time and has a few more wait; whoever finds it
// full is turned away at once.
type gate struct{ inside, queue chan struct{} }

func newGate(inside int) gate {
	return gate{make(chan struct{}, inside), make(chan struct{}, inside+waiting)}
}

// enter waits for its turn. leave is to be called after it.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.queue <- struct{}{}:
	default:
		return nil, ErrBusy
	}
	select {
	case g.inside <- struct{}{}:
		return func() { <-g.inside; <-g.queue }, nil
	case <-ctx.Done():
		<-g.queue
		return nil, ctx.Err()
	}
}
