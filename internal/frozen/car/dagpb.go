package car

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// A link is one entry of a node: a block, and the bytes that are below it.
type link struct {
	name string
	cid  CID
	size uint64 // of the block and of everything below it
}

// The types of a UnixFS node.
const (
	typeDirectory = 1
	typeFile      = 2
	typeShard     = 5
)

const hashMurmur3 = 0x22

// A node is a block that links to others, in UnixFS: a directory, a shard of
// one, or a file of several blocks.
type node struct {
	kind   uint64
	links  []link
	sizes  []uint64 // of a file: of the content below each link
	bitmap []byte   // of a shard: which slots are taken, the first one last
}

// encode writes the node in DAG-PB: its links, and then what UnixFS says of it.
func (n *node) encode() []byte {
	var b []byte
	for _, l := range n.links {
		b = appendBytes(b, 2, l.encode())
	}
	return appendBytes(b, 1, n.data())
}

func (l *link) encode() []byte {
	b := appendBytes(nil, 1, l.cid[:])
	b = appendBytes(b, 2, []byte(l.name))
	return appendNumber(b, 3, l.size)
}

func (n *node) data() []byte {
	b := appendNumber(nil, 1, n.kind)
	switch n.kind {
	case typeFile:
		var size uint64
		for _, s := range n.sizes {
			size += s
		}
		b = appendNumber(b, 3, size)
		for _, s := range n.sizes {
			b = appendNumber(b, 4, s)
		}
	case typeShard:
		b = appendBytes(b, 2, n.bitmap)
		b = appendNumber(b, 5, hashMurmur3)
		b = appendNumber(b, 6, shardWidth)
	}
	return b
}

func appendNumber(b []byte, field int, n uint64) []byte {
	return binary.AppendUvarint(append(b, byte(field<<3)), n)
}

func appendBytes(b []byte, field int, v []byte) []byte {
	b = binary.AppendUvarint(append(b, byte(field<<3|2)), uint64(len(v)))
	return append(b, v...)
}

// decodeNode reads what encode writes. Every other form of the same node is
// foreign: it would have another CID here.
func decodeNode(block []byte) (*node, error) {
	n := &node{}
	err := eachField(block, func(field int, _ uint64, v []byte) error {
		switch field {
		case 2:
			l, err := decodeLink(v)
			n.links = append(n.links, l)
			return err
		case 1:
			return n.decodeData(v)
		}
		return ErrForeign
	})
	if err == nil && string(n.encode()) != string(block) {
		err = ErrForeign
	}
	if err != nil {
		return nil, fmt.Errorf("reading a node: %w", err)
	}
	return n, nil
}

func decodeLink(b []byte) (l link, err error) {
	err = eachField(b, func(field int, number uint64, v []byte) (err error) {
		switch field {
		case 1:
			if len(v) != len(l.cid) {
				return ErrForeign
			}
			l.cid, err = parseCID(v)
		case 2:
			l.name = string(v)
		case 3:
			l.size = number
		default:
			err = ErrForeign
		}
		return err
	})
	return l, err
}

func (n *node) decodeData(b []byte) error {
	return eachField(b, func(field int, number uint64, v []byte) error {
		switch field {
		case 1:
			n.kind = number
		case 2:
			n.bitmap = v
		case 4:
			n.sizes = append(n.sizes, number)
		}
		return nil // encode says whether the rest is as it must be
	})
}

// eachField calls fn with the fields of a protobuf message: numbers and bytes.
func eachField(b []byte, fn func(field int, number uint64, v []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 || key > 0x7f {
			return ErrForeign
		}
		value, m := binary.Uvarint(b[n:])
		if m <= 0 {
			return ErrForeign
		}
		b = b[n+m:]
		var v []byte
		switch key & 7 {
		case 0:
		case 2:
			if value > uint64(len(b)) {
				return ErrForeign
			}
			v, b = b[:value], b[value:]
		default:
			return ErrForeign
		}
		if err := fn(int(key>>3), value, v); err != nil {
			return err
		}
	}
	return nil
}

// sortLinks orders the entries of a directory by their names' bytes.
func sortLinks(links []link) {
	slices.SortFunc(links, func(a, b link) int { return cmp.Compare(a.name, b.name) })
}

// findLink returns the entry with this name of a flat directory.
func (n *node) findLink(name string) (link, bool) {
	i, ok := slices.BinarySearchFunc(n.links, name, func(l link, name string) int { return strings.Compare(l.name, name) })
	if !ok {
		return link{}, false
	}
	return n.links[i], true
}
