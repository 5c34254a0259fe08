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

// A head of a fork is a fault also if it is served after its log was compared: at the address of a log
// that is read later, or when the newest head is read at the end.
func TestAForkAfterItsLogWasCompared(t *testing.T) {
	for _, forked := range []bool{false, true} {
		oldest, middle, s := threeLogs(t)
		shown := *middle
		shown.leaves = slices.Clone(middle.leaves)
		if forked {
			shown.leaves[2] = decided(supply.Release, "fork")
		}
		body := shown.checkpoint(t)
		ahead := *s
		ahead.leaves = append(slices.Clone(s.leaves), decided(supply.Release, "x"))
		ahead.proofs = []*supply.Evidence{new(*s.proofs[0])}
		before, after := s.handler(t), ahead.handler(t)
		for _, at := range []string{"/log/" + oldest.address() + "/checkpoint", s.head()} {
			told, atEnd := false, false
			r, err := Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: roundTrip(
				func(q *http.Request) (*http.Response, error) {
					w := httptest.NewRecorder()
					atEnd = atEnd || at == s.head() && q.URL.Path == "/log/checkpoint"
					switch {
					case q.URL.Path == at && !told && (atEnd || at != s.head()):
						told = true
						w.Write(body)
					case atEnd:
						after.ServeHTTP(w, q)
					default:
						before.ServeHTTP(w, q)
					}
					return w.Result(), nil
				})}})
			if !told || errors.As(err, new(*Fault)) != forked {
				t.Errorf("%s, forked %t: %v, %q, %+v", at, forked, err, r.Retried, r.Previous)
			}
		}
	}
}
