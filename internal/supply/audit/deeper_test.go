package audit

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// A head of the log before an earlier one that was read is named, even if the log that names it is
// hidden when the earlier logs are read again.
func TestALogBeforeAHiddenOneThatWasRead(t *testing.T) {
	oldest := honest(t, 5)
	oldest.key = tlog.NewKey([32]byte{7})
	middle := honest(t, 5)
	middle.key = tlog.NewKey([32]byte{6})
	middle.follow(t, oldest, 8)
	s := honest(t, 8)
	s.follow(t, middle, 8)
	h := s.handler(t)

	rewritten := forked(t, 2) // another history of the oldest log, signed with its key, too short to be compared
	rewritten.key = oldest.key
	falsely := rewritten.handler(t)

	older := *middle // the evidence once has an inclusion in the middle log, so the earlier logs are read again
	older.leaves = slices.Clone(middle.leaves)
	older.leaves = append(older.leaves[:2:2], s.leaves[len(s.leaves)-1])
	older.proofs = []*supply.Evidence{new(*s.proofs[0])}
	older.handler(t)

	own, hides := "/log/"+oldest.address()+"/", "/log/"+middle.address()+"/"
	told, hidden := false, false
	r, err := Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: roundTrip(
		func(q *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			switch path := q.URL.RequestURI(); {
			case strings.HasPrefix(path, hides) && hidden:
				http.NotFound(w, q)
			case strings.HasPrefix(path, own):
				told = told || path == own+"checkpoint"
				q = q.Clone(q.Context())
				q.URL.Path = "/log/" + strings.TrimPrefix(path, own)
				falsely.ServeHTTP(w, q)
			case path == "/jewel/evidence" && !hidden:
				hidden = true
				w.Write(tlog.Encode(older.proofs[0]))
			default:
				h.ServeHTTP(w, q)
			}
			return w.Result(), nil
		})}})
	isNamed := slices.ContainsFunc(r.Retried, func(line string) bool { return strings.Contains(line, own) }) ||
		slices.ContainsFunc(r.Previous, func(p previous) bool { return p.Log == oldest.address() })
	if !told || err == nil && !isNamed {
		t.Errorf("told %t, %v: nobody notices a head of a rewritten log at %s: %+v, %q", told, err, own, r.Previous, r.Retried)
	}
}
