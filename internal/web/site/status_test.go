package site

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A page is made from the status that is in memory: reading it asks the store.
func TestPagesAskForTheStatusOnce(t *testing.T) { synctest.Test(t, testPagesAskForTheStatusOnce) }

func testPagesAskForTheStatusOnce(t *testing.T) {
	s := demoSite(t)
	s.Demo = false // the demo's entries are invented, whatever the status
	asked, status := 0, s.Config.Status
	s.Config.Status = func() Status {
		asked++
		return status()
	}
	get := func(path string) {
		t.Helper()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", path, w.Code)
		}
	}
	for _, path := range []string{"/token/jewel", "/token/crystal", "/status", "/status"} {
		get(path)
	}
	if asked != 1 {
		t.Errorf("four pages asked for the status %d times, want once", asked)
	}
	time.Sleep(statusKept)
	if get("/status"); asked != 2 {
		t.Errorf("a page of later asked %d times in all, want twice", asked)
	}
}
