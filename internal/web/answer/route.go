package answer

import (
	"crypto/rand"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A Route is one pattern below a base, with the function that serves it.
type Route struct {
	Name     string   // the label in metrics and logs: interface and pattern
	Segments []string // "{…}" stands for any one segment, "{…...}" at the end for all that follow
	Figure   bool     // errors here are plain text
	Moments  []string // which parameters of a moment it understands: AtParam …
	Serve    Handler
	Stats    stats
}

// A Handler decides on the answer to a request.
type Handler func(*Request) (*Response, error)

// A Request is one question with what routing found out about it.
type Request struct {
	*http.Request
	At    time.Time // when it came
	Base  *Base     // nil: none was found
	Route *Route
	Args  []string // what stands for the {…} of the route, decoded
	id    string   // names the request in log and answer; "": only refusals have one
	Sent  bool     // the answer has begun
}

// A Base is one public address under which an interface stands.
type Base struct {
	URL    string   // as configured, without trailing slash: what links are made of
	Path   string   // of URL
	Prefix []string // segments of Path, in lower case
	Routes []*Route
	Site   *Route // for every other path; nil: there is none
}

// NewRoute makes a route; pattern is its path below the base.
func NewRoute(m *Metrics, iface, pattern string, serve Handler) *Route {
	t := &Route{Name: strings.TrimSpace(iface + " " + pattern), Serve: serve}
	if p := strings.Trim(pattern, "/"); p != "" {
		t.Segments = strings.Split(p, "/")
	}
	t.Stats = m.route(t.Name)
	return t
}

// match returns what stands for the {…} of the route, and whether segments are
// the route's, fixed ones in any case.
func (t *Route) match(segments []string) (args []string, ok bool) {
	last := len(t.Segments) - 1
	rest := last >= 0 && strings.HasSuffix(t.Segments[last], "...}")
	if len(segments) != len(t.Segments) && !(rest && len(segments) > last) {
		return nil, false
	}
	for i, s := range t.Segments {
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

// below cuts the base's prefix from segments, in any case.
func (b *Base) below(segments []string) ([]string, bool) {
	if len(segments) < len(b.Prefix) {
		return nil, false
	}
	for i, p := range b.Prefix {
		if !EqualFold(segments[i], p) {
			return nil, false
		}
	}
	return segments[len(b.Prefix):], true
}

// The parameters that ask for what was, not for what is.
const (
	AtParam    = "at"
	BlockParam = "block"

	SnapshotParam = "snapshot" // of some routes
)

// refuseMoment is an error if q asks its route for a moment that the route does
// not know how to tell: it would take what is now for what was.
func (q *Request) refuseMoment() error {
	query := Query{Raw: q.URL.RawQuery}
	for _, param := range []string{AtParam, BlockParam} {
		if _, given := query.Text(param); given && !slices.Contains(q.Route.Moments, param) {
			query.Fail(param, "not understood here: this address tells only what is now")
		}
	}
	return query.Err
}

// requestIDs makes names for requests: one random part for the process, so
// that instances differ, and a counter.
type requestIDs struct {
	prefix string
	last   atomic.Uint64
}

func newRequestIDs() *requestIDs {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return &requestIDs{prefix: hex.EncodeToString(b[:]) + "-"}
}

// next is a name that no other request has.
func (ids *requestIDs) next() string {
	return ids.prefix + strconv.FormatUint(ids.last.Add(1), 36)
}

const (
	maxID = 64 // of a request's name by a proxy, as it is logged
	// idBytes are what it may be made of.
	idBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
)

// loggableID is the name that a proxy or caller gave a request, fit for the log.
// It is never sent back: caches would show it to others.
func loggableID(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(idBytes, r) {
			return r
		}
		return '?'
	}, s[:min(len(s), maxID)])
}
