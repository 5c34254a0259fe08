package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/web/answer"
)

// An address that asks only for costly answers gets 429. Its prepared answers and other addresses are
// not affected.
func TestPagesAndInterfacesShareOneLimit(t *testing.T) {
	for _, path := range []string{"/pet/7", "/pet/999999999999", "/gallery", "/?a", "/api?a", "/status?a",
		"/token/jewel?days=7", "/pets/tokens?limit=1"} {
		t.Run(path, func(t *testing.T) {
			cfg := oneHost()
			cfg.Limit = answer.Limit{PerSecond: 1, Burst: 20}
			k := sited(t, cfg)
			w := k.get(path)
			for i := 0; w.Code != http.StatusTooManyRequests && i < 50; i++ {
				w = k.get(path)
			}
			wait, err := strconv.Atoi(w.Header().Get("Retry-After"))
			if w.Code != 429 || err != nil || wait < 1 || w.Header().Get("Cache-Control") != "no-store" ||
				w.Header().Get("RateLimit") != `"costly";r=0;t=`+strconv.Itoa(wait) ||
				w.Header().Get("RateLimit-Policy") != `"costly";q=20;w=20` {
				t.Fatalf("beyond the limit: %d, %v", w.Code, w.Header())
			}
			if w := k.get("/pets/tokens?limit=1"); w.Code != 429 {
				t.Errorf("the interface still lists: %d", w.Code)
			}
			if w := k.get("/supply/jewel/totalsupply"); w.Code != 200 {
				t.Errorf("a figure is limited: %d", w.Code)
			}
			other := httptest.NewRequest(http.MethodGet, "/pets/tokens?limit=1", nil)
			other.RemoteAddr = "192.0.2.77:1"
			answered := httptest.NewRecorder()
			k.ServeHTTP(answered, other)
			if answered.Code != 200 {
				t.Errorf("another address: %d", answered.Code)
			}
			k.clock.advance(time.Duration(wait) * time.Second)
			if w := k.get(path); w.Code == 429 {
				t.Errorf("%d seconds later: %d", wait, w.Code)
			}
		})
	}
}

// TestAStoreThatStallsStopsNothingElse: requests that wait for the store hold no processor, however
// many they are.
func TestAStoreThatStallsStopsNothingElse(t *testing.T) {
	k := sited(t, oneHost())
	k.remember(3)
	for _, target := range []string{"/status", "/pets/image/1"} { // reads from the store, and unpacks the pictures
		if w := k.get(target); w.Code != 200 {
			t.Fatalf("%s: %d", target, w.Code)
		}
	}
	stalled := make(chan struct{})
	k.store.stalled.Store(&stalled)
	var waiting sync.WaitGroup
	for i := range 20 {
		for _, target := range []string{
			"/pets/tokens?limit=1", "/pets/token/17", "/pets/changes", "/gallery", "/pet/18",
			"/pets/token/2/history", "/pets/image/19",
		} {
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
	for _, target := range []string{
		"/supply/jewel/totalsupply", "/supply/jewel", "/pets/token/2", "/pets/image/2?size=90",
		"/pets/image/3?size=720", "/status",
	} {
		if w := k.get(target); w.Code != 200 {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	close(stalled)
	waiting.Wait()
}

// Each request costs what the table of routes says. An address with at least one unit may request
// anything, and pays for all of it.
func TestRequestsPayForTheirItems(t *testing.T) {
	missing := strings.Repeat("999999999999,", 19) + "1"
	for name, targets := range map[string][]string{
		"pets in memory cost little": {
			"/pets/tokens?ids=1,2,3,4,5,6", "/pets/tokens?ids=3,2,1", "/pets/tokens?ids=3,2,1",
			"/pets/tokens?ids=3,2,1", "/pets/tokens?ids=3,2,1", "/pets/tokens?ids=3,2,1",
			"/pets/tokens?ids=" + missing,
		},
		"points": {"/supply/jewel/history?points=200", "/supply/jewel/history?points=2000"},
		"past": {
			"/supply/?at=2026-07-05", "/supply/?at=2026-07-05", "/supply/jewel?at=2026-07-05", "/supply/jewel/proof",
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := oneHost()
			cfg.Limit = answer.Limit{PerSecond: 1, Burst: 10}
			k := newKit(t, cfg)
			k.remember(3)
			for _, target := range targets {
				if w := k.get(target); w.Code != 200 {
					t.Fatalf("%s: %d %s", target, w.Code, w.Body)
				}
			}
			w := k.get("/pets/tokens?ids=" + missing)
			wait, err := strconv.Atoi(w.Header().Get("Retry-After"))
			if w.Code != 429 || err != nil {
				t.Fatalf("after that: %d %v", w.Code, w.Header())
			}
			k.clock.advance(time.Duration(wait)*time.Second - time.Second)
			if w := k.get("/supply/jewel/proof"); w.Code != 429 {
				t.Errorf("a second before the time of Retry-After: %d", w.Code)
			}
			k.clock.advance(time.Second)
			if w := k.get("/supply/jewel/proof"); w.Code != 200 {
				t.Errorf("at the time of Retry-After: %d", w.Code)
			}
		})
	}
}
