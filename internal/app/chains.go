package app

import (
	"log/slog"

	"petsupply/internal/config"
	"petsupply/internal/demo"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// Chains are the chains of a configuration, by name. Close them after use.
type Chains map[string]*evm.Chain

// Dial prepares the chains of the settings, without any request. For the demo it prepares invented
// chains without pets.
func (s *Settings) Dial(log *slog.Logger) (Chains, error) {
	if s.Demo {
		return Dial(s.Chains, demo.NewWorld(s.Now, nil), log)
	}
	return Dial(s.Chains, nil, log)
}

// Dial prepares the chains that have providers. It sends no request. If world is not nil, its
// invented nodes answer instead of real ones. The error is a ConfigError.
func Dial(configs map[string]config.Chain, world *demo.World, log *slog.Logger) (Chains, error) {
	chains := Chains{}
	for name, c := range configs {
		if len(c.RPC) == 0 {
			continue
		}
		cfg := c.EVM(name)
		if world != nil {
			cfg.Transport, cfg.Now = world.Nodes(), world.Now
		}
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
