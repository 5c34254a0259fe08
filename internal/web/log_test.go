package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"petsupply/testkit/check"
	"petsupply/testkit/process"
)

// loggedKit returns a kit and its log.
func loggedKit(t *testing.T, level slog.Level) (*kit, *process.Output) {
	t.Helper()
	log := new(process.Output)
	cfg := oneHost()
	cfg.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: level}))
	return newKit(t, cfg), log
}

func TestACallerWhoHangsUpIsNoInternalError(t *testing.T) {
	k, log := loggedKit(t, slog.LevelInfo)
	k.store.down.Store(true) // the store fails as it does for a cancelled request
	gone, leave := context.WithCancel(t.Context())
	leave()
	const route = "pets /tokens"
	count := func(status string) float64 { return k.requests(t, route, status) }
	k.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/pets/tokens", nil).WithContext(gone))
	if count("499") != 1 || count("503") != 0 || log.String() != "" {
		t.Errorf("counted as 499 %v times, as 503 %v times; logged %q", count("499"), count("503"), log.String())
	}
	k.get("/pets/tokens")
	if count("503") != 1 || !strings.Contains(log.String(), "status=503") {
		t.Errorf("a caller who waits: %v times 503; logged %q", count("503"), log.String())
	}
}

func TestTheRequestIDOfAProxyIsLogged(t *testing.T) {
	k, log := loggedKit(t, slog.LevelInfo)
	k.store.down.Store(true)
	k.get("/pets/tokens", "X-Request-Id", "from a\nproxy"+strings.Repeat("x", 1000))
	if got := log.String(); !strings.Contains(got, ` proxy_request="from a\nproxy`+strings.Repeat("x", 52)+`" `) {
		t.Errorf("logged as %q", got)
	}
}

// If requests are logged, none of them is missing in the log.
func TestALoggedServerHasNoLane(t *testing.T) {
	k, log := loggedKit(t, slog.LevelDebug)
	addr := listen(t, k, true)
	for range 3 {
		s := scene{method: "GET", target: "/supply/jewel/totalsupply", host: "localhost:8080"}
		_, resp, _ := s.ask(t, addr, nil)
		if resp.StatusCode != 200 {
			t.Errorf("the status is %s", resp.Status)
		}
	}
	check.Await(t, "three lines", func() bool { return strings.Count(log.String(), "\n") == 3 })
	if k.answered() != 0 {
		t.Error("answered without a line in the log")
	}
}
