package web

import (
	"io"
	"log/slog"
	"net/http"
	"testing"

	"petsupply/internal/supply"
)

func TestAServerWithoutTokens(t *testing.T) {
	cfg := oneHost()
	cfg.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{Server: s}
	k.OnPublication(&supply.Publication{})
	for _, path := range []string{"/supply", "/supply/", "/supply/jewel", "/supply/jewel/totalsupply"} {
		if w := k.get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", path, w.Code)
		}
		for _, lane := range []bool{false, true} {
			_, resp, _ := scene{method: "GET", target: path, host: "localhost:8080"}.ask(t, listen(t, k, lane), nil)
			if resp.StatusCode != http.StatusNotFound {
				t.Errorf("%s, lane %t: %d", path, lane, resp.StatusCode)
			}
		}
	}
	if !k.Ready() {
		t.Error("waits for figures that nobody publishes")
	}
}
