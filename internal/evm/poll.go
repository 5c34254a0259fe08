package evm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// A reply is what one provider made of a question.
type reply[T any] struct {
	from  *provider
	value T
	err   error
}

// A verdict is what the replies so far mean for the question.
type verdict int

const (
	waiting verdict = iota
	linger          // good enough, but a reply within a moment might be better
	lacking         // whoever is still being asked cannot complete it, but may say why
	enough
)

// A question is put to several providers at once.
type question[T any] struct {
	ask    func(context.Context, *provider) (T, error)
	decide func(got []reply[T], pending int) verdict
	// late is told of replies that came after the verdict.
	late func(reply[T])
	// few: a quorum is asked first, the others only when one of those fails or
	// is slow. Otherwise every provider that is ready is asked.
	few bool
}

const moment = 250 * time.Millisecond

// poll asks until the verdict is enough, or until nobody is left who could help.
// Providers in back-off are asked only when the others cannot answer the
// question, or are slow. It does not wait for slow ones after the verdict, but
// lets them finish, so that they are judged by what they do.
func poll[T any](ctx context.Context, c *Chain, q question[T]) ([]reply[T], error) {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	detach := context.AfterFunc(ctx, cancel)
	replies := make(chan reply[T], len(c.providers))
	pending := 0
	first, reserve, barred := c.order(q.few)
	var got []reply[T]
	for _, p := range barred {
		got = append(got, reply[T]{from: p, err: faultf(limited, "asked to be left alone for now")})
	}
	put := func(ps []*provider) {
		for _, p := range ps {
			if c.start(func() {
				v, err := q.ask(life, p)
				c.note(p, err)
				replies <- reply[T]{p, v, err}
			}) {
				pending++
			}
		}
	}
	put(first)
	slow := time.NewTimer(c.timeout / 3)
	defer slow.Stop()
	var soon <-chan time.Time
	for {
		v := q.decide(got, pending)
		for v == lacking && len(reserve) > 0 {
			put(reserve[:1])
			reserve = reserve[1:]
			v = q.decide(got, pending)
		}
		if v != enough && c.over() {
			cancel()
			return got, ErrClosed
		}
		if v == enough || pending == 0 {
			detach()
			if pending == 0 || !c.start(func() { drain(c, replies, pending, q.late, cancel) }) {
				cancel()
			}
			return got, nil
		}
		if v != waiting && soon == nil {
			soon = time.After(min(moment, c.timeout/4))
		}
		select {
		case r := <-replies:
			pending--
			got = append(got, r)
		case <-slow.C:
			put(reserve)
			reserve = nil
		case <-soon:
			if v != waiting {
				q.decide = func([]reply[T], int) verdict { return enough }
			}
		case <-ctx.Done():
			cancel()
			return got, tooLate(ctx, got)
		case <-c.done:
			cancel()
			return got, ErrClosed
		}
	}
}

// tooLate is the error of a question whose asker could wait no longer, or did
// not want to.
func tooLate[T any](ctx context.Context, got []reply[T]) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e := unanswered(ErrUnavailable, got)
		e.text = append(e.text, "the time is up")
		return e
	}
	return ctx.Err()
}

// drain waits for those who had not answered when the verdict was there.
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

// order says whom to ask at once, whom to keep in reserve, and who asked to be
// left alone.
func (c *Chain) order(few bool) (first, reserve, barred []*provider) {
	now := time.Now()
	for _, p := range c.providers {
		switch {
		case p.barred(now):
			barred = append(barred, p)
		case p.ready(now, c.timeout):
			first = append(first, p)
		default:
			reserve = append(reserve, p)
		}
	}
	better := func(a, b *provider) int {
		fa, la := a.rank()
		fb, lb := b.rank()
		if fa != fb {
			return fa - fb
		}
		return int(la - lb)
	}
	slices.SortStableFunc(reserve, better)
	if few && len(first) > c.quorum {
		slices.SortStableFunc(first, better)
		reserve = append(slices.Clone(first[c.quorum:]), reserve...)
		first = first[:c.quorum]
	}
	return first, reserve, barred
}

// A roundError says why a question got no answer, provider by provider.
type roundError struct {
	err    error // a sentinel
	faults map[outcome]int
	list   []*fault
	text   []string
}

func (e *roundError) Error() string {
	if len(e.text) == 0 {
		return e.err.Error()
	}
	return fmt.Sprintf("%v (%s)", e.err, strings.Join(e.text, "; "))
}

func (e *roundError) Unwrap() error { return e.err }

// unanswered makes the error of a question without an answer.
func unanswered[T any](err error, got []reply[T]) *roundError {
	e := &roundError{err: err, faults: map[outcome]int{}}
	for _, r := range got {
		if r.err == nil {
			continue
		}
		f := asFault(r.err)
		e.faults[f.kind]++
		e.list = append(e.list, f)
		e.text = append(e.text, r.from.name+": "+f.text)
	}
	return e
}
