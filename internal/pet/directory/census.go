package directory

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/pet"
)

const (
	censusFor   = time.Second // for which a census is kept at least
	censusShare = 50          // it is read for at most one part in so many of the time
)

// A cachedCensus is the census that was read last. Its zero value is ready.
type cachedCensus struct {
	last    atomic.Pointer[heldCensus]
	reading sync.Mutex
}

type heldCensus struct {
	*pet.Census
	until time.Time
}

// Census returns how many pets there are of each kind, as they were a moment
// ago. While it is read again, or the store is away, the last one goes on
// answering.
func (d *Directory) Census(ctx context.Context) (*pet.Census, error) {
	c, began := &d.census, time.Now()
	last := c.last.Load()
	if last != nil && (began.Before(last.until) || !c.reading.TryLock()) {
		return last.Census, nil
	}
	if last == nil {
		c.reading.Lock()
	}
	defer c.reading.Unlock()
	if other := c.last.Load(); other != last { // read while this one waited
		return other.Census, nil
	}
	now, err := d.Reader.PetCensus(ctx)
	if err != nil && last == nil {
		return nil, d.unavailable(err)
	}
	if err != nil {
		now = last.Census
	}
	c.last.Store(&heldCensus{now, time.Now().Add(max(censusFor, censusShare*time.Since(began)))})
	return now, nil
}
