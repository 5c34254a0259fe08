package web

import (
	"net/http"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

// update prepares every form of p and swaps them in at once.
func (s *supplyAPI) update(p *supply.Publication, now time.Time) {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	s.build(p, now)
	for _, st := range p.States {
		if st.Available() {
			s.hasFigure.Store(true)
		}
	}
}

// build makes the next table. The caller holds publishing.
func (s *supplyAPI) build(p *supply.Publication, now time.Time) *table {
	m := tableBuilder{Representer: s.Representer, routes: s.routes, path: s.path, log: s.log, old: s.table.Load(), now: now}
	t := m.build(p)
	s.table.Store(t)
	return t
}

// current returns the table whose headers are true at now, or nil before the
// first publication. As a figure nears its end its lifetimes shrink; whoever
// finds them out of date makes the table anew, and nobody waits for that.
func (s *supplyAPI) current(now time.Time) *table {
	t := s.table.Load()
	if t == nil || t.until.IsZero() || now.Before(t.until) || !s.publishing.TryLock() {
		return t
	}
	defer s.publishing.Unlock()
	if latest := s.table.Load(); latest != t {
		return latest
	}
	return s.build(t.publication, now)
}

// lookup returns the prepared answer for a request target, or nil. It keeps
// nothing of the target.
func (s *supplyAPI) lookup(target string, now time.Time) *answer.Entry {
	if t := s.current(now); t != nil {
		return t.targets[target]
	}
	return nil
}

// errNotLoaded is answered before the first publication.
var errNotLoaded = &answer.Problem{Status: http.StatusServiceUnavailable, Detail: "figures are being loaded", Retry: time.Second}

// state returns the table and the state of the token that q names.
func (s *supplyAPI) state(q *answer.Request) (*table, supply.State, error) {
	t := s.current(q.At)
	if t == nil {
		return nil, supply.State{}, errNotLoaded
	}
	st, ok := t.states[answer.Lower(q.Args[0])]
	if !ok {
		var known []string
		for _, st := range t.publication.States {
			known = append(known, st.Token.Path)
		}
		return nil, st, &answer.Problem{
			Status: http.StatusNotFound, Tokens: known,
			Detail: "there is no such token; there are " + strings.Join(known, ", "),
		}
	}
	return t, st, nil
}

// published serves what was prepared below the token's path.
func (s *supplyAPI) published(q *answer.Request, path string) (*answer.Response, error) {
	t, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	if e := t.entries[answer.Lower(st.Token.Path)+path]; e != nil {
		return &answer.Response{Entry: e}, nil
	}
	if st.Available() {
		return nil, answer.NotFound("this is no longer kept for the figure that is published now")
	}
	return nil, noFigure(st)
}
