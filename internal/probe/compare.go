package probe

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"net/url"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// A Report has the faults and warnings that Compare found.
type Report struct {
	Faults   []string `json:"faults"`
	Warnings []string `json:"warnings"`
}

// Compare compares a valid configuration with its chains. It prints every fault and warning, and the
// current value of every entry. It also returns the faults and warnings. published has the stored
// record of each token that has one.
func Compare(ctx context.Context, cfg *config.Config, published map[string]supply.Record, out io.Writer) Report {
	f := &Facts{Print: func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) }}
	defer f.Close()
	r := &comparison{Report: Report{Faults: []string{}, Warnings: []string{}}, Facts: f, cfg: cfg, published: published,
		out: out}
	for _, name := range slices.Sorted(maps.Keys(cfg.Chains)) {
		if len(cfg.Chains[name].RPC) > 0 {
			r.compareChain(ctx, f.addChain(name, cfg.Chains[name]))
		}
	}
	for _, realm := range cfg.Realms {
		r.compareRealm(ctx, realm)
	}
	for i := range cfg.Tokens {
		r.compareToken(ctx, &cfg.Tokens[i])
	}
	for _, c := range f.chains {
		for _, provider := range c.findOutvoted() {
			r.fault("chain %s, provider %s: %v", c.Name, provider, c.Wrong[provider])
		}
	}
	return r.Report
}

// A comparison is one run of Compare.
type comparison struct {
	Report
	*Facts
	cfg       *config.Config
	published map[string]supply.Record
	out       io.Writer
}

func (r *comparison) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	fmt.Fprintf(r.out, "FAULT    "+format+"\n", args...)
}

func (r *comparison) warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
	fmt.Fprintf(r.out, "warning  "+format+"\n", args...)
}

// compareChain connects to a chain, and checks that each provider keeps the state that is read.
func (r *comparison) compareChain(ctx context.Context, c *Chain) {
	err := c.dial(ctx)
	for _, name := range slices.Sorted(maps.Keys(c.Wrong)) {
		r.fault("chain %s, provider %s: %v", c.Name, name, c.Wrong[name])
	}
	if err != nil {
		r.fault("chain %s: %v", c.Name, err)
		return
	}
	r.printChain(c)
	for _, l := range c.Limits {
		switch {
		case c.Wrong[l.Provider] != nil:
			continue
		case l.Err != nil:
			r.warn("chain %s: %v", c.Name, l.Err)
			continue
		}
		back := l.Head - min(l.Head, c.Block.Number)
		if !l.AllState && back > l.State {
			r.fault("chain %s, provider %s: the block that finality %s selects is %d blocks back, "+
				"and the provider no longer has its state; "+
				"set finality closer to the newest block, or use an archive node",
				c.Name, l.Provider, c.Settings.Finality, back)
		}
	}
}

// has reports whether the block that is read has a contract. If not, it reports what is wrong. If
// the newest block has the contract, this is only a warning.
func (r *comparison) has(ctx context.Context, c *Chain, what string, contract common.Address) bool {
	found, err := c.find(ctx, contract)
	finality := c.Settings.Finality
	switch {
	case err != nil:
		r.fault("%s: %v", what, err)
	case found == nil:
		r.fault("%s: no contract at %s on %s in block %d (%s)", what, contract, c.Name, c.Block.Number, finality)
	case found != c:
		r.warn("%s: the contract at %s on %s is newer than block %d (%s), the newest that is read; "+
			"the contract is used once its first block is read", what, contract, c.Name, c.Block.Number, finality)
	}
	return found == c
}

// readers returns the chains in the form that supply needs.
func (r *comparison) readers() map[string]supply.Chain {
	chains := map[string]supply.Chain{}
	for _, c := range r.chains {
		if c.isRead() {
			chains[c.Name] = c
		}
	}
	return chains
}

// isLocal reports whether pets are served only on this machine.
func (r *comparison) isLocal() bool {
	u, err := url.Parse(r.cfg.PetsURL)
	if err != nil {
		return false // unreachable: the configuration is valid
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

var _ interface {
	supply.Chain
	Logs(context.Context, evm.LogQuery) ([]evm.Log, error)
} = (*Chain)(nil)
