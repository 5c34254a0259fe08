package evm

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A Chain is one network, seen through several providers. It may be used by
// many goroutines. The caller that dialled it closes it.
type Chain struct {
	cfg       Config // without Providers
	finality  Finality
	providers []*provider
	log       *slog.Logger
	metrics   *metrics
	now       func() time.Time // what block times are held against

	pinned atomic.Uint64 // the highest number that Pin returned
	code   codeSeen      // where Multicall3 is

	mu     sync.Mutex // guards closed, and with it the first Add of inFlight
	closed bool
	done   chan struct{} // closed by Close
	// inFlight counts conversations under way; some outlive the question that
	// began them, to learn whether a late provider agrees.
	inFlight sync.WaitGroup
}

// Dial makes a Chain. It checks cfg and sends nothing yet.
func Dial(cfg Config, log *slog.Logger) (*Chain, error) {
	finality, err := cfg.check()
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Chain{
		cfg:      cfg,
		finality: finality,
		metrics:  newMetrics(cfg),
		log:      log.With("chain", cfg.Name),
		now:      time.Now,
		done:     make(chan struct{}),
	}
	c.cfg.Providers = nil
	for _, p := range cfg.Providers {
		c.providers = append(c.providers, newProvider(p, cfg.Timeout, c.metrics.trips.WithLabelValues(p.Name)))
	}
	return c, nil
}

// Name is the chain's name in the configuration.
func (c *Chain) Name() string { return c.cfg.Name }

// ID is the chain id that every answer must name.
func (c *Chain) ID() uint64 { return c.cfg.ID }

// Quorum is how many providers must agree.
func (c *Chain) Quorum() int { return c.cfg.Quorum }

func (c *Chain) String() string { return fmt.Sprintf("%s (%d)", c.cfg.Name, c.cfg.ID) }

// Health tells of every provider, in configured order.
func (c *Chain) Health() []Health {
	now := time.Now()
	var all []Health
	for _, p := range c.providers {
		all = append(all, p.snapshot(now))
	}
	return all
}

// Collectors are the chain's metrics. The caller registers them.
func (c *Chain) Collectors() []prometheus.Collector {
	all := []prometheus.Collector{c.metrics.conversations, c.metrics.trips}
	for _, p := range c.providers {
		all = append(all,
			providerGauge(c.cfg.Name, p, "petsupply_evm_height", "Newest block that the provider reported.",
				func(h Health) float64 { return float64(h.Height) }),
			providerGauge(c.cfg.Name, p, "petsupply_evm_provider_state", "0 ok, 1 backing off, 2 breaker open.",
				func(h Health) float64 { return states[h.State] }))
	}
	return all
}

// Close ends every conversation under way and waits until all have ended.
// Later questions are answered with ErrClosed.
func (c *Chain) Close() {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	c.mu.Unlock()
	if first {
		close(c.done)
	}
	c.inFlight.Wait()
	for _, p := range c.providers {
		p.close()
	}
}

func (c *Chain) isClosed() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// start runs f unless the Chain is closed. Close waits for f.
func (c *Chain) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.inFlight.Go(f)
	return true
}

// record remembers how a conversation with p ended.
func (c *Chain) record(p *provider, err error) {
	if err == nil {
		c.metrics.count(p, answered)
		c.recovered(p)
		return
	}
	f := asFault(err)
	c.metrics.count(p, f.kind)
	switch f.kind {
	case cancelled:
	case absent, moved:
		c.recovered(p)
	default:
		c.failed(p, f)
	}
}

func (c *Chain) recovered(p *provider) {
	if p.succeeded() {
		c.log.Info("provider is back", "provider", p.name)
	}
}

func (c *Chain) failed(p *provider, f *fault) {
	if p.failed(time.Now(), f) {
		c.log.Warn("provider keeps failing and is asked only when it is needed", "provider", p.name, "fault", f.text)
		return
	}
	c.log.Debug("provider gave no usable answer", "provider", p.name, "outcome", string(f.kind), "fault", f.text)
}

// blame counts a disagreement against p.
func (c *Chain) blame(p *provider, doing string) {
	c.metrics.count(p, outvoted)
	c.failed(p, faultf(outvoted, "disagreed on %s", doing))
	c.log.Warn("provider disagrees with the others", "provider", p.name, "on", doing)
}

// metrics are a Chain's own. Their labels come from closed sets: the chain's
// name, the providers' names, and the outcomes.
type metrics struct {
	conversations *prometheus.CounterVec
	trips         *prometheus.HistogramVec
}

func newMetrics(cfg Config) *metrics {
	chain := prometheus.Labels{"chain": cfg.Name}
	m := &metrics{
		conversations: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_evm_conversations_total", Help: "Conversations with providers, by how they ended.", ConstLabels: chain,
		}, []string{"provider", "outcome"}),
		trips: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "petsupply_evm_round_trip_seconds", Help: "Time that one answered round trip took.", ConstLabels: chain,
			Buckets: prometheus.ExponentialBuckets(0.002, 2.5, 10),
		}, []string{"provider"}),
	}
	for _, p := range cfg.Providers {
		for _, o := range outcomes {
			m.conversations.WithLabelValues(p.Name, string(o))
		}
	}
	return m
}

func (m *metrics) count(p *provider, o outcome) {
	m.conversations.WithLabelValues(p.name, string(o)).Inc()
}

var states = map[string]float64{"ok": 0, "backoff": 1, "open": 2}

// providerGauge reads a provider's health when it is scraped.
func providerGauge(chain string, p *provider, name, help string, value func(Health) float64) prometheus.Collector {
	labels := prometheus.Labels{"chain": chain, "provider": p.name}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels},
		func() float64 { return value(p.snapshot(time.Now())) })
}
