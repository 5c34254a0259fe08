package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"petsupply/internal/supply/tlog"
	"petsupply/internal/web/openapi"
	"petsupply/testkit/liar"
)

// audit finds the changes of a dishonest operator in the answers of a real service, one for each kind
// of address. Package audit has the table of all tricks.
func TestAuditFindsLies(t *testing.T) {
	t.Parallel() // it mostly waits
	r := start(t, "--data", t.TempDir())
	honest := &liar.Lie{At: "/", Header: func(http.Header) {}}
	if code, out, _ := call(t, "audit", liar.Start(t, r.supply, honest)); code != exitOK {
		t.Fatalf("through an honest proxy: exit %d\n%s", code, out)
	}
	replace := func(old, now string) func([]byte) []byte {
		return func(body []byte) []byte { return []byte(strings.Replace(string(body), old, now, 1)) }
	}
	size := logSize(t, r.supply)
	_, _, key := fetch(t, r.supply+"/log/key")
	log := "/log/" + tlog.Address(strings.TrimSpace(string(key)))
	for name, lie := range map[string]*liar.Lie{
		"a figure": {At: "/jewel/totalsupply", Alter: func([]byte) []byte { return []byte("999999999") }},
		"a header of a figure": {At: "/jewel/totalsupply",
			Header: func(h http.Header) { h.Set("Supply-Snapshot", strings.Repeat("a", 64)) }},
		"a figure that is missing": {At: "/jewel/totalsupply", Status: http.StatusNotFound},
		"the list":                 {At: "/", Alter: replace(`"totalSupply":"`, `"totalSupply":"9`)},
		"a proof":                  {At: "/jewel/proof", Alter: replace(`"declared"`, `"proven"`)},
		"a ledger":                 {At: "/jewel/ledger", Alter: replace(`"bucket":"reserved"`, `"bucket":"burned"`)},
		"a head": {At: log + "/checkpoint",
			Alter: func(body []byte) []byte { return body[:len(body)/2] }},
		"leaves": {At: log + "/tile/entries/000.p/" + size,
			Alter: replace(`"token":"jewel"`, `"token":"jewem"`)},
		"hashes": {At: log + "/tile/0/000.p/" + size,
			Alter: func(body []byte) []byte { body[0] ^= 1; return body }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, out, _ := call(t, "audit", liar.Start(t, r.supply, lie))
			if code != exitNo || !strings.Contains(out, "\nNO: ") {
				t.Errorf("exit %d\n%s", code, out)
			}
		})
	}
}

// audit prints five beliefs, and all of them with --json. A name and a status are among them.
func TestAuditNamesWhatItCannotCheck(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	lie := func() *liar.Lie {
		return &liar.Lie{At: "/", Alter: func(body []byte) []byte {
			return []byte(strings.Replace(string(body), `"name":"Jewel"`, `"name":"Gold"`, 1))
		}}
	}
	code, out, _ := call(t, "audit", liar.Start(t, r.supply, lie()))
	_, beliefs, _ := strings.Cut(out, "You still have to believe")
	if code != exitOK || strings.Count(beliefs, "\n- ") != mainBeliefs || !strings.Contains(out, "This is a demo") {
		t.Errorf("exit %d\n%s", code, out)
	}
	code, out, _ = call(t, "audit", "--json", liar.Start(t, r.supply, lie()))
	for _, belief := range []string{"the names and symbols of tokens, their status", "that others see the same log",
		"that this key belongs to the operator", "that the ledgers are right", "the words of errors", "media types",
		"that their blocks were the newest then", "operators decided something", "answers about the past",
		"corrections of earlier logs", "neither in the list nor in the log", "in other encodings"} {
		if code != exitOK || !strings.Contains(out, belief) {
			t.Errorf("exit %d, want %q\n%s", code, belief, out)
		}
	}
	moved := &liar.Lie{At: "/jewel/totalsupply", Status: http.StatusFound,
		Header: func(h http.Header) { h.Set("Location", "/jewel/?q=total") },
		Alter:  func([]byte) []byte { return []byte("999999999") }}
	if code, out, _ := call(t, "audit", liar.Start(t, r.supply, moved)); code != exitUnreached ||
		!strings.Contains(out, "redirects to") {
		t.Errorf("a figure in the body of a redirect: exit %d\n%s", code, out)
	}
	away := &liar.Lie{At: "/jewel", Status: http.StatusInternalServerError}
	if code, out, _ = call(t, "audit", liar.Start(t, r.supply, away)); code != exitUnreached ||
		!strings.Contains(out, "could not be read") {
		t.Errorf("a service that is away: exit %d\n%s", code, out)
	}
	site := strings.TrimSuffix(r.supply, "/supply")
	if code, out, errs := call(t, "audit", site); code != exitOK || !strings.Contains(out, "newest: ") {
		t.Errorf("the address of the site: exit %d\n%s%s", code, out, errs)
	}
}

// A key that is none is a wrong call. An empty file must not mean that no key is checked. Neither is
// the service to blame for a file that has no checkpoint.
func TestAKeyOfALogMustBeOne(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(empty, []byte("\n"), 0o600))
	if code, out, errs := call(t, "audit", "http://127.0.0.1:1", "--since", empty); code != exitUsage {
		t.Errorf("--since with an empty file: exit %d\n%s%s", code, out, errs)
	}
	for _, key := range []string{empty, "a+b+c"} {
		for _, command := range []string{"audit", "verify"} {
			if code, out, errs := call(t, command, "http://127.0.0.1:1", "--key", key); code != exitUsage {
				t.Errorf("%s --key %s: exit %d\n%s%s", command, key, code, out, errs)
			}
		}
	}
}

// The words of audit and verify may be shared, so they do not have the password of the address.
func TestAuditHidesThePassword(t *testing.T) {
	code, out, errs := call(t, "audit", "--json", "http://user:secret@127.0.0.1:1")
	if code != exitUnreached || !strings.Contains(out, "user:xxxxx@") || strings.Contains(out+errs, "secret") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	for _, address := range []string{
		"http://user:secret@host:x/jewel", "http://user:secret@a b/", "http://user:secret/",
	} {
		for _, command := range []string{"audit", "verify"} {
			if code, out, errs := call(t, command, address); code != exitUsage || strings.Contains(out+errs, "secret") {
				t.Errorf("%s: exit %d\n%s%s", command, code, out, errs)
			}
		}
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	address := strings.Replace(server.URL, "http://", "http://user:secret@", 1) + "/jewel/evidence"
	_, out, errs = call(t, "verify", address)
	if !strings.Contains(errs, "user:xxxxx@") || strings.Contains(out+errs, "secret") {
		t.Errorf("verify:\n%s%s", out, errs)
	}
}

// verify of an address finds evidence of another token or snapshot, and in another encoding. It names
// the token of a file.
func TestVerifyComparesTheAddress(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	_, _, jewel := fetch(t, r.supply+"/jewel/evidence")
	var newest struct{ Previous string }
	must(t, json.Unmarshal(jewel, &newest))
	_, _, older := fetch(t, r.supply+"/jewel/evidence?snapshot="+newest.Previous)
	other := "/jewel/evidence?snapshot=" + strings.Repeat("a", 64)
	for name, row := range map[string]struct {
		lie  *liar.Lie
		want string
	}{
		"another token": {&liar.Lie{At: "/crystal/evidence", Alter: func([]byte) []byte { return jewel }},
			`the evidence is for another token, "jewel"`},
		"another token, in capitals": {&liar.Lie{At: "/CRYSTAL/Evidence", Alter: func([]byte) []byte { return jewel }},
			`the evidence is for another token, "jewel"`},
		"another token in a copy": {&liar.Lie{At: "/crystal/evidence.json", Status: http.StatusOK,
			Alter: func([]byte) []byte { return jewel }}, `the evidence is for another token, "jewel"`},
		"another snapshot": {&liar.Lie{At: other, Status: http.StatusOK, Alter: func([]byte) []byte { return jewel },
			Header: func(h http.Header) { h.Set("Content-Type", "application/json") }},
			"the evidence is for another snapshot"},
		"an older snapshot": {&liar.Lie{At: "/jewel/evidence", Alter: func([]byte) []byte { return older }},
			"and that there are no newer ones"},
		"another encoding": {&liar.Lie{At: "/jewel/evidence",
			Header: func(h http.Header) { h.Set("Content-Encoding", "br") }}, "its encoding is"},
		"of a moment": {&liar.Lie{At: "/jewel/evidence?at=2026-01-01", Status: http.StatusOK,
			Alter: func([]byte) []byte { return jewel }}, `that this is the evidence for "at=2026-01-01"`},
	} {
		code, out, errs := call(t, "verify", liar.Start(t, r.supply, row.lie)+row.lie.At, r.supply+"/jewel/proof")
		if code == exitOK || !strings.Contains(out+errs, row.want) {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errs)
		}
	}
	if code, out, errs := call(t, "verify", r.supply+"/jewel"); !strings.Contains(out, "agree, 0 are false") {
		t.Errorf("the address of the token: exit %d\n%s%s", code, out, errs)
	}
	if code, out, errs := call(t, "verify", r.supply+"/JEWEL/Evidence"); !strings.Contains(out, "agree, 0 are false") {
		t.Errorf("an address in capitals: exit %d\n%s%s", code, out, errs)
	}
	saved := &liar.Lie{At: "/evidence.json", Status: http.StatusOK, Alter: func([]byte) []byte { return jewel },
		Header: func(h http.Header) { h.Set("Content-Type", "application/json") }}
	_, out, errs := call(t, "verify", liar.Start(t, r.supply, saved)+saved.At, r.supply+"/jewel/proof")
	if !strings.Contains(out, "agree, 0 are false") {
		t.Errorf("an address that names no token:\n%s%s", out, errs)
	}
	file := filepath.Join(t.TempDir(), "evidence")
	must(t, os.WriteFile(file, jewel, 0o644))
	if _, out, errs := call(t, "verify", file, r.supply+"/jewel/proof"); !strings.Contains(out, `the token "jewel"`) {
		t.Errorf("of a file:\n%s%s", out, errs)
	}
}

// audit reads every operation of the specification, with each listed value of its parameters. It
// names the operations that it does not compare.
func TestAuditReadsEveryOperation(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	var mu sync.Mutex
	var asked []*url.URL
	recorder := &liar.Lie{At: "/", Header: func(http.Header) {}, Asked: func(address string) {
		mu.Lock()
		defer mu.Unlock()
		at, err := url.Parse(address)
		must(t, err)
		asked = append(asked, at)
	}}
	code, out, _ := call(t, "audit", "--json", liar.Start(t, r.supply, recorder))
	if code != exitOK {
		t.Fatalf("exit %d\n%s", code, out)
	}
	believed := map[string]string{"tokenHistory": "history", "openapiJson": "the specification",
		"openapiYaml": "the specification", "at": "answers about the past"}
	unread := map[string]string{"logTile": "the log is shorter than a full tile"}
	for _, op := range operationsOf(t, openapi.Supply(openapi.Service{})) {
		other := func(at *url.URL) bool { return !matchesPath(op.Path, at.Path) }
		matches := slices.DeleteFunc(slices.Clone(asked), other)
		switch words, named := believed[op.ID]; {
		case named && !strings.Contains(out, words):
			t.Errorf("%s is not read, and the summary does not have %q", op.ID, words)
		case named, unread[op.ID] != "":
			continue
		case len(matches) == 0:
			t.Errorf("%s (%s) is neither read nor named", op.ID, op.Path)
		}
		for _, p := range op.Parameters {
			values := append([]string{""}, p.Schema.Enum...)
			if words, named := believed[p.Name]; p.In != "query" || named && strings.Contains(out, words) {
				continue
			}
			for _, value := range values {
				if !slices.ContainsFunc(matches, func(at *url.URL) bool {
					return at.Query().Has(p.Name) && (value == "" || at.Query().Get(p.Name) == value)
				}) {
					t.Errorf("%s is not read with %s=%s", op.ID, p.Name, value)
				}
			}
		}
	}
}

// matchesPath reports whether a path matches the pattern of an operation.
func matchesPath(pattern, path string) bool {
	parts := strings.Split(strings.Trim(pattern, "/"), "/")
	words := strings.Split(strings.Trim(path, "/"), "/")
	if n := len(parts); len(words) > n && strings.HasPrefix(parts[n-1], "{") && strings.Contains(pattern, "tile") {
		words = append(words[:n-1], strings.Join(words[n-1:], "/"))
	}
	return slices.EqualFunc(parts, words, func(part, word string) bool {
		before, _, variable := strings.Cut(part, "{")
		return part == word || variable && strings.HasPrefix(word, before)
	})
}
