package supply_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
	"petsupply/testkit/faultproxy"
)

// provenBy returns the isle's chains as sources of proofs.
func provenBy(chains map[string]supply.Chain, rule supply.ProofRule) map[string]supply.ProvenChain {
	out := map[string]supply.ProvenChain{}
	for name, c := range chains {
		out[name] = supply.ProvenChain{Source: c.(*evm.Chain), Rule: rule, Quorum: 1, Providers: 1}
	}
	return out
}

func newProver(t testing.TB, x *isle, rule supply.ProofRule) *supply.Prover {
	return supply.NewProver(provenBy(x.chains, rule), nil, slog.New(slog.DiscardHandler))
}

// prove measures the isle with an additional declared amount, and proves it.
func prove(t testing.TB, x *isle) (*supply.Evidence, *proof.Document) {
	t.Helper()
	promised := ledger.Whole(3, 0)
	x.token.Ledger = append(x.token.Ledger, ledger.Entry{Label: "Promised", Bucket: ledger.Reserved, Amount: &promised})
	x.token.Ledger = append(x.token.Ledger,
		ledger.Entry{Label: "Pool", Bucket: ledger.Reserved, Chain: "home", Share: &ledger.Share{
			Token: x.coin.Hex(), Holder: x.home.Accounts[0].Hex(), Of: ledger.Source{Native: x.coin.Hex()}}})
	ev := x.measure(t).Evidence
	d, err := newProver(t, x, supply.ProofsOn).Prove(t.Context(), ev)
	check(t, err)
	return ev, d
}

// again encodes and reads a document.
func again(t testing.TB, d *proof.Document) *proof.Document {
	t.Helper()
	return must[*proof.Document](t)(proof.Parse(bytes.NewReader(must[[]byte](t)(json.Marshal(d)))))
}

// A measurement is verified with all nodes switched off. Every change or omission in its proof is
// noticed, and the entry is named.
func TestVerifiedWithoutAnyNode(t *testing.T) {
	x := newIsle(t)
	ev, good := prove(t, x)
	x.home.Close()
	x.away.Close()
	v := supply.Verify(t.Context(), ev,
		supply.Against{Proof: again(t, good), Blocks: map[uint64]common.Hash{101: ev.Chains[1].Hash}})
	if !v.OK() {
		t.Fatalf("the evidence is not accepted: %+v", v)
	}
	for _, e := range good.Entries {
		if want := map[bool]string{true: proof.Declared, false: proof.Proven}[e.Label == "Promised"]; e.Known != want {
			t.Errorf("%s is %s", e.Label, e.Known)
		}
	}
	wrong := func(what string, entry bool, alter func(ev *supply.Evidence, d *proof.Document)) {
		t.Helper()
		e := must[*supply.Evidence](t)(supply.ParseEvidence(bytes.NewReader(must[[]byte](t)(json.Marshal(ev)))))
		d := again(t, good)
		alter(e, d)
		v := supply.Verify(t.Context(), e, supply.Against{Proof: d})
		against := append(v.With(supply.False), v.With(supply.Unproven)...)
		named := slices.ContainsFunc(against,
			func(f supply.Finding) bool { return strings.HasPrefix(f.What, "entry ") && f.Detail != "" })
		if len(against) == 0 || entry && !named {
			t.Errorf("%s: passed, or no entry is named: %+v", what, v)
		}
	}
	for i := range good.Chains {
		c := good.Chains[i]
		for j := range c.Nodes {
			wrong("a node left out", true, func(_ *supply.Evidence, d *proof.Document) {
				d.Chains[i].Nodes = slices.Delete(d.Chains[i].Nodes, j, j+1)
			})
			wrong("a node altered", true, func(_ *supply.Evidence, d *proof.Document) {
				n := d.Chains[i].Nodes[j]
				n[len(n)-1] ^= 1
			})
		}
		for j := range c.Codes {
			wrong("a code left out", true, func(_ *supply.Evidence, d *proof.Document) {
				d.Chains[i].Codes = slices.Delete(d.Chains[i].Codes, j, j+1)
			})
			wrong("a code altered", true, func(_ *supply.Evidence, d *proof.Document) { d.Chains[i].Codes[j][40] ^= 1 })
		}
		for j := range c.Calls {
			wrong("a call left out", true, func(_ *supply.Evidence, d *proof.Document) {
				d.Chains[i].Calls = slices.Delete(d.Chains[i].Calls, j, j+1)
			})
			wrong("a return altered", true,
				func(_ *supply.Evidence, d *proof.Document) { d.Chains[i].Calls[j].Return[31] ^= 1 })
		}
		for at := 3; at < len(c.Header); at += 5 {
			wrong("a header altered", true, func(_ *supply.Evidence, d *proof.Document) { d.Chains[i].Header[at] ^= 1 })
		}
		wrong("a chain left out", true,
			func(_ *supply.Evidence, d *proof.Document) { d.Chains = slices.Delete(d.Chains, i, i+1) })
		wrong("a spare node", false, func(_ *supply.Evidence, d *proof.Document) {
			d.Chains[i].Nodes = append(d.Chains[i].Nodes, hexutil.Bytes{1})
		})
		wrong("a block's time", true,
			func(e *supply.Evidence, _ *proof.Document) { e.Chains[i].Time = e.Chains[i].Time.Add(time.Second) })
		wrong("a block's parent", true, func(e *supply.Evidence, _ *proof.Document) { e.Chains[i].Parent[0] ^= 1 })
	}
	for i, x := range ev.Entries {
		if x.Entry.Amount == nil {
			wrong("evidence of another return", true,
				func(e *supply.Evidence, _ *proof.Document) { e.Entries[i].Return[31] ^= 1 })
			wrong("proven only by word", false,
				func(_ *supply.Evidence, d *proof.Document) { d.Entries[i].Known = proof.Declared })
		}
		wrong("an amount", i < len(ev.Entries)-1, func(e *supply.Evidence, _ *proof.Document) {
			e.Entries[i].Amount = e.Entries[i].Amount.Add(ledger.Whole(1, 18))
		})
	}
	wrong("a figure", false, func(e *supply.Evidence, _ *proof.Document) {
		e.Figures.Total = e.Figures.Total.Add(ledger.Whole(1, 18))
	})
	wrong("another snapshot", false, func(_ *supply.Evidence, d *proof.Document) { d.Snapshot = "0123456789abcdef" })
	if v := supply.Verify(t.Context(), ev,
		supply.Against{Proof: good, Blocks: map[uint64]common.Hash{101: {1}}}); v.OK() {
		t.Error("another block than the caller knows passed")
	}
	// An unproven chain is not a fault and does not affect the others.
	d := again(t, good)
	d.Chains = d.Chains[:1]
	v = supply.Verify(t.Context(), ev, supply.Against{Proof: d})
	if !v.OK() || len(v.With(supply.Unproven)) < 2 ||
		!slices.ContainsFunc(v.With(supply.Holds), func(f supply.Finding) bool {
			return strings.HasPrefix(f.What, "entry ")
		}) {
		t.Errorf("with one chain missing: %+v", v)
	}
	// What a proof says must be true even if the form of its header is unknown.
	for name, alter := range map[string]func(*proof.Chain){
		"nothing": func(*proof.Chain) {}, "a return": func(c *proof.Chain) { c.Calls[0].Return[31] ^= 1 },
		"a number": func(c *proof.Chain) { c.Block.Number++ },
	} {
		e, d := *ev, again(t, good)
		e.Chains = slices.Clone(ev.Chains)
		d.Chains[0].Header = hexutil.Bytes{0xc0}
		e.Chains[0].Hash = crypto.Keccak256Hash(d.Chains[0].Header)
		d.Chains[0].Block.Hash = e.Chains[0].Hash
		alter(&d.Chains[0])
		found := supply.Verify(t.Context(), &e, supply.Against{Proof: d}).With(supply.False)
		if slices.ContainsFunc(found, func(f supply.Finding) bool {
			return strings.HasPrefix(f.What, "chain ")
		}) != (name != "nothing") {
			t.Errorf("with an unknown header, and %s altered: %+v", name, found)
		}
	}
	believed := strings.Join(supply.Believed(ev,
		supply.Against{Proof: good, Blocks: map[uint64]common.Hash{101: {}}}), "\n")
	if !strings.Contains(believed, `"Promised"`) || !strings.Contains(believed, `on chain "away"`) ||
		!strings.Contains(believed, "other callers") ||
		!strings.Contains(believed, "slack, decimals, maximum, labels, dates and reasons") ||
		strings.Contains(believed, `on chain "home"`) {
		t.Errorf("to be believed:\n%s", believed)
	}
}

// A refresher keeps a proof of everything it publishes, including a released hold whose state the
// nodes may have dropped.
func TestRefresherKeepsProofs(t *testing.T) {
	for _, rule := range []supply.ProofRule{supply.ProofsOn, supply.ProofsRequired} {
		t.Run(string(rule), func(t *testing.T) { testKeepsProofs(t, rule) })
	}
}

// A forgetful node proves only the newest blocks once forget is set.
type forgetful struct {
	gather.Source
	forget *bool
	newest uint64
}

func (f *forgetful) Proofs(ctx context.Context, at evm.Block, q evm.ProofQuery,
	accept func(evm.ProofAnswer) error) error {
	if f.newest = max(f.newest, at.Number); *f.forget && at.Number < f.newest {
		return evm.ErrNoProof
	}
	return f.Source.Proofs(ctx, at, q, accept)
}

func testKeepsProofs(t *testing.T, rule supply.ProofRule) {
	x := newIsle(t)
	ctx := t.Context()
	db := must[*store.Store](t)(store.Open(ctx, "sqlite://"+filepath.Join(t.TempDir(), "store.db"), time.Minute, nil))
	defer db.Close()
	must[bool](t)(db.Campaign(ctx, "test", time.Minute))
	board := supply.NewBoard([]ledger.Token{x.token},
		supply.AgePolicy{StaleAfter: time.Hour, RefuseAfter: 2 * time.Hour}, false)
	refresher := supply.NewRefresher([]ledger.Token{x.token}, x.chains, db,
		supply.Rules{Every: time.Minute, HoldFor: time.Hour}, slog.New(slog.DiscardHandler))
	refresher.Published = supply.NewPoller(db, board, slog.New(slog.DiscardHandler)).Step
	sources, forget := provenBy(x.chains, rule), new(bool)
	for name, c := range sources {
		c.Source = &forgetful{Source: c.Source, forget: forget}
		sources[name] = c
	}
	refresher.Proofs = supply.NewProver(sources, db, slog.New(slog.DiscardHandler))
	check(t, refresher.Step(ctx))
	first := board.Now().States[0].Snapshot
	d := must[*proof.Document](t)(db.Proof(ctx, "coin", first.ID))
	if v := supply.Verify(t.Context(), first.Evidence, supply.Against{Proof: d}); !v.OK() {
		t.Fatalf("the evidence is not accepted: %+v", v)
	}
	check(t, x.home.Send(ctx, x.coin, "mint", x.home.Accounts[1], units(1000, 18)))
	check(t, x.away.Mine(ctx, 1))
	check(t, refresher.Step(ctx))
	hold := board.Now().States[0].Hold
	if hold == nil {
		t.Fatal("the figure is not held")
	}
	*forget = true
	for range 4 { // later blocks confirm the hold
		check(t, x.home.Mine(ctx, 1))
		check(t, x.away.Mine(ctx, 1))
		check(t, refresher.Step(ctx))
	}
	must[supply.Decision](t)(db.AskDecision(ctx,
		supply.Decision{Kind: supply.Right, Token: "coin", Subject: hold.Candidate.ID,
			Reason: "it is right"}))
	x.home.Close() // now nothing can be gathered
	x.away.Close()
	if err := refresher.Step(ctx); err == nil {
		t.Error("measured without nodes")
	}
	released := board.Now().States[0].Snapshot
	if released.ID == first.ID {
		t.Fatal("the figure was not released")
	}
	d = must[*proof.Document](t)(db.Proof(ctx, "coin", released.ID))
	if v := supply.Verify(t.Context(), released.Evidence, supply.Against{Proof: d}); !v.OK() {
		t.Errorf("the evidence is not accepted: %+v", v)
	}
}

// While proofs are on, a lie of the whole quorum is published, but its entry is not called proven.
// If proofs are required, it is rejected.
// With a node whose proofs are wrong or missing, nothing is published until the node is right
// again.
func TestRequiredProofsSeeALieOfTheQuorum(t *testing.T) {
	x := newIsle(t)
	ctx := t.Context()
	proxy := faultproxy.Test(t, x.home.URL)
	x.chains["home"] = dial(t, "home", 101, "latest", proxy.URL)
	measure := func() *supply.Snapshot { t.Helper(); return x.measure(t) }
	require := func(rule supply.ProofRule, s *supply.Snapshot) error {
		_, err := newProver(t, x, rule).RequireProof(ctx, s)
		return err
	}
	for _, fault := range []faultproxy.Fault{faultproxy.Scale(101), faultproxy.NoProofs(), faultproxy.BadProofs()} {
		t.Run(fault.Name, func(t *testing.T) {
			proxy.Set(fault)
			s := measure()
			d, err := newProver(t, x, supply.ProofsOn).Prove(ctx, s.Evidence)
			if err == nil || d.Entries[0].Known != "agreed by 1 of 1" || d.Entries[2].Known != proof.Proven {
				t.Errorf("proving through a fault: %v, %+v", err, d.Entries)
			}
			if err := require(supply.ProofsOn, s); err != nil {
				t.Errorf("where nothing is required: %v", err)
			}
			err = require(supply.ProofsRequired, s)
			if !errors.Is(err, supply.ErrRejected) || !strings.Contains(err.Error(), `entry "Minted"`) {
				t.Errorf("where proofs are required: %v", err)
			}
			proxy.Set(faultproxy.None())
			if err := require(supply.ProofsRequired, measure()); err != nil {
				t.Errorf("the same block, once the node is right again: %v", err)
			}
		})
	}
	d, err := newProver(t, x, supply.ProofsOff).Prove(ctx, measure().Evidence)
	if err != nil || len(d.Chains) > 0 || d.Entries[0].Known != "agreed by 1 of 1" {
		t.Errorf("where they are off: %v, %+v", err, d)
	}
}
