package probe

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// compareToken measures one token and prints its entries.
func (r *comparison) compareToken(ctx context.Context, t *ledger.Token) {
	r.findDoubles(t)
	if !r.compareCalls(ctx, t) {
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
		r.warn("%s would be held: %s; if it is right: petsupply release %s --reason WHY", t.Path, next.Hold.Reason, t.Path)
	}
}

// compareCalls reports whether every read of a token returns a number. It names the reads that do
// not.
func (r *comparison) compareCalls(ctx context.Context, t *ledger.Token) bool {
	good := true
	for _, name := range t.Chains() {
		c := r.chains[name]
		if c == nil {
			return false // compareChain has reported the chain
		}
		var entries []ledger.Entry
		var calls []evm.Call
		for _, e := range t.Ledger {
			for _, call := range callsOf(e, name) {
				call.MayRevert = true
				entries = append(entries, e)
				calls = append(calls, call)
			}
		}
		words, err := c.Read(ctx, c.Block, calls)
		if err != nil {
			r.fault("%s: %v", t.Path, err)
			good = false
			continue
		}
		for i, e := range entries {
			switch {
			case !calls[i].Balance && !r.has(ctx, c, fmt.Sprintf("%s: %q", t.Path, e.Label), calls[i].To):
				good = false
			case len(words[i]) != 32:
				r.fault("%s: %q: %s on %s does not answer with a number", t.Path, e.Label, calls[i].To, name)
				good = false
			}
		}
	}
	return good
}

// callsOf returns the calls of an entry on a chain.
func callsOf(e ledger.Entry, chain string) (calls []evm.Call) {
	call, ok, err := e.ChainCall()
	if !ok || err != nil || e.Chain != chain {
		return nil
	}
	calls = append(calls, call)
	if e.Share == nil {
		return calls
	}
	shares, total, err := e.ShareCalls()
	if err != nil {
		return calls // unreachable: the configuration is valid
	}
	return append(calls, shares, total)
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
	for name, c := range r.chains {
		if r.cfg.Chains[name].Proofs == supply.ProofsRequired {
			chains[name] = supply.ProvenChain{Source: c, Rule: supply.ProofsRequired}
		}
	}
	if _, err := supply.NewProver(chains, nil, slog.New(slog.DiscardHandler)).RequireProof(ctx, s); err != nil {
		r.fault("%s: %v", t.Path, err)
	}
}
