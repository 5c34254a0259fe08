package directory

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

// slowReader answers after a while and counts the reads.
type slowReader struct {
	reads, most, now atomic.Int64
	err              error
}

func (s *slowReader) read(ctx context.Context, ids []uint64) (map[uint64]*pet.Prepared, error) {
	s.reads.Add(1)
	if now := s.now.Add(1); now > s.most.Load() {
		s.most.Store(now)
	}
	defer s.now.Add(-1)
	select {
	case <-time.After(10 * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	found := map[uint64]*pet.Prepared{}
	for _, id := range ids {
		if id%2 == 0 {
			found[id] = pet.Prepare(traits.Pets(), pet.Pet{ID: id})
		}
	}
	return found, s.err
}

func TestManyCallersCostFewReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slowReader{}
		g := &gatherer{read: s.read}
		var all sync.WaitGroup
		for id := range uint64(2000) {
			all.Go(func() {
				p, ok, err := g.pet(t.Context(), id)
				if err != nil || ok != (id%2 == 0) || ok && p.ID != id {
					t.Errorf("pet %d: %v %t %v", id, p.ID, ok, err)
				}
			})
		}
		all.Wait()
		synctest.Wait()
		if n := s.reads.Load(); n > 2+2000/gatherIDs+1 {
			t.Errorf("%d reads", n)
		}
		if n := s.most.Load(); n > gatherReads {
			t.Errorf("%d reads at once", n)
		}
		if g.reads != 0 || len(g.waiting) != 0 {
			t.Errorf("%d reads, %d waiting after all is over", g.reads, len(g.waiting))
		}
	})
}

func TestACallersCancellationFailsNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &gatherer{read: (&slowReader{}).read}
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range gatherReads { // the reads under way belong to a caller that leaves
			all.Go(func() {
				if _, _, err := g.pet(ctx, 2); !errors.Is(err, context.Canceled) {
					t.Errorf("the caller that left got %v", err)
				}
			})
		}
		synctest.Wait()
		all.Go(func() {
			if _, ok, err := g.pet(t.Context(), 4); !ok || err != nil {
				t.Errorf("the caller that stayed got %t, %v", ok, err)
			}
		})
		synctest.Wait()
		leave()
		all.Wait()
	})
}

func TestEveryCallerGetsTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := errors.New("gone")
		g := &gatherer{read: (&slowReader{err: gone}).read}
		var all sync.WaitGroup
		for id := range uint64(20) {
			all.Go(func() {
				if _, _, err := g.pet(t.Context(), id); !errors.Is(err, gone) {
					t.Errorf("pet %d: %v", id, err)
				}
			})
		}
		all.Wait()
	})
}
