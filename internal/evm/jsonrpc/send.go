package jsonrpc

import (
	"cmp"
	"context"
	"errors"
	"time"
)

// Send sends all requests, in one round trip if the node allows it. Otherwise it sends them in
// parts, down to single requests, and remembers the node's limits. It retries a post once after a
// broken connection or a server error. If the node limits the rate and there is time, Send pauses
// and then asks for the missing replies.
func (c *Client) Send(ctx context.Context, reqs ...*Request) error {
	pauses := 0
	most := len(reqs)
	for len(reqs) > 0 {
		left := len(reqs)
		n, size := c.allowed.fit(reqs[:min(most, len(reqs))])
		err := c.sendPart(ctx, reqs[:n])
		f := partFault(err, reqs[:n])
		switch {
		case f == nil:
			reqs = reqs[n:]
			pauses = 0
		case c.allowed.shrink(f, n, size):
		case f.Kind == Limited && pauses < maxPauses && c.pause(ctx, f, pauses):
			pauses++
			most = max(1, n/2)
			reqs = unanswered(reqs)
			if len(reqs) < left {
				pauses = 1
			}
		case err != nil || f.Kind == Limited:
			return f
		default:
			reqs = reqs[n:] // each request keeps its own Fault
		}
	}
	return nil
}

// partFault returns the fault of a whole part of a batch. It also returns the fault of one request
// if the part must be sent again because of this fault.
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

// unanswered returns the requests that were not sent yet or met a rate limit.
func unanswered(reqs []*Request) (left []*Request) {
	for _, r := range reqs {
		if r.Result == nil && (r.Fault == nil || r.Fault.Kind == Limited) {
			left = append(left, r)
		}
	}
	return left
}

// pause waits as long as the node asked for. If the node named no time, each pause is longer than
// the one before. It returns false, without waiting, if the pause would be too long.
func (c *Client) pause(ctx context.Context, f *Fault, before int) bool {
	d := cmp.Or(f.Wait, 250*time.Millisecond<<before+c.jitter(250*time.Millisecond))
	return d <= longestPause && Sleep(ctx, d)
}

// Sleep waits for d, and reports whether it did. It does not wait at all if less than twice d is
// left until the context's deadline.
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

// longestPause is the longest wait for a node that limits the rate. Send fails if the node asks for
// a longer one.
const longestPause = 2 * time.Second

// maxPauses is the most pauses that one Send makes without a reply between them.
const maxPauses = 3

// sendPart makes one post, and a second one after a transient fault.
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

// sendOnce posts the requests as one batch. A single request is a batch too, unless the node takes
// no batches.
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
		reqs[0].Result = nil
		reqs[0].Fault = f // some nodes send a JSON-RPC error with an HTTP error status
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
