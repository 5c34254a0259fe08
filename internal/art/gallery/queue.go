package gallery

import (
	"fmt"
	"sync/atomic"
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

// A drawQueue lets a few draw at a time and refuses when the wait would be too long.
type drawQueue struct {
	free    chan struct{}
	queue   int64        // how many may wait
	waiting atomic.Int64 // how many do
	average atomic.Int64 // nanoseconds that a drawing takes of late
}

func newDrawQueue(n, queue int) *drawQueue {
	return &drawQueue{free: make(chan struct{}, n), queue: int64(queue)}
}

// draw runs fn when it is its turn, or returns a Busy at once.
func (q *drawQueue) draw(fn func()) error {
	select {
	case q.free <- struct{}{}:
	default:
		n := q.waiting.Add(1)
		if wait := q.wait(n); n > q.queue || wait > maxWait {
			q.waiting.Add(-1)
			return Busy{RetryAfter: max(wait.Round(time.Second), time.Second)}
		}
		q.free <- struct{}{}
		q.waiting.Add(-1)
	}
	defer func() { <-q.free }()
	began := time.Now()
	fn()
	q.learn(time.Since(began))
	return nil
}

// wait is how long the n-th in the queue can expect to wait.
func (q *drawQueue) wait(n int64) time.Duration {
	return time.Duration(n * q.average.Load() / int64(cap(q.free)))
}

// learn moves the average an eighth of the way. Two that learn at once may lose
// one lesson, which does not matter.
func (q *drawQueue) learn(took time.Duration) {
	old := q.average.Load()
	q.average.Store(old + (int64(took)-old)/8)
}
