package web

import (
	"net/http"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

// A figure serves one number of a token.
type figure struct {
	*supplyAPI
	name supply.FigureName
}

// asJSON says in which form q wants its figure.
func (f figure) asJSON(q *answer.Request) (bool, error) {
	query := answer.Query{Raw: q.URL.RawQuery}
	format, given := query.Text("format")
	isJSON := answer.EqualFold(format, "json")
	if given && !isJSON && !answer.EqualFold(format, "text") {
		query.Fail("format", "not json or text")
	}
	return isJSON, query.Err
}

// path is where a figure is prepared, below its token's path.
func (f figure) path(isJSON bool) string {
	if isJSON {
		return "/" + string(f.name) + "?format=json"
	}
	return "/" + string(f.name)
}

func (f figure) missing(st supply.State) error {
	return answer.NotFound(st.Token.Symbol + " has no " + strings.TrimSuffix(string(f.name), "supply") + " supply")
}

func noFigure(st supply.State) error {
	return &answer.Problem{
		Status: http.StatusServiceUnavailable, Retry: answer.DefaultRetry,
		Detail: "there is no acceptable figure of " + st.Token.Symbol + " now",
	}
}

// A figureResult is a figure in the JSON form that some aggregators read.
type figureResult struct {
	Result string `json:"result"`
}

// figureResponse is a figure of st in one of its forms.
func figureResponse(st supply.State, text string, isJSON bool, cache answer.CachePolicy) (r *answer.Response, err error) {
	r = &answer.Response{Media: answer.TextType, Body: []byte(text), Cache: cache}
	if isJSON {
		r, err = answer.JSON(figureResult{text}, cache)
	}
	r.Headers = []answer.Field{
		answer.NewField("Supply-As-Of", st.Snapshot.AsOf.UTC().Format(time.RFC3339Nano)),
		answer.NewField("Supply-Measured-At", st.Snapshot.MeasuredAt.UTC().Format(time.RFC3339Nano)),
		answer.NewField("Supply-Snapshot", st.Snapshot.ID),
		answer.NewField("Supply-Status", string(st.Status)),
	}
	return r, err
}
