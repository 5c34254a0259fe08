package answer

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
)

func TestProblemTellsNothing(t *testing.T) {
	const secret = "dial tcp 10.0.0.7:8545: connect: connection refused; SELECT * FROM lease"
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
		{Unavailable(inner), 503},
		{fmt.Errorf("%w %w", ErrNoPath, inner), 404},
	} {
		f := ProblemOf(c.err)
		if f.Status != c.status {
			t.Errorf("%v: %d, not %d", c.err, f.Status, c.status)
		}
		if c.status == 503 && f.Retry <= 0 {
			t.Errorf("%v: does not say when to come back", c.err)
		}
		for _, figure := range []bool{false, true} {
			r, _ := http.NewRequest(http.MethodGet, "http://x/supply/jewel", nil)
			resp := f.response(&Request{Request: r, Route: &Route{Figure: figure}})
			for word := range strings.FieldsSeq(secret) {
				if len(word) > 3 && strings.Contains(string(resp.Body), word) {
					t.Errorf("%v: the answer has the word %q: %s", c.err, word, resp.Body)
				}
			}
		}
	}
	if got := ProblemOf(fmt.Errorf("%w: %w", pet.ErrBurned, inner)); got.Status != 404 || !strings.Contains(got.Detail, "burned") {
		t.Errorf("a burned pet: %d %q", got.Status, got.Detail)
	}
	if got := ProblemOf(inner).Detail; got != "internal error" {
		t.Errorf("%q", got)
	}
}

func TestARefusedFigureIsNoNumber(t *testing.T) {
	for _, err := range []error{ErrNoPath, errBadPath, errTooLong, ErrHost, errMethod, &Problem{Status: 503, Detail: "figures are being loaded"}, errors.New("x"), Malformed("format", "not json"), &Problem{Status: 429}} {
		r, _ := http.NewRequest(http.MethodGet, "http://x/supply/jewel/totalsupply", nil)
		body := string(ProblemOf(err).response(&Request{Request: r, Route: &Route{Figure: true}}).Body)
		// As the laxest parsers do: the longest prefix that is a number.
		for end := 1; end <= min(len(body), 24); end++ {
			if f, err := strconv.ParseFloat(strings.TrimSpace(body[:end]), 64); err == nil {
				t.Errorf("%q begins with the number %v", body, f)
			}
		}
	}
}
