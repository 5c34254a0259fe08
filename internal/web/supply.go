package web

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
)

// Past is where what was published is read. *store.Store is one.
type Past interface {
	// History returns the figures of a token from one time to another, oldest
	// first, thinned to at most so many points.
	History(ctx context.Context, token string, from, to time.Time, points int) ([]supply.Point, error)
	// PublishedAt returns the last publication of a token that shows no more than
	// a moment. *supply.BeforeFirst: it is before the first; supply.ErrNotFound:
	// there is none.
	PublishedAt(ctx context.Context, token string, m supply.Moment) (supply.Point, error)
	// Ledgers returns the versions by which figures of the token were published,
	// oldest first.
	Ledgers(ctx context.Context, token string) ([]ledger.Version, error)
	// EvidenceOf returns the evidence of a publication; *supply.Thinned where it
	// is no longer kept.
	EvidenceOf(ctx context.Context, token string, p supply.Point) (*supply.Evidence, error)
}

// A supplyAPI answers for the tokens.
type supplyAPI struct {
	*answer.Representer
	routes supplyRoutes
	path   string // of its base
	past   Past
	proofs Proofs // nil: none are kept
	tlog   TLog   // nil: there is none
	chains map[string]uint64
	limit  *answer.Limiter
	log    *slog.Logger
	cards  tokenCards

	// publishing is held while a table is made; table is never changed after it
	// was stored.
	publishing sync.Mutex
	table      atomic.Pointer[table]
	hasFigure  atomic.Bool // one was published since the start
}

const (
	defaultPoints = 200
	maxPoints     = 2000
)

// open makes the routes of the supply interface.
func (s *supplyAPI) open(m *answer.Metrics) (list []*answer.Route) {
	add := func(path, pattern string, now answer.Handler, then momentHandler) *answer.Route {
		t := answer.NewRoute(m, "supply", pattern, now)
		if then != nil {
			t.Serve, t.Moments = s.byMoment(now, then), []string{answer.AtParam, answer.BlockParam}
		}
		s.routes[path], list = t, append(list, t)
		return t
	}
	add(allTokens, "/", s.all, s.allThen)
	add("", "/{token}", s.token, s.tokenThen)
	add("/ledger", "/{token}/ledger", s.ledger, s.ledgerThen)
	for _, t := range []*answer.Route{
		add("/evidence", "/{token}/evidence", s.evidence, s.evidenceThen), add("/proof", "/{token}/proof", s.proof, s.proofThen),
	} {
		t.Moments = append(t.Moments, answer.SnapshotParam)
	}
	add("/history", "/{token}/history", s.history, nil)
	add("/card.png", "/{token}/card.png", s.card, nil)
	for _, t := range []*answer.Route{
		add("/log/checkpoint", "/log/checkpoint", s.checkpoint, nil), add("/log/key", "/log/key", s.verifierKey, nil), add("/log/tile", "/log/tile/{tile...}", s.tile, nil),
	} {
		t.Moments = []string{answer.AtParam, answer.BlockParam} // the log is of all moments
	}
	for _, name := range supply.FigureNames {
		f := figure{s, name}
		add("/"+string(name), "/{token}/"+string(name), f.now, f.then).Figure = true
	}
	return list
}

// all serves the list of tokens.
func (s *supplyAPI) all(q *answer.Request) (*answer.Response, error) {
	t := s.current(q.At)
	if t == nil {
		return nil, errNotLoaded
	}
	return &answer.Response{Entry: t.entries[""]}, nil
}

func (s *supplyAPI) ledger(q *answer.Request) (*answer.Response, error) {
	return s.published(q, "/ledger")
}
func (s *supplyAPI) evidence(q *answer.Request) (*answer.Response, error) {
	return s.published(q, "/evidence")
}

// token serves a token's document, or the one figure that a query names.
func (s *supplyAPI) token(q *answer.Request) (*answer.Response, error) {
	f, err := s.queried(q)
	switch {
	case err != nil:
		return nil, err
	case f != nil:
		return f.now(q)
	}
	return s.published(q, "")
}

// tokenThen serves a token's document, or the one figure that a query names, as
// it was at a moment.
func (s *supplyAPI) tokenThen(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	f, err := s.queried(q)
	if err != nil {
		return nil, err
	}
	if f != nil {
		return f.then(q, m)
	}
	st, cache, err := s.stateThen(q, m)
	if err != nil {
		return nil, err
	}
	return answer.JSON(st.Document(), cache)
}

// queried returns the figure that the query of a token's address names; nil: it
// names none. From then on q counts as a request for that figure.
func (s *supplyAPI) queried(q *answer.Request) (*figure, error) {
	query := answer.Query{Raw: q.URL.RawQuery}
	word, given := query.Text("q")
	if !given || query.Err != nil {
		return nil, query.Err
	}
	var words []string
	for _, name := range supply.FigureNames {
		stem := strings.TrimSuffix(string(name), "supply")
		if answer.EqualFold(word, stem) || answer.EqualFold(word, string(name)) {
			q.Route = s.routes["/"+string(name)]
			return &figure{s, name}, nil
		}
		words = append(words, stem)
	}
	return nil, answer.Malformed("q", "not one of "+strings.Join(words, ", "))
}

// now serves the number that is published.
func (f figure) now(q *answer.Request) (*answer.Response, error) {
	isJSON, err := f.asJSON(q)
	if err != nil {
		return nil, err
	}
	t, st, err := f.state(q)
	if err != nil {
		return nil, err
	}
	if !st.HasFigure(f.name) {
		return nil, f.missing(st)
	}
	if e := t.entries[answer.Lower(st.Token.Path)+f.path(isJSON)]; e != nil {
		return &answer.Response{Entry: e}, nil
	}
	return nil, noFigure(st)
}

// then serves the number as it was at a moment.
func (f figure) then(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	isJSON, err := f.asJSON(q)
	if err != nil {
		return nil, err
	}
	st, cache, err := f.stateThen(q, m)
	if err != nil {
		return nil, err
	}
	text, ok := st.Figure(f.name)
	if !ok {
		return nil, f.missing(st)
	}
	return figureResponse(st, text, isJSON, cache)
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

// history serves the figures over time, thinned where they are kept. It is paid
// for by the points that it may have, which is what it costs.
func (s *supplyAPI) history(q *answer.Request) (*answer.Response, error) {
	query := answer.Query{Raw: q.URL.RawQuery}
	now := q.At.UTC().Truncate(time.Minute).Add(time.Minute) // so that callers of one minute share an answer
	to := query.Time("to", now)
	from := query.Time("from", to.AddDate(0, 0, -30))
	points := query.Number("points", defaultPoints, 2, maxPoints)
	if query.Err == nil && from.After(to) {
		query.Fail("from", "later than to")
	}
	if query.Err != nil {
		return nil, query.Err
	}
	_, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	if s.past == nil {
		return nil, answer.ErrNoPath
	}
	if err := s.limit.Take(q, (points+defaultPoints-1)/defaultPoints); err != nil {
		return nil, err
	}
	list, err := s.past.History(q.Context(), st.Token.Path, from, to, points)
	if err != nil {
		return nil, answer.Unavailable(err)
	}
	cache := listPolicy
	if !st.RefuseAt.IsZero() && st.Available() {
		cache = cache.Within(st.RefuseAt.Sub(q.At))
	}
	return answer.JSON(timeline{st.Token.Path, st.Token.Symbol, st.Token.Decimals, from, to, st.Status == supply.Demo, append([]supply.Point{}, list...)}, cache)
}
