package app

import (
	"context"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"petsupply/internal/webhook"
)

// newRegistry returns a registry of all metrics: of the runtime, of every part, and of the service
// itself.
func (v *Service) newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	r.MustRegister(v.web.Collectors()...)
	r.MustRegister(v.gallery.Collectors()...)
	r.MustRegister(v.Board.Collectors()...)
	r.MustRegister(v.Pets.Collectors()...)
	if v.refresh != nil {
		r.MustRegister(v.refresh.Collectors()...)
	}
	if v.witnesses != nil {
		r.MustRegister(v.witnesses.Collectors()...)
	}
	if v.webhooks != nil {
		r.MustRegister(v.webhooks.Collectors()...)
	}
	for _, c := range v.Chains {
		r.MustRegister(c.Collectors()...)
	}
	for _, x := range v.indexers {
		r.MustRegister(x.Collectors()...)
	}
	r.MustRegister(v.public.shed, prometheus.NewGaugeFunc(
		prometheus.GaugeOpts{Name: "petsupply_http_connections", Help: "Open connections."},
		func() float64 { return float64(v.public.open()) }))
	r.MustRegister(serviceCollector{v})
	return r
}

// desc describes a metric of the service itself.
func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	petsDesc    = desc("petsupply_pets", "Pets known in a realm.", "realm")
	problemDesc = desc("petsupply_problems", "Problems of the service, as /readyz lists them, by kind.", "kind")
	leaderDesc  = desc("petsupply_leader", "1 while this instance is the leader, which measures and indexes.")
	lagDesc     = desc("petsupply_index_lag_blocks",
		"How many blocks the index is behind its chain, on the leader.", "realm")
	skippedDesc = desc("petsupply_webhook_skipped_total",
		"Events that were skipped, because the receiver of the webhook refused them for a day.", "webhook")
	logDesc  = desc("petsupply_log_leaves", "Signed leaves of the log.")
	signDesc = desc("petsupply_log_unsigned_seconds",
		"Seconds since the whole log was last known to be signed.")
	stopDesc = desc("petsupply_log_stopped",
		"1 while the log is not signed because the store or a witness contradicts an earlier signature.")
	buildDesc = desc("petsupply_build_info", "Always 1; the version is in the label.", "version")
)

// A serviceCollector collects the metrics of the service itself when it is scraped.
type serviceCollector struct{ *Service }

// Describe names no metric, because the set of metrics depends on the configuration.
func (v serviceCollector) Describe(chan<- *prometheus.Desc) {}

// oneIf returns 1 for true and 0 for false.
func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func (v serviceCollector) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(buildDesc, 1, v.cfg.Version)
	problems := v.problems()
	for _, kind := range problemKinds {
		n := 0
		for _, p := range problems {
			if p.kind == kind {
				n++
			}
		}
		gauge(problemDesc, float64(n), kind)
	}
	_, leading := v.leader.status()
	gauge(leaderDesc, oneIf(leading))
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if census, err := v.Pets.Census(ctx); err == nil {
		counts := census.Realms()
		for _, r := range v.Settings.Realms {
			gauge(petsDesc, float64(counts[r.Key]), r.Key)
		}
	}
	if k := v.keeper; k != nil && (k.Key != nil || k.Latest() != nil) {
		gauge(signDesc, time.Since(k.Signed()).Seconds())
		_, stopped := k.Alarms()
		gauge(stopDesc, oneIf(stopped))
		if l := k.Latest(); l != nil {
			gauge(logDesc, float64(l.SignedSize()))
		}
	}
	if v.webhooks != nil {
		backlogs, _ := v.Store.WebhookBacklogs(ctx) // without the store these metrics are left out
		for _, b := range backlogs {
			if slices.ContainsFunc(v.Settings.Webhooks, func(h webhook.Hook) bool { return h.Name == b.Name }) {
				ch <- prometheus.MustNewConstMetric(skippedDesc, prometheus.CounterValue, float64(b.Skipped), b.Name)
			}
		}
	}
	for _, x := range v.indexers {
		p := x.Progress()
		if leading && p.Head >= p.Block {
			gauge(lagDesc, float64(p.Head-p.Block), p.Realm)
		}
	}
}
