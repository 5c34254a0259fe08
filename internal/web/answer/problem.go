package answer

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Problem is a refusal. Callers may see all of it but the Cause.
type Problem struct {
	Status  int
	Detail  string         // what was wrong, beginning in lower case
	Param   string         // the query parameter that is malformed, if it is one
	Members map[string]any // further members of the body
	Retry   time.Duration  // when to come back; 0: not said
	Cause   error          // for the log alone
	Reason  string         // of a refusal that is counted on its own; "": it is not
	headers []field
}

func (e *Problem) Error() string { return e.Detail }

// allowed are the methods of every address here.
const allowed = "GET, HEAD, OPTIONS"

var (
	ErrNoPath  = &Problem{Status: http.StatusNotFound, Detail: "there is nothing at this address"}
	errBadPath = &Problem{Status: http.StatusBadRequest, Detail: "the path holds characters that no address here has"}
	errTooLong = &Problem{Status: http.StatusRequestURITooLong, Detail: "the address is too long"}
	errHost    = &Problem{Status: http.StatusMisdirectedRequest, Detail: "this host is not served here"}
	errMethod  = &Problem{
		Status: http.StatusMethodNotAllowed, Detail: "this is a read-only service: use GET or HEAD",
		headers: []field{newField("Allow", allowed)},
	}
)

// NotFound is the refusal of a request for something that does not exist.
func NotFound(detail string) error { return &Problem{Status: http.StatusNotFound, Detail: detail} }

// Malformed is the refusal of a query parameter, and says what it is instead.
func Malformed(param, why string) error {
	return &Problem{Status: http.StatusBadRequest, Detail: "query parameter " + param + " is " + why, Param: param}
}

// problemDetails is the body of an error: RFC 9457, with our own members last.
type problemDetails struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Instance string `json:"instance"`
	Param    string `json:"parameter,omitempty"`
}

// response turns the error into an answer: problem details, or on routes with
// TextErrors a line that no parser takes for a number, since it begins with a word.
func (e *Problem) response(q *Request) *Response {
	title := http.StatusText(e.Status)
	r := &Response{status: e.Status, headers: e.headers}
	if e.Retry > 0 {
		wait := e.Retry + time.Second - 1 // whole seconds, never too early
		r.headers = append(slices.Clone(r.headers), newField("Retry-After", seconds(wait)))
	}
	if q.Route.TextErrors {
		r.Media = TextType
		r.Body = []byte(strings.ToLower(title) + ": " + e.Detail + "\n")
		return r
	}
	r.Media = "application/problem+json"
	r.Body, _ = json.Marshal(problemDetails{ // strings and a number: cannot fail
		Type: "about:blank", Title: title, Status: e.Status, Detail: e.Detail,
		Instance: clip(q.URL.EscapedPath(), 256), Param: e.Param,
	})
	if members, err := json.Marshal(e.Members); err == nil && len(e.Members) > 0 {
		r.Body = append(r.Body[:len(r.Body)-1], ',')
		r.Body = append(r.Body, members[1:]...)
	}
	return r
}

// clip cuts an escaped path so that it is short enough to send back, and does not
// end in half an escape.
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
