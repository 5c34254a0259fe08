package web

import (
	"net/http"
	"time"
)

// A fault is a refusal that may be told to a stranger in full.
type fault struct {
	status int
	detail string        // what was wrong, beginning in lower case
	param  string        // the query parameter that is malformed, if it is one
	tokens []string      // the valid tokens, where an unknown one was asked for
	retry  time.Duration // when to come back; 0: not said
	own    []field
	cause  error // for the log alone
}

func (f *fault) Error() string { return f.detail }

// away marks an error of something that stands behind us, such as the store:
// the caller did nothing wrong and may come back. Errors that have a meaning of
// their own keep it.
func away(err error) error {
	if err == nil || problem(err).status != http.StatusInternalServerError {
		return err
	}
	return &fault{status: http.StatusServiceUnavailable, detail: "this cannot be looked up now", retry: later, cause: err}
}

func malformed(param, why string) error {
	return &fault{status: http.StatusBadRequest, detail: "query parameter " + param + " is " + why, param: param}
}

var (
	errNoPath  = &fault{status: http.StatusNotFound, detail: "there is nothing at this address"}
	errBadPath = &fault{status: http.StatusBadRequest, detail: "the path holds characters that no address here has"}
	errTooLong = &fault{status: http.StatusRequestURITooLong, detail: "the address is too long"}
	errHost    = &fault{status: http.StatusMisdirectedRequest, detail: "this host is not served here"}
	errMethod  = &fault{status: http.StatusMethodNotAllowed, detail: "this is a read-only service: use GET or HEAD", own: []field{fieldOf("Allow", allowed)}}
)

// allowed are the methods of every address here.
const allowed = "GET, HEAD, OPTIONS"
