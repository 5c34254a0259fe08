package web

import (
	"context"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"petsupply/internal/web/answer"
)

// Pages are the pages of the site. *site.Site is one.
type Pages interface {
	Routes() []answer.Row
	// ShowProblem turns the answer to a refused request into a page.
	ShowProblem(*answer.Problem, *answer.Response)
}

// openSite adds the routes of the site to base.
func (s *Server) openSite(cfg Config, base *answer.Base) {
	s.pages = &readyPages{answerer: s.answerer, base: base}
	s.pages.drop()
	if cfg.Site == nil {
		return
	}
	base.ShowProblem = cfg.Site.ShowProblem
	rows := cfg.Site.Routes()
	for i, row := range rows {
		rows[i].Serve = charged(row.Serve)
		if row.Ready {
			rows[i].Serve = s.pages.serving(row)
		}
	}
	s.serve(base, "site", rows)
}

// charged returns a handler that charges the caller before it answers. An internal error of a page
// means that something could not be looked up.
func charged(serve answer.Handler) answer.Handler {
	return func(q *answer.Request) (*answer.Response, error) {
		if err := q.Pay(0); err != nil {
			return nil, err
		}
		r, err := serve(q)
		return r, unavailable(err)
	}
}

// pageTime is how long a page is served before it is made again.
const pageTime = time.Second

// readyPages has pages that are the same for all callers. Each is made at most once in pageTime, and
// again after each publication, so that open pages can often look for news.
type readyPages struct {
	answerer *answer.Answerer
	base     *answer.Base
	making   singleflight.Group // by path

	mu      sync.RWMutex
	entries map[string]readyPage // by path; a new map for each publication
}

type readyPage struct {
	*answer.Entry
	made time.Time
}

// drop forgets all pages. Call it after each publication.
func (p *readyPages) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entries = map[string]readyPage{}
}

// lookup returns the page for a request target, or nil if it is not ready. It does not keep the
// string target.
func (p *readyPages) lookup(target string, now time.Time) *answer.Entry {
	p.mu.RLock()
	defer p.mu.RUnlock()
	page, ok := p.entries[target]
	if !ok || now.Sub(page.made) >= pageTime {
		return nil
	}
	return page.Entry
}

// serving returns a handler that answers from the ready pages. It charges only requests with a
// query.
func (p *readyPages) serving(row answer.Row) answer.Handler {
	withQuery := charged(row.Serve)
	return func(q *answer.Request) (*answer.Response, error) {
		if q.URL.RawQuery != "" {
			return withQuery(q)
		}
		path := p.base.Path + strings.TrimSuffix(row.Pattern, "{$}") // in one spelling, so that there are few keys
		for _, arg := range q.Args {
			path = path[:strings.IndexByte(path, '{')] + answer.Lower(arg)
		}
		if e := p.lookup(path, q.At); e != nil {
			return &answer.Response{Entry: e}, nil
		}
		q.Request = q.WithContext(context.WithoutCancel(q.Context())) // others may wait for this page
		e, err, _ := p.making.Do(path, func() (any, error) { return p.make(q, row, path) })
		if err != nil {
			return nil, unavailable(err)
		}
		return &answer.Response{Entry: e.(*answer.Entry)}, nil
	}
}

// make makes a page and keeps it.
func (p *readyPages) make(q *answer.Request, row answer.Row, path string) (*answer.Entry, error) {
	p.mu.RLock()
	entries := p.entries // if a publication comes meanwhile, the page goes with the old map
	p.mu.RUnlock()
	r, err := row.Serve(q)
	if err != nil {
		return nil, err
	}
	r.Tag = answer.Tag(r.Body)
	e := p.answerer.Entry(r, q.Route, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	entries[path] = readyPage{e, p.answerer.Now()}
	return e, nil
}
