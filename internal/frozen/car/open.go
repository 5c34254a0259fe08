package car

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"sync"
)

// maxBlock bounds what is read at once: a chunk of a file, or a directory of a
// thousand long names.
const maxBlock = 2 << 20

// An Archive is a CAR that was opened. It is a file system; see fs.go. It may be
// read by many at once.
type Archive struct {
	r     io.ReaderAt
	root  CID
	index []position // by key

	mu    sync.Mutex
	nodes map[CID]*node // those that were read last, at most keptNodes
}

// keptNodes is how many directories and shards stay in memory once read.
const keptNodes = 1024

// A position is where a block lies. The key is a part of its digest: the whole
// is compared where the block is read. So a block costs 20 bytes of memory.
type position struct {
	key    uint64
	offset int64
}

// Open reads where the blocks of a CAR lie, but not what is in them. It refuses a
// file that is cut off, or that has not exactly one root.
func Open(r io.ReaderAt, size int64) (*Archive, error) {
	a := &Archive{r: r}
	if err := a.scan(size); err != nil {
		return nil, fmt.Errorf("opening the CAR: %w", err)
	}
	slices.SortFunc(a.index, func(x, y position) int {
		switch {
		case x.key != y.key && x.key < y.key, x.key == y.key && x.offset < y.offset:
			return -1
		case x == y:
			return 0
		}
		return 1
	})
	if root, err := a.node(a.root); err != nil {
		return nil, fmt.Errorf("opening the CAR: its root: %w", err)
	} else if root.kind == typeFile {
		return nil, fmt.Errorf("opening the CAR: %w: it holds one file", ErrForeign)
	}
	return a, nil
}

// Root is the CID of the folder.
func (a *Archive) Root() CID { return a.root }

// scan finds every section.
func (a *Archive) scan(size int64) error {
	first := make([]byte, len(header(CID{})))
	if _, err := a.r.ReadAt(first, 0); err != nil {
		return fmt.Errorf("%w: it is too short", ErrForeign)
	}
	copy(a.root[:], first[len(first)-len("\x67version\x01")-len(a.root):])
	if _, err := parseCID(a.root[:]); err != nil || string(header(a.root)) != string(first) {
		return fmt.Errorf("%w: its header is not that of a CAR of version 1 with one root", ErrForeign)
	}
	for at := int64(len(first)); at < size; {
		var head [binary.MaxVarintLen64 + len(CID{})]byte
		n, err := a.r.ReadAt(head[:min(int64(len(head)), size-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		length, m := binary.Uvarint(head[:n])
		if m <= 0 || length < uint64(len(CID{})) || length > maxBlock+uint64(len(CID{})) {
			return fmt.Errorf("%w at byte %d", ErrCorrupt, at)
		}
		cid, err := parseCID(head[m:n])
		if err != nil {
			return fmt.Errorf("%w at byte %d", err, at)
		}
		end := at + int64(m) + int64(length)
		if end > size {
			return fmt.Errorf("%w: it is cut off at byte %d", ErrCorrupt, size)
		}
		a.index = append(a.index, position{cid.key(), at})
		at = end
	}
	return nil
}

func (c CID) key() uint64 { return binary.BigEndian.Uint64(c[4:]) }

// block returns the content that a CID names, checked.
func (a *Archive) block(cid CID) ([]byte, error) {
	i := sort.Search(len(a.index), func(i int) bool { return a.index[i].key >= cid.key() })
	for ; i < len(a.index) && a.index[i].key == cid.key(); i++ {
		found, block, err := a.section(a.index[i].offset)
		if err != nil {
			return nil, err
		}
		if found != cid {
			continue
		}
		if cidOf(cid.codec(), block) != cid {
			return nil, fmt.Errorf("%w: the block at byte %d is not what its name says", ErrCorrupt, a.index[i].offset)
		}
		return block, nil
	}
	return nil, fmt.Errorf("%w: the block %s is missing", ErrCorrupt, cid)
}

// section reads the section at an offset that scan has seen.
func (a *Archive) section(at int64) (cid CID, block []byte, err error) {
	in := bufio.NewReaderSize(io.NewSectionReader(a.r, at, binary.MaxVarintLen64+maxBlock), 64)
	length, err := binary.ReadUvarint(in)
	if err != nil || length < uint64(len(cid)) || length > maxBlock+uint64(len(cid)) {
		return cid, nil, fmt.Errorf("%w at byte %d", ErrCorrupt, at)
	}
	both := make([]byte, length)
	if _, err := io.ReadFull(in, both); err != nil {
		return cid, nil, fmt.Errorf("%w at byte %d: %w", ErrCorrupt, at, err)
	}
	copy(cid[:], both)
	return cid, both[len(cid):], nil
}

// Verify reads every block, whether the folder links to it or not.
func (a *Archive) Verify() error {
	for _, p := range a.index {
		cid, block, err := a.section(p.offset)
		if err != nil {
			return err
		}
		if cidOf(cid.codec(), block) != cid {
			return fmt.Errorf("%w: the block at byte %d is not what its name says", ErrCorrupt, p.offset)
		}
	}
	return nil
}

// node reads a block that has links.
func (a *Archive) node(cid CID) (*node, error) {
	if cid.codec() != codecDagPB {
		return nil, fmt.Errorf("%w: a file where a directory should be", ErrForeign)
	}
	a.mu.Lock()
	n := a.nodes[cid]
	a.mu.Unlock()
	if n != nil {
		return n, nil
	}
	block, err := a.block(cid)
	if err != nil {
		return nil, err
	}
	if n, err = decodeNode(block); err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.nodes == nil || len(a.nodes) >= keptNodes {
		a.nodes = map[CID]*node{}
	}
	a.nodes[cid] = n
	return n, nil
}
