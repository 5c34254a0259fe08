package answer

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// servePages lets the http.Handler of the route answer a request. Before that, it sets the headers
// that every answer has, and cuts the base's path from the request's path. Afterwards it counts and
// logs the request.
func (a *Answerer) servePages(w http.ResponseWriter, q *Request) {
	r := q.Request
	if n := len(q.base.prefix); n > 0 {
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = cutSegments(q.URL.Path, n), cutSegments(q.URL.RawPath, n)
	}
	for _, x := range a.common {
		w.Header()[x.key] = x.values
	}
	if !a.resize(q, maxPage) {
		clear(w.Header())
		a.answer(w, q, nil, errFull)
		return
	}
	rec := &recorder{ResponseWriter: w, answerer: a, request: q}
	q.Route.pages.ServeHTTP(rec, r)
	a.record(q.Request, q.Route, rec.status, rec.bytes, q.At, "", nil)
}

// SendPage sends a page. It is for the http.Handler that NewPages was given. The page is compressed
// if the caller accepts that, and a matching ETag gets a 304. SendPage waits for a turn (see
// Request.Turn) before it makes the page. If it returns an error, it sent nothing.
func (a *Answerer) SendPage(w http.ResponseWriter, r *http.Request, page func() ([]byte, error)) error {
	if rec, ok := w.(*recorder); ok {
		if err := rec.request.Turn(); err != nil {
			return err
		}
	}
	body, err := page()
	if err != nil {
		return err
	}
	tag, enc := Tag(body), Negotiate(r.Header["Accept-Encoding"])
	if packed := a.fast.compress(enc, body); packed != nil {
		body = packed
	} else {
		enc = Identity
	}
	h := w.Header()
	etag := `"` + tag + enc.suffix() + `"`
	h.Set("Etag", etag)
	h.Set("Vary", "Accept-Encoding")
	if enc != Identity {
		h.Set("Content-Encoding", enc.name())
	}
	if notModified(r.Header["If-None-Match"], nil, []byte(etag), time.Time{}) {
		for _, key := range bodyHeaders {
			h.Del(key)
		}
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the caller may be gone
	}
	return nil
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

// maxPage is how many bytes are reserved for a page before it is made. Most take less.
const maxPage = 128 << 10

// A recorder remembers the status and size that a handler sent.
type recorder struct {
	http.ResponseWriter
	answerer *Answerer
	request  *Request
	status   int // 0 if nothing was sent
	bytes    int
}

// WriteHeader reserves the memory of the whole page. A stream has no length, and reserves nothing.
func (r *recorder) WriteHeader(status int) {
	r.status, r.request.Sent = status, true
	r.request.endTurn()
	size, _ := strconv.ParseInt(r.Header().Get("Content-Length"), 10, 64)
	r.answerer.resize(r.request, size) // on failure the page is sent anyway, because it is already made
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
