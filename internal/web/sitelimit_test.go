package web

import (
	"context"
	"net/http"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/site"
)

// sited is a kit with the real site.
func sited(t *testing.T, cfg Config) *kit {
	t.Helper()
	var pages http.Handler
	cfg.Site = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { pages.ServeHTTP(w, r) })
	k := newKit(t, cfg)
	s, err := site.New(site.Config{
		SupplyURL: cfg.SupplyURL, PetsURL: cfg.PetsURL, SiteURL: cfg.SiteURL,
		Board: k.board, History: history{t}, Pets: k.pets.Directory, Realms: demo.Realms(), Pack: pack(t), Words: words(t),
		Census: func(context.Context) (*pet.Census, error) { return nil, pet.ErrUnavailable }, Stream: k.NewEvents(),
		Status: func() site.Status { return site.Status{} }, Charge: k.Charge, Send: k.SendPage, Log: k.answerer.Log,
	})
	if err != nil {
		t.Fatal(err)
	}
	pages = s
	return k
}

func TestTheSitesCostlyPagesAreLimitedAsTheInterfacesAre(t *testing.T) {
	for _, path := range []string{"/pet/7", "/pet/999999999999", "/gallery", "/gallery/random"} {
		cfg := oneHost()
		cfg.Limit = answer.Limit{PerSecond: 1, Burst: 3}
		k := sited(t, cfg)
		for i := range 3 {
			if w := k.get(path); w.Code == 429 {
				t.Fatalf("%s, request %d: %d", path, i, w.Code)
			}
		}
		w := k.get(path)
		if w.Code != 429 || w.Header().Get("Retry-After") != "1" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s beyond the limit: %d, %v", path, w.Code, w.Header())
		}
		if w := k.get("/pets/tokens?limit=1"); w.Code != 429 {
			t.Errorf("after %s the interface still lists: %d", path, w.Code)
		}
		for _, free := range []string{"/", "/api", "/status", "/token/jewel"} {
			if w := k.get(free); w.Code != 200 {
				t.Errorf("%s, which costs little, is limited: %d", free, w.Code)
			}
		}
		k.clock.advance(time.Second)
		if w := k.get(path); w.Code == 429 {
			t.Errorf("%s a second later: %d", path, w.Code)
		}
	}
}
