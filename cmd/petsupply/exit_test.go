package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/consumercheck"
)

// judges matches the commands whose findings are results, on standard output.
var judges = regexp.MustCompile(`^(check|config check|audit|verify|health|pack lint) `)

// TestExitCodes: 0 success, 1 the command ran and the answer is no, 2 the command line or the
// configuration is wrong, 3 something could not be reached. Verify, release and pack have their own
// tests too.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		at := filepath.Join(dir, name)
		must(t, os.WriteFile(at, []byte(text), 0o600))
		return at
	}
	good := file("good.yaml", "store: sqlite://"+filepath.Join(dir, "p.db")+"\n"+
		"tokens: [{path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: 1000}]}]\n"+
		"realms: [{key: home, offset: 0, getter: v1, closed: true}]\n")
	dark := file("dark.yaml", "chains: {one: {id: 1, rpc: [\"http://127.0.0.1:1\"], timeout: 200ms}}\n"+
		"tokens: [{path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, chain: one, erc20: "+
		"\"0x5FbDB2315678afecb367f032d93F642f64180aa3\"}]}]\n")
	away := file("away.yaml", "store: postgres://nobody@127.0.0.1:1/none\n"+
		"tokens: [{path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: 1000}]}]\n")
	bad := file("bad.yaml", "colour: red\n")
	sick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "starting",
			http.StatusServiceUnavailable)
	}))
	defer sick.Close()
	moved := httptest.NewServer(http.RedirectHandler(sick.URL, http.StatusFound))
	defer moved.Close()
	half := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		io.WriteString(w, "{")
	}))
	defer half.Close()
	demo := start(t, "--data", dir)
	t.Setenv("PETSUPPLY_LISTEN", "127.0.0.1:0") // free ports for calls without an address
	t.Setenv("PETSUPPLY_OPS", "127.0.0.1:0")
	for _, test := range []struct {
		code int
		args string
	}{
		{0, ""},
		{0, "--help"},
		{0, "help"},
		{0, "help serve"},
		{0, "version"},
		{2, "fly"},
		{2, "serve --fast"},
		{2, "serve --config " + bad},
		{2, "serve --config none.yaml"},
		{2, "serve --listen 0.0.0.0:0"},
		{2, "serve --data " + good + "/in"},
		{1, "serve --listen " + strings.TrimPrefix(demo.site, "http://")},
		{2, "init --rpc nonsense"},
		{3, "init -o - --rpc http://127.0.0.1:1 --token 0x5FbDB2315678afecb367f032d93F642f64180aa3"},
		{0, "config check " + good},
		{2, "config check " + bad},
		{2, "config check none.yaml"},
		{1, "config check --online " + dark},
		{0, "config schema"},
		{0, "measure jewel --data " + dir},
		{2, "measure gold --data " + dir},
		{3, "measure gem --config " + dark},
		{0, "measure gem --config " + good},
		{2, "release jewel --reason seen"},
		{2, "release gem --config " + good},
		{2, "freeze"},
		{2, "freeze -o s3://x"},
		{2, "freeze -o " + dir},
		{2, "import none.jsonl --config " + good},
		{0, "import - --config " + good},
		{1, "import " + bad + " --config " + good},
		{0, "check " + demo.site},
		{0, "check --json " + demo.site},
		{2, "check nonsense"},
		{3, "check --timeout 200ms http://127.0.0.1:1"},
		{0, "health " + demo.ops},
		{1, "health " + sick.URL},
		{3, "health http://127.0.0.1:1"},
		{2, "health nonsense"},
		{0, "audit " + demo.supply + "/"},
		{2, "audit " + demo.supply + "/?lang=en"},
		{2, "audit " + demo.supply + "/#log"},
		{2, "audit --max-age 0s " + demo.supply},
		{3, "audit http://127.0.0.1:1"},
		{3, "audit --json http://127.0.0.1:1"},
		{3, "audit " + sick.URL},
		{3, "verify http://127.0.0.1:1/gem/evidence"},
		{3, "verify " + sick.URL + "/gem/evidence"},
		{3, "verify " + moved.URL + "/gem/evidence"},
		{3, "verify " + half.URL + "/gem/evidence"},
		{3, "release gem --reason seen --config " + away},
		{0, "pack new " + dir + "/puffs"},
		{2, "pack new " + dir + "/Puffs_2"},
		{0, "pack new --id other " + dir + "/Puffs_3"},
	} {
		t.Run(test.args, func(t *testing.T) {
			code, out, errs := call(t, strings.Fields(test.args)...)
			if code != test.code {
				t.Errorf("exit %d, want %d\n%s%s", code, test.code, out, errs)
			}
			finds := judges.MatchString(test.args) && (code == exitNo || code == exitUnreached)
			if code != exitOK && strings.TrimSpace(errs) == "" && !finds {
				t.Errorf("exit %d without a word on standard error", code)
			}
			if code != exitOK && out != "" && !finds {
				t.Errorf("exit %d, and this is on standard output:\n%s", code, out)
			}
		})
	}
	if text, err := os.ReadFile(dir + "/puffs/pack.json"); err != nil || !strings.Contains(string(text), `"id": "puffs"`) {
		t.Errorf("a pack in puffs is not called so: %v\n%.300s", err, text)
	}
	_, out, _ := call(t, "check", "--json", demo.site)
	var report checkReport
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Failed > 0 || report.Passed < 20 ||
		!slices.ContainsFunc(report.Demands, func(r consumercheck.Result) bool { return r.Note != "" }) {
		t.Errorf("check --json: %v, %+v", err, report)
	}
}

// TestCheckShowsEachDemandAsItIsTried: the first line appears before the service has sent the next
// answer.
func TestCheckShowsEachDemandAsItIsTried(t *testing.T) {
	seen := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/openapi.json":
			io.WriteString(w, `{"paths": {"/{token}": {}}}`)
		case strings.HasSuffix(r.URL.Path, "no-such-token"):
			<-seen
		}
	}))
	defer slow.Close()
	out := writerFunc(func() {
		select {
		case <-seen:
		default:
			close(seen)
		}
	})
	if code := run(t.Context(), []string{"check", slow.URL}, os.Getenv, strings.NewReader(""), out,
		io.Discard); code != exitNo {
		t.Errorf("exit %d", code)
	}
}
