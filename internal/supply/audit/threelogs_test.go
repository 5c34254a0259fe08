package audit

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// threeLogs returns three services with one log each, which follow each other.
func threeLogs(t *testing.T) (oldest, middle, s *service) {
	oldest, middle, s = honest(t, 5), honest(t, 5), honest(t, 8)
	oldest.key, middle.key = tlog.NewKey([32]byte{7}), tlog.NewKey([32]byte{6})
	middle.follow(t, oldest, 8)
	s.follow(t, middle, 8)
	return oldest, middle, s
}

// A service has two earlier logs, and shows other histories of all three from one request to the next.
// If the audit succeeds, all signed heads that it read are consistent, or the report names their log.
func TestRandomHistoriesOfThreeLogs(t *testing.T) {
	oldest, middle, s := threeLogs(t)
	s.prove()
	variants := func(of *service) (all []*service) {
		for i := range 7 {
			v := *of
			v.leaves = slices.Clone(of.leaves)
			v.proofs = []*supply.Evidence{new(*of.proofs[0])}
			switch i {
			case 1, 2:
				v.leaves = append(v.leaves, decided(supply.Release, fmt.Sprint("more", i)))
			case 3:
				v.leaves = append(v.leaves, decided(supply.Release, "more1"), decided(supply.Release, "x"))
			case 4:
				v.leaves[2] = decided(supply.Release, "fork")
			case 5:
				v.leaves = v.leaves[:5]
			case 6:
				v.leaves = v.leaves[:5]
				v.leaves[2] = decided(supply.Release, "fork")
			}
			all = append(all, &v)
		}
		return all
	}
	logs := [][]*service{variants(s)[:5], variants(middle), variants(oldest)}
	handlers := map[*service]http.Handler{}
	for _, v := range logs[0] {
		handlers[v] = v.handler(t)
	}
	served := 0
	for seed, r := range seeds(t, 300) {
		now := []*service{logs[0][0], logs[1][0], logs[2][0]}
		changes, often := r.IntN(8), pick(r, 3, 10, 30)
		told := map[string][]*service{}
		var trace []string
		hidden, claimed := map[int]int{}, pick(r, 0, 1)
		client := &http.Client{Transport: roundTrip(func(q *http.Request) (*http.Response, error) {
			w, path := httptest.NewRecorder(), q.URL.RequestURI()
			if changes > 0 && r.IntN(often) == 0 {
				changes--
				i := r.IntN(3)
				if r.IntN(3) == 0 {
					hidden[i] = pick(r, 1, 2, 6, 1<<30)
				} else {
					now[i] = pick(r, logs[i]...)
				}
			}
			for i := range 3 {
				own := "/log/" + now[i].address() + "/"
				if strings.HasPrefix(path, own) || i == 0 && strings.HasPrefix(path, "/log/checkpoint") {
					if hidden[i] > 0 {
						hidden[i]--
						http.NotFound(w, q)
						trace = append(trace, "404 "+path)
						return w.Result(), nil
					}
					if strings.HasSuffix(path, "checkpoint") {
						told[now[i].address()] = append(told[now[i].address()], now[i])
						trace = append(trace, fmt.Sprintf("%s of variant %d", path, slices.Index(logs[i], now[i])))
					}
					if i > 0 {
						now[i].serveLog(t, w, strings.TrimPrefix(path, own))
						return w.Result(), nil
					}
				}
			}
			if path == "/jewel/evidence" {
				if claimed > 0 {
					claimed--
					c := logs[1][0]
					older := *c
					older.leaves = append(slices.Clone(c.leaves), s.leaves[len(s.leaves)-1])
					older.proofs = []*supply.Evidence{new(*s.proofs[0])}
					older.handler(t)
					told[c.address()] = append(told[c.address()], &older)
					w.Write(tlog.Encode(older.proofs[0]))
					return w.Result(), nil
				}
				told[now[0].address()] = append(told[now[0].address()], now[0])
			}
			if path == "/jewel" && r.IntN(6) == 0 {
				http.NotFound(w, q)
				return w.Result(), nil
			}
			handlers[now[0]].ServeHTTP(w, q)
			return w.Result(), nil
		})}
		report, err := auditYearLater(t, nil, client)
		if err != nil {
			continue
		}
		served++
		for log, heads := range told {
			isKnown := log == s.address() || slices.ContainsFunc(report.Previous, func(p previous) bool { return p.Log == log })
			if !isKnown {
				t.Errorf("seed %d: %s was read, and is not named: %+v, %q\n%s", seed, log, report.Previous, report.Retried,
					strings.Join(trace, "\n"))
				return
			}
			for _, a := range heads {
				for _, b := range heads {
					x, y := bytes.Join(a.leaves, []byte("\n")), bytes.Join(b.leaves, []byte("\n"))
					if bytes.HasPrefix(x, y) || bytes.HasPrefix(y, x) {
						continue
					}
					named := slices.ContainsFunc(report.Previous, func(p previous) bool {
						return p.Log == log && strings.Contains(p.Found, "read before")
					})
					if !named {
						t.Errorf("seed %d: %s: heads of %d and %d leaves: %+v, %q\n%s", seed, log, len(a.leaves), len(b.leaves),
							report.Previous, report.Retried, strings.Join(trace, "\n"))
						return
					}
				}
			}
		}
	}
	t.Logf("%d succeeded", served)
}
