package collection

import (
	"slices"
	"strconv"
)

// A builtIn is a value of a token that is not a field.
type builtIn struct {
	name   string
	number func(*Token) uint64               // nil if it is not a number
	text   func(f *frame, dst []byte) []byte // appends its text; nil for the number in digits
}

var builtIns = []builtIn{
	{name: "id", number: func(x *Token) uint64 { return x.ID }},
	{name: "name", text: (*frame).appendName},
	{name: "number", number: func(x *Token) uint64 { return x.Number }},
	{name: "realm", text: func(f *frame, dst []byte) []byte { return append(dst, f.x.Realm...) }},
	{name: "native_realm", text: func(f *frame, dst []byte) []byte { return append(dst, f.x.NativeRealm...) }},
	{name: "owner", text: func(f *frame, dst []byte) []byte { return f.x.casing(0).Append(dst, f.x.Owner) }},
	{name: "in_transit", number: func(x *Token) uint64 { return one(x.InTransit) },
		text: func(f *frame, dst []byte) []byte { return strconv.AppendBool(dst, f.x.InTransit) }},
	{name: "closed", number: func(x *Token) uint64 { return one(x.Closed) },
		text: func(f *frame, dst []byte) []byte { return strconv.AppendBool(dst, f.x.Closed) }},
	{name: "block", number: func(x *Token) uint64 { return x.Block }},
	{name: "changed_at", number: func(x *Token) uint64 { return uint64(max(0, x.ChangedAt)) }},
}

// builtInNamed returns the built-in with a name, or nil.
func builtInNamed(name string) *builtIn {
	i := slices.IndexFunc(builtIns, func(b builtIn) bool { return b.name == name })
	if i < 0 {
		return nil
	}
	return &builtIns[i]
}

func builtInNames() (names []string) {
	for _, b := range builtIns {
		names = append(names, b.name)
	}
	return names
}

// append appends the text of a built-in.
func (b *builtIn) append(f *frame, dst []byte) []byte {
	if b.text == nil {
		return strconv.AppendUint(dst, b.number(&f.x), 10)
	}
	return b.text(f, dst)
}
