package web

import (
	"hash/maphash"
	"sync"
	"time"
)

// hotLife bounds how long an answer of a pet is served without a look at the
// pet itself, should the news of a change be lost.
const hotLife = 10 * time.Second

// A hot table keeps the answers of pets that are asked for often, bounded in
// bytes. It keeps two generations: what is not asked for while one fills up is
// dropped with the next. A changed pet's answers are dropped at once.
type hot struct {
	max  int // bytes of one generation
	seed maphash.Seed

	mu    sync.RWMutex
	epoch uint64 // goes up with every change, so that what was begun before is not kept after
	young generation
	old   generation
	door  [1 << 12]uint64 // bits of targets asked for once, forgotten when half are set
	asked int
}

type generation struct {
	bytes int
	byKey map[string]*hotEntry
	byID  map[uint64][]string
}

type hotEntry struct {
	entry
	target string
	id     uint64
	until  time.Time
	bytes  int
}

func newHot(bytes int) *hot {
	return &hot{max: bytes / 2, seed: maphash.MakeSeed(), young: newGeneration(), old: newGeneration()}
}

func newGeneration() generation {
	return generation{byKey: map[string]*hotEntry{}, byID: map[uint64][]string{}}
}

// begin is called before a pet is looked up; offer refuses what a change has
// overtaken since.
func (h *hot) begin() uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.epoch
}

// get returns the answer for a request target, or nil.
func (h *hot) get(target string, now time.Time) *entry {
	h.mu.RLock()
	e, aged := h.young.byKey[target], false
	if e == nil {
		e = h.old.byKey[target]
		aged = e != nil
	}
	h.mu.RUnlock()
	if e == nil || !now.Before(e.until) {
		return nil
	}
	if aged {
		h.mu.Lock()
		if h.old.byKey[target] == e { // not dropped meanwhile
			h.young.put(e)
		}
		h.mu.Unlock()
	}
	return &e.entry
}

// admit reports whether the target was asked for before, and remembers it. The
// caller holds mu.
func (h *hot) admit(target string) bool {
	bit := maphash.String(h.seed, target) % uint64(len(h.door)*64)
	word, mask := bit/64, uint64(1)<<(bit%64)
	if h.door[word]&mask != 0 {
		return true
	}
	if h.asked++; h.asked > len(h.door)*32 {
		clear(h.door[:])
		h.asked = 0
	}
	h.door[word] |= mask
	return false
}

// wants reports whether an answer that was begun at epoch would be kept.
func (h *hot) wants(target string, epoch uint64) bool {
	if h.max == 0 || target == "" || target[0] != '/' || len(target) > 256 {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.admit(target) && epoch == h.epoch
}

// put keeps e, unless the pet changed since epoch.
func (h *hot) put(epoch uint64, e *hotEntry) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if epoch != h.epoch || e.bytes > h.max/8 {
		return false
	}
	if before := h.young.byKey[e.target]; before != nil && before.tag == e.tag && before.forms[identity].modified.Equal(e.forms[identity].modified) {
		for enc, made := range before.made { // other callers wanted these
			if made && !e.made[enc] {
				e.made[enc] = true
				if f := before.forms[enc]; f != nil {
					e.keep(f)
				}
			}
		}
	}
	h.young.put(e)
	if h.young.bytes > h.max {
		h.old, h.young = h.young, newGeneration()
	}
	return true
}

func (g *generation) put(e *hotEntry) {
	if before := g.byKey[e.target]; before != nil {
		g.bytes -= before.bytes
	} else {
		g.byID[e.id] = append(g.byID[e.id], e.target)
	}
	g.byKey[e.target] = e
	g.bytes += e.bytes
}

// clear forgets everything.
func (h *hot) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.epoch++
	h.young, h.old = newGeneration(), newGeneration()
}

// drop forgets every answer of these pets.
func (h *hot) drop(ids []uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.epoch++
	for _, g := range []*generation{&h.young, &h.old} {
		for _, id := range ids {
			for _, target := range g.byID[id] {
				g.bytes -= g.byKey[target].bytes
				delete(g.byKey, target)
			}
			delete(g.byID, id)
		}
	}
}
