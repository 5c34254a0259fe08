package audit

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply/tlog"
)

// A told answer replaces some answers at an address.
type told struct {
	path   string // a prefix, if it ends with *
	from   int    // number of requests at this address that get the honest answer first
	times  int    // how many then get this one
	after  string // address of a lie that must have been told before; "": none
	code   int
	body   string
	header string // Supply-Snapshot, or the media type if it has a slash
	cut    bool   // the connection ends in the middle
	isLie  bool
	member string
	asked  int
	said   bool
}

func (l *told) at(path string) bool {
	prefix, isPrefix := strings.CutSuffix(l.path, "*")
	return l.path == path || isPrefix && strings.HasPrefix(path, prefix)
}

// A schemer is a service that tells several lies, hides them, and publishes after some answers.
type schemer struct {
	states  []http.Handler
	changes int // number of requests after which the next state begins
	asked   int
	lies    []*told
	trace   []string
}

func (s *schemer) RoundTrip(q *http.Request) (*http.Response, error) {
	s.asked++
	path := q.URL.RequestURI()
	state := s.states[min(len(s.states)-1, s.asked/max(1, s.changes))]
	w := httptest.NewRecorder()
	state.ServeHTTP(w, q)
	resp := w.Result()
	for _, l := range s.lies {
		if !l.at(path) || l.after != "" && !slices.ContainsFunc(s.lies, func(o *told) bool { return o.path == l.after && o.said }) {
			continue
		}
		l.asked++
		if l.asked <= l.from || l.asked > l.from+l.times {
			continue
		}
		if !l.isLie || l.code != resp.StatusCode || strings.TrimSpace(l.body) != strings.TrimSpace(w.Body.String()) {
			l.said = true
			s.trace = append(s.trace, fmt.Sprintf("%s %d %.60q", path, l.code, l.body))
		}
		if l.header == "" && l.code != 200 {
			resp.Header = http.Header{}
		}
		resp.StatusCode, resp.Status, resp.Body = l.code, fmt.Sprint(l.code), io.NopCloser(strings.NewReader(l.body))
		switch {
		case strings.Contains(l.header, "/"):
			resp.Header.Set("Content-Type", l.header)
		case l.header != "":
			resp.Header = http.Header{"Supply-Snapshot": {l.header}}
		}
		if l.cut {
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader(l.body), iotest.ErrReader(io.ErrUnexpectedEOF)))
		}
		break
	}
	return resp, nil
}

// plot is a service, its later states, and the lies that it may tell.
type plot struct {
	*service
	paths  []string // all addresses that an audit reads
	later  []http.Handler
	forks  []*service
	former *service
}

func plots(t *testing.T) (out []*plot) {
	for i, s := range recordedServices(t) {
		p := &plot{service: s, later: []http.Handler{s.handler(t)}}
		for path := range s.transport.(*answers).bodies {
			p.paths = append(p.paths, path)
		}
		slices.Sort(p.paths)
		if i == 0 { // it publishes twice
			for n := 4; n < 6; n++ {
				next := honest(t, n)
				next.prove()
				p.later = append(p.later, next.handler(t))
			}
		}
		if i == 3 {
			w := withdrawn(t)
			p.later = append(p.later, w.handler(t))
		}
		out = append(out, p)
	}
	for _, p := range out {
		p.former = p.service.before
		for n := range 5 {
			p.forks = append(p.forks, forked(t, 1+n))
		}
	}
	return out
}

// A service tells up to three lies or serves a fork, and hides that with refusals and false answers at
// any address, also below /log/, at any time. If an audit succeeds, it names the address of each lie.
// It never succeeds after a fork, or if the kept checkpoint is of another history.
func TestRandomHiddenLies(t *testing.T) {
	all := plots(t)
	witnessed := honest(t, 3)
	w := witnessed.witness(t, "example.org/one").String()
	policy, err := tlog.ParsePolicy(w)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range seeds(t, 300) {
		p := pick(r, all...)
		recorded := p.transport.(*answers)
		state := p.later
		if r.IntN(2) == 0 {
			state = state[:1]
		}
		s := &schemer{states: state, changes: 1 + r.IntN(150)}
		plain := slices.DeleteFunc(slices.Clone(p.paths), func(path string) bool { return strings.HasPrefix(path, "/log/") })
		ofLog := slices.DeleteFunc(slices.Clone(p.paths), func(path string) bool { return !strings.HasPrefix(path, "/log/") })
		cfg := Config{URL: "http://service.test", Client: &http.Client{Transport: s}}
		span := pick(r, time.Hour*24*365, 3*time.Hour+time.Minute, 8*24*time.Hour)
		if r.IntN(4) == 0 {
			cfg.MaxAge = pick(r, 366*24*time.Hour, 24*time.Hour)
		}
		if r.IntN(3) == 0 {
			cfg.Key, _ = p.key.Verifier(origin)
		}
		if r.IntN(8) == 0 && p == all[0] {
			cfg.Witnesses = policy
		}
		cfg.Since = pick(r, nil, nil, p.checkpoint(t))
		fork := pick(r, p.forks...)
		rewritten := false
		if r.IntN(6) == 0 { // the kept checkpoint is of another history
			cfg.Since, rewritten = fork.checkpoint(t), true
		}
		var paths []string
		for range 1 + r.IntN(3) {
			l := &told{isLie: true, code: 200, from: pick(r, 0, 0, 0, 1, 2), times: pick(r, 1, 1, 1, 2, 6, 1<<30)}
			switch r.IntN(6) {
			case 0: // a fork
				l.path = pick(r, "/log/checkpoint", p.head(), "/jewel/evidence")
				l.body = string(fork.checkpoint(t))
				if l.path == "/jewel/evidence" {
					l.body = string(tlog.Encode(fork.proofs[0]))
				}
				l.member = "fork"
			case 1: // something false in the log
				l.path = pick(r, ofLog...)
				l.body = pick(r, string(recorded.bodies[pick(r, ofLog...)]), "x")
				if b := recorded.bodies[l.path]; len(b) > 40 && r.IntN(2) == 0 {
					b = slices.Clone(b)
					b[r.IntN(len(b))] ^= 1
					l.body = string(b)
				}
			default:
				var answer reply
				l.path, l.member, answer = p.lie(r, plain)
				l.code, l.body, l.header = answer.code, answer.body, answer.snapshot
				if r.IntN(8) == 0 {
					l.code = pick(r, 404, 410, 503, 400)
				}
			}
			paths = append(paths, l.path)
			s.lies = append(s.lies, l)
		}
		for range r.IntN(6) {
			path := pick(r, pick(r, p.paths...), pick(r, ofLog...), pick(r, plain...), "/log/*", "/log/tile/*",
				"/log/"+p.address()+"/tile/*", "/jewel/proof?snapshot="+p.proofs[0].Snapshot, "/jewel/proof", "/jewel/evidence",
				"/jewel/ledger", "/", "/log/checkpoint")
			l := &told{path: path, from: pick(r, 0, 0, 1, 2, 3, 5), times: pick(r, 1, 2, catchUp, catchUp, catchUp+1, 2*catchUp, 1<<30),
				code: pick(r, 404, 404, 404, 410, 503, 500, 403, 400, 200), body: pick(r, "no", "", "{}", "[]", unlisted)}
			if p.former != nil && r.IntN(3) == 0 {
				l.path = "/log/" + p.former.address() + "/" + pick(r, "tile/*", "key", "checkpoint", "*")
			}
			if r.IntN(2) == 0 {
				l.after = pick(r, paths...)
			}
			if r.IntN(8) == 0 {
				l.cut = true
			}
			if r.IntN(8) == 0 {
				l.header = "text/plain; charset=utf-7"
			}
			if l.code == 200 && strings.HasPrefix(l.path, "/log/") && r.IntN(2) == 0 {
				l.body = "other"
			}
			s.lies = append(s.lies, l)
		}
		r.Shuffle(len(s.lies), func(i, j int) { s.lies[i], s.lies[j] = s.lies[j], s.lies[i] })
		var report Report
		var err error
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			cfg.Now = func() time.Time { return demo.Start.Add(span + time.Since(began)) }
			report, err = Run(t.Context(), cfg)
		})
		if err != nil {
			continue
		}
		if rewritten {
			keptHead, _ := tlog.ParseCheckpoint(cfg.Since)
			t.Errorf("a rewritten log is not noticed: kept %d: %q\n%s", keptHead.N, report.Retried, strings.Join(s.trace, "\n"))
		}
		for _, l := range s.lies {
			isEarlier := l.body == string(recorded.bodies[l.path]) ||
				strings.HasSuffix(l.path, "/checkpoint") && l.body == string(recorded.bodies["/log/checkpoint"])
			isRefusal := l.code >= 400 && (strings.Contains(l.path, "/proof") || l.member == "result")
			if !l.isLie || !l.said || isEarlier || isRefusal {
				continue
			}
			name, _, _ := strings.Cut(l.path, "?snapshot=")
			named := func(line string) bool {
				return strings.Contains(line, l.path+":") || strings.HasPrefix(line, name+":") ||
					strings.HasPrefix(line, l.path+", version") || l.path == "/" ||
					(l.path == "/jewel/evidence" || name == "/jewel/proof") && strings.HasPrefix(line, "jewel:") ||
					l.path == "/jewel/evidence" && strings.HasPrefix(line, "jewel, its inclusion") ||
					name == "/jewel/proof" && strings.HasPrefix(line, "/jewel/proof?snapshot=")
			}
			switch {
			case l.member == "fork" && l.code == 200:
				t.Errorf("a fork at %s is not noticed: %q\n%s", l.path, report.Retried, strings.Join(s.trace, "\n"))
			case l.member != "fork" && !slices.ContainsFunc(report.Retried, named) && !slices.Contains(report.NotCompared, l.member):
				t.Errorf("nobody notices %d %.300q at %s: %q\n%s", l.code, l.body, l.path, report.Retried, strings.Join(s.trace, "\n"))
			}
		}
	}
}
