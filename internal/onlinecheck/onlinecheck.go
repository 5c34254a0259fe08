// Package onlinecheck compares a configuration with its chains: nodes, contracts and pets must be
// as configured. Call Run.
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

// A Report has the faults and warnings that Run found.
type Report struct {
	Faults   []string `json:"faults"`
	Warnings []string `json:"warnings"`
}

// Run compares a valid configuration with its chains. It prints every fault and warning, and the
// current value of every entry. It also returns the faults and warnings.
func Run(ctx context.Context, cfg *config.Config, chains map[string]*evm.Chain, out io.Writer) Report {
	r := &run{cfg: cfg, out: out, chains: chains, Report: Report{Faults: []string{}, Warnings: []string{}},
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
	return r.Report
}

// A run is one comparison.
type run struct {
	Report
	cfg    *config.Config
	out    io.Writer
	chains map[string]*evm.Chain
	blocks map[string]evm.Block    // the block to read on each reachable chain
	limits map[string][]evm.Limits // limits of the reachable providers, by chain
}

func (r *run) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	fmt.Fprintf(r.out, "FAULT    "+format+"\n", args...)
}

func (r *run) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
	fmt.Fprintf(r.out, "warning  "+format+"\n", args...)
}

// reachable returns the reachable chains in the form that supply needs.
func (r *run) reachable() map[string]supply.Chain {
	chains := map[string]supply.Chain{}
	for name := range r.blocks {
		chains[name] = r.chains[name]
	}
	return chains
}
