package evm

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are a Chain's own. Their labels come from closed sets: the chain's
// name, the providers' names, and the outcomes.
type metrics struct {
	asked *prometheus.CounterVec
	trips *prometheus.HistogramVec
	state *gauges
}

func newMetrics(c *Chain) *metrics {
	chain := prometheus.Labels{"chain": c.name}
	m := &metrics{
		asked: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_evm_conversations_total", Help: "Conversations with providers, by how they ended.", ConstLabels: chain,
		}, []string{"provider", "outcome"}),
		trips: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "petsupply_evm_round_trip_seconds", Help: "Time that one answered round trip took.", ConstLabels: chain,
			Buckets: prometheus.ExponentialBuckets(0.002, 2.5, 10),
		}, []string{"provider"}),
		state: &gauges{
			chain:  c,
			height: prometheus.NewDesc("petsupply_evm_height", "Newest block that the provider reported.", []string{"provider"}, chain),
			broken: prometheus.NewDesc("petsupply_evm_provider_state", "0 ok, 1 backing off, 2 breaker open.", []string{"provider"}, chain),
		},
	}
	for _, p := range c.providers {
		m.trips.WithLabelValues(p.name)
		for _, o := range outcomes {
			m.asked.WithLabelValues(p.name, string(o))
		}
	}
	return m
}

func (m *metrics) count(p *provider, o outcome) { m.asked.WithLabelValues(p.name, string(o)).Inc() }

// gauges reads the providers' health when it is scraped.
type gauges struct {
	chain          *Chain
	height, broken *prometheus.Desc
}

func (g *gauges) Describe(ch chan<- *prometheus.Desc) { ch <- g.height; ch <- g.broken }

func (g *gauges) Collect(ch chan<- prometheus.Metric) {
	now := time.Now()
	for _, p := range g.chain.providers {
		h := p.snapshot(now)
		ch <- prometheus.MustNewConstMetric(g.height, prometheus.GaugeValue, float64(h.Height), p.name)
		ch <- prometheus.MustNewConstMetric(g.broken, prometheus.GaugeValue, states[h.State], p.name)
	}
}

var states = map[string]float64{"ok": 0, "backoff": 1, "open": 2}

// Collectors are the chain's metrics. The caller registers them.
func (c *Chain) Collectors() []prometheus.Collector {
	return []prometheus.Collector{c.metrics.asked, c.metrics.trips, c.metrics.state}
}
