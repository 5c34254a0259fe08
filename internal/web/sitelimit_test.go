package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/site"
)

// A pastOf has past figures and pets.
type pastOf struct {
	history
	*petStore
}

// sited returns a kit with the real site.
func sited(t *testing.T, cfg Config) *kit {
	t.Helper()
	var pages http.Handler
	cfg.Site = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { pages.ServeHTTP(w, r) })
	k := newKit(t, cfg)
	s, err := site.New(site.Config{
		SupplyURL: cfg.SupplyURL, PetsURL: cfg.PetsURL, SiteURL: cfg.SiteURL,
		Board: k.board, History: history{t}, Past: pastOf{history{t}, nil}, Pets: k.pets.Directory, Realms: demo.Realms(),
		Pack: pack(t), Words: words(t),
		Census: func(context.Context) (*pet.Census, error) { return nil, pet.ErrUnavailable }, Stream: k.NewEvents(),
		Status: func() site.Status { return site.Status{} }, Charge: k.Charge, Send: k.SendPage, Log: k.answerer.Log,
	})
	if err != nil {
		t.Fatal(err)
	}
	pages = s
	return k
}

func TestPagesAndInterfacesShareOneLimit(t *testing.T) {
	for _, path := range []string{"/pet/7", "/pet/999999999999", "/gallery", "/gallery/random", "/", "/api", "/status",
		"/token/jewel"} {
		t.Run(path, func(t *testing.T) {
			cfg := oneHost()
			cfg.Limit = answer.Limit{PerSecond: 1, Burst: 20}
			k := sited(t, cfg)
			w := k.get(path)
			for i := 0; w.Code != http.StatusTooManyRequests && i < 50; i++ {
				w = k.get(path)
			}
			wait, err := strconv.Atoi(w.Header().Get("Retry-After"))
			if w.Code != 429 || err != nil || wait < 1 || w.Header().Get("Cache-Control") != "no-store" {
				t.Fatalf("beyond the limit: %d, %v", w.Code, w.Header())
			}
			if w := k.get("/pets/tokens?limit=1"); w.Code != 429 {
				t.Errorf("the interface still lists: %d", w.Code)
			}
			if w := k.get("/supply/jewel/totalsupply"); w.Code != 200 {
				t.Errorf("a figure is limited: %d", w.Code)
			}
			k.clock.advance(time.Duration(wait) * time.Second)
			if w := k.get(path); w.Code == 429 {
				t.Errorf("%d seconds later: %d", wait, w.Code)
			}
		})
	}
}

// TestThePageOfAPetKeepsItsETag: the page does not change every second.
func TestThePageOfAPetKeepsItsETag(t *testing.T) {
	k := sited(t, oneHost())
	synctest.Test(t, func(t *testing.T) {
		first := k.get("/pet/7").Header().Get("Etag")
		time.Sleep(5 * time.Second) // on the test's own clock
		if again := k.get("/pet/7").Header().Get("Etag"); again != first || first == "" {
			t.Errorf("%s, five seconds after %s", again, first)
		}
	})
}

// A stuckWriter is a response to a client that reads no body.
type stuckWriter struct {
	*httptest.ResponseRecorder
	begun, end chan struct{}
}

func (w stuckWriter) Write(b []byte) (int, error) {
	close(w.begun)
	<-w.end
	return len(b), nil
}

// TestSlowReadersKeepNoTurn: a request's turn ends when its answer is made, so clients that do not
// read it delay nobody.
func TestSlowReadersKeepNoTurn(t *testing.T) {
	for _, path := range []string{"/", "/token/jewel", "/pets/tokens?ids=1,2"} {
		t.Run(path, func(t *testing.T) {
			k := sited(t, oneHost())
			end := make(chan struct{})
			var all sync.WaitGroup
			for range runtime.GOMAXPROCS(0) + 1 {
				w := stuckWriter{httptest.NewRecorder(), make(chan struct{}), end}
				all.Go(func() { k.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil)) })
				<-w.begun
			}
			if w := k.get(path); w.Code != 200 {
				t.Errorf("after many that are not read: %d", w.Code)
			}
			close(end)
			all.Wait()
		})
	}
}
