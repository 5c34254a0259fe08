package audit

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// Two signed heads that continue the first one in different ways are a fork, even if the audit reads
// one of them only to compare later leaves.
func TestAForkAtTheEnd(t *testing.T) {
	s, ahead, fork := honest(t, 3), honest(t, 3), honest(t, 3)
	ahead.leaves = append(ahead.leaves,
		tlog.LedgerVersion{Token: "other", Ledger: strings.Repeat("a", 64), Since: demo.Start}.Leaf())
	fork.leaves = append(fork.leaves, decided(supply.Release, "another"))
	honestly, aheadly, forked := s.handler(t), ahead.handler(t), fork.handler(t)
	heads, told := 0, false
	r, err := Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: roundTrip(
		func(q *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			path := q.URL.RequestURI()
			if path == s.head() {
				heads++
			}
			told = told || path == "/log/checkpoint"
			switch {
			case heads > 2:
				forked.ServeHTTP(w, q)
			case told:
				aheadly.ServeHTTP(w, q)
			default:
				honestly.ServeHTTP(w, q)
			}
			return w.Result(), nil
		})}})
	if !errors.Is(err, errForked) {
		t.Errorf("nobody notices that two logs were signed: %v, size %d, %q, %q", err, r.Size, r.Retried, r.Unproven)
	}
}

// What a proof says of nodes is named, even if the rest of the token must be read again.
func TestWhatAProofOnceSaid(t *testing.T) {
	s := honest(t, 3)
	honestly := s.prove()
	more := strings.ReplaceAll(honestly, "agreed by 1 of 1", "agreed by 5 of 5")
	if more == honestly {
		t.Fatal("the proof has no agreed entries")
	}
	missing := false
	r, err := Run(t.Context(), Config{URL: "http://service.test", Client: scripted(s.handler(t),
		func(path string) (int, string, bool) {
			switch {
			case missing:
			case strings.HasPrefix(path, "/jewel/proof"):
				return 200, more, true
			case path == "/jewel":
				missing = true
				return 404, "no", true
			}
			return 0, "", false
		})})
	isNamed := func(line string) bool {
		return strings.Contains(line, "5 of 5") || strings.HasPrefix(line, "/jewel/proof")
	}
	if err == nil && !slices.ContainsFunc(slices.Concat(r.Agreed, r.Retried), isNamed) {
		t.Errorf("nobody notices %.300s: %q, %q", more, r.Agreed, r.Retried)
	}
}

// auditHidden audits s, which shows another history of an earlier log. It serves the evidence of
// included once, so that the audit reads the earlier logs again. From then on it hides the log at the
// path hides. told says that the head of the other history was served.
func auditHidden(t *testing.T, s, rewritten, included *service, hides string) (r Report, told bool, err error) {
	honestly, falsely := s.handler(t), rewritten.handler(t)
	included.handler(t) // sets the inclusion
	own, hidden := "/log/"+rewritten.address()+"/", false
	r, err = Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: roundTrip(
		func(q *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			switch path := q.URL.RequestURI(); {
			case strings.HasPrefix(path, hides) && hidden:
				http.NotFound(w, q)
			case strings.HasPrefix(path, own):
				told = told || path == own+"checkpoint"
				q = q.Clone(q.Context())
				q.URL.Path = "/log/" + strings.TrimPrefix(path, own)
				falsely.ServeHTTP(w, q)
			case path == "/jewel/evidence" && !hidden:
				hidden = true
				w.Write(tlog.Encode(included.proofs[0]))
			default:
				honestly.ServeHTTP(w, q)
			}
			return w.Result(), nil
		})}})
	return r, told, err
}

// A head of an earlier log that was read is named, even if the log is hidden when it is read again.
func TestAnEarlierLogThatIsHiddenLater(t *testing.T) {
	s, before := successor(t, 8)
	repeat(s, before)
	rewritten := honest(t, 5)
	rewritten.key = before.key
	rewritten.leaves = append(rewritten.leaves[:4:4], decided(supply.Correct, before.proofs[0].Snapshot))
	own := "/log/" + before.address() + "/"
	older := *before
	older.proofs = []*supply.Evidence{new(*s.proofs[0])}
	r, told, err := auditHidden(t, s, rewritten, &older, own)
	isNamed := func(line string) bool { return strings.HasPrefix(line, own) }
	if !told || err == nil && !slices.ContainsFunc(r.Retried, isNamed) && !strings.Contains(r.Previous[0].Found, "was read before") {
		t.Errorf("told %t, %v: nobody notices a head of a rewritten log at %s: %+v, %q", told, err, own, r.Previous, r.Retried)
	}
}

// A head in the name of an earlier log is no fork of it if the log's key did not sign it.
func TestAHeadThatNobodySigned(t *testing.T) {
	s, before := successor(t, 8)
	repeat(s, before)
	rewritten := *before
	rewritten.leaves = slices.Clone(before.leaves)
	rewritten.leaves[3] = decided(supply.Release, "another")
	rewritten.proofs = []*supply.Evidence{new(*s.proofs[0])}
	h := s.handler(t)
	rewritten.handler(t) // sets the inclusion
	ev := rewritten.proofs[0]
	text, signature, _ := strings.Cut(ev.Inclusion, "— "+origin+" ")
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(signature))
	if err != nil {
		t.Fatal(err)
	}
	raw[10] ^= 1
	ev.Inclusion = text + "— " + origin + " " + base64.StdEncoding.EncodeToString(raw) + "\n"
	told := false
	_, err = Run(t.Context(), Config{URL: "http://service.test", Client: scripted(h, func(path string) (int, string, bool) {
		if path == "/jewel/evidence" && !told {
			told = true
			return 200, string(tlog.Encode(ev)), true
		}
		return 0, "", false
	})})
	if errors.Is(err, errForked) {
		t.Errorf("told %t: %v", told, err)
	}
}

// The checkpoint that is kept for the next audit is the newest that was read, also if the audit read it
// only to compare later leaves. So these leaves cannot be rewritten either.
func TestALeafThatWasReadIsNotForgotten(t *testing.T) {
	s, ahead, rewritten := honest(t, 3), honest(t, 3), honest(t, 3)
	ahead.leaves = append(ahead.leaves, decided(supply.Correct, strings.Repeat("a", 64)))
	rewritten.leaves = append(rewritten.leaves, decided(supply.Release, "x"), decided(supply.Release, "y"))
	before, after, told := s.handler(t), ahead.handler(t), false
	r, err := Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: roundTrip(
		func(q *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			if told = told || q.URL.Path == "/log/checkpoint"; told {
				after.ServeHTTP(w, q)
			} else {
				before.ServeHTTP(w, q)
			}
			return w.Result(), nil
		})}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rewritten.run(t, r.Checkpoint); !errors.Is(err, errForked) {
		kept, _ := tlog.ParseCheckpoint(r.Checkpoint)
		t.Errorf("a leaf of the log with %d leaves was rewritten, but %d leaves are kept: %v", len(ahead.leaves), kept.N, err)
	}
}
