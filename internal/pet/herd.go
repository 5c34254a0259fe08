package pet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
)

// Shelf is where a Herd finds pets. *store.Store is one.
type Shelf interface {
	// PetsByID returns the pets of the ids that are known, as they are published.
	PetsByID(ctx context.Context, ids []uint64) (map[uint64]Pet, error)
	// ListPets returns at most q.Limit pets with ids above after that q selects,
	// ascending, and the id after which to go on, 0 if there are no more.
	ListPets(ctx context.Context, q Query, after uint64) ([]Pet, uint64, error)
	// PetHistory returns a pet's latest changes, newest first.
	PetHistory(ctx context.Context, id uint64, limit int) ([]Change, error)
	// PetCounts returns how many pets are in each realm, by its key.
	PetCounts(ctx context.Context) (map[string]uint64, error)
}

// Feed is how a Herd learns of changes and passes on what it met. *store.Store
// is one.
type Feed interface {
	// LastPetChange returns the number of the latest change, 0 for none.
	LastPetChange(ctx context.Context) (uint64, error)
	// PetChanges returns which pets changed after seq, at most limit, and the
	// number of the change up to which that is all.
	PetChanges(ctx context.Context, seq uint64, limit int) ([]uint64, uint64, error)
	// WantPet asks the leader's indexers of these realms to look at a pet.
	WantPet(ctx context.Context, id uint64, realms []string) error
	// PetNear returns a pet of realm, share of the way (0 up to 1) through its ids.
	PetNear(ctx context.Context, realm string, share float64) (uint64, error)
}

// HerdConfig is what a Herd needs; zero limits mean the defaults.
type HerdConfig struct {
	Realms []Realm
	Chains map[string]Latest // by name, for the open realms
	Shelf  Shelf
	Feed   Feed
	Log    *slog.Logger

	// Complete: the store has all pets that there are, and no chain is asked.
	Complete bool

	Memory  int           // pets kept in memory, default 100,000
	Asking  int           // reads through to chains at once, default 16
	Timeout time.Duration // of one read through, default 5 s
	Poll    time.Duration // how often changes are looked for, default 250 ms
}

// A Herd answers for all pets: from memory, else from the store, and for a pet
// that was never seen once from its chain. It is safe for concurrent use.
// Memory is kept true by Run; without it nothing is remembered.
type Herd struct {
	HerdConfig
	metrics *herdMetrics

	crowd  gatherer // reads the store for single pets
	asking *semaphore.Weighted
	flight singleflight.Group
	known  *otter.Cache[uint64, *Kept]    // as stored
	fresh  *otter.Cache[uint64, *Kept]    // read through, until the indexer has it
	none   *otter.Cache[uint64, struct{}] // asked for in vain, for seconds

	// turn counts batches of changes. What was read from the store before a
	// batch is not kept after it, for it may be older than the change.
	mu   sync.RWMutex
	turn uint64
	live bool // Run keeps memory true

	subscribers []func(ids []uint64) // guarded by mu
}

const (
	freshFor = 30 * time.Second
	noneFor  = 3 * time.Second
	maxNone  = 100_000
)

// NewHerd makes a herd; Run must be called for it to remember and to notice
// changes.
func NewHerd(cfg HerdConfig) (*Herd, error) {
	set := func(n *int, d int) {
		if *n == 0 {
			*n = d
		}
	}
	set(&cfg.Memory, 100_000)
	set(&cfg.Asking, 16)
	if cfg.Timeout == 0 {
		cfg.Timeout = 5 * time.Second
	}
	if cfg.Poll == 0 {
		cfg.Poll = 250 * time.Millisecond
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	h := &Herd{HerdConfig: cfg, metrics: newHerdMetrics(), asking: semaphore.NewWeighted(int64(cfg.Asking))}
	h.crowd.read = h.stored
	var errs [3]error
	h.known, errs[0] = otter.New(&otter.Options[uint64, *Kept]{MaximumSize: cfg.Memory})
	h.fresh, errs[1] = otter.New(&otter.Options[uint64, *Kept]{MaximumSize: cfg.Memory, ExpiryCalculator: otter.ExpiryWriting[uint64, *Kept](freshFor)})
	h.none, errs[2] = otter.New(&otter.Options[uint64, struct{}]{MaximumSize: maxNone, ExpiryCalculator: otter.ExpiryWriting[uint64, struct{}](noneFor)})
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("making the memory of pets: %w", err)
	}
	return h, nil
}

// Close ends the clocks of the memory. The herd still answers.
func (h *Herd) Close() {
	h.known.StopAllGoroutines()
	h.fresh.StopAllGoroutines()
	h.none.StopAllGoroutines()
}

// Pet returns the pet with this id: ErrNotFound if there is none,
// ErrUnavailable if that cannot be said now.
func (h *Herd) Pet(ctx context.Context, id uint64) (Pet, error) {
	k, err := h.Kept(ctx, id)
	if err != nil {
		return Pet{}, err
	}
	return k.Pet, nil
}

// Kept is Pet, with what memory has prepared of it.
func (h *Herd) Kept(ctx context.Context, id uint64) (*Kept, error) {
	if k, ok := h.Peek(id); ok {
		return k, nil
	}
	if _, ok := native(h.Realms, id); !ok {
		return nil, fmt.Errorf("pet %d is outside every realm: %w", id, ErrNotFound)
	}
	k, ok, err := h.crowd.pet(ctx, id)
	switch {
	case ctx.Err() != nil:
		return nil, h.away(ctx.Err())
	case err != nil:
		return nil, err
	case ok:
		return k, nil
	}
	return h.ask(ctx, id)
}

// Pets returns what is found for each id, in the order asked.
func (h *Herd) Pets(ctx context.Context, ids []uint64) ([]Found, error) {
	list := make([]Found, len(ids))
	var missing []uint64
	for i, id := range ids {
		list[i].ID = id
		if k, ok := h.Peek(id); ok {
			list[i].Pet = k.Pet
			continue
		}
		if _, ok := native(h.Realms, id); !ok {
			list[i].Err = ErrNotFound
			continue
		}
		list[i].Err = ErrUnavailable
		missing = append(missing, id)
	}
	if len(missing) == 0 {
		return list, nil
	}
	slices.Sort(missing)
	found, err := h.stored(ctx, slices.Compact(missing))
	if err != nil {
		return list, nil // what memory has is still true; the rest says ErrUnavailable
	}
	var group errgroup.Group
	group.SetLimit(8)
	for i := range list {
		if !errors.Is(list[i].Err, ErrUnavailable) {
			continue
		}
		if k, ok := found[list[i].ID]; ok {
			list[i].Pet, list[i].Err = k.Pet, nil
			continue
		}
		group.Go(func() error {
			k, err := h.ask(ctx, list[i].ID)
			if list[i].Err = err; err == nil {
				list[i].Pet = k.Pet
			}
			return nil
		})
	}
	return list, group.Wait()
}

// Peek returns a pet if it is in memory, and does no work otherwise.
func (h *Herd) Peek(id uint64) (*Kept, bool) {
	k, ok := h.known.GetIfPresent(id)
	if !ok {
		k, ok = h.fresh.GetIfPresent(id)
	}
	if ok {
		h.metrics.memory.Inc()
	}
	return k, ok
}

// stored looks into the store, and remembers.
func (h *Herd) stored(ctx context.Context, ids []uint64) (map[uint64]*Kept, error) {
	h.mu.RLock()
	turn := h.turn
	h.mu.RUnlock()
	found, err := h.Shelf.PetsByID(ctx, ids)
	if err != nil {
		return nil, h.away(err)
	}
	kept := make(map[uint64]*Kept, len(found))
	for id, p := range found {
		kept[id] = Keep(p)
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	if h.live && turn == h.turn {
		for id, k := range kept {
			h.known.Set(id, k)
		}
	}
	h.metrics.answers.WithLabelValues("store").Add(float64(len(found)))
	return kept, nil
}

// away makes a store's error one that says: not now.
func (h *Herd) away(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	h.Log.Warn("pets: the store did not answer", "error", err)
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}
