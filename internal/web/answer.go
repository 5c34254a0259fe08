package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"petsupply/internal/web/express"
)

// An answerer sends what handlers decided on: it alone sets headers, applies
// the rule of 304 (express.NotModified), writes, counts and logs.
type answerer struct {
	*representer
	log       *slog.Logger
	now       func() time.Time
	metrics   *metrics
	limit     *limiter
	ids       *requestIDs
	unmatched *route // counts what has no route
}

// statusCallerLeft is what an answer counts as that could not be given because
// its caller hung up first. Nobody is sent it.
const statusCallerLeft = 499

// preflight answers OPTIONS.
var preflight = &response{status: http.StatusNoContent, headers: []field{
	newField("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
	newField("Access-Control-Allow-Methods", allowed),
	newField("Access-Control-Max-Age", "86400"),
	newField("Allow", allowed),
}}

// handle answers the request of a route.
func (a *answerer) handle(w http.ResponseWriter, q *request) {
	var resp *response
	var err error
	switch q.Method {
	case http.MethodOptions:
		resp = preflight
	case http.MethodGet, http.MethodHead:
		if err = q.refuseMoment(); err == nil {
			resp, err = q.route.serve(q)
		}
	default:
		err = errMethod
	}
	a.answer(w, q, resp, err)
}

// answer sends what a handler decided on.
func (a *answerer) answer(w http.ResponseWriter, q *request, resp *response, err error) {
	var rep *representation
	var status int
	if err == nil {
		rep, status, err = a.represent(q, resp)
	}
	if err != nil {
		resp = problem(err).response(q)
		rep, status, _ = a.represent(q, resp) // its body is there
	}
	lane := resp.lane
	if status >= http.StatusBadRequest {
		// A shared cache would replay a name to others: only refusals, which nobody
		// keeps, have one, and it is always ours.
		q.id = a.ids.next()
		w.Header()["X-Request-Id"] = []string{q.id}
		lane = false
	}
	q.sent = true
	if !lane {
		express.ResetStreak(q.Request)
	}
	if !lane || !a.returnToLane(w, q.Request, q.route, rep, status, q.at) {
		rep.write(w, q.Method, status)
		if status == http.StatusServiceUnavailable && errors.Is(q.Context().Err(), context.Canceled) {
			status = statusCallerLeft
		}
		a.record(q.Request, q.route, status, len(rep.Body), q.at, q.id, err)
	}
	if resp.store != nil && status == http.StatusOK {
		resp.store(rep)
	}
}

// represent turns a response into what this caller gets, and its status. A body
// that the caller holds already is neither drawn nor compressed.
func (a *answerer) represent(q *request, resp *response) (rep *representation, status int, err error) {
	enc := identity
	if resp.compress && len(resp.body) >= minCompressed {
		enc = negotiate(q.Header["Accept-Encoding"])
	}
	if resp.tag == "" && resp.body != nil && resp.status == 0 {
		resp.tag = hash(resp.body)
	}
	for {
		if resp.entry != nil {
			rep = resp.entry.pick(q.Header["Accept-Encoding"])
		} else {
			rep = a.head(resp, enc)
		}
		switch {
		case rep.notModified(q.Header):
			return rep, http.StatusNotModified, nil
		case resp.entry != nil:
			return rep, rep.status, nil
		case resp.draw != nil:
			if resp.body, err = resp.draw(); err != nil {
				return nil, 0, err
			}
		}
		if enc == identity {
			return rep.fill(resp.body), rep.status, nil
		}
		if body := a.fast.compress(enc, resp.body); body != nil {
			return rep.fill(body), rep.status, nil
		}
		enc = identity
	}
}

// notModified reports whether a caller's conditions name this representation.
func (rep *representation) notModified(h http.Header) bool {
	return rep.status == http.StatusOK && express.NotModified(h["If-None-Match"], h["If-Modified-Since"], rep.ETag, rep.Modified)
}

// answerPrepared sends a representation that has been built for the lane.
func (a *answerer) answerPrepared(w http.ResponseWriter, r *http.Request, rep *representation, at time.Time) {
	status, t := rep.status, rep.Label.(*route)
	if rep.notModified(r.Header) {
		status = http.StatusNotModified
	}
	if !a.returnToLane(w, r, t, rep, status, at) {
		rep.write(w, r.Method, status)
		a.record(r, t, status, len(rep.Body), at, "", nil)
	}
}

// returnToLane sends a representation that the express lane could have sent too
// and, if the connection came from there, may give it back for that.
func (a *answerer) returnToLane(w http.ResponseWriter, r *http.Request, t *route, rep *representation, status int, at time.Time) bool {
	if !express.CanReturn(r) || a.logsRequests() {
		return false
	}
	if rep.Head == nil {
		rep.buildWire(t)
	}
	return express.Return(w, r, &rep.Answer, status, at)
}

// logsRequests reports whether every request is logged.
func (a *answerer) logsRequests() bool {
	return a.log.Enabled(context.Background(), slog.LevelDebug)
}

// recoverPanic answers for a handler that panicked with p: as an internal error
// while nothing was sent, else by cutting the answer off.
func (a *answerer) recoverPanic(w http.ResponseWriter, q *request, p any) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	err := a.countPanic(p)
	if q.sent {
		a.log.Error("request", "method", clip(q.Method, 16), "route", q.route.name, "path", clip(q.URL.Path, 256), "error", err)
		panic(http.ErrAbortHandler)
	}
	clear(w.Header())
	a.answer(w, q, nil, err)
}

// countPanic counts a panic, and makes an error of it that tells where it was. It
// is to be called on the goroutine that panics.
func (a *answerer) countPanic(p any) error {
	a.metrics.panics.Inc()
	return fmt.Errorf("answering panicked: %v\n%s", p, debug.Stack())
}

// record counts and logs an answer. Good answers are logged for debugging only,
// so that the busiest path pays nothing for it.
func (a *answerer) record(r *http.Request, t *route, status, size int, at time.Time, id string, err error) {
	took := a.now().Sub(at)
	t.stats.count(status, took)
	level := slog.LevelDebug
	switch {
	case status >= 500 && status != http.StatusServiceUnavailable:
		level = slog.LevelError
	case status >= 500:
		level = slog.LevelWarn
	}
	if !a.log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", clip(r.Method, 16)), slog.String("route", t.name), slog.String("path", clip(r.URL.Path, 256)),
		slog.Int("status", status), slog.Int("bytes", size), slog.Duration("took", took),
		slog.String("from", a.limit.caller(r).String()),
	}
	if id != "" {
		attrs = append(attrs, slog.String("request", id))
	}
	if theirs := r.Header.Get("X-Request-Id"); theirs != "" {
		attrs = append(attrs, slog.String("proxy_request", loggableID(theirs)))
	}
	var known *httpError
	if errors.As(err, &known) {
		err = known.cause
	}
	if err != nil {
		attrs = append(attrs, slog.Any("error", err))
	}
	a.log.LogAttrs(r.Context(), level, "request", attrs...)
}
