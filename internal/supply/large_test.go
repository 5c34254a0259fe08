package supply

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// A largeWorld is a world with a state. It is a gather.Source.
type largeWorld struct {
	*world
	header json.RawMessage
	nodes  [][]byte
	codes  map[common.Address][]byte
}

// newLargeWorld invents contracts with large codes that return 1.
func newLargeWorld(t *testing.T, id uint64, contracts, padding int) (*largeWorld, []ledger.Entry) {
	w := &largeWorld{world: newWorld(id, 100, day), codes: map[common.Address][]byte{}}
	accounts := trie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil))
	code := common.FromHex("0x600160005260206000f3")
	var ledgerEntries []ledger.Entry
	for i := range contracts {
		e := ledger.Entry{Label: fmt.Sprintf("%d of chain %d", i, id), Bucket: ledger.Issued,
			Chain: fmt.Sprint("chain", id), Call: "amount()", To: addr(fmt.Sprint(id, i))}
		call, _, err := e.ChainCall()
		if err != nil {
			t.Fatal(err)
		}
		w.raw(call, word(big.NewInt(1)))
		w.codes[call.To] = append(bytes.Clone(code), bytes.Repeat([]byte{byte(i)}, padding)...)
		leaf, _ := rlp.EncodeToBytes(&types.StateAccount{Nonce: 1, Balance: new(uint256.Int), Root: types.EmptyRootHash,
			CodeHash: crypto.Keccak256(w.codes[call.To])})
		accounts.MustUpdate(crypto.Keccak256(call.To[:]), leaf)
		ledgerEntries = append(ledgerEntries, e)
	}
	h := types.Header{Number: big.NewInt(100), Time: uint64(day.Unix()), Root: accounts.Hash(),
		Difficulty: new(big.Int), BaseFee: new(big.Int), WithdrawalsHash: new(common.Hash)}
	w.header, _ = json.Marshal(&h)
	w.head = evm.Block{Number: 100, Hash: h.Hash(), Time: day}
	_, set := accounts.Commit(false)
	for _, n := range set.Nodes {
		w.nodes = append(w.nodes, n.Blob)
	}
	return w, ledgerEntries
}

func (w *largeWorld) Proofs(_ context.Context, _ evm.Block, q evm.ProofQuery,
	accept func(evm.ProofAnswer) error) error {
	a := evm.ProofAnswer{Headers: slices.Repeat([]json.RawMessage{w.header}, len(q.Headers))}
	for i, want := range q.Accounts {
		a.Accounts = append(a.Accounts, evm.AccountProof{Code: w.codes[want.Address]})
		if i == 0 {
			a.Accounts[0].Nodes = w.nodes
		}
	}
	return accept(a)
}

// Either of two chains can be proven, but a verifier does not accept both in one document. The
// service calls only that proven which a verifier accepts.
func TestProvenIsWhatAVerifierAccepts(t *testing.T) {
	const contracts = 8
	token := ledger.Token{Path: "gem", Symbol: "GEM", Name: "Gem", Decimals: 18}
	chains, sources := map[string]Chain{}, map[string]ProvenChain{}
	for id := range uint64(2) {
		w, entries := newLargeWorld(t, id+1, contracts, 300_000)
		token.Ledger = append(token.Ledger, entries...)
		chains[entries[0].Chain] = w
		sources[entries[0].Chain] = ProvenChain{Source: w, Rule: ProofsOn, Quorum: 1, Providers: 1}
	}
	ev := measured(t, token, chains, day).Evidence
	d, reasons := NewProver(sources, nil, slog.New(slog.DiscardHandler)).Prove(t.Context(), ev)
	d, err := proof.Parse(bytes.NewReader(tlog.Encode(d)))
	if err != nil {
		t.Fatal(err)
	}
	v := Verify(t.Context(), ev, Against{Proof: d})
	for i, e := range d.Entries {
		holds := slices.ContainsFunc(v.With(Holds), func(f Finding) bool { return f.Entry == i+1 })
		if said, want := e.Known == proof.Proven, i < contracts; said != want || holds != want {
			t.Fatalf("%s is %s, and holds is %v: %.300v", e.Label, e.Known, holds, reasons)
		}
	}
}

// Every ledger that can be configured has evidence that a verifier reads.
func TestEvidenceOfALargeLedgerIsRead(t *testing.T) {
	w, token := newWorld(1, 100, day), ledger.Token{Path: "gem", Symbol: "GEM", Name: "Gem", Decimals: 18}
	for i := range 10_000 {
		token.Ledger = append(token.Ledger,
			ledger.Entry{Label: fmt.Sprint("Holder ", i), Reason: "held by the treasury",
				Bucket: ledger.Issued, Chain: "first", ERC20: addr("coin"), Holder: addr(fmt.Sprint(i))})
		w.set(t, token.Ledger[i], "1", 18)
	}
	if faults := token.Validate([]string{"first"}); len(faults) > 0 {
		t.Error(faults)
	}
	ev := measured(t, token, map[string]Chain{"first": w}, day).Evidence
	if _, err := ParseEvidence(bytes.NewReader(tlog.Encode(ev))); err != nil {
		t.Error(err)
	}
}
