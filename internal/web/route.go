package web

import (
	"slices"

	"petsupply/internal/web/answer"
)

// The parameters that ask for an earlier state.
const (
	atParam       = "at"
	blockParam    = "block"
	snapshotParam = "snapshot" // on some routes
)

// newRoute makes a route that supports the parameters in moments for an earlier state. If at or
// block is not among them, the route rejects it, because it would return current data.
func newRoute(a *answer.Answerer, iface, pattern string, serve answer.Handler, moments ...string) *answer.Route {
	return a.NewRoute(iface, pattern, func(q *answer.Request) (*answer.Response, error) {
		query := q.Query()
		for _, param := range []string{atParam, blockParam} {
			if _, given := query.Text(param); given && !slices.Contains(moments, param) {
				query.Fail(param, "not available here: this endpoint returns current data only")
			}
		}
		if query.Err != nil {
			return nil, query.Err
		}
		return serve(q)
	})
}
