// Package turns lets a few callers work at a time, so that work of one kind leaves room for others.
// Make a Queue for each scarce thing, such as the processor or the store's connections. Use the
// function For to name the caller's address in a context.
package turns

import (
	"context"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// Busy is the error for work that is refused because too many callers wait, or because the caller
// has waited too long.
type Busy struct{ Work string } // the queue's name

// RetryAfter is when a refused caller should try again.
const RetryAfter = 2 * time.Second

func (b Busy) Error() string {
	return fmt.Sprintf("too many requests for %s: try again in %v", b.Work, RetryAfter)
}

type addressKey struct{}

// For returns a context for work that an address asks for.
func For(ctx context.Context, from netip.Addr) context.Context {
	return context.WithValue(ctx, addressKey{}, from)
}

// Address returns the address that work is done for, or the zero address if it is not known.
func Address(ctx context.Context) netip.Addr {
	from, _ := ctx.Value(addressKey{}).(netip.Addr)
	return from
}

// maxWait is how long a caller waits at most. It is less than a client's usual patience.
const maxWait = 5 * time.Second

// A Queue lets a few callers work at a time. The others wait, first come first served. An address has
// at most half of the places to work, and callers beyond that wait in a line of its own. It has one in
// 32 of the places to wait. So an address whose work takes long, or that asks for much, never keeps
// out another.
type Queue struct {
	name   string
	places *semaphore.Weighted
	share  int // places of one address
	limit  int // how many callers may wait

	mu      sync.Mutex
	waiting int
	lines   map[netip.Addr]*line
}

// A line has the callers of one address.
type line struct {
	places  *semaphore.Weighted // its share
	callers int                 // those who wait or work
}

// New makes a queue with places for so many callers to work, at least one, and for so many to wait.
// name says which work it is for, such as pictures.
func New(name string, places, limit int) *Queue {
	places = max(places, 1)
	return &Queue{
		name: name, places: semaphore.NewWeighted(int64(places)), share: (places + 1) / 2, limit: limit,
		lines: map[netip.Addr]*line{},
	}
}

// Enter waits for the turn of the context's address. The error is a Busy, or the error of ctx. Call
// leave once, after the work. Between Enter and leave, do not enter the same queue again.
func (q *Queue) Enter(ctx context.Context) (leave func(), err error) {
	from := Address(ctx)
	l := q.join(from)
	if l == nil {
		return nil, Busy{q.name}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, Busy{q.name})
	defer cancel()
	err = l.places.Acquire(ctx, 1)
	if err == nil {
		err = q.places.Acquire(ctx, 1)
		if err != nil {
			l.places.Release(1)
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting--
	if err != nil {
		q.exit(from)
		return nil, context.Cause(ctx)
	}
	return func() {
		q.places.Release(1)
		l.places.Release(1)
		q.mu.Lock()
		defer q.mu.Unlock()
		q.exit(from)
	}, nil
}

// join adds a caller to the line of its address. It returns nil if there is no room to wait.
func (q *Queue) join(from netip.Addr) *line {
	q.mu.Lock()
	defer q.mu.Unlock()
	l := q.lines[from]
	if q.waiting >= q.limit || l != nil && l.callers >= q.share+max(q.limit/32, 1) {
		return nil
	}
	if l == nil {
		l = &line{places: semaphore.NewWeighted(int64(q.share))}
		q.lines[from] = l
	}
	q.waiting++
	l.callers++
	return l
}

// exit takes a caller out of the line of its address. The caller holds mu.
func (q *Queue) exit(from netip.Addr) {
	l := q.lines[from]
	l.callers--
	if l.callers == 0 {
		delete(q.lines, from)
	}
}

// Waiting returns how many callers wait.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}
