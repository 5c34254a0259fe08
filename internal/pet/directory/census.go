package directory

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/pet"
)

const (
	censusFor   = time.Second // a census is kept at least this long
	censusShare = 50          // reading it takes at most 1/50 of the time
)

// A cachedCensus is the last census that was read. Its zero value is ready to use.
type cachedCensus struct {
	last    atomic.Pointer[heldCensus]
	reading sync.Mutex
}

type heldCensus struct {
	*pet.Census
	until time.Time
}

// Census returns the numbers of pets, as of a moment ago. While the census is being read again, or
// the store is away, the last census is returned.
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
	if other := c.last.Load(); other != last { // another caller has read it meanwhile
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
