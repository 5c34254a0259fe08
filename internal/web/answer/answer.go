// Package answer has the parts that every answer of this service needs: the route of a request
// (Base, Route), its parameters (Request, Query), errors as callers see them (Problem), the forms
// of an answer (Response, Entry), the time that caches may keep it (CachePolicy), and the limit of
// costly work for one caller (Limit). An Answerer connects them. Begin with its methods Serve and
// ServeHTTP. The package knows nothing of tokens and pets; package web tells it what errors mean.
package answer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/turns"
)

// An Answerer sends the responses of handlers: it sets headers, decides on 304, writes, counts and
// logs.
type Answerer struct {
	Log *slog.Logger
	Now func() time.Time

	hosts     []*virtualHost
	unmatched *Route // counts requests without a route
	problemOf func(error) *Problem
	limiter   *limiter
	processor *turns.Queue // requests wait here for a processor: see Request.Turn
	budget    *budget
	metrics   *metrics
	common    []field // headers of every answer
}

// New makes an answerer. Requests wait in the queue processor for a processor. The argument unsent
// bounds the bytes of all bodies that were made for one caller and are not sent yet; 0 means no limit.
// The argument more has additional headers of every answer, each a key and a value. problemOf maps
// every error of a handler to the problem that callers may see.
func New(
	log *slog.Logger, now func() time.Time, limit Limit, processor *turns.Queue, unsent int64, more [][2]string,
	problemOf func(error) *Problem,
) *Answerer {
	m := newMetrics()
	a := &Answerer{
		Log: log, Now: now, limiter: newLimiter(limit), budget: newBudget(unsent),
		problemOf: problemOf, metrics: m, processor: processor, common: commonHeaders,
	}
	for _, h := range more {
		a.common = append(slices.Clone(a.common), newField(h[0], h[1]))
	}
	a.unmatched = a.newRoute("none", Row{})
	return a
}

// Collectors returns the counters of all answers, for one registry.
func (a *Answerer) Collectors() []prometheus.Collector {
	unsent := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "petsupply_http_unsent_bytes", Help: "Memory reserved for answers that their clients have not taken yet.",
	}, func() float64 { return float64(a.budget.unsent()) })
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "petsupply_http_waiting", Help: "Requests that wait for a processor.",
	}, func() float64 { return float64(a.processor.Waiting()) })
	return append(a.metrics.collectors(), a.limiter.charged, unsent, waiting)
}

// preflight answers OPTIONS.
var preflight = &Response{status: http.StatusNoContent, headers: []field{
	newField("Access-Control-Allow-Headers", "If-None-Match, If-Modified-Since"),
	newField("Access-Control-Allow-Methods", allowed),
	newField("Access-Control-Max-Age", "86400"),
	newField("Allow", allowed),
}}

// ServeHTTP answers a request by the handler of its route.
func (a *Answerer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := &Request{Request: r, At: a.Now(), Route: a.unmatched, answerer: a}
	defer func() {
		if p := recover(); p != nil {
			a.recoverPanic(w, q, p)
		}
	}()
	q.Request = r.WithContext(turns.For(r.Context(), q.address()))
	defer a.resize(q, 0)
	defer q.endTurn()
	resp, err := a.decide(q)
	a.answer(w, q, resp, err)
}

// decide finds the route of a request, and calls its handler.
func (a *Answerer) decide(q *Request) (*Response, error) {
	err := a.find(q)
	switch {
	case q.Method == http.MethodOptions && err != errHost:
		return preflight, nil
	case err != nil:
		return nil, err
	case q.Method == http.MethodGet, q.Method == http.MethodHead:
		return q.Route.serve(q)
	}
	return nil, errMethod
}

// Turn waits until it is the turn of the caller's IP address to use a processor. Call it before
// work that takes milliseconds. Without turns, prepared answers would wait for all such work. The
// turn ends when the answer is made. Until then, do not wait for anything else, such as the store or
// a picture.
func (q *Request) Turn() (err error) {
	if q.leave == nil {
		q.leave, err = q.answerer.processor.Enter(q.Context())
	}
	return err
}

func (q *Request) endTurn() {
	if q.leave != nil {
		q.leave()
		q.leave = nil
	}
}

// answer sends the response of a handler.
func (a *Answerer) answer(w http.ResponseWriter, q *Request, resp *Response, err error) {
	var entry *Entry
	var status int
	if err == nil {
		entry, status, err = a.represent(q, resp)
	}
	if err == nil && !a.resize(q, entry.unsent(q.Method, status)) {
		err = errFull
	}
	if err != nil {
		problem := a.problemOf(err)
		if problem.Reason != "" {
			a.metrics.refused.WithLabelValues(problem.Reason).Inc()
		}
		resp = problem.response(q)
		if q.base != nil && q.base.ShowProblem != nil {
			q.base.ShowProblem(problem, resp)
		}
		entry, status, _ = a.represent(q, resp) // cannot fail: the body of a problem is ready
	}
	if status >= http.StatusBadRequest {
		// Only refusals get a request id, because no cache keeps them. A cached answer would carry
		// the id to other callers. An id from the caller is never sent back.
		q.id = fmt.Sprintf("%016x", rand.Uint64())
		w.Header()["X-Request-Id"] = []string{q.id}
	}
	q.sent = true
	q.endTurn()
	entry.write(w, q.Method, status)
	a.record(q, status, len(entry.Body), err)
	if resp.Store != nil && status == http.StatusOK {
		entry.buildWire(q.Route)
		resp.Store(entry)
	}
}

// represent returns the entry for this caller, and its status. It neither draws nor compresses a
// body that the caller already has.
func (a *Answerer) represent(q *Request, resp *Response) (entry *Entry, status int, err error) {
	enc := Identity
	if resp.Compress && len(resp.Body) >= minCompressed {
		enc = Negotiate(Joined(q.Header, "Accept-Encoding"))
	}
	if resp.Tag == "" && resp.Body != nil && resp.status == 0 {
		resp.Tag = Tag(resp.Body)
	}
	for {
		if resp.Entry != nil {
			entry = resp.Entry.Pick(Joined(q.Header, "Accept-Encoding"))
		} else {
			entry = a.head(resp, enc)
		}
		switch {
		case entry.NotModified(Joined(q.Header, "If-None-Match"), Joined(q.Header, "If-Modified-Since")):
			return entry, http.StatusNotModified, nil
		case resp.Entry != nil:
			return entry, entry.status, nil
		case resp.Draw != nil:
			resp.Body, err = resp.Draw()
			if err != nil {
				return nil, 0, err
			}
		}
		if enc == Identity {
			return entry.fill(resp.Body), entry.status, nil
		}
		if body := compress(enc, resp.Body); body != nil {
			return entry.fill(body), entry.status, nil
		}
		enc = Identity
	}
}

// LogsRequests reports whether every request is logged.
func (a *Answerer) LogsRequests() bool {
	return a.Log.Enabled(context.Background(), slog.LevelDebug)
}

// recoverPanic answers in place of a handler that panicked. It sends an internal error if nothing
// was sent yet, and otherwise cuts the answer off. p is the value from recover.
func (a *Answerer) recoverPanic(w http.ResponseWriter, q *Request, p any) {
	if p == http.ErrAbortHandler {
		panic(p)
	}
	err := a.CountPanic(p)
	if q.sent {
		a.Log.Error("the answer was cut off", "method", clip(q.Method, 16), "route", q.Route.Name,
			"path", clip(q.URL.Path, 256), "error", err)
		panic(http.ErrAbortHandler)
	}
	clear(w.Header())
	a.answer(w, q, nil, err)
}

// CountPanic counts a panic and returns it as an error with the stack. Call it on the goroutine that
// panics.
func (a *Answerer) CountPanic(p any) error {
	a.metrics.panics.Inc()
	return fmt.Errorf("panic while answering: %v\n%s", p, debug.Stack())
}

// refusalLogEvery is the shortest time between two logged refusals of one route. Callers can cause any
// number of them, and the metrics count them all.
const refusalLogEvery = time.Minute

// record counts and logs an answer. Answers with a status below 500 are logged only at debug level,
// to save time.
func (a *Answerer) record(q *Request, status, size int, err error) {
	ctx := q.Context()
	if status == http.StatusServiceUnavailable && errors.Is(ctx.Err(), context.Canceled) {
		status = statusCallerLeft
	}
	took := a.Now().Sub(q.At)
	q.Route.Count(status, took)
	level := slog.LevelDebug
	switch {
	case status == http.StatusServiceUnavailable:
		level = slog.LevelWarn
	case status >= 500:
		level = slog.LevelError
	}
	if !a.Log.Enabled(ctx, level) {
		return
	}
	if level == slog.LevelWarn && !a.LogsRequests() && !q.Route.refusalIsDue(a.Now()) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", clip(q.Method, 16)), slog.String("route", q.Route.Name),
		slog.String("path", clip(q.URL.Path, 256)),
		slog.Int("status", status), slog.Int("bytes", size), slog.Duration("took", took),
		slog.String("from", a.limiter.caller(q.Request).String()),
	}
	if q.id != "" {
		attrs = append(attrs, slog.String("request", q.id))
	}
	if theirs := q.Header.Get("X-Request-Id"); theirs != "" {
		// It is never sent back, because caches would show it to others.
		attrs = append(attrs, slog.String("proxy_request", clip(theirs, 64)))
	}
	if known, ok := errors.AsType[*Problem](err); ok {
		err = known.Cause
	}
	if err != nil {
		attrs = append(attrs, slog.Any("error", err))
	}
	a.Log.LogAttrs(ctx, level, "request", attrs...)
}
