package directory

import (
	"time"

	"github.com/maypok86/otter/v2"

	"petsupply/internal/pet"
)

const (
	unindexedFor = 30 * time.Second
	missingFor   = 30 * time.Second
	maxMissing   = 100_000
)

// A memory has the pets that a Directory remembers. It is bounded. It first forgets pets that were
// not used lately.
type memory struct {
	stored    cache[*pet.Prepared] // pets as the store has them
	unindexed cache[*pet.Prepared] // pets read from the chain, until the indexer has them
	missing   cache[time.Duration] // ids without a pet, and how long to keep each; a change of a pet removes its id
	stop      []func() bool        // stop the caches' goroutines
}

// A cache is an *otter.Cache by id. If a struct field had that type, every package that imports
// this one would compile all methods of otter.Cache again.
type cache[V any] interface {
	GetIfPresent(id uint64) (V, bool)
	Set(id uint64, value V) (V, bool)
	Invalidate(id uint64) (V, bool)
	InvalidateAll()
}

func newCache[V any](m *memory, o otter.Options[uint64, V]) cache[V] {
	c := otter.Must(&o)
	m.stop = append(m.stop, c.StopAllGoroutines)
	return c
}

func newMemory(pets int) *memory {
	m := &memory{}
	m.stored = newCache(m, otter.Options[uint64, *pet.Prepared]{MaximumSize: pets})
	m.unindexed = newCache(m, otter.Options[uint64, *pet.Prepared]{MaximumSize: pets,
		ExpiryCalculator: otter.ExpiryWriting[uint64, *pet.Prepared](unindexedFor)})
	m.missing = newCache(m, otter.Options[uint64, time.Duration]{MaximumSize: maxMissing,
		ExpiryCalculator: otter.ExpiryWritingFunc(
			func(e otter.Entry[uint64, time.Duration]) time.Duration { return e.Value })})
	return m
}

// pet returns a remembered pet.
func (m *memory) pet(id uint64) (*pet.Prepared, bool) {
	if p, ok := m.stored.GetIfPresent(id); ok {
		return p, true
	}
	return m.unindexed.GetIfPresent(id)
}

func (m *memory) forget(ids []uint64) {
	for _, id := range ids {
		m.stored.Invalidate(id)
		m.unindexed.Invalidate(id)
		m.missing.Invalidate(id)
	}
}

func (m *memory) forgetAll() {
	m.stored.InvalidateAll()
	m.unindexed.InvalidateAll()
	m.missing.InvalidateAll()
}

// close stops the caches' goroutines. The caches still answer.
func (m *memory) close() {
	for _, stop := range m.stop {
		stop()
	}
}
