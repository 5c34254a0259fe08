package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"
)

// Encode is the JSON of everything that is published here: UTF-8, compact, and
// without escapes that only HTML needs.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding %T: %w", v, err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// ServeHTTP answers one request: from the table of prepared answers if it is
// there, else by its route's handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q *request // nil while the answer may be a prepared one
	at, sent := s.now(), false
	defer func() {
		if p := recover(); p != nil {
			s.mend(w, r, q, at, sent, p)
		}
	}()
	if e, f := s.ready(r, at); f != nil {
		status := f.status
		if unchanged(r.Header, f.etag, f.modified) {
			status = http.StatusNotModified
		}
		sent = true
		if !s.goBack(w, r, e, f, status, at) {
			f.write(w, r.Method, status)
			s.note(r, e.route, status, len(f.body), at, "", nil)
		}
		return
	}
	stray(r)
	q = &request{Request: r, at: at}
	err := s.find(q)
	if err == nil && q.route == s.site {
		s.serveSite(w, q)
		return
	}
	if err != nil && (q.house < 0 || r.Method != http.MethodOptions) {
		s.answer(w, q, nil, err)
		return
	}
	resp, err := s.handle(q)
	s.answer(w, q, resp, err)
}

// mend answers for what broke outside of a handler: as an internal error while
// nothing was sent, else by cutting the answer off.
func (s *Server) mend(w http.ResponseWriter, r *http.Request, q *request, at time.Time, sent bool, p any) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	s.metrics.panics.Inc()
	err := fmt.Errorf("answering broke: %v\n%s", p, debug.Stack())
	if q == nil {
		q = &request{Request: r, at: at, route: s.nowhere, sent: sent}
	}
	if q.sent {
		s.log.Error("request", "method", clip(r.Method, 16), "route", q.route.name, "path", clip(r.URL.Path, 256), "error", err)
		panic(http.ErrAbortHandler)
	}
	clear(w.Header())
	s.answer(w, q, nil, err)
}

// handle decides on the answer of a found route. A handler that panics gives
// an error like any other: nothing was sent yet.
func (s *Server) handle(q *request) (resp *response, err error) {
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			panic(p)
		default:
			s.metrics.panics.Inc()
			resp, err = nil, fmt.Errorf("handler of %s broke: %v\n%s", q.route.name, p, debug.Stack())
		}
	}()
	switch q.Method {
	case http.MethodOptions:
		return preflight, nil
	case http.MethodGet, http.MethodHead:
	default:
		return nil, errMethod
	}
	resp, err = q.route.serve(q)
	if err == nil && resp.draw != nil && !resp.held(q) {
		resp.body, err = resp.draw()
	}
	return resp, err
}

// preflight answers OPTIONS.
var preflight = &response{status: http.StatusNoContent, own: []field{
	fieldOf("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
	fieldOf("Access-Control-Allow-Methods", allowed),
	fieldOf("Access-Control-Max-Age", "86400"),
	fieldOf("Allow", allowed),
}}

// held reports whether the caller's conditions name this response, before
// anything was done to make its body. Such a body has one encoding only.
func (r *response) held(q *request) bool {
	return r.tag != "" && unchanged(q.Header, `"`+r.tag+`"`, r.modified)
}

// answer is the one place that sends what a handler decided on.
func (s *Server) answer(w http.ResponseWriter, q *request, resp *response, err error) {
	if err != nil {
		resp = problem(err).refusal(q)
	}
	f, status := s.shape(q, resp)
	if resp.status >= http.StatusBadRequest || q.Header["X-Request-Id"] != nil {
		w.Header()["X-Request-Id"] = []string{s.identify(q)}
	}
	q.sent = true
	f.write(w, q.Method, status)
	if resp.keep != nil && status == http.StatusOK {
		resp.keep()
	}
	s.note(q.Request, q.route, status, len(f.body), q.at, q.id, err)
}

// shape turns a response into the form that this caller gets, and its status.
func (s *Server) shape(q *request, resp *response) (*form, int) {
	if resp.entry != nil {
		f := resp.entry.pick(q.Header["Accept-Encoding"])
		if unchanged(q.Header, f.etag, f.modified) {
			return f, http.StatusNotModified
		}
		return f, f.status
	}
	if resp.tag == "" && resp.body != nil && resp.status == 0 {
		resp.tag = hash(resp.body)
	}
	enc := identity
	if resp.squeeze {
		enc = negotiate(q.Header["Accept-Encoding"])
	}
	f := s.form(resp, enc)
	if f.status == http.StatusOK && unchanged(q.Header, f.etag, f.modified) {
		return f, http.StatusNotModified
	}
	body := resp.body
	if enc != identity {
		if small, ok := s.quick.squeeze(enc, body); ok {
			body = small
		} else if f = s.form(resp, identity); f.status == http.StatusOK && unchanged(q.Header, f.etag, f.modified) {
			return f, http.StatusNotModified
		}
	}
	f.fill(body)
	return f, f.status
}

// write sends the form with this status: whole, or as a 304 that carries the
// same headers but those of the body it does not have.
func (f *form) write(w http.ResponseWriter, method string, status int) {
	h := w.Header()
	for i := range f.header {
		x := &f.header[i]
		if status == http.StatusNotModified && slices.Contains(bodily, x.key) {
			continue
		}
		h[x.key] = x.values
	}
	w.WriteHeader(status)
	if status != http.StatusNotModified && method != http.MethodHead {
		_, _ = w.Write(f.body) // the caller may be gone; nobody else is left to tell
	}
}

// note counts and logs an answer. Good answers are logged for debugging only,
// so that the busiest path pays nothing for it.
func (s *Server) note(r *http.Request, t *route, status, size int, at time.Time, id string, err error) {
	took := s.now().Sub(at)
	t.stats.count(status, took)
	level := slog.LevelDebug
	switch {
	case status >= 500 && status != http.StatusServiceUnavailable:
		level = slog.LevelError
	case status >= 500:
		level = slog.LevelWarn
	}
	if !s.log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", clip(r.Method, 16)), slog.String("route", t.name), slog.String("path", clip(r.URL.Path, 256)),
		slog.Int("status", status), slog.Int("bytes", size), slog.Duration("took", took),
		slog.String("from", s.limit.caller(r).String()),
	}
	if id != "" {
		attrs = append(attrs, slog.String("request", id))
	}
	var known *fault
	if errors.As(err, &known) {
		err = known.cause
	}
	if err != nil {
		attrs = append(attrs, slog.Any("error", err))
	}
	s.log.LogAttrs(r.Context(), level, "request", attrs...)
}
