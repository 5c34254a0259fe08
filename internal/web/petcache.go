package web

import (
	"petsupply/internal/cache"
	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
)

// petCacheBytes bounds the memory of the answers in a petCache.
const petCacheBytes = 12 << 20

// A petCache keeps answers about pets: pictures, and compressed documents. An answer is used only
// while Pets.Peek still returns the pointer that the answer was made from. So nothing has to be
// dropped when a pet changes.
type petCache struct {
	pets    Pets
	answers *cache.Cache[petKey, petAnswer]
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

func newPetCache(pets Pets, bytes int) *petCache {
	weight := func(_ petKey, a petAnswer) int {
		return cap(a.entry.Body) + len(a.entry.Head) + len(a.entry.Head304) + entryCost
	}
	return &petCache{pets: pets, answers: cache.NewWeighed(bytes, weight)}
}

// get returns the answer to a request target in an encoding, or nil. It does not keep the string
// target, which may be overwritten later.
func (c *petCache) get(target string, e answer.Encoding) *answer.Entry {
	a, ok := c.answers.Get(petKey{target, e})
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
		encoding := answer.Negotiate(answer.Joined(q.Header, "Accept-Encoding"))
		c.answers.Set(petKey{q.RequestURI, encoding}, petAnswer{k, entry})
	}
}
