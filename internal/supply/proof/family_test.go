package proof

import (
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
)

// What real clients proved is read as they said it is.
func TestRecordedProofs(t *testing.T) {
	type recordedProof struct {
		recordedBlock
		Proof struct {
			Address               common.Address
			Balance               hexutil.U256
			Nonce                 hexutil.Uint64
			CodeHash, StorageHash common.Hash
			AccountProof          []hexutil.Bytes
			StorageProof          []struct {
				Key, Value common.Hash
				Proof      []hexutil.Bytes
			}
		}
	}
	headers := map[common.Hash]*header{} // by state root
	for _, r := range load[[]recordedBlock](t, "headers.json") {
		if h, err := parseHeader(r.Block, r.hash(t)); err == nil {
			headers[h.root] = h
		}
	}
	for _, r := range load[[]recordedProof](t, "proofs.json") {
		t.Run(r.Client+"/"+r.Recording, func(t *testing.T) {
			h := headers[crypto.Keccak256Hash(r.Proof.AccountProof[0])]
			if h == nil {
				t.Fatal("its block was not recorded")
			}
			w := newWorld(h, 1)
			for _, n := range r.Proof.AccountProof {
				w.addNode(n)
			}
			got, err := w.lookup(key{kind: accountKey, address: r.Proof.Address})
			if err != nil {
				t.Fatal(err)
			}
			if r.Proof.CodeHash == (common.Hash{}) {
				if got.account != nil {
					t.Errorf("the node says that there is none: %+v", got.account)
				}
				return
			}
			a := got.account
			if a.Nonce != uint64(r.Proof.Nonce) || a.Root != r.Proof.StorageHash || common.BytesToHash(a.CodeHash) != r.Proof.CodeHash {
				t.Errorf("account %+v", a)
			}
			for _, s := range r.Proof.StorageProof {
				for _, n := range s.Proof {
					w.addNode(n)
				}
				got, err := w.lookup(key{slotKey, r.Proof.Address, s.Key})
				if err != nil || got.value != s.Value {
					t.Errorf("slot %s: %s, %v", s.Key, got.value, err)
				}
			}
			for _, other := range families { // the form of accounts belongs to the family
				leaf, _, _ := w.leaf(h.root, r.Proof.Address[:])
				_, err := other.account(leaf)
				alike := other.name == h.family.name || other.name != "coreth" && other.name != "kaia" && h.family.name != "coreth" && h.family.name != "kaia" ||
					other.name == "kaia" && h.family.name != "coreth"
				if alike != (err == nil) {
					t.Errorf("an account of %s read as one of %s: %v", h.family.name, other.name, err)
				}
			}
		})
	}
}

var (
	token  = common.HexToAddress("0x1000000000000000000000000000000000000001")
	holder = common.HexToAddress("0x2000000000000000000000000000000000000002")
)

// balanceSlot is where Token keeps a holder's balance.
func balanceSlot(who common.Address) common.Hash {
	return crypto.Keccak256Hash(common.LeftPadBytes(who[:], 32), word(7))
}

// A read is proven on the state of every family, and offline.
func TestEveryFamily(t *testing.T) {
	for _, f := range families {
		for _, old := range []bool{false, true} {
			n := newLedgerNode(t, f.name)
			n.oldForks = old && f.name != "kaia"
			a := n.place("Proxy", token)
			a.balance = 12
			implementation := common.HexToAddress("0x3000000000000000000000000000000000000003")
			n.place("Views", implementation)
			a.slots[common.HexToHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc")] = common.BytesToHash(implementation[:])
			for i := range int64(40) { // of which half have the bit that coreth clears
				a.slots[crypto.Keccak256Hash(word(i), word(1))] = common.BytesToHash(word(i + 1))
			}
			n.seal()
			calls := []evm.Call{call(t, "Views", token, "sum", big.NewInt(40)), {To: token, Balance: true}}
			if old && f.name != "kaia" { // the code needs opcodes of Shanghai, the header tells of London
				got, err := NewGatherer(n).Gather(t.Context(), n.at, calls)
				if err != nil {
					t.Fatal(err)
				}
				if _, faults := got.Chain(calls, [][]byte{word(820), word(12)}); !errors.Is(faults[0], ErrNotProvable) || faults[1] != nil {
					t.Errorf("%s: %v", f.name, faults)
				}
				continue
			}
			c := proveAll(t, n, n.at, calls, [][]byte{word(820), word(12)})
			if got := recheck(t, c); got.Family != f.name || got.Block != n.at {
				t.Errorf("%s: %+v", f.name, got)
			}
		}
	}
}
