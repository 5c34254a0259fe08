package answer

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics counts answers. Its labels are route patterns and a fixed set of statuses, so that no
// caller can add a series.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	refused  *prometheus.CounterVec
	panics   prometheus.Counter
}

// Reasons of refusals, in the metrics. The other reasons are the names of full queues.
const (
	refusedRate   = "rate"   // an address asked for too much costly work
	refusedMemory = "memory" // no memory is left for answers, because clients have not read theirs yet
)

// statusCallerLeft is the status of requests whose caller hung up before the answer, in the metrics
// and the log. It is never sent.
const statusCallerLeft = 499

// counted are the statuses with a counter of their own; all others count as "other".
var counted = [...]int{
	http.StatusOK, http.StatusNotModified, http.StatusNoContent, http.StatusSeeOther,
	http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed,
	http.StatusRequestURITooLong, http.StatusMisdirectedRequest, http.StatusGone,
	http.StatusTooManyRequests, statusCallerLeft, http.StatusServiceUnavailable, http.StatusInternalServerError,
}

// stats are the counters of one route, looked up once.
type stats struct {
	status  [len(counted)]prometheus.Counter
	other   prometheus.Counter
	seconds prometheus.Observer
}

// newMetrics returns counters that are in no registry yet.
func newMetrics() *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_http_requests_total", Help: "Answers by route pattern and status.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "petsupply_http_request_seconds",
			Help:    "Time from the end of a request's header to the end of its answer.",
			Buckets: []float64{.000025, .0001, .00025, .001, .0025, .01, .025, .1, .25, 1, 2.5, 10},
		}, []string{"route"}),
		refused: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_http_refused_total",
			Help: "Requests refused because of a limit: the rate of an address, memory for unsent answers, " +
				"or a full queue.",
		}, []string{"reason"}),
		panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "petsupply_http_panics_total", Help: "Handlers that panicked; each is a defect.",
		}),
	}
	for _, reason := range []string{refusedRate, refusedMemory, "lists", "answers"} {
		m.refused.WithLabelValues(reason)
	}
	return m
}

func (m *metrics) collectors() []prometheus.Collector {
	return []prometheus.Collector{m.requests, m.seconds, m.refused, m.panics}
}

func (m *metrics) route(name string) stats {
	st := stats{seconds: m.seconds.WithLabelValues(name), other: m.requests.WithLabelValues(name, "other")}
	for i, code := range counted {
		st.status[i] = m.requests.WithLabelValues(name, strconv.Itoa(code))
	}
	return st
}

// count counts one answer.
func (st *stats) count(status int, took time.Duration) {
	st.seconds.Observe(took.Seconds())
	for i, code := range counted {
		if code == status {
			st.status[i].Inc()
			return
		}
	}
	st.other.Inc()
}
