// Package web answers HTTP: the supply of tokens, the metadata and pictures of pets, and the pages
// of the site. Make a Server with New, pass it every publication with OnPublication, serve it to
// the public, best with an express lane (Find), and serve its Ops to probes.
//
// Handlers return a response or an error, and package answer sends it. The table in problem.go says
// what callers see of an error. Answers are prepared before requests come, if possible: see
// OnPublication.
package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/art"
	"petsupply/internal/art/gallery"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/turns"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/express"
	"petsupply/internal/web/openapi"
)

// A Config has the parts that a Server needs. The fields about tokens, those about pets, and Now
// may be left out.
type Config struct {
	// The public base addresses. If they share one host, the path decides which one a request is
	// for, and Host is ignored. Otherwise Host decides, and then the path decides among the
	// addresses with this host.
	SupplyURL, PetsURL, SiteURL string

	// Supply says that tokens are published. If it is false, the supply interface answers 404, and
	// the rest of this group is not needed.
	Supply bool
	Past   Past
	Proofs Proofs
	TLog   TLog // nil if the service has no log

	// If Pets is nil, the pets interface answers 404, and the rest of this group is not needed.
	Pets        Pets
	PetListings PetListings
	Realms      []pet.Realm
	Words       *pet.Words
	Packs       art.Packs

	Gallery *gallery.Gallery // for pictures

	// The specifications of the two interfaces, each served below the address of its interface. A
	// nil one is not served.
	SupplySpec, PetsSpec openapi.Document

	Collection Collection
	Site       Pages // nil for no pages
	Limit      answer.Limit
	Processor  *turns.Queue // requests wait here for a processor
	// Unsent bounds the bytes of all answers that were made on demand and are not sent yet; 0 means
	// no limit.
	Unsent int64
	Demo   bool // say in every answer that the figures are invented
	Secure bool // the service uses TLS only, and tells browsers so
	Log    *slog.Logger
	Now    func() time.Time // nil means time.Now
}

// A Server answers the requests to the interfaces and the site. It is safe for use by many
// goroutines.
type Server struct {
	answerer *answer.Answerer
	started  time.Time

	supply *supplyAPI // nil if no tokens are published
	pets   *petAPI    // nil if there are no pets
	pages  *readyPages

	lane prometheus.Counter // answers of the express lane
}

// headers returns additional headers of every answer, each a key and a value.
func (cfg Config) headers() (list [][2]string) {
	if cfg.Demo {
		list = append(list, [2]string{"Petsupply-Demo", "true"})
	}
	if cfg.Secure {
		list = append(list, [2]string{"Strict-Transport-Security", "max-age=31536000"})
	}
	return list
}

// New makes a server. It starts nothing and reads nothing.
func New(cfg Config) (*Server, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	s := &Server{
		answerer: answer.New(cfg.Log, cfg.Now, cfg.Limit, cfg.Processor, cfg.Unsent, cfg.headers(),
			problemsAbout(cfg.Words)),
		started: cfg.Now(),
		lane: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "petsupply_http_lane_total", Help: "Requests that the express lane answered.",
		}),
	}
	if err := s.open(cfg); err != nil {
		return nil, fmt.Errorf("making the web server: %w", err)
	}
	return s, nil
}

// open sets up the addresses and their routes.
func (s *Server) open(cfg Config) error {
	var bases []*answer.Base
	for _, raw := range []string{cfg.SupplyURL, cfg.PetsURL, cfg.SiteURL} {
		b, err := s.answerer.AddBase(raw)
		if err != nil {
			return err
		}
		bases = append(bases, b)
	}
	if cfg.Supply {
		s.supply = &supplyAPI{
			answerer: s.answerer, base: bases[0], past: cfg.Past, proofs: cfg.Proofs, tlog: cfg.TLog,
		}
		s.serve(bases[0], "supply", append(s.specificationRows(cfg.SupplySpec), s.supply.supplyRows()...))
	}
	if cfg.Pets != nil {
		if err := s.openPets(cfg, bases[1], bases[2].URL); err != nil {
			return err
		}
	}
	s.openSite(cfg, bases[2])
	return nil
}

func (s *Server) openPets(cfg Config, b *answer.Base, siteURL string) error {
	pack := cfg.Packs.Current()
	p := &petAPI{
		answerer: s.answerer, base: b, pets: cfg.Pets, listings: cfg.PetListings,
		words: cfg.Words, filters: cfg.Words.Collection.Filters(), realms: cfg.Realms,
		packs: cfg.Packs, gallery: cfg.Gallery, about: cfg.Collection,
		describe: problemsAbout(cfg.Words), answers: newPetCache(cfg.Pets, petCacheBytes),
	}
	if p.about.ExternalLink == "" {
		p.about.ExternalLink = siteURL
	}
	registry := &pet.Registry{Collection: pack.Collection(), Realms: cfg.Realms}
	writer, err := pet.NewDocumentWriter(registry, pack.Tables(), pet.Links{Pets: b.URL, Site: siteURL})
	if err != nil {
		return err
	}
	p.documents = petDocuments{pack: pack, started: s.started, path: b.Path + "/token/", writer: writer}
	s.serve(b, "pets", append(s.specificationRows(cfg.PetsSpec), p.petRows()...))
	p.documents.open(s.answerer, b)
	s.pets = p
	return nil
}

// OnPublication prepares answers about p, and then replaces all answers that were prepared before,
// in one step. So a request gets an answer from p or from the publication before it.
func (s *Server) OnPublication(p *supply.Publication) {
	if s.supply != nil {
		s.supply.update(p, s.answerer.Now())
	}
	s.pages.drop()
}

// Ready reports whether the server can answer from memory. With tokens, it is ready from the first
// figure on. Without tokens, it is always ready.
func (s *Server) Ready() bool { return s.supply == nil || s.supply.hasFigure.Load() }

// Collectors returns the metrics of the server, for one registry.
func (s *Server) Collectors() []prometheus.Collector {
	return append(s.answerer.Collectors(), s.lane)
}

// ServeHTTP answers one request by the handler of its route.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.answerer.ServeHTTP(w, r) }

// maxLaneBody is the largest body that the lane sends if it was made for one request. A client that
// does not read keeps such a body in memory. net/http reserves memory for larger ones.
const maxLaneBody = 16 << 10

// Find is for the express lane: see express.Find. It returns nil while every request is logged,
// because only requests that come through net/http are logged.
func (s *Server) Find(q *express.Request) (head, body []byte) {
	defer func() {
		if p := recover(); p != nil {
			s.answerer.Log.Error("the express lane panicked", "error", s.answerer.CountPanic(p))
			head = nil
		}
	}()
	if s.answerer.LogsRequests() {
		return nil, nil
	}
	host := s.answerer.Host(q.Host)
	if entry := s.prepared(host, q); entry != nil {
		return s.send(q, entry.Pick(q.AcceptEncoding))
	}
	if s.pets == nil || s.pets.base.Host != host {
		return nil, nil
	}
	encoding := answer.Negotiate(q.AcceptEncoding)
	if encoding == answer.Identity {
		if entry, ok := s.pets.render(q); ok {
			return s.send(q, &entry)
		}
	}
	entry := s.pets.answers.get(q.Target, encoding)
	if entry == nil || len(entry.Body) > maxLaneBody {
		return nil, nil
	}
	return s.send(q, entry)
}

// prepared returns the prepared answer of the supply interface or the site to a request, or nil.
func (s *Server) prepared(host int, q *express.Request) *answer.Entry {
	if s.supply != nil && s.supply.base.Host == host {
		if e := s.supply.lookup(q.Target, q.At); e != nil {
			return e
		}
	}
	if s.pages.base.Host == host {
		return s.pages.lookup(q.Target, q.At)
	}
	return nil
}

// send counts an answer of the lane, and returns it or its 304.
func (s *Server) send(q *express.Request, entry *answer.Entry) (head, body []byte) {
	status := http.StatusOK
	head = entry.Head
	body = entry.Body
	if entry.NotModified(q.IfNoneMatch, q.IfModifiedSince) {
		status = http.StatusNotModified
		head = entry.Head304
		body = nil
	}
	s.lane.Inc()
	entry.Route.Count(status, s.answerer.Now().Sub(q.At))
	return head, body
}

// Now is the clock of the server.
func (s *Server) Now() time.Time { return s.answerer.Now() }
