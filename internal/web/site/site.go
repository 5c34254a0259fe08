// Package site is what people look at: figures with their reasons, pets with
// their pictures, the interfaces to try, and how the service is doing. New
// returns its handler, which the web server mounts under the site's address.
// Pages are made on the server and are whole without scripts.
package site

import (
	"context"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

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
	// Publish sends an event of one of a few kinds to every open page.
	Publish(kind string, data any) error
}

// A Config is what the site shows. Pets may be nil: then there are none.
type Config struct {
	SupplyURL, PetsURL, SiteURL string // public addresses, without trailing slash
	Demo                        bool
	Board                       *supply.Board
	History                     History
	Pets                        Pets
	Realms                      []pet.Realm
	Pack                        *art.Pack
	Explorers                   map[string]string // chain to its explorer's address
	Status                      func() Status
	Stream                      Stream
	Log                         *slog.Logger
}

// A Site serves the pages.
type Site struct {
	Config
	mux    *http.ServeMux
	base   string // path of the site's own address, "" at the root of its host
	policy string // Content-Security-Policy
	pages  map[string]*template.Template
	assets map[string]string // name to its address with a hash
	charts sync.Map          // token and days to a cachedChart
	strip  strip
	holds  holds
}

// New makes the site.
func New(cfg Config) (*Site, error) {
	s := &Site{Config: cfg, mux: http.NewServeMux(), pages: map[string]*template.Template{}}
	address, err := url.Parse(cfg.SiteURL)
	if err != nil {
		return nil, fmt.Errorf("the site's address: %w", err)
	}
	s.base = strings.TrimSuffix(address.Path, "/")
	s.policy = contentPolicy(cfg.SupplyURL, cfg.PetsURL, cfg.SiteURL)
	if err := s.hashAssets(); err != nil {
		return nil, err
	}
	for _, name := range []string{"home", "token", "gallery", "pet", "api", "status", "error"} {
		s.pages[name], err = template.New("frame.html").Funcs(s.funcs()).ParseFS(templates, "templates/frame.html", "templates/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("parsing the page %s: %w", name, err)
		}
	}
	s.routes()
	s.tellPages()
	return s, nil
}

func (s *Site) routes() {
	s.mux.HandleFunc("GET /{$}", s.serve(s.home))
	s.mux.HandleFunc("GET /token/{token}", s.serve(s.token))
	s.mux.HandleFunc("GET /gallery", s.serve(s.gallery))
	s.mux.HandleFunc("GET /gallery/random", s.serve(s.random))
	s.mux.HandleFunc("GET /pet/{id}", s.serve(s.pet))
	s.mux.HandleFunc("GET /api", s.serve(s.api))
	s.mux.HandleFunc("GET /status", s.serve(s.status))
	s.mux.HandleFunc("GET /assets/{file}", s.asset)
	s.mux.Handle("GET /api/ui/{file}", s.viewer())
	s.mux.HandleFunc("GET /favicon.ico", s.favicon)
	s.mux.HandleFunc("GET /robots.txt", robots)
	if s.Stream != nil {
		s.mux.Handle("GET /events", s.Stream)
	}
	s.mux.HandleFunc("/", s.serve(s.unmatched))
}

// ServeHTTP answers for paths below the site's address. One trailing slash is
// accepted everywhere.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; len(p) > 1 && strings.HasSuffix(p, "/") && !strings.HasSuffix(p, "//") {
		clone, u := *r, *r.URL
		u.Path, u.RawPath = strings.TrimSuffix(p, "/"), ""
		clone.URL = &u
		r = &clone
	}
	s.mux.ServeHTTP(w, r)
}
