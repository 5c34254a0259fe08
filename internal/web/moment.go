package web

import "slices"

// momentParams ask for what was, not for what is.
var momentParams = []string{"at", "block"}

// refuseMoment is an error if q asks its route for a moment that the route does
// not know how to tell: it would take what is now for what was.
func (q *request) refuseMoment() error {
	query := query{raw: q.URL.RawQuery}
	for _, param := range momentParams {
		if _, given := query.text(param); given && !slices.Contains(q.route.moments, param) {
			query.fail(param, "not understood here: this address tells only what is now")
		}
	}
	return query.err
}
