package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"petsupply/internal/art/gallery"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// defaultRetry is when to come back if nothing better is known.
const defaultRetry = 10 * time.Second

// An httpError is a refusal that may be told to a stranger in full.
type httpError struct {
	status  int
	detail  string   // what was wrong, beginning in lower case
	param   string   // the query parameter that is malformed, if it is one
	tokens  []string // the valid tokens, where an unknown one was asked for
	kept    []supply.KeptAt
	retry   time.Duration // when to come back; 0: not said
	headers []field
	cause   error // for the log alone
}

func (e *httpError) Error() string { return e.detail }

// allowed are the methods of every address here.
const allowed = "GET, HEAD, OPTIONS"

var (
	errNoPath  = &httpError{status: http.StatusNotFound, detail: "there is nothing at this address"}
	errBadPath = &httpError{status: http.StatusBadRequest, detail: "the path holds characters that no address here has"}
	errTooLong = &httpError{status: http.StatusRequestURITooLong, detail: "the address is too long"}
	errHost    = &httpError{status: http.StatusMisdirectedRequest, detail: "this host is not served here"}
	errMethod  = &httpError{status: http.StatusMethodNotAllowed, detail: "this is a read-only service: use GET or HEAD", headers: []field{newField("Allow", allowed)}}
)

func notFound(detail string) error { return &httpError{status: http.StatusNotFound, detail: detail} }

func malformed(param, why string) error {
	return &httpError{status: http.StatusBadRequest, detail: "query parameter " + param + " is " + why, param: param}
}

// unavailable marks an error of something that stands behind us, such as the
// store: the caller did nothing wrong and may come back. Errors that problem
// lists keep their meaning.
func unavailable(err error) error {
	if err == nil || problem(err).status != http.StatusInternalServerError {
		return err
	}
	return &httpError{status: http.StatusServiceUnavailable, detail: "this cannot be looked up now", retry: defaultRetry, cause: err}
}

// problems are the errors that have a meaning to a stranger.
var problems = []struct {
	err error
	httpError
}{
	{pet.ErrBadID, httpError{status: http.StatusBadRequest, detail: "a pet id is decimal digits without sign or leading zero"}},
	{pet.ErrBadPageToken, httpError{status: http.StatusBadRequest, detail: "query parameter cursor is not one that a listing here gave", param: "cursor"}},
	{pet.ErrBurned, httpError{status: http.StatusNotFound, detail: "this pet was burned: no realm has it any more"}},
	{pet.ErrNotFound, httpError{status: http.StatusNotFound, detail: "no such pet"}},
	{supply.ErrNotFound, httpError{status: http.StatusNotFound, detail: "nothing is known of this"}},
	{pet.ErrUnavailable, httpError{status: http.StatusServiceUnavailable, detail: "this pet cannot be looked up now", retry: defaultRetry}},
	{gallery.ErrBusy, httpError{status: http.StatusServiceUnavailable, detail: "busy drawing other pictures", retry: time.Second}},
	{context.DeadlineExceeded, httpError{status: http.StatusServiceUnavailable, detail: "this took too long", retry: defaultRetry}},
	{context.Canceled, httpError{status: http.StatusServiceUnavailable, detail: "this took too long", retry: defaultRetry}},
}

// problem maps an error to what a stranger may know of it. Whatever is neither an
// httpError nor listed is an internal error, without a word of its text.
func problem(err error) *httpError {
	var known *httpError
	if errors.As(err, &known) {
		return known
	}
	for _, p := range problems {
		if !errors.Is(err, p.err) {
			continue
		}
		var busy gallery.Busy
		if errors.As(err, &busy) {
			p.retry = max(p.retry, busy.RetryAfter)
		}
		return &p.httpError
	}
	return &httpError{status: http.StatusInternalServerError, detail: "internal error"}
}

// problemDetails is the body of an error: RFC 9457, with our own members last.
type problemDetails struct {
	Type     string          `json:"type"`
	Title    string          `json:"title"`
	Status   int             `json:"status"`
	Detail   string          `json:"detail"`
	Instance string          `json:"instance"`
	Param    string          `json:"parameter,omitempty"`
	Tokens   []string        `json:"tokens,omitempty"`
	Kept     []supply.KeptAt `json:"kept,omitempty"`
}

// response turns the error into an answer: problem details, or on figure routes
// a line of text that no parser takes for a number, since it begins with a word.
func (e *httpError) response(q *request) *response {
	title := http.StatusText(e.status)
	r := &response{status: e.status, headers: e.headers}
	if e.retry > 0 {
		wait := e.retry + time.Second - 1 // whole seconds, never too early
		r.headers = append(r.headers[:len(r.headers):len(r.headers)], newField("Retry-After", seconds(wait)))
	}
	if q.route.figure {
		r.media = textType
		r.body = []byte(strings.ToLower(title) + ": " + e.detail + "\n")
		return r
	}
	r.media = "application/problem+json"
	body, err := json.Marshal(problemDetails{
		Type: "about:blank", Title: title, Status: e.status, Detail: e.detail,
		Instance: clip(q.URL.EscapedPath(), 256), Param: e.param, Tokens: e.tokens, Kept: e.kept,
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
