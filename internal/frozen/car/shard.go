package car

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// shardHash is the hash whose bytes say which slots a name belongs to, at eight depths
// below the directory's own node. Beyond the eighth the name is hashed again, with the
// number of the eight.
func shardHash(name string, depth int) uint64 {
	key := []byte(name)
	if round := depth / 8; round > 0 {
		key = append(key, byte(round))
	}
	return murmur3(key)
}

// slotOf is which of a shard's slots a hash belongs to at a depth.
func slotOf(hash uint64, depth int) int { return int(byte(hash >> (56 - 8*(depth%8)))) }

// slot is which of a shard's slots a name belongs to at a depth.
func slot(name string, depth int) int { return slotOf(shardHash(name, depth), depth) }

// writeShards writes the shards of a directory of these children, and
// returns the link to the topmost. It sorts them. emit writes a block.
func writeShards(children []child, depth int, emit func(byte, []byte) (CID, error)) (link, error) {
	if depth%8 == 0 {
		for i := range children {
			children[i].hash = shardHash(children[i].name, depth)
		}
		slices.SortFunc(children, func(a, b child) int { return cmp.Compare(a.hash, b.hash) })
	}
	n := &node{kind: typeShard}
	var bitmap [shardWidth / 8]byte
	for len(children) > 0 {
		i, count := slotOf(children[0].hash, depth), 1
		for count < len(children) && slotOf(children[count].hash, depth) == i {
			count++
		}
		bitmap[len(bitmap)-1-i/8] |= 1 << (i % 8)
		l, prefix := children[0].link, fmt.Sprintf("%02X", i)
		if count > 1 {
			var err error
			if l, err = writeShards(children[:count], depth+1, emit); err != nil {
				return link{}, err
			}
		}
		l.name = prefix + l.name
		n.links = append(n.links, l)
		children = children[count:]
	}
	n.bitmap = bitmap[:]
	for len(n.bitmap) > 0 && n.bitmap[0] == 0 {
		n.bitmap = n.bitmap[1:]
	}
	return writeNode(n, emit)
}

// writeNode writes a node and returns the link to it, without a name.
func writeNode(n *node, emit func(byte, []byte) (CID, error)) (link, error) {
	block := n.encode()
	cid, err := emit(codecDagPB, block)
	size := uint64(len(block))
	for _, l := range n.links {
		size += l.size
	}
	return link{cid: cid, size: size}, err
}

// murmur3 is the first half of MurmurHash3 for 64-bit machines, 128 bits, seed 0.
func murmur3(key []byte) uint64 {
	const c1, c2 = 0x87c37b91114253d5, 0x4cf5ad432745937f
	var h1, h2 uint64
	n := uint64(len(key))
	mix1 := func(k uint64) uint64 { return bits.RotateLeft64(k*c1, 31) * c2 }
	mix2 := func(k uint64) uint64 { return bits.RotateLeft64(k*c2, 33) * c1 }
	for ; len(key) >= 16; key = key[16:] {
		h1 ^= mix1(binary.LittleEndian.Uint64(key))
		h1 = (bits.RotateLeft64(h1, 27)+h2)*5 + 0x52dce729
		h2 ^= mix2(binary.LittleEndian.Uint64(key[8:]))
		h2 = (bits.RotateLeft64(h2, 31)+h1)*5 + 0x38495ab5
	}
	var tail [16]byte
	copy(tail[:], key)
	h2 ^= mix2(binary.LittleEndian.Uint64(tail[8:]))
	h1 ^= mix1(binary.LittleEndian.Uint64(tail[:]))
	h1, h2 = h1^n, h2^n
	h1 += h2
	h2 += h1
	h1, h2 = finish(h1), finish(h2)
	return h1 + h2
}

func finish(k uint64) uint64 {
	k = (k ^ k>>33) * 0xff51afd7ed558ccd
	k = (k ^ k>>33) * 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}
