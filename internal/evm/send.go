package evm

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// send asks all requests, in one round trip if the node allows that. Otherwise
// they go in parts, one by one if need be, and what it allows is remembered. A
// broken connection is tried once more; a node that is short of breath is given
// a moment, if there is time, and then asked for what it left out.
func (p *provider) send(ctx context.Context, reqs ...*request) error {
	for pauses, most := 0, len(reqs); len(reqs) > 0; {
		left := len(reqs)
		n, size := p.allowed.fit(reqs[:min(most, len(reqs))])
		err := p.sendPart(ctx, reqs[:n])
		f := partFault(err, reqs[:n])
		switch {
		case f == nil:
			reqs, pauses = reqs[n:], 0
		case p.allowed.shrink(f, n, size):
		case f.kind == limited && pauses < maxPauses && pause(ctx, f, pauses):
			pauses, most = pauses+1, max(1, n/2)
			if reqs = unanswered(reqs); len(reqs) < left {
				pauses = 1
			}
		case err != nil || f.kind == limited:
			return f
		default:
			reqs = reqs[n:] // the fault stands with its request
		}
	}
	return nil
}

// partFault is what is wrong with a part of a batch as a whole, or with so much
// of it that it should be asked again.
func partFault(err error, reqs []*request) *fault {
	if err != nil {
		return asFault(err)
	}
	for _, r := range reqs {
		if r.fault != nil && (r.fault.kind == limited || len(reqs) > 1 && r.fault.batchTooLong()) {
			return r.fault
		}
	}
	return nil
}

// unanswered are the requests that were not sent yet, or not served for a limit.
func unanswered(reqs []*request) (left []*request) {
	for _, r := range reqs {
		if r.result == nil && (r.fault == nil || r.fault.kind == limited) {
			left = append(left, r)
		}
	}
	return left
}

// pause waits as long as the node asked for, or ever longer where it did not say:
// most count by the second. It does not if that would leave too little time.
func pause(ctx context.Context, f *fault, before int) bool {
	d := cmp.Or(f.wait, 250*time.Millisecond<<before+rand.N(250*time.Millisecond))
	return d <= longestPause && sleep(ctx, d)
}

// sleep reports whether there was time for it, and as much again after it.
func sleep(ctx context.Context, d time.Duration) bool {
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
func (p *provider) sendPart(ctx context.Context, reqs []*request) error {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	err := p.sendOnce(ctx, reqs)
	if err == nil || !asFault(err).transient() {
		return err
	}
	if !sleep(ctx, 30*time.Millisecond+rand.N(90*time.Millisecond)) {
		return err
	}
	return p.sendOnce(ctx, reqs)
}

// sendOnce posts the requests as one batch. A single one goes as a batch too,
// unless the node takes none.
func (p *provider) sendOnce(ctx context.Context, reqs []*request) error {
	n := uint64(len(reqs))
	first := p.lastID.Add(n) - n + 1
	batch, err := encodeBatch(reqs, first)
	if err != nil {
		return err
	}
	alone := p.allowed.calls.Load() == 1
	if alone {
		batch = batch[1 : len(batch)-1]
	}
	start := time.Now()
	body, err := p.post(ctx, batch)
	var f *fault
	if alone && errors.As(err, &f) && f.raw != "" && f.kind != limited {
		reqs[0].result, reqs[0].fault = nil, f // some give errors an HTTP status of their own
		return nil
	}
	if err != nil {
		return err
	}
	if alone {
		body = append(append([]byte{'['}, body...), ']')
	}
	if err := p.hide.decodeBatch(body, reqs, first); err != nil {
		return err
	}
	took := time.Since(start)
	p.observeLatency(took)
	p.trips.Observe(took.Seconds())
	if n > 1 {
		p.allowed.batches.Store(true)
	}
	return nil
}

// askAgain asks once more, a few times, where a node does not know a block that
// it has told of itself: behind one address there may be several nodes, of which
// some have it already.
func askAgain[T any](ctx context.Context, p *provider, number uint64, ask func() (T, error)) (T, error) {
	for tries := 0; ; tries++ {
		got, err := ask()
		if err == nil || asFault(err).kind != absent || p.snapshot(time.Now()).Height < number || tries == 3 || !sleep(ctx, 40*time.Millisecond<<tries) {
			return got, err
		}
	}
}
