package web

import (
	"fmt"

	"github.com/maypok86/otter/v2"

	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
)

// petCacheBytes bounds the answers of pets that are kept.
const petCacheBytes = 12 << 20

// A petCache keeps the answers of pets: pictures, and documents that are
// compressed. An answer is good as long as the pet that it was made of is the
// one in memory, so that nothing has to be dropped when a pet changes.
type petCache struct {
	pets    Pets
	answers answers
}

// answers drop what was not used lately. *otter.Cache is one: as an interface, its
// code is compiled here, and not once more in every package that knows a Server.
type answers interface {
	GetIfPresent(petKey) (petAnswer, bool)
	Set(petKey, petAnswer) (petAnswer, bool)
}

type petKey struct {
	target   string
	encoding answer.Encoding // that its caller wants
}

type petAnswer struct {
	pet *pet.Prepared
	rep *answer.Representation
}

// representationCost is about what a representation takes beside its bytes.
const representationCost = 1024

func newPetCache(pets Pets, bytes uint64) (*petCache, error) {
	answers, err := otter.New(&otter.Options[petKey, petAnswer]{
		MaximumWeight: bytes,
		Weigher: func(_ petKey, a petAnswer) uint32 {
			return uint32(len(a.rep.Body) + len(a.rep.Head) + len(a.rep.Head304) + representationCost)
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making the cache of pets' answers: %w", err)
	}
	return &petCache{pets, answers}, nil
}

// get returns the answer to a request target in an encoding, or nil. It keeps
// nothing of the target.
func (c *petCache) get(target string, e answer.Encoding) *answer.Representation {
	a, ok := c.answers.GetIfPresent(petKey{target, e})
	if !ok {
		return nil
	}
	if k, ok := c.pets.Peek(a.pet.ID); !ok || k != a.pet {
		return nil
	}
	return a.rep
}

// storing returns the function that keeps the answer of k to q, or nil where
// such answers are not kept: of a target that is too odd, or of a pet that
// changed so recently that its answer gets a date later.
func (c *petCache) storing(q *answer.Request, k *pet.Prepared, resp *answer.Response) func(*answer.Representation) {
	if resp.Modified.IsZero() || q.RequestURI == "" || q.RequestURI[0] != '/' || len(q.RequestURI) > 256 {
		return nil
	}
	return func(rep *answer.Representation) {
		c.answers.Set(petKey{q.RequestURI, answer.Negotiate(q.Header["Accept-Encoding"])}, petAnswer{k, rep})
	}
}
