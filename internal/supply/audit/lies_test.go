package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// withdrawn returns a service whose newest figures of jewel are wrong, according to its log.
func withdrawn(t *testing.T) *service {
	s := honest(t, 3)
	s.withdraw(demo.Start.Add(time.Hour))
	return s
}

// withdraw corrects the newest figures of jewel in the log, and serves them no longer.
func (s *service) withdraw(at time.Time) {
	wrong := &supply.Correction{Reason: "an entry was missing", At: at}
	s.leaves = append(s.leaves, tlog.Decision{Token: "jewel", Kind: string(supply.Correct),
		Subject: s.proofs[0].Snapshot, Reason: wrong.Reason, At: wrong.At}.Leaf())
	s.proofs[0].Correction = wrong
	bare := supply.Document{Symbol: "JEWEL", Name: "Jewel", Decimals: 18, Status: supply.Withdrawn,
		Blocks:     []supply.Block{},
		Correction: wrong}
	s.answer["/"] = string(tlog.Encode([]supply.Document{bare}))
	for _, path := range s.figureAddresses() {
		s.answer[path] = "status 503 service unavailable: the figure of JEWEL is withdrawn"
	}
	for _, path := range []string{"/jewel", "/jewel/"} {
		s.answer[path] = fmt.Sprintf(`status 503 {"type":"about:blank","status":503,"correction":%s}`, tlog.Encode(wrong))
	}
}

// figureAddresses are the addresses of bare figures of jewel.
func (s *service) figureAddresses() (paths []string) {
	for _, name := range []string{"total", "circulating", "max", "burned", "locked", "reserved"} {
		for _, form := range []string{"/%ssupply", "/%ssupply?format=json", "?q=%s", "/?q=%s", "?q=%ssupply",
			"/?q=%ssupply"} {
			paths = append(paths, "/jewel"+fmt.Sprintf(form, name))
		}
	}
	return paths
}

// head returns the address of the checkpoint that audits read first.
func (s *service) head() string { return "/log/" + s.address() + "/checkpoint" }

// earlier returns the checkpoint of the log without its last leaf.
func (s *service) earlier(t *testing.T) string {
	before := *s
	before.leaves = s.leaves[:len(s.leaves)-1]
	return string(before.checkpoint(t))
}

// announce adds a ledger to the log after some leaves, and serves it as one of earlier figures.
func (s *service) announce(after [][]byte) {
	token := demo.Tokens()[0]
	token.Ledger = token.Ledger[:1]
	earlier := token.CurrentLedger()
	earlier.Since = new(demo.Start.AddDate(-3, 0, 0))
	s.ledger.Earlier = []ledger.Version{earlier}
	leaf := tlog.LedgerVersion{Token: "jewel", Ledger: earlier.Hash, Since: *earlier.Since}.Leaf()
	s.leaves = append(append(after, leaf), s.leaves[len(after):]...)
}

// Each row is something that a service could answer beside its log. want is part of the fault; ""
// means that it is no lie.
func TestLiesBesideTheLog(t *testing.T) {
	replaced := func(s *service, path, old, now string) {
		if !strings.Contains(s.answer[path], old) {
			panic(path + " does not have " + old)
		}
		s.answer[path] = strings.Replace(s.answer[path], old, now, 1)
	}
	const invented = `{"reason":"x","at":"2026-01-01T00:00:00Z"}`
	bare := string(tlog.Encode(supply.Document{Symbol: "NEW", Status: supply.Unavailable, Blocks: []supply.Block{}}))
	listed := func(s *service, more string) {
		text := tlog.Encode(s.newest)
		s.answer["/"] = string(text[:len(text)-1]) + "," + more + "]"
	}
	for name, row := range map[string]struct {
		of   func(t *testing.T) *service
		lie  func(t *testing.T, s *service)
		want string
	}{
		"a latest proof that is none": {lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/proof"] = `{"format":"petsupply-proof/1","snapshot":"x","entries":[]}`
		}, want: "/jewel/proof"},
		"a ledger whose bridges are null": {lie: func(_ *testing.T, s *service) {
			token := demo.Tokens()[0]
			token.Bridges, token.Ledger = nil, token.Ledger[:1]
			next := token.CurrentLedger()
			next.Bridges = nil
			s.ledger.Pending = &next
		}, want: "bridges"},
		"another entry in the list": {lie: func(_ *testing.T, s *service) { listed(s, bare) }},
		"an entry named as the log": {lie: func(_ *testing.T, s *service) {
			listed(s, strings.Replace(bare, "NEW", "LOG", 1))
		}},
		"a correction in another entry": {lie: func(_ *testing.T, s *service) {
			listed(s, strings.Replace(bare, `"blocks":[]`, `"blocks":[],"correction":`+invented, 1))
		}, want: "correction"},
		"a figure of a token without one": {lie: func(_ *testing.T, s *service) {
			listed(s, bare)
			s.answer["/new/totalsupply"] = "5"
		}, want: "new/totalsupply"},
		"a figure of a token that has only a ledger in the log": {lie: func(_ *testing.T, s *service) {
			s.leaves[2] = tlog.LedgerVersion{Token: "other", Ledger: s.ledger.Hash, Since: demo.Start}.Leaf()
			s.answer["/other/totalsupply"] = "5"
		}, want: "other/totalsupply"},
		"a token whose address is that of the log": {lie: func(_ *testing.T, s *service) {
			s.leaves[2] = tlog.LedgerVersion{Token: "log", Ledger: s.ledger.Hash, Since: demo.Start}.Leaf()
			s.answer["/log/totalsupply"] = "5"
		}, want: "cannot be the path of a token"},
		"a token that has only a ledger in the log": {lie: func(_ *testing.T, s *service) {
			s.leaves[2] = tlog.LedgerVersion{Token: "other", Ledger: s.ledger.Hash, Since: demo.Start}.Leaf()
		}},
		"a document of a token without a figure": {lie: func(_ *testing.T, s *service) {
			listed(s, bare)
			s.answer["/new"] = bare
		}, want: "new"},
		"a page at the address of a token without a figure": {lie: func(_ *testing.T, s *service) {
			listed(s, bare)
			s.answer["/new"] = "\n<!doctype html>\n<title>5</title>"
			s.answer["/new?q=total"] = s.answer["/new"]
		}},
		"a page at the address of a figure": {lie: func(_ *testing.T, s *service) {
			listed(s, bare)
			s.answer["/new/totalsupply"] = "<b>5</b>"
		}, want: "new/totalsupply"},
		"a page at the address of a figure that was published": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel"] = "<!doctype html>"
		}, want: "/jewel"},
		"evidence of a token without a figure": {lie: func(_ *testing.T, s *service) {
			listed(s, bare)
			s.answer["/new/evidence"] = "{}"
		}, want: "new"},

		"a withdrawn figure": {of: withdrawn},
		"no longer withdrawn, but too old": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/"] = strings.Replace("["+bare+"]", "NEW", "JEWEL", 1)
			s.answer["/jewel/evidence"] = "status 503"
		}},
		"a correction of another time": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			replaced(s, "/", `"at":"2026`, `"at":"2017`)
		}, want: "correction"},
		"a correction of another token": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/"] = "[" + strings.Trim(s.answer["/"], "[]") + "," +
				strings.ReplaceAll(strings.Trim(s.answer["/"], "[]"), "JEWEL", "NEW") + "]"
		}, want: "correction"},
		"a correction for another reason": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			replaced(s, "/", "was missing", "was stolen")
		}, want: "correction"},
		"a correction of an earlier snapshot with the same figures": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			last := len(s.leaves) - 1
			s.leaves = slices.Insert(s.leaves, last, tlog.Decision{Token: "jewel", Kind: string(supply.Correct),
				Subject: s.proofs[0].Previous, Reason: "it was stolen", At: s.proofs[0].Correction.At}.Leaf())
			replaced(s, "/", "an entry was missing", "it was stolen")
		}, want: "correction"},
		"a correction of another time in the evidence": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.proofs[0].Correction = &supply.Correction{Reason: "an entry was missing", At: demo.Start.AddDate(9, 0, 0)}
		}, want: "correction"},
		"a correction of another time in a refusal": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			replaced(s, "/jewel", `"at":"2026`, `"at":"2017`)
		}, want: "correction"},
		"a bare document": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel"] = bare
		}, want: "/jewel"},
		"a ledger of a withdrawn figure": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.ledger.Since = new(demo.Start.AddDate(1, 0, 0))
		}, want: "since"},
		"a proof of a withdrawn figure": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/proof"] = "{}"
		}, want: "proof"},
		"a proof of a withdrawn figure without evidence": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/evidence"] = "status 404"
			s.answer["/jewel/proof"] = `{"format":"petsupply-proof/1","snapshot":"` + s.proofs[0].Snapshot +
				`","entries":[{"label":"invented","known":"proven"}]}`
		}, want: "/jewel/proof"},
		"evidence of a withdrawn figure, and a proof of no snapshot": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.proofs[0].Figures.Total = s.proofs[0].Figures.Total.Add(s.proofs[0].Figures.Total)
			s.answer["/jewel/proof?snapshot="+s.proofs[0].Snapshot] =
				`{"format":"petsupply-proof/1","snapshot":"x","entries":[]}`
		}, want: "its evidence: total"},
		"a correction that was taken back": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			ev := s.proofs[0]
			s.leaves[len(s.leaves)-1] = tlog.Decision{Token: "jewel", Kind: string(supply.Correct), Subject: ev.Previous,
				Reason: ev.Correction.Reason, At: ev.Correction.At}.Leaf()
			s.leaves = append(s.leaves, decided(supply.UndoCorrect, ev.Snapshot))
		}, want: "correction"},
		"evidence of a figure that is not served": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.leaves, s.proofs[0].Correction = s.leaves[:len(s.leaves)-1], nil
			s.answer["/"] = strings.Replace("["+bare+"]", "NEW", "JEWEL", 1)
			s.answer["/jewel"], s.answer["/jewel/"] = "status 503", "status 503"
		}, want: "evidence"},
		"a name that is not UTF-8": {lie: func(_ *testing.T, s *service) {
			s.answer["/jewel"] = strings.Replace(string(tlog.Encode(s.newest[0])), `"name":"`, "\"name\":\"\xc0\xa2", 1)
		}, want: "UTF-8"},
		"a number in a refusal": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply"] = "status 404 999999999"
		}, want: "has a figure"},
		"a number after other characters in a refusal": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply"] = "status 404 \v\ufeff€ 999999999" // JavaScript and C skip such space
		}, want: "has a figure"},
		"a number in digits of another script": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply"] = "status 404 ９９９" // Python reads them
		}, want: "has a figure"},
		"a number after the code of a refusal": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply"] = "status 404 404: 999999999"
		}, want: "has a figure"},
		"refusals that begin with their code": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply"] = "status 404 404: Not Found"
			s.answer["/jewel/burnedsupply"] = "status 502 502 Bad Gateway"
			s.answer["/jewel/lockedsupply"] = "status 404 404"
			s.answer["/jewel?q=total"] = "status 404 404, no such file"
			s.answer["/jewel?q=max"] = "status 404 (404) Not Found"
		}},
		"a number that begins with the code of a refusal": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply"] = "status 404 4049"
		}, want: "has a figure"},
		"a refusal with the name of its error": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply"] = `status 404 {"name":"NotFound","code":404}`
		}},
		"a number in a refusal in JSON": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply?format=json"] = `status 404 {"result":"999999999"}`
		}, want: "has a figure"},
		"a number in a refusal in another case": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply?format=json"] = `status 404 {"Result":"999999999"}`
		}, want: "has a figure"},
		"a number in a refusal with a key twice": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel/totalsupply?format=json"] = `status 404 {"x":1,"x":1,"result":"999999999"}`
		}, want: "read differently"},
		"a number in a refusal that is a list": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel"] = `status 503 [{"totalSupply":"999999999"}]`
		}, want: "read differently"},
		"a number in a long refusal": {of: withdrawn, lie: func(_ *testing.T, s *service) {
			s.answer["/jewel"] = `status 503 {"totalSupply":"999999999","x":"` + strings.Repeat("x", maxRefusal) + `"}`
		}, want: "is longer than"},

		"another head at /log/": {lie: func(t *testing.T, s *service) {
			fork := honest(t, 3)
			fork.leaves[2] = tlog.Decision{Token: "jewel", Kind: "release", Reason: "another", At: demo.Start}.Leaf()
			s.answer["/log/checkpoint"] = string(fork.checkpoint(t))
		}, want: "forked"},
		"another head at the log's own address": {lie: func(t *testing.T, s *service) {
			fork := honest(t, 3)
			fork.leaves[2] = decided(supply.Release, "another")
			s.answer[s.head()] = string(fork.checkpoint(t))
		}, want: "do not lead to the root"},
		"another leaf at the log's own address": {lie: func(_ *testing.T, s *service) {
			s.answer["/log/"+s.address()+"/tile/entries/000.p/6"] = "x"
		}, want: "tile too short"},
		"another, smaller head at /log/ at first": {lie: func(t *testing.T, s *service) {
			fork := honest(t, 2)
			fork.leaves[2] = tlog.Decision{Token: "jewel", Kind: "release", Reason: "another", At: demo.Start}.Leaf()
			s.once = map[string]string{"/log/checkpoint": string(fork.checkpoint(t))}
		}, want: "forked"},
		"evidence of a withdrawn figure in another tree at first": {of: withdrawn, lie: func(t *testing.T, s *service) {
			fork := honest(t, 3)
			fork.leaves[2] = decided(supply.Release, "another")
			fork.handler(t)
			s.once = map[string]string{"/jewel/evidence": string(tlog.Encode(fork.proofs[0]))}
		}, want: "forked"},
		"an old head at /log/": {lie: func(t *testing.T, s *service) {
			s.answer["/log/checkpoint"] = s.earlier(t)
		}, want: "it has 5 leaves"},
		"another key at the log's own address": {lie: func(_ *testing.T, s *service) {
			key, _ := tlog.NewKey([32]byte{7}).Verifier(origin)
			s.answer["/log/"+s.address()+"/key"] = key
		}, want: "key"},
		"another key with the same hash": {lie: func(_ *testing.T, s *service) {
			s.anchor, _ = s.key.Verifier(origin)
			s.answer["/log/key"] = s.anchor[:len(s.anchor)-4] + "AAA="
		}, want: "another key"},
		"a snapshot of a token that is no path": {lie: func(t *testing.T, s *service) {
			newest, proofs, token, other := s.newest, s.proofs, demo.Tokens()[0], *measured(t)
			other.Token = "new, jewel"
			s.leaves = append(s.leaves, tlog.LedgerVersion{Token: other.Token, Ledger: s.ledger.Hash, Since: demo.Start}.Leaf())
			s.publish(t, &supply.Record{}, &token, &other, time.Hour)
			s.newest, s.proofs = newest, proofs
		}, want: `"new, jewel" cannot be the path of a token`},
		"a ledger that began twice": {lie: func(_ *testing.T, s *service) {
			s.leaves[2] = tlog.LedgerVersion{Token: "jewel", Ledger: s.ledger.Hash, Since: demo.Start.Add(time.Hour)}.Leaf()
		}, want: "announced before"},
		"a ledger that was used, shown as one that was not": {lie: func(_ *testing.T, s *service) {
			token := demo.Tokens()[0]
			token.Ledger = token.Ledger[:1]
			used := token.CurrentLedger()
			s.leaves[2] = tlog.LedgerVersion{Token: "jewel", Ledger: used.Hash, Since: demo.Start}.Leaf()
			s.ledger.Pending = &used
		}, want: "since"},
		"a ledger that no figure used": {lie: func(_ *testing.T, s *service) {
			s.announce(s.leaves)
		}, want: "no figure of jewel uses ledger"},
		"a ledger that the next figure does not use": {lie: func(_ *testing.T, s *service) {
			last := len(s.leaves) - 1
			s.announce(s.leaves[:last:last])
		}, want: "does not use ledger"},
		"a ledger from before the first figure": {lie: func(_ *testing.T, s *service) { // as a new log has it
			s.announce(s.leaves[:2:2])
		}},
		"a ledger that seems to begin a day earlier": {lie: func(_ *testing.T, s *service) {
			s.ledger.Since = new(demo.Start.In(time.FixedZone("", -23*3600)))
		}, want: "it applies since"},
		"an earlier ledger twice": {lie: func(_ *testing.T, s *service) {
			s.ledger.Earlier = []ledger.Version{s.ledger.Version}
		}, want: "twice"},

		"a log that grew": {lie: func(t *testing.T, s *service) {
			s.once = map[string]string{s.head(): s.earlier(t)}
		}},
		"a correction after the head that is served first": {lie: func(t *testing.T, s *service) {
			s.leaves = append(s.leaves, decided(supply.Correct, s.proofs[0].Snapshot))
			s.once = map[string]string{s.head(): s.earlier(t)}
		}, want: "marks the figures of jewel as wrong"},
		"an undoing after the head that is served first": {of: withdrawn, lie: func(t *testing.T, s *service) {
			s.leaves = append(s.leaves, decided(supply.UndoCorrect, s.proofs[0].Snapshot))
			s.once = map[string]string{s.head(): s.earlier(t)}
		}, want: "correction that the log does not have"},
		"a snapshot that was never in the log": {lie: func(_ *testing.T, s *service) {
			s.once = map[string]string{"/": strings.Replace(string(tlog.Encode(s.newest)), *s.newest[0].Snapshot,
				strings.Repeat("a", 64), 1)}
		}, want: "which is not in the log"},
		"a document of another token at first": {lie: func(t *testing.T, s *service) {
			newest, proofs, token, other := s.newest, s.proofs, demo.Tokens()[0], *measured(t)
			other.Token = "other"
			s.leaves = append(s.leaves, tlog.LedgerVersion{Token: "other", Ledger: s.ledger.Hash, Since: demo.Start}.Leaf())
			s.publish(t, &supply.Record{}, &token, &other, time.Hour)
			s.once = map[string]string{"/jewel": string(tlog.Encode(s.newest[0]))}
			s.newest, s.proofs = newest, proofs
		}, want: `of the token "other"`},
		"other figures of a snapshot that is newer than the head": {lie: func(t *testing.T, s *service) {
			s.once = map[string]string{s.head(): s.earlier(t), "/": strings.Replace(string(tlog.Encode(s.newest)),
				`"totalSupply":"`, `"totalSupply":"9`, 1)}
		}, want: "totalSupply"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t, 3)
			if row.of != nil {
				s = row.of(t)
			}
			if row.lie != nil {
				row.lie(t, s)
			}
			_, err := s.run(t, nil)
			_, isFault := errors.AsType[*Fault](err)
			if row.want == "" && err != nil || row.want != "" && (!isFault || !strings.Contains(err.Error(), row.want)) {
				t.Errorf("%v, want %q", err, row.want)
			}
		})
	}
}

// An audit that continues from a checkpoint also knows the earlier figures of a token that is in
// the list without one.
func TestAFigureBeforeTheCheckpoint(t *testing.T) {
	s := honest(t, 3)
	s.answer["/"] = string(tlog.Encode([]supply.Document{{Symbol: "JEWEL", Status: supply.Unavailable,
		Blocks: []supply.Block{}}}))
	if _, err := s.run(t, s.checkpoint(t)); err == nil || !strings.Contains(err.Error(), "there is a figure") {
		t.Error(err)
	}
}

// Every leaf of an earlier log is read.
func TestEveryLeafOfAnEarlierLog(t *testing.T) {
	s, before := successor(t, 8)
	before.leaves = append(before.leaves, honest(t, 300).leaves[8:]...)
	if _, err := s.run(t, nil); err != nil {
		t.Fatal(err)
	}
	before.served[290] = before.leaves[291]
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "leaf 290: it was rewritten") {
		t.Error(err)
	}
	maxLogs = 0
	defer func() { maxLogs = 50 }()
	if r, err := s.run(t, nil); err != nil || len(r.Previous) != 1 || !strings.Contains(r.Previous[0].Found, "not read") {
		t.Errorf("the earlier logs: %v, %+v", err, r.Previous)
	}
}

// One token's lines do not hide those of another.
func TestATokenDoesNotHideAnother(t *testing.T) {
	a := newAuditor(t.Context(), Config{})
	a.report.Compared = map[string]int{}
	many, one := &supply.Evidence{Token: "jewel"}, &supply.Evidence{Token: "jade"}
	var v supply.Verdict
	amount := ledger.Whole(1, 0)
	for i := range 3 * maxNamed {
		many.Entries = append(many.Entries, supply.EvidenceEntry{Entry: ledger.Entry{Label: fmt.Sprint(i), Amount: &amount}})
		v = append(v, supply.Finding{What: fmt.Sprintf("entry %q", fmt.Sprint(i)), Outcome: supply.Unproven})
	}
	one.Entries = many.Entries[:1]
	a.noteProof(many, &proof.Document{}, v)
	a.noteProof(one, &proof.Document{}, v[:1])
	u, d := a.report.Unproven, a.report.Declared
	if last := u[len(u)-1]; last.Token != "jade" || len(u) > 50 || !strings.Contains(d[len(d)-1], "jade") ||
		!strings.HasPrefix(u[len(u)-2].What, "29") {
		t.Errorf("unproven %+v, declared %q", u[max(0, len(u)-3):], d[max(0, len(d)-3):])
	}
}

// Many tokens do not hide that what is said of another one is not all in the report.
func TestManyTokensDoNotHideAnother(t *testing.T) {
	a := newAuditor(t.Context(), Config{})
	ev := func(token string, blocks uint64) *supply.Evidence {
		ev := &supply.Evidence{Token: token}
		for i := range blocks {
			ev.Chains = append(ev.Chains, supply.Block{Chain: token, ChainID: 1 + i})
		}
		return ev
	}
	for i := range maxNamed / 250 {
		a.noteProof(ev(fmt.Sprint(i), 250), &proof.Document{}, nil)
	}
	if len(a.report.Cut) > 0 {
		t.Errorf("%d blocks have room, but %q are cut", len(a.report.Blocks), a.report.Cut)
	}
	if a.noteProof(ev("jewel", 1), &proof.Document{}, nil); !slices.Equal(a.report.Cut, []string{"jewel"}) {
		t.Errorf("the block of jewel is not named, and %q are cut", a.report.Cut)
	}
	_ = a.whole(func() error { a.report.Cut = append(a.report.Cut, "jade"); return errDiffers })
	if len(a.report.Cut) != 2 {
		t.Errorf("a token was forgotten: %q", a.report.Cut)
	}
}

// Figures that were published during the audit are named, however much is not proven of other tokens.
func TestNewerFiguresAreNamedInALongReport(t *testing.T) {
	a := newAuditor(t.Context(), Config{})
	for i := range maxNamed {
		a.report.Unproven = append(a.report.Unproven, unproven{"jade", fmt.Sprint(i), "agreed"})
	}
	a.report.Served, a.done["jewel"] = []string{"jewel"}, "1"
	a.tokens["jewel"] = &newest{Logged: supply.Logged{ID: "3"}}
	a.noteNewer(map[string]string{"jewel": "2"})
	u := a.report.Unproven
	if last := u[len(u)-2:]; last[0].Token != "jewel" || last[1].Token != "jewel" {
		t.Errorf("the last lines are %+v", last)
	}
}

// Entries whose labels differ only at the end are all named.
func TestLabelsThatBeginAlike(t *testing.T) {
	s, token, one := honest(t, 0), demo.Tokens()[0], ledger.Whole(1, 18)
	token.Ledger = append(token.Ledger, ledger.Entry{Bucket: ledger.Reserved, Amount: &one},
		ledger.Entry{Bucket: ledger.Reserved, Amount: &one})
	for i := range token.Ledger {
		token.Ledger[i].Label = fmt.Sprintf("%s%02d", strings.Repeat(`"`, 198), i)
	}
	m := supply.Measure(t.Context(), []ledger.Token{token}, demo.Chains(demo.Start), demo.Start)[0]
	if m.Err != nil {
		t.Fatal(m.Err)
	}
	version := token.CurrentLedger()
	version.Since = new(demo.Start)
	s.ledger = token.LedgerDocument([]ledger.Version{version}, version.Hash)
	s.leaves[1] = tlog.LedgerVersion{Token: "jewel", Ledger: version.Hash, Since: demo.Start}.Leaf()
	s.publish(t, &supply.Record{}, &token, m.Snapshot, 0)
	d := proof.Document{Format: proof.Format, Snapshot: s.proofs[0].Snapshot}
	declared := 0
	for _, x := range s.proofs[0].Entries {
		known := proof.Agreed(2, 3)
		if x.Entry.Amount != nil {
			known = proof.Declared
			declared++
		}
		d.Entries = append(d.Entries, proof.Entry{Label: x.Entry.Label, Known: known})
	}
	for _, path := range []string{"/jewel/proof", "/jewel/proof?snapshot=" + d.Snapshot} {
		s.answer[path] = string(tlog.Encode(d))
	}
	r, err := s.run(t, nil)
	if read := len(d.Entries) - declared; err != nil || len(r.Declared) != declared || len(r.Agreed) != read ||
		len(r.Unproven) != read+len(s.proofs[0].Chains) {
		t.Errorf("%v, %d of %d entries declared, %q, agreed %q, unproven %q", err, declared, len(d.Entries), r.Declared,
			r.Agreed, r.Unproven)
	}
}

// A correction of a token is not one of another token, although the symbols of both begin alike.
func TestSymbolsThatBeginAlike(t *testing.T) {
	for end, fits := range map[string]bool{"": true, "2": false} {
		s, token := honest(t, 0), demo.Tokens()[0]
		token.Symbol = strings.Repeat("A", 90)
		m := supply.Measure(t.Context(), []ledger.Token{token}, demo.Chains(demo.Start), demo.Start)[0]
		s.ledger.Symbol = token.Symbol
		s.publish(t, &supply.Record{}, &token, m.Snapshot, 0)
		s.withdraw(demo.Start.Add(time.Hour))
		s.answer["/"] = strings.ReplaceAll(s.answer["/"], "JEWEL", token.Symbol+end)
		_, err := s.run(t, nil)
		if fits != (err == nil) || !fits && !strings.Contains(err.Error(), "a correction of") {
			t.Errorf("%q: %v", end, err)
		}
	}
}

// The hash of the block before is named too, because no proof may show it.
func TestTheBlockBefore(t *testing.T) {
	s, token, base := honest(t, 0), demo.Tokens()[0], measured(t)
	ev := *base.Evidence
	ev.Chains = slices.Clone(ev.Chains)
	ev.Chains[0].Parent = [32]byte{99}
	base.Evidence = &ev
	s.publish(t, &supply.Record{}, &token, base, 0)
	if r, err := s.run(t, nil); err != nil || !strings.Contains(fmt.Sprint(r.Blocks), ev.Chains[0].Parent.Hex()) {
		t.Errorf("%v, blocks %q", err, r.Blocks)
	}
}

// A token whose figures were withdrawn after they were compared is not among the proven ones.
func TestAWithdrawnTokenIsNotProven(t *testing.T) {
	a := newAuditor(t.Context(), Config{})
	for _, token := range []string{"jade", "jewel"} {
		a.tokens[token], a.done[token] = &newest{Logged: supply.Logged{ID: token}}, token
		a.report.Proven = append(a.report.Proven, token)
	}
	a.report.Served = []string{"jade"}
	if a.noteNewer(a.done); !slices.Equal(a.report.Proven, a.report.Served) {
		t.Error(a.report.Proven)
	}
}

// Whatever is altered, added or renamed in a JSON answer, the audit finds it, or names the member
// among those that it does not compare.
func TestEveryMemberIsCompared(t *testing.T) {
	for name, s := range map[string]*service{"served": honest(t, 2), "withdrawn": withdrawn(t)} {
		t.Run(name, func(t *testing.T) {
			transport := &answers{honest: map[string]*http.Response{}, bodies: map[string][]byte{}}
			s.transport = transport
			if _, err := s.run(t, nil); err != nil {
				t.Fatal(err)
			}
			s.transport = nil
			for path, body := range transport.bodies {
				refused := transport.honest[path].StatusCode != http.StatusOK
				if strings.HasPrefix(path, "/log/") || !json.Valid(body) {
					continue
				}
				for _, m := range mutants(body) {
					if refused && (m.member != "correction" || !bytes.Contains(m.body, []byte(`"correction"`))) {
						continue // otherwise the words of refusals are not compared
					}
					transport.bodies[path] = m.body
					r, err := Run(t.Context(), Config{URL: "http://service.test", Client: &http.Client{Transport: transport}})
					if _, found := errors.AsType[*Fault](err); !found && !slices.Contains(r.NotCompared, m.member) {
						t.Errorf("%s: %s is altered, and %v, %q", path, m.member, err, r.NotCompared)
					}
				}
				transport.bodies[path] = body
			}
		})
	}
}

// answers records a service's answers, and then gives them again without it.
type answers struct {
	http.RoundTripper
	honest map[string]*http.Response
	bodies map[string][]byte
}

func (a *answers) RoundTrip(q *http.Request) (*http.Response, error) {
	path := q.URL.RequestURI()
	if _, known := a.honest[path]; !known && a.RoundTripper != nil {
		resp, err := a.RoundTripper.RoundTrip(q)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		if a.bodies[path], err = io.ReadAll(resp.Body); err != nil {
			return nil, err
		}
		a.honest[path] = resp
	}
	resp := http.Response{StatusCode: http.StatusNotFound}
	if known := a.honest[path]; known != nil {
		resp = *known
	}
	resp.Body = io.NopCloser(bytes.NewReader(a.bodies[path]))
	return &resp, nil
}

// A mutant is a document with one value or name altered, and the member around it.
type mutant struct {
	member string
	body   []byte
}

// mutants alters each value and name once, of elements of an array only the first.
func mutants(body []byte) (out []mutant) {
	seen := map[string]bool{}
	d := json.NewDecoder(bytes.NewReader(body))
	var members []string // of the values around this one; "": an array
	isName := false      // the next token of an object is a name
	for {
		start := d.InputOffset()
		token, err := d.Token()
		if err != nil {
			return out
		}
		for ; strings.ContainsRune(" ,:\n", rune(body[start])); start++ {
		}
		put := func(member, now string) {
			place := fmt.Sprint(members, isName, member)
			if !seen[place] {
				out = append(out, mutant{member, slices.Concat(body[:start], []byte(now), body[d.InputOffset():])})
			}
			seen[place] = true
		}
		inObject := len(members) > 0 && members[len(members)-1] != ""
		switch text, isText := token.(string); {
		case token == json.Delim('{'):
			put("unknown", `{"unknown":1,`)
			members, isName = append(members, "object"), true
			continue
		case token == json.Delim('['):
			members, isName = append(members, ""), false
			continue
		case token == json.Delim('}'), token == json.Delim(']'):
			members = members[:len(members)-1]
		case inObject && isName:
			put(text, `"other"`)
			members[len(members)-1], isName = text, false
			continue
		case isText:
			put(named(members), string(tlog.Encode(text+"1")))
		case token == nil:
			put(named(members), "1")
		default:
			put(named(members), "null")
		}
		isName = len(members) > 0 && members[len(members)-1] != ""
	}
}

// named returns the member that a value belongs to: the outermost one.
func named(members []string) string {
	for _, m := range members {
		if m != "" {
			return m
		}
	}
	return ""
}

// Headers of honest proxies are no lie.
func TestEncodings(t *testing.T) {
	for media, plain := range map[string]bool{"": true, "text/plain": true, "application/json; charset=UTF-8": true,
		`text/plain; charset="utf8"`: true, "text/plain; charset=utf-7": false,
		"text/plain; charset=utf-8; charset=utf-7": false} {
		header := http.Header{"Content-Type": {media}, "Content-Encoding": {"identity"}}
		if (Encoding(header) == "") != plain {
			t.Errorf("%q: the encoding is %q", media, Encoding(header))
		}
	}
}

// A token without a maximum has no answer of 200 there, whatever its text is.
func TestNoTextIsAMissingFigure(t *testing.T) {
	for _, text := range []string{"", "no figure", "0", "null"} {
		if sameFigure(nil, []byte(text), false) == nil || sameFigure(nil, []byte(`{"result":"`+text+`"}`), true) == nil {
			t.Errorf("%q is taken for no figure", text)
		}
	}
}
