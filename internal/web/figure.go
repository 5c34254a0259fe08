package web

import (
	"net/http"
	"strings"

	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

// A figure serves one of a token's figures, such as its total supply.
type figure struct {
	*supplyAPI
	name string
}

// asJSON reports whether q wants the figure as JSON.
func (f figure) asJSON(q *answer.Request) (bool, error) {
	query := q.Query()
	format, given := query.Text("format")
	if given && !answer.EqualFold(format, "json") {
		query.Fail("format", "not json")
	}
	return given, query.Err
}

// path returns the path of a prepared figure of a token.
func (f figure) path(token string, isJSON bool) string {
	path := "/" + answer.Lower(token) + "/" + f.name
	if isJSON {
		path += "?format=json"
	}
	return path
}

// missing returns the problem for a figure that the token does not have.
func (f figure) missing(st supply.State) error {
	return answer.NotFound(st.Token.Symbol + " has no " + strings.TrimSuffix(f.name, "supply") + " supply")
}

// now serves the published number.
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
	if e := t.entries[f.path(st.Token.Path, isJSON)]; e != nil {
		return &answer.Response{Entry: e}, nil
	}
	return nil, noFigure(st)
}

// at serves the number as it was at a moment.
func (f figure) at(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	isJSON, err := f.asJSON(q)
	if err != nil {
		return nil, err
	}
	st, cache, err := f.stateAt(q, m)
	if err != nil {
		return nil, err
	}
	text, ok := st.Figure(f.name)
	if !ok {
		return nil, f.missing(st)
	}
	if c := st.Correction; c != nil {
		return nil, &answer.Problem{
			Status: http.StatusGone, Detail: "this figure of " + st.Token.Symbol + " was wrong: " + c.Reason,
			Members: map[string]any{"correction": c},
		}
	}
	return figureResponse(st, text, isJSON, cache)
}

// figureResponse returns the answer with a figure, as plain text or as JSON. The argument text has
// the digits of the figure, and st is the state that it belongs to.
func figureResponse(
	st supply.State, text string, isJSON bool, cache answer.CachePolicy,
) (r *answer.Response, err error) {
	r = &answer.Response{Media: answer.TextType, Body: []byte(text), Cache: cache}
	if isJSON {
		r, err = answer.JSON(supply.FigureResult{Result: text}, cache)
	}
	for _, field := range st.Snapshot.Header() {
		r.SetHeader(field[0], field[1])
	}
	r.SetHeader("Supply-Status", string(st.Status))
	return r, err
}

// queried returns the figure that the query parameter "q" names, or nil if the parameter is not
// given. It also sets q.Route to the route of that figure, for the metrics.
func (s *supplyAPI) queried(q *answer.Request) (*figure, error) {
	query := q.Query()
	word, given := query.Text("q")
	if !given || query.Err != nil {
		return nil, query.Err
	}
	if _, both := query.Text("format"); both {
		query.Fail("format", "not allowed together with the parameter q")
		return nil, query.Err
	}
	var words []string
	for _, name := range supply.FigureNames {
		stem := strings.TrimSuffix(name, "supply")
		if answer.EqualFold(word, stem) || answer.EqualFold(word, name) {
			q.Route = s.base.Routes["/{token}/"+name]
			return &figure{s, name}, nil
		}
		words = append(words, stem)
	}
	return nil, answer.Malformed("q", "not one of "+strings.Join(words, ", "))
}
