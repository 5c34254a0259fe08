package onlinecheck

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// checkToken measures one token and prints its entries.
func (r *run) checkToken(ctx context.Context, t *ledger.Token) {
	r.findDoubles(t)
	if !r.checkCalls(ctx, t) {
		return
	}
	measured := supply.Measure(ctx, []ledger.Token{*t}, r.reachable(), time.Now())[0]
	if errors.Is(measured.Err, evm.ErrPruned) {
		r.fault("%v; chains joined by a bridge are all read at the time of the slowest one: "+
			"set its finality closer to the newest block, or use archive nodes for the others", measured.Err)
		return
	}
	if measured.Err != nil {
		r.fault("%v", measured.Err)
		return
	}
	s := measured.Snapshot
	r.checkMoment(t, s.Evidence)
	r.checkProofs(ctx, t, s)
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

// checkCalls reports whether every read of a token returns a number. It names the reads that do
// not.
func (r *run) checkCalls(ctx context.Context, t *ledger.Token) bool {
	good := true
	for _, name := range t.Chains() {
		block, ok := r.blocks[name]
		if !ok {
			return false // checkChain has reported the chain
		}
		var entries []ledger.Entry
		var calls []evm.Call
		var targets []common.Address
		for _, e := range t.Ledger {
			if call, ok, err := e.ChainCall(); ok && err == nil && e.Chain == name {
				call.MayRevert = true
				entries, calls, targets = append(entries, e), append(calls, call), append(targets, call.To)
				if e.Share == nil {
					continue
				}
				shares, total, err := e.ShareCalls()
				if err != nil {
					continue // unreachable: the configuration is valid
				}
				shares.MayRevert, total.MayRevert = true, true
				entries, calls = append(entries, e, e), append(calls, shares, total)
				targets = append(targets, shares.To, total.To)
			}
		}
		words, err := r.chains[name].Read(ctx, block, calls)
		if err != nil {
			r.fault("%s: %v", t.Path, err)
			good = false
			continue
		}
		codes, err := r.chains[name].Code(ctx, block, targets)
		if err != nil {
			r.fault("reading code on %s: %v", name, err)
			good = false
			continue
		}
		for i, e := range entries {
			switch {
			case !calls[i].Balance && len(codes[i]) == 0:
				r.reportAbsent(ctx, fmt.Sprintf("%s: %q", t.Path, e.Label), name, targets[i])
			case len(words[i]) != 32:
				r.fault("%s: %q: %s on %s does not answer with a number", t.Path, e.Label, targets[i], name)
			default:
				continue
			}
			good = false
		}
	}
	return good
}

// findDoubles reports addresses that are in two buckets on the same chain, because their holdings
// would count twice. If one of the entries has the address only as the argument of a call,
// this is only a warning, because the call may return an amount that the balance does not include.
func (r *run) findDoubles(t *ledger.Token) {
	type mention struct {
		ledger.Entry
		argument bool
	}
	seen := map[string]mention{}
	for _, e := range t.Ledger {
		for i, text := range append([]string{e.Holder, e.Native}, e.Args...) {
			at, err := ledger.ParseAddress(text)
			if err != nil {
				continue // empty, or not an address
			}
			now, key := mention{e, i > 1}, e.Chain+at.Hex()
			before, known := seen[key]
			if !known || !now.argument { // an argument does not hide a holder
				seen[key] = now
			}
			if !known || before.Bucket == e.Bucket {
				continue
			}
			report := r.fault
			if before.argument || now.argument {
				report = r.warn
			}
			report("%s: the address %s is in two buckets: %s (entry %q) and %s (entry %q), on %s",
				t.Path, at, before.Bucket, before.Label, e.Bucket, e.Label, e.Chain)
		}
	}
}

// checkMoment reports providers that do not keep, or may soon drop, the state of the blocks at
// which a token was read. If a bridge joins the chain with a slower one, these blocks are older
// than the block that the chain's finality selects.
func (r *run) checkMoment(t *ledger.Token, ev *supply.Evidence) {
	for _, c := range ev.Chains {
		for _, l := range r.limits[c.Chain] {
			back := l.Head - min(l.Head, c.Number)
			if pinned := l.Head - min(l.Head, r.blocks[c.Chain].Number); l.AllState || back <= pinned {
				continue // checkChain has checked the chain's own finality
			}
			read := fmt.Sprintf("%s: chain %s, provider %s: the chain is read %d blocks back, "+
				"because a bridge joins this chain with a slower one", t.Path, c.Chain, l.Provider, back)
			switch {
			case back > l.State:
				r.fault("%s, but the provider has dropped the state of that block; "+
					"set the finality of the slower chain closer to the newest block, or use an archive node for this chain", read)
			case 2*back > l.State:
				r.warn("%s, and the provider keeps only %d blocks of state; reading fails if the slower chain falls behind",
					read, l.State)
			}
		}
	}
}

// checkProofs demands a proof of every entry on chains where proofs are required.
func (r *run) checkProofs(ctx context.Context, t *ledger.Token, s *supply.Snapshot) {
	chains := map[string]supply.ProvenChain{}
	for name, c := range r.chains {
		if r.cfg.Chains[name].Proofs == supply.ProofsRequired {
			chains[name] = supply.ProvenChain{Source: c, Rule: supply.ProofsRequired}
		}
	}
	if err := supply.NewProver(chains, nil, slog.New(slog.DiscardHandler)).Demand(ctx, s); err != nil {
		r.fault("%s: %v", t.Path, err)
	}
}
