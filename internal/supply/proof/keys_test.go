package proof_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/supply/proof"
)

// A prover cannot use up the reads of a document so that a call of an address without code is no
// longer refused. The address may be a precompile of the chain, such as L1SLOAD of Taiko.
func TestWithoutReadsLeftNoPrecompileIsProven(t *testing.T) {
	precompile := common.HexToAddress("0x10001")
	absent := common.HexToAddress("0x6000000000000000000000000000000000000006")
	n := newLedgerNode(t, "ethereum")
	// asker returns 77 if the precompile returns nothing.
	n.accounts[asker] = &account{code: common.FromHex("0x5f5f5f5f620100015afa503d15604d025f5260205ff3")}
	// burner reads an account that the proof lacks, once for each round.
	n.accounts[burner] = &account{code: common.FromHex("0x5f355b73" + absent.Hex()[2:] + "315060019003806002570000")}
	for i := range 64 { // so that the paths of burner and absent differ
		n.accounts[numbered(i)] = &account{balance: 1}
	}
	n.seal()
	rounds := func(count uint32) proof.Call {
		data := make([]byte, 32)
		binary.BigEndian.PutUint32(data[28:], count)
		return proof.Call{To: &burner, Data: data, Return: hexutil.Bytes{}}
	}
	lie := proof.Call{To: &asker, Return: word(77)}
	check := func(calls ...proof.Call) (error, error) {
		c := chainOf(n, []common.Address{asker, burner, precompile, numbered(0), numbered(1)}, calls...)
		got, err := c.Check(proof.NewBudget())
		if err != nil {
			t.Fatal(err)
		}
		_, first := got.Answer(calls[0])
		_, last := got.Answer(calls[len(calls)-1])
		return first, last
	}
	if _, err := check(lie); !errors.Is(err, proof.ErrNotProvable) {
		t.Fatalf("alone: %v", err)
	}
	// Each round takes one read in each of three runs.
	for spare := range 3 {
		calls := []proof.Call{rounds(proof.MaxKeys/3 - 2)}
		for i := range spare { // each takes one read
			calls = append(calls, proof.Call{Balance: new(numbered(i)), Return: word(1)})
		}
		first, last := check(append(calls, lie)...)
		if first == nil {
			t.Error("the account that the proof lacks is proven")
		}
		if !errors.Is(last, proof.ErrNotProvable) {
			t.Errorf("with %d balances before it: 77 is proven (%v), where a chain with the precompile answers 0",
				spare, last)
		}
	}
}
