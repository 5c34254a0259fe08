package proof_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/rlp"

	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
)

var (
	asker  = common.HexToAddress("0x4000000000000000000000000000000000000004")
	burner = common.HexToAddress("0x5000000000000000000000000000000000000005")
)

// burnCode takes 26 gas for each round, and returns. Its calldata has the number of rounds.
const burnCode = "5f35" + "5b" + "600190038060025700"

// starvedNode has a contract at asker that answers 77 if its call of burner returns, and 0 if that
// call fails.
func starvedNode(t *testing.T, rounds uint32, gas string) *ledgerNode {
	n := newLedgerNode(t, "ethereum")
	arg := hexutil.EncodeUint64(1<<32 | uint64(rounds))[3:] // eight digits
	n.accounts[burner] = &account{code: common.FromHex("0x" + burnCode)}
	n.accounts[asker] = &account{code: common.FromHex("0x" +
		"63" + arg + "5f52" + // the number of rounds in memory
		"5f5f60205f5f73" + burner.Hex()[2:] + gas + "f1" + // call
		"604d02" + "5f5260205ff3")} // 77 times its success
	n.seal()
	return n
}

// burn returns a call of burner that takes about that much gas in each environment.
func burn(gas, salt uint32) proof.Call {
	data := make([]byte, 36)
	binary.BigEndian.PutUint32(data[28:], max(1, gas/26))
	binary.BigEndian.PutUint32(data[32:], salt)
	return proof.Call{To: &burner, Data: data, Return: hexutil.Bytes{}}
}

// accepts returns why a proof of these calls does not prove the answer of the last one.
func accepts(t *testing.T, n *ledgerNode, b *proof.Budget, calls ...proof.Call) error {
	t.Helper()
	checked, err := chainOf(n, nil, calls...).Check(b)
	if err != nil {
		t.Fatal(err)
	}
	_, err = checked.Answer(calls[len(calls)-1])
	return err
}

// A prover cannot change a call's answer by letting other calls use up the gas before it.
func TestOrderOfCallsStarvesNone(t *testing.T) {
	n := starvedNode(t, 20_000, "5a")
	lie, truth := proof.Call{To: &asker, Return: word(0)}, proof.Call{To: &asker, Return: word(77)}
	const gas = 3_000_000
	for left := uint32(50_000); left < 1_400_000; left += 50_000 {
		first := burn((gas-left)/3, 1)
		if err := accepts(t, n, proof.BudgetOf(gas), first, lie); err == nil {
			t.Fatalf("0 is proven with about %d gas left, the chain says 77", left)
		}
	}
	if err := accepts(t, n, proof.BudgetOf(gas), burn(gas/8, 1), truth); err != nil {
		t.Error(err)
	}
	if err := accepts(t, n, proof.BudgetOf(gas), burn(gas, 1), truth); !errors.Is(err, proof.ErrNotProvable) {
		t.Errorf("after a call that takes all gas: %v", err)
	}
}

// A precompile that may not be called is not executed. It would take far more time than other code
// with as much gas.
func TestARefusedPrecompileTakesNoGas(t *testing.T) {
	n := starvedNode(t, 1, "5a")
	calls := []proof.Call{{To: &asker, Return: word(77)}}
	for i := range byte(10) { // ecrecover takes 3,000
		refused := proof.Call{To: &common.Address{19: 1}, Data: []byte{i}, Return: word(0)}
		calls = append([]proof.Call{refused}, calls...)
	}
	if err := accepts(t, n, proof.BudgetOf(20_000), calls...); err != nil {
		t.Error(err)
	}
	if err := accepts(t, n, proof.BudgetOf(20_000), calls[0]); !errors.Is(err, proof.ErrNotProvable) {
		t.Error(err)
	}
}

// A frame that runs out of gas here might not on a node, so its caller's reaction proves nothing.
func TestFrameWithoutGasProvesNothing(t *testing.T) {
	for _, test := range []struct {
		name   string
		rounds uint32
		gas    string
	}{
		{"more than any environment has", 2_000_000, "5a"},
		{"more than its caller gives", 20_000, "6103e8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := starvedNode(t, test.rounds, test.gas)
			err := accepts(t, n, proof.NewBudget(), proof.Call{To: &asker, Return: word(0)})
			if !errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), "gas") {
				t.Errorf("0 is proven where a node with more gas says 77: %v", err)
			}
		})
	}
	t.Run("a precompile", func(t *testing.T) {
		n := newLedgerNode(t, "ethereum")
		n.accounts[asker] = &account{code: common.FromHex("0x5f5f5f5f6002600afa5f5260205ff3")} // sha256 with 10 gas
		n.seal()
		err := accepts(t, n, proof.NewBudget(), proof.Call{To: &asker, Return: word(0)})
		if !errors.Is(err, proof.ErrNotProvable) {
			t.Error(err)
		}
	})
}

// A limit that is above the gas of our runs, but not above that of a node, may end the call on a
// chain with higher prices.
func TestALimitOfGasProvesNothing(t *testing.T) {
	n := starvedNode(t, 170_000, "6301c9c380") // 4,400,000 of 30,000,000 gas
	err := accepts(t, n, proof.NewBudget(), proof.Call{To: &asker, Return: word(77)})
	if !errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), "limits the gas") {
		t.Errorf("77 is proven where a node with seven times our prices says 0: %v", err)
	}
}

// A node counts the call's nonce, so the caller then has an account, and may take a fee from it. A
// program that looks at this account gets an answer that depends on the caller.
func TestTheAccountOfTheCallerIsNotProvable(t *testing.T) {
	for name, test := range map[string]struct {
		of     common.Address
		reason string
	}{
		"the caller": {common.Address{}, "the account of its caller"},
		"another caller": {common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11"),
			"the account of its caller"},
		"anybody else": {holder, ""},
	} {
		for _, op := range []vm.OpCode{vm.EXTCODEHASH, vm.BALANCE} {
			t.Run(name+" "+op.String(), func(t *testing.T) {
				n := newLedgerNode(t, "ethereum")
				code := append([]byte{0x73}, test.of[:]...)                           // PUSH20
				code = append(code, byte(op), 0x60, 0, 0x52, 0x60, 32, 0x60, 0, 0xf3) // and return the result
				n.accounts[token] = &account{code: code}
				n.seal()
				calls := answered([]proof.Call{{To: &token}}, word(0))
				_, faults := gather.New(n).Gather(t.Context(), n.at, calls, proof.MaxGas)
				if err := faults[0]; test.reason == "" && err != nil ||
					test.reason != "" &&
						(!errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), test.reason)) {
					t.Errorf("%v, want %q", err, test.reason)
				}
			})
		}
	}
}

// A header without a base fee may be from any of ten older forks, whose prices rose and fell.
// Twenty reads of a slot cost 1,000 gas at first, 16,000 later, and 4,000 now. So neither the
// oldest nor the newest rules give the chain's answer.
func TestAHeaderWithoutABaseFeeProvesNothing(t *testing.T) {
	n := newLedgerNode(t, "ethereum")
	n.accounts[burner] = &account{code: append(bytes.Repeat(common.FromHex("0x60005450"), 20), 0)}
	// 8,000 gas.
	n.accounts[asker] = &account{code: common.FromHex("0x60006000600060006000" + "73" + burner.Hex()[2:] + "611f40f1" +
		"604d02" + "60005260206000f3")} // 77 times its success
	n.seal()
	h := types.Header{Number: big.NewInt(100), Difficulty: new(big.Int), Root: n.main.Hash()}
	c := chainOf(n, nil, proof.Call{To: &asker, Return: word(77)})
	c.Block.Hash = h.Hash()
	c.Header, _ = rlp.EncodeToBytes(&h)
	if _, err := c.Check(proof.NewBudget()); !errors.Is(err, proof.ErrNotProvable) ||
		!strings.Contains(err.Error(), "base fee") {
		t.Errorf("77 is proven: %v, %v, where a node by the rules of Istanbul says 0", holds(c), err)
	}
}
