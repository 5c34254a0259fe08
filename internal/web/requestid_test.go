package web

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAProxysRequestIDChangesNoAnswer(t *testing.T) {
	log := new(logBuffer)
	cfg := oneHost()
	cfg.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	k := newKit(t, cfg)
	k.remember(3)
	addr := listen(t, k, true)
	for _, target := range []string{"/supply/jewel/totalsupply", "/pets/token/1"} {
		before := k.answered()
		_, resp, _ := scene{method: "GET", target: target, host: "localhost:8080",
			headers: []string{"X-Request-Id: from-a-proxy.7"}}.ask(t, addr, nil)
		if got, sent := resp.Header["X-Request-Id"]; resp.StatusCode != 200 || sent {
			t.Errorf("%s: %s, X-Request-Id %q", target, resp.Status, got)
		}
		if k.answered() != before+1 {
			t.Errorf("%s was not answered in the lane", target)
		}
	}
	r := httptest.NewRequest("GET", "/supply/jewel", nil)
	r.Header.Set("X-Request-Id", "from-a-proxy.7")
	if k.prepared(r, k.answerer.Now()) == nil {
		t.Error("behind the lane the prepared answer was not taken")
	}
	if w := k.get("/supply/nothing", "X-Request-Id", "from-a-proxy.7"); w.Code != 404 ||
		strings.Contains(w.Header().Get("X-Request-Id"), "proxy") {
		t.Errorf("a refusal: %d, X-Request-Id %q", w.Code, w.Header().Get("X-Request-Id"))
	}
	k.store.down.Store(true)
	k.get("/pets/tokens", "X-Request-Id", "from a\nproxy"+strings.Repeat("x", 1000))
	if got := log.String(); !strings.Contains(got, ` proxy_request="from a\nproxy`+strings.Repeat("x", 52)+`" `) {
		t.Errorf("logged as %q", got)
	}
}
