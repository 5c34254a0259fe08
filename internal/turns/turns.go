// Package turns shares out work fairly between the addresses that ask for it. Make a
// Queue for each kind of work, and use the function For to name the address in a context.
package turns

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"sort"
	"sync"
	"time"
)

// Busy is the error for work that is refused because too many callers wait, or because the caller
// would wait too long.
type Busy struct {
	Work       string        // the queue's name
	RetryAfter time.Duration // about how long the caller would wait
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

// maxWait is the longest wait of a caller if others of the same address wait before it.
const maxWait = time.Second

// A Queue lets a few callers work at a time. The others wait for their turn to work, in a line for
// each address. The next turn goes to the line whose work would be done first if each address had
// an equal share. So an address that asks for much delays only itself. A Queue refuses work when
// too many wait. It also refuses a caller that would wait longer than maxWait, if others of the
// same address already wait.
type Queue struct {
	name   string
	places int // how many callers work at a time
	limit  int // how many callers may wait

	mu      sync.Mutex
	busy    int // how many callers work now
	waiting int
	lines   map[netip.Addr]*line
	turns   []*line       // the values of lines, in the order of their turns
	average time.Duration // moving average of how long work takes

	// clock is the time on a virtual clock. When work begins, clock is set to the time at which
	// this work was due. The next work of an address is due at latest[address].done or at clock,
	// whichever is later.
	clock  time.Duration
	latest map[netip.Addr]work // the latest work of each address, unless it was forgotten
}

// work is the latest work of an address.
type work struct {
	done time.Duration // on the queue's clock: the time when the work was due plus the time that it took
	took time.Duration // how long the work took, in real time
}

// A line has the waiters of an address in the order of their arrival. It has at least one.
type line struct {
	from    netip.Addr
	waiters []waiter
	// ends is the time on the queue's clock at which the first waiter would be done, if it takes as
	// long as the address's latest work.
	ends time.Duration
}

// length returns how many wait in a line, which may be nil.
func (l *line) length() int {
	if l == nil {
		return 0
	}
	return len(l.waiters)
}

// A waiter gets nil when its turn comes, or the reason why it gets no turn.
type waiter chan error

// New makes a queue. name says which work it is for, such as pictures.
func New(name string, places, limit int) *Queue {
	return &Queue{name: name, places: max(places, 1), limit: limit, lines: map[netip.Addr]*line{},
		latest: map[netip.Addr]work{}}
}

// Enter waits for the turn of the context's address. The error is a Busy if that would take too
// long, or the error of ctx. Call leave once, after the work.
func (q *Queue) Enter(ctx context.Context) (leave func(), err error) {
	from := Address(ctx)
	if err := q.enter(ctx, from); err != nil {
		return nil, err
	}
	began := time.Now()
	return func() { q.leave(from, time.Since(began)) }, nil
}

// enter waits until an address gets a turn.
func (q *Queue) enter(ctx context.Context, from netip.Addr) error {
	q.mu.Lock()
	if q.busy < q.places {
		q.busy++
		q.clock = q.due(from)
		q.mu.Unlock()
		return nil
	}
	wait := q.wait(from)
	if wait > maxWait && q.lines[from] != nil || q.waiting >= q.limit && !q.makeRoom(from) {
		q.mu.Unlock()
		return q.busyFor(wait)
	}
	w := make(waiter, 1)
	l := q.lines[from]
	if l == nil {
		l = &line{from: from}
		q.lines[from] = l
		q.place(l)
	}
	l.waiters = append(l.waiters, w)
	q.waiting++
	q.mu.Unlock()
	select {
	case err := <-w:
		return err
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		if !q.remove(l, w) && <-w == nil {
			q.next() // the turn came just as ctx ended; give it to another caller
		}
		return ctx.Err()
	}
}

// leave notes how long the work of an address took, and lets the next caller work.
func (q *Queue) leave(from netip.Addr, took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.average += (took - q.average) / 8
	if len(q.latest) >= maxLatest {
		maps.DeleteFunc(q.latest, func(_ netip.Addr, w work) bool { return w.done <= q.clock })
		if len(q.latest) > maxLatest/2 {
			clear(q.latest) // with so many addresses none has a large share
		}
	}
	q.latest[from] = work{q.due(from) + took, took}
	if l := q.lines[from]; l != nil {
		q.place(l)
	}
	q.next()
}

// maxLatest is how many addresses a queue remembers before it forgets some.
const maxLatest = 4096

// due returns the time on the queue's clock at which the next work of an address is due. The caller
// holds mu.
func (q *Queue) due(from netip.Addr) time.Duration { return max(q.clock, q.latest[from].done) }

// place puts a line in the order of turns. The caller holds mu.
func (q *Queue) place(l *line) {
	q.turns = slices.DeleteFunc(q.turns, func(x *line) bool { return x == l })
	l.ends = q.due(l.from) + q.latest[l.from].took
	i := sort.Search(len(q.turns), func(i int) bool { return q.turns[i].ends > l.ends })
	q.turns = slices.Insert(q.turns, i, l)
}

func (q *Queue) busyFor(wait time.Duration) Busy {
	return Busy{Work: q.name, RetryAfter: max(wait.Round(time.Second), time.Second)}
}

// wait estimates how long one more caller of an address would wait. It assumes that until then, no
// other line gets more turns than the line of this address. The caller of wait holds mu.
func (q *Queue) wait(from netip.Addr) time.Duration {
	mine, before := q.lines[from].length()+1, 1 // before begins at 1 for the work that runs now
	for _, l := range q.turns {
		before += min(len(l.waiters), mine)
	}
	return time.Duration(before) * q.average / time.Duration(q.places)
}

// makeRoom makes room for a caller from an address: it refuses the newest caller of the longest
// line, and reports whether it did. It refuses nobody if the address's own line would then be the
// longest. The caller of makeRoom holds mu.
func (q *Queue) makeRoom(from netip.Addr) bool {
	var longest *line
	for _, l := range q.turns {
		if l.length() > longest.length() {
			longest = l
		}
	}
	if longest.length() < q.lines[from].length()+2 {
		return false
	}
	last := longest.waiters[len(longest.waiters)-1]
	last <- q.busyFor(q.wait(longest.from))
	q.remove(longest, last)
	return true
}

// next gives the turn to the first caller of the first line. If nobody waits, the place becomes
// free. The caller holds mu.
func (q *Queue) next() {
	if len(q.turns) == 0 {
		q.busy--
		return
	}
	l := q.turns[0]
	q.clock = q.due(l.from)
	first := l.waiters[0]
	first <- nil
	if q.remove(l, first); len(l.waiters) > 0 {
		q.place(l)
	}
}

// remove takes a waiter out of its line, and reports whether it was there. The caller
// holds mu.
func (q *Queue) remove(l *line, w waiter) bool {
	i := slices.Index(l.waiters, w)
	if i < 0 {
		return false
	}
	q.waiting--
	if l.waiters = slices.Delete(l.waiters, i, i+1); len(l.waiters) == 0 {
		delete(q.lines, l.from)
		q.turns = slices.DeleteFunc(q.turns, func(x *line) bool { return x == l })
	}
	return true
}

// Waiting returns how many callers wait.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}
