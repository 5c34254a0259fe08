// Package collection reads and compiles the file that describes a collection of tokens: how a
// contract returns a token's traits, which traits listings filter and sort by, and how traits are
// published. Parse reads a file; Pets returns the default collection. A Value has a token's traits.
package collection

import (
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/yamlfile"
)

// Limits of a collection.
const (
	maxFile    = 1 << 20 // bytes
	maxFields  = 64
	maxColumns = 12 // fields that listings filter or sort by
	maxWords   = 64
	maxShows   = 256 // attributes, and keys of data
)

// A Collection is a compiled collection file. It never changes.
type Collection struct {
	Name, One, Many, Description string

	Getters []Getter
	Count   Count
	Fields  []Field // all fields, including slices of other fields

	*Layout
	events     map[common.Hash]idPlace
	labels     map[string]string // field names by label, for ImportField
	addresses  int               // number of fields that are addresses
	kindFields []*Field          // returned by KindFields
	file       *file             // source of the compiled texts
	name       string            // name of the file
	source     []byte            // text of the file
}

// A Field is one trait, or a slice of one.
type Field struct {
	Name   string // its name in the collection file
	Raw    string // its name in rawData, in changes and in the store: Name in lower case
	Key    string // its name in queries and in the file names of packs
	Type   Type
	Look   bool // pictures depend on it
	Rank   bool // higher values are rarer
	Filter bool
	Sort   Sort
	Change string // what pages call a change of it, or ""
	Values int    // packs must draw the values 0 to Values-1; 0 if the file does not say
	Bool   bool
	Column int // the store's column for listings, 1 to 12, or 0 for none

	role    string // "id" or "name" if it is the token's id or name, which are not part of a Value; otherwise ""
	place   int    // index in Collection.Fields
	stored  int    // index in the layout; -1 for id, name and slices
	offset  int    // offset of its bytes in a Value, if its size is fixed
	begin   int    // offset of its bytes in a word (32 bytes) of an answer
	end     int
	parent  int   // of a slice: index of the whole field in Fields
	low     uint  // of a slice: lowest bit
	width   uint  // of a slice: number of bits; otherwise 0
	getters []int // indexes of the getters that return it
	address int   // number among the address fields, from 1; 0 for other fields
}

// A Sort is the order in which listings sort by a field.
type Sort string

// The orders of a field. "" means that listings cannot sort by it.
const (
	Ascending  Sort = "ascending"
	Descending Sort = "descending"
)

//go:embed pets.yaml
var petsFile []byte

// Pets returns the default collection.
func Pets() *Collection { return pets() }

var pets = sync.OnceValue(func() *Collection {
	c, err := Parse("pets.yaml", petsFile)
	if err != nil {
		panic(err) // cannot happen: a test reads the file
	}
	return c
})

// Parse reads and compiles a collection file. Its error lists all faults with their lines.
func Parse(name string, text []byte) (*Collection, error) {
	f := new(file)
	c := new(Collection)
	err := yamlfile.Reader{Max: maxFile}.Read(name, text, f, func() []yamlfile.Fault { return c.compile(f) })
	if err != nil {
		return nil, err
	}
	c.name = name
	c.source = text
	return c, nil
}

// Source returns the text that the collection was read from.
func (c *Collection) Source() []byte { return c.source }

// FieldNamed returns the field with that name in the collection file, or nil.
func (c *Collection) FieldNamed(name string) *Field {
	return c.find(func(f *Field) bool { return f.Name == name })
}

// RawField returns the field that has that name in rawData, or nil.
func (c *Collection) RawField(name string) *Field {
	return c.find(func(f *Field) bool { return f.Raw == name })
}

func (c *Collection) find(want func(*Field) bool) *Field {
	for i := range c.Fields {
		if want(&c.Fields[i]) {
			return &c.Fields[i]
		}
	}
	return nil
}

// KindFields returns the fields that decide the kind of a token. It returns nil if the collection
// has no kinds.
func (c *Collection) KindFields() []*Field { return c.kindFields }

// RankField returns the field that says how rare a token is, or nil.
func (c *Collection) RankField() *Field {
	return c.find(func(f *Field) bool { return f.Rank })
}

// Has reports whether a value has the field.
func (c *Collection) Has(v Value, f *Field) bool {
	if f.width > 0 {
		f = &c.Fields[f.parent]
	}
	return f.stored >= 0 && c.has(v, f.stored)
}

// Uint returns a field as the store's columns keep it: a number of up to 64 bits (a negative one
// keeps its bits), or the number of a word (see wordNumber). It is 0 if the value lacks the field,
// or if the field's type has no such number. A field with bool set is 0 or 1.
func (c *Collection) Uint(v Value, f *Field) uint64 {
	n := c.uint(v, f)
	if f.Bool {
		n = min(n, 1)
	}
	return n
}

// uint is Uint without the conversion for bool.
func (c *Collection) uint(v Value, f *Field) uint64 {
	switch t := f.Type; {
	case f.width > 0:
		return sliceBits(c.bytes(v, c.Fields[f.parent].stored), f.low, f.width)
	case f.stored >= 0 && t.kind == kindWord:
		return wordNumber(c.Layout.text(v, f.stored))
	case f.stored < 0 || !t.isNumber() || t.bits > 64:
		return 0
	}
	raw := c.bytes(v, f.stored)
	n := uint64(0)
	for i := range len(raw) {
		n = n<<8 | uint64(raw[i])
	}
	if f.Type.kind == kindInt && raw != "" && raw[0]&0x80 != 0 {
		n |= ^uint64(0) << f.Type.bits
	}
	return n
}

// wordNumber returns the number of a word: a hash of 63 bits that ignores case and is the same in
// every store. An empty word has the number 0.
func wordNumber(word string) uint64 {
	if word == "" {
		return 0
	}
	sum := sha256.Sum256([]byte(strings.ToLower(word)))
	return binary.BigEndian.Uint64(sum[:]) >> 1
}

// sliceBits returns width bits, up to 63, of a big-endian number. low is the lowest of these bits.
func sliceBits(raw string, low, width uint) uint64 {
	n := new(big.Int).SetBytes([]byte(raw))
	n.Rsh(n, low)
	return n.And(n, big.NewInt(1<<width-1)).Uint64()
}

// Text returns a field as text: a decimal number, a checksummed address, hexadecimal digits, or the
// text itself. It is empty if the value lacks the field.
func (c *Collection) Text(v Value, f *Field) string {
	switch {
	case !c.Has(v, f):
		return ""
	case f.width > 0:
		return strconv.FormatUint(c.uint(v, f), 10)
	}
	return c.textOf(v, f.stored)
}

// Diff calls fn for each stored field in which two values differ, with the texts of both.
func (c *Collection) Diff(from, to Value, fn func(f *Field, before, after string)) {
	if from == to {
		return
	}
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.stored < 0 {
			continue
		}
		before := c.Text(from, f)
		after := c.Text(to, f)
		if before != after {
			fn(f, before, after)
		}
	}
}

// CountedFields returns the fields that tokens are counted by: those that listings can filter by,
// without numbers of more than 16 bits.
func (c *Collection) CountedFields() []*Field {
	return c.fieldsWith(func(f *Field) bool {
		return f.Filter && (f.Type.IsWord() || f.Bool || f.max() <= math.MaxUint16)
	})
}

// Columns returns the fields that have a column for listings in the store, in the order of columns.
func (c *Collection) Columns() []*Field {
	return c.fieldsWith(func(f *Field) bool { return f.Column > 0 })
}

// Filters returns the fields that listings can filter by.
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
