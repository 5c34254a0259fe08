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

// A Report has the faults and warnings of a Run.
type Report struct {
	Faults   []string `json:"faults"`
	Warnings []string `json:"warnings"`
}

// Run compares a valid configuration with its chains. It prints the current value of every entry.
// It prints and returns every fault and warning.
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
	blocks map[string]evm.Block    // of the chains that can be reached
	limits map[string][]evm.Limits // of the providers that can be reached, by chain
}

func (r *run) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	fmt.Fprintf(r.out, "FAULT    "+format+"\n", args...)
}

func (r *run) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
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
