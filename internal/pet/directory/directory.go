// Package directory is where a pet is found by its id: in memory, else in the
// store, and a pet that the store never had, once, on its chain. Make a
// Directory with New, and let Run follow the store's changes, so that memory
// stays true to it.
package directory

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/singleflight"

	"petsupply/internal/pet"
	"petsupply/internal/turns"
)

// Reader is where a Directory finds pets. *store.Store is one.
type Reader interface {
	// PetsByID returns the pets of the ids that are known, as they are published.
	PetsByID(ctx context.Context, ids []uint64) (map[uint64]pet.Pet, error)
	// ListPets returns at most q.Limit pets that q selects, in its order, from a
	// position on, and the position from which to go on; the zero position is the
	// start, and means that there are no more.
	ListPets(ctx context.Context, q pet.Query, from pet.PagePosition) ([]pet.Pet, pet.PagePosition, error)
	// PetHistory returns a pet's latest changes, newest first.
	PetHistory(ctx context.Context, id uint64, limit int) ([]pet.Change, error)
	// PetCensus returns how many pets there are of each kind.
	PetCensus(ctx context.Context) (*pet.Census, error)
}

// Feed is how a Directory learns of changes, and tells the indexers of pets
// that the store does not have. *store.Store is one.
type Feed interface {
	// LastPetChange returns the latest change, the zero mark for none.
	LastPetChange(ctx context.Context) (pet.FeedMark, error)
	// PetChanges returns the changes after a mark, in order, at most limit;
	// pet.ErrFeedReset if the mark is not there.
	PetChanges(ctx context.Context, after pet.FeedMark, limit int) ([]pet.FeedMark, error)
	// ChangesSince returns the changes after the one with that number, or from the
	// oldest on, at most limit; pet.OutsideFeed if they are not all kept.
	ChangesSince(ctx context.Context, since *uint64, limit int) ([]pet.Change, error)
	// WantPet asks the leader's indexers of these realms to look at a pet.
	WantPet(ctx context.Context, id uint64, realms []string) error
}

// Config is what a Directory needs; zero limits mean the defaults.
type Config struct {
	*pet.Kingdom
	Chains map[string]Chain // by name, for the open realms
	Reader Reader
	Feed   Feed
	Log    *slog.Logger

	// Imported gives a pet that is read from its chain the traits that were imported.
	// It is set where contracts have no traits.
	Imported func(context.Context, *pet.Observation) error

	// Complete: the store has all pets that there are, and no chain is asked.
	Complete bool

	Memory     int           // pets kept in memory, default 100,000
	ChainReads int           // pets looked up on chains at once, default 16
	Timeout    time.Duration // of one look-up on a chain, default 5 s
	Poll       time.Duration // how often changes are looked for, default 250 ms
}

// A Directory answers for all pets. It is safe for concurrent use. Memory is
// kept true by Run; without it nothing is remembered.
type Directory struct {
	Config
	metrics *metrics

	gatherer   gatherer // reads the store for single pets
	chainReads *turns.Queue
	flight     singleflight.Group
	census     cachedCensus
	memory     *memory
	ends       sync.Map // by the realm's key, its end
	warned     sync.Map // by message, the minute in which it was logged last

	// generation counts batches of changes. What was read from the store before
	// a batch is not kept after it, for it may be older than the change.
	mu          sync.RWMutex
	generation  uint64
	following   bool // Run keeps memory true
	subscribers []func(ids []uint64)
}

// New makes a directory; Run must be called for it to remember and to notice
// changes.
func New(cfg Config) *Directory {
	cfg.Memory = cmp.Or(cfg.Memory, 100_000)
	cfg.ChainReads = cmp.Or(cfg.ChainReads, 16)
	cfg.Timeout = cmp.Or(cfg.Timeout, 5*time.Second)
	cfg.Poll = cmp.Or(cfg.Poll, 250*time.Millisecond)
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	d := &Directory{Config: cfg, metrics: newMetrics(), memory: newMemory(cfg.Memory),
		chainReads: turns.New("lookups", cfg.ChainReads, 4*cfg.ChainReads)}
	d.gatherer.read = d.readStore
	return d
}

// Close ends the goroutines of the memory. The directory still answers.
func (d *Directory) Close() { d.memory.close() }

type metrics struct {
	lookups *prometheus.CounterVec
	memory  prometheus.Counter // lookups answered from memory, the usual case
	polls   *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{
		lookups: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_pet_lookups_total",
			Help: "Pets looked up, by where the answer came from."}, []string{"from"}),
		polls: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_pet_polls_total",
			Help: "Looks into the store for changes, by outcome."}, []string{"outcome"}),
	}
	m.memory = m.lookups.WithLabelValues("memory")
	return m
}

// Collectors returns the directory's metrics, for main to register.
func (d *Directory) Collectors() []prometheus.Collector {
	return []prometheus.Collector{d.metrics.lookups, d.metrics.polls}
}
