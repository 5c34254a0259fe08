package web

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

// A route is one pattern below a base, with the function that serves it.
type route struct {
	name     string   // the label in metrics and logs: interface and pattern
	segments []string // "{…}" stands for any one segment, "{…...}" at the end for all that follow
	figure   bool     // errors here are plain text
	moments  []string // which of momentParams it understands
	serve    handler
	stats    stats
}

type handler func(*request) (*response, error)

// A request is one question with what routing found out about it.
type request struct {
	*http.Request
	at    time.Time
	base  *base // nil: none was found
	route *route
	args  []string // what stands for the {…} of the route, decoded
	id    string   // names the request in log and answer; "": only refusals have one
	sent  bool     // the answer has begun
}

// A base is one public address under which an interface stands.
type base struct {
	url    string   // as configured, without trailing slash: what links are made of
	path   string   // of url
	prefix []string // segments of path, in lower case
	routes []*route
	site   *route // for every other path; nil: there is none
}

// newRoute makes a route; pattern is its path below the base.
func newRoute(m *metrics, iface, pattern string, serve handler) *route {
	t := &route{name: strings.TrimSpace(iface + " " + pattern), serve: serve}
	if p := strings.Trim(pattern, "/"); p != "" {
		t.segments = strings.Split(p, "/")
	}
	t.stats = m.route(t.name)
	return t
}

// match returns what stands for the {…} of the route, and whether segments are
// the route's, fixed ones in any case.
func (t *route) match(segments []string) (args []string, ok bool) {
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
		case !equalFold(s, segments[i]):
			return nil, false
		}
	}
	return args, true
}

// below cuts the base's prefix from segments, in any case.
func (b *base) below(segments []string) ([]string, bool) {
	if len(segments) < len(b.prefix) {
		return nil, false
	}
	for i, p := range b.prefix {
		if !equalFold(segments[i], p) {
			return nil, false
		}
	}
	return segments[len(b.prefix):], true
}

// The parameters that ask for what was, not for what is.
const (
	atParam    = "at"
	blockParam = "block"

	snapshotParam = "snapshot" // of some routes
)

// refuseMoment is an error if q asks its route for a moment that the route does
// not know how to tell: it would take what is now for what was.
func (q *request) refuseMoment() error {
	query := query{raw: q.URL.RawQuery}
	for _, param := range []string{atParam, blockParam} {
		if _, given := query.text(param); given && !slices.Contains(q.route.moments, param) {
			query.fail(param, "not understood here: this address tells only what is now")
		}
	}
	return query.err
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
