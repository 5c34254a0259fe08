// Package site has the pages for people: figures with their explanations, pets with their pictures,
// the addresses of the API, and the state of the service. Pages are made on the server and work
// without scripts. Begin with Site.Routes: each handler decides what a page shows, a template has
// its text, and package answer sends it.
package site

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
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
	// evidence that is still kept.
	EvidenceAt(ctx context.Context, token string, at time.Time) (*supply.Evidence, error)
	// Events returns the latest holds, releases and corrections of a token, the newest last.
	Events(ctx context.Context, token string) ([]supply.Notice, error)
	// Gaps returns the periods longer than longest without a published measurement, oldest first.
	Gaps(ctx context.Context, token string, since time.Time, longest time.Duration) ([]supply.Gap, error)
}

// Pets finds pets for pages. *directory.Directory is one.
type Pets interface {
	Pet(ctx context.Context, id uint64) (pet.Pet, error)
	List(ctx context.Context, q pet.Query) (pet.Page, error)
	History(ctx context.Context, id uint64) ([]pet.Change, error)
	Census(ctx context.Context) (*pet.Census, error)
}

// A Config says what the site shows. If Pets is nil, there are no pets, and Words, Realms and Pack
// are not used.
type Config struct {
	SupplyURL, PetsURL, SiteURL string // public addresses, without trailing slash

	Notice string        // stands above every page; "" for none
	Poll   time.Duration // how often open pages look for news
	Every  time.Duration // time between two measurements; 0 if nothing is measured
	Late   time.Duration // a figure is late if it was not confirmed for this long
	Limit  string        // the limit of costly work in words; "" for no limit

	Board     *supply.Board
	History   History
	Explorers map[string]string // address of the explorer of each chain
	// Known returns how each entry of a snapshot is known, by the entry's label. It is nil if no
	// proofs are made.
	Known  func(ctx context.Context, token, snapshot string) map[string]string
	Status func() Status

	Pets   Pets
	Words  *pet.Words
	Realms []pet.Realm
	Pack   *art.Pack

	About About
	Log   *slog.Logger
}

// A Site makes the pages.
type Site struct {
	Config
	base   string // path of the site's own address, "" at the root of its host
	policy string // Content-Security-Policy
	pages  map[string]*template.Template
	assets map[string]string // address of each asset with its hash, by name
	memory memory
}

// New makes the site.
func New(cfg Config) (*Site, error) {
	s := &Site{Config: cfg, pages: map[string]*template.Template{}, memory: memory{log: cfg.Log}}
	address, err := url.Parse(cfg.SiteURL)
	if err != nil {
		return nil, fmt.Errorf("reading the site's address: %w", err)
	}
	s.base = strings.TrimSuffix(address.Path, "/")
	s.policy = contentPolicy(cfg.SupplyURL, cfg.PetsURL, cfg.SiteURL)
	s.assets, err = hashAssets(s.base)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"home", "token", "gallery", "pet", "status", "api", "about", "problem"} {
		s.pages[name], err = template.New("frame.html").Funcs(s.funcs()).
			ParseFS(templates, "templates/frame.html", "templates/parts.html", "templates/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("parsing the page %s: %w", name, err)
		}
	}
	return s, nil
}

// contentPolicy returns a Content-Security-Policy. It allows only the site's own scripts, styles
// and fonts. Pictures and requests may also use the three public addresses.
func contentPolicy(bases ...string) string {
	list := []string{"'self'"}
	for _, b := range bases {
		u, err := url.Parse(b)
		if err == nil && !slices.Contains(list, u.Scheme+"://"+u.Host) {
			list = append(list, u.Scheme+"://"+u.Host)
		}
	}
	origins := strings.Join(list, " ")
	return "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; manifest-src 'self'; " +
		"img-src " + origins + " data:; connect-src " + origins + "; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// maxPage is how many bytes are reserved for a page before it is made. Most take less.
const maxPage = 128 << 10

// Routes returns the routes of the site. A test in internal/app measures their costs.
func (s *Site) Routes() []answer.Row {
	news := answer.CachePolicy{Revalidate: true}
	asset := answer.CachePolicy{MaxAge: 5 * time.Minute}
	cost := func(units float64) answer.Cost { return answer.Cost{Units: units, Bytes: maxPage} }
	gallery := []string{"q", "realm", "owner", "sort", "cursor"}
	if s.Pets != nil {
		for _, f := range s.Words.Collection.Filters() {
			gallery = append(gallery, f.Key)
		}
	}
	return []answer.Row{
		{Pattern: "/{$}", Serve: s.page(s.home), Cost: cost(4), Cache: news, Ready: true},
		{Pattern: "/token/{token}", Serve: s.page(s.token), Cost: cost(4), Cache: news, Ready: true,
			Query: []string{"days"}},
		{Pattern: "/token/{token}/history.csv", Serve: s.csv, Cost: cost(1), Cache: news, Query: []string{"days"}},
		{Pattern: "/gallery", Serve: s.page(s.gallery), Cost: cost(8), Cache: news, Query: gallery},
		{Pattern: "/pet/{id}", Serve: s.page(s.pet), Cost: cost(3), Cache: news},
		{Pattern: "/status", Serve: s.page(s.status), Cost: cost(1), Cache: news, Ready: true},
		{Pattern: "/api", Serve: s.page(s.api), Cost: cost(1), Cache: news, Ready: true},
		{Pattern: "/about", Serve: s.page(s.about), Cost: cost(1), Cache: news, Ready: true},
		{Pattern: "/assets/{file}", Serve: s.asset, Cache: asset},
		{Pattern: "/favicon.ico", Serve: s.favicon, Cache: asset},
		{Pattern: "/robots.txt", Serve: robots},
	}
}

// A page is the decision of a handler: a template to fill, or an address to redirect to.
type page struct {
	Template    string
	Title       string
	Section     string // the entry of the menu to mark
	Path        string // of the page, for links to it
	Description string // for search engines and previews of links
	Image       string // address of a square picture for previews; "" for none
	Live        bool   // the page can change while it is open
	Redirect    string // if set, no template is filled
	View        any
}

// page returns the handler that answers with a page.
func (s *Site) page(decide func(*answer.Request) (*page, error)) answer.Handler {
	return func(q *answer.Request) (*answer.Response, error) {
		p, err := decide(q)
		if err != nil {
			return nil, err
		}
		if p.Redirect != "" {
			return answer.Redirect(p.Redirect), nil
		}
		if err := q.Turn(); err != nil {
			return nil, err
		}
		body, err := s.render(p)
		if err != nil {
			return nil, &answer.Problem{Status: http.StatusInternalServerError, Detail: "internal error", Cause: err}
		}
		r := &answer.Response{Body: body, Compress: true, Cache: q.Route.Cache}
		s.asPage(r)
		return r, nil
	}
}

// A frame has what templates see.
type frame struct {
	*page
	Site   *Site
	Tokens []*ledger.Token
}

// render fills the template of a page.
func (s *Site) render(p *page) ([]byte, error) {
	f := frame{page: p, Site: s}
	for _, st := range s.Board.Now().States {
		f.Tokens = append(f.Tokens, st.Token)
	}
	var body bytes.Buffer
	if err := s.pages[p.Template].Execute(&body, f); err != nil {
		return nil, fmt.Errorf("making the page %s: %w", p.Template, err)
	}
	return body.Bytes(), nil
}

// asPage sets the headers that pages have and answers of the API lack.
func (s *Site) asPage(r *answer.Response) {
	r.Media = "text/html; charset=utf-8"
	r.SetHeader("Content-Security-Policy", s.policy)
	r.SetHeader("Cross-Origin-Opener-Policy", "same-origin")
	r.SetHeader("Referrer-Policy", "strict-origin-when-cross-origin")
}

// problemTitles are the titles of pages about problems.
var problemTitles = map[int]string{
	http.StatusBadRequest:          "That address does not work",
	http.StatusNotFound:            "Not found",
	http.StatusTooManyRequests:     "Too many requests",
	http.StatusInternalServerError: "Something went wrong",
	http.StatusServiceUnavailable:  "Not available right now",
}

// ShowProblem turns the answer to a refused request into a page.
func (s *Site) ShowProblem(p *answer.Problem, r *answer.Response) {
	title := problemTitles[p.Status]
	if title == "" {
		title = http.StatusText(p.Status)
	}
	view := struct {
		Text  string
		Again bool // trying again may help
	}{p.Detail, p.Status >= http.StatusTooManyRequests}
	body, err := s.render(&page{Template: "problem", Title: title, View: view})
	if err != nil {
		s.Log.Error("the page about a problem cannot be made", "error", err)
		return
	}
	r.Body = body
	s.asPage(r)
}

const (
	readTime  = 2 * time.Second  // how long reading for a page may take
	readPause = 10 * time.Second // how long nothing is read after a failure
)

// A memory has what was read for pages. A store that does not answer delays a page for readTime,
// and then no page for readPause.
type memory struct {
	slots sync.Map // a *slot by key
	log   *slog.Logger

	mu     sync.Mutex
	paused time.Time // until then, nothing is read
}

// A slot has the latest value of one key.
type slot struct {
	mu      sync.Mutex // held while the value is read
	version string
	value   any
}

// latest returns what read returned for a key and a version. It calls read once for each version.
// If read fails, latest returns the value of an earlier version, or the zero value.
func latest[T any](m *memory, key, version string, read func(context.Context) (T, error)) T {
	found, _ := m.slots.LoadOrStore(key, new(slot))
	k := found.(*slot)
	k.mu.Lock()
	defer k.mu.Unlock()
	value, _ := k.value.(T)
	if k.version == version || m.isPaused() {
		return value
	}
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	next, err := read(ctx)
	if err != nil {
		m.log.Warn("reading for a page failed", "what", key, "error", err)
		m.pause()
		return value
	}
	k.version = version
	k.value = next
	return next
}

func (m *memory) isPaused() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Before(m.paused)
}

func (m *memory) pause() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.paused = time.Now().Add(readPause)
}
