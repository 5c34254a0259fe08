package audit

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// Lies that use what the audit forgives: an answer that is late, missing or from a cache. Each must
// end with a fault, or be named in the report.

// A service may show an earlier head first. The leaves after it must be as right as all others.
func TestLeavesAfterTheFirstHead(t *testing.T) {
	other := func(t *testing.T, s *service) {
		newest, proofs, token, other := s.newest, s.proofs, demo.Tokens()[0], *measured(t)
		other.Token = "other"
		s.publish(t, &supply.Record{}, &token, &other, time.Hour)
		s.newest, s.proofs = newest, proofs
		for _, path := range s.figureAddresses() {
			s.answer[strings.Replace(path, "jewel", "other", 1)] = "999999999"
		}
	}
	ledger := func(token, hash string) []byte {
		return tlog.LedgerVersion{Token: token, Ledger: hash, Since: demo.Start.Add(time.Hour)}.Leaf()
	}
	for name, test := range map[string]struct {
		add  func(t *testing.T, s *service)
		want string // in the fault
	}{
		"a correction, undone by no leaf": {func(_ *testing.T, s *service) {
			id := s.proofs[0].Snapshot
			s.leaves = append(s.leaves, decided(supply.Correct, id),
				fmt.Appendf(nil, `{"format":"x","KIND":"undo-correct","Subject":"%s","token":"jewel","x":1}`, id))
		}, "unknown format"},
		"no JSON":        {func(_ *testing.T, s *service) { s.leaves = append(s.leaves, []byte("jewel")) }, "not JSON"},
		"a ledger twice": {func(_ *testing.T, s *service) { s.leaves = append(s.leaves, s.leaves[1]) }, "announced before"},
		"a second begin": {func(_ *testing.T, s *service) { s.leaves = append(s.leaves, s.leaves[0]) }, "begins"},
		"no such ledger": {other, "which no leaf of other announced"},
		"a ledger to hide": {func(_ *testing.T, s *service) { s.leaves = append(s.leaves, ledger("jewel", strings.Repeat("ab", 32))) },
			"no figure of jewel uses ledger"},
		"figures of others": {func(t *testing.T, s *service) {
			s.leaves = append(s.leaves, ledger("other", s.ledger.Hash))
			other(t, s)
		}, "/other"},
	} {
		t.Run(name, func(t *testing.T) {
			s := honest(t, 3)
			first := string(s.checkpoint(t))
			test.add(t, s)
			s.once = map[string]string{s.head(): first}
			_, err := s.run(t, nil)
			if _, isFault := errors.AsType[*Fault](err); !isFault || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// Other signatures in the name of the log, before its own, do not hide a fork.
func TestAForkBehindAnotherSignature(t *testing.T) {
	fork := honest(t, 5)
	fork.leaves[2] = decided(supply.Release, "fork")
	fork.handler(t) // makes the inclusion
	key, _ := fork.key.Verifier(origin)
	own, before := "\n\n— "+origin, "\n\n"
	for _, signature := range []string{
		"AAAAAQ" + strings.Repeat("A", 84) + "==\n", // four bytes of a key's hash, and no signature
		forged(t, key), // with the one above, the note is invalid and seems to be of another log
	} {
		before += "— " + origin + " " + signature
		ev := *fork.proofs[0]
		ev.Inclusion = strings.Replace(ev.Inclusion, own, before+own[2:], 1)
		head := strings.Replace(string(fork.checkpoint(t)), own, before+own[2:], 1)
		for path, lie := range map[string]string{"/jewel/evidence": string(tlog.Encode(ev)), "/log/checkpoint": head} {
			s := honest(t, 5)
			s.once = map[string]string{path: lie}
			if r, err := s.run(t, nil); !errors.As(err, new(*Fault)) {
				t.Errorf("%s, %q: %v, %q", path, before, err, r.Retried)
			}
		}
	}
}

// A head of another tree is found if an earlier log signed it, too.
func TestAForkOfAnEarlierLog(t *testing.T) {
	for _, forked := range []bool{false, true} {
		s, before := successor(t, 8)
		shown := *before
		shown.leaves = slices.Clone(before.leaves)
		if forked {
			shown.leaves[2] = decided(supply.Release, "fork")
		}
		shown.handler(t)  // makes the inclusion
		repeat(s, &shown) // begins with the same snapshot
		s.once = map[string]string{"/jewel/evidence": string(tlog.Encode(shown.proofs[0]))}
		if _, err := s.run(t, nil); errors.Is(err, errForked) != forked {
			t.Errorf("forked: %v, %v", forked, err)
		}
	}
}

// An earlier log is read again if a token is served that was not served before. It must not differ
// then.
func TestAnEarlierLogIsReadTwice(t *testing.T) {
	for _, forked := range []bool{false, true} {
		short := honest(t, 5)
		short.key = tlog.NewKey([32]byte{6})
		long, again := honest(t, 5), honest(t, 5)
		long.key, again.key = short.key, short.key
		long.leaves = append(long.leaves, decided(supply.Release, "x"))
		if forked {
			again.leaves = append(again.leaves, decided(supply.Release, "fork"))
		}
		begin := func(before *service) *service {
			s := honest(t, 8)
			s.follow(t, before, 8)
			repeat(s, short, decided(supply.Release, ""))
			return s
		}
		first, second := begin(long), begin(again)
		another := strings.NewReplacer(`"jewel"`, `"crystal"`) // for it, the audit reads the earlier log again
		for _, leaf := range second.leaves[1:3] {
			second.leaves = append(second.leaves, []byte(another.Replace(string(leaf))))
		}
		first.answer[first.head()] = first.earlier(t)
		for _, path := range append(first.figureAddresses(), "/jewel", "/jewel/", "/jewel/evidence", "/jewel/proof") {
			first.answer["/"], first.answer[path] = unlisted, "status 503"
		}
		states, heads := []http.Handler{first.handler(t), second.handler(t)}, 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RequestURI() == first.head() {
				heads++
			}
			states[min(heads/3, 1)].ServeHTTP(w, r)
		}))
		r, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if forked && !errors.Is(err, errForked) {
			t.Errorf("%v, want a fork", err)
		}
		if !forked && (err != nil || !strings.Contains(r.Previous[0].Found, "A head with 9 leaves was read before")) {
			t.Errorf("%v, earlier logs %+v", err, r.Previous)
		}
	}
}

// A figure that a cache has kept has the times of its own snapshot.
func TestAnOldFigureWithNewTimes(t *testing.T) {
	s, old := honest(t, 3), honest(t, 2)
	old.answer["/jewel/totalsupply"] = old.newest[0].Total.String()
	for measured, want := range map[time.Time]string{old.proofs[0].MeasuredAt: "<nil>",
		s.proofs[0].MeasuredAt: "/jewel/totalsupply: the first answer at this address was about snapshot " + old.proofs[0].Snapshot} {
		shown := *old.proofs[0]
		shown.MeasuredAt = measured
		old.proofs[0] = &shown
		asked, behind, now := 0, old.handler(t), s.handler(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RequestURI() == "/jewel/totalsupply" {
				if asked++; asked == 1 {
					behind.ServeHTTP(w, r)
					return
				}
			}
			now.ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Some programs, such as curl, show the fields after a body together with the header.
func TestASecondSnapshotAfterTheBody(t *testing.T) {
	for name, want := range map[string]string{"Server-Timing": "<nil>", "Supply-Snapshot": "Supply-Snapshot is"} {
		h := honest(t, 3).handler(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(w, r)
			if r.URL.RequestURI() == "/jewel/totalsupply" {
				w.(http.Flusher).Flush() // so that the body comes in chunks
				w.Header().Set(http.TrailerPrefix+name, strings.Repeat("a", 64))
			}
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// Some programs, such as curl, also show the fields of answers like 103 before the answer itself.
func TestASecondSnapshotBeforeTheAnswer(t *testing.T) {
	for name, row := range map[string]struct {
		fields int // of each answer
		want   string
	}{"Link": {1, "<nil>"}, "Supply-Snapshot": {1, "Supply-Snapshot is"}, "X": {1000, "informational"}} {
		h := honest(t, 3).handler(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.RequestURI() == "/jewel/totalsupply" {
				for range row.fields {
					w.Header().Set(name, strings.Repeat("a", 64))
					w.WriteHeader(http.StatusEarlyHints)
				}
				w.Header().Del(name)
			}
			h.ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if !strings.Contains(fmt.Sprint(err), row.want) {
			t.Errorf("%s: %v, want %s", name, err, row.want)
		}
	}
}

// Heads have no lines that readers could take for figures, and no log is empty.
func TestHeadsThatNoLogHas(t *testing.T) {
	s := honest(t, 3)
	_, root := s.hashes(t)
	for _, head := range []torchwood.Checkpoint{
		{Origin: origin},
		{Origin: origin, Tree: merkle.Tree{N: int64(len(s.leaves)), Hash: root}, Extension: "jewel totalSupply 1\n"},
	} {
		signed, err := s.key.Sign(head)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{s.head(), "/log/checkpoint"} {
			s.answer = map[string]string{path: string(signed)}
			if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "malformed checkpoint") {
				t.Errorf("%d leaves at %s: %v", head.N, path, err)
			}
		}
	}
}

// A false answer at one address is found or named, even if the address with the same content is
// missing at first.
func TestAnAnswerIsNotReadAndForgotten(t *testing.T) {
	s := honest(t, 3)
	tile := fmt.Sprintf("tile/entries/000.p/%d", len(s.leaves))
	proof := "/jewel/proof?snapshot=" + s.proofs[0].Snapshot
	for path, other := range map[string]string{"/log/" + s.address() + "/" + tile: "/log/" + tile, "/jewel/proof": proof} {
		isTrue, h := false, s.handler(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at := r.URL.RequestURI()
			switch {
			case at == path && !isTrue:
				rec := httptest.NewRecorder()
				h.ServeHTTP(rec, r)
				_, _ = w.Write(bytes.ReplaceAll(rec.Body.Bytes(), []byte(`"`), []byte(`" `)))
				return
			case at == other && !isTrue:
				isTrue = true
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprint(w, `{"correction":{"reason":"x","at":"2026-01-01T00:00:00Z"}}`)
				return
			}
			h.ServeHTTP(w, r)
		}))
		r, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		named := slices.ContainsFunc(r.Retried, func(line string) bool { return strings.HasPrefix(line, path+":") })
		if err == nil && !named {
			t.Errorf("%s: %q", path, r.Retried)
		}
	}
}

// A refusal has no figure and no false correction, however readers decode it.
func TestRefusalsThatOthersReadDifferently(t *testing.T) {
	lie := `"correction":{"reason":"it was right","at":"2020-01-01T00:00:00Z"}`
	long := strings.Repeat("x", maxRefusal)
	var deflated bytes.Buffer
	z := zlib.NewWriter(&deflated)
	fmt.Fprint(z, `{"result":"999"}`)
	z.Close()
	for _, body := range []string{
		`{"status":503,` + lie + `}`,
		`{"status":503,"Correction"` + strings.TrimPrefix(lie, `"correction"`) + `}`,
		`{"type":"x","type":"x",` + lie + `}`,
		`[{"status":503,` + lie + `}]`,
		`{"status":503,` + lie + `,}`,
		"\ufeff{" + lie + `}`,
		`{"detail":"` + long + `",` + lie + `}`,
		"\ufeff" + `{"result":"999"}`,
		`{"type":"x","type":"x","total\u0053upply":"999"}`,
		strings.Repeat(" ", maxRefusal+1) + "999",
		"Infinity", "-inf", "NaN of it",
		`"\u0039\u0039\u0039"`,
		"\x00{\x00\"\x00r\x00\"\x00:\x009\x00}",
		deflated.String(),
	} {
		s := withdrawn(t)
		s.answer["/jewel"] = "status 503 " + body
		h := s.handler(t)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if body == deflated.String() && r.URL.Path == "/jewel" {
				w.Header().Set("Content-Encoding", "deflate")
			}
			h.ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if !errors.As(err, new(*Fault)) {
			t.Errorf("%.80q: %v", body, err)
		}
	}
	for _, page := range []string{"Information about the error", "<!doctype html><h1>503</h1>", "Service Unavailable", ""} {
		s := withdrawn(t)
		s.answer["/jewel"] = "status 503 " + page
		if _, err := s.run(t, nil); err != nil {
			t.Errorf("%q: %v", page, err)
		}
	}
}

// An answer of 429 is read too, although the request is sent again.
func TestAFigureBeforeTheNextTry(t *testing.T) {
	for body, want := range map[string]bool{"999": true, `{"result":"999"}`: true, "slow down": false, "utf-7": true} {
		h, asked := honest(t, 3).handler(t), map[string]bool{}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			at := r.URL.RequestURI()
			if asked[at] || at != "/jewel/totalsupply" {
				h.ServeHTTP(w, r)
				return
			}
			asked[at] = true
			w.Header().Set("Retry-After", "0")
			if body == "utf-7" {
				w.Header().Set("Content-Type", "text/plain; charset=utf-7")
			}
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, body)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: NewClient()})
		server.Close()
		if errors.As(err, new(*Fault)) != want {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A service cannot push a line out of the report by many others.
func TestEveryDifferenceIsNamed(t *testing.T) {
	a := newAuditor(t.Context(), Config{})
	for i := range maxNamed {
		for range 2 { // the same line takes no more room
			if err := a.differed(fmt.Errorf("/%d: it differs", i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := a.differed(errors.New("/more: it differs")); err == nil || len(a.report.Retried) != maxNamed {
		t.Errorf("%v, %d lines", err, len(a.report.Retried))
	}
}

// Programs read other forms of a media type differently.
func TestMediaTypes(t *testing.T) {
	for media, want := range map[string]bool{"": true, "text/plain": true, "application/json; charset=utf-8": true,
		"application/problem+json": true, `text/html;charset="UTF-8"`: true, "text/plain; charset=utf-7": false,
		`application/json; v="; charset=utf-7; w="`: false, "application/json; 'charset'=utf-7": false,
		"text/html; charset=iso-8859-1": false} {
		if got := Encoding(http.Header{"Content-Type": {media}}) == ""; got != want {
			t.Errorf("%s: %v", media, got)
		}
	}
}

// A served correction has the whole reason and the time of the log, and a hidden one is named.
func TestCorrectionsAreThoseOfTheLog(t *testing.T) {
	decision := func(s *service, reason string, at time.Time) {
		s.leaves[len(s.leaves)-1] = tlog.Decision{Token: "jewel", Kind: string(supply.Correct),
			Subject: s.proofs[0].Snapshot, Reason: reason, At: at}.Leaf()
	}
	serve := func(s *service, c supply.Correction) {
		old := string(tlog.Encode(s.proofs[0].Correction))
		s.proofs[0].Correction = &c
		for path, body := range s.answer {
			s.answer[path] = strings.ReplaceAll(body, old, string(tlog.Encode(c)))
		}
	}
	reason := strings.Repeat("x", tlog.MaxReason)
	far := time.Date(9999, 12, 31, 23, 30, 0, 0, time.FixedZone("", -12*3600))
	for _, test := range []struct {
		reason, more string
		at, served   time.Time
		fits         bool
	}{
		{reason, "", demo.Start, demo.Start, true},
		{reason, " But it was right.", demo.Start, demo.Start, false},
		{"r", "", time.Time{}, far, false},
	} {
		s := withdrawn(t)
		decision(s, test.reason, test.at)
		serve(s, supply.Correction{Reason: test.reason + test.more, At: test.served})
		if _, err := s.run(t, nil); (err == nil) != test.fits {
			t.Errorf("%q at %v: %v", test.more, test.served, err)
		}
	}
	for _, undone := range []bool{false, true} {
		s := withdrawn(t)
		if undone { // in the name of another token, so readers of this token's decisions do not find it
			s.leaves = append(s.leaves, tlog.Decision{Token: "other", Kind: string(supply.UndoCorrect),
				Subject: s.proofs[0].Snapshot, Reason: "r", At: demo.Start.Add(time.Hour)}.Leaf())
		}
		for path := range s.answer {
			s.answer[path] = "status 404 no such token"
		}
		s.answer["/"], s.answer["/jewel/evidence"] = unlisted, "status 404"
		if r, err := s.run(t, nil); err != nil || !slices.Equal(r.Wrong, []string{"jewel"}) {
			t.Errorf("undone: %v, %v, %q", undone, err, r.Wrong)
		}
	}
}

// A figure that is corrected after the head that is served first is named as wrong, although it is
// not served.
func TestACorrectionOfAFigureThatIsNotServed(t *testing.T) {
	s := withdrawn(t)
	for path := range s.answer {
		s.answer[path] = "status 503"
	}
	s.answer["/"], s.answer["/jewel/evidence"] = unlisted, "status 503"
	s.once = map[string]string{s.head(): s.earlier(t)}
	if r, err := s.run(t, nil); err != nil || !slices.Equal(r.Wrong, []string{"jewel"}) {
		t.Errorf("%v, %q", err, r.Wrong)
	}
}

// The report names what is only believed of figures that are withdrawn, too.
func TestTheEvidenceOfAWithdrawnFigure(t *testing.T) {
	for _, hasProof := range []bool{false, true} {
		s := withdrawn(t)
		if hasProof { // it says that every read is proven, and proves none
			d := proof.Document{Format: proof.Format, Snapshot: s.proofs[0].Snapshot}
			for _, x := range s.proofs[0].Entries {
				known := proof.Proven
				if x.Entry.Amount != nil {
					known = proof.Declared
				}
				d.Entries = append(d.Entries, proof.Entry{Label: x.Entry.Label, Known: known})
			}
			for _, path := range []string{"/jewel/proof", "/jewel/proof?snapshot=" + d.Snapshot} {
				s.answer[path] = string(tlog.Encode(d))
			}
		}
		r, err := s.run(t, nil)
		if err != nil || len(r.Unproven) == 0 || len(r.Declared) == 0 ||
			len(r.Blocks) != len(s.proofs[0].Chains) || len(r.Proven) > 0 {
			t.Errorf("%v, unproven %+v, blocks %q, proven %q", err, r.Unproven, r.Blocks, r.Proven)
		}
	}
}
