package site

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAPageWhoseCallerHungUpIsNoInternalError(t *testing.T) {
	s, log := demoSite(t), new(strings.Builder)
	s.Log = slog.New(slog.NewTextHandler(log, nil))
	s.Pets = &fakePets{away: context.Canceled}
	gone, leave := context.WithCancel(t.Context())
	leave()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", "/gallery", nil).WithContext(gone))
	if w.Body.Len() > 0 || log.String() != "" {
		t.Errorf("%q, logged %q", w.Body, log)
	}
}

func TestThePolicyKeepsAnOriginThatBeginsLikeAnother(t *testing.T) {
	policy := contentPolicy("https://pets.example.com", "https://pets.example", "https://pets.example:8443")
	for _, origin := range []string{"https://pets.example.com", "https://pets.example", "https://pets.example:8443"} {
		if !strings.Contains(policy, " "+origin+" ") {
			t.Errorf("%s is missing: %s", origin, policy)
		}
	}
	if again := contentPolicy("https://a.example/x", "https://a.example/y"); strings.Count(again, "https://a.example") != 2 { // img-src, connect-src
		t.Errorf("an origin is listed twice: %s", again)
	}
}
