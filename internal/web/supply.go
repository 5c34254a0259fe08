package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

// Past has earlier publications. *store.Store is one.
type Past interface {
	supply.Publications
	// History returns the figures of a token from one time to another, oldest first, thinned to at
	// most this many points.
	History(ctx context.Context, token string, from, to time.Time, points int) ([]supply.Point, error)
	// EvidenceOf returns the evidence of a publication. The error is a *supply.Thinned if the
	// evidence is no longer kept, and supply.ErrNotFound if there never was any.
	EvidenceOf(ctx context.Context, n *supply.Snapshot) (*supply.Evidence, error)
}

// A supplyAPI answers requests about tokens.
type supplyAPI struct {
	answerer *answer.Answerer
	base     *answer.Base
	past     Past
	proofs   Proofs
	tlog     TLog // nil if the service has no log

	// publishing is held while a table is made. A table never changes after it was stored.
	publishing sync.Mutex
	table      atomic.Pointer[table]
	hasFigure  atomic.Bool // a figure was published since the start
}

const (
	defaultPoints = 200
	maxPoints     = 2000
)

// update prepares answers about p: see Server.OnPublication.
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

// build makes the table of p and stores it. The caller holds s.publishing.
func (s *supplyAPI) build(p *supply.Publication, now time.Time) *table {
	m := tableBuilder{api: s, old: s.table.Load(), now: now}
	t := m.build(p)
	s.table.Store(t)
	return t
}

// current returns the table for a request at the time now, or nil before the first publication. If
// the table is out of date (see table.until), the first request rebuilds it. Other requests do not
// wait: they get the old table.
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

// lookup returns the prepared answer for a request target, or nil. It does not keep the string
// target, which may be overwritten later.
func (s *supplyAPI) lookup(target string, now time.Time) *answer.Entry {
	if t := s.current(now); t != nil {
		return t.targets[target]
	}
	return nil
}

// errNotLoaded is the answer before the first publication.
var errNotLoaded = &answer.Problem{
	Status: http.StatusServiceUnavailable, Detail: "figures are being loaded", Retry: time.Second,
}

// state returns the current table, and the state of the token that q names.
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
			Status: http.StatusNotFound, Members: map[string]any{"tokens": known},
			Detail: "there is no such token; the tokens are " + strings.Join(known, ", "),
		}
	}
	return t, st, nil
}

// published serves a prepared answer about a token.
func (s *supplyAPI) published(q *answer.Request) (*answer.Response, error) {
	t, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	if e := t.entries[strings.Replace(q.Route.Pattern, "{token}", answer.Lower(st.Token.Path), 1)]; e != nil {
		return &answer.Response{Entry: e}, nil
	}
	if st.Available() {
		return nil, answer.NotFound("this document of the published figure is no longer kept")
	}
	return nil, noFigure(st)
}

// all serves the list of tokens.
func (s *supplyAPI) all(q *answer.Request) (*answer.Response, error) {
	t := s.current(q.At)
	if t == nil {
		return nil, errNotLoaded
	}
	return &answer.Response{Entry: t.entries["/"]}, nil
}

// token serves a token's document, or one figure if the query names it.
func (s *supplyAPI) token(q *answer.Request) (*answer.Response, error) {
	f, err := s.queried(q)
	switch {
	case err != nil:
		return nil, err
	case f != nil:
		return f.now(q)
	}
	return s.published(q)
}

// A timeline is a token's figures over time.
type timeline struct {
	Token    string    `json:"token"`
	Symbol   string    `json:"symbol"`
	Decimals int       `json:"decimals"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	Demo     bool      `json:"demo,omitempty"`
	Points   []point   `json:"points"`
}

// A point is a published snapshot in a timeline.
type point struct {
	AsOf       time.Time `json:"asOf"`
	MeasuredAt time.Time `json:"measuredAt"`
	supply.Figures
	Snapshot   string             `json:"snapshot"`
	LedgerHash string             `json:"ledger"`
	Blocks     []supply.Block     `json:"blocks"`
	Correction *supply.Correction `json:"correction,omitempty"`
}

// history serves the figures over time, thinned if necessary. It charges q for the largest number
// of points that the answer can have.
func (s *supplyAPI) history(q *answer.Request) (*answer.Response, error) {
	query := q.Query()
	now := q.At.UTC().Truncate(time.Minute).Add(time.Minute) // so that requests in one minute get the same answer
	to := query.Time("to", now)
	from := query.Time("from", to.AddDate(0, 0, -30))
	points := query.Number("points", defaultPoints, 2, maxPoints)
	if query.Err == nil && from.After(to) {
		query.Fail("from", "later than the end, which is the parameter \"to\" or the current time")
	}
	if query.Err != nil {
		return nil, query.Err
	}
	_, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	if err := q.Pay(points); err != nil {
		return nil, err
	}
	list, err := s.past.History(q.Context(), st.Token.Path, from, to, points)
	if err != nil {
		return nil, unavailable(err)
	}
	if err := q.Turn(); err != nil {
		return nil, err
	}
	shown := []point{}
	for _, p := range list {
		shown = append(shown, point{AsOf: p.AsOf, MeasuredAt: p.MeasuredAt, Figures: p.Figures, Snapshot: p.ID,
			LedgerHash: p.LedgerHash, Blocks: p.Blocks, Correction: p.Correction})
	}
	return answer.JSON(timeline{
		Token: st.Token.Path, Symbol: st.Token.Symbol, Decimals: st.Token.Decimals, From: from, To: to,
		Demo: st.Status == supply.Demo, Points: shown,
	}, untilRefused(st, q))
}

// untilRefused returns the policy of the route, or less if the figure of st will soon be refused.
func untilRefused(st supply.State, q *answer.Request) answer.CachePolicy {
	if st.RefuseAt.IsZero() || !st.Available() {
		return q.Route.Cache
	}
	return q.Route.Cache.Within(st.RefuseAt.Sub(q.At))
}
