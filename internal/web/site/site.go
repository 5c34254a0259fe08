// Package site is what people look at: figures with their reasons, pets with
// their pictures, the interfaces to try, and how the service is doing. New
// returns its handler, which the web server mounts under the site's address.
// Pages are made on the server and are whole without scripts.
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
		return nil, fmt.Errorf("the site's address: %w", err)
	}
	s.base = strings.TrimSuffix(address.Path, "/")
	s.policy = contentPolicy(cfg.SupplyURL, cfg.PetsURL, cfg.SiteURL)
	if err := s.hashAssets(); err != nil {
		return nil, err
	}
	for _, name := range []string{"home", "token", "gallery", "pet", "api", "status", "past", "error"} {
		s.pages[name], err = template.New("frame.html").Funcs(s.funcs()).ParseFS(
			templates, "templates/frame.html", "templates/chooser.html", "templates/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("parsing the page %s: %w", name, err)
		}
	}
	if cfg.Pack != nil {
		links := pet.Links{Pets: cfg.PetsURL, Site: cfg.SiteURL}
		s.documents = pet.NewDocumentWriter(cfg.Pack.Dictionary(), links, cfg.Realms)
	}
	s.interfaces = sync.OnceValues(s.readInterfaces)
	s.routes()
	s.tellPages()
	return s, nil
}

func (s *Site) routes() {
	s.mux.HandleFunc("GET /{$}", s.serveNow(s.home))
	s.mux.HandleFunc("GET /token/{token}", s.serve(s.token))
	s.mux.HandleFunc("GET /token/{token}/history.csv", s.csv)
	s.mux.HandleFunc("GET /gallery", s.serveNow(s.gallery))
	s.mux.HandleFunc("GET /gallery/random", s.serveNow(s.random))
	s.mux.HandleFunc("GET /pet/{id}", s.serve(s.pet))
	s.mux.HandleFunc("GET /api", s.serveNow(s.api))
	s.mux.HandleFunc("GET /status", s.serveNow(s.status))
	s.mux.HandleFunc("GET /assets/{file}", s.asset)
	s.mux.HandleFunc("GET /favicon.ico", s.favicon)
	s.mux.HandleFunc("GET /robots.txt", robots)
	s.mux.Handle("GET /events", s.Stream)
	s.mux.HandleFunc("/", s.serveNow(s.unmatched))
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

// manyPets is from how many on the stream no longer lists the pets that
// changed.
const manyPets = 500

// tellPages sends open pages an event when figures or pets change. They fetch
// what they show themselves; the event only says that it is worth it.
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
				ids = nil // any of them
			}
			s.broadcast("pets", ids)
		})
	}
}

func (s *Site) broadcast(kind string, data any) {
	if err := s.Stream.Broadcast(kind, data); err != nil {
		s.Log.Error("telling pages of a change", "kind", kind, "error", err)
	}
}
