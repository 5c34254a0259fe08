package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply"
	"petsupply/internal/turns"
	"petsupply/internal/web/answer"
)

const secret = "dial tcp 10.0.0.7:8545: connect: connection refused; SELECT * FROM lease"

func TestProblemsShowNoErrorText(t *testing.T) {
	inner := errors.New(secret)
	k := newKit(t, oneHost())
	for _, c := range []struct {
		name   string
		err    error
		status int
	}{
		{"unknown", inner, 500},
		{"wrapped", fmt.Errorf("reading: %w", inner), 500},
		{"bad id", fmt.Errorf("%w: %w", pet.ErrBadID, inner), 400},
		{"bad page token", fmt.Errorf("%w: %w", pet.ErrBadPageToken, inner), 400},
		{"burned", fmt.Errorf("%w: %w", pet.ErrBurned, inner), 404},
		{"no pet", fmt.Errorf("%w: %w", pet.ErrNotFound, inner), 404},
		{"no figure", fmt.Errorf("%w: %w", supply.ErrNotFound, inner), 404},
		{"pet unavailable", fmt.Errorf("%w: %w", pet.ErrUnavailable, inner), 503},
		{"busy", fmt.Errorf("%w: %w", turns.Busy{Work: "lists"}, inner), 503},
		{"late", fmt.Errorf("%w: %w", context.DeadlineExceeded, inner), 503},
		{"unavailable", unavailable(inner), 503},
		{"no path", fmt.Errorf("%w %w", answer.ErrNoPath, inner), 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, text := range []bool{false, true} {
				w := httptest.NewRecorder()
				q := &answer.Request{Request: httptest.NewRequest(http.MethodGet, "/supply/jewel", nil), At: started}
				q.Route = k.answerer.NewRoute("test", answer.Row{Pattern: c.name, Text: text})
				k.answerer.Handle(w, q, c.err)
				if w.Code != c.status {
					t.Errorf("%d, not %d", w.Code, c.status)
				}
				if c.status == 503 && w.Header().Get("Retry-After") == "" {
					t.Error("does not say when to come back")
				}
				if c.name == "burned" && !strings.Contains(w.Body.String(), "burned") {
					t.Errorf("does not say that the pet was burned: %s", w.Body)
				}
				for word := range strings.FieldsSeq(secret) {
					if len(word) > 3 && strings.Contains(w.Body.String(), word) {
						t.Errorf("the answer has the word %q: %s", word, w.Body)
					}
				}
			}
		})
	}
	if got := problemOf(inner).Detail; got != "internal error" {
		t.Errorf("the detail of an internal error is %q", got)
	}
}

func TestAStoreThatIsAwayIsNotTheCallersFault(t *testing.T) {
	k := newKit(t, oneHost())
	k.store.down.Store(true)
	for _, path := range []string{"/pets/token/1", "/pets/image/1", "/pets/tokens", "/pets/token/1/history"} {
		w := k.get(path)
		if w.Code != 503 || w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "EOF") {
			t.Errorf("%s: status %d, %s; want 503 with Retry-After, without the cause", path, w.Code, w.Body)
		}
	}
	if w := k.get("/supply/jewel/totalsupply"); w.Code != 200 {
		t.Errorf("a figure needs no store: %d", w.Code)
	}
}

// Problems use the collection's word for its pets.
func TestProblemsFollowTheCollection(t *testing.T) {
	c, err := collection.Parse("dragons.yaml", []byte("name: Dragons\none: dragon\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		words *pet.Words
		want  string
	}{
		"no pets": {nil, "no such pet"}, "pets": {words(t), "no such pet"}, "dragons": {&pet.Words{Collection: c},
			"no such dragon"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := problemsAbout(test.words)(pet.ErrNotFound).Detail; got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
