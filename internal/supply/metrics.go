package supply

import (
	"github.com/prometheus/client_golang/prometheus"
)

func newJudgements() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_supply_measurements_total",
		Help: "Measurements of a token, by outcome.",
	}, []string{"token", "outcome"})
}

func newDuration() prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "petsupply_supply_refresh_seconds",
		Help:    "How long one refresh of all tokens takes.",
		Buckets: []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
	})
}

// Collectors returns the metrics of the refresher and its proofs for registration.
func (r *Refresher) Collectors() []prometheus.Collector {
	own := []prometheus.Collector{r.judgements, r.duration}
	if r.Proofs != nil {
		own = append(own, r.Proofs.outcomes)
	}
	return own
}

var (
	ageDesc = prometheus.NewDesc("petsupply_supply_snapshot_age_seconds",
		"Time since the moment that the published figures describe.", []string{"token"}, nil)
	confirmedDesc = prometheus.NewDesc("petsupply_supply_confirmed_age_seconds",
		"Time since a measurement last confirmed the published figures.", []string{"token"}, nil)
	refuseDesc = prometheus.NewDesc("petsupply_supply_refuse_after_seconds",
		"The age at which a figure is no longer served; 0 if figures of any age are served.", nil, nil)
	heldDesc = prometheus.NewDesc("petsupply_supply_held",
		"1 while a newer figure of the token waits for a release.", []string{"token"}, nil)
	availableDesc = prometheus.NewDesc("petsupply_supply_available",
		"1 while the token has a figure that can be served.", []string{"token"}, nil)
)

// Collectors returns the board's metrics for registration.
func (b *Board) Collectors() []prometheus.Collector { return []prometheus.Collector{boardMetrics{b}} }

// boardMetrics reads the board at each scrape, so that ages are current.
type boardMetrics struct{ board *Board }

func (m boardMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{ageDesc, confirmedDesc, refuseDesc, heldDesc, availableDesc} {
		ch <- d
	}
}

func (m boardMetrics) Collect(ch chan<- prometheus.Metric) {
	ch <- prometheus.MustNewConstMetric(refuseDesc, prometheus.GaugeValue, m.board.policy.RefuseAfter.Seconds())
	for _, s := range m.board.Now().States {
		gauge := func(desc *prometheus.Desc, v float64) {
			ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, v, s.Token.Path)
		}
		if s.Snapshot != nil {
			now := clock(m.board.policy.Now)
			gauge(ageDesc, now.Sub(s.Snapshot.AsOf).Seconds())
			gauge(confirmedDesc, now.Sub(s.Confirmed).Seconds())
		}
		gauge(heldDesc, oneIf(s.Hold != nil))
		gauge(availableDesc, oneIf(s.Available()))
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
