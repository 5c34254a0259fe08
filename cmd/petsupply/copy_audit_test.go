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
	forms := map[string][]string{"thawed": {thawed.supply}, "on a file server": {files.URL + "/supply", "--copy"}, "a folder": {folder}, "a zip": {zipped}}
	for name, args := range forms {
		t.Run(name, func(t *testing.T) {
			code, out, errs := call(t, append([]string{"audit"}, args...)...)
			for _, words := range []string{"proven: gem\n", `not proven: odd, entry "By gas"`, "Nothing that was compared is false"} {
				if code != exitOK || !strings.Contains(out, words) {
					t.Errorf("exit %d, want %q\n%s%s", code, words, out, errs)
				}
			}
		})
	}
	for _, file := range []string{"index.json", "gem/index.json", "gem/totalsupply", "gem/circulatingsupply.json", "gem/evidence.json",
		"gem/proof.json", "gem/ledger.json", "log/checkpoint", "log/tile/entries/000.p/5"} {
		t.Run(file, func(t *testing.T) {
			name := filepath.Join(folder, "supply", file)
			text, err := os.ReadFile(name)
			must(t, err)
			altered := bytes.Replace(text, []byte("7"), []byte("8"), 1)
			if file == "log/checkpoint" {
				altered[len(altered)-9] ^= 1 // changes the signature
			}
			must(t, os.WriteFile(name, altered, 0o600))
			defer os.WriteFile(name, text, 0o600)
			if code, out, _ := call(t, "audit", files.URL+"/supply", "--copy"); code != exitNo {
				t.Errorf("exit %d\n%s", code, out)
			}
			if code, _, errs := call(t, "audit", folder); code != exitNo || !strings.Contains(errs, "supply/"+file+" differs") {
				t.Errorf("exit %d\n%s", code, errs)
			}
		})
	}
}
