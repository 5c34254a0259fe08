// Package turns lets a few callers work at a time, so that work of one kind leaves room for others.
// Make a Queue for each scarce thing, such as the processor or the store's connections. Use the
// function For to name the caller's address in a context.
package turns

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"
)

// Busy is the error for work that is refused because too many callers wait, or because the caller
// has waited too long.
type Busy struct {
	Work       string // the queue's name
	RetryAfter time.Duration
}

func (b Busy) Error() string {
	return fmt.Sprintf("too many requests for %s: try again in %v", b.Work, b.RetryAfter)
}

// Busy reports that a later attempt may succeed.
func (Busy) Busy() bool { return true }

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

const (
	// maxWait is how long a caller waits at most. It is less than a client's usual patience.
	maxWait = 5 * time.Second
	// retryAfter is when a refused caller should try again.
	retryAfter = 2 * time.Second
)

// A Queue lets a few callers work at a time. The others wait, first come first served, except that
// the first caller of an address goes before the second ones of others, and so on. One address has at
// most half of the places to work, and one in 32 of the places to wait. So an address whose work takes
// long, or that asks for much, never keeps out another.
type Queue struct {
	name  string
	limit int // how many callers may wait
	share int // how many callers of one address may work

	mu      sync.Mutex
	free    int                // places to work
	working map[netip.Addr]int // callers that work, by address
	waiting []*caller          // in the order of their turns
}

type caller struct {
	from netip.Addr
	rank int           // how many callers of its address waited when it came
	turn chan struct{} // closed when the caller may work
}

// New makes a queue with places for so many callers to work, at least one, and for so many to wait.
// name says which work it is for, such as pictures.
func New(name string, places, limit int) *Queue {
	places = max(places, 1)
	return &Queue{
		name: name, limit: limit, share: (places + 1) / 2, free: places, working: map[netip.Addr]int{},
	}
}

// Enter waits for the turn of the context's address. The error is a Busy, or the error of ctx. Call
// leave once, after the work. Between Enter and leave, do not enter the same queue again. A nil queue
// lets everybody work at once.
func (q *Queue) Enter(ctx context.Context) (leave func(), err error) {
	if q == nil {
		return func() {}, nil
	}
	c := &caller{from: Address(ctx), turn: make(chan struct{})}
	if !q.join(c) {
		return nil, Busy{Work: q.name, RetryAfter: retryAfter}
	}
	ctx, cancel := context.WithTimeoutCause(ctx, maxWait, Busy{Work: q.name, RetryAfter: retryAfter})
	defer cancel()
	select {
	case <-c.turn:
		return func() { q.leave(c) }, nil
	case <-ctx.Done():
		q.leave(c)
		return nil, context.Cause(ctx)
	}
}

// join lets a caller work or wait, and reports false if there is no place for it.
func (q *Queue) join(c *caller) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, w := range q.waiting {
		if w.from == c.from {
			c.rank++
		}
	}
	i := slices.IndexFunc(q.waiting, func(w *caller) bool { return w.rank > c.rank })
	if i < 0 {
		i = len(q.waiting)
	}
	q.waiting = slices.Insert(q.waiting, i, c)
	q.start()
	i = slices.Index(q.waiting, c)
	if i >= 0 && (len(q.waiting) > q.limit || c.rank >= max(q.limit/32, 1)) {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		return false
	}
	return true
}

// start gives free places to the first in line whose address has not its share yet. The caller holds
// mu.
func (q *Queue) start() {
	q.waiting = slices.DeleteFunc(q.waiting, func(c *caller) bool {
		if q.free == 0 || q.working[c.from] >= q.share {
			return false
		}
		q.free--
		q.working[c.from]++
		close(c.turn)
		return true
	})
}

// leave takes a caller out of the queue, whether it works or still waits.
func (q *Queue) leave(c *caller) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.waiting, c); i >= 0 {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		return
	}
	q.free++
	q.working[c.from]--
	if q.working[c.from] == 0 {
		delete(q.working, c.from)
	}
	q.start()
}

// Waiting returns how many callers wait.
func (q *Queue) Waiting() int {
	if q == nil {
		return 0
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}
