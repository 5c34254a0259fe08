// Package directory finds a pet by its id: in memory, and else in the store. It never reads a chain.
// Make a Directory with New. Its Run follows the store's changes, so that memory stays up to date.
package directory

import (
	"cmp"
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/cache"
	"petsupply/internal/pet"
)

// Reader finds pets for a Directory. *store.Store implements it.
type Reader interface {
	// PetsByID returns the published pets with the given ids. A pet that no realm has any more is
	// returned as burned.
	PetsByID(ctx context.Context, ids []uint64) (map[uint64]pet.Pet, error)
	// MissingPets returns those of the ids that certainly no pet has. The realm home is the home of
	// all ids, and open has the keys of all open realms.
	MissingPets(ctx context.Context, home pet.Realm, open []string, ids []uint64) ([]uint64, error)
	// WhyUnread says why pets of the given realms may be missing, or returns "".
	WhyUnread(ctx context.Context, realms []string) (string, error)
	// ListPets returns at most q.Limit pets that q selects, in the order of q. The parameter from
	// says where it begins; the zero position is the start. ListPets also returns the position of
	// the next page, or the zero position if there are no more pets.
	ListPets(ctx context.Context, q pet.Query, from pet.PagePosition) ([]pet.Pet, pet.PagePosition, error)
	// PetHistory returns a pet's latest changes, at most limit, newest first.
	PetHistory(ctx context.Context, id uint64, limit int) ([]pet.Change, error)
	// PetCensus counts the pets: those of each realm, and those with each value of a field that is
	// counted.
	PetCensus(ctx context.Context) (*pet.Census, error)
}

// Feed tells a Directory about changes. *store.Store implements it.
type Feed interface {
	// LastPetChange returns the latest change, or the zero mark if there is none.
	LastPetChange(ctx context.Context) (pet.FeedMark, error)
	// PetChanges returns at most limit changes after a mark, in order. The error is
	// pet.ErrFeedReset if the mark's change is gone.
	PetChanges(ctx context.Context, after pet.FeedMark, limit int) ([]pet.FeedMark, error)
	// ChangesSince returns at most limit changes, in order. It starts after the change whose number
	// is *since, or with the oldest change if since is nil. The error is a pet.OutsideFeed if some
	// of the changes after *since are no longer kept, or if *since is above the newest number.
	ChangesSince(ctx context.Context, since *uint64, limit int) ([]pet.Change, error)
}

// Config configures a Directory. Zero limits mean the defaults.
type Config struct {
	*pet.Registry
	Reader Reader
	Feed   Feed
	Log    *slog.Logger

	Memory int           // pets kept in memory, default 100,000
	Poll   time.Duration // pause between checks for changes, default 250 ms
}

// A Directory finds pets. It is safe for concurrent use. It remembers pets only while Run keeps
// them up to date.
type Directory struct {
	Config
	metrics *metrics

	gatherer gatherer // reads the store for single pets
	census   census
	memory   *cache.Cache[uint64, *pet.Prepared]
	warned   sync.Map // the minute in which a message was last logged, by message

	// generation counts batches of changes. If it changes while a pet is read, the pet is not
	// remembered, because one of the changes may be newer than the pet that was read.
	mu          sync.RWMutex
	generation  uint64
	following   bool // Run keeps memory up to date
	subscribers []func(ids []uint64)
}

// New makes a directory. It remembers pets and notices changes only while Run is running.
func New(cfg Config) *Directory {
	cfg.Memory = cmp.Or(cfg.Memory, 100_000)
	cfg.Poll = cmp.Or(cfg.Poll, 250*time.Millisecond)
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	d := &Directory{Config: cfg, metrics: newMetrics(), memory: cache.NewCounted[uint64, *pet.Prepared](cfg.Memory)}
	d.gatherer.read = d.readStore
	return d
}

type metrics struct {
	lookups *prometheus.CounterVec
	memory  prometheus.Counter // look-ups answered from memory, the usual case
	polls   *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{
		lookups: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_pet_lookups_total",
			Help: "Pets looked up, by where the answer came from."}, []string{"from"}),
		polls: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_pet_polls_total",
			Help: "Times that the store was asked for changes, by outcome."}, []string{"outcome"}),
	}
	m.memory = m.lookups.WithLabelValues("memory")
	return m
}

// Collectors returns the directory's metrics for registration.
func (d *Directory) Collectors() []prometheus.Collector {
	return []prometheus.Collector{d.metrics.lookups, d.metrics.polls}
}
