package web

import (
	"context"
	"errors"
	"fmt"
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
	for _, c := range []struct {
		err    error
		status int
		detail string
	}{
		{inner, 500, "internal error"},
		{fmt.Errorf("reading: %w", inner), 500, "internal error"},
		{fmt.Errorf("%w: %w", pet.ErrBadID, inner), 400, "decimal digits"},
		{fmt.Errorf("%w: %w", pet.ErrBadPageToken, inner), 400, "cursor"},
		{fmt.Errorf("%w: %w", pet.ErrBurned, inner), 404, "burned"},
		{fmt.Errorf("%w: %w", pet.ErrNotFound, inner), 404, "no such"},
		{fmt.Errorf("%w: %w", supply.ErrNotFound, inner), 404, "not found"},
		{fmt.Errorf("%w: %w", pet.ErrUnavailable, inner), 503, "cannot be looked up"},
		{fmt.Errorf("%w: %w", turns.Busy{Work: "lists"}, inner), 503, "too many lists"},
		{fmt.Errorf("%w: %w", context.DeadlineExceeded, inner), 503, "too long"},
		{unavailable(inner), 503, "cannot be looked up"},
		{fmt.Errorf("%w %w", answer.ErrNoPath, inner), 404, "nothing at this address"},
	} {
		t.Run(c.err.Error(), func(t *testing.T) {
			p := problemOf(c.err)
			if p.Status != c.status || (p.Retry > 0) != (c.status == 503) || !strings.Contains(p.Detail, c.detail) {
				t.Errorf("%+v, want %d with %q", p, c.status, c.detail)
			}
			for word := range strings.FieldsSeq(secret) {
				if len(word) > 3 && strings.Contains(fmt.Sprint(p.Detail, p.Members), word) {
					t.Errorf("the problem has the word %q: %+v", word, p)
				}
			}
		})
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
