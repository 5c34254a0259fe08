package answer

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

// DefaultRetry is when to come back if nothing better is known.
const DefaultRetry = 10 * time.Second

// A Problem is a refusal that may be told to a stranger in full.
type Problem struct {
	Status  int
	Detail  string   // what was wrong, beginning in lower case
	Param   string   // the query parameter that is malformed, if it is one
	Tokens  []string // the valid tokens, where an unknown one was asked for
	Kept    []supply.KeptAt
	Retry   time.Duration // when to come back; 0: not said
	headers []Field
	cause   error // for the log alone
}

func (e *Problem) Error() string { return e.Detail }

// allowed are the methods of every address here.
const allowed = "GET, HEAD, OPTIONS"

var (
	ErrNoPath  = &Problem{Status: http.StatusNotFound, Detail: "there is nothing at this address"}
	errBadPath = &Problem{Status: http.StatusBadRequest, Detail: "the path holds characters that no address here has"}
	errTooLong = &Problem{Status: http.StatusRequestURITooLong, Detail: "the address is too long"}
	ErrHost    = &Problem{Status: http.StatusMisdirectedRequest, Detail: "this host is not served here"}
	errMethod  = &Problem{Status: http.StatusMethodNotAllowed, Detail: "this is a read-only service: use GET or HEAD", headers: []Field{NewField("Allow", allowed)}}
)

// NotFound is the refusal of what is not there.
func NotFound(detail string) error { return &Problem{Status: http.StatusNotFound, Detail: detail} }

// Malformed is the refusal of a query parameter, and says what it is instead.
func Malformed(param, why string) error {
	return &Problem{Status: http.StatusBadRequest, Detail: "query parameter " + param + " is " + why, Param: param}
}

// Unavailable marks an error of something that stands behind us, such as the
// store: the caller did nothing wrong and may come back. What is in
// problems keeps its meaning.
func Unavailable(err error) error {
	if err == nil || ProblemOf(err).Status != http.StatusInternalServerError {
		return err
	}
	return &Problem{Status: http.StatusServiceUnavailable, Detail: "this cannot be looked up now", Retry: DefaultRetry, cause: err}
}

// problems are the errors that have a meaning to a stranger.
var problems = []struct {
	err error
	Problem
}{
	{pet.ErrBadID, Problem{Status: http.StatusBadRequest, Detail: "a pet id is decimal digits without sign or leading zero"}},
	{pet.ErrBadPageToken, Problem{Status: http.StatusBadRequest, Detail: "query parameter cursor is not one that a listing here gave", Param: "cursor"}},
	{pet.ErrBurned, Problem{Status: http.StatusNotFound, Detail: "this pet was burned: no realm has it any more"}},
	{pet.ErrNotFound, Problem{Status: http.StatusNotFound, Detail: "no such pet"}},
	{supply.ErrNotFound, Problem{Status: http.StatusNotFound, Detail: "nothing is known of this"}},
	{pet.ErrUnavailable, Problem{Status: http.StatusServiceUnavailable, Detail: "this pet cannot be looked up now", Retry: DefaultRetry}},
	{gallery.ErrBusy, Problem{Status: http.StatusServiceUnavailable, Detail: "busy drawing other pictures", Retry: time.Second}},
	{context.DeadlineExceeded, Problem{Status: http.StatusServiceUnavailable, Detail: "this took too long", Retry: DefaultRetry}},
	{context.Canceled, Problem{Status: http.StatusServiceUnavailable, Detail: "this took too long", Retry: DefaultRetry}},
}

// ProblemOf maps an error to what a stranger may know of it. Whatever is neither a
// Problem nor listed is an internal error, without a word of its text.
func ProblemOf(err error) *Problem {
	var known *Problem
	if errors.As(err, &known) {
		return known
	}
	for _, p := range problems {
		if !errors.Is(err, p.err) {
			continue
		}
		var busy gallery.Busy
		if errors.As(err, &busy) {
			p.Retry = max(p.Retry, busy.RetryAfter)
		}
		return &p.Problem
	}
	return &Problem{Status: http.StatusInternalServerError, Detail: "internal error"}
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
func (e *Problem) response(q *Request) *Response {
	title := http.StatusText(e.Status)
	r := &Response{status: e.Status, Headers: e.headers}
	if e.Retry > 0 {
		wait := e.Retry + time.Second - 1 // whole seconds, never too early
		r.Headers = append(r.Headers[:len(r.Headers):len(r.Headers)], NewField("Retry-After", Seconds(wait)))
	}
	if q.Route.Figure {
		r.Media = TextType
		r.Body = []byte(strings.ToLower(title) + ": " + e.Detail + "\n")
		return r
	}
	r.Media = "application/problem+json"
	body, err := json.Marshal(problemDetails{
		Type: "about:blank", Title: title, Status: e.Status, Detail: e.Detail,
		Instance: clip(q.URL.EscapedPath(), 256), Param: e.Param, Tokens: e.Tokens, Kept: e.Kept,
	})
	if err != nil {
		body = []byte(`{"type":"about:blank","status":500}`) // strings and a number: cannot fail
	}
	r.Body = body
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
