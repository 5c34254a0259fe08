package directory

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/pet"
)

// A Directory spends at most 1/censusShare of its time on reading the census.
const censusShare = 50

// A census keeps the last census that was read, for at least a second. Its zero value is ready to
// use.
type census struct {
	last    atomic.Pointer[censusRead]
	reading sync.Mutex
}

type censusRead struct {
	census *pet.Census
	until  time.Time
}

// Census returns the numbers of pets, as of a moment ago. While another caller reads them, or if
// they cannot be read, it returns the last numbers. If there are none, it waits for the other
// caller, or returns the error.
func (d *Directory) Census(ctx context.Context) (*pet.Census, error) {
	c := &d.census
	began := time.Now()
	last := c.last.Load()
	if last != nil && (began.Before(last.until) || !c.reading.TryLock()) {
		return last.census, nil
	}
	if last == nil {
		c.reading.Lock()
	}
	defer c.reading.Unlock()
	if other := c.last.Load(); other != last { // another caller has read it meanwhile
		return other.census, nil
	}
	read, err := d.Reader.PetCensus(ctx)
	if err != nil && last == nil {
		return nil, d.unavailable(err)
	}
	if err != nil {
		read = last.census
	}
	pause := max(time.Second, censusShare*time.Since(began))
	c.last.Store(&censusRead{read, time.Now().Add(pause)})
	return read, nil
}
