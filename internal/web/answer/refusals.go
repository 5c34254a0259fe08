package answer

import (
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Reasons of refusals, in the metrics. The other reasons are the names of full queues.
const (
	refusedRate   = "rate"   // an address asked for too much costly work
	refusedMemory = "memory" // no memory is left for answers, because clients have not read theirs yet
)

// refusalLogEvery is the shortest time between two logged refusals of one route.
const refusalLogEvery = time.Minute

// refusals counts refusals, and decides which of them are logged. Callers can cause any number of
// them, so most are not logged.
type refusals struct {
	total *prometheus.CounterVec

	mu     sync.Mutex
	routes map[*Route]refusedRoute
}

type refusedRoute struct {
	logged time.Time
	since  int // refusals since the last logged one
}

func newRefusals() *refusals {
	total := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_http_refused_total",
		Help: "Requests refused because of a limit: the rate of an address, memory for unsent answers, or a full queue.",
	}, []string{"reason"})
	for _, reason := range []string{refusedRate, refusedMemory, "lists", "lookups", "answers"} {
		total.WithLabelValues(reason)
	}
	return &refusals{total: total, routes: map[*Route]refusedRoute{}}
}

func (f *refusals) count(reason string) {
	if reason != "" {
		f.total.WithLabelValues(reason).Inc()
	}
}

// due reports whether a refusal of this route is logged now. If so, unlogged has the number of its
// refusals since the last logged one.
func (f *refusals) due(t *Route, now time.Time) (unlogged slog.Attr, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.routes[t]
	if !r.logged.IsZero() && now.Sub(r.logged) < refusalLogEvery {
		r.since++
		f.routes[t] = r
		return slog.Attr{}, false
	}
	f.routes[t] = refusedRoute{logged: now}
	return slog.Int("unlogged", r.since), true
}
