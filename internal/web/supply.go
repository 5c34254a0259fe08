package web

import (
	"context"
	"net/http"
	"strings"
	"time"

	"petsupply/internal/supply"
)

// Past is where figures over time are read. *store.Store is one.
type Past interface {
	// History returns the figures of a token from one time to another, oldest
	// first, thinned to at most so many points.
	History(ctx context.Context, token string, from, to time.Time, points int) ([]supply.Point, error)
}

// supplyRoutes are the patterns of the supply interface.
type supplyRoutes struct {
	all, token, evidence, ledger, history *route

	figures map[supply.FigureName]*route
}

const (
	defaultPoints = 200
	maxPoints     = 2000
)

// openSupply makes the routes of the supply interface.
func (s *Server) openSupply() []*route {
	r := &s.routes
	r.all = s.routeOf("supply", "/", func(q *request) (*response, error) { return s.published(q, "") })
	r.token = s.routeOf("supply", "/{token}", func(q *request) (*response, error) { return s.published(q, "") })
	r.evidence = s.routeOf("supply", "/{token}/evidence", func(q *request) (*response, error) { return s.published(q, "/evidence") })
	r.ledger = s.routeOf("supply", "/{token}/ledger", func(q *request) (*response, error) { return s.published(q, "/ledger") })
	r.history = s.routeOf("supply", "/{token}/history", s.history)
	list := []*route{r.all, r.token, r.evidence, r.ledger, r.history}
	r.figures = map[supply.FigureName]*route{}
	for _, kind := range supply.FigureNames {
		t := s.routeOf("supply", "/{token}/"+string(kind), func(q *request) (*response, error) { return s.figure(q, kind) })
		t.figure = true
		r.figures[kind] = t
		list = append(list, t)
	}
	return list
}

// errEarly is answered before the first publication.
var errEarly = &fault{status: http.StatusServiceUnavailable, detail: "figures are being loaded", retry: time.Second}

// state returns the table and the state of the token that q names.
func (s *Server) state(q *request) (*table, supply.State, error) {
	path := lower(q.args[0])
	t := s.current(q.at)
	if t == nil {
		return nil, supply.State{}, errEarly
	}
	st, ok := t.states[path]
	if !ok {
		var known []string
		for _, st := range t.publication.States {
			known = append(known, st.Token.Path)
		}
		return nil, st, &fault{
			status: http.StatusNotFound, tokens: known,
			detail: "there is no such token; there are " + strings.Join(known, ", "),
		}
	}
	return t, st, nil
}

// published serves what was prepared under the token's path and word.
func (s *Server) published(q *request, word string) (*response, error) {
	if len(q.args) == 0 {
		t := s.current(q.at)
		if t == nil {
			return nil, errEarly
		}
		return &response{entry: t.entries[""]}, nil
	}
	t, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	if e := t.entries[lower(st.Token.Path)+word]; e != nil {
		return &response{entry: e}, nil
	}
	if st.Available() {
		return nil, &fault{status: http.StatusNotFound, detail: "this is no longer kept for the figure that is published now"}
	}
	return nil, unavailable(st)
}

func unavailable(st supply.State) error {
	return &fault{
		status: http.StatusServiceUnavailable, retry: later,
		detail: "there is no acceptable figure of " + st.Token.Symbol + " now",
	}
}

// figure serves one number.
func (s *Server) figure(q *request, kind supply.FigureName) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	word := "/" + string(kind)
	switch format, given := query.text("format"); {
	case equalFold(format, "json"):
		word += "?format=json"
	case given && !equalFold(format, "text"):
		query.fail("format", "not json or text")
	}
	if query.err != nil {
		return nil, query.err
	}
	t, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	if !st.Token.HasFigure(kind) {
		return nil, &fault{status: http.StatusNotFound, detail: st.Token.Symbol + " has no " + strings.TrimSuffix(string(kind), "supply") + " supply"}
	}
	if e := t.entries[lower(st.Token.Path)+word]; e != nil {
		return &response{entry: e}, nil
	}
	return nil, unavailable(st)
}

// A timeline is a token's figures over time.
type timeline struct {
	Token    string         `json:"token"`
	Symbol   string         `json:"symbol"`
	Decimals int            `json:"decimals"`
	From     time.Time      `json:"from"`
	To       time.Time      `json:"to"`
	Demo     bool           `json:"demo,omitempty"`
	Points   []supply.Point `json:"points"`
}

// history serves the figures over time, thinned where they are kept.
func (s *Server) history(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	now := q.at.UTC().Truncate(time.Minute).Add(time.Minute) // so that callers of one minute share an answer
	to := query.moment("to", now)
	from := query.moment("from", to.AddDate(0, 0, -30))
	points := query.number("points", 2, maxPoints)
	if query.err == nil && from.After(to) {
		query.fail("from", "later than to")
	}
	if query.err != nil {
		return nil, query.err
	}
	if points == nil {
		points = new(int)
		*points = defaultPoints
	}
	_, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	if s.past == nil {
		return nil, errNoPath
	}
	if err := s.limit.take(q, 1); err != nil {
		return nil, err
	}
	list, err := s.past.History(q.Context(), st.Token.Path, from, to, *points)
	if err != nil {
		return nil, away(err)
	}
	if list == nil {
		list = []supply.Point{}
	}
	cache := listPolicy
	if !st.RefuseAt.IsZero() && st.Available() {
		cache = cache.within(st.RefuseAt.Sub(q.at))
	}
	doc := timeline{st.Token.Path, st.Token.Symbol, st.Token.Decimals, from, to, st.Status == supply.Demo, list}
	body, err := Encode(doc)
	return &response{media: jsonType, body: body, cache: cache, squeeze: true}, err
}
