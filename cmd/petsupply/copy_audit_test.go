package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/testkit/process"
)

// audit accepts a frozen copy as a folder and on a file server. It finds a file that differs from the
// log.
func TestAuditOfACopy(t *testing.T) {
	process.SkipShort(t)
	s := newProvenService(t)
	folder := filepath.Join(t.TempDir(), "copy")
	if code, out, errs := call(t, append([]string{"freeze", "-o", folder}, s.where...)...); code != exitOK {
		t.Fatalf("freeze: exit %d\n%s%s", code, out, errs)
	}
	files := httptest.NewServer(http.FileServer(http.Dir(folder)))
	defer files.Close()
	for name, args := range map[string][]string{
		"on a file server": {files.URL + "/supply", "--copy"},
		"a folder":         {folder},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call(t, append([]string{"audit"}, args...)...)
			for _, words := range []string{
				"proven: gem\n", `not proven: odd, entry "By gas"`, "Nothing that was compared is false",
			} {
				if code != exitOK || !strings.Contains(out, words) {
					t.Errorf("exit %d, want %q\n%s%s", code, words, out, errs)
				}
			}
		})
	}
	log, err := filepath.Glob(filepath.Join(folder, "supply/log/*/tile/entries/000.p/*"))
	must(t, err)
	tile, err := filepath.Rel(filepath.Join(folder, "supply"), log[0])
	must(t, err)
	for _, file := range []string{"index.json", "gem/index.json", "gem/totalsupply", "gem/circulatingsupply.json",
		"gem/evidence.json", "gem/proof.json", "gem/ledger.json", "log/checkpoint", tile} {
		t.Run(file, func(t *testing.T) {
			old := "7"
			if file == "log/checkpoint" {
				old = "— " // the line of the signature begins with it
			}
			defer alter(t, filepath.Join(folder, "supply", file), old, "8")()
			for _, args := range [][]string{{files.URL + "/supply", "--copy"}, {folder}} {
				if code, out, _ := call(t, append([]string{"audit"}, args...)...); code != exitNo {
					t.Errorf("exit %d\n%s", code, out)
				}
			}
		})
	}
	code, _, errs := call(t, "audit", t.TempDir())
	if code != exitUsage || !strings.Contains(errs, "the folder of a frozen copy") {
		t.Errorf("a folder that is no copy: exit %d\n%s", code, errs)
	}
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
