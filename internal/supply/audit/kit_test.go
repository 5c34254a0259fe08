package audit

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

const origin = "example.org/log"

// A service is one state of a service. Its methods change it as a leader does. A clone of it is a
// later state.
type service struct {
	key    *tlog.Key
	leaves [][]byte
	cosign func(checkpoint []byte) []byte // nil: no witness
	before *service                       // a service whose log ended; nil: none
	tokens []*published
	past   map[string]*supply.Evidence // all evidence by id; states share it
	// answer replaces answers, by path and query. An answer that begins with "status " is an error.
	answer map[string]string
	header map[string]http.Header // replaces fields of headers, by path and query
	once   map[string]bool        // addresses whose answer is replaced only for the first request
	tree   tree                   // of leaves as they were when it was last asked for
}

// A tree has the hashes of leaves.
type tree struct {
	leaves [][]byte
	stored []merkle.Hash
	root   merkle.Hash
}

// ReadHashes returns the hashes with these indexes.
func (t *tree) ReadHashes(indexes []int64) (out []merkle.Hash, _ error) {
	for _, i := range indexes {
		out = append(out, t.stored[i])
	}
	return out, nil
}

// published is what a service publishes of a token.
type published struct {
	token    ledger.Token
	state    supply.State
	versions []ledger.Version
	proof    string
	changed  time.Duration // when it lost its figures last, or got them back
	bare     bool          // a cache drops the headers of its figures
}

// tokens returns n tokens like jewel. The first is called jewel.
func tokens(n int) (list []ledger.Token) {
	for i := range n {
		t := demo.Tokens()[0]
		if i > 0 {
			t.Path, t.Symbol = fmt.Sprintf("t%d", i), fmt.Sprintf("T%d", i)
		}
		list = append(list, t)
	}
	return list
}

// honest returns a service that published the tokens at the start.
func honest(t testing.TB, list ...ledger.Token) *service {
	t.Helper()
	if len(list) == 0 {
		list = tokens(1)
	}
	s := &service{key: tlog.NewKey([32]byte{5}), past: map[string]*supply.Evidence{}, answer: map[string]string{},
		header: map[string]http.Header{}, once: map[string]bool{}}
	s.leaves = append(s.leaves, tlog.Begin{Origin: origin, Begun: demo.Start.Add(-24 * time.Hour)}.Leaf())
	for _, token := range list {
		s.tokens = append(s.tokens,
			&published{token: token, state: supply.State{Token: &token, Status: supply.Unavailable}})
	}
	s.refresh(t, 0)
	return s
}

// clone returns a later state of the service.
func (s *service) clone() *service {
	next := *s
	next.leaves, next.answer, next.tokens = slices.Clone(s.leaves), maps.Clone(s.answer), slices.Clone(s.tokens)
	for i, p := range next.tokens {
		next.tokens[i] = new(*p)
	}
	return &next
}

func (s *service) token(path string) *published {
	return s.tokens[slices.IndexFunc(s.tokens, func(p *published) bool { return p.token.Path == path })]
}

// measure returns a snapshot of a token, measured some time after the start.
func measure(t testing.TB, token ledger.Token, after time.Duration) *supply.Snapshot {
	t.Helper()
	at := demo.Start.Add(after)
	m := supply.Measure(t.Context(), []ledger.Token{token}, demo.Chains(at), at)[0]
	if m.Err != nil {
		t.Fatal(m.Err)
	}
	return m.Snapshot
}

// refresh publishes new figures of the tokens, or of all.
func (s *service) refresh(t testing.TB, after time.Duration, paths ...string) *service {
	for _, p := range s.tokens {
		if len(paths) == 0 || slices.Contains(paths, p.token.Path) {
			s.publish(p, measure(t, p.token, after), demo.Start.Add(after))
		}
	}
	return s
}

// publish publishes a snapshot at a time.
func (s *service) publish(p *published, base *supply.Snapshot, at time.Time) {
	ev := *base.Evidence
	ev.Previous, ev.MeasuredAt = "", at
	if p.state.Snapshot != nil {
		ev.Previous = p.state.Snapshot.ID
	}
	n := ev.State().Snapshot
	s.past[n.ID] = &ev
	version := p.token.CurrentLedger()
	if !slices.ContainsFunc(p.versions, func(v ledger.Version) bool { return v.Hash == version.Hash }) {
		version.Since = &at
		p.versions = append(slices.Clone(p.versions), version)
		s.leaves = append(s.leaves, tlog.LedgerVersion{Token: p.token.Path, Ledger: version.Hash, Since: at}.Leaf())
	}
	s.leaves = append(s.leaves, n.Leaf())
	p.state = supply.State{Token: &p.token, Snapshot: n, Status: supply.Demo,
		Ledger: p.token.LedgerDocument(p.versions, n.LedgerHash)}
	p.proof = ""
}

// decide adds an operator's decision to the log.
func (s *service) decide(kind supply.DecisionKind, token, subject string, at time.Time) {
	s.leaves = append(s.leaves, tlog.Decision{Token: token, Kind: string(kind), Subject: subject,
		Reason: "an entry was missing", At: at}.Leaf())
}

// correct withdraws the newest figures of a token, or undoes that.
func (s *service) correct(path string, at time.Time, kind supply.DecisionKind) *service {
	p := s.token(path)
	s.decide(kind, path, p.state.Snapshot.ID, at)
	p.state.Status, p.state.Correction = supply.Demo, nil
	if kind == supply.Wrong {
		p.state.Status = supply.Withdrawn
		p.state.Correction = &supply.Correction{Reason: "an entry was missing", At: at}
	}
	return s
}

// prove adds a proof in which nodes only agreed.
func (s *service) prove(path string) *service {
	p := s.token(path)
	d := proof.Document{Format: proof.Format, Snapshot: p.state.Snapshot.ID}
	for _, x := range p.state.Snapshot.Evidence.Entries {
		known := proof.Agreed(1, 1)
		if x.Entry.Amount != nil {
			known = proof.Declared
		}
		d.Entries = append(d.Entries, proof.Entry{Label: x.Entry.Label, Known: known})
	}
	p.proof = string(tlog.Encode(d))
	return s
}

// restart begins another log after the one of s.
func (s *service) restart(at time.Time, key byte) *service {
	next := s.clone()
	next.key, next.before = tlog.NewKey([32]byte{key}), s
	head, err := tlog.ParseCheckpoint(s.checkpoint())
	if err != nil {
		panic(err)
	}
	previous := fmt.Sprintf(`"previous":{"origin":"%s","log":"%s","size":%d,"root":"%s"}`, origin, s.address(), head.N,
		head.Hash)
	leaf := tlog.Begin{Origin: origin, Begun: at, Reason: "its key has changed"}.Leaf()
	next.leaves = [][]byte{[]byte(strings.Replace(string(leaf), `"previous":null`, previous, 1))}
	for _, p := range next.tokens {
		for _, v := range p.versions {
			next.leaves = append(next.leaves,
				tlog.LedgerVersion{Token: p.token.Path, Ledger: v.Hash, Since: *v.Since}.Leaf())
		}
		if p.state.Snapshot == nil {
			continue
		}
		next.leaves = append(next.leaves, p.state.Snapshot.Leaf())
		if c := p.state.Correction; c != nil {
			next.decide(supply.Wrong, p.token.Path, p.state.Snapshot.ID, c.At)
		}
	}
	return next
}

func (s *service) address() string {
	key, _ := s.key.Verifier(origin)
	return tlog.Address(key)
}

// hashes returns the tree of the leaves.
func (s *service) hashes() *tree {
	if slices.EqualFunc(s.tree.leaves, s.leaves, bytes.Equal) {
		return &s.tree
	}
	t := tree{leaves: slices.Clone(s.leaves)}
	for i, leaf := range s.leaves {
		more, err := merkle.StoredHashes(int64(i), leaf, &t)
		if err != nil {
			panic(err)
		}
		t.stored = append(t.stored, more...)
	}
	root, err := merkle.TreeHash(int64(len(s.leaves)), &t)
	if err != nil {
		panic(err)
	}
	t.root = root
	s.tree = t
	return &s.tree
}

// checkpoint returns the signed head.
func (s *service) checkpoint() []byte {
	head := merkle.Tree{N: int64(len(s.leaves)), Hash: s.hashes().root}
	signed, err := s.key.Sign(torchwood.Checkpoint{Origin: origin, Tree: head})
	if err != nil {
		panic(err)
	}
	if s.cosign != nil {
		signed = s.cosign(signed)
	}
	return signed
}

// include returns an inclusion proof of a snapshot, or "".
func (s *service) include(id string) string {
	i := slices.IndexFunc(s.leaves, func(leaf []byte) bool { return supply.LeafHash(leaf) == id })
	if i < 0 && s.before != nil {
		return s.before.include(id)
	}
	if i < 0 {
		return ""
	}
	path, err := merkle.ProveRecord(int64(len(s.leaves)), int64(i), s.hashes())
	if err != nil {
		panic(err)
	}
	return string(torchwood.FormatProof(int64(i), path, s.checkpoint()))
}

// honestly returns the answer at an address, or "" if there is none.
func (s *service) honestly(target string) (body string, header [][2]string) {
	u, err := url.Parse(target)
	if err != nil {
		return "", nil
	}
	path, query := strings.Trim(u.Path, "/"), u.Query()
	if path == "" {
		documents := []supply.Document{}
		for _, p := range s.tokens {
			documents = append(documents, p.state.Document())
		}
		return string(tlog.Encode(documents)), nil
	}
	name, rest, _ := strings.Cut(path, "/")
	if name == "log" {
		return s.logFile(rest), nil
	}
	i := slices.IndexFunc(s.tokens, func(p *published) bool { return p.token.Path == name })
	if i < 0 {
		return "", nil
	}
	p := s.tokens[i]
	switch word := strings.TrimSuffix(query.Get("q"), "supply"); {
	case word != "":
		return p.figure(word+"supply", false)
	case rest == "":
		if p.state.Available() {
			return string(tlog.Encode(p.state.Document())), nil
		}
	case rest == "ledger":
		return string(tlog.Encode(p.state.Ledger)), nil
	case rest == "evidence":
		return s.evidence(p, query.Get("snapshot")), nil
	case rest == "proof":
		if id := query.Get("snapshot"); id == "" || p.state.Snapshot != nil && id == p.state.Snapshot.ID {
			return p.proof, nil
		}
	default:
		return p.figure(rest, query.Get("format") == "json")
	}
	return "", nil
}

func (p *published) figure(name string, asJSON bool) (string, [][2]string) {
	text, has := p.state.Figure(name)
	if !has {
		return "", nil
	}
	if asJSON {
		text = string(tlog.Encode(supply.FigureResult{Result: text}))
	}
	if p.bare {
		return text, nil
	}
	return text, p.state.Snapshot.Header()
}

// evidence returns the evidence of a snapshot, or of the newest if id is "".
func (s *service) evidence(p *published, id string) string {
	newest := p.state.Snapshot
	if id == "" && (newest == nil || p.state.Status == supply.Unavailable) {
		return ""
	}
	if id == "" {
		id = newest.ID
	}
	ev, known := s.past[id]
	if !known || ev.Token != p.token.Path {
		return ""
	}
	shown := *ev
	shown.Inclusion = s.include(id)
	if newest != nil && id == newest.ID {
		shown.Correction = p.state.Correction
	}
	return string(tlog.Encode(shown))
}

// logFile returns a file of a log.
func (s *service) logFile(path string) string {
	for b := s; b != nil; b = b.before {
		rest, own := strings.CutPrefix(path, b.address()+"/")
		if !own && b != s {
			continue
		}
		switch {
		case rest == "key":
			key, _ := b.key.Verifier(origin)
			return key + "\n"
		case rest == "checkpoint":
			return string(b.checkpoint())
		case own:
			return b.tile(rest)
		}
	}
	return ""
}

func (s *service) tile(path string) string {
	t, err := torchwood.ParseTilePath(path)
	first := t.N * torchwood.TileWidth
	if err != nil || first+int64(t.W) > int64(len(s.leaves)) {
		return ""
	}
	var body []byte
	if t.L == tlog.Entries {
		for i := range int64(t.W) {
			body, _ = torchwood.AppendTileEntry(body, s.leaves[first+i])
		}
		return string(body)
	}
	body, _ = merkle.ReadTileData(t, s.hashes())
	return string(body)
}

func (s *service) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	target := q.URL.RequestURI()
	body, header := s.honestly(target)
	for _, field := range header {
		w.Header().Set(field[0], field[1])
	}
	if lie, has := s.answer[target]; has {
		body = lie
		if s.once[target] {
			delete(s.answer, target)
		}
	}
	maps.Copy(w.Header(), s.header[target])
	if text, refused := strings.CutPrefix(body, "status "); refused || body == "" {
		code := http.StatusNotFound
		fmt.Sscan(text, &code)
		w.WriteHeader(code)
		fmt.Fprint(w, "no")
		return
	}
	io.WriteString(w, body)
}

// alter replaces a part of the honest answer at an address.
func (s *service) alter(t testing.TB, target, old, now string) {
	t.Helper()
	body, _ := s.honestly(target)
	if !strings.Contains(body, old) {
		t.Fatalf("%s has no %q: %s", target, old, body)
	}
	s.answer[target] = strings.Replace(body, old, now, 1)
}

// A world is a service over time, with the proxies in front of it.
type world struct {
	states []state // the first one begins before the audit
	each   time.Duration
	behind time.Duration                                        // how far the log is behind the figures
	proxy  func(now time.Duration, target string) time.Duration // how old the answer is; nil: not at all
	drop   func(now time.Duration, target string) bool          // whether the answer gets lost; nil: never
	skew   time.Duration                                        // how far the service's clock is ahead of the auditor's
}

// A state is what a service answers from a time on.
type state struct {
	from time.Duration
	*service
}

func (w *world) at(now time.Duration) *service {
	for _, s := range slices.Backward(w.states) {
		if s.from <= now {
			return s.service
		}
	}
	return w.states[0].service
}

// audit audits the world. The audit begins at a time after the start of the demo.
func (w *world) audit(t *testing.T, begins time.Duration, alter ...func(*Config)) (r Report, err error) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		now := func() time.Duration { return begins + time.Since(began) }
		cfg := Config{URL: "http://service.test", Pauses: Pauses,
			Now: func() time.Time { return demo.Start.Add(now() - w.skew) }}
		cfg.Client = &http.Client{Transport: patient{roundTrip(func(q *http.Request) (*http.Response, error) {
			time.Sleep(w.each)
			target, at := q.URL.RequestURI(), now()
			if w.drop != nil && w.drop(at, target) {
				return &http.Response{StatusCode: http.StatusServiceUnavailable, Body: http.NoBody, Request: q}, nil
			}
			if strings.HasPrefix(target, "/log/") {
				at -= w.behind
			}
			if w.proxy != nil {
				at -= w.proxy(at, target)
			}
			a := httptest.NewRecorder()
			w.at(at).ServeHTTP(a, q)
			if a.Code != http.StatusOK { // caches keep no errors
				a = httptest.NewRecorder()
				w.at(now()).ServeHTTP(a, q)
			}
			return a.Result(), nil
		})}}
		for _, f := range alter {
			f(&cfg)
		}
		r, err = Run(t.Context(), cfg)
	})
	return r, err
}

// once audits a service that does not change.
func once(t *testing.T, s *service, alter ...func(*Config)) (Report, error) {
	t.Helper()
	w := &world{states: []state{{0, s}}}
	return w.audit(t, 30*24*time.Hour, alter...)
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

// since makes an audit continue from a checkpoint.
func since(checkpoint []byte) func(*Config) { return func(c *Config) { c.Since = checkpoint } }
