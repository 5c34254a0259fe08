package answer

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics counts answers. Routes are patterns and statuses a closed set, so
// that no stranger can make a new series.
type Metrics struct {
	Requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	limited  prometheus.Counter
	Panics   prometheus.Counter
	Events   prometheus.Gauge
	Lane     *prometheus.CounterVec
}

// counted are the statuses that are told apart; all others count as "other".
var counted = [...]int{
	http.StatusOK, http.StatusNotModified, http.StatusNoContent, http.StatusPartialContent,
	http.StatusMovedPermanently, http.StatusSeeOther, http.StatusTemporaryRedirect,
	http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusRequestedRangeNotSatisfiable,
	http.StatusRequestURITooLong, http.StatusMisdirectedRequest, http.StatusGone,
	http.StatusTooManyRequests, statusCallerLeft, http.StatusServiceUnavailable, http.StatusInternalServerError,
}

// stats are the counters of one route, looked up once.
type stats struct {
	status  [len(counted)]prometheus.Counter
	other   prometheus.Counter
	seconds prometheus.Observer
}

// NewMetrics returns counters that are in no registry yet.
func NewMetrics() *Metrics {
	return &Metrics{
		Requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_http_requests_total", Help: "Answers by route pattern and status.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "petsupply_http_request_seconds", Help: "Time from the end of a request's header to the end of its answer.",
			Buckets: []float64{.000025, .0001, .00025, .001, .0025, .01, .025, .1, .25, 1, 2.5, 10},
		}, []string{"route"}),
		limited: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "petsupply_http_limited_total", Help: "Requests refused because their address asked for too much costly work.",
		}),
		Panics: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "petsupply_http_panics_total", Help: "Handlers that broke; each is a defect.",
		}),
		Events: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "petsupply_http_event_clients", Help: "Open streams of events.",
		}),
		Lane: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_http_lane_total", Help: "Requests answered by the express lane, and connections that it handed to the general server.",
		}, []string{"outcome"}),
	}
}

// Collectors are for one registry.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.Requests, m.seconds, m.limited, m.Panics, m.Events, m.Lane}
}

func (m *Metrics) route(name string) stats {
	st := stats{seconds: m.seconds.WithLabelValues(name), other: m.Requests.WithLabelValues(name, "other")}
	for i, code := range counted {
		st.status[i] = m.Requests.WithLabelValues(name, strconv.Itoa(code))
	}
	return st
}

// Count counts one answer.
func (st *stats) Count(status int, took time.Duration) {
	st.seconds.Observe(took.Seconds())
	for i, code := range counted {
		if code == status {
			st.status[i].Inc()
			return
		}
	}
	st.other.Inc()
}
