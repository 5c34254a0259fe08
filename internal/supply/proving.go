package supply

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
	"petsupply/internal/supply/tlog"
)

// A ProofRule says whether reads of a chain are proven.
type ProofRule string

const (
	ProofsOn       ProofRule = "on"       // reads are proven if the nodes give proofs
	ProofsOff      ProofRule = "off"      // no node is asked for proofs
	ProofsRequired ProofRule = "required" // a figure that is not proven is not published
)

// ProofRules lists all proof rules.
var ProofRules = []ProofRule{ProofsOn, ProofsOff, ProofsRequired}

// proofLimit limits the time for gathering one proof.
const proofLimit = 20 * time.Second

// A ProvenChain is a chain from which proofs are gathered.
type ProvenChain struct {
	Source    gather.Source // *evm.Chain implements it
	Rule      ProofRule
	Quorum    int // number of providers that must agree on a read
	Providers int // number of all providers
}

// proofStore stores proofs. *store.Store implements it. Only the leader may call it.
type proofStore interface {
	// SaveProof stores the proof of a token's snapshot, unless it is already stored. taken is the
	// time at which the proof was made.
	SaveProof(ctx context.Context, token string, taken time.Time, d *proof.Document) error
	// Proof returns the proof of a token's snapshot, or ErrNotFound.
	Proof(ctx context.Context, token, snapshot string) (*proof.Document, error)
}

// A Prover proves the snapshots that are published or held, and stores the proofs under their ids. A
// held snapshot is proven at once, because the nodes may have dropped the state when it is released.
// Only one goroutine may use a Prover.
type Prover struct {
	chains    map[string]ProvenChain
	gatherers map[string]*gather.Gatherer // by chain; without chains whose proofs are turned off
	store     proofStore
	log       *slog.Logger
	outcomes  *prometheus.CounterVec
	logged    map[string][]proof.Entry // by token: how the entries were known as of the last log line
}

// NewProver returns a prover. The keys of chains are the names of the chains.
func NewProver(chains map[string]ProvenChain, store proofStore, log *slog.Logger) *Prover {
	p := &Prover{
		chains: chains, gatherers: map[string]*gather.Gatherer{}, store: store, log: log,
		logged: map[string][]proof.Entry{},
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_supply_proofs_total",
			Help: "Snapshots of a token, by how many of their reads are proven: all, some or none; " +
				"unsaved if the proof could not be stored.",
		}, []string{"token", "outcome"}),
	}
	for name, c := range chains {
		if c.Rule != ProofsOff {
			p.gatherers[name] = gather.New(c.Source)
		}
	}
	return p
}

// RequireProof proves s if one of its chains requires proofs, and returns the proof. An error means
// that an entry on such a chain is not proven, so that s must not be published.
func (p *Prover) RequireProof(ctx context.Context, s *Snapshot) (*proof.Document, error) {
	required := func(chain string) bool { return p.chains[chain].Rule == ProofsRequired }
	if p == nil || !slices.ContainsFunc(s.Blocks, func(b Block) bool { return required(b.Chain) }) {
		return nil, nil
	}
	d, faults := p.prove(ctx, s.Evidence)
	for i, x := range s.Evidence.Entries {
		if faults[i] != nil && required(x.Entry.Chain) {
			return d, fmt.Errorf("proofs of %s are required: %w: %w", x.Entry.Chain, faults[i], ErrRejected)
		}
	}
	return d, nil
}

// StoreProof stores d, the proof of a published or held snapshot. If d is nil, it makes the proof
// first, unless the store already has one. It reports whether the store has a proof now. It logs and
// counts faults.
func (p *Prover) StoreProof(ctx context.Context, s *Snapshot, d *proof.Document) bool {
	if d == nil {
		if _, err := p.store.Proof(ctx, s.Token, s.ID); !errors.Is(err, ErrNotFound) {
			return err == nil
		}
		d, _ = p.prove(ctx, s.Evidence)
	}
	p.outcomes.WithLabelValues(s.Token, provenPart(d)).Inc()
	err := p.store.SaveProof(ctx, s.Token, time.Now(), d)
	if err != nil && ctx.Err() == nil {
		p.outcomes.WithLabelValues(s.Token, "unsaved").Inc()
		p.log.Error("storing the proof of a figure failed", "token", s.Token, "snapshot", s.ID, "error", err)
	}
	return err == nil
}

// prove asks the nodes for proofs of ev. It also returns, for each entry, why the entry is not
// proven; nil if it is proven or declared, or if proofs of its chain are turned off. It logs when
// other entries of the token are proven than before.
func (p *Prover) prove(ctx context.Context, ev *Evidence) (*proof.Document, []error) {
	ctx, cancel := context.WithTimeout(ctx, proofLimit)
	defer cancel()
	d := &proof.Document{Format: proof.Format, Snapshot: ev.Snapshot, Entries: []proof.Entry{}}
	for _, x := range ev.Entries {
		known := proof.Declared
		if chain := p.chains[x.Entry.Chain]; x.Entry.Chain != "" {
			known = proof.Agreed(chain.Quorum, chain.Providers)
		}
		d.Entries = append(d.Entries, proof.Entry{Label: x.Entry.Label, Known: known})
	}
	faults := make([]error, len(ev.Entries))
	budget := proof.NewBudget()
	for _, c := range ev.Chains {
		if g := p.gatherers[c.Chain]; g != nil {
			proveChain(ctx, g, ev, c, d, faults, budget)
		}
	}
	for i, x := range ev.Entries {
		switch {
		case faults[i] != nil:
			faults[i] = fmt.Errorf("entry %q: %w", x.Entry.Label, faults[i])
		case p.gatherers[x.Entry.Chain] != nil:
			d.Entries[i].Known = proof.Proven
		}
	}
	if slices.Equal(p.logged[ev.Token], d.Entries) {
		return d, faults
	}
	p.logged[ev.Token] = d.Entries
	if err := errors.Join(faults...); err != nil {
		p.log.Warn("not all reads are proven", "token", ev.Token, "proven", provenPart(d), "reason", err)
	} else if provenPart(d) == "all" {
		p.log.Info("all reads are proven", "token", ev.Token)
	}
	return d, faults
}

// proveChain adds the proof of the entries on chain c to d, if a verifier would accept it together
// with the proofs of earlier chains in d. Otherwise it sets the faults of these entries.
func proveChain(ctx context.Context, g *gather.Gatherer, ev *Evidence, c Block, d *proof.Document, faults []error,
	budget *proof.Budget) {
	var calls []proof.Call
	var owners []int // for each call, the index of its entry
	for i := range ev.Entries {
		if ev.Entries[i].Entry.Chain != c.Chain {
			continue
		}
		list, _ := ev.Entries[i].reads() // without an error, because the entry was measured
		for _, call := range list {
			calls = append(calls, proofCall(call.Call, *call.answer))
			owners = append(owners, i)
		}
	}
	fail := func(err error) {
		for _, i := range owners {
			faults[i] = err
		}
	}
	part, missing := g.Gather(ctx, c.Block, calls, proof.MaxGas/uint64(len(ev.Chains)))
	for k, err := range missing {
		faults[owners[k]] = cmp.Or(faults[owners[k]], err)
	}
	if part == nil {
		return
	}
	left := *budget
	checked, err := part.Check(&left) // serve no proof that a verifier would refuse
	if err == nil {
		err = errors.Join(checked.Holds(), c.is(checked.Block))
	}
	longer := *d
	longer.Chains = append(slices.Clip(d.Chains), *part)
	if err == nil {
		_, err = proof.Parse(bytes.NewReader(tlog.Encode(longer)))
	}
	if err != nil {
		fail(err)
		return
	}
	d.Chains = longer.Chains
	*budget = left
}

// provenPart returns how many of the reads are proven: all, some or none.
func provenPart(d *proof.Document) string {
	read := 0
	good := 0
	for _, e := range d.Entries {
		if e.Known == proof.Proven {
			good++
		}
		if e.Known != proof.Declared {
			read++
		}
	}
	switch {
	case good == read:
		return "all"
	case good > 0:
		return "some"
	}
	return "none"
}
