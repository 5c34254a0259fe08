// Package onlinecheck compares a configuration with its chains: whether nodes,
// contracts and pets are what the file says. Call Run.
package onlinecheck

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// Run compares a valid configuration with its chains. It writes what every entry
// says now, and every fault and warning. It returns the number of faults.
func Run(ctx context.Context, cfg *config.Config, chains map[string]*evm.Chain, out io.Writer) (faults int) {
	r := &run{cfg: cfg, out: out, chains: chains,
		blocks: map[string]evm.Block{}, limits: map[string][]evm.Limits{}}
	for _, name := range slices.Sorted(maps.Keys(chains)) {
		r.checkChain(ctx, name)
	}
	for _, realm := range cfg.Realms {
		r.checkRealm(ctx, realm)
	}
	for i := range cfg.Tokens {
		r.checkToken(ctx, &cfg.Tokens[i])
	}
	r.printCosts(ctx)
	fmt.Fprintf(out, "faults: %d, warnings: %d\n", r.faults, r.warnings)
	return r.faults
}

// A run is one comparison.
type run struct {
	cfg      *config.Config
	out      io.Writer
	chains   map[string]*evm.Chain
	blocks   map[string]evm.Block    // of the chains that can be reached
	limits   map[string][]evm.Limits // of the providers that can be reached, by chain
	faults   int
	warnings int
}

func (r *run) fault(format string, args ...any) {
	r.faults++
	fmt.Fprintf(r.out, "FAULT    "+format+"\n", args...)
}

func (r *run) warn(format string, args ...any) {
	r.warnings++
	fmt.Fprintf(r.out, "warning  "+format+"\n", args...)
}

// reachable returns the chains that can be reached, as supply measures on them.
func (r *run) reachable() map[string]supply.Chain {
	chains := map[string]supply.Chain{}
	for name := range r.blocks {
		chains[name] = r.chains[name]
	}
	return chains
}
