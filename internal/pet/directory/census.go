package directory

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
)

// A Directory spends at most 1/censusShare of its time on reading the census. It spends at most
// 1/ownersShare on counting the owners, which reads every pet.
const (
	censusShare = 50
	ownersShare = 1000
)

// A cached[T] keeps the last T that was read, for at least a second. Its zero value is ready to
// use.
type cached[T any] struct {
	last    atomic.Pointer[cachedValue[T]]
	reading sync.Mutex
}

type cachedValue[T any] struct {
	value T
	until time.Time
}

// get returns the last value, or reads it again if it is old. While another caller reads it, or if
// it cannot be read, get returns the last value. If there is none, get waits for the other caller,
// or returns the error. After the first value, at most 1/share of the time is spent on reading.
func (c *cached[T]) get(share time.Duration, read func() (T, error)) (value T, err error) {
	began := time.Now()
	last := c.last.Load()
	if last != nil && (began.Before(last.until) || !c.reading.TryLock()) {
		return last.value, nil
	}
	if last == nil {
		c.reading.Lock()
	}
	defer c.reading.Unlock()
	if other := c.last.Load(); other != last { // another caller has read it meanwhile
		return other.value, nil
	}
	value, err = read()
	if err != nil && last == nil {
		return value, err
	}
	if err != nil {
		value = last.value
	}
	c.last.Store(&cachedValue[T]{value, time.Now().Add(max(time.Second, share*time.Since(began)))})
	return value, nil
}

// Census returns the numbers of pets, as of a moment ago.
func (d *Directory) Census(ctx context.Context) (*pet.Census, error) {
	c, err := d.census.get(censusShare, func() (*pet.Census, error) { return d.Reader.PetCensus(ctx) })
	if err != nil {
		return nil, d.unavailable(err)
	}
	return c, nil
}

// Owners returns how many addresses own pets, and those with the most pets. Bridges are not
// counted.
func (d *Directory) Owners(ctx context.Context) (pet.Owners, error) {
	owners, err := d.owners.get(ownersShare, func() (pet.Owners, error) {
		var bridges []common.Address
		for _, r := range d.Realms {
			bridges = append(bridges, r.Custody...)
		}
		return d.Reader.PetOwners(ctx, bridges)
	})
	if err != nil {
		return pet.Owners{}, d.unavailable(err)
	}
	return owners, nil
}
