package onlinecheck

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// checkChain checks the providers of a chain, separately and together, and prints their limits.
func (r *run) checkChain(ctx context.Context, name string) {
	faulty := r.checkProviders(ctx, name)
	block, err := r.chains[name].Reach(ctx)
	if err != nil {
		r.fault("chain %s: %v", name, err)
		return
	}
	r.blocks[name] = block
	fmt.Fprintf(r.out, "chain %s has the id %d and is read at block %d (%s)\n",
		name, r.chains[name].ID(), block.Number, block.Time.Format(time.RFC3339))
	for _, l := range r.chains[name].Limits(ctx, r.petContracts(name)) {
		switch {
		case faulty[l.Provider]:
		case l.Err != nil:
			r.warn("chain %s: %v", name, l.Err)
		default:
			fmt.Fprintf(r.out, "chain %s, provider %s\n", name, l)
			r.limits[name] = append(r.limits[name], l)
			if back := l.Head - min(l.Head, block.Number); !l.AllState && back > l.State {
				r.fault("chain %s, provider %s: the block that finality %s selects is %d blocks back, "+
					"and the provider no longer has its state; "+
					"set finality closer to the newest block, or use an archive node",
					name, l.Provider, r.cfg.Chains[name].Finality, back)
			}
		}
	}
}

// reportAbsent reports that a contract is missing in the block that is read. If the newest block
// has the contract, this is only a warning.
func (r *run) reportAbsent(ctx context.Context, what, name string, contract common.Address) {
	chain, block, finality := r.chains[name], r.blocks[name], r.cfg.Chains[name].Finality
	if newest, err := chain.AtLatest().Pin(ctx, time.Time{}); err == nil {
		if code, err := chain.Code(ctx, newest, []common.Address{contract}); err == nil && len(code[0]) > 0 {
			r.warn("%s: the contract at %s on %s is newer than block %d (%s), the newest that is read; "+
				"the contract is used once its first block is read", what, contract, name, block.Number, finality)
			return
		}
	}
	r.fault("%s: no contract at %s on %s in block %d (%s)", what, contract, name, block.Number, finality)
}

// checkProviders checks each provider of a chain separately, because a quorum hides a provider that
// is on another chain or does not answer. It returns the names of the providers that fail.
func (r *run) checkProviders(ctx context.Context, name string) (faulty map[string]bool) {
	all := r.cfg.Chains[name].EVM(name)
	if len(all.Providers) == 1 {
		return nil // checkChain reports the fault of a single provider
	}
	faulty = map[string]bool{}
	for _, p := range all.Providers {
		alone := all
		alone.Providers, alone.Quorum = []evm.Provider{p}, 1
		chain, err := evm.Dial(alone, nil)
		if err == nil {
			_, err = chain.Reach(ctx)
			chain.Close()
		}
		if err != nil {
			r.fault("chain %s, provider %s: %v", name, p, err)
			faulty[p.Name] = true
		}
	}
	return faulty
}

// petContracts returns the pet contracts of a chain. If there are none, it returns an address
// without logs.
func (r *run) petContracts(chain string) (list []common.Address) {
	for _, realm := range r.cfg.Realms {
		if realm.Chain == chain && !realm.Closed {
			list = append(list, realm.Contract)
		}
	}
	if len(list) == 0 {
		list = append(list, common.Address{1})
	}
	return list
}
