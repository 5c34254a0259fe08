package proof

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// MaxGas limits the gas of all runs of a proof document together. Views take about 30,000 each. The
// last run may exceed the limit, because a run with less gas could give another answer than a node.
const MaxGas = 100_000_000

// minGas is the gas that each run counts for at least. To prepare a run takes as long as this much
// gas of instructions. A document may have 70,000 calls that use nearly none.
const minGas = 500

// An environment has the settings of a call that the block does not determine. Nodes choose
// different ones, so the answer of a view must not depend on them.
type environment struct {
	newest  bool // use the newest rules, not the oldest that the header allows
	gas     uint64
	caller  common.Address
	baseFee *big.Int
	blobFee *big.Int
}

var environments = []environment{
	{newest: true, gas: 10_000_000, caller: common.Address{}, baseFee: new(big.Int), blobFee: new(big.Int)},
	{newest: false, gas: 5_000_019, caller: common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11"),
		baseFee: big.NewInt(7_000_000_001), blobFee: big.NewInt(3)},
	// The first caller again, so that both callers run under the oldest rules. A run that succeeds
	// under these rules has the same result under later rules.
	{newest: false, gas: 5_000_019, caller: common.Address{}, baseFee: new(big.Int), blobFee: new(big.Int)},
}

// A Run is the outcome of executing one call.
type Run struct {
	Touched map[Key]bool
	Missed  []Key // keys that the state lacks; if there are any, the other fields are not valid yet
	Err     error
	ret     []byte
	gas     uint64 // gas used in all environments
}

// Execute runs a call on the state alone, once for each environment (rules, gas and caller) that a
// node may use. All answers must be equal.
func (s *State) Execute(call Call) Run {
	r := Run{Touched: map[Key]bool{}}
	if call.Balance != nil {
		rec := recorder{State: s, touched: r.Touched}
		r.ret = make([]byte, 32)
		if a, _ := rec.Account(*call.Balance); a != nil {
			a.Balance.WriteToSlice(r.ret)
		}
		r.Missed = rec.missed
		r.Err = rec.err
		return r
	}
	for i, env := range environments {
		rec := recorder{State: s, touched: r.Touched}
		ret, gas, err := rec.run(*call.To, call.Data, env)
		r.gas += gas
		r.Missed = append(r.Missed, rec.missed...)
		switch {
		case rec.err != nil: // rec.err may have caused err
			r.Err = rec.err
		case err != nil:
			r.Err = err
		case i > 0 && !bytes.Equal(ret, r.ret):
			r.Err = fmt.Errorf("its answer depends on its caller, or on rules that the header does not determine: %w",
				ErrNotProvable)
		}
		if r.Err != nil {
			return r
		}
		r.ret = ret
	}
	return r
}

// against returns why the run does not confirm a claimed answer, or nil.
func (r Run) against(claimed []byte) error {
	switch {
	case len(r.Missed) > 0:
		return fmt.Errorf("%s %w", r.Missed[0], ErrMissing)
	case r.Err != nil:
		return r.Err
	case !bytes.Equal(r.ret, claimed):
		return fmt.Errorf("the state answers 0x%.32x, not 0x%.32x: %w", r.ret, claimed, ErrWrong)
	}
	return nil
}

// run executes a call of a view once. It returns the result and the gas used.
func (r *recorder) run(to common.Address, data []byte, env environment) ([]byte, uint64, error) {
	if r.budget.gas == 0 {
		return nil, 0, fmt.Errorf("the calls before it take all the gas of a proof: %w", ErrNotProvable)
	}
	fork := r.oldestFork()
	if env.newest {
		fork = r.newestFork()
	}
	db, err := state.NewWithReader(r.root, noDatabase{}, r)
	if err != nil {
		return nil, 0, err
	}
	block := r.blockContext(env)
	guard := &guard{recorder: r}
	block.GetHash = guard.blockHash
	machine := vm.NewEVM(block, db, fork.config(r.chainID), vm.Config{
		NoBaseFee: true,
		Tracer:    &tracing.Hooks{OnEnter: guard.enter, OnExit: guard.exit, OnOpcode: guard.opcode},
	})
	r.cancel = machine.Cancel
	defer machine.Release()
	machine.SetJumpDestCache(r.jumpDests)
	// All of these precompiles are fast. A cancelled EVM may still call some, because it runs up to
	// its next jump.
	machine.SetPrecompiles(everywhere)
	machine.SetTxContext(vm.TxContext{Origin: env.caller, GasPrice: new(uint256.Int)})
	ret, left, err := machine.StaticCall(env.caller, to, data, vm.NewGasBudget(env.gas, env.gas))
	used := max(minGas, env.gas-min(env.gas, left.ExecutionGas))
	r.budget.gas -= min(r.budget.gas, used)
	switch {
	case guard.refusal != nil:
		return nil, used, guard.refusal
	case errors.Is(err, vm.ErrExecutionReverted):
		return nil, used, fmt.Errorf("it reverts: %w", ErrNotProvable)
	case err != nil && !env.newest: // the run under the newest rules succeeded
		return nil, used, fmt.Errorf("it succeeds under the newest rules, but fails under those of %s (%v), "+
			"and the header does not say which apply; prove a block of a later fork, or ask nodes: %w",
			fork, err, ErrNotProvable)
	case err != nil:
		return nil, used, fmt.Errorf("it fails under the rules of %s (%v): %w", fork, err, ErrNotProvable)
	}
	return ret, used, nil
}

// blockContext returns the header's block as the EVM sees it, with the fees of env.
func (s *State) blockContext(env environment) vm.BlockContext {
	random := common.BytesToHash(s.fields["mixHash"])
	return vm.BlockContext{
		CanTransfer: func(db vm.StateDB, from common.Address, amount *uint256.Int) bool {
			return db.GetBalance(from).Cmp(amount) >= 0
		},
		// There is no value to transfer.
		Transfer:    func(vm.StateDB, common.Address, common.Address, *uint256.Int, *params.Rules) {},
		Coinbase:    common.BytesToAddress(s.fields["miner"]),
		GasLimit:    s.quantity("gasLimit").Uint64(),
		BlockNumber: new(big.Int).SetUint64(s.Number),
		Time:        uint64(s.Time.Unix()),
		Difficulty:  new(big.Int), // 0 since the merge; guard.opcode refuses DIFFICULTY if it may differ
		Random:      &random,
		BaseFee:     env.baseFee,
		BlobBaseFee: env.blobFee,
	}
}

// empty reports whether an account is missing, is empty by Ethereum's rules, or cannot be read. Some
// chains do not count such an account as empty: coreth if it has other assets, Kaia if it has a key
// or is a precompile that was called. Before Cancun, Kaia counted no account as empty.
func (r *recorder) empty(address common.Address) bool {
	got, err := r.lookup(Key{Kind: AccountKey, Address: address})
	if err != nil {
		return !errors.Is(err, ErrMissing)
	}
	a := got.account
	return a == nil || a.Nonce == 0 && a.Balance.IsZero() && bytes.Equal(a.CodeHash, types.EmptyCodeHash[:])
}

// A guard ends a run that needs something that a proof cannot show.
type guard struct {
	*recorder
	refusal error
	gasRead bool // the previous opcode was GAS
}

func (g *guard) refuse(format string, args ...any) {
	if g.refusal == nil {
		g.refusal = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), ErrNotProvable)
		g.cancel()
	}
}

// enter rejects calls that may reach a precompile of the chain. In the state a precompile has no
// code, or only the byte 0 (STOP).
func (g *guard) enter(_ int, _ byte, _, to common.Address, _ []byte, _ uint64, _ *big.Int) {
	got, err := g.lookup(Key{Kind: CodeKey, Address: to})
	switch {
	case everywhere[to] != nil:
	case reserved(to):
		g.refuse("it calls %s, which may be a precompile of the chain", to)
	case err == nil && (len(got.code) == 0 || got.code[0] == byte(vm.STOP)):
		g.refuse("it calls %s, which has no code and may be a precompile of the chain", to)
	case err != nil && !errors.Is(err, ErrMissing): // the EVM may not need to read the code
		g.refuse("it calls %s, whose code is not known (%v)", to, err)
	}
}

// exit rejects a run with an inner call that fails other than by REVERT. The outer call may go on,
// but a node with more gas or another fork's rules could give another answer.
func (g *guard) exit(depth int, _ []byte, _ uint64, err error, _ bool) {
	if depth > 0 && err != nil && !errors.Is(err, vm.ErrExecutionReverted) {
		g.refuse("an inner call fails (%v); it might not fail with more gas or under the rules of another fork", err)
	}
}

func (g *guard) refuseUnfixed(op vm.OpCode) {
	g.refuse("it depends on %s, which headers of this kind do not determine; only nodes know the value", op)
}

// everywhere has the precompiles of Ethereum that are the same on all chains: SHA-256 and identity.
// ecrecover is left out, because with all the gas of a proof it takes seven seconds. Others are
// missing on some chains, or have other limits.
var everywhere = vm.PrecompiledContracts{
	{19: 2}: vm.PrecompiledContractsHomestead[common.Address{19: 2}],
	{19: 4}: vm.PrecompiledContractsHomestead[common.Address{19: 4}],
}

// reserved reports whether a chain may have a precompile at the address a: it is one of the lowest
// addresses or, as on Avalanche, begins with 01, 02 or 03 and zeros.
func reserved(a common.Address) bool {
	return a[0] <= 3 && !slices.ContainsFunc(a[1:18], func(b byte) bool { return b != 0 })
}

// blockHash returns the parent's hash. It refuses other blocks, whose hashes the header lacks.
func (g *guard) blockHash(number uint64) common.Hash {
	if number+1 != g.Number {
		g.refuse("it depends on the hash of block %d; only nodes know that hash", number)
	}
	return g.Parent
}

// opcode rejects writes, because chains differ in who may write: some let only a few accounts
// create contracts. It also rejects reads of the environment. Gas may be read only to pass all of
// it to a call, as compilers do. A call with less gas might fail on a chain with other prices.
func (g *guard) opcode(_ uint64, code byte, _, _ uint64, frame tracing.OpContext, _ []byte, _ int, _ error) {
	op := vm.OpCode(code)
	calls := op == vm.CALL || op == vm.STATICCALL || op == vm.DELEGATECALL || op == vm.CALLCODE
	stack := frame.StackData()
	switch {
	case g.gasRead && !calls:
		g.refuse("it depends on the gas that is left")
	case !g.gasRead && calls && len(stack) > 0 && stack[len(stack)-1].IsUint64():
		g.refuse("it limits the gas of a call, and gas costs differ between chains")
	}
	g.gasRead = false
	switch op {
	case vm.SSTORE, vm.TSTORE, vm.CREATE, vm.CREATE2, vm.SELFDESTRUCT, vm.LOG0, vm.LOG1, vm.LOG2, vm.LOG3, vm.LOG4:
		g.refuse("it changes the state (%s), and a view may not", op)
	case vm.GAS:
		g.gasRead = true
	case vm.ORIGIN, vm.GASPRICE, vm.BASEFEE, vm.BLOBHASH, vm.BLOBBASEFEE, vm.SLOTNUM:
		g.refuse("it depends on %s", op)
	case vm.EXTCODEHASH, vm.BALANCE: // nodes, unlike us, change the nonce or balance of the caller before a call
		if len(stack) == 0 {
			return
		}
		of := common.Address(stack[len(stack)-1].Bytes20())
		if slices.ContainsFunc(environments, func(e environment) bool { return e.caller == of }) {
			g.refuse("it depends on the account of its caller (%s)", op)
		} else if op == vm.EXTCODEHASH && (g.family.name == "coreth" || g.family.name == "kaia") && g.empty(of) {
			g.refuse("it depends on whether %s counts as an empty account", of)
		}
	case vm.COINBASE:
		if !g.family.proposer || !g.fixesNumber {
			g.refuseUnfixed(op)
		}
	case vm.NUMBER, vm.BLOCKHASH:
		if !g.fixesNumber {
			g.refuseUnfixed(op)
		}
	case vm.GASLIMIT:
		if !g.family.proposer {
			g.refuseUnfixed(op)
		}
	case vm.DIFFICULTY: // and PREVRANDAO
		if g.family.name != "ethereum" || !g.fixesNumber {
			g.refuse("it depends on the block's difficulty or randomness")
		}
	}
}
