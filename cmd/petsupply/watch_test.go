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
// not open, the last good one stays, and pages say why. Open pages are notified of both.
func TestWatch(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mine")
	if code, _, errs := call(t, "pack", "new", dir); code != exitOK {
		t.Fatal(errs)
	}
	r := start(t, "--pack", dir, "--watch", "--data", t.TempDir())
	// state returns the data that pages see of the watch, as soon as it contains a text.
	state := func(text string) (data string) {
		t.Helper()
		within(t, time.Minute, "a state with "+text, func() bool {
			res, err := http.Get(r.site + watchPath + "state")
			if err != nil {
				return false
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			data = string(body)
			return err == nil && strings.Contains(data, text)
		})
		return data
	}
	save := func(name string, data []byte) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	other, err := os.ReadFile(filepath.Join(dir, "pet/blue-1.png"))
	must(t, err)

	if page := getText(t, r.site+"/pet/2"); !strings.Contains(page, watchPath+"script.js?turn=1") {
		t.Errorf("the page does not load the script: %.200s", page)
	}
	before := getText(t, r.pets+"/image/2")
	save("pet/grey-0.png", other) // pet 2 is drawn as this one, because no other file fits it
	state(`"turn":2`)
	after := getText(t, r.pets+"/image/2")
	if after == before {
		t.Error("the picture is the same after its layer changed")
	}

	save("pet/grey-0.png", []byte("not a picture"))
	state("pet/grey-0.png: not a PNG")
	if getText(t, r.pets+"/image/2") != after {
		t.Error("the last good picture is gone")
	}
	if !strings.Contains(getText(t, r.site+watchPath+"sheet"), "<img") {
		t.Error("the sheet has no pictures")
	}
	save("pet/grey-0.png", other)
	if data := state(`"turn":3`); !strings.Contains(data, `"fault":""`) {
		t.Errorf("the fault stays: %s", data)
	}
	if code := r.stop(); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, r.out)
	}
}

// TestWatchBeginsWithAFault: the first version of the pack need not open.
func TestWatchBeginsWithAFault(t *testing.T) {
	dir := t.TempDir()
	r := start(t, "--pack", dir, "--watch", "--data", t.TempDir())
	if sheet := getText(t, r.site+watchPath+"sheet"); !strings.Contains(sheet, "pack.json") {
		t.Errorf("the sheet does not say what is missing: %s", sheet)
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
