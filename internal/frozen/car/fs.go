package car

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Bounds of what a CAR may make us do, whatever it says.
const (
	maxFile    = 1 << 30  // bytes of a file that is read whole
	maxEntries = 64 << 20 // of a directory
	maxDepth   = 64       // of shards and of a file's nodes
)

var _ interface {
	fs.ReadDirFS
	fs.ReadFileFS
} = (*Archive)(nil)

// find follows a path to what it names.
func (a *Archive) find(op, name string) (link, error) {
	if !fs.ValidPath(name) {
		return link{}, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	at := link{cid: a.root}
	if name == "." {
		return at, nil
	}
	for word := range strings.SplitSeq(name, "/") {
		next, err := a.lookup(at.cid, word)
		if err != nil {
			return link{}, &fs.PathError{Op: op, Path: name, Err: err}
		}
		at = next
	}
	return at, nil
}

// lookup finds one entry of a directory.
func (a *Archive) lookup(dir CID, name string) (link, error) {
	if dir.codec() == codecRaw {
		return link{}, fs.ErrNotExist
	}
	for depth := range maxDepth {
		n, err := a.node(dir)
		if err != nil {
			return link{}, err
		}
		switch n.kind {
		case typeDirectory:
			if l, ok := n.findLink(name); ok && depth == 0 {
				return l, nil
			}
			return link{}, fs.ErrNotExist
		case typeShard:
		default:
			return link{}, fs.ErrNotExist
		}
		prefix := fmt.Sprintf("%02X", slot(name, depth))
		if l, ok := n.findLink(prefix + name); ok {
			l.name = name
			return l, nil
		}
		below, ok := n.findLink(prefix)
		if !ok {
			return link{}, fs.ErrNotExist
		}
		dir = below.cid
	}
	return link{}, ErrForeign
}

// ReadFile returns the content of a file.
func (a *Archive) ReadFile(name string) ([]byte, error) {
	l, err := a.find("read", name)
	if err != nil {
		return nil, err
	}
	b, err := a.content(nil, l.cid, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return b, nil
}

// content appends what is below a node of a file.
func (a *Archive) content(dst []byte, cid CID, depth int) ([]byte, error) {
	if cid.codec() == codecRaw {
		block, err := a.block(cid)
		if err == nil && len(dst)+len(block) > maxFile {
			err = fmt.Errorf("%w: a file of more than %d bytes", ErrForeign, maxFile)
		}
		return append(dst, block...), err
	}
	n, err := a.node(cid)
	if err != nil {
		return nil, err
	}
	if n.kind != typeFile || depth > maxDepth || len(n.links) < 1 || len(n.links) != len(n.sizes) {
		return nil, fmt.Errorf("%w: not a file", ErrForeign)
	}
	for i, l := range n.links {
		before := len(dst)
		if dst, err = a.content(dst, l.cid, depth+1); err != nil {
			return nil, err
		}
		if uint64(len(dst)-before) != n.sizes[i] || n.sizes[i] == 0 {
			return nil, fmt.Errorf("%w: a file's parts are not of the size that it says", ErrForeign)
		}
	}
	return dst, nil
}

// ReadDir lists a directory in the order of its names.
func (a *Archive) ReadDir(name string) ([]fs.DirEntry, error) {
	l, err := a.find("readdir", name)
	if err != nil {
		return nil, err
	}
	links, err := a.entries(l.cid)
	if err != nil {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: err}
	}
	list := make([]fs.DirEntry, len(links))
	for i, l := range links {
		list[i] = entry{a, l}
	}
	return list, nil
}

// entries are those of a directory, flat or sharded.
func (a *Archive) entries(dir CID) ([]link, error) {
	n, err := a.node(dir)
	if err != nil {
		return nil, err
	}
	switch n.kind {
	case typeDirectory:
		return slices.Clone(n.links), nil
	case typeShard:
		links, err := a.shards(nil, n, 0)
		sortLinks(links)
		return links, err
	}
	return nil, fmt.Errorf("%w: not a directory", ErrForeign)
}

// shards appends the entries below a shard. Each must lie where its name belongs,
// so that a few blocks that link to one another over and over are found out.
func (a *Archive) shards(dst []link, n *node, depth int) ([]link, error) {
	for _, l := range n.links {
		if len(l.name) < 2 || depth > maxDepth || len(dst) >= maxEntries {
			return nil, fmt.Errorf("%w: not a shard of a directory", ErrForeign)
		}
		prefix, name := l.name[:2], l.name[2:]
		if name != "" {
			if prefix != fmt.Sprintf("%02X", slot(name, depth)) {
				return nil, fmt.Errorf("%w: an entry lies where its name does not belong", ErrForeign)
			}
			l.name = name
			dst = append(dst, l)
			continue
		}
		below, err := a.node(l.cid)
		if err != nil {
			return nil, err
		}
		before := len(dst)
		if below.kind != typeShard {
			return nil, fmt.Errorf("%w: not a shard of a directory", ErrForeign)
		}
		if dst, err = a.shards(dst, below, depth+1); err != nil {
			return nil, err
		}
		for _, e := range dst[before:] {
			if prefix != fmt.Sprintf("%02X", slot(e.name, depth)) {
				return nil, fmt.Errorf("%w: an entry lies where its name does not belong", ErrForeign)
			}
		}
		if len(dst)-before < 2 {
			return nil, fmt.Errorf("%w: a shard of less than two entries", ErrForeign)
		}
	}
	return dst, nil
}

// Open opens a file or directory.
func (a *Archive) Open(name string) (fs.File, error) {
	l, err := a.find("open", name)
	if err != nil {
		return nil, err
	}
	l.name = path.Base(name)
	e := entry{a, l}
	if e.IsDir() {
		list, err := a.ReadDir(name)
		return &directory{e, list}, err
	}
	b, err := a.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return &file{e, bytes.NewReader(b)}, nil
}

// An entry is what is known of a file or directory. Nothing of a packed folder
// has a date or rights.
type entry struct {
	a *Archive
	l link
}

func (e entry) Name() string               { return e.l.name }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }

func (e entry) Mode() fs.FileMode {
	if e.IsDir() {
		return fs.ModeDir | 0o555
	}
	return 0o444
}

// IsDir says whether it is a directory; what cannot be read is none.
func (e entry) IsDir() bool {
	if e.l.cid.codec() == codecRaw {
		return false
	}
	n, err := e.a.node(e.l.cid)
	return err == nil && n.kind != typeFile
}

// Size is that of a file's content.
func (e entry) Size() int64 {
	if e.l.cid.codec() == codecRaw {
		return int64(e.l.size)
	}
	n, err := e.a.node(e.l.cid)
	if err != nil {
		return 0
	}
	var size uint64
	for _, s := range n.sizes {
		size += s
	}
	return int64(size)
}

type file struct {
	entry
	*bytes.Reader
}

func (f *file) Stat() (fs.FileInfo, error) { return f.entry, nil }
func (f *file) Close() error               { return nil }
func (f *file) Size() int64                { return f.Reader.Size() }

type directory struct {
	entry
	left []fs.DirEntry
}

func (d *directory) Stat() (fs.FileInfo, error) { return d.entry, nil }
func (d *directory) Close() error               { return nil }
func (d *directory) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.Name(), Err: fs.ErrInvalid}
}

func (d *directory) ReadDir(n int) ([]fs.DirEntry, error) {
	if n <= 0 {
		n = len(d.left)
	} else if len(d.left) == 0 {
		return nil, io.EOF
	}
	n = min(n, len(d.left))
	list := d.left[:n]
	d.left = d.left[n:]
	return list, nil
}
