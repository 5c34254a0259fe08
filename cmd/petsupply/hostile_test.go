package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/process"
	"petsupply/testkit/stubnode"
)

// hostile clears the screen in two ways, reverses the direction of text, and forges a line.
const hostile = "\x1b[2J\u009b2J\x7f\u202e\rx\nok  forged"

// TestNothingForeignReachesATerminalUnescaped: no command prints a control character or a forged
// line, whatever a file, a server or a node says.
func TestNothingForeignReachesATerminalUnescaped(t *testing.T) {
	server := hostileServer(t)
	refuses := hostileNode(t, false)
	lies := hostileNode(t, true)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	config := func(node string) string {
		return file(filepath.Base(node)+".yaml", `
chains:
  second: {id: 53935, rpc: ["`+node+`"], finality: latest, multicall: none}
tokens:
  - {path: gem, symbol: GEM, name: Gem, decimals: 18, ledger: [{label: Minted, bucket: issued, chain: second, erc20: "0x00000000000000000000000000000000000000B1"}]}
realms:
  - {key: gone, name: Gone, offset: 0, getter: v1, closed: true}
  - {key: second, name: Second, offset: 1000000000000, chain: second, getter: v2, contract: "0x00000000000000000000000000000000000000B2"}
`)
	}
	home := func(name string) string { return map[string]string{"XDG_DATA_HOME": dir}[name] }
	quoted, err := json.Marshal(hostile)
	must(t, err)
	text := string(quoted)
	file("pack/pack.json", `{"format":"petpack/2","`+"\u009b"+`":1}`)
	file("named/pack.json", `{"format":"petpack/2","id":`+text+`,"name":`+text+`,"licence":`+text+
		`,"grid":90,"scale":1,"slots":[]}`)
	file("files/pack.json", `{"format":"petpack/2","id":"a","version":"1","name":`+text+
		`,"licence":"CC0-1.0","grid":90,"scale":1,"credits":[],"slots":[{"name":"pet","files":["{egg}.png"]}]}`)
	file("files/dictionary.json", `{"eggs":[`+text+`],`+text+`:1}`)
	file("files/0.png", hostile)
	file("files/0"+strings.ReplaceAll(hostile, "/", "")+".png", hostile)
	file("copy/provenance.json", "{}")
	file("copy/data/head.json", `{"format":`+text+`,`+text+`:1}`)
	flags := func(node string, args ...string) []string {
		return append(args, "--config", config(node), "--data", dir)
	}
	for _, args := range [][]string{
		{"verify", file("evidence.json", `{"format":"petsupply-evidence/2","`+"\u202e\u009b"+`":1}`)},
		{"verify", file("format.json", `{"format":`+text+`}`)},
		{"verify", server + "/phrase"},
		{"verify", server},
		{"audit", server},
		{"check", server},
		{"check", server, "--json"},
		{"health", server},
		{"health", server + "/phrase"},
		{"pack", "lint", filepath.Join(dir, "pack")},
		{"pack", "lint", filepath.Join(dir, "named")},
		{"pack", "lint", filepath.Join(dir, "files")},
		{"pack", "sheet", filepath.Join(dir, "files"), "-o", filepath.Join(dir, "sheet")},
		{"config", "check", file("petsupply.yaml", "chains:\n  \"\\e[2J\\n\": {id: 1, \u009b: 2}\n")},
		{"config", "check", "--online", "--data", dir, config(refuses)},
		{"config", "check", "--online", "--data", dir, config(lies)},
		{"init", "--rpc", refuses, "--token", "0x00000000000000000000000000000000000000B1", "-o",
			filepath.Join(dir, "new.yaml")},
		{"init", "--rpc", lies, "--token", "0x00000000000000000000000000000000000000B1", "-o", "-"},
		{"init", "--rpc", lies, "--pets", "0x00000000000000000000000000000000000000B2", "-o", "-"},
		flags(refuses, "measure", "gem"),
		flags(lies, "measure", "gem"),
		flags(refuses, "import", file("pets.jsonl", `{"id":`+text+`,`+text+`:1}`+"\n"+hostile+"\n")),
		flags(refuses, "release", "gem", "--reason", hostile),
		flags(refuses, "correct", hostile, "--reason", hostile),
		{"freeze", "-o", filepath.Join(dir, "frozen"), "--config", file("no.yaml", text)},
		{"--" + hostile},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run(t.Context(), args, home, strings.NewReader(""), &out, &errs)
			shown := out.String() + errs.String()
			if shown == "" {
				t.Errorf("code %d and nothing said", code)
			}
			if at := strings.IndexFunc(shown, func(r rune) bool {
				return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
			}); at >= 0 {
				t.Errorf("a control character: %q", shown[at:])
			}
			given := strings.Join(args, " ") // the caller wrote it
			if strings.Contains(shown, "\nok  forged") && !strings.Contains(given, "\nok  forged") {
				t.Errorf("a forged line:\n%s", shown)
			}
		})
	}
}

// If a server sends other data instead of evidence or a log, verify and audit end soon with an
// explanation, and take little memory.
func TestHostileAnswersEndWithAnExplanation(t *testing.T) {
	zeros := make([]byte, 64<<10)
	endless := func(w io.Writer, begin string) {
		_, err := io.WriteString(w, begin)
		for err == nil {
			_, err = w.Write(zeros)
		}
	}
	for name, row := range map[string]struct {
		answer http.HandlerFunc
		words  string
	}{
		"a page":          {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "<html>") }, "not "},
		"an endless text": {func(w http.ResponseWriter, r *http.Request) { endless(w, "[") }, "l(ong|arg)er than"},
		"a bomb": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			endless(z, `{"a":"`)
		}, "l(ong|arg)er than"},
		"endless headers": {func(w http.ResponseWriter, r *http.Request) { endlessHeaders(t, w) }, "header"},
		"a redirect to itself": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path,
				http.StatusFound)
		}, "redirects to"},
		"a redirect to a file": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		}, "redirects to file"},
		"a redirect away": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://127.0.0.2:1/", http.StatusFound)
		}, "redirects to http://127.0.0.2:1/"},
		"half an answer": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "{")
		}, "EOF"},
		"deep lists": {func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, strings.Repeat("[", 1<<20)) },
			"nested more than|longer than"},
		"many keys": {func(w http.ResponseWriter, r *http.Request) { manyKeys(w, 500_000) }, "more than|longer than"},
	} {
		for _, command := range []string{"audit", "verify"} {
			t.Run(command+" "+name, func(t *testing.T) {
				server := httptest.NewServer(row.answer)
				defer server.Close()
				var code int
				var shown string
				peak := process.PeakHeap(func() {
					var out, errs bytes.Buffer
					path := map[string]string{"verify": "/gem/evidence"}[command]
					code = run(t.Context(), []string{command, server.URL + path}, os.Getenv,
						strings.NewReader(""), &out, &errs)
					shown = out.String() + errs.String()
				})
				if code != exitNo && code != exitUnreached || !regexp.MustCompile(row.words).MatchString(shown) {
					t.Errorf("exit %d, want %q in\n%.500s", code, row.words, shown)
				}
				if peak > 100<<20 {
					t.Errorf("%d MB", peak>>20)
				}
			})
		}
	}
}

func endlessHeaders(t *testing.T, w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	must(t, err)
	defer conn.Close()
	_, err = fmt.Fprint(conn, "HTTP/1.1 200 OK\r\n")
	for line := "X: " + strings.Repeat("x", 32<<10) + "\r\n"; err == nil; {
		_, err = io.WriteString(conn, line)
	}
}

func manyKeys(w io.Writer, n int) {
	sep := "{"
	for i := range n {
		if _, err := fmt.Fprintf(w, `%s"%d":0`, sep, i); err != nil {
			return
		}
		sep = ","
	}
	io.WriteString(w, "}")
}

// hostileServer answers everything with text that controls a terminal.
func hostileServer(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/phrase") {
			conn, _, err := w.(http.Hijacker).Hijack()
			must(t, err)
			fmt.Fprint(conn, "HTTP/1.1 418 \x1b[2J\x9bok forged\r\nContent-Length: 0\r\n\r\n")
			conn.Close()
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(r.URL.Path, "/log") || strings.HasSuffix(r.URL.Path, "readyz") {
			io.WriteString(w, hostile)
			return
		}
		json.NewEncoder(w).Encode([]map[string]string{{
			"symbol": hostile, "totalSupply": hostile, "circulatingSupply": "1", "status": hostile,
		}})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// hostileNode is a node that refuses everything with such text. If it lies, its contracts return
// such text.
func hostileNode(t *testing.T, lies bool) string {
	node := stubnode.Test(t)
	node.ID = 53935
	node.Version = hostile
	node.Reverted = hostile
	for _, last := range []byte{0xb1, 0xb2} {
		c := &stubnode.Contract{}
		c.Answer("name()", stubnode.Text(hostile))
		c.Answer("symbol()", stubnode.Text(hostile))
		c.Answer("decimals()", stubnode.Word(18))
		c.Answer("totalSupply()", stubnode.Word(18))
		node.Contracts[common.Address{19: last}] = c
	}
	if !lies {
		node.Refuse = map[string]string{}
		for _, method := range []string{
			"web3_clientVersion", "eth_syncing", "eth_getBlockByNumber", "eth_getBlockByHash",
			"eth_call", "eth_getCode", "eth_getBalance", "eth_getLogs",
		} {
			node.Refuse[method] = hostile
		}
	}
	return node.URL
}

// The longest evidence that verify reads takes at most 100 MB of memory, together with its proof and
// the words about each entry. Longer evidence is refused.
func TestLongEvidenceTakesLittleMemory(t *testing.T) {
	const list = `{"format":"petsupply-evidence/2","token":"gem","symbol":"G","decimals":18,` +
		`"asOf":"2026-01-01T00:00:00Z","measuredAt":"2026-01-01T00:00:00Z","ledger":"","maxSupply":null,"formula":` +
		`"total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; ` +
		`issued counts unless it carries a bridge with count source; escrowed is never counted; ` +
		`an amount is its return value divided by 10^decimals, rounded down to the token's decimals",` +
		`"bridges":{},"chains":[{"chain":"c","chainId":5,"number":1,"hash":"0x%064d","parentHash":"0x%064[1]d",` +
		`"time":"2026-01-01T00:00:00Z"}],"entries":[%s],"figures":{"totalSupply":"1","circulatingSupply":"1",` +
		`"burnedSupply":"0","lockedSupply":"0","reservedSupply":"0"}}`
	const entry = `{"entry":{"label":"e%d","bucket":"issued","chain":"c","native":"0x4%039[1]d"},` +
		`"contract":"0x4%039[1]d","return":"0x%064d","decimals":18,"amount":"0.000000000000000001","counted":true}`
	for n, row := range map[int]struct {
		node  int // bytes of a trie node
		words string
	}{10_000: {2_600_000, `entry "e9999"`}, 24_000: {2_600_000, "24000 entries"}, 46_000: {4_800_000, "larger than"}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var entries, known, calls []string
			for i := range n {
				entries = append(entries, fmt.Sprintf(entry, i, 0))
				known = append(known, fmt.Sprintf(`{"label":"e%d","known":"proven"}`, i))
				if i < 20_000 {
					calls = append(calls, fmt.Sprintf(`{"balance":"0x4%039d","return":"0x"}`, i))
				}
			}
			dir := t.TempDir()
			evidence := filepath.Join(dir, "evidence.json")
			proof := filepath.Join(dir, "proof.json")
			must(t, os.WriteFile(evidence, fmt.Appendf(nil, list, 1, strings.Join(entries, ",")), 0o600))
			must(t, os.WriteFile(proof, fmt.Appendf(nil, `{"format":"petsupply-proof/1","snapshot":"","chains":[{`+
				`"chainId":5,"block":{"number":1,"hash":"0x%064d"},"header":"0x","calls":[%s],`+
				`"nodes":["0x%s"],"codes":[]}],"entries":[%s]}`, 1, strings.Join(calls, ","),
				strings.Repeat("00", row.node), strings.Join(known, ",")), 0o600))
			entries = nil
			known = nil
			calls = nil
			shown, err := os.Create(filepath.Join(dir, "shown"))
			must(t, err)
			defer shown.Close()
			var code int
			peak := process.PeakHeap(func() {
				code = run(t.Context(), []string{"verify", evidence, proof}, os.Getenv,
					strings.NewReader(""), shown, shown)
			})
			text, err := os.ReadFile(shown.Name())
			must(t, err)
			if code != exitNo || !strings.Contains(string(text), row.words) || peak > 100<<20 {
				t.Errorf("exit %d and %d MB, want %q in\n%.500s", code, peak>>20, row.words, text)
			} else {
				t.Logf("%d MB", peak>>20)
			}
		})
	}
}
