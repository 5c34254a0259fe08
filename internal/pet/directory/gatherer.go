package directory

import (
	"context"
	"sync"
	"time"

	"petsupply/internal/pet"
)

const (
	gatherReads = 2   // reads of the store at the same time
	gatherIDs   = 512 // most pets in one read
	gatherTime  = 10 * time.Second
)

// A gatherer looks up single pets for many callers. While the allowed number of reads is under way,
// new callers wait for the next read, which reads for all of them. A thousand callers cost only a
// few reads, and a single caller waits for nobody.
type gatherer struct {
	read func(context.Context, []uint64) (map[uint64]*pet.Prepared, error)

	mu      sync.Mutex
	reads   int         // reads under way
	waiting []*gathered // the next reads; all but the last are full
}

// A gathered is one read, under way or waiting.
type gathered struct {
	ids   []uint64
	done  chan struct{} // closed when the fields below are set
	found map[uint64]*pet.Prepared
	err   error
}

// pet returns the pet with this id, and whether the store has it. The end of ctx ends the waiting,
// not the read, because other callers may wait for the read.
func (g *gatherer) pet(ctx context.Context, id uint64) (*pet.Prepared, bool, error) {
	r := g.join(ctx, id)
	select {
	case <-r.done:
		p, ok := r.found[id]
		return p, ok, r.err
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

// join adds id to a read that has not begun, or begins a read.
func (g *gatherer) join(ctx context.Context, id uint64) *gathered {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.reads < gatherReads {
		g.reads++
		r := &gathered{ids: []uint64{id}, done: make(chan struct{})}
		go g.run(context.WithoutCancel(ctx), r)
		return r
	}
	last := len(g.waiting) - 1
	if last < 0 || len(g.waiting[last].ids) == gatherIDs {
		g.waiting = append(g.waiting, &gathered{done: make(chan struct{})})
		last++
	}
	r := g.waiting[last]
	r.ids = append(r.ids, id)
	return r
}

// run makes the read r, and then the reads that wait.
func (g *gatherer) run(ctx context.Context, r *gathered) {
	for r != nil {
		g.once(ctx, r)
		g.mu.Lock()
		r = nil
		if len(g.waiting) > 0 {
			r = g.waiting[0]
			g.waiting = g.waiting[1:]
		} else {
			g.reads--
		}
		g.mu.Unlock()
	}
}

func (g *gatherer) once(ctx context.Context, r *gathered) {
	ctx, cancel := context.WithTimeout(ctx, gatherTime)
	defer cancel()
	defer close(r.done)
	r.found, r.err = g.read(ctx, r.ids)
}
