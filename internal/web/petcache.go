package web

import (
	"fmt"

	"github.com/maypok86/otter/v2"

	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
)

// petCacheBytes bounds the memory of the answers in a petCache.
const petCacheBytes = 12 << 20

// A petCache keeps answers about pets: pictures, and compressed documents. An answer is used only
// while Pets.Peek still returns the pointer that the answer was made from. So nothing has to be
// dropped when a pet changes.
type petCache struct {
	pets Pets
	// load and store are methods of an otter.Cache. A field of that generic type would make every
	// package that uses a Server compile the cache again.
	load  func(petKey) (petAnswer, bool)
	store func(petKey, petAnswer) (petAnswer, bool)
}

type petKey struct {
	target   string
	encoding answer.Encoding // the result of answer.Negotiate
}

type petAnswer struct {
	pet   *pet.Prepared
	entry *answer.Entry
}

// entryCost estimates the memory of an entry besides its bytes.
const entryCost = 1024

func newPetCache(pets Pets) (*petCache, error) {
	answers, err := newAnswers(petCacheBytes)
	if err != nil {
		return nil, fmt.Errorf("making the cache of pets' answers: %w", err)
	}
	return &petCache{pets: pets, load: answers.GetIfPresent, store: answers.Set}, nil
}

// newAnswers makes a cache of this many bytes. A full cache drops answers that were not used
// recently.
func newAnswers(bytes uint64) (*otter.Cache[petKey, petAnswer], error) {
	return otter.New(&otter.Options[petKey, petAnswer]{
		MaximumWeight: bytes,
		Weigher: func(_ petKey, a petAnswer) uint32 {
			return uint32(len(a.entry.Body) + len(a.entry.Head) + len(a.entry.Head304) + entryCost)
		},
	})
}

// get returns the answer to a request target in an encoding, or nil. It does not keep the string
// target, which may be overwritten later.
func (c *petCache) get(target string, e answer.Encoding) *answer.Entry {
	a, ok := c.load(petKey{target, e})
	if !ok {
		return nil
	}
	if k, ok := c.pets.Peek(a.pet.ID); !ok || k != a.pet {
		return nil
	}
	return a.entry
}

// storing returns a function that keeps the answer resp to the request q. The answer was made from
// the pet k. storing returns nil if the request target is not a path or is too long to keep, or if
// the answer has no Last-Modified yet because the pet changed only recently.
func (c *petCache) storing(q *answer.Request, k *pet.Prepared, resp *answer.Response) func(*answer.Entry) {
	if resp.Modified.IsZero() || q.RequestURI == "" || q.RequestURI[0] != '/' || len(q.RequestURI) > 256 {
		return nil
	}
	return func(entry *answer.Entry) {
		c.store(petKey{q.RequestURI, answer.Negotiate(q.Header["Accept-Encoding"])}, petAnswer{k, entry})
	}
}
