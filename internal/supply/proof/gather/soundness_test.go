package gather_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
	"petsupply/testkit/anvil"
	testcheck "petsupply/testkit/check"
)

// However a proof is altered, an answer that it still proves is the one that a real node gives. The
// test proves worlds of random programs. Then it alters, drops, repeats and moves parts of the
// proofs, and claims the answer that the verifier itself computes. In make soak it does so for an
// hour.
func TestNothingFalseIsProven(t *testing.T) {
	seed, worlds := uint64(1), 2
	if testcheck.Soak {
		seed = rand.Uint64()
		worlds = 1 << 30
	}
	t.Logf("seed %d", seed)
	end := time.Now().Add(time.Hour)
	node := anvil.Test(t, anvil.Options{Manual: true})
	var all tally
	for i := range worlds {
		if time.Now().After(end) {
			break
		}
		w := newFuzzWorld(t, node, rand.New(rand.NewPCG(seed, uint64(i))))
		w.attack(150, &all)
		if t.Failed() {
			t.Fatalf("in world %d of seed %d", i, seed)
		}
	}
	t.Logf("%d worlds, %d calls, %d proven as gathered; %d altered proofs, %d of their answers were proven, %d of them "+
		"from proofs that differ", all.worlds, all.calls, all.gathered, all.altered, all.proven, all.differing)
	if all.gathered == 0 || all.differing == 0 {
		t.Error("no proof was gathered, or no altered proof differs")
	}
}

// A tally counts the attempts.
type tally struct{ worlds, calls, gathered, altered, proven, differing int }

// A fuzzWorld is a block of a real chain with contracts of random code.
type fuzzWorld struct {
	t         *testing.T
	r         *rand.Rand
	node      *anvil.Node
	at        evm.Block
	contracts []common.Address
	calls     []evm.Call
	chain     *proof.Chain
	answers   map[string][]byte // the node's answers, by Call.ID; nil: the call fails
}

func newFuzzWorld(t *testing.T, node *anvil.Node, r *rand.Rand) *fuzzWorld {
	t.Helper()
	w := &fuzzWorld{t: t, r: r, node: node, answers: map[string][]byte{}}
	for range 6 {
		w.contracts = append(w.contracts,
			common.BigToAddress(hexutil.MustDecodeBig(fmt.Sprintf("0x7%07x", r.Uint32()>>4))))
	}
	do := func(method string, args ...any) {
		t.Helper()
		check(t, node.RPC.CallContext(t.Context(), nil, method, args...))
	}
	for i, a := range w.contracts {
		do("anvil_setCode", a, hexutil.Encode(w.program(w.contracts[i+1:])))
		do("anvil_setBalance", a, hexutil.Uint64(r.Uint32()))
		for range 1 + r.IntN(4)*i*3 { // the last ones have wide and deep tries
			do("anvil_setStorageAt", a, common.BytesToHash(w.slot()), common.BytesToHash([]byte{byte(r.Uint32())}))
		}
	}
	check(t, node.Mine(t.Context(), 1))
	chain := dial(t, node.URL)
	w.at = must[evm.Block](t)(chain.Pin(t.Context(), time.Time{}))
	for _, a := range w.contracts {
		w.calls = append(w.calls, evm.Call{To: a, Balance: true})
		for range 3 {
			w.calls = append(w.calls, evm.Call{To: a, Data: w.word(), MayRevert: true})
		}
	}
	var returns [][]byte
	for _, c := range w.calls {
		returns = append(returns, w.ask(answered([]evm.Call{c}, [][]byte{nil})[0]))
	}
	w.chain, _ = gather.New(chain).Gather(t.Context(), w.at, answered(w.calls, returns), proof.MaxGas)
	return w
}

// slot returns one of the first forty slots, or one whose path begins like that of slot 0.
func (w *fuzzWorld) slot() []byte {
	if deep := deepSlots(); w.r.IntN(3) == 0 {
		return deep[w.r.IntN(len(deep))]
	}
	return []byte{byte(w.r.IntN(40))}
}

// deepSlots share one to three digits of their path with slot 0.
var deepSlots = sync.OnceValue(func() (found [][]byte) {
	path := crypto.Keccak256Hash(common.Hash{}.Bytes()).Hex()
	for i := 0; len(found) < 6; i++ {
		slot := []byte{byte(i >> 16), byte(i >> 8), byte(i)}
		if strings.HasPrefix(crypto.Keccak256Hash(common.BytesToHash(slot).Bytes()).Hex(), path[:2+1+len(found)/2]) {
			found = append(found, slot)
		}
	}
	return found
})

func (w *fuzzWorld) word() []byte { return common.BytesToHash([]byte{byte(w.r.IntN(8))}).Bytes() }

// ask asks the node for the answer to a call.
func (w *fuzzWorld) ask(c proof.Call) []byte {
	w.t.Helper()
	id := c.ID()
	if answer, known := w.answers[id]; known {
		return answer
	}
	at := map[string]any{"blockHash": w.at.Hash}
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	if c.Balance != nil {
		var n hexutil.Big
		check(w.t, w.node.RPC.CallContext(ctx, &n, "eth_getBalance", *c.Balance, at))
		w.answers[id] = common.BigToHash(n.ToInt()).Bytes()
		return w.answers[id]
	}
	var ret hexutil.Bytes
	call := map[string]any{"to": *c.To, "data": c.Data, "gas": hexutil.Uint64(30_000_000)}
	if err := w.node.RPC.CallContext(ctx, &ret, "eth_call", call, at); err != nil {
		if ctx.Err() != nil {
			w.t.Fatalf("the node does not answer: %v", err)
		}
		ret = nil
	}
	w.answers[id] = ret
	return ret
}

// attack alters the proof of the world that many times.
func (w *fuzzWorld) attack(times int, all *tally) {
	w.t.Helper()
	all.worlds++
	all.calls += len(w.calls)
	if w.chain == nil {
		return
	}
	all.gathered += len(w.chain.Calls)
	honest, err := json.Marshal(w.chain)
	check(w.t, err)
	w.judge(w.chain, all)
	for range times {
		var c proof.Chain
		check(w.t, json.Unmarshal(honest, &c))
		did := ""
		for range 1 + w.r.IntN(3) {
			did += w.alter(&c) + ", "
		}
		all.altered++
		before := all.proven
		w.judge(&c, all)
		if text, _ := json.Marshal(c); !bytes.Equal(text, honest) {
			all.differing += all.proven - before
		}
		if w.t.Failed() {
			text, _ := json.Marshal(c)
			w.t.Fatalf("it was altered: %s\n%s", did, text)
		}
	}
}

var stateAnswers = regexp.MustCompile(`the state answers 0x([0-9a-f]*), not`)

// judge checks a proof as it is, and again with the answers that the verifier computes. Proven
// answers must be those of the node.
func (w *fuzzWorld) judge(c *proof.Chain, all *tally) {
	w.t.Helper()
	for range 2 {
		checked, err := c.Check(proof.NewBudget())
		if err != nil {
			return
		}
		if checked.Block != w.at {
			return // an invented block may have any content; whether it is on the chain is not checked
		}
		for i, call := range c.Calls {
			answer, err := checked.Answer(call)
			if errors.Is(err, proof.ErrWrong) {
				if m := stateAnswers.FindStringSubmatch(err.Error()); m != nil {
					c.Calls[i].Return = common.FromHex(m[1])
				}
			}
			if err != nil {
				continue
			}
			all.proven++
			if truth := w.ask(call); !bytes.Equal(truth, answer) {
				w.t.Errorf("%x is proven for the call of %v with 0x%x, and the node says %x", answer, call.To,
					[]byte(call.Data), truth)
			}
		}
	}
}

// alter makes one change to a proof and describes it.
func (w *fuzzWorld) alter(c *proof.Chain) string {
	r := w.r
	parts, name := &c.Nodes, "node"
	if r.IntN(4) == 0 {
		parts, name = &c.Codes, "code"
	}
	switch r.IntN(12) {
	case 0, 1:
		return "another " + name + flip(r, pick(r, *parts))
	case 2:
		return "no " + name + drop(r, parts)
	case 3:
		return "twice a " + name + repeat(r, parts)
	case 4:
		r.Shuffle(len(*parts), func(i, j int) { (*parts)[i], (*parts)[j] = (*parts)[j], (*parts)[i] })
		return "other order of each " + name
	case 5:
		return "another header" + flip(r, c.Header)
	case 6:
		return "no call" + drop(r, &c.Calls)
	case 7:
		r.Shuffle(len(c.Calls), func(i, j int) { c.Calls[i], c.Calls[j] = c.Calls[j], c.Calls[i] })
		return "other order of calls"
	case 8:
		if len(c.Calls) > 0 {
			flip(r, c.Calls[r.IntN(len(c.Calls))].Return)
		}
		return "another return"
	case 9:
		call := proof.Call{To: &w.contracts[r.IntN(len(w.contracts))], Data: w.word()}
		c.Calls = append(c.Calls, call)
		return "another call"
	case 10:
		if len(c.Calls) > 0 {
			c.Calls[r.IntN(len(c.Calls))].Data = bytes.Repeat([]byte{byte(r.Uint32())}, r.IntN(70))
		}
		return "other calldata"
	}
	*parts = append(*parts, w.program(w.contracts))
	return "a made up " + name
}

func pick(r *rand.Rand, list []hexutil.Bytes) []byte {
	if len(list) == 0 {
		return nil
	}
	return list[r.IntN(len(list))]
}

func flip(r *rand.Rand, b []byte) string {
	if len(b) > 0 {
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
	return ""
}

func drop[T any](r *rand.Rand, list *[]T) string {
	if n := len(*list); n > 0 {
		i := r.IntN(n)
		*list = append((*list)[:i:i], (*list)[i+1:]...)
	}
	return ""
}

func repeat[T any](r *rand.Rand, list *[]T) string {
	if n := len(*list); n > 0 {
		*list = append(*list, (*list)[r.IntN(n)])
	}
	return ""
}

// program returns random code that returns one word. Between its steps only that word is on the
// stack. Steps read the state and the block, and call other contracts, some with too little gas.
func (w *fuzzWorld) program(others []common.Address) []byte {
	if w.r.IntN(4) == 0 { // an account that delegates to another
		to := common.BytesToAddress([]byte{byte(w.r.IntN(0x14))}).Bytes()
		if len(others) > 0 && w.r.IntN(5) > 0 {
			to = others[w.r.IntN(len(others))].Bytes()
		}
		return append([]byte{0xef, 1, 0}, to...)
	}
	code := []byte{byte(vm.PUSH1), 0, byte(vm.CALLDATALOAD)}
	for range 1 + w.r.IntN(12) {
		code = w.step(code, others)
	}
	return append(code, byte(vm.PUSH1), 0, byte(vm.MSTORE), byte(vm.PUSH1), 32, byte(vm.PUSH1), 0, byte(vm.RETURN))
}

func (w *fuzzWorld) step(code []byte, others []common.Address) []byte {
	r := w.r
	push := func(b ...byte) { code = append(append(code, byte(vm.PUSH1)+byte(len(b)-1)), b...) }
	op := func(list ...vm.OpCode) {
		for _, o := range list {
			code = append(code, byte(o))
		}
	}
	other := func() []byte {
		if len(others) == 0 || r.IntN(8) == 0 {
			return common.BytesToAddress([]byte{byte(r.IntN(0x12))}).Bytes() // a precompile
		}
		return others[r.IntN(len(others))].Bytes()
	}
	mix := []vm.OpCode{vm.ADD, vm.XOR, vm.MUL, vm.SUB, vm.AND}[r.IntN(5)]
	switch r.IntN(17) {
	case 0, 1:
		push(w.slot()...)
		op(vm.SLOAD, mix)
	case 2:
		push(byte(r.IntN(40)))
		op(vm.ADD, vm.DUP1, vm.SLOAD, mix)
	case 3:
		push(other()...)
		op([]vm.OpCode{vm.BALANCE, vm.EXTCODESIZE, vm.EXTCODEHASH}[r.IntN(3)], mix)
	case 4:
		op([]vm.OpCode{vm.TIMESTAMP, vm.NUMBER, vm.CHAINID, vm.COINBASE, vm.PREVRANDAO, vm.GASLIMIT, vm.SELFBALANCE,
			vm.ADDRESS, vm.CODESIZE, vm.MSIZE, vm.CALLVALUE, vm.CALLDATASIZE}[r.IntN(12)], mix)
	case 5:
		if r.IntN(6) == 0 { // rarely, because most programs should be provable
			op([]vm.OpCode{vm.BASEFEE, vm.ORIGIN, vm.CALLER, vm.GASPRICE, vm.GAS, vm.BLOBBASEFEE}[r.IntN(6)], mix)
		}
	case 6, 7:
		w.call(push, op, other(), mix)
	case 8: // write, and read again
		push(w.slot()...)
		op(vm.DUP2, vm.DUP2)
		op([]vm.OpCode{vm.SSTORE, vm.TSTORE}[r.IntN(2)])
		op(vm.SLOAD, mix)
	case 9: // jump over a step if the word is odd
		op(vm.DUP1)
		push(1)
		op(vm.AND)
		at := len(code)
		push(0, 0)
		op(vm.JUMPI)
		code = w.step(code, others)
		code[at+1], code[at+2] = byte(len(code)>>8), byte(len(code))
		op(vm.JUMPDEST)
	case 10:
		push(0)
		op(vm.MSTORE)
		push(32)
		push(0)
		op(vm.KECCAK256)
	case 11:
		if r.IntN(10) == 0 {
			op([]vm.OpCode{vm.INVALID, vm.STOP, vm.RETURNDATASIZE, vm.SELFDESTRUCT}[r.IntN(4)])
		}
	case 12:
		w.copyOrCreate(push, op, other(), mix)
	case 13: // the hash of a block at or before this one
		push(byte(r.IntN(3)))
		op(vm.NUMBER, vm.SUB, vm.BLOCKHASH, mix)
	case 14:
		op([]vm.OpCode{vm.CLZ, vm.NOT, vm.ISZERO}[r.IntN(3)])
	case 15:
		push(w.slot()...)
		op(vm.TLOAD, mix)
	case 16:
		op(vm.DUP1, vm.PUSH0, vm.MSTORE)
		push(32)
		op(vm.PUSH0)
		push(byte(r.IntN(64)))
		op(vm.MCOPY, vm.PUSH0, vm.MLOAD, mix)
	}
	return code
}

// copyOrCreate mixes in a part of another contract's code, or data of a new contract that has the
// word as its code.
func (w *fuzzWorld) copyOrCreate(push func(...byte), op func(...vm.OpCode), other []byte, mix vm.OpCode) {
	op(vm.DUP1, vm.PUSH1, 0, vm.MSTORE)
	push(32)
	push(0)
	push(0)
	if w.r.IntN(2) == 0 {
		push(other...)
		op(vm.EXTCODECOPY, vm.PUSH1, 0, vm.MLOAD, mix)
		return
	}
	kind := vm.CREATE
	if w.r.IntN(2) == 0 {
		kind = vm.CREATE2
		op(vm.DUP4, vm.SWAP3, vm.SWAP2) // salt
	}
	op(kind)
	op([]vm.OpCode{vm.EXTCODESIZE, vm.BALANCE, vm.EXTCODEHASH}[w.r.IntN(3)], mix)
}

// call adds a call of another contract, often with too little gas, and mixes its success and its
// answer into the word.
func (w *fuzzWorld) call(push func(...byte), op func(...vm.OpCode), to []byte, mix vm.OpCode) {
	push(0)
	op(vm.MSTORE)
	push(32) // room for the answer
	push(0)
	push(32) // arguments
	push(0)
	kind := []vm.OpCode{vm.STATICCALL, vm.STATICCALL, vm.DELEGATECALL, vm.CALL, vm.CALLCODE}[w.r.IntN(5)]
	if kind == vm.CALL || kind == vm.CALLCODE {
		if w.r.IntN(4) == 0 { // all that the account has, or one more
			op(vm.SELFBALANCE)
			if w.r.IntN(2) == 0 {
				push(1)
				op(vm.ADD)
			}
		} else {
			push(byte(w.r.IntN(8) / 7))
		}
	}
	push(to...)
	if w.r.IntN(4) > 0 {
		op(vm.GAS)
	} else {
		gas := []int{0, 1, 50, 100, 700, 2100, 2600, 3000, 5000, 8000, 20_000, 100_000, 4_000_000,
			1 << 23}[w.r.IntN(14)]
		push(byte(gas>>16), byte(gas>>8), byte(gas))
	}
	op(kind)
	push(0)
	op(vm.MLOAD, mix)
	op(vm.RETURNDATASIZE, vm.ADD)
}
