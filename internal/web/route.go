package web

import (
	"slices"

	"petsupply/internal/web/answer"
)

// The parameters that ask for an earlier state.
const (
	atParam       = "at"
	blockParam    = "block"
	snapshotParam = "snapshot" // only for evidence and proofs
)

// newRoute makes a route. The argument moments says which of the parameters "at" and "block" the
// route accepts. It rejects the others, because the handler would ignore them and return current
// data.
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
