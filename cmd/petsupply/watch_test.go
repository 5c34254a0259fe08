package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWatch changes a pack while it is served. The next picture is the new one. If a version does
// not open, the last good one stays, and pages say why. Open pages ask for news every second.
func TestWatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if code, _, errs := call(t, "pack", "new", dir); code != exitOK {
		t.Fatal(errs)
	}
	r := start(t, "--pack", dir, "--watch", "--data", t.TempDir())
	// eventually waits until the text of an address is as a test wants it. Between two versions,
	// no address answers.
	eventually := func(address, what string, ok func(text string) bool) (text string) {
		t.Helper()
		within(t, time.Minute, what, func() bool {
			res, err := http.Get(address)
			if err != nil {
				return false
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			text = string(body)
			return err == nil && res.StatusCode == http.StatusOK && ok(text)
		})
		return text
	}
	save := func(name string, data []byte) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	other, err := os.ReadFile(filepath.Join(dir, "pet/blue-1.png"))
	must(t, err)

	if page := getText(t, r.site+"/pet/2"); !strings.Contains(page, `data-poll="1000"`) {
		t.Errorf("the page does not ask every second: %.200s", page)
	}
	before := getText(t, r.pets+"/image/2")
	save("pet/grey-0.png", other) // pet 2 is drawn as this one, because no other file fits it
	after := eventually(r.pets+"/image/2", "another picture", func(png string) bool { return png != before })

	save("pet/grey-0.png", []byte("not a picture"))
	fault := "pet/grey-0.png: not a PNG"
	eventually(r.site+"/pet/2", "a page with the fault",
		func(page string) bool { return strings.Contains(page, fault) })
	if getText(t, r.pets+"/image/2") != after {
		t.Error("the last good picture is gone")
	}
	save("pet/grey-0.png", other)
	eventually(r.site+"/pet/2", "a page without the fault",
		func(page string) bool { return !strings.Contains(page, fault) })
	if code := r.stop(); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, r.out)
	}
}

// TestWatchBeginsWithAFault: the first version of the pack need not open.
func TestWatchBeginsWithAFault(t *testing.T) {
	dir := t.TempDir()
	r := start(t, "--pack", dir, "--watch", "--data", t.TempDir())
	if page := getText(t, r.site); !strings.Contains(page, "pack.json") {
		t.Errorf("the page does not say what is missing: %s", page)
	}
	if out := r.out.String(); !strings.Contains(out, "pack.json") {
		t.Errorf("the terminal does not say what is missing: %s", out)
	}
}

// TestWatchACollection draws a pack with the collection of the configuration.
func TestWatchACollection(t *testing.T) {
	const example = "../../examples/dragons"
	dir := filepath.Join(t.TempDir(), "pack")
	must(t, os.CopyFS(dir, os.DirFS(example+"/pack")))
	for _, args := range [][]string{{"--watch"}, nil} {
		t.Run(strings.Join(args, ""), func(t *testing.T) {
			r := start(t, append(args, "--config", example+"/petsupply.yaml", "--pack", dir, "--data", t.TempDir())...)
			if out := r.out.String(); strings.Contains(out, "no trait") {
				t.Errorf("the pack does not open: %s", out)
			}
		})
	}
}
