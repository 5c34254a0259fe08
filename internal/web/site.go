package web

import (
	_ "embed"
	"net/http"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/web/express"
)

// specificationText describes both interfaces in OpenAPI 3.1. The addresses in
// it are examples, which open replaces by the configured ones.
//
//go:embed openapi.yaml
var specificationText string

// A siteAPI answers under the site's address: the specification, and the pages
// of a foreign handler or, without one, an index.
type siteAPI struct {
	*answerer
	pages   http.Handler // nil: none
	openapi *entry
	urls    []string // of every interface, and of the specification
}

// open makes the routes of the site's base and prepares the specification.
func (s *siteAPI) open(b *base, supplyURL, petsURL string, started time.Time) {
	text := strings.NewReplacer(
		"https://supply.example.com", supplyURL, "https://pets.example.com", petsURL, "https://site.example.com", b.url,
	).Replace(specificationText)
	s.openapi = s.every(&response{
		media: "application/yaml", body: []byte(text), tag: hash([]byte(text)), cache: steadyPolicy,
		modified: started.Truncate(time.Second), compress: true,
	}, nil)
	b.routes = []*route{newRoute(s.metrics, "site", "/openapi.yaml", s.specification)}
	if s.pages != nil {
		b.site = newRoute(s.metrics, "site", "", nil)
	} else {
		b.routes = append(b.routes, newRoute(s.metrics, "site", "/", s.index))
	}
}

func (s *siteAPI) specification(*request) (*response, error) {
	return &response{entry: s.openapi}, nil
}

// index is the site's first page where no site is given: where to find what.
func (s *siteAPI) index(*request) (*response, error) {
	body := strings.Join(s.urls, "\n") + "\n"
	return &response{media: textType, body: []byte(body), cache: steadyPolicy}, nil
}

// serve hands a request to the pages' handler, which sees the path below the
// site's address.
func (s *siteAPI) serve(w http.ResponseWriter, q *request) {
	express.ResetStreak(q.Request)
	r := q.Request
	if n := len(q.base.prefix); n > 0 {
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = cutSegments(q.URL.Path, n), cutSegments(q.URL.RawPath, n)
	}
	h := w.Header()
	for _, x := range s.common {
		h[x.key] = x.values
	}
	rec := &recorder{ResponseWriter: w, status: http.StatusOK, sent: &q.sent}
	s.pages.ServeHTTP(rec, r)
	s.record(q.Request, q.route, rec.status, rec.bytes, q.at, "", nil)
}

// SendPage is for the site: it answers with a page, whose headers are set but for
// those added here, as answer does: by its ETag, and compressed where asked for.
func (s *Server) SendPage(w http.ResponseWriter, r *http.Request, body []byte) {
	tag, enc := hash(body), negotiate(r.Header["Accept-Encoding"])
	if packed := s.fast.compress(enc, body); packed != nil {
		body = packed
	} else {
		enc = identity
	}
	h := w.Header()
	etag := `"` + tag + enc.suffix() + `"`
	h.Set("Etag", etag)
	h.Set("Vary", "Accept-Encoding")
	if enc != identity {
		h.Set("Content-Encoding", enc.name())
	}
	if express.NotModified(r.Header["If-None-Match"], nil, []byte(etag), time.Time{}) {
		for _, key := range bodyHeaders {
			h.Del(key)
		}
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the caller may be gone
	}
}

// cutSegments drops the first n segments of a path.
func cutSegments(path string, n int) string {
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
