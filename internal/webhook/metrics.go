package webhook

import (
	"github.com/prometheus/client_golang/prometheus"
)

// metrics count deliveries.
type metrics struct{ deliveries *prometheus.CounterVec }

func newMetrics() *metrics {
	return &metrics{prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_webhook_deliveries_total", Help: "Attempts to deliver an event to a webhook, by outcome.",
	}, []string{"webhook", "outcome"})}
}

func (m *metrics) count(hook, outcome string) { m.deliveries.WithLabelValues(hook, outcome).Inc() }

var failingDesc = prometheus.NewDesc("petsupply_webhook_failing_seconds",
	"Seconds for which a webhook has not taken its events, on the leader; 0 while it does.", []string{"webhook"}, nil)

// Collectors returns the metrics of the sender, to be registered once.
func (s *Sender) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.metrics.deliveries, failingCollector{s}}
}

type failingCollector struct{ *Sender }

func (c failingCollector) Describe(ch chan<- *prometheus.Desc) { ch <- failingDesc }

func (c failingCollector) Collect(ch chan<- prometheus.Metric) {
	failing := c.Failing()
	for _, h := range c.cfg.Hooks {
		ch <- prometheus.MustNewConstMetric(failingDesc, prometheus.GaugeValue, failing[h.Name].Seconds(), h.Name)
	}
}
