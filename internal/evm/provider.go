package evm

import (
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/evm/jsonrpc"
)

// A provider is one node, with everything that was learned about it.
type provider struct {
	name string
	*jsonrpc.Client
	health

	// byNumber says that the node does not accept a block as an object (EIP-1898).
	byNumber atomic.Bool
	// ofChain is when the node last returned the id of the configured chain, in Unix seconds.
	ofChain atomic.Int64
}

// newProvider returns a provider, which reports the time of each answered round trip to trips.
func newProvider(of Provider, cfg Config, trips prometheus.Observer) *provider {
	p := &provider{name: of.Name}
	p.Client = jsonrpc.New(jsonrpc.Config{
		URL: of.URL, Timeout: cfg.Timeout, Transport: cfg.Transport, Jitter: cfg.Jitter,
		Observe: func(took time.Duration) {
			p.observeLatency(took)
			trips.Observe(took.Seconds())
		},
	})
	p.shown.Name = of.Name
	p.jitter = cfg.Jitter
	return p
}

// String returns the name, so that printing a provider shows nothing secret.
func (p *provider) String() string { return p.name }
