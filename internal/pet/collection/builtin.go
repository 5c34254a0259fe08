package collection

import (
	"slices"
	"strconv"
)

// A builtIn is a value of a token that is not a field.
type builtIn struct {
	name   string
	number func(Token) uint64 // nil if it is a text
}

var builtIns = []builtIn{
	{"id", func(x Token) uint64 { return x.ID }},
	{"name", nil},
	{"number", func(x Token) uint64 { return x.Number }},
	{"realm", nil},
	{"native_realm", nil},
	{"owner", nil},
	{"in_transit", func(x Token) uint64 { return one(x.InTransit) }},
	{"closed", func(x Token) uint64 { return one(x.Closed) }},
	{"block", func(x Token) uint64 { return x.Block }},
	{"changed_at", func(x Token) uint64 { return uint64(max(0, x.ChangedAt)) }},
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

// appendBuiltIn appends the text of a built-in.
func (f *frame) appendBuiltIn(dst []byte, b *builtIn) []byte {
	switch b.name {
	case "name":
		return f.appendName(dst)
	case "realm":
		return append(dst, f.x.Realm...)
	case "native_realm":
		return append(dst, f.x.NativeRealm...)
	case "owner":
		return f.x.casing(0).Append(dst, f.x.Owner)
	case "in_transit", "closed":
		return strconv.AppendBool(dst, b.number(f.x) != 0)
	}
	return strconv.AppendUint(dst, b.number(f.x), 10)
}
