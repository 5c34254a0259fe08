package audit

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// A phase is a service with one history of its log. Two histories are consistent if one of them
// begins with the other.
type phase struct {
	*service
	http.Handler
	steps string
}

// history returns a service whose log has a leaf for each step: figures (p), other figures (o),
// another token's ledger (l), a decision (d, e), a correction of the newest figures (w), or its end (u).
func history(t *testing.T, steps string, witnessed bool) *phase {
	token, base, record := demo.Tokens()[0], measured(t), supply.Record{}
	at := demo.Start.AddDate(0, 0, 1)
	later := demo.Start.AddDate(0, 0, 1)
	other := supply.Measure(t.Context(), demo.Tokens()[:1], demo.Chains(later), later)[0].Snapshot
	s := honest(t, 1)
	s.leaves = s.leaves[:3]
	for i, step := range steps {
		now := time.Duration(i) * time.Hour
		switch step {
		case 'p', 'o':
			s.answer = map[string]string{}
			s.publish(t, &record, &token, map[rune]*supply.Snapshot{'p': base, 'o': other}[step], now)
			s.prove()
		case 'l':
			s.leaves = append(s.leaves, tlog.LedgerVersion{Token: fmt.Sprintf("other%d", i), Ledger: strings.Repeat("a", 64),
				Since: demo.Start}.Leaf())
		case 'd', 'e':
			s.leaves = append(s.leaves, decided(supply.Release, string(step)))
		case 'w':
			s.withdraw(at.Add(now))
		case 'u':
			s.leaves = append(s.leaves, tlog.Decision{Token: "jewel", Kind: string(supply.UndoCorrect),
				Subject: s.proofs[0].Snapshot, Reason: "right", At: at.Add(now)}.Leaf())
			s.proofs[0].Correction = nil
			s.answer = map[string]string{}
			s.prove()
		}
	}
	if witnessed {
		s.witness(t, "example.org/one")
	}
	return &phase{s, s.handler(t), steps}
}

// suffix draws steps after those of a history.
func suffix(r *rand.Rand, steps string) string {
	for range r.IntN(4) {
		last := steps[len(steps)-1:]
		switch {
		case last == "w":
			steps += pick(r, "u", "p", "o", "l")
		default:
			steps += pick(r, "p", "o", "l", "d", "e", "w")
		}
	}
	return steps
}

func byLength(a, b string) int { return len(a) - len(b) }

// A service shows other histories from one request to the next, and refuses some requests. If the
// audit succeeds, all signed heads that it read are consistent, and every answer about figures that
// are not in its log is named.
func TestRandomPhases(t *testing.T) {
	made := map[string]*phase{}
	policy, err := tlog.ParsePolicy(honest(t, 1).witness(t, "example.org/one").String())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range seeds(t, 300) {
		var all []*phase
		base := pick(r, "pp", "ppp", "po", "pwu")
		for range 1 + r.IntN(4) {
			steps := suffix(r, base)
			if r.IntN(3) == 0 && len(all) > 0 {
				steps = suffix(r, all[0].steps)
			}
			signed := r.IntN(2) == 0
			key := fmt.Sprint(steps, signed)
			if made[key] == nil {
				made[key] = history(t, steps, signed)
			}
			all = append(all, made[key])
		}
		now, changes, refuses := pick(r, all...), r.IntN(30), 0
		var heads, trace []string // heads has the histories whose signed heads were served
		figures := map[string]string{}
		often, refusals := pick(r, 0, 10, 40), pick(r, 0, 0, 30)
		client := &http.Client{Transport: roundTrip(func(q *http.Request) (*http.Response, error) {
			w, path := httptest.NewRecorder(), q.URL.RequestURI()
			if isHead := strings.HasSuffix(path, "/checkpoint"); changes > 0 && (isHead && r.IntN(3) > 0 || often > 0 && r.IntN(often) == 0) {
				if next := pick(r, all...); next != now {
					now, changes = next, changes-1
					trace = append(trace, "now "+now.steps)
				}
			}
			if refuses == 0 && refusals > 0 && r.IntN(refusals) == 0 {
				refuses = pick(r, 1, 1, 2, 6)
			}
			if refuses > 0 {
				refuses--
				http.NotFound(w, q)
				trace = append(trace, "404 "+path)
				return w.Result(), nil
			}
			now.ServeHTTP(w, q)
			if strings.Contains(path, "checkpoint") || path == "/jewel/evidence" {
				trace = append(trace, path+" "+now.steps)
			}
			switch {
			case w.Code != 200:
			case strings.HasSuffix(path, "/checkpoint"), path == "/jewel/evidence":
				heads = append(heads, now.steps)
			}
			if w.Code == 200 && !strings.HasPrefix(path, "/log/") && path != "/" && !strings.HasSuffix(path, "/ledger") {
				figures[path] = now.proofs[0].Snapshot
			}
			return w.Result(), nil
		})}
		cfg := Config{URL: "http://service.test", Client: client}
		if r.IntN(4) == 0 {
			cfg.Witnesses = policy
		}
		if r.IntN(4) == 0 {
			kept := pick(r, all...)
			cfg.Since = kept.checkpoint(t)
			heads = append(heads, kept.steps)
		}
		if r.IntN(4) == 0 {
			cfg.Key, _ = now.key.Verifier(origin)
		}
		span := pick(r, time.Hour*24*365, 25*time.Hour)
		var report Report
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			cfg.Now = func() time.Time { return demo.Start.Add(span + time.Since(began)) }
			report, err = Run(t.Context(), cfg)
		})
		slices.Sort(heads)
		heads = slices.Compact(heads)
		conflict := ""
		for _, a := range heads {
			for _, b := range heads {
				if !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) {
					conflict = a + " and " + b
				}
			}
		}
		if err != nil {
			continue
		}
		if conflict != "" {
			t.Errorf("a fork is not noticed: %s; size %d, %q\n%s", conflict, report.Size, report.Retried, strings.Join(trace, "\n"))
		}
		if kept, _ := tlog.ParseCheckpoint(report.Checkpoint); kept.N != int64(3+len(slices.MaxFunc(heads, byLength))) {
			t.Errorf("a head of %s was read, but only %d leaves are kept", slices.MaxFunc(heads, byLength), kept.N)
		}
		isLast := func(p *phase) bool { return slices.Contains(heads, p.steps) && int64(len(p.leaves)) == report.Size }
		for _, p := range all {
			if !isLast(p) {
				continue
			}
			for path, id := range figures {
				inLog := slices.ContainsFunc(p.leaves, func(leaf []byte) bool { return supply.LeafHash(leaf) == id })
				named := slices.ContainsFunc(report.Retried, func(line string) bool {
					name, _, _ := strings.Cut(path, "?snapshot=")
					return strings.HasPrefix(line, path+":") || strings.HasPrefix(line, name+":") || strings.HasPrefix(line, "jewel")
				})
				if !inLog && !named {
					t.Errorf("figures of %s at %s are not noticed: %q", id, path, report.Retried)
				}
			}
			if cfg.Witnesses != nil && len(report.Cosigned) != 1 {
				t.Error("no witness signed the head")
			}
			break
		}
		isWrong := slices.Contains(report.Served, "jewel") && slices.ContainsFunc(all, func(p *phase) bool {
			return isLast(p) && strings.LastIndexAny(p.steps, "w") > strings.LastIndexAny(p.steps, "u") &&
				strings.LastIndexAny(p.steps, "w") > strings.LastIndexAny(p.steps, "po")
		})
		if isWrong {
			t.Errorf("wrong figures are served: %q\n%s", report.Retried, strings.Join(trace, "\n"))
		}
	}
}
