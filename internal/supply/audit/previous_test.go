package audit

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// successor returns a service with an earlier log under another key. The first leaf of its log
// names the earlier head with that many leaves.
func successor(t *testing.T, named int) (s, before *service) {
	t.Helper()
	before = honest(t, 5)
	before.key = tlog.NewKey([32]byte{6})
	s = honest(t, 8)
	s.follow(t, before, named)
	return s, before
}

// follow makes the first leaf of s name the head of another log with that many leaves.
func (s *service) follow(t *testing.T, before *service, named int) {
	t.Helper()
	all := before.leaves
	before.leaves = all[:named]
	head, err := tlog.ParseCheckpoint(before.checkpoint(t))
	if err != nil {
		t.Fatal(err)
	}
	before.leaves = all
	s.before = before
	previous := fmt.Sprintf(`"previous":{"origin":"%s","log":"%s","size":%d,"root":"%s"}`, origin, before.address(),
		head.N, head.Hash)
	leaf := tlog.Begin{Origin: origin, Begun: demo.Start, Reason: "its key has changed"}.Leaf()
	s.leaves[0] = []byte(strings.Replace(string(leaf), `"previous":null`, previous, 1))
}

// repeat makes the log of s begin with the newest snapshot of another log, and some leaves after
// it.
func repeat(s, of *service, more ...[]byte) []byte {
	i := slices.IndexFunc(of.leaves, func(leaf []byte) bool { return supply.LeafHash(leaf) == of.proofs[0].Snapshot })
	s.leaves = append(append(s.leaves[:2:2], of.leaves[i]), more...)
	s.newest, s.proofs = of.newest, of.proofs
	return nil
}

func decided(kind supply.DecisionKind, subject string) []byte {
	return tlog.Decision{Token: "jewel", Kind: string(kind), Subject: subject, Reason: "wrong", At: demo.Start}.Leaf()
}

// The service may begin a new log after any answer to the audit. The audit then has no result, and
// says so.
func TestANewLogDuringTheAudit(t *testing.T) {
	s, before := successor(t, 8)
	states := []http.Handler{before.handler(t), s.handler(t)}
	for last := 1; last <= 12; last++ {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			state := states[min(asked/last, 1)]
			asked++
			state.ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if !beganNew(err) {
			t.Errorf("after %d answers: %v", last, err)
		}
	}
}

// beganNew reports whether err means that the audit has no result because a new log began.
func beganNew(err error) bool {
	return err != nil && strings.Contains(err.Error(), "the service began a new log") && !errors.As(err, new(*Fault))
}

func TestALogThatEndedStaysAndIsNamed(t *testing.T) {
	for name, test := range map[string]struct {
		named int
		alter func(s, before *service) (since []byte)
		found string // of the previous log
		fault string
	}{
		"whole": {named: 8, found: "it is still served, and has the head"},
		"an earlier head": {named: 7,
			found: "it is still served, and has the head that the next log names, but it has 8 leaves by now"},
		"a forgotten correction": {named: 8, fault: "it marks the figures of jewel as wrong", alter: func(s, before *service) []byte {
			before.leaves = append(before.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
			return repeat(s, before)
		}},
		"a correction, and its figures under another id": {named: 8, fault: "it marks the figures of jewel as wrong",
			alter: func(s, before *service) []byte {
				before.leaves = append(before.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
				token := demo.Tokens()[0]
				s.leaves = s.leaves[:2:2]
				s.publish(t, &supply.Record{}, &token, measured(t), 99*time.Hour)
				return nil
			}},
		"a correction of a figure in the earlier log, after the head that is served first": {named: 8,
			fault: "it marks the figures of jewel as wrong",
			alter: func(s, before *service) []byte {
				token := demo.Tokens()[0]
				s.leaves = s.leaves[:2:2]
				s.publish(t, &supply.Record{}, &token, measured(t), 99*time.Hour)
				s.leaves = append(s.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
				s.once = map[string]string{s.head(): s.earlier(t)}
				return nil
			}},
		"a correction, and other figures since": {named: 8, found: "it is still served",
			alter: func(s, before *service) []byte {
				before.leaves = append(before.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
				token, figures, record := demo.Tokens()[0], measured(t), supply.Record{}
				other := *figures
				other.Locked, other.Circulating = other.Locked.Add(other.Locked), other.Circulating.Sub(other.Locked)
				s.leaves = s.leaves[:2:2]
				s.publish(t, &record, &token, &other, 98*time.Hour)
				s.publish(t, &record, &token, figures, 99*time.Hour)
				return nil
			}},
		"the corrected snapshot, and other figures meanwhile": {named: 8, fault: "it marks the figures of jewel as wrong",
			alter: func(s, before *service) []byte {
				repeat(s, before)
				before.publishOther(t)
				return nil
			}},
		"a correction was taken back": {named: 8, found: "it is still served", alter: func(s, before *service) []byte {
			before.leaves = append(before.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
			return repeat(s, before, decided(supply.UndoCorrect, before.proofs[0].Snapshot))
		}},
		"a correction, and one before it taken back": {named: 8, fault: "it marks the figures of jewel as wrong",
			alter: func(s, before *service) []byte {
				before.leaves = append(before.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
				earlier := honest(t, 4)
				return repeat(s, earlier, decided(supply.UndoCorrect, earlier.proofs[0].Snapshot))
			}},
		"a ledger that the new log hides": {named: 8, found: "it is still served, and has the head that the next log " +
			"names. It has 1 ledgers that the current log lacks, or has with another date",
			alter: func(s, before *service) []byte {
				before.leaves[2] = tlog.LedgerVersion{Token: "jewel", Ledger: strings.Repeat("a", 64), Since: demo.Start}.Leaf()
				s.follow(t, before, 8)
				return nil
			}},
		"an older figure": {named: 8, found: "it is still served, and has the head that the next log names. " +
			"It has newer figures than the next log began with: jewel", alter: func(s, before *service) []byte {
			token, later := demo.Tokens()[0], *measured(t)
			before.leaves = before.leaves[:7]
			later.AsOf = later.AsOf.Add(time.Hour)
			third := &supply.Snapshot{ID: supply.LeafHash(before.leaves[6])}
			before.publish(t, &supply.Record{Snapshot: third}, &token, &later, 2*time.Hour)
			s.leaves = s.leaves[:3]
			s.publish(t, &supply.Record{}, &token, measured(t), 3*time.Hour)
			s.follow(t, before, 8)
			return nil
		}},
		"a figure that was replaced at the same time": {named: 8, found: "it is still served, and has the head that the next " +
			"log names. It has figures that the next log does not continue: jewel",
			alter: func(s, before *service) []byte {
				repeat(s, before)
				before.publishOther(t)
				last := len(before.leaves) - 1
				before.leaves = append(before.leaves[:last-1:last-1], before.leaves[last]) // without the correction
				s.follow(t, before, last)
				return nil
			}},
		"an older figure of an earlier measurement": {named: 8, found: "it is still served, and has the head that the next " +
			"log names. It has newer figures than the next log began with: jewel",
			alter: func(s, before *service) []byte {
				token, later := demo.Tokens()[0], *measured(t)
				before.leaves = before.leaves[:6]
				later.AsOf = later.AsOf.Add(time.Hour)
				record := supply.Record{Snapshot: &supply.Snapshot{ID: supply.LeafHash(before.leaves[5])}}
				before.publish(t, &record, &token, &later, 5*time.Hour)
				before.publish(t, &record, &token, measured(t), 0)
				s.leaves = s.leaves[:3]
				s.publish(t, &supply.Record{}, &token, measured(t), 0)
				s.follow(t, before, 8)
				return nil
			}},
		"no longer there": {named: 8, found: "its key is no longer served, so neither it", alter: func(s, _ *service) []byte {
			s.answer["/log/"+s.before.address()+"/key"] = "status 404"
			return nil
		}},
		"shorter": {named: 8, found: "only 6 leaves are served there, too few", alter: func(_, before *service) []byte {
			before.leaves = before.leaves[:6]
			return nil
		}},
		"another head": {named: 8, fault: "it does not have the head that the next log names",
			alter: func(_, before *service) []byte {
				before.leaves[3] = before.leaves[2]
				return nil
			}},
		"an impossible head": {named: 8, fault: "the previous log cannot have -8 leaves", alter: func(s, _ *service) []byte {
			s.leaves[0] = []byte(strings.Replace(string(s.leaves[0]), `"size":8`, `"size":-8`, 1))
			return nil
		}},
		"another key": {named: 8, fault: "not the verifier key of this log", alter: func(s, _ *service) []byte {
			key, _ := s.key.Verifier(origin)
			s.answer["/log/"+s.before.address()+"/key"] = key
			return nil
		}},
		"by the old key": {named: 8,
			fault: "it ended with 8 leaves, which are correct. The service now publishes in another log", alter: func(s,
				before *service) []byte {
				s.anchor, _ = before.key.Verifier(origin)
				return nil
			}},
		"by a checkpoint of it": {named: 8, fault: "that log names this one with 8 leaves", alter: func(_, before *service) []byte {
			return before.checkpoint(t)
		}},
		"by the old key, and rewritten": {named: 8, fault: "the log was forked or rewritten",
			alter: func(s, before *service) []byte {
				kept := before.checkpoint(t)
				s.anchor, _ = before.key.Verifier(origin)
				before.leaves[3] = before.leaves[2]
				return kept
			}},
		"by the old key, and another head": {named: 8, fault: "the next log names another head",
			alter: func(s, before *service) []byte {
				s.anchor, _ = before.key.Verifier(origin)
				before.leaves = honest(t, 9).leaves
				before.leaves[2] = tlog.Decision{Token: "jewel", Kind: "release", Reason: "x", At: demo.Start}.Leaf()
				return nil
			}},
		"by the old key, which is gone": {named: 8, fault: "and this log is not correct",
			alter: func(s, before *service) []byte {
				s.anchor, _ = before.key.Verifier(origin)
				s.answer["/log/"+s.before.address()+"/checkpoint"] = "status 404"
				return nil
			}},
	} {
		t.Run(name, func(t *testing.T) {
			s, before := successor(t, test.named)
			var since []byte
			if test.alter != nil {
				since = test.alter(s, before)
			}
			r, err := s.run(t, since)
			switch {
			case test.fault != "" && (err == nil || !strings.Contains(err.Error(), test.fault)):
				t.Errorf("%v, want %s", err, test.fault)
			case test.fault == "" && (err != nil || len(r.Previous) != 1 || !strings.HasPrefix(r.Previous[0].Found, test.found)):
				t.Errorf("%v, %+v, want %s", err, r.Previous, test.found)
			}
		})
	}
}

// A token that is served only after the earlier logs were read is compared with them too.
func TestACorrectedFigureThatComesLater(t *testing.T) {
	s, before := successor(t, 8)
	before.leaves = append(before.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
	repeat(s, before)
	s.once = map[string]string{"/": "[]", "/jewel": "status 503", "/jewel/": "status 503", "/jewel/evidence": "status 503",
		s.head(): string(s.checkpoint(t))}
	for _, path := range s.figureAddresses() {
		s.once[path] = "status 503"
	}
	s.policy = s.witness(t, "example.org/one").String() // the first checkpoint lacks its signature
	if r, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "it marks the figures of jewel as wrong") {
		t.Errorf("%v, served %q", err, r.Served)
	}
}

// A correction that the new log lacks is named, although its figures are not served. The new log may
// have these figures only after the head that is served first.
func TestAForgottenCorrectionOfAFigureThatIsNotServed(t *testing.T) {
	for _, row := range []struct{ corrected, late bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
		s, before := successor(t, 8)
		if row.corrected {
			before.leaves = append(before.leaves, decided(supply.Correct, before.proofs[0].Snapshot))
		}
		repeat(s, before)
		if row.late {
			token := demo.Tokens()[0]
			s.leaves = s.leaves[:2:2]
			s.publish(t, &supply.Record{}, &token, measured(t), 99*time.Hour)
			s.once = map[string]string{s.head(): s.earlier(t)}
		}
		for _, path := range append(s.figureAddresses(), "/jewel", "/jewel/", "/jewel/evidence") {
			s.answer["/"], s.answer[path] = unlisted, "status 503"
		}
		if r, err := s.run(t, nil); err != nil || slices.Contains(r.Wrong, "jewel") != row.corrected {
			t.Errorf("%+v: %v, wrong %q, earlier logs %+v", row, err, r.Wrong, r.Previous)
		}
	}
}

// publishOther marks the newest figures of s as wrong, and publishes others.
func (s *service) publishOther(t *testing.T) {
	t.Helper()
	wrong := s.proofs[0].Snapshot
	s.leaves = append(s.leaves, decided(supply.Correct, wrong))
	token, other := demo.Tokens()[0], *measured(t)
	other.Locked, other.Circulating = other.Locked.Add(other.Locked), other.Circulating.Sub(other.Locked)
	s.publish(t, &supply.Record{Snapshot: &supply.Snapshot{ID: wrong}}, &token, &other, 98*time.Hour)
}

// A corrected snapshot that is published again after the earlier logs were read is found too.
func TestACorrectedSnapshotThatComesBackLater(t *testing.T) {
	s, before := successor(t, 8)
	repeat(s, honest(t, 4))
	first := *s // its head lacks the witness's signature
	repeat(s, before)
	s.leaves = slices.Insert(s.leaves, 2, before.leaves[6])
	s.policy = s.witness(t, "example.org/one").String()
	before.publishOther(t)
	states, heads := []http.Handler{first.handler(t), s.handler(t)}, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == s.head() {
			heads++
		}
		states[min(max(heads-1, 0), 1)].ServeHTTP(w, r)
	}))
	defer server.Close()
	policy, err := tlog.ParsePolicy(s.policy)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client(), Witnesses: policy})
	if err == nil || !strings.Contains(err.Error(), "it marks the figures of jewel as wrong") {
		t.Errorf("%v, earlier logs %+v, %q", err, r.Previous, r.Retried)
	}
}

// A corrected snapshot that the log before began with counts against equal figures of this log.
func TestACorrectedSnapshotInTheLogBetween(t *testing.T) {
	s, between := successor(t, 8)
	first := honest(t, 5)
	first.key = tlog.NewKey([32]byte{7})
	repeat(between, first)
	first.publishOther(t)
	between.follow(t, first, 8)
	token := demo.Tokens()[0]
	s.leaves = s.leaves[:2:2]
	s.publish(t, &supply.Record{}, &token, measured(t), 99*time.Hour)
	s.follow(t, between, 3)
	if r, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "it marks the figures of jewel as wrong") {
		t.Errorf("%v, earlier logs %+v", err, r.Previous)
	}
}

// A log before an earlier log is checked in every try.
func TestAForgedLogBeforeAnEarlierOne(t *testing.T) {
	s, before := successor(t, 8)
	first := honest(t, 3)
	first.key = tlog.NewKey([32]byte{7})
	before.follow(t, first, 5)
	s.follow(t, before, 8)
	key, _ := first.key.Verifier(origin)
	s.answer["/log/"+first.address()+"/key"] = key
	s.answer["/log/"+first.address()+"/checkpoint"] = string(before.checkpoint(t))
	if r, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "not signed by this log") {
		t.Errorf("%v, earlier logs %+v", err, r.Previous)
	}
}

// A difference that was found before the service began a new log is named. A fork is a fault.
func TestADifferenceBeforeANewLog(t *testing.T) {
	for path, words := range map[string]string{"/jewel/totalsupply": "999999999", "/jewel/evidence": "the log was forked"} {
		s, before := successor(t, 8)
		before.answer["/jewel/totalsupply"] = "999999999"
		if path == "/jewel/evidence" {
			fork := honest(t, 5)
			fork.key, fork.proofs = before.key, []*supply.Evidence{new(*before.proofs[0])}
			fork.leaves[2] = decided(supply.Release, "fork")
			fork.handler(t) // makes the inclusion
			before.answer[path] = string(tlog.Encode(fork.proofs[0]))
		}
		states, keys := []http.Handler{before.handler(t), s.handler(t)}, 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/log/key" {
				keys++ // the audit reads it again after a fault
			}
			states[keys-1].ServeHTTP(w, r)
		}))
		_, err := Run(t.Context(), Config{URL: server.URL, Client: server.Client()})
		server.Close()
		if err == nil || !strings.Contains(err.Error(), words) || beganNew(err) == (path == "/jewel/evidence") {
			t.Errorf("%v, want %q", err, words)
		}
	}
}

// The end of a correction counts, although its snapshot is in the log before. So these figures are
// right: the latest decision says so, and the one about the newest snapshot too.
func TestACorrectionOfTheLogBeforeIsUndone(t *testing.T) {
	s, before := successor(t, 8)
	repeat(s, before)
	token, record := demo.Tokens()[0], supply.Record{Snapshot: &supply.Snapshot{ID: before.proofs[0].Snapshot}}
	s.publish(t, &record, &token, measured(t), 99*time.Hour)
	s.leaves = append(s.leaves, decided(supply.UndoCorrect, s.proofs[0].Snapshot),
		decided(supply.Correct, before.proofs[0].Snapshot), decided(supply.UndoCorrect, supply.LeafHash(before.leaves[3])))
	if _, err := s.run(t, nil); err != nil {
		t.Error(err)
	}
	s.leaves = s.leaves[:len(s.leaves)-1]
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "/log/: it marks the figures") {
		t.Error(err)
	}
}

// A log may mark a figure as wrong before it has the figure.
func TestACorrectionBeforeItsFigure(t *testing.T) {
	s, token := honest(t, 0), demo.Tokens()[0]
	announced := s.leaves[1]
	s.leaves = s.leaves[:1]
	for range 300 { // more than a tile
		s.leaves = append(s.leaves, decided(supply.Release, ""))
	}
	s.leaves = append(s.leaves, announced)
	var record supply.Record
	s.publish(t, &record, &token, measured(t), 0)
	at := demo.Start.Add(time.Hour)
	s.publish(t, &record, &token, supply.Measure(t.Context(), demo.Tokens()[:1], demo.Chains(at), at)[0].Snapshot, 0)
	s.leaves[1] = decided(supply.Correct, s.proofs[0].Snapshot)
	_, err := s.run(t, []byte(s.earlier(t)))
	if err == nil || !strings.Contains(err.Error(), "/log/: it marks the figures") {
		t.Error(err)
	}
}

// A block that is lower than one in an earlier log is named also if the current log has a block of its
// chain only after the earlier logs were read.
func TestABlockOfAnotherChainThatGoesBack(t *testing.T) {
	token, record, higher, elsewhere := demo.Tokens()[0], supply.Record{}, measured(t), measured(t)
	higher.Blocks[0].Number++
	elsewhere.Blocks[0].ChainID = 424242
	s, before := honest(t, 0), honest(t, 0)
	before.key = tlog.NewKey([32]byte{6})
	before.publish(t, &supply.Record{}, &token, higher, 0)
	s.follow(t, before, len(before.leaves))
	s.publish(t, &record, &token, elsewhere, 0)
	s.once = map[string]string{s.head(): string(s.checkpoint(t))}
	s.publish(t, &record, &token, measured(t), time.Hour)
	if r, err := s.run(t, nil); err != nil || !slices.Equal(r.Back, []string{"jewel"}) {
		t.Errorf("%v, %q, %q", err, r.Back, r.Retried)
	}
}

// Many tokens of an earlier log do not hide that another one was lost.
func TestEveryLostTokenIsNamed(t *testing.T) {
	a, old := newAuditor(t.Context(), Config{}), newAuditor(t.Context(), Config{})
	for i := range 50 {
		old.tokens[fmt.Sprint(i)] = &newest{}
	}
	old.tokens["jewel"] = &newest{}
	if text := a.denied(old, map[string]start{}); !strings.Contains(text, "49, 5, ") || !strings.HasSuffix(text, ", jewel") {
		t.Error(text)
	}
}
