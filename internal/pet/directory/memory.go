package directory

import (
	"github.com/maypok86/otter/v2"

	"petsupply/internal/pet"
)

// A memory has the pets that a Directory remembers. It is bounded. It first forgets pets that were
// not used lately.
type memory struct {
	stored cache
	stop   func() bool // stops the cache's goroutines
}

// A cache is an *otter.Cache by id. If a struct field had that type, every package that imports
// this one would compile all methods of otter.Cache again.
type cache interface {
	GetIfPresent(id uint64) (*pet.Prepared, bool)
	Set(id uint64, value *pet.Prepared) (*pet.Prepared, bool)
	Invalidate(id uint64) (*pet.Prepared, bool)
	InvalidateAll()
}

func newMemory(pets int) *memory {
	c := otter.Must(&otter.Options[uint64, *pet.Prepared]{MaximumSize: pets})
	return &memory{stored: c, stop: c.StopAllGoroutines}
}

// pet returns a remembered pet.
func (m *memory) pet(id uint64) (*pet.Prepared, bool) { return m.stored.GetIfPresent(id) }

func (m *memory) forget(ids []uint64) {
	for _, id := range ids {
		m.stored.Invalidate(id)
	}
}

func (m *memory) forgetAll() { m.stored.InvalidateAll() }

// close stops the cache's goroutines. The cache still answers.
func (m *memory) close() { m.stop() }
