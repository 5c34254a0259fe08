package jsonrpc

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Send sends all requests, in one round trip if the node allows that. Otherwise it
// sends them in parts, one by one if need be, and remembers what the node allows.
// It tries a broken connection once more. If the node limits requests, Send waits a
// moment, if there is time, and asks again for what is missing.
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
		case f.Kind == Limited && pauses < maxPauses && c.pause(ctx, f, pauses):
			pauses, most = pauses+1, max(1, n/2)
			if reqs = unanswered(reqs); len(reqs) < left {
				pauses = 1
			}
		case err != nil || f.Kind == Limited:
			return f
		default:
			reqs = reqs[n:] // the request has its fault
		}
	}
	return nil
}

// partFault returns the fault of a whole part of a batch, or one because of which
// the part must be sent again.
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

// unanswered returns the requests that were not sent yet, or were refused by a limit.
func unanswered(reqs []*Request) (left []*Request) {
	for _, r := range reqs {
		if r.Result == nil && (r.Fault == nil || r.Fault.Kind == Limited) {
			left = append(left, r)
		}
	}
	return left
}

// pause waits as long as the node asked for, or longer each time if it did not say:
// most nodes count requests by the second. It returns false if there is no time.
func (c *Client) pause(ctx context.Context, f *Fault, before int) bool {
	d := cmp.Or(f.Wait, 250*time.Millisecond<<before+c.jitter(250*time.Millisecond))
	return d <= longestPause && Sleep(ctx, d)
}

// Sleep waits, and reports whether it did. It does not if the context would leave
// less time after the wait than the wait takes.
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

// longestPause is the longest wait for a node that limits requests. A node that asks
// for more is left alone, and others are asked.
const longestPause = 2 * time.Second

// maxPauses is the number of such waits in a row in one conversation.
const maxPauses = 3

// sendPart makes one post, or two if the first finds a broken connection.
func (c *Client) sendPart(ctx context.Context, reqs []*Request) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	err := c.sendOnce(ctx, reqs)
	if err == nil || !AsFault(err).transient() {
		return err
	}
	if !Sleep(ctx, 30*time.Millisecond+c.jitter(90*time.Millisecond)) {
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
