package audit

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// A timed service answers in the time of a bubble.
type timed struct {
	began time.Time
	at    func(now time.Duration, path string) http.Handler
}

func (s *timed) RoundTrip(q *http.Request) (*http.Response, error) {
	time.Sleep(5 * time.Millisecond)
	w := httptest.NewRecorder()
	s.at(time.Since(s.began), q.URL.RequestURI()).ServeHTTP(w, q)
	return w.Result(), nil
}

// auditInTime audits a timed service, whose newest figures are recent when the audit begins.
func auditInTime(t *testing.T, at func(now time.Duration, path string) http.Handler) (err error) {
	t.Helper()
	defer func(pause time.Duration) { Pause = pause }(Pause)
	Pause = usualPause
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err = Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: &timed{began, at}},
			Now: func() time.Time { return demo.Start.Add(2*time.Hour + 10*time.Second + time.Since(began)) }})
	})
	return err
}

// A cache may keep the head of the log for a minute. The audit then has no result.
func TestACacheKeepsTheHead(t *testing.T) {
	old, now := honest(t, 2).handler(t), honest(t, 3).handler(t)
	err := auditInTime(t, func(at time.Duration, path string) http.Handler {
		if strings.HasSuffix(path, "/checkpoint") && at < 50*time.Second {
			return old
		}
		return now
	})
	if !errors.Is(err, errOutrun) {
		t.Error(err)
	}
}

// A correction may be served before it is in the log, which may wait for a witness.
func TestACorrectionThatTheLogGetsLater(t *testing.T) {
	s := honest(t, 3)
	before := honest(t, 3).handler(t)
	s.withdraw(demo.Start.Add(2*time.Hour + 10*time.Second)) // when the audit begins
	after := s.handler(t)
	for late, isFault := range map[time.Duration]bool{100 * time.Second: false, 5 * time.Minute: true} {
		err := auditInTime(t, func(at time.Duration, path string) http.Handler {
			if strings.HasPrefix(path, "/log/") && at < late {
				return before
			}
			return after
		})
		if errors.As(err, new(*Fault)) != isFault {
			t.Errorf("in the log after %s: %v", late, err)
		}
	}
}

// A new log may begin after any answer to the audit, while a cache still has the key and the head of
// the log before. The audit then has a result, or says that it has none.
func TestANewLogBehindACache(t *testing.T) {
	s, before := successor(t, 8)
	states := []http.Handler{before.handler(t), s.handler(t)}
	for last := 1; last <= 14; last++ {
		asked, until := 0, map[string]time.Duration{}
		err := auditInTime(t, func(at time.Duration, path string) http.Handler {
			state := min(asked/last, 1)
			asked++
			if path != "/log/key" && path != "/log/checkpoint" {
				return states[state]
			}
			if state == 0 {
				until[path] = at + 5*time.Second
			}
			if at < until[path] {
				return states[0]
			}
			return states[1]
		})
		if errors.As(err, new(*Fault)) {
			t.Errorf("after %d answers: %v", last, err)
		}
	}
}

// One of several processes may see a new log a moment later than the others.
func TestAProcessThatIsBehindANewLog(t *testing.T) {
	s, before := successor(t, 8)
	repeat(s, before)
	old, ev := *before, *before.proofs[0]
	old.proofs = []*supply.Evidence{&ev}
	now, behind := s.handler(t), old.handler(t)
	tile := fmt.Sprintf("tile/0/000.p/%d", len(s.leaves))
	own := "/log/" + s.address() + "/"
	for _, path := range []string{"/log/key", "/log/checkpoint", "/log/" + tile, own + "key", own + "checkpoint", own + tile,
		"/log/" + strings.Replace(tile, "0", "entries", 1)} {
		for late := 1; late <= 2; late++ {
			asked := map[string]int{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				at := r.URL.RequestURI()
				if asked[at]++; at == path && asked[at] == late || at == "/jewel/evidence" && asked[at] == 1 {
					behind.ServeHTTP(w, r)
					return
				}
				now.ServeHTTP(w, r)
			}))
			_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
			server.Close()
			if errors.As(err, new(*Fault)) {
				t.Errorf("answer %d at %s: %v", late, path, err)
			}
		}
	}
}

// A cache, or a process that is behind, may have the key of the log before for a moment. An auditor
// who knows the new log is not told that it ended.
func TestAKeyFromBeforeTheLog(t *testing.T) {
	for _, known := range []string{"key", "checkpoint"} {
		s, before := successor(t, 8)
		repeat(s, before)
		old, _ := before.key.Verifier(origin)
		s.once = map[string]string{"/log/key": old + "\n"}
		var kept []byte
		if known == "checkpoint" {
			kept = s.checkpoint(t)
		} else {
			s.anchor, _ = s.key.Verifier(origin)
		}
		if r, err := s.run(t, kept); err != nil || len(r.Retried) != 1 {
			t.Errorf("by its %s: %v, %q", known, err, r.Retried)
		}
	}
}

// Servers that guess the media types of files take some tiles for text in UTF-16.
func TestATileThatLooksLikeText(t *testing.T) {
	s := honest(t, 3)
	for i := 0; ; i++ {
		s.leaves[0] = tlog.Begin{Origin: origin, Begun: demo.Start, Reason: fmt.Sprint(i)}.Leaf()
		if h := merkle.RecordHash(s.leaves[0]); h[0] == 0xff && h[1] == 0xfe {
			break
		}
	}
	if _, err := s.run(t, nil); err != nil {
		t.Error(err)
	}
}

// Two tokens without a figure may have the same symbol, also an unknown one, and only the figures of
// the first may be wrong.
func TestTwoTokensWithoutFiguresAndOneSymbol(t *testing.T) {
	for _, refused := range []bool{true, false} {
		s := withdrawn(t)
		newest, proofs, token, other := s.newest, s.proofs, demo.Tokens()[0], *measured(t)
		token.Path, other.Token = "other", "other"
		ev := *other.Evidence
		ev.Token, ev.LedgerHash = "other", token.LedgerHash()
		other.Evidence, other.LedgerHash = &ev, ev.LedgerHash
		s.leaves = append(s.leaves, tlog.LedgerVersion{Token: "other", Ledger: ev.LedgerHash, Since: demo.Start}.Leaf())
		s.publish(t, &supply.Record{}, &token, &other, time.Hour)
		s.newest, s.proofs = newest, proofs
		if refused {
			s.answer["/jewel/evidence"], s.answer["/jewel/ledger"], s.answer["/"] = "status 503", "status 503", unlisted
		} else {
			d := s.ledger
			d.Token, d.Hash = "other", ev.LedgerHash
			s.answer["/other/ledger"] = string(tlog.Encode(d))
			s.answer["/"] = strings.TrimSuffix(s.answer["/"], "]") + "," + unlisted[1:]
		}
		if r, err := s.run(t, nil); err != nil || len(r.Wrong) != 1 || len(r.Withdrawn) != 2 {
			t.Errorf("refused %v: %v, wrong %q, without figures %q", refused, err, r.Wrong, r.Withdrawn)
		}
	}
}

// A head that is older than the one that was read is named at both addresses of the log, even if it
// stays.
func TestAnOlderHeadIsNamed(t *testing.T) {
	s, old := honest(t, 300), honest(t, 1)
	h, before := s.handler(t), old.handler(t)
	for _, row := range []struct {
		path string
		is   func(request int) bool // whether the head is the older one, at the first request and so on
	}{{"/log/checkpoint", func(int) bool { return true }}, {s.head(), func(request int) bool { return request > 1 }}} {
		heads, asked := 0, 0
		r, err := Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: roundTrip(
			func(q *http.Request) (*http.Response, error) {
				w, state := httptest.NewRecorder(), h
				switch path := q.URL.Path; {
				case path == s.head() && row.path == "/log/checkpoint": // the first head is older too
					if heads++; heads == 1 {
						state = before
					}
				case path == row.path:
					if asked++; row.is(asked) {
						state = before
					}
				case path == "/" && asked == 1: // makes the audit read the head again
					http.NotFound(w, q)
					asked++
					return w.Result(), nil
				}
				state.ServeHTTP(w, q)
				return w.Result(), nil
			})}})
		isNamed := slices.ContainsFunc(r.Retried, func(line string) bool { return strings.HasPrefix(line, row.path+": it has only 4") })
		if err != nil || !isNamed {
			t.Errorf("%s: %v, %q", row.path, err, r.Retried)
		}
	}
}
