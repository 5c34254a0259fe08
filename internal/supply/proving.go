package supply

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/evm"
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
	// DropProof removes the proof of a token's snapshot, if it is stored.
	DropProof(ctx context.Context, token, snapshot string) error
}

// A Prover proves the snapshots that are published or held, and stores the proofs under their ids. A
// held snapshot is proven at once, because the nodes may have dropped the state when it is released.
// Only one goroutine may use a Prover.
type Prover struct {
	chains    map[string]ProvenChain
	gatherers map[string]*gather.Gatherer
	store     proofStore
	log       *slog.Logger
	outcomes  *prometheus.CounterVec
	last      map[string]*proven  // by token: the last proof
	logged    map[string][]string // by token: proven.known as of the last log line
}

// proven says which entries of the evidence are proven.
type proven struct {
	evidence *Evidence
	chains   []proof.Chain
	known    []string // how each entry is known: proof.Proven, proof.Declared or proof.Agreed
	faults   []error  // why each entry is not proven; nil if it is proven or declared
}

// NewProver returns a prover. The keys of chains are the names of the chains.
func NewProver(chains map[string]ProvenChain, store proofStore, log *slog.Logger) *Prover {
	p := &Prover{
		chains: chains, gatherers: map[string]*gather.Gatherer{}, store: store, log: log,
		last: map[string]*proven{}, logged: map[string][]string{},
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "petsupply_supply_proofs_total",
			Help: "Snapshots of a token, by how many of their reads are proven: all, some or none; " +
				"unsaved if the proof could not be stored.",
		}, []string{"token", "outcome"}),
	}
	for name, c := range chains {
		p.gatherers[name] = gather.New(c.Source)
	}
	return p
}

// RequireProof returns an error if an entry of s is not proven although its chain requires proofs.
// Then s must not be published.
func (p *Prover) RequireProof(ctx context.Context, s *Snapshot) error {
	if p == nil || !slices.ContainsFunc(s.Evidence.Chains, func(c Block) bool {
		return p.chains[c.Chain].Rule == ProofsRequired
	}) {
		return nil
	}
	_, err := p.prove(ctx, s.Evidence)
	return err
}

// StoreProof proves a published or held snapshot and stores the proof. It logs and counts faults.
func (p *Prover) StoreProof(ctx context.Context, s *Snapshot) {
	if p == nil {
		return
	}
	g, _ := p.prove(ctx, s.Evidence)
	p.outcomes.WithLabelValues(s.Token, g.outcome()).Inc()
	if err := p.store.SaveProof(ctx, s.Token, time.Now(), g.document(s.Evidence)); err != nil && ctx.Err() == nil {
		p.outcomes.WithLabelValues(s.Token, "unsaved").Inc()
		p.log.Error("storing the proof of a figure failed", "token", s.Token, "snapshot", s.ID, "error", err)
	}
}

// DropProof removes the proof of a held snapshot that was not published.
func (p *Prover) DropProof(ctx context.Context, s *Snapshot) {
	if p == nil {
		return
	}
	if err := p.store.DropProof(ctx, s.Token, s.ID); err != nil && ctx.Err() == nil {
		p.log.Error("removing the proof of a figure failed", "token", s.Token, "snapshot", s.ID, "error", err)
	}
}

// prove proves as much of ev as it can. It uses the last proof again if the calls had the same answers
// at the same blocks. An error means that an entry is not proven although proofs of its chain are
// required. Such a result is not used again, because the nodes may give a proof at the next try.
func (p *Prover) prove(ctx context.Context, ev *Evidence) (*proven, error) {
	if g := p.last[ev.Token]; g != nil && g.proves(ev) {
		return g, nil
	}
	g := p.gather(ctx, ev)
	p.logChange(g)
	for i, x := range ev.Entries {
		if g.faults[i] != nil && p.chains[x.Entry.Chain].Rule == ProofsRequired {
			return g, fmt.Errorf("proofs of %s are required: %w: %w", x.Entry.Chain, g.faults[i], ErrRejected)
		}
	}
	p.last[ev.Token] = g
	return g, nil
}

// proves reports whether the proof is of the reads of ev.
func (g *proven) proves(ev *Evidence) bool {
	return g.evidence.LedgerHash == ev.LedgerHash && slices.Equal(g.evidence.Chains, ev.Chains) &&
		slices.EqualFunc(g.evidence.Entries, ev.Entries, sameReturns)
}

func sameReturns(a, b EvidenceEntry) bool {
	return bytes.Equal(a.Return, b.Return) && bytes.Equal(a.DecimalsReturn, b.DecimalsReturn) &&
		bytes.Equal(a.SharesReturn, b.SharesReturn) && bytes.Equal(a.SharesTotalReturn, b.SharesTotalReturn)
}

// gather asks the nodes for proofs of ev. An entry that cannot be proven has a fault in the result.
func (p *Prover) gather(ctx context.Context, ev *Evidence) *proven {
	ctx, cancel := context.WithTimeout(ctx, proofLimit)
	defer cancel()
	g := &proven{evidence: ev, known: make([]string, len(ev.Entries)), faults: make([]error, len(ev.Entries))}
	for i, x := range ev.Entries {
		g.known[i] = proof.Declared
		if x.Entry.Chain != "" {
			g.known[i] = proof.Agreed(p.chains[x.Entry.Chain].Quorum, p.chains[x.Entry.Chain].Providers)
		}
	}
	budget := proof.NewBudget()
	for _, c := range ev.Chains {
		p.proveChain(ctx, g, c, budget)
	}
	for i, x := range ev.Entries {
		switch {
		case g.faults[i] != nil:
			g.faults[i] = fmt.Errorf("entry %q: %w", x.Entry.Label, g.faults[i])
		case x.Entry.Chain != "":
			g.known[i] = proof.Proven
		}
	}
	return g
}

// errOff says why entries are not proven if that is the operator's choice.
var errOff = errors.New("proofs are turned off for this chain")

// logChange logs once if the set of proven entries of a token has changed. It does not warn of
// chains whose proofs are turned off.
func (p *Prover) logChange(g *proven) {
	token := g.evidence.Token
	if slices.Equal(p.logged[token], g.known) {
		return
	}
	p.logged[token] = g.known
	off := slices.ContainsFunc(g.faults, func(err error) bool { return errors.Is(err, errOff) })
	others := slices.DeleteFunc(slices.Clone(g.faults), func(err error) bool { return errors.Is(err, errOff) })
	if err := errors.Join(others...); err != nil {
		p.log.Warn("not all reads are proven", "token", token, "proven", g.outcome(), "reason", err)
	} else if !off {
		p.log.Info("all reads are proven", "token", token)
	}
}

// proveChain adds the proof of the entries on chain c to g, if a verifier would accept it together
// with the proofs of earlier chains in g. Otherwise it sets the faults of these entries.
func (p *Prover) proveChain(ctx context.Context, g *proven, c Block, budget *proof.Budget) {
	chain := p.chains[c.Chain]
	gatherer := p.gatherers[c.Chain]
	var calls []proof.Call
	var owners []int // for each call, the index of its entry
	for i, x := range g.evidence.Entries {
		if x.Entry.Chain != c.Chain {
			continue
		}
		for _, a := range x.answers() {
			calls = append(calls, proofCall(a.Call, a.answer))
			owners = append(owners, i)
		}
	}
	fail := func(err error) {
		for _, i := range owners {
			g.faults[i] = err
		}
	}
	if gatherer == nil || chain.Rule == ProofsOff {
		fail(errOff)
		return
	}
	at := evm.Block{Number: c.Number, Hash: c.Hash, Parent: c.Parent, Time: c.Time}
	part, faults := gatherer.Gather(ctx, at, calls, proof.MaxGas/uint64(len(g.evidence.Chains)))
	for i, err := range faults {
		if g.faults[owners[i]] == nil {
			g.faults[owners[i]] = err
		}
	}
	if part == nil {
		return
	}
	left := *budget
	before := g.chains
	checked, err := part.Check(&left) // serve no proof that a verifier would refuse
	if err == nil {
		err = errors.Join(checked.Holds(), c.is(evm.Block(checked.Block)))
	}
	if err == nil {
		g.chains = append(before, *part)
		_, err = proof.Parse(bytes.NewReader(tlog.Encode(g.document(g.evidence))))
	}
	if err != nil {
		g.chains = before
		fail(err)
		return
	}
	*budget = left
}

// proofCall returns a call and its answer as a proof.Call.
func proofCall(c evm.Call, answer []byte) proof.Call {
	if c.Balance {
		return proof.Call{Balance: &c.To, Return: answer}
	}
	return proof.Call{To: &c.To, Data: c.Data, Return: answer}
}

// document returns the proof of ev. The ledger, blocks and returns of ev must be those of
// g.evidence.
func (g *proven) document(ev *Evidence) *proof.Document {
	d := &proof.Document{Format: proof.Format, Snapshot: ev.Snapshot, Chains: g.chains, Entries: []proof.Entry{}}
	for i, x := range ev.Entries {
		d.Entries = append(d.Entries, proof.Entry{Label: x.Entry.Label, Known: g.known[i]})
	}
	return d
}

// outcome returns how many of the reads are proven: all, some or none.
func (g *proven) outcome() string {
	read := 0
	good := 0
	for _, known := range g.known {
		if known == proof.Proven {
			good++
		}
		if known != proof.Declared {
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
