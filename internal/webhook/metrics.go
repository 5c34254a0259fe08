package webhook

import "github.com/prometheus/client_golang/prometheus"

// Collectors returns the metrics of the sender, to be registered once.
func (s *Sender) Collectors() []prometheus.Collector {
	all := []prometheus.Collector{s.deliveries}
	for _, h := range s.cfg.Hooks {
		all = append(all, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "petsupply_webhook_failing_seconds",
			Help:        "Seconds for which a webhook has not accepted its events, on the leader; 0 while it accepts them.",
			ConstLabels: prometheus.Labels{"webhook": h.Name}},
			func() float64 { return s.Failing()[h.Name].Seconds() }))
	}
	return all
}
