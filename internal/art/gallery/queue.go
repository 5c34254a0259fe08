package gallery

import (
	"fmt"
	"net/netip"
	"sync"
	"time"
)

// Busy is the refusal of a picture because too many are waiting to be drawn.
type Busy struct {
	RetryAfter time.Duration // when the queue will have been worked off
}

func (b Busy) Error() string {
	return fmt.Sprintf("too many pictures are waiting to be drawn: try again in %v", b.RetryAfter)
}

// maxWait is how long a picture may have to wait for its turn.
const maxWait = time.Second

// A drawQueue lets a few draw at a time. Those that wait have a line for each address,
// and the lines take turns, so that an address that asks for much delays itself and not
// others. It refuses when the wait would be too long.
type drawQueue struct {
	places int // how many draw at a time
	limit  int // how many may wait

	mu      sync.Mutex
	busy    int // how many draw
	waiting int
	lines   map[netip.Addr][]*waiter // in the order in which they came; none is empty
	turns   []netip.Addr             // the addresses of lines, whose turn is next first
	average time.Duration            // that a drawing takes of late
}

// A waiter is a picture that waits. It gets nil when it is its turn.
type waiter struct{ turn chan error }

func newDrawQueue(places, limit int) *drawQueue {
	return &drawQueue{places: places, limit: limit, lines: map[netip.Addr][]*waiter{}}
}

// draw runs fn for an address when it is its turn, or returns a Busy.
func (q *drawQueue) draw(from netip.Addr, fn func()) error {
	if err := q.enter(from); err != nil {
		return err
	}
	began := time.Now()
	defer func() { q.leave(time.Since(began)) }()
	fn()
	return nil
}

// enter waits for a place.
func (q *drawQueue) enter(from netip.Addr) error {
	q.mu.Lock()
	if q.busy < q.places {
		q.busy++
		q.mu.Unlock()
		return nil
	}
	wait := q.wait(from)
	if wait > maxWait || q.waiting >= q.limit && !q.makeRoom(from) {
		q.mu.Unlock()
		return busyFor(wait)
	}
	w := &waiter{turn: make(chan error, 1)}
	if q.lines[from] == nil {
		q.turns = append(q.turns, from)
	}
	q.lines[from] = append(q.lines[from], w)
	q.waiting++
	q.mu.Unlock()
	return <-w.turn
}

func busyFor(wait time.Duration) Busy {
	return Busy{RetryAfter: max(wait.Round(time.Second), time.Second)}
}

// wait is how long the next picture of an address can expect to wait: for its own
// line, and for as many turns of each other line. The caller holds mu.
func (q *drawQueue) wait(from netip.Addr) time.Duration {
	mine, before := len(q.lines[from])+1, 0
	for _, line := range q.lines {
		before += min(len(line), mine)
	}
	if q.lines[from] == nil {
		before++ // its own place
	}
	return time.Duration(before) * q.average / time.Duration(q.places)
}

// makeRoom refuses the newest picture of the longest line, unless the line of from is
// as long. The caller holds mu.
func (q *drawQueue) makeRoom(from netip.Addr) bool {
	var longest netip.Addr
	for a, line := range q.lines {
		if len(line) > len(q.lines[longest]) {
			longest = a
		}
	}
	line := q.lines[longest]
	if len(line) < len(q.lines[from])+2 {
		return false
	}
	line[len(line)-1].turn <- busyFor(q.wait(longest))
	q.lines[longest] = line[:len(line)-1]
	q.waiting--
	return true
}

// leave gives the place to the first of the line whose turn it is.
func (q *drawQueue) leave(took time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.average += (took - q.average) / 8
	if len(q.turns) == 0 {
		q.busy--
		return
	}
	next := q.turns[0]
	q.turns = q.turns[1:]
	line := q.lines[next]
	line[0].turn <- nil
	q.waiting--
	if line = line[1:]; len(line) > 0 {
		q.lines[next] = line
		q.turns = append(q.turns, next)
	} else {
		delete(q.lines, next)
	}
}

// length returns how many wait.
func (q *drawQueue) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.waiting
}
