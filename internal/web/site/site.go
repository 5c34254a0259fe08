// Package site has the pages for people: figures with their explanations, pets with their pictures,
// the interfaces to try, and the state of the service. New returns its handler, which the web
// server mounts under the site's address. Pages are made on the server and work without scripts.
package site

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// New makes the site.
func New(cfg Config) (*Site, error) {
	s := &Site{Config: cfg, mux: http.NewServeMux(), pages: map[string]*template.Template{}}
	address, err := url.Parse(cfg.SiteURL)
	if err != nil {
		return nil, fmt.Errorf("reading the site's address: %w", err)
	}
	s.base = strings.TrimSuffix(address.Path, "/")
	s.policy = contentPolicy(cfg.SupplyURL, cfg.PetsURL, cfg.SiteURL)
	if err := s.hashAssets(); err != nil {
		return nil, err
	}
	for _, name := range []string{"home", "token", "gallery", "kinds", "recent", "pet", "api", "status", "about", "error"} {
		s.pages[name], err = template.New("frame.html").Funcs(s.funcs()).ParseFS(
			templates, "templates/frame.html", "templates/chooser.html", "templates/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("parsing the page %s: %w", name, err)
		}
	}
	if cfg.Pack != nil {
		links := pet.Links{Pets: cfg.PetsURL, Site: cfg.SiteURL}
		kingdom := &pet.Kingdom{Collection: cfg.Pack.Collection(), Realms: cfg.Realms}
		if s.documents, err = pet.NewDocumentWriter(kingdom, cfg.Pack.Tables(), links); err != nil {
			return nil, err
		}
	}
	s.interfaces = sync.OnceValues(s.readInterfaces)
	s.routes()
	s.tellPages()
	return s, nil
}

// routes sets up the pages. Each has a cost, in milliseconds of CPU time. A test in internal/app
// measures it.
func (s *Site) routes() {
	for _, p := range []struct {
		pattern string
		cost    float64
		handler http.Handler
	}{
		{"GET /{$}", 6, s.serveNow(s.home)},
		{"GET /token/{token}", 4, s.serve(s.token)},
		{"GET /token/{token}/history.csv", 1, http.HandlerFunc(s.csv)},
		{"GET /gallery", 6, s.serveNow(s.gallery)},
		{"GET /gallery/random", 0.5, s.serveNow(s.random)},
		{"GET /gallery/kinds", 4, s.serveNow(s.kinds)},
		{"GET /gallery/recent", 3, s.serveNow(s.recent)},
		{"GET /pet/{id}", 6, s.serveNow(s.pet)},
		{"GET /api", 4, s.serveNow(s.api)},
		{"GET /status", 1, s.serveNow(s.status)},
		{"GET /about", 1, s.serveNow(s.about)},
		{"GET /assets/{file}", 0.5, http.HandlerFunc(s.asset)},
		{"GET /favicon.ico", 0.1, http.HandlerFunc(s.favicon)},
		{"GET /robots.txt", 0.1, http.HandlerFunc(robots)},
		{"GET /events", 0.5, s.Stream},
		{"/", 0.25, s.serveNow(s.unmatched)},
	} {
		s.Patterns = append(s.Patterns, p.pattern)
		s.mux.HandleFunc(p.pattern, func(w http.ResponseWriter, r *http.Request) {
			// Assets are never refused: the error page needs them, and sending that page would cost
			// as much as sending the asset.
			if wait := s.Charge(r, p.cost); wait > 0 && !strings.HasPrefix(p.pattern, "GET /assets/") {
				s.send(w, r, s.problem(r, limited(wait)))
				return
			}
			p.handler.ServeHTTP(w, r)
		})
	}
}

// ServeHTTP answers requests for paths below the site's address. One trailing slash is accepted
// everywhere.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.Path; len(p) > 1 && strings.HasSuffix(p, "/") && !strings.HasSuffix(p, "//") {
		clone, u := *r, *r.URL
		u.Path, u.RawPath = strings.TrimSuffix(p, "/"), ""
		clone.URL = &u
		r = &clone
	}
	s.mux.ServeHTTP(w, r)
}

// manyPets is the largest number of changed pets that one event lists.
const manyPets = 500

// tellPages sends open pages an event when figures or pets change. Pages then fetch the new data
// themselves.
func (s *Site) tellPages() {
	s.Board.Subscribe(func(p *supply.Publication) {
		ids := map[string]string{}
		for _, st := range p.States {
			ids[st.Token.Path] = stateID(st)
		}
		s.broadcast("supply", ids)
	})
	if w, ok := s.Pets.(interface{ Subscribe(func(ids []uint64)) }); ok {
		w.Subscribe(func(ids []uint64) {
			s.strip.saw(ids)
			if len(ids) > manyPets {
				ids = nil // means that any pet may have changed
			}
			s.broadcast("pets", ids)
		})
	}
}

func (s *Site) broadcast(kind string, data any) {
	if err := s.Stream.Broadcast(kind, data); err != nil {
		s.Log.Error("notifying open pages failed", "kind", kind, "error", err)
	}
}
