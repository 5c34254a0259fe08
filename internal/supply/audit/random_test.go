package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

var (
	soak      = flag.Duration("soak", 0, "draw new seeds for this long in each random test, instead of the same few")
	firstSeed = flag.Uint64("seed", 0, "the first seed of each random test; with -soak, 0 means any")
)

// seeds returns n seeds of a random test, or more if -soak has time for them. The test ends at the
// first seed that fails.
func seeds(t *testing.T, n uint64) iter.Seq2[uint64, *rand.Rand] {
	return func(yield func(uint64, *rand.Rand) bool) {
		first, end := *firstSeed, time.Now().Add(*soak)
		if *soak > 0 && first == 0 {
			first = rand.Uint64()
		}
		seed := first
		for ; seed-first < n || time.Now().Before(end); seed++ {
			if yield(seed, rand.New(rand.NewPCG(seed, 0))); t.Failed() {
				t.Fatalf("to repeat it: go test ./internal/supply/audit -run '^%s$' -seed %d", t.Name(), seed)
			}
		}
		t.Logf("%d seeds from %d on", seed-first, first)
	}
}

// pick returns one of the values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// upTo returns a shorter time than d.
func upTo(r *rand.Rand, d time.Duration) time.Duration { return time.Duration(r.Int64N(int64(d))) }

// A liar gives other answers than a recorded service at some addresses.
type liar struct {
	*answers
	other map[string]reply
	asked map[string]bool
}

type reply struct {
	code           int
	body, snapshot string // snapshot is in the header; "": the recorded header
	once           bool   // only the first answer differs
}

func (l *liar) RoundTrip(q *http.Request) (*http.Response, error) {
	resp, err := l.answers.RoundTrip(q)
	path := q.URL.RequestURI()
	if o, has := l.other[path]; has && !(o.once && l.asked[path]) {
		resp.StatusCode, resp.Status, resp.Body = o.code, fmt.Sprint(o.code), io.NopCloser(strings.NewReader(o.body))
		if o.snapshot != "" {
			resp.Header = http.Header{"Supply-Snapshot": {o.snapshot}}
		}
	}
	l.asked[path] = true
	return resp, err
}

// unlisted is a list in which jewel has no figure.
var unlisted = string(tlog.Encode([]supply.Document{
	{Symbol: "JEWEL", Status: supply.Unavailable, Blocks: []supply.Block{}}}))

// recordedServices returns honest services with figures, without, and with withdrawn ones. The
// transport of each has its answers.
func recordedServices(t *testing.T) []*service {
	after, _ := successor(t, 8)
	all := []*service{honest(t, 3), withdrawn(t), withdrawn(t), honest(t, 3), honest(t, 3), after}
	all[0].prove()
	all[1].prove()
	all[3].newest = append(all[3].newest, supply.Document{Symbol: "NEW", Status: supply.Unavailable,
		Blocks: []supply.Block{}})
	for _, path := range append(all[4].figureAddresses(), "/jewel", "/jewel/", "/jewel/evidence", "/jewel/proof") {
		all[4].answer["/"], all[4].answer[path] = unlisted, "status 503"
	}
	for _, s := range all {
		a := &answers{honest: map[string]*http.Response{}, bodies: map[string][]byte{}}
		s.transport = a
		if _, err := s.run(t, nil); err != nil {
			t.Fatal(err)
		}
		a.RoundTripper = nil
	}
	return all
}

// lie draws an address, and a false answer for it. member is the altered member of a document.
func (s *service) lie(r *rand.Rand, paths []string) (path, member string, answer reply) {
	recorded := s.transport.(*answers)
	path = pick(r, pick(r, paths...), pick(r, paths...), "/jewel/evidence")
	body, refused := recorded.bodies[path], recorded.honest[path].StatusCode != http.StatusOK
	isFigure := strings.Contains(path, "supply") || strings.Contains(path, "?q=")
	answer = reply{code: 200, body: "999999999", once: pick(r, true, false)}
	switch {
	case refused && path == "/jewel/evidence":
		answer.body = string(tlog.Encode(s.proofs[0]))
	case refused && !isFigure:
		answer.body = string(tlog.Encode(s.newest[0]))
	case !refused && json.Valid(body) && strings.ContainsAny(string(body[:1]), "{["):
		m := pick(r, mutants(body)...)
		member, answer.body = m.member, string(m.body)
	}
	if isFigure && r.IntN(4) == 0 {
		answer.snapshot = pick(r, strings.Repeat("a", 64), s.proofs[0].Previous, s.proofs[0].Snapshot)
	}
	return path, member, answer
}

// distract replaces up to four more answers, which may keep an audit from comparing the lie.
func (s *service) distract(r *rand.Rand, paths []string, other map[string]reply) {
	ev := s.proofs[0]
	for range 1 + r.IntN(4) {
		path := pick(r, "/jewel/proof?snapshot="+ev.Snapshot, "/jewel/proof", "/jewel/evidence", "/jewel/ledger",
			pick(r, paths...), pick(r, paths...))
		noProof := `{"format":"petsupply-proof/1","snapshot":"` + pick(r, "x", ev.Previous) + `","entries":[]}`
		answer := pick(r, reply{code: 200, body: pick(r, "", "{}")}, reply{code: 200, body: noProof},
			reply{code: pick(r, 403, 404, 410, 500, 503), body: "no"},
			reply{code: 503, body: `{"correction":{"reason":"x","at":"2026-01-01T00:00:00Z"}}`})
		if r.IntN(5) == 0 {
			path, answer = "/", reply{code: 200, body: pick(r, "[]", unlisted, string(tlog.Encode(s.newest)))}
		}
		answer.once = r.IntN(3) == 0
		if _, taken := other[path]; !taken {
			other[path] = answer
		}
	}
}

// A service tells one random lie, and alters some other answers to hide it. If the audit reads the
// lie, it ends with an error. A lie that is told only once may instead be named in Report.Retried
// with its own address, except a head of another tree.
func TestRandomLies(t *testing.T) {
	services := recordedServices(t)
	var forks []*service
	for i := range 5 {
		forks = append(forks, honest(t, 1+i))
		forks[i].leaves[2] = decided(supply.Release, "another")
		forks[i].handler(t) // sets the inclusion in its evidence
	}
	for _, r := range seeds(t, 300) {
		s := pick(r, services...)
		recorded := s.transport.(*answers)
		paths := slices.DeleteFunc(slices.Sorted(maps.Keys(recorded.bodies)),
			func(path string) bool { return strings.HasPrefix(path, "/log/") })
		path, member, answer := s.lie(r, paths)
		isFork := r.IntN(3) == 0
		if fork := pick(r, forks...); isFork {
			path, member = pick(r, "/log/checkpoint", "/log/"+s.address()+"/checkpoint", "/jewel/evidence"), ""
			answer = reply{code: 200, body: string(fork.checkpoint(t)), once: r.IntN(4) > 0}
			if path == "/jewel/evidence" {
				answer.body = string(tlog.Encode(fork.proofs[0]))
			}
		}
		l := &liar{recorded, map[string]reply{path: answer}, map[string]bool{}}
		s.distract(r, paths, l.other)
		cfg := Config{URL: "http://service.test", Client: &http.Client{Transport: l},
			Since: pick(r, nil, s.checkpoint(t)), Now: func() time.Time { return demo.Start.AddDate(1, 0, 0) }}
		var report Report
		var err error
		synctest.Test(t, func(t *testing.T) { report, err = Run(t.Context(), cfg) }) // its clock skips the pauses
		names := func(line string) bool {
			name, _, _ := strings.Cut(path, "?snapshot=") // if two proofs differ, the fault names the address without a query
			return strings.HasPrefix(line, path+":") || strings.HasPrefix(line, name+":") ||
				strings.HasPrefix(line, path+", version") ||
				path == "/" || // several names: the list, a token of it, or a symbol
				(path == "/jewel/evidence" || name == "/jewel/proof") && strings.HasPrefix(line, "jewel:") ||
				path == "/jewel/evidence" && strings.HasPrefix(line, "jewel, its inclusion")
		}
		isNamed := answer.once && !isFork && slices.ContainsFunc(report.Retried, names) ||
			slices.Contains(report.NotCompared, member) || states(report.Agreed, answer.body, recorded.bodies[path])
		if err == nil && l.asked[path] && !isNamed {
			t.Errorf("nobody notices %s at %s, with %+v, since %q: %q", answer.body, path, l.other, cfg.Since, report.Retried)
		}
	}
}

var agreedBy = regexp.MustCompile(`agreed by \d+ of \d+`)

// states reports whether a proof differs from the honest one only in what nodes agreed on, and the
// report has that as a statement of the service. A service may have a proof at one address only.
func states(lines []string, text string, honest []byte) bool {
	return agreedBy.ReplaceAllString(text, "") == agreedBy.ReplaceAllString(string(honest), "") &&
		!slices.ContainsFunc(agreedBy.FindAllString(text, -1), func(agreed string) bool {
			return !slices.ContainsFunc(lines, func(line string) bool { return strings.HasSuffix(line, ": "+agreed) })
		})
}

// A busy service publishes and decides while it is audited.
type busy struct {
	states        []state
	r             *rand.Rand
	began         time.Time
	each          time.Duration // how long each answer takes
	behind, cache time.Duration // how far the log is behind, and how old cached answers are at most
}

// A state says which service answers from a time on, until the next state.
type state struct {
	*service
	http.Handler
	from time.Duration
}

func (b *busy) at(now time.Duration) state {
	for _, s := range slices.Backward(b.states) {
		if s.from <= now {
			return s
		}
	}
	return b.states[0]
}

func (b *busy) RoundTrip(q *http.Request) (*http.Response, error) {
	time.Sleep(b.each) // in the bubble's time
	now := time.Since(b.began)
	if b.r.IntN(20) == 0 { // from a process that is behind
		now -= upTo(b.r, 3*time.Second)
	}
	w := httptest.NewRecorder()
	if strings.HasPrefix(q.URL.Path, "/log/") {
		now -= b.behind
	} else if b.r.IntN(20) == 0 {
		b.at(now-upTo(b.r, b.cache)).ServeHTTP(w, q)
		if w.Code == http.StatusOK { // caches keep nothing else
			return w.Result(), nil
		}
		w = httptest.NewRecorder()
	}
	b.at(now).ServeHTTP(w, q)
	return w.Result(), nil
}

// story draws publications, corrections, the ends of corrections, and new logs.
func story(t *testing.T, r *rand.Rand) (states []state) {
	token, base, record := demo.Tokens()[0], measured(t), supply.Record{}
	other := *base
	other.Locked, other.Circulating = other.Locked.Add(other.Locked), other.Circulating.Sub(other.Locked)
	s, now, isWrong := honest(t, 1), time.Duration(0), false
	s.leaves = s.leaves[:3]
	for range 12 {
		next, ev := *s, *s.proofs[0]
		next.answer, next.leaves, next.proofs = map[string]string{}, slices.Clone(s.leaves), []*supply.Evidence{&ev}
		now += time.Duration(5+r.IntN(60)) * time.Second
		switch {
		case isWrong && r.IntN(2) == 0:
			next.leaves = append(next.leaves, tlog.Decision{Token: "jewel", Kind: string(supply.UndoCorrect),
				Subject: ev.Snapshot, Reason: "right", At: demo.Start.Add(now)}.Leaf())
			ev.Correction, isWrong = nil, false
		case len(states) > 0 && !isWrong && r.IntN(6) == 0:
			next.restart(t, s, demo.Start.Add(now))
		case len(states) > 0 && !isWrong && r.IntN(4) == 0:
			next.withdraw(demo.Start.Add(now))
			isWrong = true
		default:
			if isWrong { // the correction ends with other figures
				next.publish(t, &record, &token, &other, now-time.Second)
			}
			next.publish(t, &record, &token, base, now)
			isWrong = false
		}
		states = append(states, state{&next, next.handler(t), now + upTo(r, 5*time.Second)})
		s = &next
	}
	return states
}

// restart makes s begin another log with the newest snapshot of the log of before.
func (s *service) restart(t *testing.T, before *service, at time.Time) {
	old := *before
	address := []byte(before.address()) // 8 digits, so each log has another key
	s.key = tlog.NewKey([32]byte(bytes.Repeat(address, 4)))
	proofs := s.proofs
	repeat(s, &old)
	s.proofs = proofs // the inclusions in the log of before stay as they are
	s.follow(t, &old, len(old.leaves))
	begun, err := tlog.ParseLeaf(tlog.BeginFormat, s.leaves[0])
	if err != nil {
		t.Fatal(err)
	}
	b := begun.(tlog.Begin)
	b.Begun = at
	s.leaves[0] = b.Leaf()
}

// An honest service is not called a liar, whatever it publishes and decides between two answers.
func TestRandomRaces(t *testing.T) {
	Pause = usualPause
	defer func() { Pause = time.Millisecond }()
	for _, r := range seeds(t, 150) {
		b := &busy{states: story(t, r), r: r, each: pick(r, 5*time.Millisecond, 50*time.Millisecond, 500*time.Millisecond,
			1500*time.Millisecond), behind: upTo(r, 3*time.Second), cache: pick(r, 1, time.Minute)}
		var err error
		synctest.Test(t, func(t *testing.T) {
			age := b.states[0].from + upTo(r, 5*time.Minute)
			b.began = time.Now().Add(-age)
			cfg := Config{URL: "http://service.test", Client: &http.Client{Transport: b},
				Now: func() time.Time { return demo.Start.Add(time.Since(b.began)) }}
			if r.IntN(2) == 0 {
				cfg.Since = b.at(upTo(r, age)).checkpoint(t)
			}
			_, err = Run(t.Context(), cfg)
		})
		ended := err != nil && strings.HasPrefix(err.Error(), "the log: it ended") // the kept checkpoint is of an earlier log
		if errors.As(err, new(*Fault)) && !ended {
			t.Errorf("an answer takes %s, the log is %s behind, caches %s: %v", b.each, b.behind, b.cache, err)
		}
	}
}
