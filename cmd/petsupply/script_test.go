package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"petsupply/testkit/stubnode"
)

// TestScripts runs the scripts in testdata/script. Beside the usual commands they have exits, and the
// addresses of surroundings as variables.
func TestScripts(t *testing.T) {
	around := surroundings(t)
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			data := env.WorkDir + "/data"
			env.Vars = append(env.Vars, around...)
			env.Setenv("XDG_DATA_HOME", data)
			env.Setenv("PETSUPPLY_DEMO_TIME", demoTime)
			env.Setenv("GOGC", strconv.Itoa(testGOGC))
			if err := os.MkdirAll(data+"/petsupply", 0o700); err != nil {
				return err
			}
			return putDemo(data + "/petsupply")
		},
	})
}

// judges matches the commands whose findings are results, on standard output.
var judges = regexp.MustCompile(`^(check|config check|audit|verify|health|pack lint) `)

// exits runs petsupply with arguments, and checks its exit code. If the code is not 0, the reason is on
// standard error, and on standard output are only findings.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE arguments")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := exitOK
	err = ts.Exec("petsupply", args[1:]...)
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		code = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	out := ts.ReadFile("stdout")
	errs := ts.ReadFile("stderr")
	if code != want {
		ts.Fatalf("exit %d, want %d", code, want)
	}
	finds := judges.MatchString(strings.Join(args[1:], " ")) && (code == exitNo || code == exitUnreached)
	if code != exitOK && strings.TrimSpace(errs) == "" && !finds {
		ts.Fatalf("exit %d without a word on standard error", code)
	}
	if code != exitOK && out != "" && !finds {
		ts.Fatalf("exit %d, and this is on standard output:\n%s", code, out)
	}
}

// surroundings starts a demo, nodes and broken servers. It returns their addresses as variables of a
// script.
func surroundings(t *testing.T) (variables []string) {
	t.Helper()
	serve := func(name string, handler http.Handler) (address string) {
		s := httptest.NewServer(handler)
		t.Cleanup(s.Close)
		variables = append(variables, name+"="+s.URL)
		return s.URL
	}
	sick := serve("SICK", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "starting", http.StatusServiceUnavailable)
	}))
	serve("MOVED", http.RedirectHandler(sick, http.StatusFound))
	serve("HALF", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "{")
	}))
	serve("PAGE", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html><body>Welcome to your dashboard</body></html>")
	}))
	late := stubnode.Test(t)
	late.Newest = time.Now().Add(-2 * time.Hour) // as if the clock of this machine were two hours ahead
	node, token, plain := ground(t)
	data := t.TempDir()
	demo := start(t, "--data", data)
	return append(variables, "LATE="+late.URL, "NODE="+node.URL, "TOKEN="+token, "PLAIN="+plain, "DEMODATA="+data,
		"DEMO="+demo.site, "DEMOHOST="+strings.TrimPrefix(demo.site, "http://"), "DEMOSUPPLY="+demo.supply,
		"DEMOOPS="+demo.ops)
}
