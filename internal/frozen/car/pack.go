package car

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Pack writes the folder fsys into w as a CAR, and returns the folder's CID. It
// writes the header last, when the root is known: until then w holds no CAR that
// Open would take. Memory grows with the entries of the largest directory only.
// added, unless nil, is called with each file that was written.
func Pack(ctx context.Context, fsys fs.FS, w io.WriteSeeker, added func(name string, size int64)) (CID, error) {
	if _, err := w.Write(make([]byte, len(header(CID{})))); err != nil {
		return CID{}, fmt.Errorf("writing the CAR: %w", err)
	}
	out := bufio.NewWriterSize(w, 1<<20)
	p := &packer{ctx: ctx, fsys: fsys, added: added, write: func(b []byte) error { _, err := out.Write(b); return err }}
	root, err := p.directory(".")
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		_, err = w.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = w.Write(header(root.cid))
	}
	if err != nil {
		return CID{}, fmt.Errorf("writing the CAR: %w", err)
	}
	return root.cid, nil
}

// Root returns the CID that a folder has when it is packed, and writes nothing.
func Root(ctx context.Context, fsys fs.FS) (CID, error) {
	p := &packer{ctx: ctx, fsys: fsys, write: func([]byte) error { return nil }}
	root, err := p.directory(".")
	return root.cid, err
}

// A packer writes the blocks of one folder, those below a node before it.
type packer struct {
	ctx   context.Context
	fsys  fs.FS
	write func([]byte) error
	added func(string, int64)
	chunk []byte // of the file at hand
	head  []byte
}

// emit writes one block.
func (p *packer) emit(codec byte, block []byte) (CID, error) {
	cid := cidOf(codec, block)
	p.head = binary.AppendUvarint(p.head[:0], uint64(len(cid)+len(block)))
	p.head = append(p.head, cid[:]...)
	return cid, errors.Join(p.write(p.head), p.write(block))
}

// directory packs a directory with all that is in it.
func (p *packer) directory(dir string) (link, error) {
	list, err := p.list(dir)
	if err != nil {
		return link{}, err
	}
	for i := range list {
		if err := p.ctx.Err(); err != nil {
			return link{}, err
		}
		l, name := &list[i], path.Join(dir, list[i].name)
		var below link
		switch {
		case l.mode.IsDir():
			below, err = p.directory(name)
		case l.mode.IsRegular():
			below, err = p.file(name)
		default:
			err = fmt.Errorf("%s is neither a file nor a directory", name)
		}
		if err != nil {
			return link{}, err
		}
		l.cid, l.size = below.cid, below.size
	}
	if len(list) > flatLimit {
		return writeShards(list, 0, p.emit)
	}
	n := &node{kind: typeDirectory}
	for _, e := range list {
		n.links = append(n.links, e.link)
	}
	sortLinks(n.links)
	return writeNode(n, p.emit)
}

// A child is one entry of a directory. Where there are millions, this is all that is kept
// of each.
type child struct {
	link
	hash uint64 // of the name, for the shards
	mode fs.FileMode
}

// list returns what is in a directory, by name: the file system's own list would
// take several times the memory.
func (p *packer) list(dir string) ([]child, error) {
	f, err := p.fsys.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	reader, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil, fmt.Errorf("%s cannot be listed", dir)
	}
	var out []child
	for {
		some, err := reader.ReadDir(listed)
		for _, e := range some {
			out = append(out, child{link: link{name: e.Name()}, mode: e.Type()})
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b child) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// listed is how many entries are read at a time.
const listed = 1000

// A part is a link of a file's node with the bytes of the file below it.
type part struct {
	link
	content uint64
}

// file packs a file: one raw block, or several with nodes above them.
func (p *packer) file(name string) (link, error) {
	f, err := p.fsys.Open(name)
	if err != nil {
		return link{}, err
	}
	defer f.Close()
	if p.chunk == nil {
		p.chunk = make([]byte, chunkSize)
	}
	var parts []part
	var total int64
	for {
		n, err := io.ReadFull(f, p.chunk)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return link{}, err
		}
		if n > 0 || len(parts) == 0 {
			cid, err := p.emit(codecRaw, p.chunk[:n])
			if err != nil {
				return link{}, err
			}
			parts = append(parts, part{link{cid: cid, size: uint64(n)}, uint64(n)})
			total += int64(n)
		}
		if n < chunkSize {
			break
		}
	}
	for len(parts) > 1 {
		if parts, err = p.level(parts); err != nil {
			return link{}, err
		}
	}
	if p.added != nil {
		p.added(name, total)
	}
	return parts[0].link, nil
}

// level puts nodes above the parts of a file.
func (p *packer) level(parts []part) (above []part, err error) {
	for len(parts) > 0 {
		n := &node{kind: typeFile}
		var content uint64
		count := min(len(parts), fileLinks)
		for _, x := range parts[:count] {
			n.links, n.sizes = append(n.links, x.link), append(n.sizes, x.content)
			content += x.content
		}
		l, err := writeNode(n, p.emit)
		if err != nil {
			return nil, err
		}
		above, parts = append(above, part{l, content}), parts[count:]
	}
	return above, nil
}
