package app

import (
	"log/slog"
	"net/http"
	"time"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// Chains are the chains of a configuration, by name. Close them after use.
type Chains map[string]*evm.Chain

// Dial prepares the chains of the settings, without any request.
func (s *Settings) Dial(log *slog.Logger) (Chains, error) {
	return Dial(s.Chains, s.Transport, s.Now, log)
}

// Dial prepares the chains that have providers. It sends no request. transport carries requests to
// the nodes, and now is the clock that judges the age of blocks; nil means the network and the clock
// of the machine. The error is a ConfigError.
func Dial(configs map[string]config.Chain, transport http.RoundTripper, now func() time.Time,
	log *slog.Logger) (Chains, error) {
	chains := Chains{}
	for name, c := range configs {
		if len(c.RPC) == 0 {
			continue
		}
		cfg := c.EVM(name)
		cfg.Transport = transport
		cfg.Now = now
		chain, err := evm.Dial(cfg, log)
		if err != nil {
			chains.Close()
			return nil, ConfigError{err}
		}
		chains[name] = chain
	}
	return chains, nil
}

// Close closes the connections to the nodes.
func (c Chains) Close() {
	for _, chain := range c {
		chain.Close()
	}
}

// ForSupply returns the chains in the form for measuring supply.
func (c Chains) ForSupply() map[string]supply.Chain {
	chains := map[string]supply.Chain{}
	for name, chain := range c {
		chains[name] = chain
	}
	return chains
}

// ForProofs returns the chains in the form for gathering proofs, each with its configured rule:
// proofs are on, off or required.
func (c Chains) ForProofs(configs map[string]config.Chain) map[string]supply.ProvenChain {
	chains := map[string]supply.ProvenChain{}
	for name, chain := range c {
		chains[name] = supply.ProvenChain{Source: chain, Rule: configs[name].Proofs,
			Quorum: chain.Quorum(), Providers: len(configs[name].RPC)}
	}
	return chains
}
