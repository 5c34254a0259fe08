package art

import (
	"fmt"
	"sync/atomic"
	"time"
)

// Busy is the refusal of a picture because too many are waiting to be drawn.
// errors.Is(err, ErrBusy) finds it.
type Busy struct {
	RetryAfter time.Duration // when the queue will have been worked off
}

func (b Busy) Error() string { return fmt.Sprintf("%v: try again in %v", ErrBusy, b.RetryAfter) }

// Is makes every Busy an ErrBusy.
func (b Busy) Is(err error) bool { return err == ErrBusy }

// patience is how long a picture may have to wait for its turn.
const patience = time.Second

// slots let a few draw at a time and refuse when the wait would be too long.
type slots struct {
	free    chan struct{}
	queue   int64        // how many may wait
	waiting atomic.Int64 // how many do
	average atomic.Int64 // nanoseconds that a drawing takes of late
}

func newSlots(n, queue int) *slots {
	return &slots{free: make(chan struct{}, n), queue: int64(queue)}
}

// draw runs fn when it is its turn, or returns a Busy at once.
func (s *slots) draw(fn func()) error {
	select {
	case s.free <- struct{}{}:
	default:
		n := s.waiting.Add(1)
		if wait := s.wait(n); n > s.queue || wait > patience {
			s.waiting.Add(-1)
			return Busy{RetryAfter: max(wait.Round(time.Second), time.Second)}
		}
		s.free <- struct{}{}
		s.waiting.Add(-1)
	}
	defer func() { <-s.free }()
	began := time.Now()
	fn()
	s.learn(time.Since(began))
	return nil
}

// wait is how long the n-th in the queue can expect to wait.
func (s *slots) wait(n int64) time.Duration {
	return time.Duration(n * s.average.Load() / int64(cap(s.free)))
}

// learn moves the average an eighth of the way. Two that learn at once may lose
// one lesson, which does not matter.
func (s *slots) learn(took time.Duration) {
	old := s.average.Load()
	s.average.Store(old + (int64(took)-old)/8)
}
