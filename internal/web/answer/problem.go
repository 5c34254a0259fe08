package answer

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Problem is a refusal. Callers may see all of it except the Cause.
type Problem struct {
	Status  int
	Detail  string         // what was wrong; begins in lower case
	Param   string         // the malformed query parameter, if there is one
	Members map[string]any // further members of the body
	Retry   time.Duration  // how long to wait before trying again; 0 if unknown
	Cause   error          // only for the log
	Reason  string         // label of the refusal in the metrics; "" if it is not counted
	headers []field
}

func (e *Problem) Error() string { return e.Detail }

// allowed are the methods of every address here.
const allowed = "GET, HEAD, OPTIONS"

var (
	ErrNoPath = &Problem{Status: http.StatusNotFound, Detail: "there is nothing at this address"}
	errNoRoot = &Problem{
		Status: http.StatusNotFound,
		Detail: "the addresses of this API begin with this one: add /openapi.json for a list",
	}
	errBadPath = &Problem{
		Status: http.StatusBadRequest, Detail: "the path has control characters or is not valid UTF-8",
	}
	errTooLong = &Problem{Status: http.StatusRequestURITooLong, Detail: "the address is too long"}
	errHost    = &Problem{Status: http.StatusMisdirectedRequest, Detail: "this host is not served here"}
	errMethod  = &Problem{
		Status: http.StatusMethodNotAllowed, Detail: "this is a read-only service: use GET or HEAD",
		headers: []field{newField("Allow", allowed)},
	}
)

// NotFound returns the problem for something that does not exist.
func NotFound(detail string) error { return &Problem{Status: http.StatusNotFound, Detail: detail} }

// Malformed returns the problem for the query parameter called param. The argument why completes
// the sentence "query parameter NAME is …".
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

// response turns the error into an answer: problem details or, on routes with Text, a line of
// text. The line begins with a word, so no parser takes it for a number.
func (e *Problem) response(q *Request) *Response {
	title := http.StatusText(e.Status)
	r := &Response{status: e.Status, headers: e.headers}
	if e.Retry > 0 {
		wait := e.Retry + time.Second - 1 // rounded up to whole seconds
		r.headers = append(slices.Clone(r.headers), newField("Retry-After", seconds(wait)))
	}
	if q.Route.Text {
		r.Media = TextType
		r.Body = []byte(strings.ToLower(title) + ": " + e.Detail + "\n")
		return r
	}
	r.Media = "application/problem+json"
	r.Body, _ = Encode(problemDetails{ // strings and a number: cannot fail
		Type: "about:blank", Title: title, Status: e.Status, Detail: e.Detail,
		Instance: clip(q.URL.EscapedPath(), 256), Param: e.Param,
	})
	if members, err := Encode(e.Members); err == nil && len(e.Members) > 0 {
		r.Body = append(r.Body[:len(r.Body)-1], ',')
		r.Body = append(r.Body, members[1:]...)
	}
	return r
}

// clip shortens a text to at most n bytes, for an answer or the log. It never cuts an escape, such
// as %2F, in half.
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
