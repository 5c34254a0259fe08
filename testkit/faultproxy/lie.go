package faultproxy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/testkit/contracts"
)

// A Read is one read of state with the contract's answer, alone or as part of a multicall. A single
// read of a gas token balance has no Data.
type Read struct {
	To     common.Address
	Data   []byte
	Return []byte
}

// Selectors of reads worth lying about.
var (
	totalSupply   = [4]byte{0x18, 0x16, 0x0d, 0xdd}
	balanceOf     = [4]byte{0x70, 0xa0, 0x82, 0x31}
	decimals      = [4]byte{0x31, 0x3c, 0xe5, 0x67}
	getEthBalance = [4]byte{0x4d, 0x23, 0x01, 0xcc}
	aggregate3    = [4]byte{0x82, 0xad, 0x56, 0xcb}
)

func (r Read) is(selector [4]byte) bool {
	return len(r.Data) >= 4 && [4]byte(r.Data) == selector
}

// Lie changes the results of reads. It calls tell for each read. tell returns the result that the
// program gets. What a multicall says of its chain and block stays true.
func Lie(name string, tell func(Read) []byte) Fault {
	return after(name, func(c *call) {
		var told any
		switch c.Method {
		case "eth_call":
			told = hexutil.Bytes(retell(c, tell))
		case "eth_getBalance":
			told = rebalance(c, tell)
		default:
			return
		}
		c.reply.Result = toJSON(told)
	})
}

// Empty answers one read in oneOf with 0x, at random, but always the same ones.
func Empty(oneOf int) Fault {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(1, 1))
	return after("0x at random", func(c *call) {
		mu.Lock()
		defer mu.Unlock()
		if c.readsState() && random.IntN(oneOf) == 0 {
			c.reply.Result = json.RawMessage(`"0x"`)
		}
	})
}

// BadProofs changes a digit at the end of every proof.
func BadProofs() Fault {
	return after("wrong proofs", func(c *call) {
		var proof map[string]json.RawMessage
		if c.Method != "eth_getProof" || json.Unmarshal(c.reply.Result, &proof) != nil {
			return
		}
		nodes := bytes.Clone(proof["accountProof"])
		if n := len(nodes) - 3; n > 0 { // the last digit, before the quote and the bracket
			nodes[n] ^= 1
		}
		proof["accountProof"] = nodes
		c.give(proof)
	})
}

// lieAbout changes the word that each of the chosen reads returns.
func lieAbout(name string, chosen func(Read) bool, change func(word []byte)) Fault {
	return Lie(name, func(r Read) []byte {
		if len(r.Return) == 32 && chosen(r) {
			change(r.Return)
		}
		return r.Return
	})
}

// Digit changes the last hex digit of each figure that is read.
func Digit() Fault {
	return lieAbout("one digit changed", func(r Read) bool { return !r.is(decimals) }, func(word []byte) { word[31] ^= 1 })
}

// Decimals makes every contract return this many decimals.
func Decimals(n byte) Fault {
	return lieAbout("decimals changed", func(r Read) bool { return r.is(decimals) }, func(word []byte) { word[31] = n })
}

// BalanceAboveTotal makes every balance exceed any supply: it adds 2^240.
func BalanceAboveTotal() Fault {
	ofBalance := func(r Read) bool { return r.is(balanceOf) || r.is(getEthBalance) || len(r.Data) == 0 }
	return lieAbout("a balance above the total", ofBalance, func(word []byte) { word[1] |= 1 })
}

// Scale multiplies every total supply by percent. 150 and 50 are sudden changes that may be true.
func Scale(percent int64) Fault {
	ofTotal := func(r Read) bool { return r.is(totalSupply) }
	return lieAbout(fmt.Sprintf("%d %% of the supply", percent), ofTotal, func(word []byte) {
		v := new(big.Int).SetBytes(word)
		v.Div(v.Mul(v, big.NewInt(percent)), big.NewInt(100)).FillBytes(word)
	})
}

// multicall is read once and never changed.
var multicall = sync.OnceValue(func() *contracts.Contract {
	c, err := contracts.Load("Multicall3")
	if err != nil {
		panic(err) // it is part of the binary
	}
	return c
})

type part struct {
	Target       common.Address
	AllowFailure bool
	CallData     []byte
}

type outcome struct {
	Success    bool
	ReturnData []byte
}

// retell changes an eth_call's result, including the results inside a multicall.
func retell(c *call, tell func(Read) []byte) []byte {
	var asked struct {
		To   common.Address
		Data hexutil.Bytes
	}
	var result hexutil.Bytes
	if err := errors.Join(json.Unmarshal(c.Params[0], &asked), json.Unmarshal(c.reply.Result, &result)); err != nil {
		panic(err) // the program and anvil send valid calls
	}
	whole := Read{To: asked.To, Data: asked.Data, Return: result}
	if !whole.is(aggregate3) {
		return tell(whole)
	}
	method := multicall().ABI.Methods["aggregate3"]
	var args struct{ Calls []part }
	var outs struct{ ReturnData []outcome }
	if in, err := method.Inputs.Unpack(asked.Data[4:]); err != nil || method.Inputs.Copy(&args, in) != nil {
		return result
	}
	if out, err := method.Outputs.Unpack(result); err != nil || method.Outputs.Copy(&outs, out) != nil {
		return result
	}
	for i := range outs.ReturnData {
		o := &outs.ReturnData[i]
		r := Read{To: args.Calls[i].Target, Data: args.Calls[i].CallData, Return: o.ReturnData}
		if o.Success && (r.To != asked.To || r.is(getEthBalance)) {
			o.ReturnData = tell(r)
		}
	}
	told, err := method.Outputs.Pack(outs.ReturnData)
	if err != nil {
		panic(err) // it was unpacked before
	}
	return told
}

// rebalance returns the balance that tell gives instead of the one in c.
func rebalance(c *call, tell func(Read) []byte) *hexutil.Big {
	var at common.Address
	var value hexutil.Big
	if err := errors.Join(json.Unmarshal(c.Params[0], &at), json.Unmarshal(c.reply.Result, &value)); err != nil {
		panic(err)
	}
	told := tell(Read{To: at, Return: value.ToInt().FillBytes(make([]byte, 32))})
	return (*hexutil.Big)(new(big.Int).SetBytes(told))
}
