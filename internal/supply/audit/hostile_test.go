package audit

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/process"
)

// A hostile server gives false answers at some paths.
type hostile struct {
	replay
	header http.Header
	pause  time.Duration                    // before each answer
	answer func(path string) *http.Response // nil: the honest answer
}

func (h *hostile) RoundTrip(q *http.Request) (*http.Response, error) {
	select {
	case <-time.After(h.pause):
	case <-q.Context().Done():
		return nil, q.Context().Err()
	}
	resp := h.answer(strings.TrimSuffix(q.URL.RequestURI(), "/"))
	if resp == nil {
		resp, err := h.replay.RoundTrip(q)
		resp.Header = h.header
		return resp, err
	}
	resp.Request, resp.Status = q, fmt.Sprint(resp.StatusCode)
	if body, slow := resp.Body.(*drip); slow {
		body.ended = q.Context().Done()
	}
	return resp, nil
}

// A drip is an endless body that comes in parts after pauses.
type drip struct {
	part  string
	pause time.Duration
	ended <-chan struct{}
}

func (d *drip) Read(b []byte) (int, error) {
	select {
	case <-d.ended:
		return 0, errors.New("the caller left")
	case <-time.After(d.pause):
		return copy(b, d.part), nil
	}
}

func (d *drip) Close() error { return nil }

// figureHeader returns the header of every figure's answer.
func (s *service) figureHeader() http.Header {
	ev := s.proofs[0]
	return http.Header{"Supply-Snapshot": {ev.Snapshot}, "Supply-As-Of": {ev.AsOf.Format(time.RFC3339Nano)},
		"Supply-Measured-At": {ev.MeasuredAt.Format(time.RFC3339Nano)}}
}

// Whatever a server does to delay an audit, it ends within seconds of the last progress and says
// why.
func TestAHostileServerCostsLittleTime(t *testing.T) {
	s := honest(t, 10)
	s.recorded = map[string][]byte{}
	if _, err := s.run(t, nil); err != nil {
		t.Fatal(err)
	}
	huge, err := s.key.Sign(torchwood.Checkpoint{Origin: origin, Tree: merkle.Tree{N: 1 << 60, Hash: merkle.Hash{1}}})
	if err != nil {
		t.Fatal(err)
	}
	body := func(code int, b io.ReadCloser, header http.Header) *http.Response {
		return &http.Response{StatusCode: code, Body: b, Header: header}
	}
	text := func(s string) io.ReadCloser { return io.NopCloser(strings.NewReader(s)) }
	at := func(prefix string, resp func() *http.Response) func(string) *http.Response {
		return func(path string) *http.Response {
			if strings.HasPrefix(path, prefix) {
				return resp()
			}
			return nil
		}
	}
	endless := func() *http.Response { return body(200, &drip{part: strings.Repeat("x", 32<<10)}, nil) }
	slow := func() *http.Response { return body(200, &drip{part: "x", pause: time.Second}, nil) }
	to := func(place string) func() *http.Response {
		return func() *http.Response { return body(302, http.NoBody, http.Header{"Location": {place}}) }
	}
	const noProgress = "too slowly"
	own := "/log/" + s.address()
	for name, row := range map[string]struct {
		words string
		fault bool
		pause time.Duration
		alter func(string) *http.Response
	}{
		"nothing":               {noProgress, false, 1000 * time.Hour, at("", func() *http.Response { return nil })},
		"a byte a second":       {noProgress, false, 0, at("/log/checkpoint", slow)},
		"a tile, byte by byte":  {noProgress, false, 0, at(own+"/tile", slow)},
		"slow answers":          {noProgress, false, 5 * time.Second, at("", func() *http.Response { return nil })},
		"an endless key":        {"longer than", true, 0, at("/log/key", endless)},
		"an endless checkpoint": {"longer than", true, 0, at("/log/checkpoint", endless)},
		"an endless tile":       {"longer than", true, 0, at(own+"/tile/0", endless)},
		"endless leaves":        {"longer than", true, 0, at(own+"/tile/entries", endless)},
		"an endless figure":     {"longer than", true, 0, at("/jewel/totalsupply", endless)},
		"endless evidence":      {"longer than", true, 0, at("/jewel/evidence", endless)},
		"an endless ledger":     {"longer than", false, 0, at("/jewel/ledger", endless)},
		"a page for everything": {"not the verifier key", true, 0,
			at("", func() *http.Response { return body(200, text("<html>"), nil) })},
		"a page for the list": {"the list of tokens", true, 0, func(path string) *http.Response {
			if path != "" {
				return nil
			}
			return body(200, text("<html>"), nil)
		}},
		"a redirect in a circle": {"redirect", false, 0, at("/log/key", to("/log/key"))},
		"a redirect to a file":   {"file:", false, 0, at("/log/key", to("file:///etc/passwd"))},
		"a redirect elsewhere":   {"elsewhere.test", false, 0, at("/log/key", to("http://elsewhere.test/log/key"))},
		"a log of 2^60 leaves": {"leaves", true, 0,
			at("/log/checkpoint", func() *http.Response { return body(200, text(string(huge)), nil) })},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := NewClient()
				client.Transport.(*pacer).next = &hostile{replay{answers: s.recorded}, s.figureHeader(), row.pause, row.alter}
				began := time.Now()
				_, err := Run(t.Context(), Config{URL: "http://service.test", Client: client})
				if err == nil || !strings.Contains(err.Error(), row.words) || errors.As(err, new(*Fault)) != row.fault {
					t.Errorf("%v, want %q, a fault: %v", err, row.words, row.fault)
				}
				if took := time.Since(began); took > 20*time.Second {
					t.Errorf("it took %s", took)
				}
			})
		})
	}
}

// A server that is slow but makes progress is audited.
func TestASlowServerIsAudited(t *testing.T) {
	s := honest(t, 10)
	s.recorded = map[string][]byte{}
	if _, err := s.run(t, nil); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		client := NewClient()
		client.Transport.(*pacer).next = &hostile{replay{answers: s.recorded}, s.figureHeader(), 900 * time.Millisecond,
			func(string) *http.Response { return nil }}
		if _, err := Run(t.Context(), Config{URL: "http://service.test", Client: client}); err != nil {
			t.Error(err)
		}
	})
}

// A server that limits requests is audited at its pace, if it is not far too slow.
func TestABusyServerIsAudited(t *testing.T) {
	s := honest(t, 10)
	s.recorded = map[string][]byte{}
	if _, err := s.run(t, nil); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		each  int // one of so many requests is answered
		retry string
		want  string
		most  time.Duration
	}{
		"for a moment": {4, "15", "<nil>", time.Hour},
		"always":       {1000, "15", "429", 2 * time.Minute},
		"for an hour":  {4, "3600", "429", time.Second},
		"for ever":     {4, "", "429", time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, asked, began := NewClient(), 0, time.Now()
				client.Transport.(*pacer).next = &hostile{replay{answers: s.recorded}, s.figureHeader(), 0,
					func(string) *http.Response {
						if asked++; asked%row.each == 0 {
							return nil
						}
						return &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {row.retry}},
							Body: io.NopCloser(strings.NewReader("wait"))}
					}}
				_, err := Run(t.Context(), Config{URL: "http://service.test", Client: client})
				if !strings.Contains(fmt.Sprint(err), row.want) || errors.As(err, new(*Fault)) || time.Since(began) > row.most {
					t.Errorf("%v, after %s", err, time.Since(began))
				}
			})
		})
	}
}

// A server that always makes a little progress does not keep an audit busy forever.
func TestASlowServerHasAnHour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := NewClient()
		client.Transport.(*pacer).next = &hostile{replay{}, nil, 900 * time.Millisecond, func(string) *http.Response {
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("x"))}
		}}
		began := time.Now()
		get := func() error {
			resp, err := client.Get("http://service.test")
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			return err
		}
		err := get()
		for err == nil && time.Since(began) < 2*time.Hour {
			err = get()
		}
		if err == nil || !strings.Contains(err.Error(), "an hour") || time.Since(began) < time.Hour {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}

// A log that names more and more tokens, ledgers or corrections costs little memory. Those with
// short leaves are as many as those with long leaves are large.
func TestAHostileLogCostsLittleMemory(t *testing.T) {
	long := func(i int) string { return fmt.Sprintf("%d%s", i, strings.Repeat("x", 50_000)) }
	hash := func(i int) string { return fmt.Sprintf("%064x", i) }
	one := honest(t, 1)
	snapshot := *one.proofs[0]
	for name, row := range map[string]struct {
		count int
		leaf  func(i int) []byte
	}{
		"ledgers": {25_000, func(i int) []byte {
			return tlog.LedgerVersion{Token: "x", Ledger: hash(i), Since: demo.Start}.Leaf()
		}},
		"corrections": {600, func(i int) []byte {
			return tlog.Decision{Token: long(i), Kind: string(supply.Correct), Subject: hash(i), At: demo.Start}.Leaf()
		}},
		"tokens": {30_000, func(i int) []byte {
			if i%2 == 0 {
				return tlog.LedgerVersion{Token: fmt.Sprint(i), Ledger: hash(0), Since: demo.Start}.Leaf()
			}
			n := supply.Snapshot{Token: fmt.Sprint(i - 1), AsOf: snapshot.AsOf, MeasuredAt: snapshot.MeasuredAt,
				Figures: snapshot.Figures, LedgerHash: hash(0), Evidence: &snapshot}
			return n.Leaf()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := honest(t, 1)
			for i := range row.count {
				s.leaves = append(s.leaves, row.leaf(i))
			}
			var err error
			peak := leastPeak(func() { _, err = s.run(t, nil) })
			if err == nil || !strings.Contains(err.Error(), "of memory") || errors.As(err, new(*Fault)) {
				t.Errorf("%.300v", err)
			}
			if peak > 100<<20 { // including the server's memory
				t.Errorf("%d MB", peak>>20)
			}
		})
	}
}

// An audit keeps something of each token in earlier logs, so these tokens are counted.
func TestTokensOfEarlierLogsAreCounted(t *testing.T) {
	a, old := newAuditor(t.Context(), Config{}), newAuditor(t.Context(), Config{})
	for i := range 10_000 {
		old.tokens[fmt.Sprint(i)] = &newest{}
	}
	logs := 0
	for ; a.rememberLog(old) == nil; logs++ {
	}
	if logs != maxRemembered/(10_000*startBytes) {
		t.Errorf("an audit remembers the tokens of %d logs", logs)
	}
}

// A leaf cannot name hashes and ids of any length. Audits keep them, so they would take memory.
func TestHashesInLeaves(t *testing.T) {
	for _, member := range []string{"ledger", "evidence", "previous"} {
		s := honest(t, 2)
		value := regexp.MustCompile(`"` + member + `":"[^"]*"`)
		last := len(s.leaves) - 1
		s.leaves[last] = value.ReplaceAll(s.leaves[last], []byte(`"`+member+`":"`+strings.Repeat("x", 60_000)+`"`))
		if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "is not a hash") {
			t.Errorf("%s: %.200v", member, err)
		}
	}
	s := honest(t, 1)
	s.leaves[2] = tlog.LedgerVersion{Token: "x", Ledger: strings.Repeat("x", 60_000), Since: demo.Start}.Leaf()
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "is not the hash of a ledger") {
		t.Errorf("%.200v", err)
	}
}

// leastPeak returns the peak of the heap, or the least of several if it is above the bound, because
// on a busy machine the collector is late.
func leastPeak(f func()) uint64 {
	peak := process.PeakHeap(f)
	for try := 0; try < 3 && peak > 100<<20; try++ {
		peak = min(peak, process.PeakHeap(f))
	}
	return peak
}

// An answer of many small values costs little memory.
func TestAHostileAnswerCostsLittleMemory(t *testing.T) {
	for path, start := range map[string]string{"/": "[", "/jewel": `{"blocks":[`, "/jewel/evidence": `{"entries":[`,
		"/jewel/ledger": `{"entries":[`} {
		t.Run(path, func(t *testing.T) {
			s, size := honest(t, 1), 3<<20
			if path == "/" {
				size = maxList - 100
			}
			s.answer[path] = start + strings.Repeat("{},", size/3) + "{}]}"
			var err error
			peak := leastPeak(func() { _, err = s.run(t, nil) })
			if !errors.As(err, new(*Fault)) || peak > 100<<20 {
				t.Errorf("%d MB, %.300v", peak>>20, err)
			}
		})
	}
}

// A long answer costs little memory, also one that has the right form and is just short enough.
func TestALongAnswerCostsLittleMemory(t *testing.T) {
	for name, answer := range map[string]func(s *service, filler string){
		"list": func(s *service, filler string) {
			s.answer["/"] = strings.TrimSuffix(string(tlog.Encode(s.newest)), "]") + `,"` + filler + `"]`
		},
		"ledger": func(s *service, filler string) {
			d, earlier := s.ledger, s.ledger.Version
			earlier.Entries = slices.Clone(earlier.Entries[:1])
			earlier.Entries[0].Reason = filler
			d.Earlier = append(d.Earlier, earlier)
			s.answer["/jewel/ledger"] = string(tlog.Encode(d))
		},
		"proof": func(s *service, filler string) {
			s.answer["/jewel/proof"], s.answer["/jewel/proof?snapshot="+s.proofs[0].Snapshot] = filler, filler
		},
	} {
		for _, size := range []int{8 << 20, 16 << 20} {
			t.Run(fmt.Sprint(name, " of ", size>>20, " MB"), func(t *testing.T) {
				s := honest(t, 1)
				answer(s, strings.Repeat("x", size-20_000))
				peak := uint64(math.MaxUint64)
				for range 3 { // the least of several: see leastPeak
					peak = min(peak, process.PeakHeap(func() {
						if _, err := s.run(t, nil); err == nil {
							t.Error("nothing is wrong")
						}
					}))
				}
				if peak > 60<<20 { // what was read of the log takes memory too
					t.Errorf("%d MB", peak>>20)
				} else {
					t.Logf("%d MB", peak>>20)
				}
			})
		}
	}
}

// Some readers stop at the end of the first gzip stream, and others read a second one too.
func TestOneGzipStream(t *testing.T) {
	for _, parts := range [][]string{{"1000000"}, {"1", "000000"}} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", r.Header.Get("Accept-Encoding"))
			for _, part := range parts {
				z := gzip.NewWriter(w)
				io.WriteString(z, part)
				z.Close()
			}
		}))
		defer server.Close()
		res, err := NewClient().Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if errors.Is(err, errTail) != (len(parts) == 2) || len(parts) == 1 && (err != nil || string(body) != parts[0]) {
			t.Errorf("%q: the body is %q, %v", parts, body, err)
		}
	}
}

// Answers about snapshots that the log does not have yet are kept, but not without end.
func TestDeferredAnswersAreBounded(t *testing.T) {
	a, d := newAuditor(t.Context(), Config{}), document{"name": make([]byte, maxToken)}
	var err error
	for i := 0; i <= maxRemembered/maxToken && !errors.Is(err, errTooMuch); i++ {
		err = a.compareDocument(&supply.Evidence{Snapshot: "another"}, d)
	}
	if !errors.Is(err, errTooMuch) {
		t.Error(err)
	}
}

// An answer that is kept takes about as much memory as is counted.
func TestDeferredAnswersAreCountedAsTheyAre(t *testing.T) {
	var text strings.Builder
	text.WriteString("{")
	for i := 0; text.Len() < maxToken-20; i++ {
		fmt.Fprintf(&text, `"%x":0,`, i)
	}
	text.WriteString(`"snapshot":"another"}`)
	a := newAuditor(t.Context(), Config{})
	peak := leastPeak(func() {
		for range 5 {
			d, err := parseDocument([]byte(text.String()))
			if err == nil {
				err = a.compareDocument(&supply.Evidence{}, d)
			}
			if !errors.Is(err, errAhead) {
				t.Fatal(err)
			}
		}
	})
	if a.remembered < int(peak)/2 {
		t.Errorf("%d kB are counted of %d", a.remembered>>10, peak>>10)
	}
}

// A ledger may have more versions than an audit can compare. That is no lie.
func TestALedgerWithManyVersions(t *testing.T) {
	s := honest(t, 1)
	version := `{"entries":[{}` + strings.Repeat(",{}", 9_999) + "]}"
	s.answer["/jewel/ledger"] = `{"earlier":[` + version + strings.Repeat(","+version, 9) + "]}"
	if _, err := s.run(t, nil); errors.As(err, new(*Fault)) || !errors.Is(err, proof.ErrLarge) {
		t.Error(err)
	}
}

// An error does not show the password in an address.
func TestARedirectHidesThePassword(t *testing.T) {
	server := httptest.NewServer(http.RedirectHandler("/elsewhere", http.StatusFound))
	defer server.Close()
	resp, err := NewClient().Get(strings.Replace(server.URL, "://", "://user:secret@", 1))
	if err == nil {
		resp.Body.Close()
	}
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
}

// Checkpoints that earlier logs claim to be of other logs are kept until the end, and counted as such.
func TestClaimsOfEarlierLogsAreCounted(t *testing.T) {
	a := newAuditor(t.Context(), Config{})
	head := string(honest(t, 1).checkpoint(t))
	var err error
	for i := 0; i <= maxRemembered>>15 && err == nil; i++ {
		err = a.at("0").claim(head + "— " + strings.Repeat("x", 32<<10) + fmt.Sprintf("%d AAAAAAAA\n", i))
	}
	if !errors.Is(err, errTooMuch) {
		t.Errorf("%d claims: %v", a.countClaims(), err)
	}
}
