package probe

import (
	"context"
	"log/slog"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// checkProofs demands a proof of every entry on a chain whose proofs are
// required.
func (a *audit) checkProofs(ctx context.Context, t *ledger.Token, s *supply.Snapshot) {
	chains := map[string]supply.ProvenChain{}
	for name, c := range a.chains {
		if a.cfg.Chains[name].Proofs == supply.ProofsRequired {
			chains[name] = supply.ProvenChain{Source: c, Rule: supply.ProofsRequired}
		}
	}
	if err := supply.NewProver(chains, nil, slog.New(slog.DiscardHandler)).Demand(ctx, s); err != nil {
		a.fault("%s: %v", t.Path, err)
	}
}
