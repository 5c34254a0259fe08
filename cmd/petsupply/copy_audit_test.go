package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/frozen"
	"petsupply/testkit/process"
)

// audit accepts a frozen copy in every form: served by thaw, by a plain file server, as a folder
// and as a zip. It finds a file that differs from the log, even if the list of files was adapted to
// it.
func TestAuditOfACopy(t *testing.T) {
	process.SkipShort(t)
	s := newProvenService(t)
	folder, zipped := filepath.Join(t.TempDir(), "copy"), filepath.Join(t.TempDir(), "copy.zip")
	for _, to := range []string{folder, zipped} {
		if code, out, errs := call(t, append([]string{"freeze", "-o", to}, s.where...)...); code != exitOK {
			t.Fatalf("freeze: exit %d\n%s%s", code, out, errs)
		}
	}
	files := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer files.Close()
	thawed := launch(t, "thaw", zipped, "--listen", "127.0.0.1:0")
	forms := map[string][]string{"thawed": {thawed.supply}, "on a file server": {files.URL + "/supply", "--copy"},
		"a folder": {folder}, "a zip": {zipped}}
	for name, args := range forms {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call(t, append([]string{"audit"}, args...)...)
			for _, words := range []string{"proven: gem\n", `not proven: odd, entry "By gas"`,
				"Nothing that was compared is false"} {
				if code != exitOK || !strings.Contains(out, words) {
					t.Errorf("exit %d, want %q\n%s%s", code, words, out, errs)
				}
			}
			if strings.Contains(out, "other programs unpack the same files") != (name == "a zip") {
				t.Errorf("what must be believed of a zip:\n%s", out)
			}
			if strings.Contains(out, "all other files at this address") != (name == "on a file server") {
				t.Errorf("what must be believed of other files:\n%s", out)
			}
			if strings.Contains(out, "says so, in provenance.json") != (name == "a zip" || name == "a folder") {
				t.Errorf("what must be believed of provenance.json:\n%s", out)
			}
		})
	}
	for _, file := range []string{"index.json", "gem/index.json", "gem/totalsupply", "gem/circulatingsupply.json",
		"gem/evidence.json",
		"gem/proof.json", "gem/ledger.json", "log/checkpoint"} {
		t.Run(file, func(t *testing.T) {
			old := "7"
			if file == "log/checkpoint" {
				old = "— " // the line of the signature begins with it
			}
			defer alter(t, filepath.Join(folder, "supply", file), old, "8")()
			if code, out, _ := call(t, "audit", files.URL+"/supply", "--copy"); code != exitNo {
				t.Errorf("exit %d\n%s", code, out)
			}
			if code, _, errs := call(t, "audit", folder); code != exitNo || !strings.Contains(errs, "supply/"+file+" differs") {
				t.Errorf("exit %d\n%s", code, errs)
			}
		})
	}
	for header, value := range map[string]string{"Supply-As-Of": "2030-01-01T00:00:00Z", "Content-Encoding": "br"} {
		t.Run("with the header "+header, func(t *testing.T) {
			lying := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/supply/gem/totalsupply" {
					w.Header().Set(header, value)
				}
				http.FileServer(http.Dir(folder)).ServeHTTP(w, r)
			}))
			defer lying.Close()
			if code, out, _ := call(t, "audit", lying.URL+"/supply", "--copy"); code != exitNo ||
				!strings.Contains(out, "NO: /gem/totalsupply: ") {
				t.Errorf("exit %d\n%s", code, out)
			}
		})
	}
	t.Run("with a new list of files", func(t *testing.T) { testResealed(t, folder) })
	t.Run("without a log", func(t *testing.T) {
		defer alter(t, filepath.Join(folder, "provenance.json"), `"log": {`, `"log": null, "was": {`)()
		if r := launch(t, "thaw", folder, "--listen", "127.0.0.1:0"); !strings.Contains(r.out.String(), "compared with nothing") {
			t.Errorf("thaw says %s", r.out)
		}
	})
	t.Run("without figures", func(t *testing.T) { testCopyWithoutFigures(t, s) })
}

// A service without tokens has no log. Its copy is checked all the same, unless the auditor wants a
// log.
func TestAuditOfACopyWithoutTokens(t *testing.T) {
	process.SkipShort(t)
	dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
	config := filepath.Join(dir, "petsupply.yaml")
	must(t, os.WriteFile(config, []byte("realms: [{key: gone, name: Gone, offset: 0, getter: v1, closed: true}]\n"), 0o600))
	where := []string{"--config", config, "--data", dir}
	start(t, where...)
	if code, out, errs := call(t, append([]string{"freeze", "-o", copied}, where...)...); code != exitOK {
		t.Fatalf("freeze: exit %d\n%s%s", code, out, errs)
	}
	audits := func(words string, want int, args ...string) {
		t.Helper()
		code, out, errs := call(t, append([]string{"audit", copied}, args...)...)
		if code != want || !strings.Contains(out, words) {
			t.Errorf("exit %d, want %q\n%s%s", code, words, out, errs)
		}
	}
	audits("that the service had no tokens", exitOK)
	audits("there is no log", exitUnreached, "--max-age", "1h")
	restore := alter(t, filepath.Join(copied, "data/head.json"), `"tokens": null`, `"tokens": [{"path": "gem"}]`)
	seal(t, copied)
	audits("there is no log", exitUnreached) // thaw would serve gem from the rows of the copy
	restore()
	defer alter(t, filepath.Join(copied, "supply/gem/totalsupply"), "", "5")()
	seal(t, copied)
	audits("there is no log", exitUnreached)
}

// testResealed tells lies in a copy, and writes SHA256SUMS and root so that they match the lies.
func testResealed(t *testing.T, folder string) {
	own, err := filepath.Glob(filepath.Join(folder, "supply/log/*/key"))
	must(t, err)
	ownLog, err := filepath.Rel(folder, filepath.Dir(own[0]))
	must(t, err)
	for name, row := range map[string]struct{ file, old, now, audit, thaw string }{
		"a figure of the rows":      {"data/published/000000.jsonl", "1007", "1008", "", "do not agree with its log"},
		"a leaf of the rows":        {"data/tlog/000000.jsonl", "— ", "—  ", "", "do not agree with its log"},
		"a file that is unknown":    {"other.txt", "", "x", `"other.txt" does not belong in a copy`, ""},
		"a token that is unknown":   {"supply/OTHER/totalsupply", "", "5", "supply/OTHER/totalsupply", ""},
		"a ledger of no token":      {"supply/OTHER/ledger.json", "", "{}", "supply/OTHER/ledger.json", ""},
		"a file of a token":         {"supply/gem/extra", "", "5", "supply/gem/extra", ""},
		"a figure that is not read": {"supply/gem/totalsupply.txt", "", "5", "supply/gem/totalsupply.txt", ""},
		"a file of the log":         {ownLog + "/tile/0/001", "", "5", "/tile/0/001", ""},
		"a log that is unknown":     {"supply/log/0a0b0c0d/key", "", "5", "supply/log/0a0b0c0d/key", ""},
		"the log's own address":     {ownLog + "/tile/entries/000.p/5", "7", "8", "leaf", ""},
		"the checkpoint there":      {ownLog + "/checkpoint", "— ", "—  ", "checkpoint", ""},
		"a document of no pet":      {"pets/token/x.json", "", "{}", "pets/token/x.json", ""},
		"a folder in place of data": {"datum/published/000000.jsonl", "", "{}", "datum/", ""},
		"provenance: a snapshot":    {"provenance.json", `"snapshot": "`, `"snapshot": "0`, "provenance.json differs", ""},
		"provenance: a block":       {"provenance.json", `"number": `, `"number": 1`, "provenance.json differs", ""},
		"provenance: the log":       {"provenance.json", `"size": `, `"size": 1`, "provenance.json differs", ""},
		"provenance: the origin":    {"provenance.json", `"supply": "`, `"supply": "https://example.com/`, "provenance.json differs", ""},
		"provenance: the pets":      {"provenance.json", `"pets": 0`, `"pets": 1`, "provenance.json differs", ""},
		"provenance: the feed":      {"provenance.json", `"feed": 0`, `"feed": 1`, "provenance.json differs", ""},
		"provenance: a new member":  {"provenance.json", `"of": `, `"audited": true, "of": `, "provenance.json differs", ""},
		"provenance: a key twice":   {"provenance.json", `"of": `, `"root": "", "of": `, "twice", ""},
	} {
		t.Run(name, func(t *testing.T) {
			restore := alter(t, filepath.Join(folder, row.file), row.old, row.now)
			seal(t, folder)
			defer func() { restore(); seal(t, folder) }()
			code, out, errs := call(t, "audit", folder)
			want := exitNo
			if row.audit == "" {
				want = exitOK
			}
			if code != want || !strings.Contains(out+errs, row.audit) || code == exitOK && !strings.Contains(out, "files not compared: the rows") {
				t.Errorf("audit: exit %d\n%s%s", code, out, errs)
			}
			if row.thaw == "" {
				return
			}
			if code, out, errs := call(t, "thaw", folder, "--listen", "127.0.0.1:0"); code != exitNo || !strings.Contains(errs, row.thaw) {
				t.Errorf("thaw: exit %d\n%s%s", code, out, errs)
			}
		})
	}
}

// testCopyWithoutFigures checks an honest copy with a token that never had a figure and one whose
// figure was corrected.
func testCopyWithoutFigures(t *testing.T, s *provenService) {
	s.stop()
	config, err := os.ReadFile(s.where[1])
	must(t, err)
	config = bytes.Replace(config, []byte("chains:\n"), []byte("chains:\n  none: {id: 7, rpc: [\"http://127.0.0.1:1\"]}\n"), 1)
	config = bytes.Replace(config, []byte("tokens:\n"), []byte(`tokens:
  - path: none
    symbol: NONE
    name: None
    decimals: 0
    ledger:
      - {label: Balance, bucket: issued, chain: none, native: "0x000000000000000000000000000000000000dEaD"}
`), 1)
	must(t, os.WriteFile(s.where[1], config, 0o600))
	s.serve(t)
	var odd struct{ Snapshot string }
	_, _, body := fetch(t, s.supply+"/odd")
	must(t, json.Unmarshal(body, &odd))
	correct := append([]string{"correct", odd.Snapshot, "--reason", "a test"}, s.where...)
	if code, out, errs := call(t, correct...); code != exitOK {
		t.Fatalf("correct: exit %d\n%s%s", code, out, errs)
	}
	copied := filepath.Join(t.TempDir(), "copy.zip")
	if code, out, errs := call(t, append([]string{"freeze", "-o", copied}, s.where...)...); code != exitOK {
		t.Fatalf("freeze: exit %d\n%s%s", code, out, errs)
	}
	code, out, errs := call(t, "audit", copied)
	for _, words := range []string{"newest: gem\n", "without a figure now: odd", "3 ledgers compared with the log"} {
		if code != exitOK || !strings.Contains(out, words) {
			t.Errorf("exit %d, want %q\n%s%s", code, words, out, errs)
		}
	}
	launch(t, "thaw", copied, "--listen", "127.0.0.1:0")
}

// alter replaces a text in a file, or makes the file if there is nothing to replace. It returns
// a function that undoes this.
func alter(t *testing.T, name, old, now string) func() {
	t.Helper()
	if old == "" {
		must(t, os.MkdirAll(filepath.Dir(name), 0o700))
		must(t, os.WriteFile(name, []byte(now), 0o600))
		return func() { os.Remove(name) }
	}
	text, err := os.ReadFile(name)
	must(t, err)
	altered := bytes.Replace(text, []byte(old), []byte(now), 1)
	if bytes.Equal(altered, text) {
		t.Fatalf("%s has no %q", name, old)
	}
	must(t, os.WriteFile(name, altered, 0o600))
	return func() { os.WriteFile(name, text, 0o600) }
}

// seal lists the files of a copy again, and writes the root to its provenance.
func seal(t *testing.T, folder string) {
	t.Helper()
	var names []string
	must(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && name != "SHA256SUMS" && name != "provenance.json" {
			names = append(names, name)
		}
		return err
	}))
	slices.Sort(names)
	var sums []byte
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(folder, name))
		must(t, err)
		sums = fmt.Appendf(sums, "%x  %s\n", sha256.Sum256(text), name)
	}
	must(t, os.WriteFile(filepath.Join(folder, "SHA256SUMS"), sums, 0o600))
	file := filepath.Join(folder, "provenance.json")
	text, err := os.ReadFile(file)
	must(t, err)
	root := regexp.MustCompile(`"root": "[0-9a-f]{64}"`)
	must(t, os.WriteFile(file, root.ReplaceAll(text, fmt.Appendf(nil, `"root": "%x"`, sha256.Sum256(sums))), 0o600))
}

// An audit gives up a copy whose files take far longer to check than their size suggests.
func TestASlowCopyIsGivenUp(t *testing.T) {
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "supply"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "supply/index.json"), make([]byte, 2<<20), 0o600))
	copied, err := frozen.Open(dir)
	must(t, err)
	defer copied.Close()
	files := &copyTransport{Copy: copied, began: time.Now()}
	client := &http.Client{Transport: files}
	for _, row := range []struct {
		after time.Duration
		words string
	}{{0, ""}, {11 * time.Second, ""}, {time.Hour, "more than 14s for 4 MB"}} {
		files.began = time.Now().Add(-row.after)
		res, err := client.Get("http://copy/index.json")
		if err == nil {
			_, err = io.Copy(io.Discard, res.Body)
			res.Body.Close()
		}
		if (err == nil) != (row.words == "") || err != nil && !strings.Contains(err.Error(), row.words) {
			t.Errorf("after %s: %v", row.after, err)
		}
	}
}
