package main

import (
	"bytes"
	"context"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/demo/compose"
	"petsupply/testkit/process"
)

// A running is a service that a test started.
type running struct {
	site, supply, pets, ops string
	stop                    func() int // ends it as SIGTERM does, and returns its exit code
	out                     *process.Output
}

// start runs petsupply serve with the arguments on free ports and waits until
// it is ready.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	r := begin(t, args...)
	within(t, time.Minute, "readiness", func() bool {
		res, err := http.Get(r.ops + "/readyz")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
	return r
}

// begin is start for a service that may not become ready.
func begin(t *testing.T, args ...string) *running {
	t.Helper()
	if i := slices.Index(args, "--data"); i >= 0 && !slices.Contains(args, "--config") {
		must(t, putDemo(args[i+1]))
	}
	return launch(t, append([]string{"serve", "--listen", "127.0.0.1:0", "--ops", "127.0.0.1:0"}, args...)...)
}

// launch runs a command that serves, and waits until it prints its addresses.
func launch(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r := &running{out: new(process.Output)}
	code := make(chan int, 1)
	go func() { code <- run(ctx, args, os.Getenv, strings.NewReader(""), r.out, r.out) }()
	var once sync.Once
	ended := exitOK
	r.stop = func() int {
		once.Do(func() { cancel(); ended = <-code })
		return ended
	}
	t.Cleanup(func() { r.stop() })
	lines := regexp.MustCompile(`(?m)^  (site|supply|pets|ops|data) +(\S+)$`)
	within(t, 2*time.Minute, "the addresses", func() bool {
		for _, m := range lines.FindAllStringSubmatch(r.out.String(), -1) {
			switch m[1] {
			case "site":
				r.site = strings.TrimSuffix(m[2], "/")
			case "supply":
				r.supply = strings.TrimSuffix(m[2], "/")
			case "pets":
				r.pets = strings.TrimSuffix(m[2], "/tokens")
			case "ops":
				r.ops = strings.TrimSuffix(m[2], "/metrics")
			case "data": // the last line
				return true
			}
		}
		select {
		case c := <-code:
			code <- c // stop reads it
			t.Fatalf("it ended with %d:\n%s", c, r.out)
		default:
		}
		return false
	})
	return r
}

// demoFiles are the files that the first start of the demo creates, by name: its store and the key
// of its log.
var demoFiles = sync.OnceValues(func() (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "petsupply-demo-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s, err := compose.Settings(dir, "8080", os.Getenv)
	if err != nil {
		return nil, err
	}
	demo, err := compose.Open(context.Background(), s, quiet())
	if err != nil {
		return nil, err
	}
	demo.Close()
	names, err := filepath.Glob(dir + "/demo-*")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		files[filepath.Base(name)], err = os.ReadFile(name)
		if err != nil {
			return nil, err
		}
	}
	return files, nil
})

// putDemo copies a finished store, so that the first start of the demo has little to do.
func putDemo(dir string) error {
	if there, err := os.ReadDir(dir); err != nil || len(there) > 0 {
		return nil // this test is about the start itself
	}
	files, err := demoFiles()
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// within waits for a condition, and fails the test if it takes too long.
func within(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(25 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited %v for %s", limit, what)
		}
	}
}

func fetch(t *testing.T, url string) (int, http.Header, []byte) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, body
}

// TestPackFlag: pictures come from the pack that --pack names.
func TestPackFlag(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "puffs")
	if code, _, errs := call(t, "pack", "new", dir); code != exitOK {
		t.Fatal(errs)
	}
	own := start(t, "--pack", dir, "--data", t.TempDir())
	embedded := start(t, "--data", t.TempDir())
	got := getText(t, own.pets+"/image/1")
	if _, err := png.Decode(strings.NewReader(got)); err != nil || got == getText(t, embedded.pets+"/image/1") {
		t.Errorf("%d bytes, %v; want a picture of the starter", len(got), err)
	}
}

func TestCheckPassesOnTheDemoAndNamesIt(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	code, out, _ := call(t, "check", r.site)
	if code != exitOK {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if n := strings.Count(out, "invented, not measured"); n != 3 {
		t.Errorf("%d tokens are said to be the demo's:\n%s", n, out)
	}
	if n := strings.Count(out, "\nok") + 1; n != 28 {
		t.Errorf("%d demands were met:\n%s", n, out)
	}
	if code, _, body := fetch(t, r.supply+"/jewel/proof"); code != http.StatusOK ||
		!bytes.Contains(body, []byte(`"known":"declared"`)) || bytes.Contains(body, []byte(`"chains"`)) {
		t.Errorf("the proof of what is invented: %d %s", code, body)
	}
	if code, out, _ = call(t, "audit", r.supply); code != exitOK ||
		!strings.Contains(out, "localhost:8080/supply/log\n") ||
		!strings.Contains(out, "newest: crystal, jade, jewel") {
		t.Errorf("audit: exit code %d:\n%s", code, out)
	}
}
