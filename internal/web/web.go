// Package web answers HTTP: the supply of tokens, the metadata and pictures of
// pets, and under the site's address whatever handler is given for it. Make a
// Server with New, hand it every publication with Publish, serve its Handler to
// the world and its Ops to probes.
//
// Handlers return a response or an error; answer alone sets headers, decides on
// 304, writes, counts and logs; problem alone says what a stranger may know of
// an error. What can be prepared before a request is: see Publish.
package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/pet"
)

// A Config is what a Server is made of. The addresses and the log must be
// given; what else is left out is not served, or has the default named.
type Config struct {
	// The public base addresses. If they share one host, requests are told
	// apart by path and Host is ignored; otherwise by Host.
	SupplyURL, PetsURL, SiteURL string

	// Supply says that tokens are published; without it their interface
	// answers 404. Past is where their figures over time are read.
	Supply bool
	Past   Past

	// Pets may be nil, then their interface answers 404. The four belong
	// together.
	Pets    Pets
	Realms  []pet.Realm
	Packs   Packs
	Gallery Gallery

	Collection Collection
	Site       http.Handler // sees paths below SiteURL; nil: a plain index
	Limit      Limit
	HotBytes   int  // of prepared answers of pets; 0: 12 MB, below 0: none
	Demo       bool // say in every answer that the figures are invented
	Log        *slog.Logger
	Now        func() time.Time // nil: time.Now
}

// A Server answers for the interfaces. It is safe for use by many goroutines.
type Server struct {
	log     *slog.Logger
	now     func() time.Time
	started time.Time
	common  []field // headers of every answer
	metrics *metrics
	limit   *limiter
	hard    *squeezer
	quick   *squeezer
	ids     requestIDs

	houses      []*house
	supplyHouse int    // index in houses
	supplyPath  string // of its base, without trailing slash
	petsHouse   int
	tokenPath   string // of documents of pets, up to the id
	nowhere     *route // counts what has no route
	site        *route
	siteHandler http.Handler
	openapi     *entry

	routes    supplyRoutes
	past      Past
	publishes bool // tokens

	// publishing is held while a table is made; table is never changed after it
	// was stored.
	publishing sync.Mutex
	table      atomic.Pointer[table]
	figured    atomic.Bool // a figure was published since the start

	pets    Pets
	peek    func(id uint64) (*pet.Prepared, bool) // nil: nobody knows what is in memory
	realms  []pet.Realm
	packs   Packs
	gallery Gallery
	links   pet.Links
	about   Collection
	reign   atomic.Pointer[reign]
	mould   *mould // of documents that are made on the spot; nil: none are
	hot     *hot
}

// New makes a server. It starts nothing and reads nothing.
func New(cfg Config) (*Server, error) {
	s := &Server{
		log: cfg.Log, now: cfg.Now, metrics: newMetrics(), common: everywhere,
		past: cfg.Past, publishes: cfg.Supply,
		pets: cfg.Pets, realms: cfg.Realms, packs: cfg.Packs, gallery: cfg.Gallery, about: cfg.Collection,
		siteHandler: cfg.Site, ids: newRequestIDs(),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		return nil, errors.New("making the web server: no log was given")
	}
	if cfg.Pets != nil && (cfg.Packs == nil || cfg.Gallery == nil) {
		return nil, errors.New("making the web server: pets need packs and a gallery")
	}
	if cfg.Demo {
		s.common = append(s.common[:len(s.common):len(s.common)], fieldOf("Petsupply-Demo", "true"))
	}
	s.started = s.now()
	s.limit = newLimiter(cfg.Limit, s.metrics.limited.Inc)
	if cfg.HotBytes == 0 {
		cfg.HotBytes = 12 << 20
	}
	s.hot = newHot(max(cfg.HotBytes, 0))
	if err := s.open(cfg); err != nil {
		return nil, fmt.Errorf("making the web server: %w", err)
	}
	return s, nil
}

// open lays out the addresses and what is served under them.
func (s *Server) open(cfg Config) (err error) {
	if s.hard, err = newSqueezer(true); err != nil {
		return err
	}
	if s.quick, err = newSqueezer(false); err != nil {
		return err
	}
	s.nowhere = s.routeOf("none", "", nil)
	s.site = s.routeOf("site", "", nil)
	s.links = pet.Links{Pets: strings.TrimRight(cfg.PetsURL, "/"), Site: strings.TrimRight(cfg.SiteURL, "/")}
	bases := map[string]*base{}
	for _, raw := range []string{cfg.SupplyURL, cfg.PetsURL, cfg.SiteURL} {
		b, u, err := parseBase(raw)
		if err != nil {
			return err
		}
		if other := bases[u.Host+"/"+strings.Join(b.prefix, "/")]; other != nil {
			return fmt.Errorf("two interfaces have the address %s", raw)
		}
		bases[u.Host+"/"+strings.Join(b.prefix, "/")] = b
		s.houses = build(s.houses, b, u)
		switch len(bases) {
		case 1:
			s.supplyPath = strings.TrimRight(u.Path, "/")
			if cfg.Supply {
				b.routes = s.openSupply()
			}
		case 2:
			s.tokenPath = strings.TrimRight(u.Path, "/") + "/token/"
			if cfg.Pets != nil {
				b.routes = s.openPets()
				s.watch(cfg.Pets)
			}
		case 3:
			b.routes = []*route{s.routeOf("site", "/openapi.yaml", s.specification)}
			if b.site = cfg.Site != nil; !b.site {
				b.routes = append(b.routes, s.routeOf("site", "/", s.index))
			}
		}
	}
	s.supplyHouse, s.petsHouse = s.home(cfg.SupplyURL), s.home(cfg.PetsURL)
	if s.about.ExternalLink == "" {
		s.about.ExternalLink = s.links.Site
	}
	return s.openSpecification(cfg)
}

// home is the house in which the base with this address stands.
func (s *Server) home(raw string) int {
	raw = strings.TrimRight(raw, "/")
	for i, h := range s.houses {
		for _, b := range h.bases {
			if b.url == raw {
				return i
			}
		}
	}
	return -1
}

// watch learns of changed pets, where the source tells of them.
func (s *Server) watch(p Pets) {
	if w, ok := p.(interface{ Subscribe(func(ids []uint64)) }); ok {
		w.Subscribe(func(ids []uint64) {
			s.hot.drop(ids)
			s.metrics.hot.WithLabelValues("dropped").Inc()
		})
	} else {
		s.hot.max = 0 // nobody would say when an answer is no longer true
	}
	if w, ok := p.(interface {
		Peek(id uint64) (*pet.Prepared, bool)
	}); ok {
		s.peek = w.Peek
	}
}

// Handler answers the world.
func (s *Server) Handler() http.Handler { return s }
