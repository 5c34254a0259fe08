package proof_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply/proof"
)

// A contract answers 77 to Multicall3. To other callers it answers 77 from Osaka on, because it uses
// a new opcode, and 0 before. So before Osaka a plain eth_call gets 0, and 77 is not proven.
func TestAnAnswerMayNotDependOnCallerAndForkTogether(t *testing.T) {
	for _, family := range proof.FamilyNames() {
		for name, old := range map[string]bool{"a header of London": true, "the newest header before Osaka": false} {
			t.Run(family+", "+name, func(t *testing.T) {
				n := newLedgerNode(t, family)
				n.oldForks = old
				n.accounts[burner] = &account{code: common.FromHex("0x60001e00")} // PUSH1 0 CLZ STOP
				n.accounts[asker] = &account{code: common.FromHex("0x" +
					"3373ca11bde05977b3631167028862be2a173976ca1114604657" + // jumps if CALLER is Multicall3
					"60006000600060006000" + "73" + burner.Hex()[2:] + "5af1" + "604d02" + "60005260206000f3" +
					"5b604d" + "60005260206000f3")}
				n.seal()
				if err := accepts(t, n, proof.NewBudget(), proof.Call{To: &asker, Return: word(77)}); err == nil {
					t.Error("77 is proven, and the chain answers 0")
				}
			})
		}
	}
}
