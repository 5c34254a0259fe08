package web

import (
	"slices"

	"petsupply/internal/web/answer"
)

// The parameters that ask for an earlier state.
const (
	atParam       = "at"
	snapshotParam = "snapshot" // only for evidence and proofs
)

// newRoute makes a route. The argument moments has the parameters of a moment that the route
// accepts. If "at" is not among them, the route rejects it, because the handler would ignore it and
// return current data.
func newRoute(a *answer.Answerer, iface, pattern string, serve answer.Handler, moments ...string) *answer.Route {
	return a.NewRoute(iface, pattern, func(q *answer.Request) (*answer.Response, error) {
		query := q.Query()
		if _, given := query.Text(atParam); given && !slices.Contains(moments, atParam) {
			query.Fail(atParam, "not available here: this endpoint returns current data only")
		}
		if query.Err != nil {
			return nil, query.Err
		}
		return serve(q)
	})
}
