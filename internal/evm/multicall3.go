package evm

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm/jsonrpc"
)

// Selectors of Multicall3. We encode its calldata by hand, because accounts/abi takes twenty times
// as long.
var (
	aggregate3    = [4]byte{0x82, 0xad, 0x56, 0xcb}
	getEthBalance = [4]byte{0x4d, 0x23, 0x01, 0xcc}
)

// identityCalls are calls to Multicall3 that return the chain and block of a bundle.
var identityCalls = []struct {
	name     string
	selector [4]byte
}{
	{"getChainId", [4]byte{0x34, 0x08, 0xe4, 0x70}},
	{"getBlockNumber", [4]byte{0x42, 0xcb, 0xb1, 0x5c}},
	{"getCurrentBlockTimestamp", [4]byte{0x0f, 0x28, 0xc9, 0x7d}},
	{"getLastBlockHash", [4]byte{0x27, 0xe8, 0x6d, 0x6e}},
}

// The limits of a bundle. The calldata is short enough for any node. The calls share the 50 million
// gas that nodes grant, on average more than 200,000 for each call.
const (
	bundleCalls = 200
	bundleBytes = 96 << 10
)

// A bundle is several calls in one aggregate3.
type bundle struct {
	calls []int           // indexes into the plan's calls
	arg   json.RawMessage // argument of eth_call
}

// A result is the outcome of one call. The data of a revert is dropped, because it differs from
// node to node.
type result struct {
	ok          bool
	emptyRevert bool // reverted without data; running out of gas looks the same
	data        []byte
}

// pack bundles the chosen calls, at most limit in each bundle.
func pack(multicall common.Address, calls []Call, chosen []int, limit int) []bundle {
	var bundles []bundle
	for len(chosen) > 0 {
		n := 0
		size := 0
		for n < len(chosen) && n < limit && (n == 0 || size+len(calls[chosen[n]].Data) <= bundleBytes) {
			size += len(calls[chosen[n]].Data) + 192
			n++
		}
		list := make([]Call, 0, len(identityCalls)+n)
		for _, w := range identityCalls {
			list = append(list, Call{To: multicall, Data: w.selector[:]})
		}
		for _, i := range chosen[:n] {
			call := calls[i]
			if call.Balance {
				who := common.BytesToHash(call.To[:])
				call = Call{To: multicall, Data: append(getEthBalance[:], who[:]...)}
			}
			list = append(list, call)
		}
		bundles = append(bundles, bundle{chosen[:n], callArg(multicall, encodeCalls(list))})
		chosen = chosen[n:]
	}
	return bundles
}

// unpack checks that a bundle's answer names the expected chain and block, and reads the answer
// into results.
func (b bundle) unpack(raw []byte, id uint64, at Block, results []result) error {
	got, ok := decodeResults(raw)
	if !ok {
		return jsonrpc.Faultf(jsonrpc.Malformed, "Multicall3 gave an answer that is not valid")
	}
	if len(got) != len(identityCalls)+len(b.calls) {
		return jsonrpc.Faultf(jsonrpc.Malformed, "Multicall3 gave %d answers to %d calls", len(got),
			len(identityCalls)+len(b.calls))
	}
	want := [][]byte{word(id), word(at.Number), word(uint64(at.Time.Unix())), at.Parent[:]}
	for i, w := range identityCalls {
		if !got[i].ok || !bytes.Equal(got[i].data, want[i]) {
			return jsonrpc.Faultf(jsonrpc.Mismatch, "%s of the read is %s, not %s", w.name,
				brief(got[i].data), brief(want[i]))
		}
	}
	for i, r := range got[len(identityCalls):] {
		if !r.ok {
			r = result{emptyRevert: len(r.data) == 0}
		}
		results[b.calls[i]] = r
	}
	return nil
}

// word returns n as a uint256.
func word(n uint64) []byte {
	w := make([]byte, 32)
	binary.BigEndian.PutUint64(w[24:], n)
	return w
}

// brief prints a word in decimal or, if it is longer than 64 bits, in hexadecimal.
func brief(b []byte) string {
	b = b[:min(len(b), 32)]
	if n := new(big.Int).SetBytes(b); n.IsUint64() {
		return n.String()
	}
	return common.Bytes2Hex(b)
}

// callArg returns {"data":data,"to":to} as JSON.
func callArg(to common.Address, data []byte) json.RawMessage {
	text := make([]byte, 0, 2*len(data)+70)
	text = hex.AppendEncode(append(text, `{"data":"0x`...), data)
	text = hex.AppendEncode(append(text, `","to":"0x`...), to[:])
	return append(text, `"}`...)
}

// encodeCalls returns the calldata of aggregate3((address,bool,bytes)[]). allowFailure, the second
// member of each tuple, is always set.
func encodeCalls(calls []Call) []byte {
	size := 4 + 64
	for _, c := range calls {
		size += 32 + 128 + padded(len(c.Data))
	}
	out := make([]byte, 0, size)
	out = append(out, aggregate3[:]...)
	out = appendWord(out, 32)
	out = appendWord(out, len(calls))
	at := 32 * len(calls)
	for _, c := range calls {
		out = appendWord(out, at)
		at += 128 + padded(len(c.Data))
	}
	for _, c := range calls {
		out = append(append(out, make([]byte, 12)...), c.To[:]...)
		out = appendWord(out, 1)
		out = appendWord(out, 96)
		out = appendWord(out, len(c.Data))
		out = append(out, c.Data...)
		out = append(out, make([]byte, padded(len(c.Data))-len(c.Data))...)
	}
	return out
}

func padded(n int) int { return (n + 31) &^ 31 }

func appendWord(out []byte, n int) []byte {
	out = append(out, make([]byte, 24)...)
	return binary.BigEndian.AppendUint64(out, uint64(n))
}

// decodeResults reads (bool,bytes)[]. It does not trust the node: it checks every offset and length.
// The data of the results is part of raw, not a copy. Reverts still have their data.
func decodeResults(raw []byte) ([]result, bool) {
	array, ok := follow(raw, 0)
	if !ok {
		return nil, false
	}
	n, ok := wordAt(array, 0)
	items := array[min(32, len(array)):]
	if !ok || n > len(items)/32 {
		return nil, false
	}
	out := make([]result, n)
	for i := range out {
		tuple, ok := follow(items, 32*i)
		if !ok {
			return nil, false
		}
		success, okSuccess := wordAt(tuple, 0)
		data, okData := follow(tuple, 32)
		length, okLength := wordAt(data, 0)
		if !okSuccess || success > 1 || !okData || !okLength || length > len(data)-32 {
			return nil, false
		}
		out[i] = result{ok: success == 1, data: data[32 : 32+length : 32+length]}
	}
	return out, true
}

// follow reads an offset from the word at b[at:], and returns b from that offset on.
func follow(b []byte, at int) ([]byte, bool) {
	n, ok := wordAt(b, at)
	if !ok || n > len(b) {
		return nil, false
	}
	return b[n:], true
}

var zeros [28]byte

// wordAt returns the word at b[at:] as a number. It reports false if b is too short, or if the
// number does not fit in 31 bits.
func wordAt(b []byte, at int) (int, bool) {
	if at < 0 || len(b)-at < 32 {
		return 0, false
	}
	w := b[at : at+32]
	n := binary.BigEndian.Uint32(w[28:])
	return int(n & 0x7fffffff), bytes.Equal(w[:28], zeros[:]) && n>>31 == 0
}
