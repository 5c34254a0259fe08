package evm

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// The part of Multicall3 that is used here.
var multicall3 = sync.OnceValue(func() abi.ABI {
	parsed, err := abi.JSON(strings.NewReader(`[
	{"type":"function","name":"aggregate3","stateMutability":"payable",
	 "inputs":[{"name":"calls","type":"tuple[]","components":[{"name":"target","type":"address"},{"name":"allowFailure","type":"bool"},{"name":"callData","type":"bytes"}]}],
	 "outputs":[{"name":"returnData","type":"tuple[]","components":[{"name":"success","type":"bool"},{"name":"returnData","type":"bytes"}]}]},
	{"type":"function","name":"getChainId","stateMutability":"view","inputs":[],"outputs":[{"type":"uint256"}]},
	{"type":"function","name":"getBlockNumber","stateMutability":"view","inputs":[],"outputs":[{"type":"uint256"}]},
	{"type":"function","name":"getCurrentBlockTimestamp","stateMutability":"view","inputs":[],"outputs":[{"type":"uint256"}]},
	{"type":"function","name":"getLastBlockHash","stateMutability":"view","inputs":[],"outputs":[{"type":"bytes32"}]},
	{"type":"function","name":"getEthBalance","stateMutability":"view","inputs":[{"name":"addr","type":"address"}],"outputs":[{"type":"uint256"}]}
	]`))
	if err != nil {
		panic(err) // the text above is wrong
	}
	return parsed
})

// What every part asks beside its calls, in this order.
var witnesses = []string{"getChainId", "getBlockNumber", "getCurrentBlockTimestamp", "getLastBlockHash"}

// A part is one aggregate3 call: small enough in calldata for any node, and in
// gas for the 50 million that nodes grant, at 200,000 for each call and more.
const (
	partCalls = 200
	partBytes = 96 << 10
)

type part struct {
	calls []int // which of the caller's calls, in order
	data  []byte
}

type call3 struct {
	Target       common.Address
	AllowFailure bool
	CallData     []byte
}

// A result is what one call returned. A call that reverted has only that: the
// data of a revert differs between nodes.
type result struct {
	ok    bool
	blank bool // reverted without any data, as running out of gas does too
	data  []byte
}

// pack bundles the chosen calls into parts of at most limit calls.
func pack(multicall common.Address, calls []Call, chosen []int, limit int) ([]part, error) {
	m := multicall3()
	var parts []part
	var now part
	var batch []call3
	size := 0
	flush := func() error {
		data, err := m.Pack("aggregate3", batch)
		now.data = data
		parts = append(parts, now)
		now, batch, size = part{}, nil, 0
		return err
	}
	for _, i := range chosen {
		call := calls[i]
		c := call3{call.To, true, call.Data}
		if call.Balance {
			data, err := m.Pack("getEthBalance", call.To)
			if err != nil {
				return nil, err
			}
			c = call3{multicall, true, data}
		}
		if len(batch) > 0 && (len(now.calls) == limit || size+len(c.CallData) > partBytes) {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		if len(batch) == 0 {
			for _, w := range witnesses {
				batch = append(batch, call3{multicall, true, m.Methods[w].ID})
			}
		}
		batch = append(batch, c)
		now.calls = append(now.calls, i)
		size += len(c.CallData) + 192
	}
	if len(batch) == 0 {
		return parts, nil
	}
	return parts, flush()
}

// unpack reads the answer to a part into results, once it has named the chain
// and the block that were asked for.
func (p part) unpack(raw []byte, id uint64, at Block, results []result) error {
	values, err := multicall3().Unpack("aggregate3", raw)
	if err != nil || len(values) != 1 {
		return faultf(malformed, "Multicall3 answered what it cannot")
	}
	got := *abi.ConvertType(values[0], new([]struct {
		Success    bool
		ReturnData []byte
	})).(*[]struct {
		Success    bool
		ReturnData []byte
	})
	if len(got) != len(witnesses)+len(p.calls) {
		return faultf(malformed, "Multicall3 gave %d answers to %d calls", len(got), len(witnesses)+len(p.calls))
	}
	want := [][]byte{word(id), word(at.Number), word(uint64(at.Time.Unix())), at.Parent[:]}
	for i, w := range witnesses {
		if !got[i].Success || !bytes.Equal(got[i].ReturnData, want[i]) {
			return faultf(mismatch, "%s of the read is %s, not %s", w, brief(got[i].ReturnData), brief(want[i]))
		}
	}
	for i, r := range got[len(witnesses):] {
		if r.Success {
			results[p.calls[i]] = result{ok: true, data: r.ReturnData}
		} else {
			results[p.calls[i]] = result{blank: len(r.ReturnData) == 0}
		}
	}
	return nil
}

// word is n as a uint256.
func word(n uint64) []byte {
	w := make([]byte, 32)
	binary.BigEndian.PutUint64(w[24:], n)
	return w
}

// brief shows a word as a number, or as a hash if it is none.
func brief(b []byte) string {
	n := new(big.Int).SetBytes(b)
	if len(b) == 32 && n.IsUint64() {
		return n.String()
	}
	if len(b) > 32 {
		b = b[:32]
	}
	return common.Bytes2Hex(b)
}
