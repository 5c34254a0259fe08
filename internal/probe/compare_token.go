package probe

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// compareToken measures one token and prints its entries.
func (r *comparison) compareToken(ctx context.Context, t *ledger.Token) {
	r.findDoubles(t)
	if !r.hasContracts(ctx, t) {
		return
	}
	measured := supply.Measure(ctx, []ledger.Token{*t}, r.readers(), time.Now())[0]
	if measured.Err != nil {
		r.fault("%v", measured.Err)
		return
	}
	s := measured.Snapshot
	r.compareProofs(ctx, t, s)
	r.compareRecord(t, s)
	w := tabwriter.NewWriter(r.out, 0, 8, 2, ' ', 0)
	for _, x := range s.Evidence.Entries {
		note := ""
		if x.Decimals != t.Decimals {
			note = fmt.Sprintf("%d decimals, published with %d", x.Decimals, t.Decimals)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.Path, x.Entry.Bucket, x.Entry.Label, x.Entry.Chain, x.Amount, note)
	}
	fmt.Fprintf(w, "%s\t\ttotal\t\t%s\t\n", t.Path, s.Total)
	fmt.Fprintf(w, "%s\t\tcirculating\t\t%s\t\n", t.Path, s.Circulating)
	w.Flush()
	for _, x := range s.Evidence.Entries {
		switch x.Entry.Bucket {
		case ledger.Burned, ledger.Locked, ledger.Reserved:
			if x.Amount.Sign() == 0 {
				r.warn("%s: %q holds nothing; is the address right?", t.Path, x.Entry.Label)
			}
		}
	}
}

// compareRecord warns if a running service would not publish a measurement.
func (r *comparison) compareRecord(t *ledger.Token, s *supply.Snapshot) {
	next, _, err := r.published[t.Path].Judge(t, s, r.cfg.Refresh.Rules())
	switch {
	case err != nil:
		r.fault("%v", err)
	case next.Hold != nil:
		r.warn("%s would be held: %s; if it is right: petsupply release %s --reason WHY",
			t.Path, next.Hold.Reason, t.Path)
	}
}

// hasContracts reports whether the blocks that are read have all contracts of a token.
func (r *comparison) hasContracts(ctx context.Context, t *ledger.Token) bool {
	good := true
	for _, e := range t.Ledger {
		call, onChain, err := e.ChainCall()
		if err != nil || !onChain {
			continue // the configuration is valid, so this is a declared amount
		}
		c := r.chain(e.Chain)
		if c == nil {
			return false // compareChain has reported the chain
		}
		if !call.Balance && !r.has(ctx, c, fmt.Sprintf("%s: %q", t.Path, e.Label), call.To) {
			good = false
		}
	}
	return good
}

// findDoubles reports holders that are in two buckets on the same chain, because their holdings
// would count twice.
func (r *comparison) findDoubles(t *ledger.Token) {
	seen := map[string]ledger.Entry{}
	for _, e := range t.Ledger {
		at, err := ledger.ParseAddress(cmp.Or(e.Holder, e.Native))
		if err != nil {
			continue // the entry has no holder
		}
		before, known := seen[e.Chain+at.Hex()]
		seen[e.Chain+at.Hex()] = e
		if known && before.Bucket != e.Bucket {
			r.fault("%s: the address %s is in two buckets: %s (entry %q) and %s (entry %q), on %s",
				t.Path, at, before.Bucket, before.Label, e.Bucket, e.Label, e.Chain)
		}
	}
}

// compareProofs demands a proof of every entry on chains where proofs are required.
func (r *comparison) compareProofs(ctx context.Context, t *ledger.Token, s *supply.Snapshot) {
	chains := map[string]supply.ProvenChain{}
	for _, c := range r.chains {
		if c.isRead() && c.Settings.Proofs == supply.ProofsRequired {
			chains[c.Name] = supply.ProvenChain{Source: c, Rule: supply.ProofsRequired}
		}
	}
	if _, err := supply.NewProver(chains, nil, slog.New(slog.DiscardHandler)).RequireProof(ctx, s); err != nil {
		r.fault("%s: %v", t.Path, err)
	}
}
