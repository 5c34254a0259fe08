package main

import (
	"bytes"
	"database/sql"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // used to make the demo smaller
)

// A thawed copy gives the same answers as the original service, to the consumers that check
// imitates and to every request of the service's own test scripts.
func TestThawedServiceAnswersAsTheLiveOne(t *testing.T) {
	dir := t.TempDir()
	must(t, putDemo(dir))
	fewerPets(t, dir)
	copied := filepath.Join(t.TempDir(), "kingdom.zip")
	code, out, errs := call(t, "freeze", "-o", copied, "--data", dir)
	if code != exitOK {
		t.Fatalf("freeze: exit %d\n%s%s", code, out, errs)
	}
	if entries, err := os.ReadDir(filepath.Dir(copied)); err != nil || len(entries) != 1 {
		t.Errorf("beside the zip there is %v, %v", entries, err)
	}
	checkable(t, copied, out)
	live, thawed := start(t, "--data", dir), launch(t, "thaw", copied, "--listen", "127.0.0.1:0")
	if code, out, errs := call(t, "check", thawed.site); code != exitOK {
		t.Errorf("check: exit %d\n%s%s", code, out, errs)
	}
	paths := scriptPaths(t)
	for _, path := range paths {
		status, header, body := fetch(t, live.site+path)
		status2, header2, body2 := fetch(t, thawed.site+path)
		body2 = bytes.ReplaceAll(body2, []byte(thawed.site), []byte(live.site))
		if strings.HasPrefix(header.Get("Content-Type"), "text/html") {
			body2 = body // pages show the address of their service
		}
		if status2 != status || header2.Get("Content-Type") != header.Get("Content-Type") || !bytes.Equal(body2, body) {
			t.Errorf("%s: %d %s %.200s\nthawed: %d %s %.200s", path, status, header.Get("Content-Type"), body, status2,
				header2.Get("Content-Type"), body2)
		}
	}
	if len(paths) < 100 {
		t.Errorf("the scripts have %d requests", len(paths))
	}
	if code := thawed.stop(); code != exitOK {
		t.Errorf("thaw ended with %d: %s", code, thawed.out)
	}
	guarded(t, copied)
}

// checkable: thaw --check prints the root that freeze printed, and names a file with
// one bit changed.
func checkable(t *testing.T, copied, frozen string) {
	t.Helper()
	code, out, errs := call(t, "thaw", "--check", copied)
	root := strings.TrimSpace(out)
	if code != exitOK || len(root) != 64 || !strings.Contains(frozen, "root "+root) ||
		!strings.Contains(errs, "files checked") {
		t.Errorf("thaw --check: exit %d\n%s%s", code, out, errs)
	}
	text, err := os.ReadFile(copied)
	must(t, err)
	at := bytes.Index(text, []byte("\x89PNG")) // pictures are not compressed
	text[at+100] ^= 1
	altered := filepath.Join(t.TempDir(), "altered.zip")
	must(t, os.WriteFile(altered, text, 0o600))
	if code, out, errs := call(t, "thaw", "--check", altered); code != exitNo || !strings.Contains(errs, ".png") {
		t.Errorf("thaw --check of an altered copy: exit %d\n%s%s", code, out, errs)
	}
}

// guarded: a copy of the demo is served to others only with --demo.
func guarded(t *testing.T, copied string) {
	t.Helper()
	code, out, errs := call(t, "thaw", copied, "--listen", ":0")
	if code != exitUsage || !strings.Contains(errs, "add --demo") {
		t.Errorf("a demo on a public address: exit %d %s%s", code, out, errs)
	}
	r := launch(t, "thaw", copied, "--listen", "0.0.0.0:0", "--demo")
	if status, header, _ := fetch(t, r.supply+"/jewel"); status != http.StatusOK ||
		header.Get("Petsupply-Demo") != "true" {
		t.Errorf("with --demo: %d, and it says %q of itself", status, header.Get("Petsupply-Demo"))
	}
}

// fewerPets keeps only a few of the demo's pets, of every realm.
func fewerPets(t *testing.T, dir string) {
	t.Helper()
	file, err := demoStore()
	must(t, err)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, file.name))
	must(t, err)
	defer db.Close()
	for _, line := range []string{
		`DELETE FROM pet WHERE id % 1000000000000 > 8`,
		`DELETE FROM pet_change WHERE id % 1000000000000 > 8 AND seq < (SELECT MAX(seq) FROM pet_change) - 20`,
	} {
		_, err := db.ExecContext(t.Context(), line)
		must(t, err)
	}
}

var scriptRequest = regexp.MustCompile(`(?m)^GET (/\S*)$`)

// scriptPaths returns the addresses in the service's test scripts, each once.
func scriptPaths(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../internal/web/testdata/*.txt")
	must(t, err)
	var paths []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		for _, m := range scriptRequest.FindAllStringSubmatch(string(text), -1) {
			path := m[1]
			_, err := url.Parse(path)
			if err == nil && !strings.ContainsAny(path, "$<\\") && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
