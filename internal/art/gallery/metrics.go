package gallery

import (
	"github.com/prometheus/client_golang/prometheus"
)

// metrics counts the work of a gallery.
type metrics struct {
	memory, blob, drawn, busy        prometheus.Counter
	readFailed, writeFailed, damaged prometheus.Counter
	written, skipped                 prometheus.Counter
	seconds                          prometheus.Histogram

	all []prometheus.Collector
}

func newMetrics(g *Gallery) *metrics {
	answers := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_pictures_total", Help: "Requests for pictures, by where the picture came from; busy: refused.",
	}, []string{"from"})
	blobs := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_picture_blobs_total", Help: "Writes to the blob store and its faults, by outcome.",
	}, []string{"outcome"})
	m := &metrics{
		memory: answers.WithLabelValues("memory"), blob: answers.WithLabelValues("blob"),
		drawn: answers.WithLabelValues("drawn"), busy: answers.WithLabelValues("busy"),
		readFailed: blobs.WithLabelValues("read_failed"), writeFailed: blobs.WithLabelValues("write_failed"),
		damaged: blobs.WithLabelValues("damaged"), written: blobs.WithLabelValues("written"),
		skipped: blobs.WithLabelValues("skipped"),
		seconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "petsupply_picture_draw_seconds", Help: "Time that drawing one picture took.",
			Buckets: prometheus.ExponentialBuckets(50e-6, 2, 12),
		}),
	}
	waiting := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "petsupply_pictures_waiting", Help: "Pictures that wait for their turn to be drawn.",
	}, func() float64 { return float64(g.ordinary.Waiting() + g.costly.Waiting()) })
	m.all = []prometheus.Collector{answers, blobs, m.seconds, waiting}
	return m
}
