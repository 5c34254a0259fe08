package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestACallerWhoHangsUpIsNoInternalError(t *testing.T) {
	log, cfg := new(logBuffer), oneHost()
	cfg.Log = slog.New(slog.NewTextHandler(log, nil))
	k := newKit(t, cfg)
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
