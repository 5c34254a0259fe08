package proof_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/supply/proof"
	"petsupply/testkit/process"
)

// Executing a proof takes at most 100 MB and 10 s of processor time, for any programs and any
// invented state.
func TestRunsAreBounded(t *testing.T) {
	// Each program repeats its steps forever. The first word of its calldata is on the stack, and
	// is different in each call.
	forever := func(steps string) string { return "6000355b" + steps + "600356" }
	// A contract that sends its whole balance to itself is empty only under old rules.
	byOldRules := func(steps string) string {
		return "6000600060006000600073" + burner.Hex()[2:] + "61fffff150" + "73" + burner.Hex()[2:] + "3160" +
			fmt.Sprintf("%02x", 68+len(steps)/2) + "57" +
			"6000355b" + steps + "604056" + "5b00"
	}
	for name, test := range map[string]struct {
		old  bool
		code string
	}{
		"steps":               {false, forever("")},
		"slots, by old rules": {true, byOldRules("805450600101")},
		"passing slots":       {false, forever("80805d600101")},
		"new contracts":       {false, forever("600060006000f050")},
		"long answers":        {false, "62040000" + "6000f3"},
		"calls of itself":     {false, "6220000051505f5f5f5f5f305af1"}, // each with 2 MB of memory
	} {
		t.Run(name, func(t *testing.T) {
			n := newLedgerNode(t, "ethereum")
			n.oldForks = test.old
			n.accounts[token] = &account{code: append(common.FromHex("0x"+test.code), make([]byte, 24<<10)...)}
			n.accounts[burner] = &account{code: common.FromHex("0x30ff"), balance: 5}
			n.seal()
			var calls []proof.Call
			for i := range uint32(400) {
				data := make([]byte, 32)
				binary.BigEndian.PutUint32(data[8:], i)
				calls = append(calls, proof.Call{To: &token, Data: data, Return: hexutil.Bytes(word(1))})
			}
			c := chainOf(n, nil, calls...)
			before := process.OwnTime(t)
			peak := process.PeakHeap(func() {
				if holds(c) {
					t.Error("the proof passed")
				}
			})
			if took := process.OwnTime(t) - before; took > 10*time.Second || peak > 100<<20 {
				t.Errorf("%s and %d MB", took, peak>>20)
			} else {
				t.Logf("%s and %d MB", took, peak>>20)
			}
		})
	}
}

// A run takes time even if it uses nearly no gas, so a document cannot have very many.
func TestEachRunCounts(t *testing.T) {
	n := newLedgerNode(t, "ethereum")
	n.accounts[token] = &account{code: common.FromHex("0x5b")}
	n.seal()
	var calls []proof.Call
	for i := range byte(3) {
		calls = append(calls, proof.Call{To: &token, Data: []byte{i}, Return: hexutil.Bytes{}})
	}
	for gas, want := range map[uint64]int{4001: 3, 4000: 2, 3000: 2, 1500: 1} { // a call has three runs of 500 each
		checked, err := chainOf(n, nil, calls...).Check(proof.BudgetOf(gas))
		if err != nil {
			t.Fatal(err)
		}
		proven := 0
		for _, c := range calls {
			if _, err := checked.Answer(c); err == nil {
				proven++
			} else if !errors.Is(err, proof.ErrNotProvable) {
				t.Error(err)
			}
		}
		if proven != want {
			t.Errorf("with %d gas, %d calls are proven, not %d", gas, proven, want)
		}
	}
}
