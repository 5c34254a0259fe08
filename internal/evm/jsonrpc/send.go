package jsonrpc

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Send asks all requests, in one round trip if the node allows that. Otherwise
// they go in parts, one by one if need be, and what it allows is remembered. A
// broken connection is tried once more; a node that is short of breath is given
// a moment, if there is time, and then asked for what it left out.
func (c *Client) Send(ctx context.Context, reqs ...*Request) error {
	for pauses, most := 0, len(reqs); len(reqs) > 0; {
		left := len(reqs)
		n, size := c.allowed.fit(reqs[:min(most, len(reqs))])
		err := c.sendPart(ctx, reqs[:n])
		f := partFault(err, reqs[:n])
		switch {
		case f == nil:
			reqs, pauses = reqs[n:], 0
		case c.allowed.shrink(f, n, size):
		case f.Kind == Limited && pauses < maxPauses && pause(ctx, f, pauses):
			pauses, most = pauses+1, max(1, n/2)
			if reqs = unanswered(reqs); len(reqs) < left {
				pauses = 1
			}
		case err != nil || f.Kind == Limited:
			return f
		default:
			reqs = reqs[n:] // the fault stands with its request
		}
	}
	return nil
}

// partFault is what is wrong with a part of a batch as a whole, or with so much
// of it that it should be asked again.
func partFault(err error, reqs []*Request) *Fault {
	if err != nil {
		return AsFault(err)
	}
	for _, r := range reqs {
		if r.Fault != nil && (r.Fault.Kind == Limited || len(reqs) > 1 && r.Fault.batchTooLong()) {
			return r.Fault
		}
	}
	return nil
}

// unanswered are the requests that were not sent yet, or not served for a limit.
func unanswered(reqs []*Request) (left []*Request) {
	for _, r := range reqs {
		if r.Result == nil && (r.Fault == nil || r.Fault.Kind == Limited) {
			left = append(left, r)
		}
	}
	return left
}

// pause waits as long as the node asked for, or ever longer where it did not say:
// most count by the second. It does not if that would leave too little time.
func pause(ctx context.Context, f *Fault, before int) bool {
	d := cmp.Or(f.Wait, 250*time.Millisecond<<before+rand.N(250*time.Millisecond))
	return d <= longestPause && Sleep(ctx, d)
}

// Sleep reports whether there was time for it, and as much again after it.
func Sleep(ctx context.Context, d time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) < 2*d {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// longestPause is how long a node that asks for patience is waited for; one that
// asks for more is left alone meanwhile, and others are asked.
const longestPause = 2 * time.Second

// maxPauses is how often in a row it is waited for in one conversation.
const maxPauses = 3

// sendPart makes one post, or two if the first finds a broken connection.
func (c *Client) sendPart(ctx context.Context, reqs []*Request) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	err := c.sendOnce(ctx, reqs)
	if err == nil || !AsFault(err).transient() {
		return err
	}
	if !Sleep(ctx, 30*time.Millisecond+rand.N(90*time.Millisecond)) {
		return err
	}
	return c.sendOnce(ctx, reqs)
}

// sendOnce posts the requests as one batch. A single one goes as a batch too,
// unless the node takes none.
func (c *Client) sendOnce(ctx context.Context, reqs []*Request) error {
	n := uint64(len(reqs))
	first := c.lastID.Add(n) - n + 1
	batch, err := encodeBatch(reqs, first)
	if err != nil {
		return err
	}
	alone := c.allowed.calls.Load() == 1
	if alone {
		batch = batch[1 : len(batch)-1]
	}
	start := time.Now()
	body, err := c.post(ctx, batch)
	if f, ok := errors.AsType[*Fault](err); alone && ok && f.raw != "" && f.Kind != Limited {
		reqs[0].Result, reqs[0].Fault = nil, f // some give errors an HTTP status of their own
		return nil
	}
	if err != nil {
		return err
	}
	if alone {
		body = append(append([]byte{'['}, body...), ']')
	}
	if err := decodeBatch(body, reqs, first); err != nil {
		return err
	}
	c.observe(time.Since(start))
	if n > 1 {
		c.allowed.batches.Store(true)
	}
	return nil
}
