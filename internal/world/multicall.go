package world

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// The functions of Multicall3 that the model supports.
var (
	aggregate3    = selector("aggregate3((address,bool,bytes)[])")
	getEthBalance = selector("getEthBalance(address)")
	getChainID    = selector("getChainId()")
	getNumber     = selector("getBlockNumber()")
	getTimestamp  = selector("getCurrentBlockTimestamp()")
	getLastHash   = selector("getLastBlockHash()")
)

// hasCode reports whether there is a contract at an address. Multicall3 is a contract too.
func (v View) hasCode(at Block, address common.Address) bool {
	return address == v.Multicall && address != (common.Address{}) || v.State.HasCode(at, address)
}

// call executes an eth_call at a block. A call to an address without code returns nothing and
// succeeds.
func (v View) call(at Block, to common.Address, data []byte) (out []byte, ok bool) {
	if to == v.Multicall && to != (common.Address{}) {
		return v.multicall(at, data)
	}
	if !v.State.HasCode(at, to) {
		return []byte{}, true
	}
	return v.State.Call(at, to, data)
}

// multicall executes a call to Multicall3.
func (v View) multicall(at Block, data []byte) (out []byte, ok bool) {
	if len(data) < 4 {
		return nil, false
	}
	args := data[4:]
	switch [4]byte(data) {
	case getChainID:
		return Word(new(big.Int).SetUint64(v.ID)), true
	case getNumber:
		return Word(new(big.Int).SetUint64(at.Number)), true
	case getTimestamp:
		return Word(big.NewInt(at.Time.Unix())), true
	case getLastHash:
		hash := v.Parent(at)
		return hash[:], true
	case getEthBalance:
		if len(args) != 32 {
			return nil, false
		}
		return Word(v.State.Balance(at, common.BytesToAddress(args))), true
	case aggregate3:
		return v.aggregate(at, args)
	}
	return nil, false
}

// aggregate executes the calls of an aggregate3. It reverts if a call without allowFailure reverts.
func (v View) aggregate(at Block, args []byte) (out []byte, ok bool) {
	list, ok := tail(args, 0)
	if !ok {
		return nil, false
	}
	count, ok := number(list, 0)
	if !ok || count > uint64(len(list)/32) {
		return nil, false
	}
	list = list[32:]
	var heads, tails []byte
	for i := range count {
		call, ok := tail(list, 32*int(i))
		if !ok || len(call) < 96 {
			return nil, false
		}
		mayFail, _ := number(call, 32)
		data, ok := dynamic(call, 64)
		if !ok {
			return nil, false
		}
		returned, ok := v.call(at, common.BytesToAddress(call[:32]), data)
		if !ok && mayFail == 0 {
			return nil, false
		}
		heads = append(heads, Word(big.NewInt(int64(32*int(count)+len(tails))))...)
		success := int64(0)
		if ok {
			success = 1
		}
		tails = append(append(append(tails, Word(big.NewInt(success))...), Word(big.NewInt(64))...), Bytes(returned)...)
	}
	out = append(Word(big.NewInt(32)), Word(new(big.Int).SetUint64(count))...)
	return append(append(out, heads...), tails...), true
}
