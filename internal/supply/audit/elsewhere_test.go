package audit

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"petsupply/internal/supply"
)

// A head of a fork is a fault wherever it is served: also a head of an earlier log at /log/, and one of
// the current log at the address of an earlier one.
func TestAForkAtTheAddressOfAnotherLog(t *testing.T) {
	for _, forked := range []bool{false, true} {
		for _, ofEarlier := range []bool{false, true} {
			s, before := successor(t, 8)
			h := s.handler(t)
			of := s
			if ofEarlier {
				of = before
			}
			shown := *of
			shown.leaves = slices.Clone(of.leaves)
			if forked {
				shown.leaves[2] = decided(supply.Release, "fork")
			}
			body := shown.checkpoint(t)
			paths := []string{"/log/" + before.address() + "/checkpoint"}
			if ofEarlier {
				paths = []string{"/log/checkpoint", s.head()}
			}
			for _, path := range paths {
				told := false
				r, err := Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: roundTrip(
					func(q *http.Request) (*http.Response, error) {
						w := httptest.NewRecorder()
						if q.URL.Path == path && !told {
							told = true
							w.Write(body)
						} else {
							h.ServeHTTP(w, q)
						}
						return w.Result(), nil
					})}})
				if !told || errors.As(err, new(*Fault)) != forked {
					t.Errorf("%s, forked %t: %v, %q, %+v", path, forked, err, r.Retried, r.Previous)
				}
			}
		}
	}
}
