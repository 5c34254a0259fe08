package directory

import (
	"context"
	"sync"
	"time"

	"petsupply/internal/pet"
)

const (
	gatherReads = 2   // reads of the store at once
	gatherIDs   = 512 // pets in one read
	gatherTime  = 10 * time.Second
)

// A gatherer looks single pets up for many callers. While as many reads are
// under way as the store should have from us, whoever comes waits for the next
// one, which reads for all of them: a thousand callers with as many different
// pets cost a few reads, and a single caller waits for nobody.
type gatherer struct {
	read func(context.Context, []uint64) (map[uint64]*pet.Prepared, error)

	mu      sync.Mutex
	reads   int         // under way
	waiting []*gathered // for the next ones, each but the last full
}

// A gathered is one read, under way or still to be made.
type gathered struct {
	ids   []uint64
	done  chan struct{} // closed when what follows is there
	found map[uint64]*pet.Prepared
	err   error
}

// pet returns the pet with this id, and whether there is one. The end of ctx
// ends the waiting, not the read, which others may be waiting for.
func (g *gatherer) pet(ctx context.Context, id uint64) (*pet.Prepared, bool, error) {
	r := g.join(ctx, id)
	select {
	case <-r.done:
		k, ok := r.found[id]
		return k, ok, r.err
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
}

// join adds id to a read that has not begun, or begins one.
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

// run makes a read, and then those that wait.
func (g *gatherer) run(ctx context.Context, r *gathered) {
	for r != nil {
		g.once(ctx, r)
		g.mu.Lock()
		r = nil
		if len(g.waiting) > 0 {
			r, g.waiting = g.waiting[0], g.waiting[1:]
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
