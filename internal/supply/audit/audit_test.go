package audit

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// A service serves a log of leaves that a test can forge.
type service struct {
	key    *tlog.Key
	leaves [][]byte            // leaves of the tree
	served map[int64][]byte    // leaves that are served instead
	signed []byte              // the checkpoint, if it is not of all leaves
	newest []supply.Document   // the documents that are served now
	proofs []*supply.Evidence  // evidence of the newest
	ledger ledger.Document     // ledger of the newest
	answer map[string]string   // answers that replace others, by path and query
	once   map[string]string   // the same, for one request
	tile   func([]byte) []byte // alters tiles of hashes
	asked  int
	policy string // witness policy; "": none
	maxAge time.Duration
	now    time.Time // the auditor's clock

	before *service // a service whose log ended; nil: none
	anchor string   // the key that the auditor knows

	recorded  map[string][]byte // recorded answers by path; nil: do not record
	transport http.RoundTripper // records all answers; nil: none
}

const origin = "example.org/log"

var usualPause = Pause

func init() { Pause = time.Millisecond }

// hashes returns the tree of the leaves.
func (s *service) hashes(t testing.TB) (reader merkle.HashReader, root merkle.Hash) {
	var stored []merkle.Hash
	reader = merkle.HashReaderFunc(func(indexes []int64) (out []merkle.Hash, _ error) {
		for _, i := range indexes {
			out = append(out, stored[i])
		}
		return out, nil
	})
	for i, leaf := range s.leaves {
		more, err := merkle.StoredHashes(int64(i), leaf, reader)
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, more...)
	}
	root, err := merkle.TreeHash(int64(len(s.leaves)), reader)
	if err != nil {
		t.Fatal(err)
	}
	return reader, root
}

func (s *service) checkpoint(t testing.TB) []byte {
	t.Helper()
	_, root := s.hashes(t)
	signed, err := s.key.Sign(torchwood.Checkpoint{Origin: origin, Tree: merkle.Tree{N: int64(len(s.leaves)), Hash: root}})
	if err != nil {
		t.Fatal(err)
	}
	return signed
}

// handler answers for the service in its current state.
func (s *service) handler(t testing.TB) http.Handler {
	t.Helper()
	reader, root := s.hashes(t)
	signed := s.signed
	if signed == nil {
		signed = s.checkpoint(t)
	}
	verifier, _ := s.key.Verifier(origin)
	for _, ev := range s.proofs {
		for i, leaf := range s.leaves {
			if supply.LeafHash(leaf) == ev.Snapshot {
				hashes, err := merkle.ProveRecord(int64(len(s.leaves)), int64(i), reader)
				if err != nil {
					t.Fatal(err)
				}
				whole, _ := s.key.Sign(torchwood.Checkpoint{Origin: origin, Tree: merkle.Tree{N: int64(len(s.leaves)), Hash: root}})
				ev.Inclusion = string(torchwood.FormatProof(int64(i), hashes, whole))
			}
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked++
		path := strings.TrimPrefix(r.URL.Path, "/log/")
		body, ok := s.answer[r.URL.RequestURI()]
		if first, has := s.once[r.URL.RequestURI()]; has {
			body, ok = first, true
			delete(s.once, r.URL.RequestURI())
		}
		if ok {
			if rest, refused := strings.CutPrefix(body, "status "); refused {
				code, text, _ := strings.Cut(rest, " ")
				status, _ := strconv.Atoi(code)
				http.Error(w, cmp.Or(text, "no"), status)
				return
			}
			w.Header().Set("Supply-Snapshot", s.proofs[0].Snapshot)
			w.Header().Set("Supply-As-Of", s.proofs[0].AsOf.Format(time.RFC3339Nano))
			w.Header().Set("Supply-Measured-At", s.proofs[0].MeasuredAt.Format(time.RFC3339Nano))
			io.WriteString(w, body)
			return
		}
		for b := s.before; b != nil; b = b.before {
			if rest, found := strings.CutPrefix(path, b.address()+"/"); found {
				b.serveLog(t, w, rest)
				return
			}
		}
		path = strings.TrimPrefix(path, s.address()+"/")
		switch {
		case path == "key":
			fmt.Fprintln(w, verifier)
		case path == "checkpoint":
			w.Write(signed)
		case strings.HasPrefix(path, "tile/"):
			s.serveTile(w, path, reader)
		case r.URL.Path == "/":
			json.NewEncoder(w).Encode(s.newest)
		case path == "/jewel/evidence":
			json.NewEncoder(w).Encode(s.proofs[0])
		case path == "/jewel/ledger":
			json.NewEncoder(w).Encode(s.ledger)
		case strings.HasSuffix(path, "/proof"):
			http.NotFound(w, r)
		case strings.Trim(path, "/") == "jewel" && r.URL.RawQuery == "":
			json.NewEncoder(w).Encode(s.newest[0])
		default:
			s.serveFigure(w, r)
		}
	})
}

// run audits the service in its current state.
func (s *service) run(t testing.TB, since []byte) (Report, error) {
	t.Helper()
	server := httptest.NewServer(s.handler(t))
	defer server.Close()
	client := server.Client()
	if a, ok := s.transport.(*answers); ok {
		a.RoundTripper = client.Transport
		client.Transport = a
	}
	if s.recorded != nil {
		client.Transport = &recorder{client.Transport, s.recorded}
	}
	cfg := Config{URL: server.URL + "/", Key: s.anchor, Since: since, Client: client, MaxAge: s.maxAge}
	if s.policy != "" {
		var err error
		if cfg.Witnesses, err = tlog.ParsePolicy(s.policy); err != nil {
			t.Fatal(err)
		}
	}
	if !s.now.IsZero() {
		cfg.Now = func() time.Time { return s.now }
	}
	return Run(t.Context(), cfg)
}

func (s *service) address() string {
	key, _ := s.key.Verifier(origin)
	return tlog.Address(key)
}

// serveLog serves a log that ended.
func (s *service) serveLog(t testing.TB, w http.ResponseWriter, path string) {
	reader, _ := s.hashes(t)
	switch {
	case path == "key":
		key, _ := s.key.Verifier(origin)
		fmt.Fprintln(w, key)
	case path == "checkpoint":
		w.Write(s.checkpoint(t))
	default:
		s.serveTile(w, path, reader)
	}
}

// serveFigure answers a bare figure.
func (s *service) serveFigure(w http.ResponseWriter, r *http.Request) {
	d, ev := s.newest[0], s.proofs[0]
	name := strings.TrimSuffix(cmp.Or(r.URL.Query().Get("q"), strings.TrimPrefix(r.URL.Path, "/jewel/")), "supply")
	amount := map[string]*ledger.Amount{"total": d.Total, "circulating": d.Circulating, "burned": d.Burned,
		"locked": d.Locked, "reserved": d.Reserved, "max": d.Max}[name]
	if amount == nil || !strings.HasPrefix(r.URL.Path, "/jewel") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Supply-Snapshot", ev.Snapshot)
	w.Header().Set("Supply-As-Of", ev.AsOf.Format(time.RFC3339Nano))
	w.Header().Set("Supply-Measured-At", ev.MeasuredAt.Format(time.RFC3339Nano))
	format := "%s"
	if r.URL.Query().Get("format") == "json" {
		format = `{"result":"%s"}`
	}
	fmt.Fprintf(w, format, amount)
}

func (s *service) serveTile(w http.ResponseWriter, path string, reader merkle.HashReader) {
	t, err := torchwood.ParseTilePath(path)
	first := t.N * torchwood.TileWidth
	if err != nil || first+int64(t.W) > int64(len(s.leaves)) {
		http.Error(w, "no such tile", http.StatusNotFound)
		return
	}
	var body []byte
	if t.L == tlog.Entries {
		for i := range int64(t.W) {
			leaf, ok := s.served[first+i]
			if !ok {
				leaf = s.leaves[first+i]
			}
			body, _ = torchwood.AppendTileEntry(body, leaf)
		}
	} else {
		body, _ = merkle.ReadTileData(t, reader)
		if s.tile != nil {
			body = s.tile(body)
		}
	}
	w.Write(body)
}

// honest returns a service that published jewel's figures that many times.
func honest(t testing.TB, times int) *service {
	t.Helper()
	s := &service{key: tlog.NewKey([32]byte{5}), served: map[int64][]byte{}, answer: map[string]string{}}
	token := demo.Tokens()[0]
	start := demo.Start
	version := token.CurrentLedger()
	version.Since = &start
	s.ledger = token.LedgerDocument([]ledger.Version{version}, version.Hash)
	s.leaves = append(s.leaves, tlog.Begin{Origin: origin, Begun: demo.Start}.Leaf(),
		tlog.LedgerVersion{Token: "jewel", Ledger: s.ledger.Hash, Since: demo.Start}.Leaf(),
		tlog.Decision{Token: "jewel", Kind: "release", Reason: "r", At: demo.Start}.Leaf())
	base := measured(t)
	var record supply.Record
	for i := range times {
		s.publish(t, &record, &token, base, time.Duration(i)*time.Hour)
	}
	return s
}

// measured returns a snapshot of jewel.
func measured(t testing.TB) *supply.Snapshot {
	m := supply.Measure(t.Context(), demo.Tokens()[:1], demo.Chains(demo.Start), demo.Start)[0]
	if m.Err != nil {
		t.Fatal(m.Err)
	}
	return m.Snapshot
}

// publish adds a snapshot that was measured after a time.
func (s *service) publish(t testing.TB, record *supply.Record, token *ledger.Token, base *supply.Snapshot,
	after time.Duration) {
	t.Helper()
	ev := *base.Evidence
	ev.MeasuredAt = base.MeasuredAt.Add(after)
	ev.Previous = ""
	if record.Snapshot != nil {
		ev.Previous = record.Snapshot.ID
	}
	n := *base
	n.Evidence, n.MeasuredAt = &ev, ev.MeasuredAt
	n.ID = supply.LeafHash(n.Leaf())
	ev.Snapshot = n.ID
	record.Snapshot = &n
	s.leaves = append(s.leaves, n.Leaf())
	s.newest = []supply.Document{{Symbol: token.Symbol, Name: token.Name, Decimals: token.Decimals, Status: supply.Demo,
		Snapshot: &n.ID, LedgerHash: &n.LedgerHash, AsOf: &n.AsOf, MeasuredAt: &n.MeasuredAt, Blocks: n.Blocks, Max: n.Max,
		Total: &n.Total, Circulating: &n.Circulating, Burned: &n.Burned, Locked: &n.Locked, Reserved: &n.Reserved}}
	s.proofs = []*supply.Evidence{&ev}
}

func TestAnHonestLogHolds(t *testing.T) {
	s := honest(t, 300)
	r, err := s.run(t, nil)
	if err != nil || !r.Demo || r.Compared["figures"] < 16 || r.Size != 303 || r.Leaves[tlog.SnapshotFormat] != 300 ||
		len(r.Served) != 1 || r.KeyGiven {
		t.Fatalf("the report is %+v, %v", r, err)
	}
	for size, kept := range map[int64][]byte{303: s.checkpoint(t), 13: honest(t, 10).checkpoint(t)} {
		s.asked = 0
		r, err = s.run(t, kept)
		if err != nil || r.Kept != size || r.Leaves[tlog.SnapshotFormat] != 300 || len(r.Served) != 1 || s.asked > 90 {
			t.Errorf("after the checkpoint of %d leaves, with %d requests: %+v, %v", size, s.asked, r, err)
		}
	}
}

// A service that publishes again and again while it is audited is no liar. An answer that stays
// behind is a fault all the same.
func TestAServiceThatPublishesDuringTheAudit(t *testing.T) {
	old := honest(t, 2).handler(t)
	var states []http.Handler
	for i := range 9 {
		s := honest(t, 3+i)
		s.newest = append(s.newest, supply.Document{Symbol: "NEW", Status: supply.Unavailable, Blocks: []supply.Block{}})
		states = append(states, s.handler(t))
	}
	for _, row := range []struct {
		each   int    // number of answers between two publications
		behind string // an address that stays behind
		want   string
		fault  bool
	}{
		{60, "", "<nil>", false}, // its heads are always ahead
		{40, "", "faster than it answers", false},
		{7, "", "faster than it answers", false},
		{40, "/jewel/evidence", "differs from its log", true},
		{40, "/jewel?q=total", "differs from its log", true},
	} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			state := states[min(asked/row.each, len(states)-1)]
			if asked++; r.URL.RequestURI() == row.behind {
				state = old
			}
			state.ServeHTTP(w, r)
		}))
		r, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if errors.As(err, new(*Fault)) != row.fault || !strings.Contains(fmt.Sprint(err), row.want) {
			t.Errorf("%+v: the error is %v", row, err)
		}
		if err == nil && !strings.Contains(fmt.Sprint(r.Unproven), "newer figures") {
			t.Errorf("the report does not name newer figures: %v", r.Unproven)
		}
	}
}

// A service may have several processes, and one of them may be a moment behind. It must have the
// same log.
func TestAProcessThatIsBehind(t *testing.T) {
	other := honest(t, 2)
	other.leaves[2] = decided(supply.Correct, "another")
	for name, row := range map[string]struct {
		behind *service
		want   string
	}{"the same log": {honest(t, 2), "<nil>"}, "another log": {other, "forked"}} {
		newer, behind, heads, lists := honest(t, 3).handler(t), row.behind.handler(t), 0, 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			state := newer
			switch r.URL.Path {
			case row.behind.head():
				if heads++; heads == 2 {
					state = behind
				}
			case "/":
				if lists++; lists == 1 {
					state = behind
				}
			}
			state.ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if !strings.Contains(fmt.Sprint(err), row.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A process that is behind does not have the newest tiles yet.
func TestATileThatIsBehind(t *testing.T) {
	newer, behind := honest(t, 3).handler(t), honest(t, 2).handler(t)
	for _, tries := range []int{1, 1000} {
		asked := map[string]int{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked[r.URL.Path]++; strings.Contains(r.URL.Path, "/tile/") && asked[r.URL.Path] <= tries {
				behind.ServeHTTP(w, r)
				return
			}
			newer.ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if errors.As(err, new(*Fault)) != (tries > catchUp) {
			t.Errorf("the first %d times: %v", tries, err)
		}
	}
}

// The first head may come from a process that is behind the one that gave the kept checkpoint.
func TestAHeadBehindTheKeptOne(t *testing.T) {
	s := honest(t, 3)
	s.once = map[string]string{s.head(): s.earlier(t)}
	if r, err := s.run(t, s.checkpoint(t)); err != nil || len(r.Retried) != 1 {
		t.Errorf("%v, %q", err, r.Retried)
	}
	fork := honest(t, 2)
	fork.leaves[2] = decided(supply.Release, "another")
	s.once = map[string]string{s.head(): string(fork.checkpoint(t))}
	if _, err := s.run(t, s.checkpoint(t)); err == nil || !strings.Contains(err.Error(), "forked") {
		t.Errorf("a head of another tree: %v", err)
	}
}

// The head at /log/ must not stay behind the kept checkpoint, even if the first head at the log's own
// address is older, too.
func TestAHeadThatStaysBehindTheKeptOne(t *testing.T) {
	s, old := honest(t, 5), string(honest(t, 1).checkpoint(t))
	s.answer["/log/checkpoint"] = old
	for _, s.once = range []map[string]string{{}, {s.head(): old}} {
		r, err := s.run(t, s.checkpoint(t))
		if _, isFault := errors.AsType[*Fault](err); !isFault || !strings.Contains(err.Error(), "/log/checkpoint: it has 4 leaves") {
			t.Errorf("the head at /log/ is older: %v, %q", err, r.Retried)
		}
	}
}

// A frozen copy may be from before the kept checkpoint. It is then no lie that its log is shorter.
func TestACopyFromBeforeTheKeptCheckpoint(t *testing.T) {
	server := httptest.NewServer(honest(t, 3).handler(t))
	defer server.Close()
	for isCopy, isFault := range map[bool]bool{true: false, false: true} {
		_, err := Run(t.Context(), Config{URL: server.URL, Copy: isCopy, Since: honest(t, 4).checkpoint(t),
			Client: server.Client()})
		if _, found := errors.AsType[*Fault](err); err == nil || found != isFault {
			t.Errorf("copy %v: %v", isCopy, err)
		}
	}
}

// After a figure of a clock that was ahead, the next one may be as of an earlier time.
func TestATimeThatGoesBack(t *testing.T) {
	for after, want := range map[time.Duration]string{time.Minute: "<nil>", time.Hour: "earlier than a figure"} {
		s, token, record, ahead := honest(t, 0), demo.Tokens()[0], supply.Record{}, measured(t)
		ahead.AsOf = ahead.AsOf.Add(time.Hour)
		s.publish(t, &record, &token, ahead, time.Hour)
		s.publish(t, &record, &token, measured(t), after)
		r, err := s.run(t, nil)
		if !strings.Contains(fmt.Sprint(err), want) || err == nil && !slices.Equal(r.Back, []string{"jewel"}) {
			t.Errorf("measured after %s: %v, %q", after, err, r.Back)
		}
	}
}

// The report names figures that were read at lower blocks than earlier ones, also than those of an
// earlier log.
func TestBlocksThatGoBack(t *testing.T) {
	token, record, higher := demo.Tokens()[0], supply.Record{}, measured(t)
	higher.Blocks[0].Number++
	s, before, after := honest(t, 0), honest(t, 0), honest(t, 2)
	s.publish(t, &record, &token, higher, 0)
	kept := s.checkpoint(t)
	s.publish(t, &record, &token, measured(t), time.Hour)
	wrong := *s
	wrong.answer, wrong.proofs = map[string]string{}, []*supply.Evidence{new(*s.proofs[0])}
	wrong.withdraw(demo.Start.Add(2 * time.Hour))
	before.key = tlog.NewKey([32]byte{6})
	before.publish(t, &supply.Record{}, &token, higher, 0)
	after.follow(t, before, len(before.leaves))
	for name, test := range map[string]struct {
		*service
		since []byte
		want  []string
	}{
		"withdrawn": {&wrong, nil, []string{"jewel"}},
		"one log":   {s, nil, []string{"jewel"}}, "from a checkpoint on": {s, kept, []string{"jewel"}},
		"an earlier log": {after, nil, []string{"jewel"}}, "the same blocks": {honest(t, 3), nil, nil},
	} {
		if r, err := test.run(t, test.since); err != nil || !slices.Equal(r.Back, test.want) {
			t.Errorf("%s: %v, %q", name, err, r.Back)
		}
	}
}

// A cache in front of a service keeps a figure for a moment after the next one. That is no lie, but
// later it is.
func TestAnAnswerFromACache(t *testing.T) {
	for _, path := range []string{"/", "/jewel", "/jewel/evidence", "/jewel?q=total", "/jewel/proof"} {
		for age, fault := range map[time.Duration]bool{time.Minute: false, time.Hour: true, -time.Hour: true} {
			now, before := honest(t, 3), honest(t, 2)
			old := before.prove()
			now.answer["/jewel/proof?snapshot="+before.proofs[0].Snapshot] = old
			now.prove()
			state, kept := now.handler(t), before.handler(t)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.RequestURI() == path {
					kept.ServeHTTP(w, r)
					return
				}
				state.ServeHTTP(w, r)
			}))
			_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client(),
				Now: func() time.Time { return now.proofs[0].MeasuredAt.Add(age) }})
			server.Close()
			if err == nil || errors.As(err, new(*Fault)) != fault {
				t.Errorf("%s, after %s: %v", path, age, err)
			}
		}
	}
}

// A cache may be several figures behind if they follow each other quickly, and it may have a figure
// from before the log began.
func TestAnEarlierAnswerFromACache(t *testing.T) {
	published := func(times int) *service {
		s, token, record := honest(t, 0), demo.Tokens()[0], supply.Record{}
		for i := range times {
			s.publish(t, &record, &token, measured(t), time.Duration(i)*30*time.Second)
		}
		return s
	}
	old, lost := published(2), honest(t, 2)
	start := old.proofs[0].MeasuredAt.Add(30 * time.Second) // when the next one was measured
	for name, row := range map[string]struct {
		list  *service
		once  bool
		age   time.Duration
		fault bool
	}{
		"two figures behind":       {old, false, time.Minute, false},
		"too far behind":           {old, false, 8 * time.Minute, true},
		"from before the log":      {lost, true, 0, false},
		"from before it, always":   {lost, false, 0, false},
		"long after the log began": {lost, true, time.Hour, true},
	} {
		s := published(4)
		list := string(tlog.Encode(row.list.newest))
		if s.now = start.Add(row.age); row.once {
			s.once = map[string]string{"/": list}
		} else {
			s.answer["/"] = list
		}
		if _, err := s.run(t, nil); err == nil || errors.As(err, new(*Fault)) != row.fault {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What counts is the age of a cached answer when it was read. A slow audit ends long after. The log
// has a new figure only some answers after the figure is served.
func TestACachedAnswerInASlowAudit(t *testing.T) {
	var states []http.Handler
	s, token, record := honest(t, 0), demo.Tokens()[0], supply.Record{}
	for i := range 12 {
		s.publish(t, &record, &token, measured(t), time.Duration(i)*30*time.Second)
		state := *s
		states = append(states, state.handler(t))
	}
	start := measured(t).MeasuredAt
	for behind := range 20 {
		asked, cached := 0, true
		at := func(answer int) int { return 1 + min(max(answer, 0)/40, len(states)-2) }
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			state := at(asked)
			switch {
			case strings.HasPrefix(r.URL.Path, "/log/"):
				state = at(asked - behind)
			case cached && r.URL.RequestURI() == "/jewel?q=total":
				state, cached = state-1, false
			}
			asked++
			states[state].ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client(),
			Now: func() time.Time { return start.Add(time.Duration(at(asked)) * 30 * time.Second) }})
		server.Close()
		if !errors.Is(err, errOutrun) {
			t.Errorf("the log is %d answers behind: %v", behind, err)
		}
	}
}

// A cache may have a ledger from before another one was used, and answers from before a figure was
// released. The figure may have been measured long before.
func TestAnAnswerFromBeforeARelease(t *testing.T) {
	token, start := demo.Tokens()[0], demo.Start
	now := token.CurrentLedger()
	token.Ledger = token.Ledger[:1]
	was := token.CurrentLedger()
	was.Since = &start
	cached := tlog.Encode(token.LedgerDocument([]ledger.Version{was}, was.Hash))
	for _, path := range []string{"/jewel/ledger", "/", "/jewel", "/jewel/evidence", "/jewel?q=total"} {
		for released, wait := range map[bool]time.Duration{true: 24 * time.Hour, false: 0} {
			for age, isFault := range map[time.Duration]bool{6 * time.Minute: false, 8 * time.Minute: true} {
				s, before := honest(t, 3), honest(t, 2)
				last, measuredAt := len(s.leaves)-1, s.proofs[0].MeasuredAt
				if path == "/jewel/ledger" { // the last figure is the first one with its ledger
					s.leaves = append(s.leaves[:1], tlog.LedgerVersion{Token: "jewel", Ledger: was.Hash, Since: start}.Leaf(),
						tlog.LedgerVersion{Token: "jewel", Ledger: now.Hash, Since: measuredAt}.Leaf(), s.leaves[last])
					last, s.answer[path] = len(s.leaves)-1, string(cached)
				}
				if released {
					s.leaves = slices.Insert(s.leaves, last, tlog.Decision{Token: "jewel", Kind: string(supply.Release),
						Subject: s.proofs[0].Snapshot, Reason: "right", At: measuredAt.Add(wait)}.Leaf())
				}
				state, kept := s.handler(t), before.handler(t)
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.RequestURI() == path && path != "/jewel/ledger" {
						kept.ServeHTTP(w, r)
						return
					}
					state.ServeHTTP(w, r)
				}))
				_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client(),
					Now: func() time.Time { return measuredAt.Add(wait + age) }})
				server.Close()
				if err == nil || errors.As(err, new(*Fault)) != isFault {
					t.Errorf("%s, released: %v, after %s: %v", path, released, age, err)
				}
			}
		}
	}
}

// One process of the service is ahead of the log, and another is behind. Then the log gets the figure
// of the first.
func TestAFigureThatTheLogGetsLater(t *testing.T) {
	before, now, lists := honest(t, 2).handler(t), honest(t, 3).handler(t), 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			lists++
		}
		state := before
		if lists > 2 || lists == 1 && r.URL.Path == "/" {
			state = now
		}
		state.ServeHTTP(w, r)
	}))
	defer server.Close()
	if r, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()}); err != nil || len(r.Retried) == 0 {
		t.Errorf("%v, %q", err, r.Retried)
	}
}

// A cache may have answers from before a correction or its withdrawal for a moment.
func TestAnAnswerFromBeforeACorrection(t *testing.T) {
	for name, cached := range map[string]func(s *service){
		"everything": func(s *service) {
			clear(s.answer)
			s.proofs[0].Correction = nil
		},
		"the document": func(s *service) { delete(s.answer, "/jewel") },
		"the evidence": func(s *service) { s.proofs[0].Correction = nil },
		"the list, from before it was taken back": func(s *service) {
			list := s.answer["/"]
			clear(s.answer)
			s.answer["/"], s.proofs[0].Correction = list, nil
			s.leaves = append(s.leaves, tlog.Decision{Token: "jewel", Kind: string(supply.UndoCorrect),
				Subject: s.proofs[0].Snapshot, At: demo.Start.Add(time.Hour)}.Leaf())
		},
	} {
		for age, isFault := range map[time.Duration]bool{6 * time.Minute: false, 8 * time.Minute: true} {
			s := withdrawn(t) // one hour after the start
			cached(s)
			s.now = demo.Start.Add(time.Hour + age)
			if _, err := s.run(t, nil); err == nil || errors.As(err, new(*Fault)) != isFault {
				t.Errorf("%s, %s after the decision: %v", name, age, err)
			}
		}
	}
}

// A cache may have a list or a ledger for a moment that is from before the first figures, from
// before those that replaced wrong ones, or from before another ledger.
func TestAnAnswerFromBeforeFigures(t *testing.T) {
	another := func(s *service) { // one hour after the start
		token, since := demo.Tokens()[0], demo.Start.Add(time.Hour)
		token.Ledger = slices.Clone(token.Ledger)
		token.Ledger[0].Reason = "another"
		m := supply.Measure(t.Context(), []ledger.Token{token}, demo.Chains(demo.Start), demo.Start)[0]
		now := token.CurrentLedger()
		now.Since = &since
		s.leaves = append(s.leaves, tlog.LedgerVersion{Token: "jewel", Ledger: now.Hash, Since: since}.Leaf())
		s.ledger = token.LedgerDocument([]ledger.Version{s.ledger.Version, now}, now.Hash)
		s.publish(t, &supply.Record{Snapshot: &supply.Snapshot{ID: s.proofs[0].Snapshot}}, &token, m.Snapshot, time.Hour)
	}
	for name, cached := range map[string]func(s *service){
		"the list, from before the first figures":   func(s *service) { s.answer["/"] = unlisted },
		"the ledger, from before the first figures": func(s *service) { s.ledger.Since = nil },
		"the ledger, from before another": func(s *service) {
			old := s.ledger
			another(s)
			s.ledger = old
		},
		"the ledger, from before another that was used in between": func(s *service) {
			old, token := s.ledger, demo.Tokens()[0]
			another(s)
			s.ledger = old
			record := supply.Record{Snapshot: &supply.Snapshot{ID: s.proofs[0].Snapshot}}
			s.publish(t, &record, &token, measured(t), time.Hour+time.Second)
		},
		"the list, from before others replaced wrong ones": func(s *service) {
			s.withdraw(demo.Start)
			list := s.answer["/"]
			clear(s.answer)
			another(s)
			s.answer["/"] = list
		},
	} {
		for age, isFault := range map[time.Duration]bool{6 * time.Minute: false, 8 * time.Minute: true} {
			s := honest(t, 1)
			cached(s)
			s.now = s.proofs[0].MeasuredAt.Add(age)
			for _, since := range [][]byte{nil, s.checkpoint(t)} {
				if _, err := s.run(t, since); err == nil || errors.As(err, new(*Fault)) != isFault {
					t.Errorf("%s, %s after the publication, since %q: %v", name, age, since, err)
				}
			}
		}
	}
}

// prove adds a proof in which nodes only agreed, and returns it.
func (s *service) prove() string {
	ev := s.proofs[0]
	d := proof.Document{Format: proof.Format, Snapshot: ev.Snapshot}
	for _, x := range ev.Entries {
		known := proof.Agreed(1, 1)
		if x.Entry.Amount != nil {
			known = proof.Declared
		}
		d.Entries = append(d.Entries, proof.Entry{Label: x.Entry.Label, Known: known})
	}
	text := string(tlog.Encode(d))
	s.answer["/jewel/proof"], s.answer["/jewel/proof?snapshot="+ev.Snapshot] = text, text
	return text
}

// After a new log has begun, a service answers for a moment with inclusions in the log before it,
// and caches with proofs that were not there yet. That is no lie.
func TestAnswersFromBeforeALog(t *testing.T) {
	s := honest(t, 3)
	before := honest(t, 3)
	before.key = tlog.NewKey([32]byte{6})
	before.handler(t)
	s.once = map[string]string{"/jewel/evidence": string(tlog.Encode(before.proofs[0]))}
	if r, err := s.run(t, nil); err != nil || len(r.Retried) != 1 {
		t.Errorf("an inclusion in another log: %v, %q", err, r.Retried)
	}
	s.once["/log/checkpoint"] = string(before.checkpoint(t))
	if r, err := s.run(t, nil); err != nil || len(r.Retried) != 1 {
		t.Errorf("a head of another log: %v, %q", err, r.Retried)
	}
	s.answer["/jewel/evidence"] = string(tlog.Encode(before.proofs[0]))
	for age, isFault := range map[time.Duration]bool{6 * time.Minute: false, 8 * time.Minute: true} {
		s.now = demo.Start.Add(age)
		if _, err := s.run(t, nil); err == nil || errors.As(err, new(*Fault)) != isFault {
			t.Errorf("an inclusion that stays in another log, %s after this one began: %v", age, err)
		}
		lost := honest(t, 3)
		lost.answer["/jewel/proof"] = strings.Replace(lost.prove(), lost.proofs[0].Snapshot, strings.Repeat("a", 64), 1)
		lost.now = s.now
		if _, err := lost.run(t, nil); err == nil || errors.As(err, new(*Fault)) != isFault {
			t.Errorf("the proof of a snapshot that was lost, %s after the log began: %v", age, err)
		}
	}
	for _, path := range []string{"/jewel/proof", "/jewel/proof?snapshot=" + s.proofs[0].Snapshot} {
		s := honest(t, 3)
		s.prove()
		s.answer[path] = "status 404"
		if r, err := s.run(t, nil); err != nil || r.Compared["proofs"] != 1 {
			t.Errorf("no proof at %s: %v, %v", path, err, r.Compared)
		}
	}
}

// A token that holds is not compared again because another one differs, so many tokens can be
// published while they are audited.
func TestATokenThatHoldsIsNotComparedAgain(t *testing.T) {
	s := honest(t, 3)
	s.newest = append(s.newest, supply.Document{Symbol: "NEW", Status: supply.Unavailable, Blocks: []supply.Block{}})
	s.once = map[string]string{"/new": "5"}
	for _, name := range []string{"total", "circulating", "locked"} {
		s.once["/jewel?q="+name], s.once["/new?q="+name] = "status 404", "5"
	}
	r, err := s.run(t, nil)
	if err != nil || len(r.Retried) != 7 || r.Compared["evidence"] != 1 || len(r.Served) != 1 || len(r.Bare) != 1 {
		t.Errorf("the audit: %v, %+v", err, r)
	}

	// If it was published again, its newest evidence was not compared. The report says so.
	next := honest(t, 4)
	next.newest = append(next.newest, s.newest[1])
	s.once = map[string]string{"/new": "5"}
	before, after := s.handler(t), next.handler(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if before.ServeHTTP(w, r); len(s.once) == 0 {
			before = after
		}
	}))
	defer server.Close()
	r, err = Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
	if err != nil || !strings.Contains(fmt.Sprint(r.Unproven), "published during the audit") {
		t.Errorf("%v: %+v", err, r)
	}
}

// Every forgery is named.
func TestForgeriesAreNamed(t *testing.T) {
	other := tlog.Decision{Token: "jewel", Kind: "release", Reason: "another", At: demo.Start}.Leaf()
	for name, row := range map[string]struct {
		forge func(t *testing.T, s *service) (since []byte)
		want  string
	}{
		"a leaf is served otherwise": {func(_ *testing.T,
			s *service) []byte {
			s.served[7] = s.leaves[8]
			return nil
		}, "leaf 7: it was rewritten"},
		"a leaf was rewritten": {func(t *testing.T, s *service) []byte {
			kept := s.checkpoint(t)
			s.leaves[2] = other
			return kept
		}, "consistency: the log was forked or rewritten"},
		"a leaf was taken away": {func(t *testing.T, s *service) []byte {
			s.leaves = append(s.leaves[:5:5], s.leaves[6:]...)
			return nil
		}, "leaf 5: it says that it follows"},
		"two leaves were swapped": {func(t *testing.T, s *service) []byte {
			s.leaves[5], s.leaves[6] = s.leaves[6], s.leaves[5]
			return nil
		}, "leaf 5: it says that it follows"},
		"a leaf was invented": {func(t *testing.T, s *service) []byte {
			s.leaves = append(s.leaves, []byte(`{"format":"petsupply-fancy/1"}`))
			return nil
		}, "leaf 13: unknown format"},
		"a snapshot was invented": {func(t *testing.T, s *service) []byte {
			old := s.newest
			leaf := strings.Replace(string(s.leaves[12]), `"measuredAt":"2026-07-04T`, `"measuredAt":"2026-07-05T`, 1)
			leaf = leaf[:strings.LastIndex(leaf, `"previous":"`)] + `"previous":"` + *old[0].Snapshot + `"}`
			s.leaves = append(s.leaves, []byte(leaf))
			return nil
		}, "\"JEWEL\": the served snapshot is"},
		"a correction that no program knows": {func(t *testing.T, s *service) []byte {
			s.leaves = append(s.leaves, decided("corrected", s.proofs[0].Snapshot))
			return nil
		}, "leaf 13: unknown kind of decision"},
		"a correction of an id in upper case": {func(t *testing.T, s *service) []byte {
			s.leaves = append(s.leaves, decided(supply.Correct, strings.ToUpper(s.proofs[0].Snapshot)))
			return nil
		}, "is not the id of a snapshot"},
		"bytes that are not those of their content": {func(t *testing.T, s *service) []byte {
			s.leaves[2] = append(s.leaves[2], ' ')
			return nil
		}, "leaf 2: its bytes are not"},
		"another beginning": {func(t *testing.T, s *service) []byte {
			s.leaves[0] = tlog.Begin{Origin: "example.net", Begun: demo.Start}.Leaf()
			return nil
		}, "leaf 0: it begins another log"},
		"two beginnings": {func(t *testing.T, s *service) []byte { s.leaves[2] = s.leaves[0]; return nil },
			"leaf 2: the first leaf"},
		"an unsigned checkpoint": {func(t *testing.T, s *service) []byte {
			s.signed = []byte(strings.Split(string(s.checkpoint(t)), "\n\n")[0] + "\n\n")
			return nil
		}, "checkpoint: the checkpoint is not signed"},
		"a checkpoint of a stranger": {func(t *testing.T, s *service) []byte {
			c, _ := tlog.ParseCheckpoint(s.checkpoint(t))
			s.signed, _ = tlog.NewKey([32]byte{6}).Sign(c)
			return nil
		}, "checkpoint: the checkpoint is not signed"},
		"an older checkpoint": {func(t *testing.T, s *service) []byte {
			kept := s.checkpoint(t)
			s.signed = honest(t, 5).checkpoint(t)
			return kept
		}, "checkpoint: it is older than the one before: its size is 8"},
		"a forked log": {func(t *testing.T, s *service) []byte {
			fork := honest(t, 12)
			fork.leaves[2] = other
			return fork.checkpoint(t)[:len(fork.checkpoint(t))]
		}, "checkpoint: it is older"},
		"a fork that is longer": {func(t *testing.T, s *service) []byte {
			fork := honest(t, 4)
			fork.leaves[2] = other
			return fork.checkpoint(t)
		}, "consistency: the log was forked"},
		"another figure is served": {func(t *testing.T, s *service) []byte {
			text, _ := json.Marshal([]supply.Document{s.newest[0]})
			s.answer["/"] = strings.Replace(string(text), `"totalSupply":"`, `"totalSupply":"9`, 1)
			return nil
		}, "jewel: in the list: totalSupply is"},
		"other evidence is served": {func(t *testing.T,
			s *service) []byte {
			s.proofs[0].Symbol = "FAKE"
			return nil
		}, "jewel: its evidence: snapshot: its id is"},
		"tiles are altered": {func(t *testing.T, s *service) []byte {
			s.tile = func(b []byte) []byte { b[40] ^= 1; return b }
			return nil
		}, "do not lead to the root"},
		"tiles are short": {func(t *testing.T, s *service) []byte {
			s.tile = func(b []byte) []byte { return b[:len(b)-1] }
			return nil
		}, "bytes, not"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t, 10)
			_, err := s.run(t, row.forge(t, s))
			if err == nil || !errors.As(err, new(*Fault)) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %s", err, row.want)
			}
		})
	}
}

// Everything that a client can read is compared with the log. Each row replaces one true answer.
func TestEveryAnswerIsCompared(t *testing.T) {
	altered := func(change ...string) func(string) string { return strings.NewReplacer(change...).Replace }
	lie := func(string) string { return "999999999" }
	for name, row := range map[string]struct {
		path  string
		alter func(truth string) string
		want  string
	}{
		"a bare total":             {"/jewel/totalsupply", lie, "but the log has"},
		"a bare circulating":       {"/jewel/circulatingsupply", lie, "but the log has"},
		"a burned figure":          {"/jewel/burnedsupply", lie, "but the log has"},
		"a locked figure":          {"/jewel/lockedsupply", lie, "but the log has"},
		"a maximum out of nothing": {"/jewel/maxsupply", lie, "but the log has"},
		"a figure in JSON": {"/jewel/totalsupply?format=json",
			func(string) string { return `{"result":"1"}` }, "but the log has"},
		"a figure by a query":      {"/jewel/?q=total", lie, "but the log has"},
		"a figure by another":      {"/jewel/?q=circulatingsupply", lie, "but the log has"},
		"a figure without a slash": {"/jewel?q=total", lie, "but the log has"},
		"no figure where one is":   {"/jewel/totalsupply", func(string) string { return "status 404" }, "404"},
		"no maximum":               {"/jewel/maxsupply", func(string) string { return "status 404" }, "has this figure"},
		"no burned figure":         {"/jewel/?q=burned", func(string) string { return "status 410" }, "has this figure"},
		"the token's document":     {"/jewel", altered(`"burnedSupply":"`, `"burnedSupply":"1`), "burnedSupply"},
		"its other address":        {"/jewel/", altered(`"lockedSupply":"`, `"lockedSupply":"1`), "lockedSupply"},
		"a moment":                 {"/jewel", altered(`"asOf":"2026`, `"asOf":"2027`), "asOf"},
		"a key in two cases":       {"/jewel", altered(`{"symbol"`, `{"totalsupply":"1","symbol"`), "differs only in case"},
		"another member":           {"/jewel", altered(`{"symbol"`, `{"price":"1","symbol"`), "price"},
		"a correction": {"/jewel",
			altered(`{"symbol"`, `{"correction":{"reason":"x","at":"2026-01-01T00:00:00Z"},"symbol"`), "correction"},
		"no snapshot in the list": {"/", altered(`"snapshot":"`, `"snapshot":null,"other":"`), "it names no snapshot"},
		"an odd id in the list": {"/", func(truth string) string {
			at := strings.Index(truth, `"snapshot":"`) + len(`"snapshot":"`)
			return truth[:at] + "0123456789abcdef" + truth[at+64:]
		}, "differs from its log"},
		"a token twice": {"/",
			func(truth string) string { return "[" + truth[1:len(truth)-1] + "," + truth[1:] }, "twice"},
		"the list in two cases": {"/", altered(`"totalSupply"`, `"TotalSupply":"9","totalSupply"`), "differs only in case"},
		"a ledger":              {"/jewel/ledger", altered(`"bucket":"reserved"`, `"bucket":"burned"`), "another hash"},
		"a ledger's beginning":  {"/jewel/ledger", altered(`"since":"2026`, `"since":"2025`), "since"},
		"a ledger of the past": {"/jewel/ledger", func(truth string) string {
			return strings.Replace(truth, `"earlier":[]`,
				`"earlier":[{"ledger":"l","since":"2026-01-01T00:00:00Z","decimals":18,"maxSupply":null,"bridges":{},"entries":[]}]`, 1)
		}, "another hash"},
		"evidence of another token": {"/jewel/evidence", altered(`"token":"jewel"`, `"token":"crystal"`), "jewel"},
		"evidence with a correction": {"/jewel/evidence", func(truth string) string {
			return truth[:len(truth)-1] + `,"correction":{"reason":"x","at":"2026-01-01T00:00:00Z"}}`
		}, "differs from its log"},
		"a proof that is none": {"/jewel/proof", func(string) string { return "{}" }, "proof"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t, 3)
			s.recorded = map[string][]byte{}
			if _, err := s.run(t, nil); err != nil {
				t.Fatal(err)
			}
			path := row.path
			if path == "/jewel/proof" {
				path += "?snapshot=" + s.proofs[0].Snapshot
			}
			truth := strings.TrimSpace(string(s.recorded[strings.TrimSuffix(path, "/")]))
			s.answer[path] = row.alter(truth)
			s.recorded = nil
			if s.answer[path] == truth {
				t.Fatalf("nothing was altered: %s", truth)
			}
			_, err := s.run(t, nil)
			if _, isFault := errors.AsType[*Fault](err); !isFault || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %q", err, row.want)
			}
		})
	}
}

// A service that cannot answer is not accused of a fault.
func TestUnreachedIsNoFault(t *testing.T) {
	for _, path := range []string{"/", "/log/checkpoint", "/jewel", "/jewel/totalsupply", "/jewel/proof"} {
		for _, status := range []int{401, 403, 421, 451, 500} {
			s, at := honest(t, 2), path
			if at == "/jewel/proof" {
				at += "?snapshot=" + s.proofs[0].Snapshot
			}
			s.answer[at] = fmt.Sprint("status ", status)
			_, err := s.run(t, nil)
			if _, isFault := errors.AsType[*Fault](err); err == nil || isFault {
				t.Errorf("%s, %d: want an error that is not a fault, got %v", at, status, err)
			}
		}
	}
	// Another caller may get a figure there: one who pays, is slower, in another country, or speaks HTTP/2.
	for _, status := range []int{401, 402, 403, 406, 407, 408, 421, 425, 426, 429, 451, 511} {
		s := withdrawn(t)
		s.answer["/jewel/totalsupply"] = fmt.Sprint("status ", status)
		if _, err := s.run(t, nil); err == nil || errors.As(err, new(*Fault)) {
			t.Errorf("a withdrawn figure, %d: want an error that is not a fault, got %v", status, err)
		}
	}
	s := honest(t, 2)
	s.answer["/log/key"] = "status 404"
	if _, err := s.run(t, nil); err == nil || errors.As(err, new(*Fault)) {
		t.Errorf("no log: want an error that is not a fault, got %v", err)
	}
	s.anchor, _ = s.key.Verifier(origin)
	if _, err := s.run(t, nil); !errors.As(err, new(*Fault)) {
		t.Errorf("no log, but the auditor knows its key: want a fault, got %v", err)
	}
}

// The leaves before and after a kept checkpoint follow each other, and no figure uses a ledger that
// no leaf announced.
func TestTheJoinIsChecked(t *testing.T) {
	s := honest(t, 6)
	kept := honest(t, 3).checkpoint(t)
	if _, err := s.run(t, kept); err != nil {
		t.Fatal(err)
	}
	gap := honest(t, 6)
	gap.leaves = append(gap.leaves[:6:6], gap.leaves[7:]...)
	if _, err := gap.run(t, kept); err == nil || !strings.Contains(err.Error(), "leaf 6: it says that it follows") {
		t.Errorf("a snapshot was left out after the checkpoint: %v", err)
	}
	for _, since := range [][]byte{nil, kept} {
		unannounced := honest(t, 6)
		unannounced.leaves[1] = tlog.LedgerVersion{Token: "jewel", Ledger: strings.Repeat("a", 64), Since: demo.Start}.Leaf()
		if since != nil {
			before := honest(t, 3)
			before.leaves[1] = unannounced.leaves[1]
			since = before.checkpoint(t)
		}
		if _, err := unannounced.run(t, since); err == nil ||
			!strings.Contains(err.Error(), "which no leaf of jewel announced") {
			t.Errorf("a ledger that no leaf announced: %v", err)
		}
	}
}

// The inclusion in the evidence must be for the log that was read, not for another tree with the
// same key.
func TestInclusionInAnotherTree(t *testing.T) {
	s, fork := honest(t, 3), honest(t, 3)
	fork.leaves[2] = tlog.Decision{Token: "jewel", Kind: "release", Reason: "another", At: demo.Start}.Leaf()
	if _, err := fork.run(t, nil); err != nil {
		t.Fatal(err)
	}
	s.answer["/jewel/evidence"] = string(tlog.Encode(fork.proofs[0]))
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "the log was forked") {
		t.Error(err)
	}
	earlier := honest(t, 2) // its snapshot is in both trees
	earlier.leaves[2] = fork.leaves[2]
	earlier.handler(t)
	delete(s.answer, "/jewel/evidence")
	s.once = map[string]string{"/jewel/evidence": string(tlog.Encode(earlier.proofs[0]))}
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "the log was forked") {
		t.Errorf("an earlier snapshot at first: %v", err)
	}
	later := honest(t, 3)
	later.leaves = append(later.leaves, later.leaves[2])
	if _, err := later.run(t, nil); err != nil {
		t.Fatal(err)
	}
	s.answer["/jewel/evidence"] = string(tlog.Encode(later.proofs[0]))
	if _, err := s.run(t, nil); err == nil || !errors.Is(err, errDiffers) {
		t.Error(err)
	}
}

// A token that is not in the list must have no figure anywhere.
func TestNoFormOfAFigureThatIsNotInTheList(t *testing.T) {
	const figure, none = "5", "status 503"
	s := honest(t, 3)
	paths := append(s.figureAddresses(), "/jewel", "/jewel/", "/jewel/evidence")
	s.answer["/"] = "[]"
	for _, path := range paths {
		s.answer[path] = none
	}
	if r, err := s.run(t, nil); err != nil || len(r.Withdrawn) != 1 {
		t.Fatalf("want one withdrawn figure, got %+v, %v", r, err)
	}
	for i, path := range paths {
		s.answer[path] = []string{figure, "status 203"}[i%2] // callers read the body of any status from 200 to 299
		if _, err := s.run(t, nil); !errors.As(err, new(*Fault)) {
			t.Errorf("%s: %v", path, err)
		}
		s.answer[path] = none
	}
	s.answer["/jewel/evidence"] = string(tlog.Encode(s.proofs[0]))
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "/jewel/evidence: there is a figure") {
		t.Errorf("with its evidence: %v", err)
	}
}

// A document without a figure must have no other member that a reader could mistake for one.
func TestADocumentWithoutAFigure(t *testing.T) {
	text := string(tlog.Encode([]supply.Document{{Symbol: "NEW", Status: supply.Unavailable, Blocks: []supply.Block{}}}))
	for name, row := range map[string]struct{ old, now, want string }{
		"as it is":       {"", "", ""},
		"a maximum":      {`"maxSupply":null`, `"maxSupply":"5"`, "maxSupply is"},
		"another member": {`"maxSupply":null`, `"maxSupply":null,"supply":"5"`, "supply"},
	} {
		t.Run(name, func(t *testing.T) {
			s := honest(t, 3)
			s.leaves = s.leaves[:1]
			s.answer["/"] = strings.Replace(text, row.old, row.now, 1)
			_, err := s.run(t, nil)
			if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
				t.Error(err)
			}
		})
	}
}

// An earlier ledger that a leaf announced must be in the token's list of ledgers.
func TestAnEarlierLedgerIsNotHidden(t *testing.T) {
	s, token := honest(t, 3), demo.Tokens()[0]
	now := token.CurrentLedger()
	token.Ledger = token.Ledger[:1]
	earlier := token.CurrentLedger()
	now.Since, earlier.Since = s.ledger.Since, s.ledger.Since
	s.leaves[2] = tlog.LedgerVersion{Token: "jewel", Ledger: earlier.Hash, Since: demo.Start}.Leaf()
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), earlier.Hash+`" is not in the list`) {
		t.Error(err)
	}
}

// A report has a bounded number of entries, and names the tokens that have more.
func TestAReportIsBounded(t *testing.T) {
	a := newAuditor(t.Context(), Config{})
	a.report.Compared = map[string]int{}
	one := ledger.Whole(1, 0)
	ev := &supply.Evidence{Token: "jewel"}
	var v supply.Verdict
	for i := range 3 * maxNamed {
		ev.Entries = append(ev.Entries, supply.EvidenceEntry{Entry: ledger.Entry{Label: fmt.Sprint(i), Amount: &one}})
		ev.Chains = append(ev.Chains, supply.Block{Chain: strings.Repeat("x", 1000), ChainID: uint64(i)})
		v = append(v, supply.Finding{What: fmt.Sprintf("entry %q", fmt.Sprint(i)), Outcome: supply.Unproven})
	}
	a.noteProof(ev, &proof.Document{}, v)
	r := a.report
	if len(r.Declared) != maxOfToken+1 || len(r.Unproven) != maxOfToken+1 || len(r.Blocks) != maxNamed ||
		!slices.Equal(r.Cut, []string{"jewel"}) || len(r.Blocks[0]) > 300 {
		t.Errorf("%d declared, %d blocks, %d unproven, cut %q", len(r.Declared), len(r.Blocks), len(r.Unproven), r.Cut)
	}
}

// Age is a fault only if MaxAge is set. A figure is as old as its blocks, also if it was measured
// just now.
func TestAge(t *testing.T) {
	s := honest(t, 49)
	s.now = demo.Start.Add(48 * time.Hour)
	if r, err := s.run(t, nil); err != nil || r.At.Sub(r.AsOf) < 24*time.Hour {
		t.Errorf("the age: %v, at %s, as of %s", err, r.At, r.AsOf)
	}
	s.maxAge = time.Hour
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "jewel is as of") {
		t.Error(err)
	}
	s.now = demo.Start.Add(-48 * time.Hour)
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "in the future") {
		t.Error(err)
	}
	a := newAuditor(t.Context(), Config{})
	a.tokens["jade"], a.tokens["jewel"] = &newest{}, &newest{Logged: supply.Logged{AsOf: demo.Start}}
	if a.report.Served = []string{"jade", "jewel"}; a.checkAges() != nil || !a.report.AsOf.IsZero() {
		t.Errorf("of the year 1 and a later one, the oldest is %s", a.report.AsOf)
	}
}

// Figures that the log calls wrong must not be served, nor equal ones that were published before or
// after the correction.
func TestWrongFiguresAreNotServed(t *testing.T) {
	for name, row := range map[string]struct {
		add  func(s *service, before, now string)
		want string
	}{
		"the newest": {func(s *service, _, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, now))
		}, "they are still served"},
		"an equal one before it": {func(s *service, before, _ string) {
			s.leaves = append(s.leaves, decided(supply.Correct, before))
		}, "they are still served"},
		"before an equal one": {func(s *service, before, _ string) {
			last := len(s.leaves) - 1
			s.leaves = append(s.leaves[:last:last], decided(supply.Correct, before), s.leaves[last])
		}, "they are still served"},
		"shown with them": {func(s *service, _, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, now))
			s.newest[0].Correction = &supply.Correction{Reason: "wrong", At: demo.Start}
			s.proofs[0].Correction = s.newest[0].Correction
		}, "they are still served"},
		"under another token": {func(s *service, _, now string) {
			s.leaves = append(s.leaves,
				tlog.Decision{Token: "jade", Kind: string(supply.Correct), Subject: now, At: demo.Start}.Leaf())
		}, "they are still served"},
		"taken back under another token": {func(s *service, _, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, now),
				tlog.Decision{Token: "jade", Kind: string(supply.UndoCorrect), Subject: now, At: demo.Start}.Leaf())
		}, "they are still served"},
		"after it was taken back in the future": {func(s *service, _, now string) {
			s.leaves = append(s.leaves, tlog.Decision{Token: "jewel", Kind: string(supply.UndoCorrect), Subject: now,
				At: demo.Start.AddDate(50, 0, 0)}.Leaf(), decided(supply.Correct, now))
		}, "they are still served"},
		"of two equal ones, the later by an earlier clock": {func(s *service, before, now string) {
			s.leaves = append(s.leaves, tlog.Decision{Token: "jewel", Kind: string(supply.Correct), Subject: before,
				At: demo.Start.AddDate(50, 0, 0)}.Leaf(), decided(supply.UndoCorrect, now))
		}, ""},
		"taken back of an equal one only": {func(s *service, before, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, now), decided(supply.Correct, before),
				decided(supply.UndoCorrect, before))
		}, "they are still served"},
		"taken back of an equal one only, and published again": {func(s *service, before, _ string) {
			last := len(s.leaves) - 1
			s.leaves = append(s.leaves[:last:last], decided(supply.Correct, before), decided(supply.UndoCorrect, supply.LeafHash(s.leaves[3])),
				s.leaves[last])
		}, "they are still served"},
		"taken back of the newest only": {func(s *service, before, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, now), decided(supply.Correct, before),
				decided(supply.UndoCorrect, now))
		}, ""},
		"of an equal one, shown in the evidence of the newest": {func(s *service, before, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, before), decided(supply.UndoCorrect, now))
			s.proofs[0].Correction = &supply.Correction{Reason: "wrong", At: demo.Start}
		}, "the evidence has a correction"},
		"taken back": {func(s *service, _, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, now), decided(supply.UndoCorrect, now))
		}, ""},
		"none in the list": {func(s *service, _, now string) {
			s.leaves = append(s.leaves, decided(supply.Correct, now))
			s.answer["/"] = "[]"
		}, "there is a figure, but the list has none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t, 3)
			row.add(s, s.proofs[0].Previous, s.proofs[0].Snapshot)
			for _, since := range [][]byte{nil, s.checkpoint(t)} {
				_, err := s.run(t, since)
				if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
					t.Errorf("since %q: %v", since, err)
				}
			}
		})
	}
}
