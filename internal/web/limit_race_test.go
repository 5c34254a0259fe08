package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/web/answer"
)

func TestCostlyWorkIsLimited(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 2, Burst: 3}
	k := newKit(t, cfg)
	for i := range 4 { // each costs 0.6
		if w := k.get("/pets/tokens?limit=1"); w.Code != 200 {
			t.Fatalf("listing %d: %d", i, w.Code)
		}
	}
	w := k.get("/pets/tokens?limit=1")
	if w.Code != 429 || w.Header().Get("Retry-After") != "1" || w.Header().Get("RateLimit") != `"costly";r=0;t=1` ||
		w.Header().Get("RateLimit-Policy") != `"costly";q=3;w=2` {
		t.Errorf("a request over the limit: status %d, %v", w.Code, w.Header())
	}
	for range 20 {
		if w := k.get("/supply/jewel/totalsupply"); w.Code != 200 {
			t.Errorf("an answer from memory was limited: %d", w.Code)
		}
	}
	other := httptest.NewRequest(http.MethodGet, "/pets/tokens?limit=1", nil)
	other.RemoteAddr = "192.0.2.77:1"
	answered := httptest.NewRecorder()
	k.ServeHTTP(answered, other)
	if answered.Code != 200 {
		t.Errorf("another address: %d", answered.Code)
	}
	k.clock.advance(500 * time.Millisecond)
	if w := k.get("/pets/tokens?limit=1"); w.Code != 200 {
		t.Errorf("half a second later: %d", w.Code)
	}
}

// TestAStoreThatStallsStopsNothingElse: requests that wait for the store hold no processor, however
// many they are.
func TestAStoreThatStallsStopsNothingElse(t *testing.T) {
	k := sited(t, oneHost())
	k.remember(3)
	if w := k.get("/status"); w.Code != 200 { // makes what the page reads from the store
		t.Fatalf("/status: %d", w.Code)
	}
	stalled := make(chan struct{})
	k.store.stalled.Store(&stalled)
	var waiting sync.WaitGroup
	for i := range 20 {
		for _, target := range []string{"/pets/tokens?limit=1", "/pets/token/17", "/pets/changes", "/gallery", "/pet/18",
			"/pets/token/2/history", "/pets/image/19"} {
			r := httptest.NewRequest(http.MethodGet, target, nil)
			r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1", i)
			begun := make(chan struct{})
			waiting.Go(func() {
				close(begun)
				k.ServeHTTP(httptest.NewRecorder(), r)
			})
			<-begun
		}
	}
	for _, target := range []string{"/supply/jewel/totalsupply", "/supply/jewel", "/pets/token/2", "/pets/image/2?size=90",
		"/pets/image/3?size=720", "/status"} {
		answered := make(chan int)
		go func() { answered <- k.get(target).Code }()
		select {
		case code := <-answered:
			if code != 200 {
				t.Errorf("%s: %d", target, code)
			}
		case <-time.After(time.Minute):
			t.Errorf("%s waits for the store", target)
		}
	}
	close(stalled)
	waiting.Wait()
}

func TestABatchPaysForWhatIsNotInMemory(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 1, Burst: 10}
	k := newKit(t, cfg)
	k.remember(3)
	if w := k.get("/pets/tokens?ids=1,2,3,4,5,6"); w.Code != 200 {
		t.Fatalf("the first request: status %d, %s", w.Code, w.Body)
	}
	for range 5 {
		if w := k.get("/pets/tokens?ids=3,2,1"); w.Code != 200 {
			t.Fatalf("pets in memory were limited: %d", w.Code)
		}
	}
	// 4.6 units are left. An address with at least one unit may request a whole batch, and pays for
	// all of it.
	ids := strings.Repeat("999999999999,", 19) + "1"
	if w := k.get("/pets/tokens?ids=" + ids); w.Code != 200 {
		t.Fatalf("a batch that costs more than is left: %d", w.Code)
	}
	w := k.get("/pets/tokens?ids=" + ids)
	if w.Code != 429 || w.Header().Get("Retry-After") != "1" {
		t.Errorf("the batch after that one: %d %v", w.Code, w.Header())
	}
	k.clock.advance(time.Second)
	if w := k.get("/pets/tokens?ids=" + ids); w.Code != 200 {
		t.Errorf("at the time of Retry-After: %d", w.Code)
	}
}

func TestAHistoryPaysForItsPoints(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 1, Burst: 10}
	k := newKit(t, cfg)
	for _, points := range []string{"200", "2000"} {
		if w := k.get("/supply/jewel/history?points=" + points); w.Code != 200 {
			t.Fatalf("%s points: %d %s", points, w.Code, w.Body)
		}
	}
	if w := k.get("/supply/jewel/history?points=2"); w.Code != 429 || w.Header().Get("Retry-After") != "6" {
		t.Errorf("after 15 of ten: %d %v", w.Code, w.Header())
	}
}
