package proof_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"

	"petsupply/internal/supply/proof"
)

// noHash returns code that first runs other code, and then answers 77 if EXTCODEHASH of an address
// is 0.
func noHash(first string, of common.Address) []byte {
	return common.FromHex("0x" + first + "73" + of.Hex()[2:] + "3f15604d02" + "60005260206000f3")
}

// Other chains than Ethereum have other rules for which accounts are empty.
func TestEmptyAccountsOfOtherFamilies(t *testing.T) {
	identity := common.BytesToAddress([]byte{4})
	call4 := "60006000600060006000" + "73" + identity.Hex()[2:] + "5af150"
	for name, test := range map[string]struct {
		family string
		old    bool
		code   []byte
		leaf   []any // of holder; nil: no such account
	}{
		// libevm: an account with other assets is not empty (stateObject.empty: && Extra.IsZero()).
		"coreth, other assets": {"coreth", false, noHash("", holder),
			[]any{uint64(0), uint64(0), common.Hash{1}, types.EmptyCodeHash[:], true}},
		// Kaia before Cancun: opExtCodeHash returns 0xc5d2… for an account that does not exist.
		"kaia before Cancun, absent": {"kaia", true, noHash("", holder), nil},
		// Kaia: a CALL of a precompile creates its account with nonce 1.
		"kaia, precompile called": {"kaia", false, noHash(call4, identity), nil},
	} {
		t.Run(name, func(t *testing.T) {
			n := newLedgerNode(t, test.family)
			n.oldForks = test.old
			n.accounts[asker] = &account{code: test.code}
			if test.leaf != nil {
				leaf, _ := rlp.EncodeToBytes(test.leaf)
				n.accounts[holder] = &account{leaf: leaf}
			}
			n.seal()
			c := chainOf(n, []common.Address{asker, holder, identity}, proof.Call{To: &asker, Return: word(77)})
			checked, err := c.Check(proof.NewBudget())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := checked.Answer(proof.Call{To: &asker}); err == nil {
				t.Error("77 is proven, and the chain answers 0")
			}
		})
	}
}

// Telos names the empty state in every header, and its accounts have balances nevertheless.
func TestAHeaderThatNamesNoStateProvesNothing(t *testing.T) {
	for _, family := range proof.FamilyNames() {
		n := newLedgerNode(t, family)
		n.accounts[token] = &account{balance: 1}
		n.seal()
		c := chainOf(n, nil, answered([]proof.Call{balance(holder)}, word(0))...)
		c.Header = bytes.Replace(n.header, n.main.Hash().Bytes(), types.EmptyRootHash[:], 1)
		c.Block.Hash = crypto.Keccak256Hash(c.Header)
		if _, err := c.Check(proof.NewBudget()); !errors.Is(err, proof.ErrNotProvable) {
			t.Errorf("%s: a balance of 0 is proven: %v", family, err)
		}
	}
}
