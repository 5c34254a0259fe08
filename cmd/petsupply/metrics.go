package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// newRegistry makes the one registry of metrics, with the runtime's own.
func newRegistry() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

// register puts the metrics of every part into the registry.
func (v *service) register() {
	add := func(list []prometheus.Collector) { v.registry.MustRegister(list...) }
	add(v.web.Collectors())
	add(v.gallery.Collectors())
	add(v.board.Collectors())
	add(v.herd.Collectors())
	if v.refresh != nil {
		add(v.refresh.Collectors())
	}
	for _, c := range v.chains {
		add(c.Collectors())
	}
	for _, x := range v.indexers {
		add(x.Collectors())
	}
	v.registry.MustRegister(whole{v})
}

// count tells how crowded it is.
func (v *service) count(c *crowd) {
	v.registry.MustRegister(c.shed, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "petsupply_http_connections", Help: "Connections that are open."}, func() float64 { return float64(c.size()) }))
}

var (
	petsDesc   = prometheus.NewDesc("petsupply_pets", "Pets known in a realm.", []string{"realm"}, nil)
	leaderDesc = prometheus.NewDesc("petsupply_leader", "1 while this instance measures and indexes for all.", nil, nil)
	storeDesc  = prometheus.NewDesc("petsupply_store_up", "1 if the store answered when it was last asked.", nil, nil)
	lagDesc    = prometheus.NewDesc("petsupply_index_lag_blocks", "Blocks that the index is behind its chain, on the leader.", []string{"realm"}, nil)
	buildDesc  = prometheus.NewDesc("petsupply_build_info", "1; the version is in the label.", []string{"version"}, nil)
)

// whole tells what no single part knows, when it is scraped.
type whole struct{ *service }

func (w whole) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{petsDesc, leaderDesc, storeDesc, lagDesc, buildDesc} {
		ch <- d
	}
}

func (w whole) Collect(ch chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	gauge(buildDesc, 1, versionText())
	leads := w.campaign != nil && w.campaign.leads.Load()
	gauge(leaderDesc, oneIf(leads))
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	counts, err := w.herd.Counts(ctx)
	gauge(storeDesc, oneIf(err == nil))
	for _, r := range w.Realms {
		if err == nil {
			gauge(petsDesc, float64(counts[r.Key]), r.Key)
		}
	}
	for _, x := range w.indexers {
		if p := x.Progress(); leads && p.Head >= p.Block {
			gauge(lagDesc, float64(p.Head-p.Block), p.Realm)
		}
	}
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
