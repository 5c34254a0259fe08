package site

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

type busyStore struct{ error }

func (busyStore) Busy() bool { return true }

// A page whose data cannot be read at the moment answers 503 with a time to try again.
func TestAPageOfABusyStoreIsUnavailable(t *testing.T) {
	s := &Site{Config: Config{Log: slog.New(slog.DiscardHandler)}}
	r := httptest.NewRequest("GET", "/token/jade", nil)
	for name, test := range map[string]struct {
		err    error
		status int
	}{
		"busy":         {fmt.Errorf("reading history: %w", busyStore{errors.New("too many")}), http.StatusServiceUnavailable},
		"too slow":     {fmt.Errorf("reading history: %w", context.DeadlineExceeded), http.StatusServiceUnavailable},
		"a failure":    {errors.New("something else"), http.StatusInternalServerError},
		"not readable": {errLater, http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			p := s.problem(r, test.err)
			if p.status != test.status || (p.retry > 0) != (test.status == http.StatusServiceUnavailable) {
				t.Errorf("status %d, retry after %s", p.status, p.retry)
			}
			if again := len(p.Data.(trouble).Links) > 0; again != (p.retry > 0) {
				t.Errorf("it links to itself: %t", again)
			}
		})
	}
}

// A caller who has to wait still gets the style of the page that says so.
func TestARefusalHasItsStyle(t *testing.T) {
	s := demoSite(t)
	s.Charge = func(*http.Request, float64) time.Duration { return time.Second }
	for path, want := range map[string]int{
		"/gallery": http.StatusTooManyRequests, "/assets/site.css": http.StatusOK, "/assets/lost.png": http.StatusOK,
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", path, w.Code, want)
		}
	}
}
