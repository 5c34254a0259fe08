package probe

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// checkLimits says what each provider gives, and whether that is enough.
func (a *audit) checkLimits(ctx context.Context, name string) {
	block, ok := a.blocks[name]
	if !ok {
		return // that the chain cannot be reached has been said
	}
	contracts := a.contractsOn(name)
	for _, l := range a.chains[name].Limits(ctx, contracts) {
		if a.away[name+" "+l.Provider] {
			continue
		}
		if l.Err != nil {
			a.warn("chain %s: %v", name, l.Err)
			continue
		}
		fmt.Fprintf(a.out, "chain %s, %s\n", name, limitsText(l))
		a.limits[name] = append(a.limits[name], l)
		if back := l.Head - min(l.Head, block.Number); !l.AllState && back > l.State {
			a.fault("chain %s, provider %s: %s lies %d blocks back, where it has no state any more; use a nearer finality, or an archive node",
				name, l.Provider, a.cfg.Chains[name].Finality, back)
		}
	}
}

// checkMoment says whether providers keep the state of the blocks that a token was
// read at, which lie further back where a bridge joins the chain with a slower one.
func (a *audit) checkMoment(t *ledger.Token, ev *supply.Evidence) {
	for _, c := range ev.Chains {
		for _, l := range a.limits[c.Chain] {
			back := l.Head - min(l.Head, c.Number)
			if pinned := l.Head - min(l.Head, a.blocks[c.Chain].Number); l.AllState || back <= pinned {
				continue // its own finality, of which all has been said
			}
			switch {
			case back > l.State:
				a.fault("%s: chain %s, provider %s: it is read %d blocks back, at the moment of the slower chain that a bridge joins it with, "+
					"where it has no state any more; give that chain a nearer finality, or this one an archive node", t.Path, c.Chain, l.Provider, back)
			case 2*back > l.State:
				a.warn("%s: chain %s, provider %s: it is read %d blocks back, at the moment of the slower chain that a bridge joins it with, "+
					"and keeps the state of %d: little is left if that falls behind", t.Path, c.Chain, l.Provider, back, l.State)
			}
		}
	}
}

// contractsOn are the pet contracts of a chain, whose logs are searched.
func (a *audit) contractsOn(chain string) (list []common.Address) {
	for _, r := range a.cfg.Realms {
		if r.Chain == chain && !r.Closed {
			list = append(list, r.Contract)
		}
	}
	if len(list) == 0 {
		list = append(list, common.Address{1}) // has none
	}
	return list
}

const day = 24 * time.Hour

// printCosts does once what the service does all day, counts the requests, and
// says how many that makes for each provider.
func (a *audit) printCosts(ctx context.Context) {
	before := map[string]uint64{}
	for name, c := range a.chains {
		before[name] = c.Requests()
	}
	chains := map[string]supply.Chain{}
	for name := range a.blocks {
		chains[name] = a.chains[name]
	}
	supply.Measure(ctx, a.cfg.Tokens, chains, time.Now())
	for _, name := range slices.Sorted(maps.Keys(a.blocks)) {
		chain := a.chains[name]
		measured := chain.Requests()
		tokens := (measured - before[name]) * uint64(day/a.cfg.Refresh.Every)
		var pets uint64
		for _, r := range a.cfg.Realms {
			if r.Chain == name && !r.Closed {
				pets += followCost(ctx, chain, r.Contract) * uint64(day/a.cfg.Index.Every)
			}
		}
		if nodes := uint64(len(a.cfg.Chains[name].RPC)); tokens+pets > 0 {
			fmt.Fprintf(a.out, "chain %s: a day costs each provider about %d requests (tokens every %s: %d, pets every %s: at most %d)\n", name,
				(tokens+pets)/nodes, a.cfg.Refresh.Every, tokens/nodes, a.cfg.Index.Every, pets/nodes)
		}
	}
}

// followCost is how many requests it takes to look for changes of a realm once.
func followCost(ctx context.Context, chain *evm.Chain, contract common.Address) uint64 {
	before := chain.Requests()
	if block, err := chain.Pin(ctx, time.Time{}); err == nil {
		chain.Logs(ctx, evm.LogQuery{From: block.Number, To: block.Number, Addresses: []common.Address{contract}})
	}
	return chain.Requests() - before
}
