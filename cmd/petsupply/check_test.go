package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

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
