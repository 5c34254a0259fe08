package gallery

import (
	"github.com/prometheus/client_golang/prometheus"
)

// metrics counts the work of a gallery.
type metrics struct {
	memory, drawn, busy prometheus.Counter
	seconds             prometheus.Histogram

	all []prometheus.Collector
}

func newMetrics() *metrics {
	answers := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_pictures_total", Help: "Requests for pictures, by where the picture came from; busy: refused.",
	}, []string{"from"})
	m := &metrics{
		memory: answers.WithLabelValues("memory"),
		drawn:  answers.WithLabelValues("drawn"),
		busy:   answers.WithLabelValues("busy"),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "petsupply_picture_draw_seconds", Help: "Time that drawing one picture took.",
			Buckets: prometheus.ExponentialBuckets(50e-6, 2, 12),
		}),
	}
	m.all = []prometheus.Collector{answers, m.seconds}
	return m
}
