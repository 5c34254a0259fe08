package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

func probe(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestOps(t *testing.T) {
	k := newKit(t, oneHost())
	registry := prometheus.NewRegistry()
	registry.MustRegister(k.Collectors()...)
	var problems []string
	ops := k.Ops(OpsConfig{Gatherer: registry, Problems: func() []string { return problems },
		Leader: func() (string, bool) { return "", false }})
	if w := probe(ops, "/healthz"); w.Code != 200 || w.Body.String() != "{\"status\":\"alive\"}\n" {
		t.Errorf("/healthz: status %d, %s", w.Code, w.Body)
	}
	if w := probe(ops, "/readyz"); w.Code != 200 {
		t.Errorf("/readyz: status %d, %s", w.Code, w.Body)
	}
	problems = []string{"the store does not answer"}
	if w := probe(ops, "/readyz"); w.Code != 200 || !strings.Contains(w.Body.String(), problems[0]) {
		t.Errorf("/readyz with trouble: status %d, %s", w.Code, w.Body)
	}
	k.supply.hasFigure.Store(false)
	if w := probe(ops, "/readyz"); w.Code != 503 || !strings.Contains(w.Body.String(), "no figure is in memory yet") {
		t.Errorf("/readyz without a figure: status %d, %s", w.Code, w.Body)
	}
	k.get("/supply/jewel/totalsupply")
	k.get("/supply/%2e/x")
	text := probe(ops, "/metrics").Body.String()
	for _, line := range []string{
		`petsupply_http_requests_total{route="supply /{token}/totalsupply",status="200"} 1`,
		`petsupply_http_requests_total{route="none",status="404"} 1`,
		`petsupply_http_request_seconds_count{route="supply /{token}/totalsupply"} 1`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %s", line)
		}
	}
	if w := probe(ops, "/debug/pprof/"); w.Code != 200 {
		t.Errorf("pprof: %d", w.Code)
	}
}

func TestOpsOfThisMachineChecksTheHost(t *testing.T) {
	k := newKit(t, oneHost())
	ops := k.Ops(OpsConfig{Gatherer: prometheus.NewRegistry(), Problems: func() []string { return nil },
		Leader: func() (string, bool) { return "", false }, LocalOnly: true})
	for host, want := range map[string]int{
		"localhost:9090": 200, "LOCALHOST": 200, "127.0.0.1:9090": 200, "[::1]:9090": 200, "127.1.2.3": 200,
		"rebound.example.com:9090": 421, "localhost.example.com": 421, "10.0.0.1": 421, "": 421,
	} {
		r := httptest.NewRequest(http.MethodGet, "/debug/pprof/cmdline", nil)
		r.Host = host
		w := httptest.NewRecorder()
		if ops.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: %d, not %d", host, w.Code, want)
		}
	}
}

func TestOverTLSBrowsersKeepToTLS(t *testing.T) {
	for _, secure := range []bool{false, true} {
		cfg := oneHost()
		cfg.Secure = secure
		k := newKit(t, cfg)
		for _, path := range []string{"/supply/jewel", "/", "/pets/token/1", "/pets/nothing"} {
			if got := k.get(path).Header().Get("Strict-Transport-Security"); (got == "max-age=31536000") != secure {
				t.Errorf("%s with TLS %v: %q", path, secure, got)
			}
		}
	}
}
