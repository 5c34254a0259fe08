// Package site is what people look at: figures with their reasons, pets with
// their pictures, the interfaces to try, and how the service is doing. New
// returns its handler, which the web server mounts under the site's address.
// Pages are made on the server and are whole without scripts.
package site

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

//go:embed templates/*.html
var templates embed.FS

//go:embed assets/*
var assets embed.FS

// Past is where figures over time are read. *store.Store is one.
type Past interface {
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
	Past                        Past
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
	pages  map[string]*template.Template
	policy string            // Content-Security-Policy
	stamps map[string]string // asset to its address with a hash
	charts chartCache
	strip  strip
	holds  holds
}

// New makes the site.
func New(cfg Config) (*Site, error) {
	s := &Site{Config: cfg, mux: http.NewServeMux(), pages: map[string]*template.Template{}}
	s.policy = contentPolicy(cfg.SupplyURL, cfg.PetsURL, cfg.SiteURL)
	if err := s.openAssets(); err != nil {
		return nil, err
	}
	names, err := fs.Glob(templates, "templates/*.html")
	if err != nil {
		return nil, err
	}
	for _, file := range names {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "templates/"), ".html")
		if name == "frame" {
			continue
		}
		page, err := template.New("frame.html").Funcs(s.funcs()).ParseFS(templates, "templates/frame.html", file)
		if err != nil {
			return nil, fmt.Errorf("parsing the page %s: %w", name, err)
		}
		s.pages[name] = page
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
	s.mux.Handle("GET /assets/{file}", http.HandlerFunc(s.asset))
	s.mux.Handle("GET /api/ui/{file}", s.viewer())
	s.mux.HandleFunc("GET /favicon.ico", s.favicon)
	s.mux.HandleFunc("GET /robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprint(w, "User-agent: *\nAllow: /\n")
	})
	if s.Stream != nil {
		s.mux.Handle("GET /events", s.Stream)
	}
	s.mux.HandleFunc("/", s.serve(s.nothing))
}

// ServeHTTP answers for paths below the site's address. One trailing slash is
// accepted everywhere.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; len(p) > 1 && strings.HasSuffix(p, "/") && !strings.HasSuffix(p, "//") {
		clone := *r
		u := *r.URL
		u.Path, u.RawPath = strings.TrimSuffix(p, "/"), ""
		clone.URL = &u
		r = &clone
	}
	s.mux.ServeHTTP(w, r)
}

// A view is what a handler decided: a page to fill, or a place to go to.
type view struct {
	page    string // template
	title   string
	status  int // 0: 200
	data    any
	card    *card  // how a link to the page unfolds
	to      string // redirect, if set
	section string // of the menu
	live    bool   // what it shows may change while it is open
}

// card is what other sites show of a link.
type card struct {
	Title, Description, Image, URL string
	ImageSize                      int
}

// serve turns a handler into what the mux calls: the page is whole before its
// first byte is sent.
func (s *Site) serve(handle func(*http.Request) (*view, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := handle(r)
		if err != nil {
			v = s.trouble(r, err)
		}
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Content-Security-Policy", s.policy)
		if v.to != "" {
			h.Set("Cache-Control", "no-store")
			http.Redirect(w, r, v.to, http.StatusSeeOther)
			return
		}
		var page bytes.Buffer
		if err := s.pages[v.page].Execute(&page, s.frame(v)); err != nil {
			s.Log.Error("filling a page", "page", v.page, "error", err)
			http.Error(w, "internal error", http.StatusInternalServerError)
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		if v.status == 0 {
			v.status = http.StatusOK
		}
		if v.status >= http.StatusBadRequest {
			h.Set("Cache-Control", "no-store")
		}
		if v.status == http.StatusMethodNotAllowed {
			h.Set("Allow", "GET, HEAD")
		}
		if v.status == http.StatusServiceUnavailable {
			h.Set("Retry-After", "5")
		}
		w.WriteHeader(v.status)
		if r.Method != http.MethodHead {
			_, _ = page.WriteTo(w)
		}
	}
}

// contentPolicy allows our own scripts and styles, and traffic to the three
// public addresses, and nothing else.
func contentPolicy(bases ...string) string {
	origins := "'self'"
	for _, b := range bases {
		if u, err := url.Parse(b); err == nil {
			if o := u.Scheme + "://" + u.Host; !strings.Contains(origins, o) {
				origins += " " + o
			}
		}
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; manifest-src 'self'; " +
		"img-src " + origins + " data:; connect-src " + origins + "; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}
