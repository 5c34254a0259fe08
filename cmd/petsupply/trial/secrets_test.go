package trial

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/testkit/check"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/postgres"
)

// secrets are the secrets that an operator puts into the environment, by their purpose.
var secrets = map[string]string{
	"a node's key":          "n0de-key-5a1f77c2",
	"a lame node's key":     "l4me-key-90bb31d4",
	"the store's password":  "st0re-pw-7733aa19",
	"a dead node's account": "de4d-user-1b2b3b4b",
}

// TestSecretsStaySecret runs the service with a secret in every address, breaks everything that the
// secrets give access to, and searches all output for them.
func TestSecretsStaySecret(t *testing.T) {
	w := newWorld(t)
	database, err := url.Parse(postgres.Start(t))
	if err != nil {
		t.Fatal(err)
	}
	wire := newLink(t, filepath.Join(database.Query().Get("host"), ".s.PGSQL.5432"))
	nodes := map[string][]string{}
	var env []string
	for _, c := range w.Chains {
		name := "NODE_" + strings.ToUpper(c.Name)
		for _, n := range []string{"", "_B", "_C"} { // a quorum of five
			env = append(env, name+n+"="+keyed(t, c.URL)+"/v3/"+secrets["a node's key"])
			nodes[c.Name] = append(nodes[c.Name], "$"+name+n)
		}
		env = append(env, name+"_LAME="+lame(t)+"/?key="+secrets["a lame node's key"])
		env = append(env, name+"_DEAD=http://"+secrets["a dead node's account"]+":x@"+port(t)+"/rpc")
		nodes[c.Name] = append(nodes[c.Name], "$"+name+"_LAME", "$"+name+"_DEAD")
	}
	env = append(env, "STORE=postgres://petsupply:"+secrets["the store's password"]+"@"+wire.address+
		database.Path+"?sslmode=disable")
	text := w.Config(kingdom.Settings{Top: "lease: 1s\nstore: $STORE", Nodes: nodes, Refresh: "1s",
		Index: "250ms"})
	config := filepath.Join(t.TempDir(), "petsupply.yaml")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newInstance(t, binary(t), "--config", config, "--data", t.TempDir(), "--verbose")
	p.env = env
	p.start(t)
	at := &place{name: "instance", base: "http://" + p.listen, ops: p.ops}
	moves(t, at)
	out := map[string]string{}
	everything(t, out, "at work", p, at, w.ids())

	wire.sever()
	check.Await(t, "the store to be missed", func() bool {
		r, err := p.ready()
		return err == nil &&
			len(r.Problems) > 0
	})
	everything(t, out, "without store", p, at, w.ids())
	if code := p.stop(t); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	p.run(t) // it cannot start without a store
	if code := p.wait(t); code == 0 {
		t.Error("it started without a store")
	}
	out["the log"] = p.out.String()
	check := exec.Command(p.program, "config", "check", config, "--online")
	check.Env = append(os.Environ(), env...)
	shown, err := check.CombinedOutput()
	if err != nil && len(shown) == 0 {
		t.Fatal(err)
	}
	out["config check"] = string(shown)
	for where, text := range out {
		for what, secret := range secrets {
			if strings.Contains(text, secret) || strings.Contains(text, url.QueryEscape(secret)) {
				t.Errorf("%s shows %s:\n%s", where, what, clipped([]byte(grep(text, secret))))
			}
		}
	}
	if len(out) < 40 || len(out["the log"]) < 1000 || !strings.Contains(out["the log"], "level=WARN") {
		t.Errorf("only %d places were searched, and a log of %d bytes", len(out), len(out["the log"]))
	}
}

// everything records every kind of answer that the instance gives now.
func everything(t *testing.T, out map[string]string, when string, p *instance, at *place, pets []uint64) {
	t.Helper()
	var urls []string
	for _, path := range []string{"/readyz", "/healthz", "/metrics", "/debug/pprof/cmdline",
		"/debug/pprof/goroutine?debug=2"} {
		urls = append(urls, "http://"+p.ops+path)
	}
	for _, path := range []string{"/", "/status", "/api", "/supply/openapi.yaml", "/gallery", "/token/jewel",
		fmt.Sprintf("/pet/%d", pets[0]),
		"/supply/", "/supply/jewel", "/supply/jewel/evidence", "/supply/jewel/ledger", "/supply/jewel/history",
		"/supply/none", "/supply/jade/totalsupply",
		"/pets/contract", "/pets/tokens?limit=3", "/pets/token/999999", "/pets/token/x",
		fmt.Sprintf("/pets/image/%d?size=270", pets[1])} {
		urls = append(urls, at.base+path)
	}
	client := &http.Client{Timeout: check.Patience}
	for _, u := range urls {
		status, header, body, err := get(t.Context(), client, u)
		if err != nil {
			t.Errorf("%s: %v", u, err)
			continue
		}
		out[u+" "+when] = fmt.Sprint(status, header, string(body))
	}
}

// keyed is a proxy to a node that accepts any path, as providers with keys do.
func keyed(t *testing.T, node string) string {
	t.Helper()
	target, err := url.Parse(node)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.URL.Path = "/"
		r.Out.URL.RawQuery = ""
	}})
	t.Cleanup(s.Close)
	return s.URL
}

// lame is a provider that refuses requests and quotes them.
func lame(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, "the key in "+r.URL.String()+" has run out")
	}))
	t.Cleanup(s.Close)
	return s.URL
}
