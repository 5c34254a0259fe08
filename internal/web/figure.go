package web

import (
	"net/http"
	"strings"
	"time"

	"petsupply/internal/supply"
)

// A figure serves one number of a token.
type figure struct {
	*supplyAPI
	name supply.FigureName
}

// queried returns the figure that the query of a token's address names; nil: it
// names none. From then on q counts as a request for that figure.
func (s *supplyAPI) queried(q *request) (*figure, error) {
	query := query{raw: q.URL.RawQuery}
	word, given := query.text("q")
	if !given || query.err != nil {
		return nil, query.err
	}
	var words []string
	for _, name := range supply.FigureNames {
		stem := strings.TrimSuffix(string(name), "supply")
		if equalFold(word, stem) || equalFold(word, string(name)) {
			q.route = s.routes["/"+string(name)]
			return &figure{s, name}, nil
		}
		words = append(words, stem)
	}
	return nil, malformed("q", "not one of "+strings.Join(words, ", "))
}

// asJSON says in which form q wants its figure.
func (f figure) asJSON(q *request) (bool, error) {
	query := query{raw: q.URL.RawQuery}
	format, given := query.text("format")
	isJSON := equalFold(format, "json")
	if given && !isJSON && !equalFold(format, "text") {
		query.fail("format", "not json or text")
	}
	return isJSON, query.err
}

// now serves the number that is published.
func (f figure) now(q *request) (*response, error) {
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
	if e := t.entries[lower(st.Token.Path)+f.path(isJSON)]; e != nil {
		return &response{entry: e}, nil
	}
	return nil, noFigure(st)
}

// then serves the number as it was at a moment.
func (f figure) then(q *request, m *supply.Moment) (*response, error) {
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

// path is where a figure is prepared, below its token's path.
func (f figure) path(isJSON bool) string {
	if isJSON {
		return "/" + string(f.name) + "?format=json"
	}
	return "/" + string(f.name)
}

func (f figure) missing(st supply.State) error {
	return notFound(st.Token.Symbol + " has no " + strings.TrimSuffix(string(f.name), "supply") + " supply")
}

func noFigure(st supply.State) error {
	return &httpError{
		status: http.StatusServiceUnavailable, retry: defaultRetry,
		detail: "there is no acceptable figure of " + st.Token.Symbol + " now",
	}
}

// A figureResult is a figure in the JSON form that some aggregators read.
type figureResult struct {
	Result string `json:"result"`
}

// figureResponse is a figure of st in one of its forms.
func figureResponse(st supply.State, text string, isJSON bool, cache cachePolicy) (r *response, err error) {
	r = &response{media: textType, body: []byte(text), cache: cache}
	if isJSON {
		r, err = jsonResponse(figureResult{text}, cache)
	}
	r.headers = []field{
		newField("Supply-As-Of", st.Snapshot.AsOf.UTC().Format(time.RFC3339Nano)),
		newField("Supply-Measured-At", st.Snapshot.MeasuredAt.UTC().Format(time.RFC3339Nano)),
		newField("Supply-Snapshot", st.Snapshot.ID),
		newField("Supply-Status", string(st.Status)),
	}
	return r, err
}
