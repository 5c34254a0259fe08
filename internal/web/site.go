package web

import (
	_ "embed"
	"net/http"
	"strings"
	"time"

	"petsupply/internal/web/answer"
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
	*answer.Answerer
	pages   http.Handler // nil: none
	openapi *answer.Entry
	urls    []string // of every interface, and of the specification
}

// open makes the routes of the site's base and prepares the specification.
func (s *siteAPI) open(b *answer.Base, supplyURL, petsURL string, started time.Time) {
	text := strings.NewReplacer(
		"https://supply.example.com", supplyURL, "https://pets.example.com", petsURL, "https://site.example.com", b.URL,
	).Replace(specificationText)
	s.openapi = s.Entry(&answer.Response{
		Media: "application/yaml", Body: []byte(text), Tag: answer.Tag([]byte(text)), Cache: steadyPolicy,
		Modified: started.Truncate(time.Second), Compress: true,
	}, nil)
	b.Routes = []*answer.Route{answer.NewRoute(s.Metrics, "site", "/openapi.yaml", s.specification)}
	if s.pages != nil {
		b.Site = answer.NewRoute(s.Metrics, "site", "", nil)
	} else {
		b.Routes = append(b.Routes, answer.NewRoute(s.Metrics, "site", "/", s.index))
	}
}

func (s *siteAPI) specification(*answer.Request) (*answer.Response, error) {
	return &answer.Response{Entry: s.openapi}, nil
}

// index is the site's first page where no site is given: where to find what.
func (s *siteAPI) index(*answer.Request) (*answer.Response, error) {
	body := strings.Join(s.urls, "\n") + "\n"
	return &answer.Response{Media: answer.TextType, Body: []byte(body), Cache: steadyPolicy}, nil
}

// serve hands a request to the pages' handler, which sees the path below the
// site's address.
func (s *siteAPI) serve(w http.ResponseWriter, q *answer.Request) {
	express.ResetStreak(q.Request)
	r := q.Request
	if n := len(q.Base.Prefix); n > 0 {
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = cutSegments(q.URL.Path, n), cutSegments(q.URL.RawPath, n)
	}
	s.SetCommon(w.Header())
	rec := &recorder{ResponseWriter: w, status: http.StatusOK, sent: &q.Sent}
	s.pages.ServeHTTP(rec, r)
	s.Record(q.Request, q.Route, rec.status, rec.bytes, q.At, "", nil)
}

// SendPage is for the site: see answer.Answerer.SendPage.
func (s *Server) SendPage(w http.ResponseWriter, r *http.Request, body []byte) {
	s.answerer.SendPage(w, r, body)
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
