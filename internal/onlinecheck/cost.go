package onlinecheck

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

const day = 24 * time.Hour

// printCosts does one round of the service's repeated work and counts the requests. It prints how
// many requests a provider would get in a day, as an average of the chain's providers.
func (r *run) printCosts(ctx context.Context) {
	before := map[string]uint64{}
	for name, c := range r.chains {
		before[name] = c.Requests()
	}
	supply.Measure(ctx, r.cfg.Tokens, r.reachable(), time.Now())
	for _, name := range slices.Sorted(maps.Keys(r.blocks)) {
		chain := r.chains[name]
		tokens := (chain.Requests() - before[name]) * uint64(day/r.cfg.Refresh.Every)
		var pets uint64
		for _, realm := range r.cfg.Realms {
			if realm.Chain == name && !realm.Closed {
				pets += followCost(ctx, chain, realm.Contract) * uint64(day/r.cfg.Index.Every)
			}
		}
		if nodes := uint64(len(r.cfg.Chains[name].RPC)); tokens+pets > 0 {
			fmt.Fprintf(r.out, "chain %s: each provider gets about %d requests a day "+
				"(tokens every %s: %d, pets every %s: at most %d)\n", name,
				(tokens+pets)/nodes, r.cfg.Refresh.Every, tokens/nodes, r.cfg.Index.Every, pets/nodes)
		}
	}
}

// followCost returns how many requests one search for a realm's changes takes.
func followCost(ctx context.Context, chain *evm.Chain, contract common.Address) uint64 {
	before := chain.Requests()
	if block, err := chain.Pin(ctx, time.Time{}); err == nil {
		chain.Logs(ctx, evm.LogQuery{From: block.Number, To: block.Number, Addresses: []common.Address{contract}})
	}
	return chain.Requests() - before
}
