package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"petsupply/internal/art/gallery"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

const secret = "dial tcp 10.0.0.7:8545: connect: connection refused; SELECT * FROM lease"

func TestProblemTellsNothing(t *testing.T) {
	inner := errors.New(secret)
	for _, c := range []struct {
		err    error
		status int
	}{
		{inner, 500},
		{fmt.Errorf("reading: %w", inner), 500},
		{fmt.Errorf("%w: %w", pet.ErrBadID, inner), 400},
		{fmt.Errorf("%w: %w", pet.ErrBadPageToken, inner), 400},
		{fmt.Errorf("%w: %w", pet.ErrNotFound, inner), 404},
		{fmt.Errorf("%w: %w", supply.ErrNotFound, inner), 404},
		{fmt.Errorf("%w: %w", pet.ErrUnavailable, inner), 503},
		{fmt.Errorf("%w: %w", gallery.ErrBusy, inner), 503},
		{fmt.Errorf("%w: %w", context.DeadlineExceeded, inner), 503},
		{answer.Unavailable(inner), 503},
		{fmt.Errorf("%w %w", answer.ErrNoPath, inner), 404},
	} {
		f := answer.ProblemOf(c.err)
		if f.Status != c.status {
			t.Errorf("%v: %d, not %d", c.err, f.Status, c.status)
		}
		if c.status == 503 && f.Retry <= 0 {
			t.Errorf("%v: does not say when to come back", c.err)
		}
		for _, figure := range []bool{false, true} {
			r, _ := http.NewRequest(http.MethodGet, "http://x/supply/jewel", nil)
			resp := f.Response(&answer.Request{Request: r, Route: &answer.Route{Figure: figure}})
			for word := range strings.FieldsSeq(secret) {
				if len(word) > 3 && strings.Contains(string(resp.Body), word) {
					t.Errorf("%v: the answer has the word %q: %s", c.err, word, resp.Body)
				}
			}
		}
	}
	if got := answer.ProblemOf(fmt.Errorf("%w: %w", pet.ErrBurned, inner)); got.Status != 404 || !strings.Contains(got.Detail, "burned") {
		t.Errorf("a burned pet: %d %q", got.Status, got.Detail)
	}
	if got := answer.ProblemOf(inner).Detail; got != "internal error" {
		t.Errorf("%q", got)
	}
}

func TestARefusedFigureIsNoNumber(t *testing.T) {
	for _, err := range []error{answer.ErrNoPath, answer.ErrBadPath, answer.ErrTooLong, answer.ErrHost, answer.ErrMethod, errNotLoaded, errors.New("x"), answer.Malformed("format", "not json"), &answer.Problem{Status: 429}} {
		r, _ := http.NewRequest(http.MethodGet, "http://x/supply/jewel/totalsupply", nil)
		body := string(answer.ProblemOf(err).Response(&answer.Request{Request: r, Route: &answer.Route{Figure: true}}).Body)
		// As the laxest parsers do: the longest prefix that is a number.
		for end := 1; end <= min(len(body), 24); end++ {
			if f, err := strconv.ParseFloat(strings.TrimSpace(body[:end]), 64); err == nil {
				t.Errorf("%q begins with the number %v", body, f)
			}
		}
	}
}

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
