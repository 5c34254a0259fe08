package collection

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/yamlfile"
)

// A Value has the traits of one token in packed form. It is immutable. Values of one layout are
// equal if and only if all traits are equal. Only a Layout can read it. The empty Value has no
// traits.
//
// A Value begins with one bit for each field, which says whether the token has this field. The
// fields of fixed size follow, big-endian, each at its offset. The texts come last, each after its
// length.
type Value string

// A Layout says where a Value has each stored field.
type Layout struct {
	fields []layoutField
	fixed  int // bytes of the presence bits and the fields of fixed size
	texts  int // number of text fields
}

type layoutField struct {
	name   string
	typ    Type
	offset int // of a fixed field: offset in the value; of a text: number of texts before it
}

// newLayout lays out fields in the given order.
func newLayout(names []string, types []Type) *Layout {
	l := &Layout{fixed: (len(names) + 7) / 8}
	for i, name := range names {
		f := layoutField{name: name, typ: types[i]}
		if types[i].IsText() {
			f.offset = l.texts
			l.texts++
		} else {
			f.offset = l.fixed
			l.fixed += types[i].size()
		}
		l.fields = append(l.fields, f)
	}
	return l
}

// String describes the layout as text for the store. CheckStored reads it.
func (l *Layout) String() string {
	parts := make([]string, len(l.fields))
	for i, f := range l.fields {
		parts[i] = f.name + ":" + f.typ.String()
	}
	return strings.Join(parts, " ")
}

// Len returns the number of fields.
func (l *Layout) Len() int { return len(l.fields) }

// First returns the layout of the first n fields.
func (l *Layout) First(n int) *Layout {
	var names []string
	var types []Type
	for _, f := range l.fields[:n] {
		names = append(names, f.name)
		types = append(types, f.typ)
	}
	return newLayout(names, types)
}

// has reports whether the value has field i.
func (l *Layout) has(v Value, i int) bool {
	at := uint(i) / 8
	return uint(len(v)) > at && v[at]&(1<<(uint(i)%8)) != 0
}

// bytes returns field i, which has a fixed size, or "" if the value lacks it.
func (l *Layout) bytes(v Value, i int) string {
	if !l.has(v, i) {
		return ""
	}
	f := &l.fields[i]
	return string(v[f.offset : f.offset+f.typ.size()])
}

// text returns field i, which is a text, or "" if the value lacks it.
func (l *Layout) text(v Value, i int) string {
	if !l.has(v, i) {
		return ""
	}
	rest := string(v[l.fixed:])
	for n := l.fields[i].offset; ; n-- {
		size, used := uvarint(rest)
		rest = rest[used:]
		if n == 0 {
			return rest[:size]
		}
		rest = rest[size:]
	}
}

// uvarint is binary.Uvarint for a string that is known to begin with a varint.
func uvarint(s string) (n, used int) {
	for shift := 0; ; shift += 7 {
		b := s[used]
		used++
		n |= int(b&0x7f) << shift
		if b < 0x80 {
			return n, used
		}
	}
}

// Valid reports whether v is a value of this layout. A damaged store may have other values.
func (l *Layout) Valid(v Value) bool {
	if v == "" {
		return true
	}
	if len(v) < l.fixed {
		return false
	}
	rest := []byte(v[l.fixed:])
	for i := range l.fields {
		if l.fields[i].typ.IsText() {
			n, used := binary.Uvarint(rest)
			if used <= 0 || n > uint64(len(rest)-used) {
				return false
			}
			rest = rest[used+int(n):]
		}
	}
	return len(rest) == 0
}

// Convert converts a value of the layout from, which has the first fields of this one. The other
// fields are missing in the result.
func (l *Layout) Convert(from *Layout, v Value) Value {
	b := l.builder()
	for i := range from.fields {
		switch {
		case !from.has(v, i):
		case from.fields[i].typ.IsText():
			b.setText(i, from.text(v, i))
		default:
			b.setBytes(i, from.bytes(v, i))
		}
	}
	return b.value()
}

// textOf returns field i of any type as text.
func (l *Layout) textOf(v Value, i int) string {
	if t := l.fields[i].typ; !t.IsText() {
		return t.text(l.bytes(v, i))
	}
	return l.text(v, i)
}

// A builder makes a Value.
type builder struct {
	layout *Layout
	fixed  []byte
	texts  []string
}

func (l *Layout) builder() *builder {
	return &builder{layout: l, fixed: make([]byte, l.fixed), texts: make([]string, l.texts)}
}

func (b *builder) mark(i int) { b.fixed[uint(i)/8] |= 1 << (uint(i) % 8) }

// setBytes sets a field of fixed size to the last bytes of raw.
func (b *builder) setBytes(i int, raw string) {
	f := &b.layout.fields[i]
	copy(b.fixed[f.offset:f.offset+f.typ.size()], raw[len(raw)-f.typ.size():])
	b.mark(i)
}

func (b *builder) setText(i int, s string) {
	b.texts[b.layout.fields[i].offset] = s
	b.mark(i)
}

func (b *builder) value() Value {
	out := b.fixed
	for _, s := range b.texts {
		out = append(binary.AppendUvarint(out, uint64(len(s))), s...)
	}
	return Value(out)
}

// A Type is the type of a field: a type of Solidity, or "word". A word is a text that listings can
// filter by, because it has a number (see wordNumber).
type Type struct {
	kind kind
	bits int // width of a number; 8·N for bytesN
}

type kind uint8

const (
	kindUint kind = iota + 1
	kindInt
	kindBool
	kindAddress
	kindBytes
	kindString
	kindWord
)

// parseType reads a type as a collection file spells it.
func parseType(s string) (Type, error) {
	switch s {
	case "bool":
		return Type{kindBool, 8}, nil
	case "address":
		return Type{kindAddress, 160}, nil
	case "string":
		return Type{kind: kindString}, nil
	case "word":
		return Type{kind: kindWord}, nil
	}
	for _, family := range []struct {
		prefix string
		kind   kind
		unit   int
	}{{"uint", kindUint, 1}, {"int", kindInt, 1}, {"bytes", kindBytes, 8}} {
		digits, ok := strings.CutPrefix(s, family.prefix)
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || strconv.Itoa(n) != digits {
			continue
		}
		if bits := n * family.unit; bits > 0 && bits <= 256 && bits%8 == 0 {
			return Type{family.kind, bits}, nil
		}
	}
	return Type{}, fmt.Errorf("unknown type %q; %sa type is uint8 to uint256, int8 to int256, bool, address, "+
		"bytes1 to bytes32, string or word", s,
		yamlfile.DidYouMean(s, "uint256", "int256", "bool", "address", "string", "word"))
}

func (t Type) String() string {
	switch t.kind {
	case kindUint:
		return "uint" + strconv.Itoa(t.bits)
	case kindInt:
		return "int" + strconv.Itoa(t.bits)
	case kindBool:
		return "bool"
	case kindAddress:
		return "address"
	case kindBytes:
		return "bytes" + strconv.Itoa(t.bits/8)
	case kindWord:
		return "word"
	}
	return "string"
}

// solidity returns the type's name in a contract. A word is a string there.
func (t Type) solidity() string {
	if t.kind == kindWord {
		return "string"
	}
	return t.String()
}

// IsSigned reports whether the type has negative values.
func (t Type) IsSigned() bool { return t.kind == kindInt }

// IsWord reports whether the type is word.
func (t Type) IsWord() bool { return t.kind == kindWord }

// IsText reports whether the type is a text.
func (t Type) IsText() bool { return t.kind == kindString || t.kind == kindWord }

func (t Type) isNumber() bool { return t.kind == kindUint || t.kind == kindInt || t.kind == kindBool }
func (t Type) size() int      { return int(uint(t.bits) / 8) }

// narrow reports whether all values fit into a 64-bit column.
func (t Type) narrow() bool {
	return t.kind == kindWord || t.isNumber() && t.bits <= 64
}

// number returns the bytes of a number as an integer.
func (t Type) number(raw string) *big.Int {
	n := new(big.Int).SetBytes([]byte(raw))
	if t.kind == kindInt && len(raw) > 0 && raw[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(t.bits)))
	}
	return n
}

// text writes a value of fixed size as text. parse reads it.
func (t Type) text(raw string) string {
	switch t.kind {
	case kindBool:
		return strconv.FormatBool(raw != "\x00")
	case kindAddress:
		return common.Address([]byte(raw)).Hex()
	case kindBytes:
		return "0x" + common.Bytes2Hex([]byte(raw))
	}
	return t.number(raw).String()
}

// parse reads an imported text into the bytes of the type.
func (t Type) parse(s string) (string, error) {
	switch t.kind {
	case kindBool:
		if s != "true" && s != "false" && s != "1" && s != "0" {
			return "", errors.New("the value is neither true nor false")
		}
		if s == "true" || s == "1" {
			return "\x01", nil
		}
		return "\x00", nil
	case kindAddress:
		if !common.IsHexAddress(s) || !strings.HasPrefix(s, "0x") {
			return "", errors.New("the value is not an address")
		}
		return string(common.HexToAddress(s).Bytes()), nil
	case kindBytes:
		raw := common.FromHex(s)
		if !strings.HasPrefix(s, "0x") || len(s) != 2+2*len(raw) || len(raw) != t.size() {
			return "", fmt.Errorf("the value is not 0x followed by %d hexadecimal digits", 2*t.size())
		}
		return string(raw), nil
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || n.String() != s {
		return "", errors.New("the value is not a whole number in decimal digits")
	}
	low := new(big.Int)
	high := new(big.Int).Lsh(big.NewInt(1), uint(t.bits))
	if t.kind == kindInt {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	if n.Cmp(low) < 0 || n.Cmp(high) >= 0 {
		return "", fmt.Errorf("%s does not fit into %s", s, t)
	}
	if n.Sign() < 0 {
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), uint(t.bits)))
	}
	return string(n.FillBytes(make([]byte, t.size()))), nil
}
