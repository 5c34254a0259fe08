package evm

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// Selectors of Multicall3. Its calldata is written by hand: accounts/abi takes
// twenty times as long (BenchmarkBundle), for every pet that is ever read.
var (
	aggregate3    = [4]byte{0x82, 0xad, 0x56, 0xcb}
	getEthBalance = [4]byte{0x4d, 0x23, 0x01, 0xcc}
)

// A witness is a view by which every part names its own chain and block.
type witness struct {
	name     string
	selector [4]byte
}

var witnesses = []witness{
	{"getChainId", [4]byte{0x34, 0x08, 0xe4, 0x70}},
	{"getBlockNumber", [4]byte{0x42, 0xcb, 0xb1, 0x5c}},
	{"getCurrentBlockTimestamp", [4]byte{0x0f, 0x28, 0xc9, 0x7d}},
	{"getLastBlockHash", [4]byte{0x27, 0xe8, 0x6d, 0x6e}},
}

// A part is one aggregate3 call: small enough in calldata for any node, and in
// gas for the 50 million that nodes grant, at 200,000 for each call and more.
const (
	partCalls = 200
	partBytes = 96 << 10
)

type part struct {
	calls []int           // which of the caller's calls, in order
	arg   json.RawMessage // of eth_call
}

// A result is what one call returned. A call that reverted has only that: the
// data of a revert differs between nodes.
type result struct {
	ok    bool
	blank bool // reverted without any data, as running out of gas does too
	data  []byte
}

// pack bundles the chosen calls into parts of at most limit calls.
func pack(multicall common.Address, calls []Call, chosen []int, limit int) []part {
	var parts []part
	for len(chosen) > 0 {
		n, size := 0, 0
		for n < len(chosen) && n < limit && (n == 0 || size+len(calls[chosen[n]].Data) <= partBytes) {
			size += len(calls[chosen[n]].Data) + 192
			n++
		}
		targets := make([]target, 0, len(witnesses)+n)
		for _, w := range witnesses {
			targets = append(targets, target{multicall, w.selector[:]})
		}
		for _, i := range chosen[:n] {
			call := calls[i]
			if call.Balance {
				who := common.BytesToHash(call.To[:])
				targets = append(targets, target{multicall, append(getEthBalance[:], who[:]...)})
			} else {
				targets = append(targets, target{call.To, call.Data})
			}
		}
		parts = append(parts, part{chosen[:n], callArg(multicall, encodeTargets(targets))})
		chosen = chosen[n:]
	}
	return parts
}

// unpack reads the answer to a part into results, once it has named the chain
// and the block that were asked for.
func (p part) unpack(raw []byte, id uint64, at Block, results []result) error {
	got, ok := decodeReturns(raw)
	if !ok {
		return faultf(malformed, "Multicall3 answered what it cannot")
	}
	if len(got) != len(witnesses)+len(p.calls) {
		return faultf(malformed, "Multicall3 gave %d answers to %d calls", len(got), len(witnesses)+len(p.calls))
	}
	want := [][]byte{word(id), word(at.Number), word(uint64(at.Time.Unix())), at.Parent[:]}
	for i, w := range witnesses {
		if !got[i].success || !bytes.Equal(got[i].data, want[i]) {
			return faultf(mismatch, "%s of the read is %s, not %s", w.name, brief(got[i].data), brief(want[i]))
		}
	}
	for i, r := range got[len(witnesses):] {
		if r.success {
			results[p.calls[i]] = result{ok: true, data: r.data}
		} else {
			results[p.calls[i]] = result{blank: len(r.data) == 0}
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
