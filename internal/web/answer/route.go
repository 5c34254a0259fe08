package answer

import (
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// A Route is one pattern below a base, with the function that serves it.
type Route struct {
	Name       string // the label in metrics and logs: interface and pattern
	TextErrors bool   // errors are a line of text, not JSON

	segments []string // "{…}" matches one segment; "{…...}", always the last, matches all that follow
	serve    Handler
	stats    stats
}

// A Handler decides on the answer to a request.
type Handler func(*Request) (*Response, error)

// A Row describes a route.
type Row struct {
	Pattern string
	Serve   Handler
	Cost    float64 // units that are charged before Serve is called; see Request.Pay
	Bytes   int     // bytes of memory that are reserved before Serve is called
	Ready   bool    // without a query, the answer is the same for all callers
}

// A Request is an HTTP request with the results of its routing.
type Request struct {
	*http.Request
	At    time.Time // when it came
	Route *Route
	Args  []string // the values of the {…} of the route, decoded
	Sent  bool     // a part of the answer was sent

	answerer *Answerer  // set by Answerer.Handle
	holder   netip.Addr // the address or network whose share of the budget is used
	reserved int64      // bytes of the budget that the answer uses
	leave    func()     // ends the request's turn; nil without one
	base     *Base      // nil if none was found
	query    *Query     // nil before it is read
	id       string     // names a refused request in the log and the answer; "" if it is not refused
}

// A Base is the public address of one interface.
type Base struct {
	URL    string // as configured, without trailing slash; links begin with it
	Path   string // the path of URL
	Routes []*Route
	// ShowProblem changes the answer to a refused request, for example into a page. It may be nil.
	ShowProblem func(*Problem, *Response)

	prefix []string // the segments of Path, in lower case
}

// NewRoute makes a route; pattern is its path below the base.
func (a *Answerer) NewRoute(iface, pattern string, serve Handler) *Route {
	t := &Route{Name: strings.TrimSpace(iface + " " + pattern), serve: serve}
	if p := strings.Trim(pattern, "/"); p != "" {
		t.segments = strings.Split(p, "/")
	}
	t.stats = a.metrics.route(t.Name)
	return t
}

// Count counts one answer.
func (t *Route) Count(status int, took time.Duration) { t.stats.count(status, took) }

// match returns the values of the {…} of the route, and reports whether segments match it. Fixed
// segments match in upper or lower case.
func (t *Route) match(segments []string) (args []string, ok bool) {
	last := len(t.segments) - 1
	rest := last >= 0 && strings.HasSuffix(t.segments[last], "...}")
	if len(segments) != len(t.segments) && !(rest && len(segments) > last) {
		return nil, false
	}
	for i, s := range t.segments {
		switch {
		case rest && i == last:
			return append(args, segments[i:]...), true
		case strings.HasPrefix(s, "{"):
			if segments[i] == "" {
				return nil, false
			}
			args = append(args, segments[i])
		case !EqualFold(s, segments[i]):
			return nil, false
		}
	}
	return args, true
}

// below cuts the base's prefix from segments. It reports whether they begin with the prefix,
// ignoring case.
func (b *Base) below(segments []string) ([]string, bool) {
	if len(segments) < len(b.prefix) {
		return nil, false
	}
	for i, p := range b.prefix {
		if !EqualFold(segments[i], p) {
			return nil, false
		}
	}
	return segments[len(b.prefix):], true
}

const (
	maxID = 64 // bytes of a proxy's id that are logged
	// idBytes are the bytes of a proxy's id that are logged as they are. All others become "?".
	idBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
)

// loggableID returns the id that a proxy or caller gave a request, in a form that is safe to log.
// The id is never sent back, because caches would show it to others.
func loggableID(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(idBytes, r) {
			return r
		}
		return '?'
	}, s[:min(len(s), maxID)])
}
