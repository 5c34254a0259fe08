package web

import (
	"context"
	"strings"
	"testing"

	"petsupply/internal/pet"
)

const secret = "dial tcp 10.0.0.7:8545: connect: connection refused; SELECT * FROM lease"

func TestAStoreThatIsAwayIsNotTheCallersFault(t *testing.T) {
	k := newKit(t, oneHost())
	k.store.down.Store(true)
	for _, path := range []string{"/pets/token/1", "/pets/image/1", "/pets/tokens", "/pets/token/1/history"} {
		w := k.get(path)
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "EOF") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if w := k.get("/supply/jewel/totalsupply"); w.Code != 200 {
		t.Errorf("a figure needs no store: %d", w.Code)
	}
}

// broken panics where a handler looks for its pet.
type broken struct{ *petSource }

func (broken) Prepared(context.Context, uint64) (*pet.Prepared, error) { panic(secret) }

func TestABrokenHandlerIsAnInternalError(t *testing.T) {
	k := newKit(t, oneHost())
	k.Server.pets.pets = broken{k.pets}
	w := k.get("/pets/token/1")
	if w.Code != 500 || strings.Contains(w.Body.String(), "10.0.0.7") || w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := k.get("/supply/jewel"); w.Code != 200 {
		t.Errorf("the server does not go on: %d", w.Code)
	}
}
