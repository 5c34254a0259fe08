// Package car keeps a folder in one file that names its own content: a CAR, the
// archive of IPFS. Pack writes one, and returns the CID of the folder; Open
// reads one as a file system, and finds every byte that is not the one that was
// packed.
//
// The same folder has the same bytes and the same CID whenever it is packed: CIDs
// are of version 1 with SHA-256, a file is cut into raw blocks of 1 MiB, under
// nodes of 1,024 links where it has several, and a directory of more than 1,000
// entries is sharded by the names' hashes, 256 ways. That is what the npm package
// ipfs-car does; other programs cut and shard by other rules, and give the same
// folder another CID.
package car

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	chunkSize  = 1 << 20 // bytes of a file in one block
	fileLinks  = 1024    // of one node of a file
	flatLimit  = 1000    // entries of a directory that is one block
	shardWidth = 256     // slots of one shard
)

// The codecs of our blocks.
const (
	codecRaw   = 0x55
	codecDagPB = 0x70
)

// A CID names a block by its content: version 1, a codec, SHA-256.
type CID [36]byte

// cidOf names a block.
func cidOf(codec byte, block []byte) CID {
	c := CID{1, codec, 0x12, sha256.Size}
	sum := sha256.Sum256(block)
	copy(c[4:], sum[:])
	return c
}

var base32Lower = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// String is the CID as it is written in addresses.
func (c CID) String() string { return "b" + base32Lower.EncodeToString(c[:]) }

func (c CID) codec() byte { return c[1] }

// parseCID reads the CID at the beginning of b.
func parseCID(b []byte) (c CID, err error) {
	if len(b) < len(c) {
		return c, fmt.Errorf("%w: a CID is cut off", ErrCorrupt)
	}
	copy(c[:], b)
	if c[0] != 1 || c[1] != codecRaw && c[1] != codecDagPB || c[2] != 0x12 || c[3] != sha256.Size {
		return c, fmt.Errorf("%w: a CID that is not of version 1, raw or dag-pb, with SHA-256", ErrForeign)
	}
	return c, nil
}

var (
	// ErrCorrupt: the file is cut, or a byte of it is not what it was.
	ErrCorrupt = errors.New("the CAR is damaged")
	// ErrForeign: a CAR, perhaps, but not of a folder that Pack has packed.
	ErrForeign = errors.New("not a CAR of a packed folder")
)

// header is the first section of a CAR with one root: {"roots":[root],"version":1}
// in DAG-CBOR. Its length does not depend on the root.
func header(root CID) []byte {
	b := append([]byte{0xa2, 0x65}, "roots"...)
	b = append(b, 0x81, 0xd8, 0x2a, 0x58, byte(len(root)+1), 0) // an array of one link
	b = append(b, root[:]...)
	b = append(append(b, 0x67), "version"...)
	b = append(b, 1)
	return append(binary.AppendUvarint(nil, uint64(len(b))), b...)
}
