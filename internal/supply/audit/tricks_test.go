package audit

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

const day = 24 * time.Hour

// A trick of a dishonest operator or proxy. The audit names the address and the difference, or holds
// because the report says what must be believed.
type trick struct {
	play  play
	where string // the fault begins with it; "" means a belief
	what  string // the fault contains it
}

// A play changes a service, and returns what it changes in the audit.
type play func(t *testing.T, s *service) []func(*Config)

// plays is a trick with the service.
func plays(change func(s *service)) play {
	return func(_ *testing.T, s *service) []func(*Config) { change(s); return nil }
}

// answers plays a trick with the answers at one address.
func answers(target, old, now string) play {
	return func(t *testing.T, s *service) []func(*Config) { s.alter(t, target, old, now); return nil }
}

// says replaces the whole answer at an address.
func says(target, body string) play { return plays(func(s *service) { s.answer[target] = body }) }

// rewrites changes the answer at an address.
func rewrites(target string, change func(body string) string) play {
	return plays(func(s *service) {
		body, _ := s.honestly(target)
		s.answer[target] = change(body)
	})
}

// cuts leaves out the rest of an answer from a text on.
func cuts(target, from string) play {
	return rewrites(target, func(body string) string { return body[:strings.Index(body, from)] + "}" })
}

// logs adds a leaf.
func logs(leaf func(s *service) []byte) play {
	return plays(func(s *service) { s.leaves = append(s.leaves, leaf(s)) })
}

// decides adds a decision about the newest figures of jewel in the name of a token.
func decides(kind supply.DecisionKind, token string) play {
	return plays(func(s *service) { s.decide(kind, token, s.newest(), demo.Start) })
}

// header adds a field to the header at an address.
func header(target, name, value string) play {
	return plays(func(s *service) { s.header[target] = http.Header{name: {value}} })
}

// as answers at an address as another service does.
func (s *service) as(other *service, target string) {
	body, fields := other.honestly(target)
	s.answer[target] = body
	s.header[target] = http.Header{}
	for _, f := range fields {
		s.header[target].Set(f[0], f[1])
	}
}

// shortened returns the service as it was when its log had that many leaves.
func (s *service) shortened(leaves int) *service {
	old := s.clone()
	old.leaves = s.leaves[:leaves]
	return old
}

// fork replaces a leaf that every reader has seen.
func fork(s *service) {
	s.leaves = slices.Clone(s.leaves)
	s.leaves[7] = tlog.Decision{Token: "jewel", Kind: string(supply.Accept), Subject: supply.Heights, Reason: "another",
		At: demo.Start}.Leaf()
}

// forked returns the service with another log.
func (s *service) forked() *service {
	other := s.clone()
	fork(other)
	return other
}

// newest returns the id of the newest snapshot of jewel.
func (s *service) newest() string { return s.token("jewel").state.Snapshot.ID }

// keeps makes the audit continue from the head of the honest service, before the trick.
func keeps(change func(s *service)) play {
	return func(_ *testing.T, s *service) []func(*Config) {
		kept := s.checkpoint()
		change(s)
		return []func(*Config){since(kept)}
	}
}

// served is a service with three tokens, three figures of each, and a proof.
func served(t *testing.T) *service {
	s := honest(t, tokens(3)...)
	s.decide(supply.Accept, "jewel", supply.Heights, demo.Start)
	for i := range 2 {
		s.refresh(t, time.Duration(i+1)*day)
	}
	return s.prove("jewel")
}

func withdrawn(t *testing.T) *service {
	return served(t).correct("jewel", demo.Start.Add(3*day), supply.Wrong)
}

// Tricks with the answers and the log of a service that serves figures.
var tricks = map[string]trick{
	// Other figures than the log has.
	"a bare total": {says("/jewel/totalsupply", "999"), "/jewel/totalsupply",
		`it is "999", but its snapshot`},
	"a bare circulating":   {says("/jewel/circulatingsupply", "999"), "/jewel/circulatingsupply", `it is "999"`},
	"a bare maximum":       {says("/t1/maxsupply", "999"), "/t1/maxsupply", `it is "999"`},
	"a bare burned supply": {says("/jewel/burnedsupply", "0"), "/jewel/burnedsupply", `it is "0"`},
	"a figure in JSON": {says("/jewel/totalsupply?format=json", `{"result":"9"}`),
		"/jewel/totalsupply?format=json", `\"9\"`},
	"a second JSON result": {answers("/jewel/totalsupply?format=json", `{`, `{"result":"9",`),
		"/jewel/totalsupply?format=json", "9"},
	"a figure by a query":  {says("/jewel?q=total", "999"), "/jewel?q=total", `it is "999"`},
	"by its whole name":    {says("/jewel/?q=lockedsupply", "999"), "/jewel/?q=lockedsupply", `it is "999"`},
	"a figure with spaces": {answers("/jewel/totalsupply", "1", " 1"), "/jewel/totalsupply", `it is " 1`},
	"a figure with an end": {rewrites("/jewel/totalsupply", func(b string) string { return b + "0" }),
		"/jewel/totalsupply", "it is"},
	"one figure is missing": {says("/jewel/totalsupply", "status 404"), "/jewel/totalsupply", "nothing there"},
	"one document only": {answers("/jewel/", `"totalSupply":"`, `"totalSupply":"9`), "/jewel/",
		`"totalSupply":"9`},
	"a block of a document":  {answers("/jewel", `"number":`, `"number":1`), "/jewel", `"number":1`},
	"the time of a document": {answers("/jewel", `"asOf":"2026`, `"asOf":"2027`), "/jewel", `"asOf":"2027`},
	"a ledger's hash":        {answers("/jewel", `"ledger":"`, `"ledger":"0`), "/jewel", `"ledger":"0`},
	"an invented correction": {answers("/jewel", `{"symbol"`,
		`{"correction":{"reason":"x","at":"2026-01-01T00:00:00Z"},"symbol"`), "/jewel", "correction"},
	"the list": {answers("/", `"totalSupply":"`, `"totalSupply":"9`), theList + ", jewel",
		`"totalSupply":"9`},
	"the list's symbol":      {answers("/", `"symbol":"JEWEL"`, `"symbol":"JADE"`), theList + ", jewel", "JADE"},
	"a list without a token": {says("/", "[]"), theList, "jewel has figures: true; in the list: false"},
	"a list with one twice": {rewrites("/", func(b string) string { return b[:len(b)-1] + "," + b[1:] }), theList,
		"it has jewel twice"},
	"a list without a snapshot": {answers("/", `"snapshot":"`, `"snapshot":null,"was":"`), theList,
		`but should be "symbol":"JEWEL"`},
	"a correction in the list of another token": {rewrites("/",
		func(b string) string { return listed(b, &supply.Correction{Reason: "x"}) }),
		theList, `a correction of "NEW"`},
	"a figure of a token that the list has without one": {plays(func(s *service) {
		b, _ := s.honestly("/")
		s.answer["/"] = listed(b, nil)
		s.answer["/new/totalsupply"] = "5"
	}), "/new/totalsupply", `it is "5", but names no snapshot`},

	// Other forms of the right figures, which other programs read differently.
	"a key twice": {answers("/jewel", `{"symbol"`, `{"totalSupply":"1","symbol"`), "/jewel",
		`"totalSupply":"1"`},
	"a key in another case": {answers("/jewel", `{"symbol"`, `{"totalsupply":"1","symbol"`), "/jewel",
		`"totalsupply":"1"`},
	"a key twice in a list": {answers("/", `{"symbol"`, `{"totalSupply":"1","symbol"`), theList, "totalSupply"},
	"a number for a text":   {answers("/jewel", `"decimals":18`, `"decimals":1.8e1`), "/jewel", "names no snapshot"},
	"a padded document": {rewrites("/jewel", func(b string) string { return b + strings.Repeat(" ", 200_000) }),
		"/jewel", "longer than"},
	"an encoding": {header("/jewel/totalsupply", "Content-Encoding", "br"), "/jewel/totalsupply",
		`its encoding is "br"`},
	"evidence in two cases": {answers("/jewel/evidence", `"figures":{`, `"FIGURES":{},"figures":{`), "/jewel/evidence",
		"occurs twice"},
	"a name that is no text": {answers("/jewel", `"name":"J`, "\"name\":\"\xc0"), "/jewel", "name"},

	// Snapshots that an answer does not belong to.
	"a stolen id of another token": {plays(func(s *service) { s.answer["/jewel"], _ = s.honestly("/t1") }), "/jewel",
		"was not the newest"},
	"an id of no snapshot": {header("/jewel/totalsupply", "Supply-Snapshot", "x"), "/jewel/totalsupply",
		"was not the newest"},
	"two ids": {plays(func(s *service) {
		s.header["/jewel/totalsupply"] = http.Header{"Supply-Snapshot": {s.newest(), s.newest()}}
	}), "/jewel/totalsupply", "its header Supply-Snapshot"},
	"an invented id": {answers("/jewel", `"snapshot":"`, `"snapshot":"`+strings.Repeat("a", 64)+`","was":"`),
		"/jewel", "was not the newest"},
	"another time in a header": {header("/jewel/totalsupply", "Supply-As-Of", "2030-01-01T00:00:00Z"),
		"/jewel/totalsupply", "Supply-As-Of"},
	"an old figure":            {oldAnswers("/jewel/totalsupply"), "/jewel/totalsupply", "was not the newest"},
	"an old document":          {oldAnswers("/jewel"), "/jewel", "was not the newest"},
	"an old entry of the list": {oldAnswers("/"), theList, "was not the newest"},
	"old evidence":             {oldAnswers("/jewel/evidence"), "/jewel/evidence", "was not the newest"},
	"figures that are too old": {maxAge(time.Hour), "age", "more than 1h0m0s ago"},
	"an unsigned figure":       {unlogged, "/jewel", "is not signed yet"},
	"evidence of another token": {answers("/jewel/evidence", `"token":"jewel"`, `"token":"t1"`), "/jewel/evidence",
		"another token"},
	"another return": {answers("/jewel/evidence", `"return":"0x0`, `"return":"0x1`), "/jewel/evidence",
		"the evidence: "},
	"evidence by its id": {plays(func(s *service) {
		target := "/jewel/evidence?snapshot=" + s.newest()
		b, _ := s.honestly(target)
		s.answer[target] = strings.Replace(b, `"totalSupply":"`, `"totalSupply":"9`, 1)
	}), "/jewel/evidence?snapshot=", "total"},
	"evidence without an inclusion": {cuts("/jewel/evidence", `,"inclusion"`), "/jewel/evidence", "no inclusion"},
	"evidence with a correction": {rewrites("/jewel/evidence", func(b string) string {
		return strings.TrimSuffix(b, "}") + `,"correction":{"reason":"x","at":"2026-01-01T00:00:00Z"}}`
	}), "/jewel/evidence", `a correction that the log does not have: "x"`},
	"a proof that says more": {answers("/jewel/proof", `"declared"`, `"proven"`), "/jewel/proof", "declared"},
	"a proof of nothing":     {says("/jewel/proof", "{}"), "/jewel/proof", "format"},
	"another proof by its id": {plays(func(s *service) {
		s.answer["/jewel/proof?snapshot="+s.newest()] = `{"format":"petsupply-proof/1","snapshot":"x","entries":[]}`
	}), "/jewel/proof?snapshot=", "is not the id"},

	// Ledgers.
	"an entry of the ledger": {answers("/jewel/ledger", `"bucket":"reserved"`, `"bucket":"burned"`), "/jewel/ledger",
		"has another hash"},
	"since when": {answers("/jewel/ledger", `"since":"2026`, `"since":"2025`), "/jewel/ledger",
		"but the log says since 2026"},
	"a ledger of another": {answers("/jewel/ledger", `"token":"jewel"`, `"token":"t1"`), "/jewel/ledger",
		"its token is wrong"},
	"a ledger that seems unused": {plays(func(s *service) {
		d := s.token("jewel").state.Ledger
		d.Version.Since = nil
		s.answer["/jewel/ledger"] = string(tlog.Encode(d))
	}), "/jewel/ledger", `has no "since"`},
	"a ledger twice": {plays(func(s *service) {
		d := s.token("jewel").state.Ledger
		d.Earlier = append(d.Earlier, d.Version)
		s.answer["/jewel/ledger"] = string(tlog.Encode(d))
	}), "/jewel/ledger", "is there twice"},
	"a hidden ledger": {plays(func(s *service) {
		hidden := s.token("jewel").token
		hidden.MaxSupply = nil
		leaf := tlog.LedgerVersion{Token: "jewel", Ledger: hidden.LedgerHash(), Since: demo.Start}.Leaf()
		s.leaves = slices.Insert(slices.Clone(s.leaves), 1, leaf)
	}), "/jewel/ledger", "is missing"},
	"a ledger that no figure uses": {logs(func(*service) []byte {
		return tlog.LedgerVersion{Token: "jewel", Ledger: strings.Repeat("a", 64), Since: demo.Start}.Leaf()
	}), "the log", "no figure of jewel uses ledger"},
	"a ledger announced twice": {logs(func(s *service) []byte { return s.leaves[1] }), "leaf ", "announced before"},

	// Corrections.
	"wrong figures are still served": {decides(supply.Wrong, "jewel"),
		"/jewel", "marks the figures of snapshot"},
	"wrong figures under another token": {decides(supply.Wrong, "t1"),
		"leaf ", "names another token"},
	"released under another token": {plays(func(s *service) {
		p := s.token("jewel")
		s.publish(p, p.state.Snapshot, demo.Start.Add(4*day))
		s.decide(supply.Right, "t1", s.newest(), demo.Start)
		last := s.leaves[len(s.leaves)-2:]
		slices.Reverse(last) // a held snapshot is released before it is published
	}), "leaf ", "names another token"},
	"taken back under another token": {plays(func(s *service) {
		s.decide(supply.Wrong, "jewel", s.newest(), demo.Start)
		s.decide(supply.Right, "t1", s.newest(), demo.Start)
	}), "leaf ", "names another token"},
	"wrong figures are published again": {plays(func(s *service) {
		p := s.token("jewel")
		s.decide(supply.Wrong, "jewel", s.newest(), demo.Start)
		s.publish(p, p.state.Snapshot, demo.Start.Add(4*day))
	}), "leaf ", "it repeats the figures"},
	"wrong figures under their later snapshot": {plays(func(s *service) {
		p := s.token("jewel")
		first := s.newest()
		s.publish(p, p.state.Snapshot, demo.Start.Add(4*day))
		s.decide(supply.Wrong, "jewel", first, demo.Start)
	}), "leaf ", "it marks figures as wrong that snapshot"},
	"a decision about nothing": {plays(func(s *service) { s.decide(supply.Wrong, "jewel", "", demo.Start) }),
		"leaf ", "not about a snapshot"},
	"a decision of no known kind": {decides("corrected", "jewel"),
		"leaf ", "unknown kind of decision"},

	// The log.
	"a forked log":    {keeps(fork), "consistency", "forked or rewritten"},
	"a shortened log": {keeps(func(s *service) { s.leaves = s.leaves[:len(s.leaves)-1] }), "/log/", "leaves, and had"},
	"a rewritten leaf": {plays(func(s *service) { s.answer[s.tile0()] = s.tileWith(4, s.leaves[6]) }), "the log",
		"hash mismatch"},
	"other hashes": {plays(func(s *service) {
		target := strings.Replace(s.tile0(), "entries", "0", 1)
		s.answer[target] = strings.Repeat("x", 32*len(s.leaves))
	}), "the log", "tiles do not lead"},
	"a removed leaf": {plays(func(s *service) { s.leaves = slices.Delete(slices.Clone(s.leaves), 8, 9) }), "leaf ",
		"it says that it follows"},
	"an older measurement": {plays(func(s *service) {
		p := s.token("jewel")
		s.publish(p, p.state.Snapshot, demo.Start.Add(3*day))
		s.publish(p, older(p), demo.Start.Add(4*day))
	}), "leaf ", "earlier than a figure"},
	"a second beginning": {logs(func(s *service) []byte { return s.leaves[0] }), "leaf ", "the first leaf"},
	"a stale head": {plays(func(s *service) { s.as(s.shortened(7), "/log/checkpoint") }), "/log/checkpoint",
		"it has 7 leaves"},
	"a stale head everywhere": {plays(func(s *service) {
		s.as(s.shortened(7), "/log/checkpoint")
		s.as(s.shortened(7), "/log/"+s.address()+"/checkpoint")
	}), "/jewel", "is not signed yet"},
	"another head for others": {plays(func(s *service) { s.as(s.forked(), "/log/checkpoint") }), "consistency",
		"forked"},
	"another head for others, once": {plays(func(s *service) {
		s.as(s.shortened(9).forked(), "/log/checkpoint")
		s.once["/log/checkpoint"] = true
	}), "consistency", "forked"},
	"an inclusion in another tree": {plays(func(s *service) { s.as(s.forked(), "/jewel/evidence") }), "consistency",
		"forked"},
	"two logs": {plays(func(s *service) {
		other := *s
		other.key = tlog.NewKey([32]byte{8})
		key, _ := other.key.Verifier(origin)
		s.answer["/log/"+s.address()+"/key"] = key
	}), "/log/", "it is another key"},
	"an unsigned head": {answers("/log/checkpoint", "— example.org/log ", "— example.org/log AA"), "/log/checkpoint",
		"signatures of the checkpoint"},
	"another log than the owner's": {func(*testing.T, *service) []func(*Config) {
		key, _ := tlog.NewKey([32]byte{77}).Verifier(origin)
		return []func(*Config){func(c *Config) { c.Key = key }}
	}, "the log", "not the owner's"},
	"a log before that is another": {restarts((*service).forked), "consistency", "forked"},

	// Lies for a moment.
	"a withdrawn lie": {brief("/jewel/totalsupply", "999"), "/jewel/totalsupply", `it is "999"`},
	"a withdrawn lie in the list": {briefly("/", `"totalSupply":"`, `"totalSupply":"9`), theList + ", jewel",
		`"totalSupply":"9`},
	"a withdrawn lie in the evidence": {briefly("/jewel/evidence", `"return":"0x0`, `"return":"0x1`), "/jewel/evidence",
		"the evidence: "},
	"a withdrawn snapshot": {briefly("/", `"snapshot":"`,
		`"snapshot":"`+strings.Repeat("a", 64)+`","was":"`), theList, "was not the newest"},
	"a lie at the second reading": {func(_ *testing.T, s *service) []func(*Config) {
		asked := 0
		return []func(*Config){func(c *Config) {
			next := c.Client.Transport
			c.Client = &http.Client{Transport: roundTrip(func(q *http.Request) (*http.Response, error) {
				if q.URL.RequestURI() == "/t2/totalsupply" {
					asked++
					s.answer["/t2/totalsupply"] = "status 503"
					if asked > 1 {
						s.answer["/t2/totalsupply"] = "999"
					}
				}
				return next.RoundTrip(q)
			})}
		}}
	}, "/t2/totalsupply", `it is "999"`},

	// What must be believed.
	"a name":                      {answers("/jewel", `"name":"Jewel"`, `"name":"Gold"`), "", ""},
	"a status":                    {answers("/jewel", `"status":"demo"`, `"status":"held"`), "", ""},
	"the words of an error":       {says("/jade/totalsupply", "status 503"), "", ""},
	"a media type":                {header("/jewel/totalsupply", "Content-Type", "text/html"), "", ""},
	"a status in a header":        {header("/jewel/totalsupply", "Supply-Status", "stale"), "", ""},
	"spaces in a document":        {answers("/jewel", `{"symbol"`, `{ "symbol"`), "", ""},
	"how many nodes agreed":       {answers("/jewel/proof", "agreed by 1 of 1", "agreed by 3 of 3"), "", ""},
	"another address":             {says("/jewel/price", "5"), "", ""},
	"a log before that is gone":   {restarts(func(*service) *service { return nil }), "", ""},
	"leaves of a log before lost": {restarts(func(s *service) *service { return s.shortened(5) }), "", ""},
}

// listed adds a token without figures to a list.
func listed(list string, c *supply.Correction) string {
	e := tlog.Encode(supply.Document{Symbol: "NEW", Blocks: []supply.Block{}, Correction: c})
	return strings.TrimSuffix(list, "]") + "," + string(e) + "]"
}

// restarts begins another log, and changes the one before.
func restarts(change func(before *service) *service) play {
	return plays(func(s *service) {
		before := change(s.clone())
		*s = *s.restart(demo.Start.Add(4*day), 9)
		s.before = before
	})
}

// oldAnswers serves the answer of a month ago at an address.
func oldAnswers(target string) play {
	return func(t *testing.T, s *service) []func(*Config) {
		old := s.clone()
		s.refresh(t, 3*day)
		s.refresh(t, 4*day)
		s.as(old, target)
		return nil
	}
}

// maxAge limits the age of figures.
func maxAge(d time.Duration) play {
	return func(*testing.T, *service) []func(*Config) { return []func(*Config){func(c *Config) { c.MaxAge = d }} }
}

// unlogged publishes figures without the log.
func unlogged(t *testing.T, s *service) []func(*Config) {
	leaves := s.leaves
	s.refresh(t, 3*day)
	s.leaves = leaves
	return nil
}

// brief answers so only once. briefly alters an answer once.
func brief(target, body string) play {
	return plays(func(s *service) { s.answer[target], s.once[target] = body, true })
}

func briefly(target, old, now string) play {
	return func(t *testing.T, s *service) []func(*Config) {
		s.alter(t, target, old, now)
		s.once[target] = true
		return nil
	}
}

// older returns the newest snapshot of a token as of an earlier time.
func older(p *published) *supply.Snapshot {
	n := *p.state.Snapshot
	n.AsOf = demo.Start
	ev := *n.Evidence
	ev.AsOf = demo.Start
	n.Evidence = &ev
	return &n
}

func (s *service) tile0() string {
	return fmt.Sprintf("/log/%s/tile/entries/000.p/%d", s.address(), len(s.leaves))
}

// tileWith returns the tile of leaves, with another leaf at an index.
func (s *service) tileWith(index int, leaf []byte) string {
	other := *s
	other.leaves = slices.Clone(s.leaves)
	other.leaves[index] = leaf
	return other.logFile(strings.TrimPrefix(s.tile0(), "/log/"))
}

// Tricks with figures that the operator withdrew.
var tricksWithdrawn = map[string]trick{
	"none":                          {plays(func(*service) {}), "", ""},
	"a figure at one address":       {says("/jewel/totalsupply", "5"), "/jewel/totalsupply", "marks the figures"},
	"the right figure":              {revived("/jewel/totalsupply"), "/jewel/totalsupply", "marks the figures"},
	"the right document":            {revived("/jewel"), "/jewel", "marks the figures"},
	"a page at the token's address": {says("/jewel", "<!doctype html>5"), "/jewel", "names no snapshot"},
	"another reason in the list":    {answers("/", "was missing", "was stolen"), theList, "was stolen"},
	"another time in the list":      {answers("/", `"at":"2026`, `"at":"2017`), theList, "a correction"},
	"another symbol in the list":    {answers("/", `"JEWEL"`, `"NEW"`), theList, `a correction of "NEW"`},
	"another reason in the evidence": {answers("/jewel/evidence", "was missing", "was stolen"), "/jewel/evidence",
		"was stolen"},
	"evidence without a correction": {cuts("/jewel/evidence", `,"correction"`), "/jewel/evidence",
		"marks the figures"},
	"a figure in the list": {plays(func(s *service) {
		p := s.token("jewel")
		shown := p.state
		shown.Status, shown.Correction = supply.Demo, nil
		s.answer["/"] = string(tlog.Encode([]supply.Document{shown.Document(), s.tokens[1].state.Document(),
			s.tokens[2].state.Document()}))
	}), theList, "marks the figures"},
	"a ledger of another time": {answers("/jewel/ledger", `"since":"2026`, `"since":"2025`), "/jewel/ledger",
		"but the log says"},
	"a proof of nothing":    {says("/jewel/proof", "{}"), "/jewel/proof", "format"},
	"the words of an error": {says("/jewel/totalsupply", "status 503 999999"), "", ""},
}

// revived serves the withdrawn figure at an address.
func revived(target string) play {
	return plays(func(s *service) {
		shown := s.clone()
		shown.correct("jewel", demo.Start, supply.Right)
		s.as(shown, target)
	})
}

// Every trick is found, or the report says what must be believed.
func TestTricks(t *testing.T) {
	for _, table := range []struct {
		tricks map[string]trick
		begin  func(t *testing.T) *service
		wrong  []string // tokens whose newest figures the log marks as wrong
	}{{tricks, served, []string{}}, {tricksWithdrawn, withdrawn, []string{"jewel"}}} {
		for name, trick := range table.tricks {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := table.begin(t)
				r, err := once(t, s, trick.play(t, s)...)
				trick.check(t, r, err)
				if err == nil && !slices.Equal(r.Wrong, table.wrong) {
					t.Errorf("wrong according to the log: %q", r.Wrong)
				}
			})
		}
	}
	if len(tricks) < 40 {
		t.Errorf("only %d tricks", len(tricks))
	}
}

func (x trick) check(t *testing.T, r Report, err error) {
	t.Helper()
	f, isFault := err.(*Fault) // not one in another error
	switch {
	case x.where == "" && x.what == "":
		if err != nil {
			t.Errorf("a belief is a fault: %v", err)
		}
	case !isFault:
		t.Errorf("nobody notices; %v, tried again: %q", err, r.Retried)
	case !strings.HasPrefix(f.Where, x.where) || !strings.Contains(f.Error(), x.what):
		t.Errorf("want %s: %s; got %v", x.where, x.what, err)
	}
}
