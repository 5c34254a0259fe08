package webhook

import (
	"github.com/prometheus/client_golang/prometheus"
)

var failingDesc = prometheus.NewDesc("petsupply_webhook_failing_seconds",
	"Seconds for which a webhook has not accepted its events, on the leader; 0 while it accepts them.",
	[]string{"webhook"}, nil)

// Collectors returns the metrics of the sender, to be registered once.
func (s *Sender) Collectors() []prometheus.Collector {
	return []prometheus.Collector{s.deliveries, failingCollector{s}}
}

type failingCollector struct{ *Sender }

func (c failingCollector) Describe(ch chan<- *prometheus.Desc) { ch <- failingDesc }

func (c failingCollector) Collect(ch chan<- prometheus.Metric) {
	failing := c.Failing()
	for _, h := range c.cfg.Hooks {
		ch <- prometheus.MustNewConstMetric(failingDesc, prometheus.GaugeValue, failing[h.Name].Seconds(), h.Name)
	}
}
