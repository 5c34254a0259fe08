package evm

import (
	"bytes"
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
)

// A target is one call of an aggregate3, always with leave to fail.
type target struct {
	to   common.Address
	data []byte
}

// A returned is what became of it.
type returned struct {
	success bool
	data    []byte // within the answer
}

// encodeTargets is the calldata of aggregate3((address,bool,bytes)[]).
func encodeTargets(targets []target) []byte {
	size := 4 + 64
	for _, t := range targets {
		size += 32 + 128 + padded(len(t.data))
	}
	out := make([]byte, 0, size)
	out = append(out, aggregate3[:]...)
	out = appendWord(out, 32)
	out = appendWord(out, len(targets))
	at := 32 * len(targets)
	for _, t := range targets {
		out = appendWord(out, at)
		at += 128 + padded(len(t.data))
	}
	for _, t := range targets {
		out = append(append(out, make([]byte, 12)...), t.to[:]...)
		out = appendWord(out, 1)
		out = appendWord(out, 96)
		out = appendWord(out, len(t.data))
		out = append(out, t.data...)
		out = append(out, make([]byte, padded(len(t.data))-len(t.data))...)
	}
	return out
}

func padded(n int) int { return (n + 31) &^ 31 }

func appendWord(out []byte, n int) []byte {
	out = append(out, make([]byte, 24)...)
	return binary.BigEndian.AppendUint64(out, uint64(n))
}

// decodeReturns reads (bool,bytes)[]. The answer comes from a stranger: every
// offset and length in it is held against what is there.
func decodeReturns(raw []byte) ([]returned, bool) {
	array, ok := follow(raw, 0)
	if !ok {
		return nil, false
	}
	n, ok := wordAt(array, 0)
	items := array[min(32, len(array)):]
	if !ok || n > len(items)/32 {
		return nil, false
	}
	out := make([]returned, n)
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
		out[i] = returned{success == 1, data[32 : 32+length : 32+length]}
	}
	return out, true
}

// follow is what the offset at a place in b points to.
func follow(b []byte, at int) ([]byte, bool) {
	n, ok := wordAt(b, at)
	if !ok || n > len(b) {
		return nil, false
	}
	return b[n:], true
}

var zeros [28]byte

// wordAt is the word at a place in b, if it is there and a number of 31 bits.
func wordAt(b []byte, at int) (int, bool) {
	if at < 0 || len(b)-at < 32 {
		return 0, false
	}
	w := b[at : at+32]
	n := binary.BigEndian.Uint32(w[28:])
	return int(n & 0x7fffffff), bytes.Equal(w[:28], zeros[:]) && n>>31 == 0
}
