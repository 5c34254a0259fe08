package audit

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// A scripted service may answer some requests in another way than the service.
func scripted(h http.Handler, script func(path string) (code int, body string, has bool)) *http.Client {
	return &http.Client{Transport: roundTrip(func(q *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		if code, body, has := script(q.URL.RequestURI()); has {
			w.WriteHeader(code)
			io.WriteString(w, body)
		} else {
			h.ServeHTTP(w, q)
		}
		return w.Result(), nil
	})}
}

// forked returns a service like honest, with another leaf 2 under the same key.
func forked(t *testing.T, times int) *service {
	s := honest(t, times)
	s.leaves[2] = decided(supply.Release, "another")
	s.handler(t) // sets the inclusion in its evidence
	return s
}

// A log that was rewritten since the kept checkpoint is a fork, even if its tiles are missing for a
// while.
func TestARewrittenLogWhoseTilesAreMissing(t *testing.T) {
	kept := honest(t, 3).checkpoint(t)
	for _, times := range []int{3, 5, 300} {
		s := forked(t, times)
		h := s.handler(t)
		for how, answer := range map[string]struct {
			prefix string
			code   int
			body   string
		}{
			"404 at its own address": {"/log/" + s.address() + "/tile/", 404, "no"},
		} {
			missing := map[string]int{}
			r, err := Run(t.Context(), Config{URL: "http://service.test", Since: kept, Client: scripted(h,
				func(path string) (int, string, bool) {
					if strings.HasPrefix(path, answer.prefix) && len(missing) < 2 && missing[path] < catchUp {
						missing[path]++
						return answer.code, answer.body, len(missing) == 1
					}
					return 0, "", false
				})})
			if err == nil {
				t.Errorf("%d figures, %s: nobody notices; kept %d, size %d, %q", times, how, r.Kept, r.Size, r.Retried)
			}
		}
	}
}

// A head or an inclusion of a fork is a fault, even if tiles are missing when it is compared.
func TestAForkWhoseTilesAreMissing(t *testing.T) {
	s := honest(t, 3)
	h := s.handler(t)
	head := string(forked(t, 2).checkpoint(t))
	same := forked(t, 3) // the fork has the same newest snapshot
	for path, body := range map[string]string{"/log/checkpoint": head, "/jewel/evidence": string(tlog.Encode(same.proofs[0])),
		s.head(): head} {
		asked, told, missing := 0, false, 0
		r, err := Run(t.Context(), Config{URL: "http://service.test", Client: scripted(h,
			func(at string) (int, string, bool) {
				if at == s.head() {
					asked++
				}
				if at == path && !told && (at != s.head() || asked == 2) {
					told = true
					return 200, body, true
				}
				if at == "/" && path == s.head() && asked == 1 { // makes the audit read the head again
					return 404, "no", true
				}
				if told && strings.Contains(at, "/tile/") && missing < catchUp {
					missing++
					return 404, "no", true
				}
				return 0, "", false
			})})
		if err == nil {
			t.Errorf("%s: told %t: nobody notices: %q", path, told, r.Retried)
		}
	}
}

// What differed once in an earlier log is named, even if the rest of that log must be read again.
func TestAFalseHeadOfAnEarlierLog(t *testing.T) {
	s, before := successor(t, 8)
	repeat(s, before)
	h := s.handler(t)
	own := "/log/" + before.address() + "/"
	other := honest(t, 1)
	other.key = tlog.NewKey([32]byte{77})
	told, missing := false, 0
	r, err := Run(t.Context(), Config{URL: "http://service.test", Client: scripted(h,
		func(at string) (int, string, bool) {
			if at == own+"checkpoint" && !told {
				told = true
				return 200, string(other.checkpoint(t)), true
			}
			if told && strings.HasPrefix(at, own+"tile/") && missing < catchUp {
				missing++
				return 404, "no", true
			}
			return 0, "", false
		})})
	isNamed := slices.ContainsFunc(r.Retried, func(line string) bool { return strings.HasPrefix(line, own+"checkpoint:") })
	if !told || err == nil && !isNamed {
		t.Errorf("nobody notices a head of another key at %scheckpoint: %q", own, r.Retried)
	}
}

// otherFigures returns a service like honest, with the same key and figures of another day.
func otherFigures(t *testing.T, times int) *service {
	s := honest(t, times)
	s.leaves = s.leaves[:3]
	token, at := demo.Tokens()[0], demo.Start.AddDate(0, 0, 1)
	m := supply.Measure(t.Context(), demo.Tokens()[:1], demo.Chains(at), at)[0]
	if m.Err != nil {
		t.Fatal(m.Err)
	}
	var record supply.Record
	for i := range times {
		s.publish(t, &record, &token, m.Snapshot, time.Duration(i)*time.Hour)
	}
	return s
}

// Figures that only a fork has are noticed, even if the head that witnesses signed is served after
// them, and its tiles are missing for a while.
func TestFiguresThatNoWitnessSaw(t *testing.T) {
	s, fork := honest(t, 3), otherFigures(t, 3)
	key := s.witness(t, "example.org/one").String()
	policy, err := tlog.ParsePolicy(key)
	if err != nil {
		t.Fatal(err)
	}
	honestly, falsely := s.handler(t), fork.handler(t)
	heads, missing := 0, 0
	r, err := Run(t.Context(), Config{URL: "http://service.test", Witnesses: policy, Client: &http.Client{Transport: roundTrip(
		func(q *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			path := q.URL.RequestURI()
			if path == s.head() {
				heads++
			}
			switch {
			case strings.HasPrefix(path, "/log/") && heads > 1 && strings.Contains(path, "/tile/") && missing < catchUp:
				missing++
				http.NotFound(w, q)
			case strings.HasPrefix(path, "/log/") && heads > 1:
				honestly.ServeHTTP(w, q)
			default:
				falsely.ServeHTTP(w, q)
			}
			return w.Result(), nil
		})}})
	if err == nil {
		t.Errorf("nobody notices the total %s instead of %s: served %q, signed %v, %q", fork.newest[0].Total, s.newest[0].Total,
			r.Served, r.Cosigned, r.Retried)
	}
}
