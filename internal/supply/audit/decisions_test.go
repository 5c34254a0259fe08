package audit

import (
	"fmt"
	"maps"
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
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// states returns the service as it is, and after each step: figures (p), other figures (o), a decision
// (d), a correction of the newest figures (w), or its end (u). The first step is at a minute.
func (s *service) states(t *testing.T, steps string, minute int) []*service {
	token, figures, all := demo.Tokens()[0], map[rune]*supply.Snapshot{'p': measured(t)}, []*service{s}
	day := demo.Start.AddDate(0, 0, 1)
	figures['o'] = supply.Measure(t.Context(), demo.Tokens()[:1], demo.Chains(day), day)[0].Snapshot
	for i, step := range steps {
		next := *all[i]
		next.leaves, next.answer = slices.Clone(next.leaves), maps.Clone(next.answer)
		next.proofs = []*supply.Evidence{new(*next.proofs[0])}
		now := time.Duration(minute+i) * time.Minute
		switch step {
		case 'p', 'o':
			clear(next.answer)
			next.publish(t, &supply.Record{Snapshot: &supply.Snapshot{ID: next.proofs[0].Snapshot}}, &token, figures[step], now)
		case 'd':
			next.leaves = append(next.leaves, decided(supply.Release, fmt.Sprint(minute+i)))
		case 'w':
			next.withdraw(day.Add(now))
		case 'u':
			next.leaves = append(next.leaves, tlog.Decision{Token: "jewel", Kind: string(supply.UndoCorrect),
				Subject: next.proofs[0].Snapshot, Reason: "right", At: day.Add(now)}.Leaf())
			next.proofs[0].Correction = nil
			clear(next.answer)
		}
		all = append(all, &next)
	}
	return all
}

// drawn returns n steps. Figures follow a correction only after its end or another decision.
func drawn(r *rand.Rand, n int) (steps string) {
	for range n {
		if strings.HasSuffix(steps, "w") {
			steps += pick(r, "u", "u", "d")
		} else {
			steps += pick(r, "w", "w", "d", "o", "p")
		}
	}
	return steps
}

// views says which state of a service each answer shows. The heads at both addresses of the log and the
// answers about tokens change independently. Tiles are always those of the last state.
type views struct {
	*rand.Rand
	states, stay int // a view changes once in stay times
	at           map[string]int
	last, most   int      // the last state that was shown, and the last one of the log
	told         []string // heads and lists, to explain a failure
}

func (v *views) of(path string) int {
	kind := "answers"
	switch {
	case strings.HasSuffix(path, "/checkpoint"):
		kind = path
	case strings.HasPrefix(path, "/log/"):
		return v.states - 1
	}
	if kind == path || path == "/" {
		if _, seen := v.at[kind]; !seen {
			v.at[kind] = v.last
		}
		if v.IntN(v.stay) == 0 {
			v.at[kind] = v.IntN(v.states)
		}
		if v.last = v.at[kind]; kind == path {
			v.most = max(v.most, v.last)
		}
		v.told = append(v.told, fmt.Sprint(path, " ", v.at[kind]))
	}
	return v.at[kind]
}

// isWrong reports whether logs, oldest first, say that the newest figures of jewel are wrong.
func isWrong(logs ...[][]byte) bool {
	type decision struct {
		wrong bool
		index int
	}
	var figures supply.Figures
	var ids []string // the snapshots with the newest figures, oldest first
	decisions := map[string]decision{}
	for i, leaf := range slices.Concat(logs...) {
		if l, err := supply.ParseLeaf(leaf); err == nil && l.Token == "jewel" {
			if len(ids) > 0 && !figures.Equal(l.Figures) {
				ids = nil
			}
			figures, ids = l.Figures, append(ids, l.ID)
		} else if x, err := tlog.ParseLeaf(tlog.DecisionFormat, leaf); err == nil {
			d := x.(tlog.Decision)
			decisions[d.Subject] = decision{d.Kind == string(supply.Correct), i}
		}
	}
	latest, ofNewest := decision{}, decision{}
	for _, id := range ids {
		if d, found := decisions[id]; found {
			ofNewest = d
			if d.index > latest.index {
				latest = d
			}
		}
	}
	return latest.wrong || ofNewest.wrong
}

// auditYearLater audits a service, a year after its figures. policy may be nil.
func auditYearLater(t *testing.T, policy *tlog.Policy, client *http.Client) (report Report, err error) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		report, err = Run(t.Context(), Config{URL: "http://service.test", Client: client, Witnesses: policy,
			Now: func() time.Time { return demo.Start.AddDate(1, 0, 0).Add(time.Since(began)) }})
	})
	return report, err
}

// besides returns a handler for s and a second token, crystal.
func (s *service) besides(t *testing.T, crystal *service) http.Handler {
	other := *crystal
	other.key, other.leaves, other.signed, other.policy = s.key, s.leaves, s.signed, s.policy
	other.answer, other.proofs = map[string]string{}, []*supply.Evidence{new(*crystal.proofs[0])}
	own, crystals := s.handler(t), other.handler(t)
	list := tlog.Encode(slices.Concat(s.newest, crystal.newest))
	if alone, has := s.answer["/"]; has {
		list = []byte(strings.TrimSuffix(alone, "]") + "," + string(tlog.Encode(crystal.newest[0])) + "]")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		rest, isCrystal := strings.CutPrefix(q.URL.Path, "/crystal")
		switch {
		case isCrystal: // a service has one token, called jewel
			q = q.Clone(q.Context())
			q.URL.Path = "/jewel" + rest
			crystals.ServeHTTP(w, q)
		case q.URL.Path == "/":
			w.Write(list)
		default:
			own.ServeHTTP(w, q)
		}
	})
}

// A service with two tokens shows several states of its log. If the audit succeeds, what it says of jewel
// is true of the newest head that it read, which witnesses signed if they had to.
func TestRandomDecisions(t *testing.T) {
	token := demo.Tokens()[1]
	m := supply.Measure(t.Context(), demo.Tokens()[1:2], demo.Chains(demo.Start), demo.Start)[0]
	if m.Err != nil {
		t.Fatal(m.Err)
	}
	version := token.CurrentLedger()
	version.Since = new(demo.Start)
	crystal := honest(t, 0)
	crystal.ledger = token.LedgerDocument([]ledger.Version{version}, version.Hash)
	crystal.publish(t, &supply.Record{}, &token, m.Snapshot, 0)
	leaves := [][]byte{tlog.LedgerVersion{Token: "crystal", Ledger: version.Hash, Since: demo.Start}.Leaf(),
		crystal.leaves[len(crystal.leaves)-1]}
	policy, err := tlog.ParsePolicy(honest(t, 1).witness(t, "example.org/one").String())
	if err != nil {
		t.Fatal(err)
	}
	succeeded, wrong := 0, 0
	for _, r := range seeds(t, 100) {
		first := honest(t, 1)
		first.leaves = append(first.leaves, leaves...)
		all := first.states(t, drawn(r, 1+r.IntN(5)), 1)
		views, fails := &views{Rand: r, states: len(all), stay: pick(r, 2, 4, 8, 16), at: map[string]int{}}, pick(r, 1<<30, 40, 10)
		wanted := pick(r, nil, policy)
		var handlers []http.Handler
		for _, s := range all {
			if s.signed = nil; wanted != nil && r.IntN(2) == 0 {
				s.witness(t, "example.org/one")
			}
			handlers = append(handlers, s.besides(t, crystal))
		}
		report, err := auditYearLater(t, wanted, &http.Client{Transport: roundTrip(func(q *http.Request) (*http.Response, error) {
			w, path := httptest.NewRecorder(), q.URL.RequestURI()
			if strings.HasPrefix(path, "/crystal") && r.IntN(fails) == 0 {
				http.NotFound(w, q)
			} else {
				handlers[views.of(path)].ServeHTTP(w, q)
			}
			return w.Result(), nil
		})})
		if err != nil {
			continue
		}
		succeeded++
		log, newest := all[len(all)-1].leaves[:report.Size], ""
		for _, leaf := range log {
			if l, err := supply.ParseLeaf(leaf); err == nil && l.Token == "jewel" {
				newest = l.ID
			}
		}
		isServed, isNewer := slices.Contains(report.Served, "jewel"), strings.Contains(fmt.Sprint(report.Unproven), "newer figures")
		kept, _ := tlog.ParseCheckpoint(report.Checkpoint)
		switch listed := all[views.at["answers"]].newest[0].Snapshot; {
		case isServed == isWrong(log) || isWrong(log) != slices.Contains(report.Wrong, "jewel"):
			t.Errorf("wrong is %t, but served %q, wrong %q", isWrong(log), report.Served, report.Wrong)
		case isServed && !isNewer && *listed != newest:
			t.Error("older figures are served")
		case report.Size < int64(len(all[views.most].leaves)):
			t.Errorf("a larger head of %d leaves was served", len(all[views.most].leaves))
		case kept.N != report.Size || wanted != nil && len(report.Cosigned) != 1:
			t.Errorf("the head has %d leaves, and %q signed it", kept.N, report.Cosigned)
		}
		if wrong += len(report.Wrong); t.Failed() {
			t.Logf("size %d of %d, %q\n%s", report.Size, len(log), report.Retried, strings.Join(views.told, "\n"))
		}
	}
	t.Logf("%d succeeded, %d with wrong figures", succeeded, wrong)
}

// The same for a service that has an earlier log, of which it shows several states too.
func TestRandomDecisionsInTwoLogs(t *testing.T) {
	succeeded, wrong := 0, 0
	for _, r := range seeds(t, 100) {
		before := honest(t, 1)
		before.key = tlog.NewKey([32]byte{6})
		earlier := before.states(t, drawn(r, r.IntN(3)), 1)
		named := earlier[len(earlier)-1]
		earlier = append(earlier, named.states(t, drawn(r, r.IntN(3)), 10)[1:]...)
		s := honest(t, 1)
		repeat(s, named)
		s.proofs = []*supply.Evidence{new(*named.proofs[0])}
		s.proofs[0].Correction = nil
		s.follow(t, named, len(named.leaves))
		s.before = nil
		all := s.states(t, drawn(r, 1+r.IntN(3)), 20)
		var handlers []http.Handler
		for _, state := range all {
			handlers = append(handlers, state.handler(t))
		}
		views := &views{Rand: r, states: len(all), stay: pick(r, 2, 4, 8, 16), at: map[string]int{}}
		own, now, seen, fails := "/log/"+named.address()+"/", 0, -1, pick(r, 1<<30, 1<<30, 30)
		claims, refuses := r.IntN(2), 0
		report, err := auditYearLater(t, nil, &http.Client{Transport: roundTrip(func(q *http.Request) (*http.Response, error) {
			w, path := httptest.NewRecorder(), q.URL.RequestURI()
			rest, isEarlier := strings.CutPrefix(path, own)
			if refuses == 0 && r.IntN(fails) == 0 {
				refuses = pick(r, 1, 2, 6)
			}
			switch {
			case refuses > 0:
				refuses--
				http.NotFound(w, q)
			case rest == "checkpoint":
				if r.IntN(2) == 0 {
					now = r.IntN(len(earlier))
				}
				seen = max(seen, now)
				earlier[now].serveLog(t, w, rest)
			case isEarlier:
				earlier[len(earlier)-1].serveLog(t, w, rest)
			case path == "/jewel/evidence" && claims > 0 && r.IntN(2) == 0: // evidence in the earlier log
				claims--
				i := r.IntN(len(earlier))
				older := *earlier[i]
				older.proofs = []*supply.Evidence{new(*named.proofs[0])}
				older.proofs[0].Correction = nil
				older.handler(t) // sets the inclusion
				seen = max(seen, i)
				w.Write(tlog.Encode(older.proofs[0]))
			default:
				handlers[views.of(path)].ServeHTTP(w, q)
			}
			return w.Result(), nil
		})})
		isLost := slices.ContainsFunc(report.Previous, func(p previous) bool {
			return strings.Contains(p.Found, "read before") || strings.Contains(p.Found, "no longer served") || strings.Contains(p.Found, "only ")
		})
		if err != nil || isLost {
			continue
		}
		succeeded++
		var known [][]byte // leaves of the earlier log that heads were served for
		if seen >= 0 {
			known = earlier[seen].leaves
		}
		want := isWrong(known, all[len(all)-1].leaves[:report.Size])
		if slices.Contains(report.Served, "jewel") && want || want != slices.Contains(report.Wrong, "jewel") {
			t.Errorf("wrong is %t with %d leaves, and %d of the earlier log, but served %q, wrong %q: %+v, %q\n%s", want, report.Size,
				len(known), report.Served, report.Wrong, report.Previous, report.Retried, strings.Join(views.told, "\n"))
		}
		wrong += len(report.Wrong)
	}
	t.Logf("%d succeeded, %d with wrong figures", succeeded, wrong)
}
