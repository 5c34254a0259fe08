package evm

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/evm/jsonrpc"
)

// A Chain is one network, read through several providers. Many goroutines may use it. The caller of
// Dial closes it.
type Chain struct {
	cfg       Config // without Providers
	finality  Finality
	providers []*provider
	log       *slog.Logger
	now       func() time.Time // the clock that block times are compared with

	conversations *prometheus.CounterVec
	trips         *prometheus.HistogramVec

	// pinned is roughly the number of the highest block that Pin returned. If a head is lower, Pin
	// waits for more replies, and asks whether the node is syncing.
	pinned atomic.Uint64
	// agreed is a recent head that a quorum agreed on, with the time of the agreement.
	agreed atomic.Pointer[agreedBlock]

	mu   sync.Mutex    // guards the closing of done and the start of conversations
	done chan struct{} // closed by Close
	// inFlight counts running conversations. A conversation is one provider answering one question.
	// It may go on after a quorum has answered, to see whether a late provider agrees.
	inFlight sync.WaitGroup
}

// Dial makes a Chain. It checks cfg and sends no request.
func Dial(cfg Config, log *slog.Logger) (*Chain, error) {
	finality, err := cfg.check()
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Jitter == nil {
		cfg.Jitter = rand.N[time.Duration]
	}
	c := &Chain{cfg: cfg, finality: finality, log: log.With("chain", cfg.Name), now: cfg.Now, done: make(chan struct{})}
	c.cfg.Providers = nil
	c.conversations, c.trips = newMetrics(cfg)
	for _, p := range cfg.Providers {
		c.providers = append(c.providers, newProvider(p, cfg, c.trips.WithLabelValues(p.Name)))
	}
	return c, nil
}

// ID returns the configured chain id. Answers of a node that reports another id are rejected.
func (c *Chain) ID() uint64 { return c.cfg.ID }

// OnDemand reports whether the chain makes blocks only when it has transactions. If so, the newest
// block may be old and still have the current state.
func (c *Chain) OnDemand() bool { return c.cfg.OnDemand }

// Quorum returns how many providers must agree.
func (c *Chain) Quorum() int { return c.cfg.Quorum }

func (c *Chain) String() string { return fmt.Sprintf("%s (%d)", c.cfg.Name, c.cfg.ID) }

// Health returns the health of each provider, in configured order.
func (c *Chain) Health() []Health {
	now := time.Now()
	var all []Health
	for _, p := range c.providers {
		all = append(all, p.snapshot(now))
	}
	return all
}

// Collectors returns the chain's metrics. The caller registers them.
func (c *Chain) Collectors() []prometheus.Collector {
	all := []prometheus.Collector{c.conversations, c.trips}
	for _, p := range c.providers {
		all = append(all,
			providerGauge(c.cfg.Name, p, "petsupply_evm_height", "Newest block that the provider reported.",
				func(h Health) float64 { return float64(h.Height) }),
			providerGauge(c.cfg.Name, p, "petsupply_evm_provider_state",
				"0 ok, 1 backing off, 2 down.",
				func(h Health) float64 { return states[h.State] }))
	}
	return all
}

// Close ends all conversations and waits for them. Later questions fail.
func (c *Chain) Close() {
	c.mu.Lock()
	if !c.isClosed() {
		close(c.done)
	}
	c.mu.Unlock()
	c.inFlight.Wait()
	for _, p := range c.providers {
		p.Close()
	}
}

func (c *Chain) isClosed() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// start runs f in a new goroutine, and Close waits for f. If the Chain is closed, start returns
// false and does not run f.
func (c *Chain) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isClosed() {
		return false
	}
	c.inFlight.Go(f)
	return true
}

// record remembers how a conversation with p ended.
func (c *Chain) record(p *provider, err error) {
	kind := jsonrpc.Answered
	wide := false
	if err != nil {
		kind = jsonrpc.AsFault(err).Kind
		wide = jsonrpc.AsFault(err).TooWide()
	}
	c.count(p, kind)
	switch {
	case kind == jsonrpc.Cancelled:
	case kind == jsonrpc.Answered, kind == jsonrpc.Absent, kind == jsonrpc.Moved, kind == jsonrpc.Pruned,
		kind == jsonrpc.Refused && wide: // success, or not the provider's fault
		if p.succeeded() {
			c.log.Info("provider is back", "provider", p.name)
		}
		if kind == jsonrpc.Pruned {
			c.lacked(p, jsonrpc.AsFault(err))
		}
	default:
		c.failed(p, jsonrpc.AsFault(err))
	}
}

func (c *Chain) count(p *provider, o jsonrpc.Outcome) {
	c.conversations.WithLabelValues(p.name, string(o)).Inc()
}

func (c *Chain) failed(p *provider, f *jsonrpc.Fault) {
	if p.failed(time.Now(), f) {
		c.log.Warn("provider keeps failing; it is asked only if a quorum needs it", "provider", p.name, "fault", f.Text)
		return
	}
	c.log.Debug("provider gave no usable answer", "provider", p.name, "outcome", string(f.Kind), "fault", f.Text)
}

// lacked remembers that p no longer has the state that was asked for.
func (c *Chain) lacked(p *provider, f *jsonrpc.Fault) {
	if p.lacked(time.Now(), f.Text+"; an archive node keeps this state") {
		c.log.Warn("provider no longer has the state of the block to read; use an archive node, or read a newer block",
			"provider", p.name, "fault", f.Text)
	}
}

// blame counts a disagreement against p.
func (c *Chain) blame(p *provider, doing string) {
	c.count(p, jsonrpc.Outvoted)
	c.failed(p, jsonrpc.Faultf(jsonrpc.Outvoted, "disagreed on %s", doing))
	c.log.Warn("provider disagrees with the others", "provider", p.name, "on", doing)
}

// newMetrics makes the metrics of a chain. Their labels come from closed sets: the chain's name,
// the providers' names, and the outcomes.
func newMetrics(cfg Config) (conversations *prometheus.CounterVec, trips *prometheus.HistogramVec) {
	chain := prometheus.Labels{"chain": cfg.Name}
	conversations = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_evm_conversations_total", Help: "Conversations with providers, by how they ended.",
		ConstLabels: chain,
	}, []string{"provider", "outcome"})
	for _, p := range cfg.Providers {
		for _, o := range jsonrpc.Outcomes {
			conversations.WithLabelValues(p.Name, string(o))
		}
	}
	trips = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "petsupply_evm_round_trip_seconds", Help: "Time that one answered round trip took.", ConstLabels: chain,
		Buckets: prometheus.ExponentialBuckets(0.002, 2.5, 10),
	}, []string{"provider"})
	return conversations, trips
}

var states = map[string]float64{"ok": 0, "backoff": 1, "down": 2}

// providerGauge returns a gauge that computes its value from the provider's health at each scrape.
func providerGauge(chain string, p *provider, name, help string, value func(Health) float64) prometheus.Collector {
	labels := prometheus.Labels{"chain": chain, "provider": p.name}
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels},
		func() float64 { return value(p.snapshot(time.Now())) })
}
