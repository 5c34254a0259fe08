package evm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"petsupply/internal/evm/jsonrpc"
)

// A reply is one provider's answer to a question.
type reply[T any] struct {
	from  *provider
	value T
	err   error
}

// A verdict says what the replies so far mean for the question.
type verdict int

const (
	waiting verdict = iota // more replies are needed
	linger                 // good enough, but another reply may soon improve the result
	lacking                // no quorum is possible any more, but the pending replies may say why
	enough                 // no further reply is needed
)

// A question is asked of several providers at once.
type question[T any] struct {
	ask    func(context.Context, *provider) (T, error)
	decide func(got []reply[T], pending int) verdict
	// late, if not nil, is called with each reply that came after the verdict.
	late func(reply[T])
	// quorumFirst asks a quorum first, and the other providers only if one of the quorum fails or
	// is slow. Without quorumFirst, every provider that is ready is asked at once.
	quorumFirst bool
}

// lingerTime is how long to wait for a reply that might improve the result.
const lingerTime = 250 * time.Millisecond

// poll asks providers until q.decide has enough replies, or until no provider is left. It asks
// providers in back-off only if the other providers cannot form a quorum or are slow. After the
// verdict it does not wait for slow providers but lets them finish, so that their answers count in
// their health.
func poll[T any](ctx context.Context, c *Chain, q question[T]) ([]reply[T], error) {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, cancel)
	replies := make(chan reply[T], len(c.providers))
	start := func(p *provider) bool {
		return c.start(func() {
			v, err := q.ask(life, p)
			c.record(p, err)
			replies <- reply[T]{from: p, value: v, err: err}
		})
	}
	got, pending, err := collect(ctx, c, q, start, replies)
	if err == nil {
		detach()
	}
	if err != nil || pending == 0 || !c.start(func() { drain(c, replies, pending, q.late, cancel) }) {
		cancel()
	}
	return got, err
}

// collect asks providers and takes their replies until the verdict. pending is how many providers
// had not answered by then.
func collect[T any](ctx context.Context, c *Chain, q question[T],
	start func(*provider) bool, replies <-chan reply[T]) (got []reply[T], pending int, err error) {
	first, reserve, silenced := c.choose(q.quorumFirst)
	for _, p := range silenced {
		got = append(got, reply[T]{from: p, err: jsonrpc.Faultf(jsonrpc.Limited, "asked for a pause (Retry-After)")})
	}
	var asked []*provider
	startAll := func(ps []*provider) {
		for _, p := range ps {
			if start(p) {
				asked = append(asked, p)
				pending++
			}
		}
	}
	startAll(first)
	slow := time.NewTimer(c.slowAfter())
	defer slow.Stop()
	var lingered <-chan time.Time
	for {
		v := q.decide(got, pending)
		switch {
		case v == enough:
			return got, pending, nil
		case c.isClosed():
			return got, pending, errClosed
		case v == lacking && len(reserve) > 0:
			startAll(reserve[:1])
			reserve = reserve[1:]
			continue
		case pending == 0:
			return got, pending, nil
		case v != waiting && lingered == nil:
			lingered = time.After(min(lingerTime, c.cfg.Timeout/4))
		}
		select {
		case r := <-replies:
			pending--
			got = append(got, r)
		case <-slow.C:
			delaySlow(asked, got, time.Now().Add(c.cfg.Timeout-c.slowAfter()))
			startAll(reserve)
			reserve = nil
		case <-lingered:
			if v != waiting {
				return got, pending, nil
			}
		case <-ctx.Done():
			return got, pending, contextError(ctx, got)
		case <-c.done:
			return got, pending, errClosed
		}
	}
}

// slowAfter is how long a provider may take before it counts as slow.
func (c *Chain) slowAfter() time.Duration { return c.cfg.Timeout / 3 }

// delaySlow pauses the asked providers that are not in got, until the given time. So later
// questions do not wait for them.
func delaySlow[T any](asked []*provider, got []reply[T], until time.Time) {
	for _, p := range asked {
		if !slices.ContainsFunc(got, func(r reply[T]) bool { return r.from == p }) {
			p.delayed(until)
		}
	}
}

// drain takes the replies that come after the verdict, and passes them to late. pending is how many
// are still to come.
func drain[T any](c *Chain, replies <-chan reply[T], pending int, late func(reply[T]), cancel func()) {
	defer cancel()
	for range pending {
		select {
		case r := <-replies:
			if late != nil {
				late(r)
			}
		case <-c.done:
			return
		}
	}
}

// choose returns the providers to ask at once, those in reserve, and those that must not be asked
// yet because of Retry-After.
func (c *Chain) choose(quorumFirst bool) (first, reserve, silenced []*provider) {
	now := time.Now()
	var slow []*provider // asked last
	for _, p := range c.providers {
		switch {
		case p.silenced(now):
			silenced = append(silenced, p)
		case p.ready(now):
			first = append(first, p)
		case p.hangs():
			slow = append(slow, p)
		default:
			reserve = append(reserve, p)
		}
	}
	slices.SortStableFunc(reserve, byRank)
	reserve = append(reserve, slow...)
	if quorumFirst && len(first) > c.cfg.Quorum {
		slices.SortStableFunc(first, byRank)
		reserve = append(slices.Clone(first[c.cfg.Quorum:]), reserve...)
		first = first[:c.cfg.Quorum]
	}
	return first, reserve, silenced
}

// byRank orders providers: fewer recent failures first, then the quicker one.
func byRank(a, b *provider) int {
	fa, la := a.rank()
	fb, lb := b.rank()
	return cmp.Or(fa-fb, int(la-lb))
}

// values returns the answers among the replies.
func values[T any](got []reply[T]) []T {
	var vs []T
	for _, r := range got {
		if r.err == nil {
			vs = append(vs, r.value)
		}
	}
	return vs
}

// A pollError says why a question got no answer, provider by provider.
type pollError struct {
	err    error // a sentinel
	faults []*jsonrpc.Fault
	text   []string
}

func (e *pollError) Error() string {
	if len(e.text) == 0 {
		return e.err.Error()
	}
	return fmt.Sprintf("%v (%s)", e.err, strings.Join(e.text, "; "))
}

func (e *pollError) Unwrap() error { return e.err }

func newPollError[T any](err error, got []reply[T]) *pollError {
	e := &pollError{err: err}
	for _, r := range got {
		if r.err != nil {
			f := jsonrpc.AsFault(r.err)
			e.faults = append(e.faults, f)
			e.text = append(e.text, r.from.name+": "+f.Text)
		}
	}
	return e
}

// count returns how many providers failed with this outcome.
func (e *pollError) count(kind jsonrpc.Outcome) (n int) {
	for _, f := range e.faults {
		if f.Kind == kind {
			n++
		}
	}
	return n
}

// contextError returns the error of a question whose context ended.
func contextError[T any](ctx context.Context, got []reply[T]) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e := newPollError(ErrUnavailable, got)
		e.text = append(e.text, "the deadline has passed")
		return e
	}
	return ctx.Err()
}
