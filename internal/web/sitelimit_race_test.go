package web

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/directory"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/openapi"
	"petsupply/internal/web/site"
)

// sited returns a kit with the real site.
func sited(t *testing.T, cfg Config) *kit {
	t.Helper()
	return newSitedKit(t, cfg, func(k *kit) Pages {
		s, err := site.New(site.Config{
			SupplyURL: cfg.SupplyURL, PetsURL: cfg.PetsURL, SiteURL: strings.TrimSuffix(cfg.SiteURL, "/"),
			Poll: time.Second, Board: k.board, History: history{t},
			Pets: uncounted{k.pets.Directory}, Realms: demo.Realms(),
			Pack: pack(t), Words: words(t), Status: func() site.Status { return site.Status{} },
			Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}

// uncounted has pets and no census.
type uncounted struct{ *directory.Directory }

func (uncounted) Census(context.Context) (*pet.Census, error) { return nil, pet.ErrUnavailable }

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

// TestPagesThatAskForNewsCostNothing: a page without a query is made once a second and at each
// publication, for all callers together.
func TestPagesThatAskForNewsCostNothing(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 0.001, Burst: 1}
	k := sited(t, cfg)
	for _, path := range []string{"/", "/token/jewel", "/TOKEN/Jewel/", "/status", "/api", "/about"} {
		first := k.get(path)
		for range 20 {
			if w := k.get(path, "If-None-Match", first.Header().Get("Etag")); w.Code != http.StatusNotModified {
				t.Fatalf("%s: %d", path, w.Code)
			}
		}
	}
	if n := len(k.Server.pages.entries); n != 5 {
		t.Errorf("%d pages are kept", n)
	}
	if n := k.counted(t, "petsupply_http_charged_units_total"); n != 0 {
		t.Errorf("%v units were charged", n)
	}
}

// TestAPublicationShowsAtOnce: a page that was made before a publication is not served after it.
func TestAPublicationShowsAtOnce(t *testing.T) {
	k := sited(t, oneHost())
	before := k.get("/token/jewel").Header().Get("Etag")
	k.board.Set(updates(t, demo.End.Add(-24*time.Hour))...)
	figure := k.get("/supply/jewel/circulatingsupply").Body.String()
	w := k.get("/token/jewel")
	whole, fraction, _ := strings.Cut(figure, ".")
	if w.Header().Get("Etag") == before || !strings.Contains(w.Body.String(), ledger.Grouped(whole)) ||
		!strings.Contains(w.Body.String(), fraction) {
		t.Errorf("the page does not show the figure %s", figure)
	}
}

// TestTheAPIPageListsEveryAddress compares the page with the specifications.
func TestTheAPIPageListsEveryAddress(t *testing.T) {
	k := sited(t, oneHost())
	page := strings.ReplaceAll(k.get("/api").Body.String(), "<wbr>", "")
	for base, d := range map[string]openapi.Document{k.cfg.SupplyURL: k.cfg.SupplySpec, k.cfg.PetsURL: k.cfg.PetsSpec} {
		var doc struct{ Paths map[string]any }
		if err := json.Unmarshal(d.JSON(), &doc); err != nil || len(doc.Paths) < 5 {
			t.Fatal(err, doc)
		}
		for path := range doc.Paths {
			name := strings.TrimPrefix(path, "/{token}/")
			figure := strings.HasSuffix(name, "supply") && strings.Contains(page, base+"/{token}/{figure}") &&
				strings.Contains(page, name)
			if !figure && !strings.HasPrefix(path, "/log/") && !strings.Contains(page, base+path) {
				t.Errorf("the page does not list %s%s", base, path)
			}
		}
	}
}
