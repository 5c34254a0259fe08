package proof

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
)

// Recorded proofs of real clients give the values that the clients reported.
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
			s := newState(h, 1, NewBudget())
			for _, n := range r.Proof.AccountProof {
				s.AddNode(n)
			}
			got, err := s.lookup(Key{Kind: AccountKey, Address: r.Proof.Address})
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
			if a.Nonce != uint64(r.Proof.Nonce) || a.Root != r.Proof.StorageHash ||
				common.BytesToHash(a.CodeHash) != r.Proof.CodeHash {
				t.Errorf("account %+v", a)
			}
			for _, slot := range r.Proof.StorageProof {
				for _, n := range slot.Proof {
					s.AddNode(n)
				}
				got, err := s.lookup(Key{Kind: SlotKey, Address: r.Proof.Address, Slot: slot.Key})
				if err != nil || got.value != slot.Value {
					t.Errorf("slot %s: %s, %v", slot.Key, got.value, err)
				}
			}
			for _, other := range families { // the form of accounts depends on the family
				leaf, _, _ := s.leaf(h.root, r.Proof.Address[:])
				_, err := other.account(leaf)
				alike := other.name == h.family.name ||
					other.name != "coreth" && other.name != "kaia" && h.family.name != "coreth" &&
						h.family.name != "kaia" ||
					other.name == "kaia" && h.family.name != "coreth"
				if alike != (err == nil) {
					t.Errorf("an account of %s read as one of %s: %v", h.family.name, other.name, err)
				}
			}
		})
	}
}
