package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// later is when to come back if nothing better is known.
const later = 10 * time.Second

// problem maps an error to what a stranger may know of it. Whatever is not
// listed here is an internal error, without a word of its text.
func problem(err error) *fault {
	var f *fault
	var busy art.Busy
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, pet.ErrBadID):
		return &fault{status: http.StatusBadRequest, detail: "a pet id is decimal digits without sign or leading zero"}
	case errors.Is(err, pet.ErrBadPageToken):
		return &fault{status: http.StatusBadRequest, detail: "query parameter cursor is not one that a listing here gave", param: "cursor"}
	case errors.Is(err, pet.ErrNotFound):
		return &fault{status: http.StatusNotFound, detail: "no such pet"}
	case errors.Is(err, supply.ErrNotFound):
		return &fault{status: http.StatusNotFound, detail: "nothing is known of this"}
	case errors.Is(err, pet.ErrUnavailable):
		return &fault{status: http.StatusServiceUnavailable, detail: "this pet cannot be looked up now", retry: later}
	case errors.As(err, &busy):
		return &fault{status: http.StatusServiceUnavailable, detail: "busy drawing other pictures", retry: max(busy.RetryAfter, time.Second)}
	case errors.Is(err, art.ErrBusy):
		return &fault{status: http.StatusServiceUnavailable, detail: "busy drawing other pictures", retry: time.Second}
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return &fault{status: http.StatusServiceUnavailable, detail: "this took too long", retry: later}
	}
	return &fault{status: http.StatusInternalServerError, detail: "internal error"}
}

// A trouble is the body of an error: RFC 9457, with our own members last.
type trouble struct {
	Type     string   `json:"type"`
	Title    string   `json:"title"`
	Status   int      `json:"status"`
	Detail   string   `json:"detail"`
	Instance string   `json:"instance"`
	Param    string   `json:"parameter,omitempty"`
	Tokens   []string `json:"tokens,omitempty"`
}

// refusal turns a fault into an answer: problem details, or on figure routes a
// line of text that no parser takes for a number, since it begins with a word.
func (f *fault) refusal(q *request) *response {
	title := http.StatusText(f.status)
	r := &response{status: f.status, own: f.own}
	if f.retry > 0 {
		wait := f.retry + time.Second - 1 // whole seconds, never too early
		r.own = append(r.own[:len(r.own):len(r.own)], fieldOf("Retry-After", seconds(wait)))
	}
	if q.route.figure {
		r.media = "text/plain; charset=utf-8"
		r.body = []byte(strings.ToLower(title) + ": " + f.detail + "\n")
		return r
	}
	r.media = "application/problem+json"
	body, err := json.Marshal(trouble{
		Type: "about:blank", Title: title, Status: f.status, Detail: f.detail,
		Instance: clip(q.URL.EscapedPath(), 256), Param: f.param, Tokens: f.tokens,
	})
	if err != nil {
		body = []byte(`{"type":"about:blank","status":500}`) // strings and a number: cannot fail
	}
	r.body = body
	return r
}

// clip keeps a stranger's escaped path short enough to send back, without a
// torn escape at its end.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[:n]
	if i := strings.LastIndexByte(s, '%'); i > n-3 {
		s = s[:i]
	}
	return s
}
