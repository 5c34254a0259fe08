package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petsupply/internal/supply/proof"
	"petsupply/testkit/liar"
)

// A provenService publishes two tokens of a real chain that makes no blocks by itself. gem is
// proven except for a declared amount, and odd has an entry that cannot be proven. It also has a
// closed realm.
type provenService struct {
	*running
	dir   string
	where []string
}

func newProvenService(t *testing.T) *provenService {
	t.Helper()
	g := newGem(t, false)
	views, err := g.node.Deploy(t.Context(), "Views")
	must(t, err)
	must(t, g.node.Mine(t.Context(), 1))
	s := &provenService{dir: t.TempDir()}
	config := filepath.Join(s.dir, "petsupply.yaml")
	must(t, os.WriteFile(config, fmt.Appendf(nil, `
refresh: {every: 1s, hold_for: 1h}
chains:
  second: {id: 53935, rpc: ["%s"], finality: latest, blocks: on-demand}
tokens:
  - path: gem
    symbol: GEM
    name: Gem
    decimals: 18
    ledger:
      - {label: Minted, bucket: issued, chain: second, erc20: "%[2]s"}
      - {label: Held, bucket: reserved, chain: second, erc20: "%[2]s", holder: "%[3]s"}
      - {label: Promised, bucket: issued, amount: "7"}
  - path: odd
    symbol: ODD
    name: Odd
    decimals: 0
    ledger:
      - {label: Value, bucket: issued, chain: second, call: "value()", to: "%[4]s"}
      - {label: By gas, bucket: issued, chain: second, call: "gasEnough()", to: "%[4]s"}
realms:
  - {key: gone, name: Gone, offset: 0, getter: v1, closed: true}
`, g.node.URL, g.coin.Hex(), g.node.Accounts[1].Hex(), views.Hex()), 0o600))
	s.where = []string{"--config", config, "--data", s.dir}
	s.serve(t)
	return s
}

// serve starts the service, and waits until everything is published, logged and proven.
func (s *provenService) serve(t *testing.T) {
	t.Helper()
	s.running = start(t, s.where...)
	for _, token := range []string{"gem", "odd"} {
		within(t, time.Minute, "evidence and proof of "+token, func() bool {
			_, _, evidence := fetch(t, s.supply+"/"+token+"/evidence")
			code, _, _ := fetch(t, s.supply+"/"+token+"/proof")
			return code == http.StatusOK && bytes.Contains(evidence, []byte(`"inclusion":`))
		})
	}
}

// audit audits the service.
func (s *provenService) audit(t *testing.T, args ...string) (int, string) {
	t.Helper()
	code, out, errs := call(t, append([]string{"audit", s.supply}, args...)...)
	return code, out + errs
}

// If a service lies about proofs, audit and verify find the lie, or say that the hidden part is
// not proven.
func TestAuditFindsLiesAboutProofs(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newProvenService(t)
	if code, out := s.audit(t); code != exitOK || !strings.Contains(out, "proven: gem") ||
		!strings.Contains(out, `not proven: odd, entry "By gas"`) ||
		!strings.Contains(out, `not read: gem, entry "Promised": 7`) {
		t.Fatalf("an honest service with an entry that cannot be proven: exit %d\n%s", code, out)
	}
	if code, out, _ := call(t, "verify", "--json", s.supply+"/odd/evidence"); code != exitUnreached ||
		!strings.Contains(out, `"ok": false`) {
		t.Errorf("verify --json: exit %d\n%s", code, out)
	}
	if _, _, page := fetch(t, s.site+"/token/gem"); bytes.Count(page, []byte("<td>proven</td>")) != 2 {
		t.Errorf("the page of gem does not say what is proven:\n%s", page)
	}
	var ids [2]struct{ Snapshot string }
	for i, token := range []string{"gem", "odd"} {
		_, _, body := fetch(t, s.supply+"/"+token)
		must(t, json.Unmarshal(body, &ids[i]))
	}
	at := "/gem/proof?snapshot=" + ids[0].Snapshot // the service lies here and at the address of the latest proof
	_, _, oddProof := fetch(t, s.supply+"/odd/proof")
	replace := func(old, now string) func([]byte) []byte {
		return func(body []byte) []byte { return bytes.Replace(body, []byte(old), []byte(now), 1) }
	}
	for said, want := range map[string]string{"agreed by 99 of 99": `odd, entry "By gas": agreed by 99 of 99`,
		"agreed by 9 of 1": "NO: ", "agreed by -1 of 1": "NO: "} {
		known := &liar.Lie{At: "/odd/proof", Also: "/odd/proof?snapshot=" + ids[1].Snapshot,
			Alter: replace(`"known":"agreed by 1 of 1"`, `"known":"`+said+`"`)}
		if _, out, _ := call(t, "audit", liar.Start(t, s.supply, known)); !strings.Contains(out, want) {
			t.Errorf("%s: want %q\n%s", said, want, out)
		}
	}
	altered := func(alter func(d *proof.Document, c *proof.Chain)) func([]byte) []byte {
		return func(body []byte) []byte {
			var d proof.Document
			must(t, json.Unmarshal(body, &d))
			alter(&d, &d.Chains[0])
			text, err := json.Marshal(d)
			must(t, err)
			return text
		}
	}
	const seen = "NO"
	notProven := map[string]int{"audit": exitOK, "verify": exitUnreached} // their exit codes
	for name, row := range map[string]struct {
		lie           *liar.Lie
		audit, verify string // words in the output of each
	}{
		"another return": {&liar.Lie{At: at, Alter: replace(`"return":"0x0`, `"return":"0x1`)}, seen, seen},
		"a node too many": {&liar.Lie{At: at,
			Alter: altered(func(_ *proof.Document, c *proof.Chain) { c.Nodes = append(c.Nodes, []byte{0xc0}) })},
			seen, seen},
		"a call too many": {&liar.Lie{At: at, Alter: altered(func(_ *proof.Document, c *proof.Chain) {
			c.Calls = append(c.Calls, proof.Call{To: c.Calls[0].To, Data: []byte{1, 2, 3, 4}})
		})}, seen, seen},
		"another chain": {&liar.Lie{At: at,
			Alter: altered(func(_ *proof.Document, c *proof.Chain) { c.ChainID++ })}, seen, seen},
		"a node less": {&liar.Lie{At: at,
			Alter: altered(func(_ *proof.Document, c *proof.Chain) { c.Nodes = c.Nodes[1:] })},
			"not proven: gem", "not proven  entry"},
		"another return without its node": {&liar.Lie{At: at, Alter: altered(func(_ *proof.Document, c *proof.Chain) {
			c.Calls[0].Return[31] ^= 1
			c.Nodes = c.Nodes[1:]
		})}, seen, seen},
		"calls of nobody": {&liar.Lie{At: at,
			Alter: altered(func(_ *proof.Document, c *proof.Chain) { c.Calls = nil })}, seen, ""},
		"no chains": {&liar.Lie{At: at, Alter: altered(func(d *proof.Document, _ *proof.Chain) { d.Chains = nil })},
			"not proven: gem", "not proven  chain"},
		"no proof": {&liar.Lie{At: at, Status: http.StatusNotFound,
			Alter: func([]byte) []byte { return []byte("none") }}, "the service has no proof of this snapshot",
			"answers 404"},
		"a proof of another":    {&liar.Lie{At: at, Alter: replace(ids[0].Snapshot, ids[1].Snapshot)}, seen, seen},
		"another token's proof": {&liar.Lie{At: at, Alter: func([]byte) []byte { return oddProof }}, seen, seen},
		"proven what is declared": {&liar.Lie{At: at, Alter: replace(`"known":"declared"`, `"known":"proven"`)}, seen,
			seen},
		"an entry less in the proof": {&liar.Lie{At: at,
			Alter: replace(`,{"label":"Promised","known":"declared"}`, ``)}, seen, seen},
		"a larger total in the evidence": {&liar.Lie{At: "/gem/evidence",
			Alter: replace(`"1007"`, `"9007"`)}, seen, seen},
		"an inclusion elsewhere": {&liar.Lie{At: "/gem/evidence",
			Alter: replace(`\nindex `, `\nindex 1`)}, seen, seen},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if row.lie.At == at {
				row.lie.Also = "/gem/proof"
			}
			liarAt := liar.Start(t, s.supply, row.lie)
			says := func(want string, args ...string) {
				t.Helper()
				code, out, errs := call(t, args...)
				switch {
				case want == seen && (code != exitNo || !strings.Contains("\n"+out, "\n"+seen)):
					t.Errorf("%s: exit %d\n%s%s", args[0], code, out, errs)
				case want == "" && code == exitOK: // a document that cannot be read
					t.Errorf("%s: exit %d\n%s%s", args[0], code, out, errs)
				case want != seen && want != "" && (code != notProven[args[0]] || !strings.Contains(out+errs, want)):
					t.Errorf("%s: exit %d, want %q\n%s%s", args[0], code, want, out, errs)
				}
			}
			says(row.audit, "audit", liarAt)
			says(row.verify, "verify", liarAt+"/gem/evidence")
		})
	}
}

// An honest service passes the audit also after a correction, a new key, or a restored older store.
func TestHonestServicesPassTheAudit(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newProvenService(t)
	holds := func(what string, words []string, args ...string) {
		t.Helper()
		code, out := s.audit(t, args...)
		if strings.Contains(out, ". It has ") {
			t.Errorf("%s: an earlier log has something that a later one lacks\n%s", what, out)
		}
		for _, word := range append(words, "Nothing that was compared is false") {
			if code != exitOK || !strings.Contains(out, word) {
				t.Errorf("%s: exit %d, want %q\n%s", what, code, word, out)
			}
		}
	}
	key := func() string {
		_, _, text := fetch(t, s.supply+"/log/key")
		return strings.TrimSpace(string(text))
	}
	kept := filepath.Join(t.TempDir(), "kept")
	first := key()
	holds("as it began", nil, "--since", kept, "--key", first)
	s.stop()
	backup := t.TempDir()
	must(t, os.CopyFS(backup, os.DirFS(s.dir)))
	s.serve(t)
	var odd struct{ Snapshot string }
	_, _, body := fetch(t, s.supply+"/odd")
	must(t, json.Unmarshal(body, &odd))
	if code, out, errs := call(t, append([]string{"correct", odd.Snapshot, "--reason", "an entry <R&D> was missing"},
		s.where...)...); code != exitOK {
		t.Fatalf("correct: exit %d\n%s%s", code, out, errs)
	}
	within(t, time.Minute, "the correction in the log", func() bool {
		code, out := s.audit(t, "--since", kept)
		return code == exitOK && strings.Contains(out, "petsupply-decision/1")
	})

	// The store of the morning is restored, but not the checkpoint file.
	s.stop()
	stores, err := filepath.Glob(filepath.Join(backup, "*.db"))
	must(t, err)
	for _, file := range stores {
		text, err := os.ReadFile(file)
		must(t, err)
		must(t, os.WriteFile(filepath.Join(s.dir, filepath.Base(file)), text, 0o600))
	}
	for _, old := range []string{"-wal", "-shm"} {
		for _, file := range stores {
			os.Remove(filepath.Join(s.dir, filepath.Base(file)+old))
		}
	}
	s.serve(t)
	within(t, time.Minute, "another log", func() bool { return key() != first })
	second := key()
	holds("with a restored store", []string{"previous log: ", "the next log names 6 leaves, and 5 were read"},
		"--key", second)
	if code, out := s.audit(t, "--since", kept); code != exitNo || !strings.Contains(out, second) {
		t.Errorf("from the checkpoint of the lost leaves on: exit %d\n%s", code, out)
	}

	// The service gets another key.
	s.stop()
	files, err := filepath.Glob(filepath.Join(s.dir, "*.log-key"))
	must(t, err)
	for _, file := range files {
		must(t, os.Remove(file))
	}
	s.serve(t)
	within(t, time.Minute, "another log", func() bool { return key() != second })
	third := key()
	holds("with a new key", []string{"the next log names 5 leaves, and 5 were read"}, "--key", third)
	code, out := s.audit(t, "--key", second)
	if code != exitNo || !strings.Contains(out, "the service now publishes in another log, with the key ") ||
		!strings.Contains(out, third) {
		t.Errorf("with the old key: exit %d\n%s", code, out)
	}
	if first == second || second == third {
		t.Errorf("the keys are %s, %s, %s", first, second, third)
	}
}
