package web

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// A route is one pattern below a base, with the function that serves it.
type route struct {
	name   string   // the label in metrics and logs: interface and pattern
	words  []string // "{…}" stands for any one word
	figure bool     // errors here are plain text
	serve  func(*request) (*response, error)
	stats  stats
}

// A request is one question with what routing found out about it.
type request struct {
	*http.Request
	at    time.Time
	house int
	base  *base
	route *route
	args  []string // what stands for the {…} of the route, decoded
	id    string   // names the request in log and answer; "" until one is needed
	sent  bool     // the answer has begun
}

// match fills args and reports whether words are the route's, fixed words in
// any case.
func (t *route) match(words []string) (args []string, ok bool) {
	if len(words) != len(t.words) {
		return nil, false
	}
	for i, w := range t.words {
		switch {
		case strings.HasPrefix(w, "{"):
			if words[i] == "" {
				return nil, false
			}
			args = append(args, words[i])
		case !equalFold(w, words[i]):
			return nil, false
		}
	}
	return args, true
}

// find decides which route a request is for. Its faults are those of the
// address alone; the route is set as far as it was found.
func (s *Server) find(q *request) error {
	q.route = s.nowhere
	if q.house = s.house(q.Host); q.house < 0 {
		return errHost
	}
	path := q.URL.EscapedPath()
	err := s.locate(q, path)
	if len(path)+len(q.URL.RawQuery) > longest {
		return errTooLong
	}
	return err
}

// locate finds the base and the route of a path in q's house.
func (s *Server) locate(q *request, path string) error {
	words, err := split(path)
	if err != nil {
		return err
	}
	for _, b := range s.houses[q.house].bases {
		rest, ok := b.under(words)
		if !ok {
			continue
		}
		q.base = b
		for _, t := range b.routes {
			if args, ok := t.match(rest); ok {
				q.route, q.args = t, args
				return nil
			}
		}
		if b.site && clean(rest) {
			q.route = s.site
			return nil
		}
		return errNoPath
	}
	return errNoPath
}

// clean reports whether words name one place only: http.ServeMux would redirect
// from any other, and nothing here redirects from one spelling to another.
func clean(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return w == "" || w == "." || w == ".." })
}

// routeOf makes a route; pattern is its path below the base.
func (s *Server) routeOf(iface, pattern string, serve func(*request) (*response, error)) *route {
	t := &route{name: strings.TrimSpace(iface + " " + pattern), serve: serve}
	if p := strings.Trim(pattern, "/"); p != "" {
		t.words = strings.Split(p, "/")
	}
	t.stats = s.metrics.route(t.name)
	return t
}
