package answer

import (
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// A Row describes a route: all that is decided for every request of it.
type Row struct {
	Pattern string // below the base, for http.ServeMux, in lower case and without a method
	Serve   Handler
	Cost    Cost
	Cache   CachePolicy // of answers, unless Serve has a reason for another
	Query   []string    // the parameters that Serve can read; others are ignored
	// Refuse says why the route does not have a parameter that callers may expect. "" means that the
	// parameter is ignored.
	Refuse func(param string) string
	Ready  bool // without a query, the answer is the same for all callers
	Text   bool // errors are a line of text, not JSON
}

// A Cost is what requests of a route are charged, in units of about a millisecond of CPU, and the
// bytes that are reserved for their body. See Request.Pay.
type Cost struct {
	Units, UnitsEach float64 // for an answer, and for each item in it
	Bytes, BytesEach int
}

// A Handler decides on the answer to a request.
type Handler func(*Request) (*Response, error)

// A Route is a row of a base, with its counters.
type Route struct {
	Row
	Name   string // the label in metrics and logs: interface and pattern
	stats  stats
	logged atomic.Int64 // when a refusal was last logged, in unix nanoseconds
}

// newRoute makes a route of an interface.
func (a *Answerer) newRoute(iface string, row Row) *Route {
	t := &Route{Row: row, Name: strings.TrimSpace(iface + " " + strings.TrimSuffix(row.Pattern, "{$}"))}
	t.stats = a.metrics.route(t.Name)
	return t
}

// Count counts one answer.
func (t *Route) Count(status int, took time.Duration) { t.stats.count(status, took) }

// refusalIsDue reports whether a refusal is logged now.
func (t *Route) refusalIsDue(now time.Time) bool {
	last := t.logged.Load()
	return now.UnixNano()-last >= int64(refusalLogEvery) && t.logged.CompareAndSwap(last, now.UnixNano())
}

// serve calls the handler, unless the query has a parameter that the route refuses.
func (t *Route) serve(q *Request) (*Response, error) {
	if err := q.Query().Err; err != nil {
		return nil, err
	}
	return t.Serve(q)
}

// A Request is an HTTP request with the results of its routing.
type Request struct {
	*http.Request
	At    time.Time // when it came
	Route *Route
	Args  []string // the values of the {…} of the route, decoded

	answerer *Answerer
	sent     bool   // a part of the answer was sent
	reserved int64  // bytes of the budget that the answer uses
	leave    func() // ends the request's turn; nil without one
	base     *Base  // nil if none was found
	query    *Query // nil before it is read
	id       string // names a refused request in the log and the answer; "" if it is not refused
}

// address returns the address or network that pays for the request.
func (q *Request) address() netip.Addr { return Network(q.answerer.limiter.caller(q.Request)) }

// A Base is the public address of one interface.
type Base struct {
	URL    string            // as configured, without trailing slash; links begin with it
	Path   string            // the path of URL
	Host   int               // see Answerer.Host
	Routes map[string]*Route // by pattern
	// ShowProblem changes the answer to a refused request, for example into a page. It may be nil.
	ShowProblem func(*Problem, *Response)

	prefix []string // the segments of Path, in lower case
	mux    *http.ServeMux
}

// Serve adds routes to a base.
func (a *Answerer) Serve(b *Base, iface string, rows []Row) {
	for _, row := range rows {
		b.Routes[row.Pattern] = a.newRoute(iface, row)
		b.mux.Handle(row.Pattern, http.NotFoundHandler()) // find only asks which pattern matches
	}
}

// find sets the route and the arguments of a request, whose path has these segments below the base.
// ServeMux would redirect some paths, such as those with ".." or an empty segment. Here nothing
// redirects, so they have no route.
func (b *Base) find(q *Request, segments []string) error {
	if len(segments) == 0 && b.Routes["/{$}"] == nil {
		return errNoRoot
	}
	escaped := make([]string, len(segments))
	for i, s := range segments {
		escaped[i] = url.PathEscape(Lower(s))
	}
	clean := &url.URL{RawPath: "/" + strings.Join(escaped, "/"), Path: "/" + Lower(strings.Join(segments, "/"))}
	if path.Clean(clean.RawPath) != clean.RawPath || slices.Contains(segments, "") {
		return ErrNoPath
	}
	_, pattern := b.mux.Handler(&http.Request{Method: http.MethodGet, URL: clean})
	t, ok := b.Routes[pattern]
	if !ok {
		return ErrNoPath
	}
	q.Route = t
	for i, s := range strings.Split(pattern[1:], "/") {
		switch {
		case strings.HasSuffix(s, "...}"):
			q.Args = append(q.Args, segments[i:]...)
		case strings.HasPrefix(s, "{") && s != "{$}":
			q.Args = append(q.Args, segments[i])
		}
	}
	return nil
}

// below cuts the base's prefix from segments. It reports whether they begin with the prefix,
// ignoring case.
func (b *Base) below(segments []string) ([]string, bool) {
	n := len(b.prefix)
	return segments[min(n, len(segments)):], len(segments) >= n && slices.EqualFunc(segments[:n], b.prefix, EqualFold)
}
