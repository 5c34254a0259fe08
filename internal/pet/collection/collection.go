// Package collection reads the file that describes a collection of tokens, and
// compiles it: how a contract returns a token's traits, which of them listings
// filter and sort by, and what is published of them. Parse reads a file; Pets is
// the default one. A token's traits are a Value.
package collection

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/yamlfile"
)

// Limits of a collection.
const (
	maxFile    = 1 << 20 // bytes
	maxFields  = 64
	maxColumns = 12 // fields that listings filter or sort by
	maxCounted = 6
	maxWords   = 64
	maxShows   = 256 // attributes, and keys of data
)

// A Collection is a compiled collection file. It never changes.
type Collection struct {
	Name, One, Many, Description string

	Getters []Getter
	Count   Count
	Fields  []Field // all of them, slices of others too

	*Layout
	events     map[common.Hash]idPlace
	labels     map[string]string // see ImportField
	addresses  int               // fields that are addresses
	kindFields []*Field          // see KindFields
	file       *file             // what texts are compiled from
	name       string            // of the file
	source     []byte            // its text
}

// A Field is one trait, or a slice of one.
type Field struct {
	Name    string // the contract's in lower case: in rawData, imports and changes
	Key     string // in queries, packs and texts
	Type    Type
	Look    bool // it shows in pictures
	Rank    bool // the higher, the rarer
	Filter  bool
	Sort    Sort
	Counted bool
	Values  int // how many values are known to be in use; 0: not said
	Bool    bool
	Column  int // 1 to 12, in which column the store keeps it for listings; 0: in none

	role    string // id or name: it is not part of a Value
	place   int    // in Collection.Fields
	stored  int    // its place in the layout; -1: id, name, or a slice
	offset  int    // of its bytes in a Value, if they are of fixed size
	begin   int    // of the same in a word of an answer
	end     int
	unused  [4]uint64 // the bits of that word that are no part of it
	reading reading
	parent  int   // of a slice: the place of its field in Fields
	low     uint  // of a slice: its lowest bit or digit
	width   uint  // of a slice: how many bits or digits; 0: no slice
	decimal bool  // of a slice: digits instead of bits
	getters []int // that return it
	address int   // its place among the addresses, from 1; 0: it is none
}

// A Sort is the order in which a listing shows the values of a field.
type Sort string

// The orders of a field; "" means that listings cannot be sorted by it.
const (
	Ascending  Sort = "ascending"
	Descending Sort = "descending"
)

//go:embed pets.yaml
var petsFile []byte

// Pets returns the default collection.
func Pets() *Collection {
	c, err := Parse("pets.yaml", petsFile)
	if err != nil {
		panic(err) // a test reads the same file
	}
	return c
}

// Parse reads a collection file and compiles it. Its error lists everything that
// is wrong with the file, each fault with its line.
func Parse(name string, text []byte) (*Collection, error) {
	f := new(file)
	c := new(Collection)
	err := yamlfile.Reader{Max: maxFile}.Read(name, text, f, func() []yamlfile.Fault { return c.compile(f) })
	if err != nil {
		return nil, err
	}
	c.name, c.source = name, text
	return c, nil
}

// Source returns the text that the collection was read from.
func (c *Collection) Source() []byte { return c.source }

// FieldNamed returns the field with a key or a name, nil if there is none.
func (c *Collection) FieldNamed(name string) *Field {
	for i := range c.Fields {
		if f := &c.Fields[i]; f.Key == name || f.Name == name {
			return f
		}
	}
	return nil
}

// KindFields returns the fields that decide which kind a token is of, nil where the
// collection has no kinds.
func (c *Collection) KindFields() []*Field { return c.kindFields }

// RankField returns the field that says how rare a token is, nil if there is none.
func (c *Collection) RankField() *Field {
	for i := range c.Fields {
		if c.Fields[i].Rank {
			return &c.Fields[i]
		}
	}
	return nil
}

// Has reports whether a value has the field.
func (c *Collection) Has(v Value, f *Field) bool {
	if f.width > 0 {
		f = &c.Fields[f.parent]
	}
	return f.stored >= 0 && c.has(v, f.stored)
}

// Uint returns a field as the store's columns keep it: a number of at most 64
// bits, of which a negative one keeps its bits, or the number of a word. It is 0 where
// the value lacks the field, and for fields that are wider or no numbers. A field that
// is read as a bool is 1 for every number but 0.
func (c *Collection) Uint(v Value, f *Field) uint64 {
	n := c.uint(v, f)
	if f.Bool {
		n = min(n, 1)
	}
	return n
}

// uint is Uint without regard to bools.
func (c *Collection) uint(v Value, f *Field) uint64 {
	switch f.reading {
	case readByte:
		if c.has(v, f.stored) {
			return uint64(v[f.offset])
		}
	case read8Bytes:
		if c.has(v, f.stored) {
			return binary.BigEndian.Uint64([]byte(v[f.offset : f.offset+8]))
		}
	case readNumber:
		n, raw := uint64(0), c.bytes(v, f.stored)
		for i := range len(raw) {
			n = n<<8 | uint64(raw[i])
		}
		if f.Type.kind == kindInt && raw != "" && raw[0]&0x80 != 0 {
			n |= ^uint64(0) << f.Type.bits
		}
		return n
	case readSlice:
		return c.slice(v, f)
	case readWord:
		return wordNumber(c.Layout.text(v, f.stored))
	}
	return 0
}

// A reading is how uint reads a field.
type reading uint8

const (
	readNothing reading = iota
	readByte
	read8Bytes
	readNumber
	readSlice
	readWord
)

// readingOf returns how a field is read.
func readingOf(f *Field) reading {
	switch t := f.Type; {
	case f.width > 0:
		return readSlice
	case f.stored < 0:
		return readNothing
	case t.kind == kindWord:
		return readWord
	case !t.isNumber() || t.bits > 64:
		return readNothing
	case t.bits == 64:
		return read8Bytes
	case t.bits == 8 && t.kind != kindInt:
		return readByte
	}
	return readNumber
}

// wordNumber returns the number of a word, which is the same in any case: a hash of 63
// bits, so that it is the same in every store. That of no word is 0.
func wordNumber(word string) uint64 {
	if word == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(strings.ToLower(word)))
	return binary.BigEndian.Uint64(sum[:]) >> 1
}

// slice returns a slice of another field.
func (c *Collection) slice(v Value, f *Field) uint64 {
	raw := c.bytes(v, c.Fields[f.parent].stored)
	if !f.decimal {
		return sliceBits(raw, f.low, f.width)
	}
	n := new(big.Int).SetBytes([]byte(raw))
	n.Div(n, power(f.low))
	return n.Mod(n, power(f.width)).Uint64()
}

// sliceBits returns up to 63 bits of a big-endian number, from the bit low on.
func sliceBits(raw string, low, width uint) (n uint64) {
	lowest := len(raw) - 1 - int(low/8)
	for i := 0; i <= 8 && lowest-i >= 0; i++ { // they are in at most nine bytes
		if b := uint64(raw[lowest-i]); i == 0 {
			n = b >> (low % 8)
		} else {
			n |= b << (uint(8*i) - low%8)
		}
	}
	return n & (1<<width - 1)
}

func power(n uint) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// Text returns a field as text: a decimal number, a checksummed address, bytes in
// hexadecimal digits, or the text itself. It is empty where the value lacks it.
func (c *Collection) Text(v Value, f *Field) string {
	switch {
	case !c.Has(v, f):
		return ""
	case f.width > 0:
		return strconv.FormatUint(c.slice(v, f), 10)
	}
	return c.textOf(v, f.stored)
}

// A delta is a field that differs between two values.
type delta struct{ Field, From, To string }

// Diff lists the stored fields in which two values differ.
func (c *Collection) Diff(from, to Value) []delta {
	if from == to {
		return nil
	}
	var list []delta
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.stored < 0 {
			continue
		}
		if a, b := c.Text(from, f), c.Text(to, f); a != b {
			list = append(list, delta{f.Name, a, b})
		}
	}
	return list
}

// CountedFields returns the fields by which tokens are counted together.
func (c *Collection) CountedFields() []*Field {
	return c.fieldsWith(func(f *Field) bool { return f.Counted })
}

// Columns returns the fields that the store keeps for listings, by their column.
func (c *Collection) Columns() []*Field {
	return c.fieldsWith(func(f *Field) bool { return f.Column > 0 })
}

// Filters returns the fields that listings can select by.
func (c *Collection) Filters() []*Field {
	return c.fieldsWith(func(f *Field) bool { return f.Filter })
}

func (c *Collection) fieldsWith(want func(*Field) bool) (list []*Field) {
	for i := range c.Fields {
		if want(&c.Fields[i]) {
			list = append(list, &c.Fields[i])
		}
	}
	return list
}
