// Package answer is how this service answers, whatever it is asked: which route
// a request is for (Hosts, Route), what it asks for (Request, Query), what may be
// said of an error (Problem), the forms of an answer (Response, Representation,
// Entry), how long others may keep it (CachePolicy), and what one caller may cost
// (Limiter). An Answerer brings them together: begin with its Handle.
package answer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"petsupply/internal/web/express"
)

// An Answerer sends what handlers decided on: it sets headers, applies the rule of
// 304 (express.NotModified), writes, counts and logs.
type Answerer struct {
	*Representer
	Log       *slog.Logger
	Now       func() time.Time
	Metrics   *Metrics
	Limit     *Limiter
	ids       *requestIDs
	Unmatched *Route // counts what has no route
}

// New makes an answerer. Where demo, every answer says that what it tells is
// invented.
func New(log *slog.Logger, now func() time.Time, limit Limit, demo bool) *Answerer {
	m := NewMetrics()
	return &Answerer{
		Representer: newRepresenter(demo), Log: log, Now: now, Metrics: m, Limit: newLimiter(limit, m.limited.Inc),
		ids: newRequestIDs(), Unmatched: NewRoute(m, "none", "", nil),
	}
}

// statusCallerLeft is what an answer counts as that could not be given because
// its caller hung up first. Nobody is sent it.
const statusCallerLeft = 499

// preflight answers OPTIONS.
var preflight = &Response{status: http.StatusNoContent, Headers: []Field{
	NewField("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
	NewField("Access-Control-Allow-Methods", allowed),
	NewField("Access-Control-Max-Age", "86400"),
	NewField("Allow", allowed),
}}

// Handle answers the request of a route.
func (a *Answerer) Handle(w http.ResponseWriter, q *Request) {
	var resp *Response
	var err error
	switch q.Method {
	case http.MethodOptions:
		resp = preflight
	case http.MethodGet, http.MethodHead:
		if err = q.refuseMoment(); err == nil {
			resp, err = q.Route.Serve(q)
		}
	default:
		err = errMethod
	}
	a.Answer(w, q, resp, err)
}

// Answer sends what a handler decided on.
func (a *Answerer) Answer(w http.ResponseWriter, q *Request, resp *Response, err error) {
	var rep *Representation
	var status int
	if err == nil {
		rep, status, err = a.represent(q, resp)
	}
	if err != nil {
		resp = ProblemOf(err).response(q)
		rep, status, _ = a.represent(q, resp) // its body is there
	}
	lane := resp.Lane
	if status >= http.StatusBadRequest {
		// A shared cache would replay a name to others: only refusals, which nobody
		// keeps, have one, and it is always ours.
		q.id = a.ids.next()
		w.Header()["X-Request-Id"] = []string{q.id}
		lane = false
	}
	q.Sent = true
	if !lane {
		express.ResetStreak(q.Request)
	}
	if !lane || !a.returnToLane(w, q.Request, q.Route, rep, status, q.At) {
		rep.write(w, q.Method, status)
		if status == http.StatusServiceUnavailable && errors.Is(q.Context().Err(), context.Canceled) {
			status = statusCallerLeft
		}
		a.Record(q.Request, q.Route, status, len(rep.Body), q.At, q.id, err)
	}
	if resp.Store != nil && status == http.StatusOK {
		resp.Store(rep)
	}
}

// represent turns a response into what this caller gets, and its status. A body
// that the caller holds already is neither drawn nor compressed.
func (a *Answerer) represent(q *Request, resp *Response) (rep *Representation, status int, err error) {
	enc := Identity
	if resp.Compress && len(resp.Body) >= minCompressed {
		enc = Negotiate(q.Header["Accept-Encoding"])
	}
	if resp.Tag == "" && resp.Body != nil && resp.status == 0 {
		resp.Tag = Tag(resp.Body)
	}
	for {
		if resp.Entry != nil {
			rep = resp.Entry.Pick(q.Header["Accept-Encoding"])
		} else {
			rep = a.Head(resp, enc)
		}
		switch {
		case rep.notModified(q.Header):
			return rep, http.StatusNotModified, nil
		case resp.Entry != nil:
			return rep, rep.status, nil
		case resp.Draw != nil:
			if resp.Body, err = resp.Draw(); err != nil {
				return nil, 0, err
			}
		}
		if enc == Identity {
			return rep.Fill(resp.Body), rep.status, nil
		}
		if body := a.fast.compress(enc, resp.Body); body != nil {
			return rep.Fill(body), rep.status, nil
		}
		enc = Identity
	}
}

// notModified reports whether a caller's conditions name this representation.
func (rep *Representation) notModified(h http.Header) bool {
	return rep.status == http.StatusOK && express.NotModified(h["If-None-Match"], h["If-Modified-Since"], rep.ETag, rep.Modified)
}

// AnswerPrepared sends a representation that has been built for the lane.
func (a *Answerer) AnswerPrepared(w http.ResponseWriter, r *http.Request, rep *Representation, at time.Time) {
	status, t := rep.status, rep.Label.(*Route)
	if rep.notModified(r.Header) {
		status = http.StatusNotModified
	}
	if !a.returnToLane(w, r, t, rep, status, at) {
		rep.write(w, r.Method, status)
		a.Record(r, t, status, len(rep.Body), at, "", nil)
	}
}

// returnToLane gives a connection that came from the express lane back to it, with
// a representation that it could have sent too. False: nothing was sent.
func (a *Answerer) returnToLane(w http.ResponseWriter, r *http.Request, t *Route, rep *Representation, status int, at time.Time) bool {
	if !express.CanReturn(r) || a.LogsRequests() {
		return false
	}
	if rep.Head == nil {
		rep.BuildWire(t)
	}
	return express.Return(w, r, &rep.Answer, status, at)
}

// SendPage is for the site: it answers with a page, whose headers are set but for
// those added here, as Answer does: by its ETag, and compressed where asked for.
func (a *Answerer) SendPage(w http.ResponseWriter, r *http.Request, body []byte) {
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

// LogsRequests reports whether every request is logged.
func (a *Answerer) LogsRequests() bool {
	return a.Log.Enabled(context.Background(), slog.LevelDebug)
}

// RecoverPanic answers for a handler that panicked with p: as an internal error
// while nothing was sent, else by cutting the answer off.
func (a *Answerer) RecoverPanic(w http.ResponseWriter, q *Request, p any) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	err := a.CountPanic(p)
	if q.Sent {
		a.Log.Error("request", "method", clip(q.Method, 16), "route", q.Route.Name, "path", clip(q.URL.Path, 256), "error", err)
		panic(http.ErrAbortHandler)
	}
	clear(w.Header())
	a.Answer(w, q, nil, err)
}

// CountPanic counts a panic, and makes an error of it that tells where it was. It
// is to be called on the goroutine that panics.
func (a *Answerer) CountPanic(p any) error {
	a.Metrics.Panics.Inc()
	return fmt.Errorf("answering panicked: %v\n%s", p, debug.Stack())
}

// Record counts and logs an answer. Good answers are logged for debugging only,
// so that the busiest path pays nothing for it.
func (a *Answerer) Record(r *http.Request, t *Route, status, size int, at time.Time, id string, err error) {
	took := a.Now().Sub(at)
	t.Stats.Count(status, took)
	level := slog.LevelDebug
	switch {
	case status >= 500 && status != http.StatusServiceUnavailable:
		level = slog.LevelError
	case status >= 500:
		level = slog.LevelWarn
	}
	if !a.Log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", clip(r.Method, 16)), slog.String("route", t.Name), slog.String("path", clip(r.URL.Path, 256)),
		slog.Int("status", status), slog.Int("bytes", size), slog.Duration("took", took),
		slog.String("from", a.Limit.caller(r).String()),
	}
	if id != "" {
		attrs = append(attrs, slog.String("request", id))
	}
	if theirs := r.Header.Get("X-Request-Id"); theirs != "" {
		attrs = append(attrs, slog.String("proxy_request", loggableID(theirs)))
	}
	var known *Problem
	if errors.As(err, &known) {
		err = known.cause
	}
	if err != nil {
		attrs = append(attrs, slog.Any("error", err))
	}
	a.Log.LogAttrs(r.Context(), level, "request", attrs...)
}
