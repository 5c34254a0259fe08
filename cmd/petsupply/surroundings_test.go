package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/stubnode"
)

// TestBadSurroundings: whatever is wrong around a command, it ends with one clear line.
func TestBadSurroundings(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, "<html><body>Welcome to your dashboard</body></html>")
	}))
	defer page.Close()
	late := stubnode.Test(t)
	late.Newest = time.Now().Add(-2 * time.Hour) // as if the clock of this machine were two hours ahead
	dir := t.TempDir()
	file := func(name, store, node string) string {
		at := filepath.Join(dir, name)
		must(t, os.WriteFile(at, []byte("store: "+store+"\nchains: {one: {id: 5, rpc: [\""+node+"\"]}}\n"+
			"tokens: [{path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, chain: one, erc20: "+
			"\"0x5FbDB2315678afecb367f032d93F642f64180aa3\"}]}]\n"), 0o600))
		return at
	}
	for _, test := range []struct {
		name, args string
		code       int
		say        string
	}{
		{"no file", "serve --config " + dir + "/none.yaml", exitUsage, "no such file"},
		{"a folder instead of a file", "serve --config " + dir, exitUsage, "is a directory"},
		{"PostgreSQL is away at the start", "serve --listen 127.0.0.1:0 --ops= --config " +
			file("away.yaml", "postgres://nobody@127.0.0.1:1/none", late.URL), exitUnreached, "connection refused"},
		{"a node that answers HTML", "measure gem --config " + file("page.yaml", "sqlite://p.db", page.URL),
			exitUnreached, "answer is HTML and not JSON"},
		{"a node that answers HTML, for init", "init -o " + dir + "/x.yaml --token 0x5FbDB2315678afecb367f032d93F642f64180aa3 --rpc " +
			page.URL, exitNo, "answer is HTML and not JSON"},
		{"a clock two hours ahead", "measure gem --config " + file("late.yaml", "sqlite://p.db", late.URL),
			exitNo, "or the clock of this machine is ahead"},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, out, errs := call(t, strings.Fields(test.args)...)
			if code != test.code || !strings.Contains(errs, test.say) || strings.Count(errs, "\n") != 1 {
				t.Errorf("exit %d, want %d and one line with %q:\n%s%s", code, test.code, test.say, out, errs)
			}
		})
	}
}
