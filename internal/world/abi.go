package world

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

func selector(signature string) [4]byte { return [4]byte(crypto.Keccak256([]byte(signature))) }

// NewLog returns an event of a contract. The argument indexed says how many of the args become
// topics. The other args become data. The comment of Encode lists the types that args may have.
func NewLog(contract common.Address, signature string, indexed int, args ...any) Log {
	l := Log{Address: contract, Topics: []common.Hash{crypto.Keccak256Hash([]byte(signature))}}
	for _, a := range args[:indexed] {
		l.Topics = append(l.Topics, common.BytesToHash(Encode(a)))
	}
	l.Data = Encode(args[indexed:]...)
	return l
}

// Encode returns the ABI encoding of values. A value is a uint64, a *big.Int, an address, a string,
// or a struct as []any.
func Encode(values ...any) []byte {
	heads := 0
	for _, v := range values {
		if fields, ok := v.([]any); ok && !dynamicValue(v) {
			heads += 32 * len(fields)
		} else {
			heads += 32
		}
	}
	var head, tail []byte
	for _, v := range values {
		encoded := encodeOne(v)
		if dynamicValue(v) {
			head = append(head, Word(big.NewInt(int64(heads+len(tail))))...)
			tail = append(tail, encoded...)
		} else {
			head = append(head, encoded...)
		}
	}
	return append(head, tail...)
}

func encodeOne(v any) []byte {
	switch v := v.(type) {
	case uint64:
		return Word(new(big.Int).SetUint64(v))
	case *big.Int:
		return Word(v)
	case common.Address:
		return common.LeftPadBytes(v[:], 32)
	case string:
		return Bytes([]byte(v))
	case []any:
		return Encode(v...)
	}
	panic(fmt.Sprintf("the ABI encoder does not support %T", v))
}

// dynamicValue reports whether the ABI encodes v as an offset to its data. This is so for a string,
// and for a struct that contains one.
func dynamicValue(v any) bool {
	fields, _ := v.([]any)
	_, dynamic := v.(string)
	for _, f := range fields {
		dynamic = dynamic || dynamicValue(f)
	}
	return dynamic
}

// Word returns n as an ABI word of 32 bytes.
func Word(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }

// Bytes returns the ABI encoding of b: its length, its bytes, and padding.
func Bytes(b []byte) []byte {
	out := append(Word(big.NewInt(int64(len(b)))), b...)
	return append(out, make([]byte, (32-len(b)%32)%32)...)
}

// number returns the number in the word at data[at:]. It reports false if data is too short, or if
// the number does not fit in 31 bits.
func number(data []byte, at int) (uint64, bool) {
	if at < 0 || len(data) < at+32 {
		return 0, false
	}
	n := binary.BigEndian.Uint64(data[at+24:])
	return n, n < 1<<31
}

// tail reads an offset from the word at data[at:], and returns data from that offset on.
func tail(data []byte, at int) ([]byte, bool) {
	n, ok := number(data, at)
	if !ok || n > uint64(len(data)) {
		return nil, false
	}
	return data[n:], true
}

// dynamic reads an offset from the word at data[at:], and returns the byte string at that offset.
func dynamic(data []byte, at int) ([]byte, bool) {
	rest, ok := tail(data, at)
	if !ok {
		return nil, false
	}
	n, ok := number(rest, 0)
	if !ok || n > uint64(len(rest)-32) {
		return nil, false
	}
	return rest[32 : 32+n], true
}
