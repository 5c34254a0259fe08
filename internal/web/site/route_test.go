package site

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"petsupply/internal/supply"
)

// A folder is not a page, and no redirect loops between it and its name without a slash. No page
// shows current data for a past time.
func TestPaths(t *testing.T) {
	s, err := New(complete(Config{
		SupplyURL: "http://localhost/supply", PetsURL: "http://localhost/pets", SiteURL: "http://localhost",
		Board: supply.NewBoard(nil, supply.AgePolicy{}, false), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	}))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{
		"/assets": 404, "/assets/": 404, "/assets/site.css": 200, "/assets/none.css": 404,
		"/": 200, "/?at=1": 400, "/status?%61t=": 400,
		"/api/ui": 404,
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, not %d", path, w.Code, want)
		}
	}
}
