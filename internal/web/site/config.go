package site

import (
	"context"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*
var assets embed.FS

// History is where figures over time are read. *store.Store is one.
type History interface {
	// History returns the figures of a token from one time to another, oldest
	// first, thinned to at most so many points.
	History(ctx context.Context, token string, from, to time.Time, points int) ([]supply.Point, error)
	// EvidenceAt returns the evidence that was in force at a time as nearly as it
	// is kept; supply.ErrNotFound where none is.
	EvidenceAt(ctx context.Context, token string, at time.Time) (*supply.Evidence, error)
	// Events returns what was held, let through and corrected of a token, the
	// newest last.
	Events(ctx context.Context, token string) ([]supply.Notice, error)
}

// Past has earlier publications and pets. *store.Store is one.
type Past interface {
	supply.Publications
	// PetAt returns a pet as it was at a time; *pet.BeforeFirst before it was seen.
	PetAt(ctx context.Context, id uint64, at time.Time) (pet.Pet, error)
}

// Pets is where pages find pets. *directory.Directory is one.
type Pets interface {
	Pet(ctx context.Context, id uint64) (pet.Pet, error)
	List(ctx context.Context, q pet.Query) (pet.Page, error)
	History(ctx context.Context, id uint64) ([]pet.Change, error)
	Random(ctx context.Context) (uint64, error)
}

// Stream tells open pages that something changed. *web.Events is one.
type Stream interface {
	http.Handler
	// Broadcast sends an event of one of a few kinds to every open page.
	Broadcast(kind string, data any) error
}

// A Config is what the site shows. Pets may be nil: then there are none.
type Config struct {
	SupplyURL, PetsURL, SiteURL string // public addresses, without trailing slash
	Demo                        bool
	Board                       *supply.Board
	History                     History
	Past                        Past // nil: pages show the current state only
	Pets                        Pets
	Census                      func(context.Context) (*pet.Census, error) // nil: nothing is counted
	Realms                      []pet.Realm
	Pack                        *art.Pack
	Explorers                   map[string]string // chain to its explorer's address
	// Known says how each entry of a snapshot is known, by its label, and whether
	// the snapshot is in the log, as far as that is kept. nil: nothing is proven.
	Known  func(ctx context.Context, token, snapshot string) (entries map[string]string, logged bool)
	Status func() Status
	Stream Stream
	// Charge pays for one piece of costly work, and returns how long to wait
	// where there is none left for whoever asks. nil: nothing is limited.
	Charge func(*http.Request) time.Duration
	// Send answers 200 with a body whose headers are set, but for those of its
	// encoding and its ETag, which it adds; or 304. nil: the body as it is.
	Send func(w http.ResponseWriter, r *http.Request, body []byte)
	Log  *slog.Logger
}

// A Site serves the pages.
type Site struct {
	Config
	mux    *http.ServeMux
	base   string // path of the site's own address, "" at the root of its host
	policy string // Content-Security-Policy
	pages  map[string]*template.Template
	assets map[string]string // name to its address with a hash
	strip  strip

	spans      sync.Map           // token and days to a *span
	assurances sync.Map           // token to an *assurance
	happened   sync.Map           // token to an *eventList
	reading    singleflight.Group // of spans

	documents *pet.DocumentWriter // nil without pets
}
