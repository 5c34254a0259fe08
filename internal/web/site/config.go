package site

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/web/openapi"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*
var assets embed.FS

// History has figures over time. *store.Store is one.
type History interface {
	// History returns the figures of a token from one time to another, oldest first, thinned to at
	// most this many points.
	History(ctx context.Context, token string, from, to time.Time, points int) ([]supply.Point, error)
	// EvidenceAt returns the evidence of the figure that was published at a time, or the closest
	// evidence that is still kept. The error is supply.ErrNotFound if none is kept.
	EvidenceAt(ctx context.Context, token string, at time.Time) (*supply.Evidence, error)
	// Events returns the latest holds, releases and corrections of a token, the newest last.
	Events(ctx context.Context, token string) ([]supply.Notice, error)
	// Gaps returns the periods without a published measurement, oldest first. It leaves out periods
	// that ended before the argument since, and periods that are not longer than the argument
	// longest.
	Gaps(ctx context.Context, token string, since time.Time, longest time.Duration) ([]supply.Gap, error)
}

// Past has earlier publications. *store.Store is one.
type Past interface{ supply.Publications }

// Pets finds pets for pages. *directory.Directory is one.
type Pets interface {
	Pet(ctx context.Context, id uint64) (pet.Pet, error)
	List(ctx context.Context, q pet.Query) (pet.Page, error)
	History(ctx context.Context, id uint64) ([]pet.Change, error)
	Random(ctx context.Context) (uint64, error)
}

// Stream notifies open pages of changes. *web.Events is one.
type Stream interface {
	http.Handler
	// Broadcast sends an event of one of a few kinds to every open page.
	Broadcast(kind string, data any) error
}

// A Config says what the site shows. If Pets is nil, there are no pets, and Census,
// Owners, LatestChanges and Words are not used. Known is nil in the demo.
type Config struct {
	SupplyURL, PetsURL, SiteURL string // public addresses, without trailing slash
	Demo                        bool
	Every                       time.Duration // time between two measurements; 0 if nothing is measured
	Late                        time.Duration // a figure is late if it was not confirmed for this long
	Rules                       supply.Rules  // how figures are judged; zero if nothing is measured
	Limit                       string        // the limit of costly work in words; "" for no limit
	Board                       *supply.Board
	History                     History
	Past                        Past
	Pets                        Pets
	Census                      func(context.Context) (*pet.Census, error)
	Owners                      func(context.Context) (pet.Owners, error)
	LatestChanges               func(ctx context.Context, before uint64, limit int) ([]pet.Change, error) // newest first
	Words                       *pet.Words
	Realms                      []pet.Realm
	Pack                        *art.Pack
	Explorers                   map[string]string // address of the explorer of each chain
	About                       About
	// Known returns how each entry of a snapshot is known: a word such as "proven", by the entry's
	// label, or nil if there is no proof. It also returns whether the snapshot is in the log.
	Known  func(ctx context.Context, token, snapshot string) (entries map[string]string, logged bool)
	Status func() Status
	Stream Stream
	// Charge charges the caller of r for this many units of costly work. It returns 0, or how long
	// the caller has to wait first.
	Charge func(r *http.Request, units float64) time.Duration
	// Send waits until it is the turn of the caller of r to use a processor. Then it makes the page
	// and answers 200 or 304. It adds ETag and the headers of the encoding. The site sets all other
	// headers before. If Send returns an error, it sent nothing.
	Send func(w http.ResponseWriter, r *http.Request, page func() ([]byte, error)) error
	Log  *slog.Logger
	// The specifications of the interfaces; nil for an interface that does not exist.
	SupplySpec, PetsSpec *openapi.Document
}

// A Site serves the pages.
type Site struct {
	Config
	Patterns []string // the patterns of its routes
	mux      *http.ServeMux
	base     string // path of the site's own address, "" at the root of its host
	policy   string // Content-Security-Policy
	pages    map[string]*template.Template
	assets   map[string]string // address of each asset with its hash, by name
	strip    strip
	kept     keptStatus
	counted  atomic.Pointer[counts]

	samples     memory[*pet.Pet]        // by the address of a kind's gallery; valid for an hour
	spans       memory[*span]           // by token and days; valid until the snapshot changes
	assurances  memory[*assurance]      // by token; valid until the snapshot changes
	firsts      memory[time.Time]       // by token: the first publication
	happened    memory[[]supply.Notice] // by token; valid until the state changes
	gaps        memory[[]supply.Gap]    // by token; valid until the hour ends or the status changes
	faultMinute atomic.Int64            // the last minute in which a failed page was logged
	reading     singleflight.Group      // lets requests share the reading of a span

	documents *pet.DocumentWriter // nil without pets

	interfaces func() ([]apiInterface, error) // the content of the API page, read once
}

// A memory keeps the latest value for each key, with the version of its source. Its zero value is
// ready.
type memory[T any] struct{ latest sync.Map }

type versioned[T any] struct {
	version string
	value   T
}

// get returns the kept value, and reports whether it has this version.
func (m *memory[T]) get(key, version string) (value T, current bool) {
	found, _ := m.latest.Load(key)
	kept, _ := found.(versioned[T])
	return kept.value, kept.version == version
}

func (m *memory[T]) keep(key, version string, value T) {
	m.latest.Store(key, versioned[T]{version, value})
}
