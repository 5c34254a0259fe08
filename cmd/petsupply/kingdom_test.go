package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"petsupply/testkit/faultproxy"
)

// must fails the test if err is not nil.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// noneWrong fails the test if the caller got a wrong answer.
func (x *faultyService) noneWrong(t *testing.T) {
	t.Helper()
	if wrong := append(x.wrong, x.lies...); len(wrong) > 0 {
		t.Errorf("%d wrong answers, such as %s", len(wrong), wrong[0])
	}
}

// allTrue reports whether every token shows a true figure.
func (x *faultyService) allTrue() bool {
	for path := range x.truth.tokens {
		if v := x.now[path]; v == nil || v.lie {
			return false
		}
	}
	return true
}

// A service that has never reached its nodes answers 503, never 0 or a word.
func TestNoFigureBeforeTheFirstSuccess(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newMovingKingdom(t)
	for _, f := range []func() faultproxy.Fault{faultproxy.Refused, faultproxy.Broken, faultproxy.RPCError,
		func() faultproxy.Fault { return faultproxy.Empty(1) }} {
		with := shortTimings
		with.refuse = maxLag // may be long, because no figure of the kingdom changes
		x := s.faultyService(t, 1, 1, with)
		x.fail(f)
		x.open(t)
		must(t, x.until(t.Context(), "two refreshes", x.refreshed(t.Context(), 2)))
		if code, _, said := fetch(t, x.ops+"/readyz"); code == http.StatusOK {
			t.Errorf("%s: it calls itself ready: %s", f(), said)
		}
		if len(x.refused) != len(x.truth.tokens) || len(x.seen) > 0 {
			t.Errorf("%s: refused %v, served %v", f(), x.refused, x.shown())
		}
		x.fail(faultproxy.None)
		must(t, x.until(t.Context(), "the first figures", x.allTrue))
		x.noneWrong(t)
		x.stop()
	}
}

// While all nodes and a refresh hang, all requests are answered, and none of them reaches a node.
func TestNoRequestWaitsForAChainOrReachesOne(t *testing.T) {
	with := shortTimings
	// the refresh hangs for as long as the test lasts
	with.stale = time.Hour
	with.refuse = 2 * time.Hour
	with.timeout = time.Minute
	x := newMovingKingdom(t).faultyService(t, 1, 1, with).open(t)
	must(t, x.until(t.Context(), "the first figures", x.allTrue))
	x.reset()
	x.fail(faultproxy.Hang)
	asked := func() (n int) {
		for _, proxies := range x.proxies {
			n += proxies[0].Requests()
		}
		return n
	}
	since := map[string]int{}
	for chain, proxies := range x.proxies {
		since[chain] = proxies[0].Requests()
	}
	// The first request to each chain hangs, and no other follows.
	within(t, waitLimit, "a refresh that hangs", func() bool {
		for chain, proxies := range x.proxies {
			if since[chain] > 0 && proxies[0].Requests() == since[chain] { // no token is on the chain with 0
				return false
			}
		}
		return true
	})
	before := asked()
	done := x.refreshed(t.Context(), 1)
	done()
	for range 20 {
		must(t, x.askAll(t.Context()))
	}
	if done() {
		t.Error("the refresh did not hang")
	}
	if n := asked(); n != before {
		t.Errorf("%d questions reached a node", n-before)
	}
	if len(x.refused) > 0 || !x.allTrue() {
		t.Errorf("refused %v, served %v", x.refused, x.shown())
	}
	x.noneWrong(t)
}

var returns = regexp.MustCompile(`"return":\s*"0x[0-9a-f]{63}([0-9a-f])"`)
var hashes = regexp.MustCompile(`"hash":\s*"0x[0-9a-f]*([0-9])`)

// A consumer with other nodes confirms our evidence, whatever has happened since. A changed digit
// in an entry is found.
func TestVerifyOnSecondNodes(t *testing.T) {
	s := newMovingKingdom(t)
	with := shortTimings
	with.refuse = maxLag // nothing happens in the kingdom
	x := s.faultyService(t, 1, 1, with).open(t)
	must(t, x.until(t.Context(), "the first figures", x.allTrue))
	evidence := map[string][]byte{}
	for path := range s.truth.tokens {
		var code int
		code, _, evidence[path] = fetch(t, x.supply+"/"+path+"/evidence")
		if code != http.StatusOK {
			t.Fatalf("the evidence of %s: %d", path, code)
		}
	}
	for range 10 {
		must(t, s.step(t.Context()))
	}
	var nodes []string
	for _, c := range s.Chains {
		nodes = append(nodes, fmt.Sprintf("--rpc=%d=%s", c.ID, c.TestCopy(t).URL))
	}
	for path, text := range evidence {
		file := filepath.Join(t.TempDir(), path)
		verify := func(text []byte) (int, string) {
			t.Helper()
			must(t, os.WriteFile(file, text, 0o600))
			code, out, errs := call(t, append([]string{"verify", file}, nodes...)...)
			return code, out + errs
		}
		if code, out := verify(text); code != exitOK {
			t.Errorf("%s: exit %d\n%s", path, code, out)
		}
		found := returns.FindAllSubmatchIndex(text, -1)
		entry := 0
		for _, e := range s.truth.tokens[path].Ledger {
			if e.Chain == "" {
				continue
			}
			altered := append([]byte{}, text...)
			digit := &altered[found[entry][2]]
			*digit = map[bool]byte{true: '1', false: '0'}[*digit == '0']
			entry++
			code, out := verify(altered)
			no := regexp.MustCompile(`(?m)^NO +entry "` + regexp.QuoteMeta(e.Label) + `"`)
			if code != exitNo || !no.MatchString(out) {
				t.Errorf("%s with another digit in %q: exit %d\n%s", path, e.Label, code, out)
			}
		}
		if entry == 0 || entry != len(found) {
			t.Errorf("%s: %d entries, %d returns", path, entry, len(found))
		}
		altered := append([]byte{}, text...)
		altered[hashes.FindSubmatchIndex(text)[2]] ^= 1 // the result is still a digit
		if code, out := verify(altered); code != exitNo || !regexp.MustCompile(`(?m)^NO +chain`).MatchString(out) {
			t.Errorf("%s with another block hash: exit %d\n%s", path, code, out)
		}
	}
}
