package web

import (
	_ "embed"
	"net/http"
	"strings"
	"time"
)

// specificationText describes both interfaces in OpenAPI 3.1. The addresses in
// it are examples, which openSpecification replaces by the configured ones.
//
//go:embed openapi.yaml
var specificationText string

// openSpecification prepares /openapi.yaml.
func (s *Server) openSpecification(cfg Config) error {
	text := strings.NewReplacer(
		"https://supply.example.com", strings.TrimRight(cfg.SupplyURL, "/"),
		"https://pets.example.com", strings.TrimRight(cfg.PetsURL, "/"),
		"https://site.example.com", strings.TrimRight(cfg.SiteURL, "/"),
	).Replace(specificationText)
	r := &response{
		media: "application/yaml", body: []byte(text), tag: hash([]byte(text)), cache: steadyPolicy,
		modified: s.started.Truncate(time.Second), squeeze: true,
	}
	s.openapi = &entry{route: s.site, tag: r.tag, made: everyEncoding}
	for enc := range encodings {
		body, ok := r.body, enc == identity
		if !ok {
			body, ok = s.hard.squeeze(enc, r.body)
		}
		if ok {
			s.openapi.forms[enc] = s.form(r, enc)
			s.openapi.forms[enc].fill(body)
		}
	}
	return nil
}

func (s *Server) specification(*request) (*response, error) { return &response{entry: s.openapi}, nil }

// serveSite hands a request to the site's handler, which sees the path below
// the site's address, and counts it by the pattern that it matched there.
func (s *Server) serveSite(w http.ResponseWriter, q *request) {
	r := q.Request
	if n := len(q.base.prefix); n > 0 {
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = below(q.URL.Path, n), below(q.URL.RawPath, n)
	}
	h := w.Header()
	for _, x := range s.common {
		h[x.key] = x.values
	}
	rec := &recorder{ResponseWriter: w, status: http.StatusOK, sent: &q.sent}
	s.siteHandler.ServeHTTP(rec, r)
	s.note(q.Request, q.route, rec.status, rec.bytes, q.at, "", nil)
}

// below drops the first n words of a path.
func below(path string, n int) string {
	if path == "" {
		return ""
	}
	for range n {
		_, rest, found := strings.Cut(path[1:], "/")
		if !found {
			return "/"
		}
		path = "/" + rest
	}
	return path
}

// A recorder remembers what a foreign handler sent.
type recorder struct {
	http.ResponseWriter
	status, bytes int
	sent          *bool
}

func (r *recorder) WriteHeader(status int) {
	r.status, *r.sent = status, true
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	*r.sent = true
	n, err := r.ResponseWriter.Write(b)
	r.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// index is the site's first page where no site is given: where to find what.
func (s *Server) index(*request) (*response, error) {
	var b strings.Builder
	for _, h := range s.houses {
		for _, base := range h.bases {
			b.WriteString(base.url + "/\n")
		}
	}
	b.WriteString(s.links.Site + "/openapi.yaml\n")
	return &response{media: plain, body: []byte(b.String()), cache: steadyPolicy}, nil
}
