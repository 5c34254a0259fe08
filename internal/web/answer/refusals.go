package answer

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/turns"
)

// Reasons of refusals, in the metrics. The other reasons are the names of full queues.
const (
	refusedRate   = "rate"   // an address asked for too much costly work
	refusedMemory = "memory" // no memory is left for answers, because clients have not read theirs yet
)

const (
	// refusalLogEvery is the shortest time between two logged refusals of one kind.
	refusalLogEvery = time.Minute
	// maxRefusalKinds bounds the kinds that are logged separately. All others share one kind.
	maxRefusalKinds = 64
)

// refusals counts refusals, and decides which of them are logged. Callers can cause any number of
// them, so most are not logged.
type refusals struct {
	total *prometheus.CounterVec

	mu    sync.Mutex
	kinds map[string]*refusalKind
}

type refusalKind struct {
	logged time.Time
	since  int // refusals since the last logged one
}

func newRefusals() *refusals {
	total := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_http_refused_total",
		Help: "Requests refused because of a limit: the rate of an address, memory for unsent answers, or a full queue.",
	}, []string{"reason"})
	for _, reason := range []string{refusedRate, refusedMemory, "pictures", "lists", "lookups", "answers"} {
		total.WithLabelValues(reason)
	}
	return &refusals{total: total, kinds: map[string]*refusalKind{}}
}

// Charge takes this many units of costly work from the bucket of the caller's address. It returns
// 0, or how long to wait for a unit: see Limiter.Spend.
func (a *Answerer) Charge(r *http.Request, units float64) time.Duration {
	wait := a.Limit.Spend(turns.Address(r.Context()), a.Now(), units)
	if wait > 0 {
		a.refusals.count(refusedRate)
	}
	return wait
}

func (f *refusals) count(reason string) {
	if reason != "" {
		f.total.WithLabelValues(reason).Inc()
	}
}

// due reports whether a refusal of this kind is logged now. If so, unlogged has the number of
// refusals of this kind since the last logged one.
func (f *refusals) due(kind string, now time.Time) (unlogged slog.Attr, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	k := f.kinds[kind]
	if k == nil {
		if len(f.kinds) >= maxRefusalKinds {
			kind = "other"
		}
		if k = f.kinds[kind]; k == nil {
			k = new(refusalKind)
			f.kinds[kind] = k
		}
	}
	if !k.logged.IsZero() && now.Sub(k.logged) < refusalLogEvery {
		k.since++
		return slog.Attr{}, false
	}
	unlogged = slog.Int("unlogged", k.since)
	k.logged, k.since = now, 0
	return unlogged, true
}
