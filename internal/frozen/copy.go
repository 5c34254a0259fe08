package frozen

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Bounds of what is read. A hostile copy may claim anything.
const (
	maxDocument = 16 << 20  // bytes of a file that is read into memory
	maxFile     = 128 << 20 // bytes of any file except SHA256SUMS
	maxSums     = 4 << 30   // bytes of SHA256SUMS
	maxNames    = 40 << 20  // files in one folder
)

// A Copy is a frozen copy that is read: a folder, complete or not, or a zip.
type Copy struct {
	folder *os.Root
	zipped []*zip.File // by name; nil for a folder
	closer io.Closer
}

// Open opens a folder or a zip. The caller closes it.
func Open(name string) (*Copy, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		c, err := openZip(name, info.Size())
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", name, errNoCopy, err)
		}
		return c, nil
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Copy{folder: root, closer: root}, nil
}

// Close closes the folder or the zip.
func (c *Copy) Close() error { return c.closer.Close() }

// open opens a file of at most max bytes.
func (c *Copy) open(name string, max uint64) (io.ReadCloser, error) {
	size, open, err := c.find(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s is missing", errNoCopy, name)
	case err != nil:
		return nil, err
	case size > max:
		return nil, fmt.Errorf("%w: %s has %d bytes, more than %d", errNoCopy, name, size, max)
	}
	f, err := open()
	if err != nil {
		return nil, fmt.Errorf("%w: opening %s: %w", errNoCopy, name, err)
	}
	// A file in a folder may have grown.
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(f, int64(size)), f}, nil
}

// find returns the size of a file, and what opens it.
func (c *Copy) find(name string) (size uint64, open func() (io.ReadCloser, error), err error) {
	if c.folder == nil {
		byName := func(f *zip.File, name string) int { return strings.Compare(f.Name, name) }
		i, ok := slices.BinarySearchFunc(c.zipped, name, byName)
		if !ok {
			return 0, nil, fs.ErrNotExist
		}
		return c.zipped[i].UncompressedSize64, c.zipped[i].Open, nil
	}
	info, err := c.folder.Lstat(name) // opening a pipe could wait for ever
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%w: %s is not a plain file", errNoCopy, name)
	}
	if err != nil {
		return 0, nil, err
	}
	return uint64(info.Size()), func() (io.ReadCloser, error) { return c.folder.Open(name) }, nil
}

// each calls fn with the name of every file below a directory, in the order of the
// bytes of their paths. Of a folder it holds the names of one directory at each
// level in memory.
func (c *Copy) each(ctx context.Context, dir string, fn func(name string) error) error {
	if c.folder != nil {
		return c.eachInFolder(ctx, dir, fn)
	}
	for _, f := range c.zipped {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !below(f.Name, dir) {
			continue
		}
		if err := fn(f.Name); err != nil {
			return err
		}
	}
	return nil
}

// below reports whether a file is in a directory or below it; "." has all files.
func below(name, dir string) bool { return dir == "." || strings.HasPrefix(name, dir+"/") }

func (c *Copy) eachInFolder(ctx context.Context, dir string, fn func(name string) error) error {
	names, err := c.list(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		full := path.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			err = c.eachInFolder(ctx, full, fn)
		} else {
			err = fn(full)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// list returns the names in a directory of a folder, sorted. A directory's name
// ends in a slash, so that its files sort by their whole path.
func (c *Copy) list(dir string) ([]string, error) {
	f, err := c.folder.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	for {
		some, err := f.ReadDir(1000) // all at once take several times the memory
		for _, e := range some {
			name := e.Name()
			switch {
			case e.IsDir():
				name += "/"
			case !e.Type().IsRegular():
				return nil, fmt.Errorf("%w: %s is not a plain file", errNoCopy, path.Join(dir, name))
			}
			if names = append(names, name); len(names) > maxNames {
				return nil, fmt.Errorf("%w: %s has more than %d files", errNoCopy, dir, maxNames)
			}
		}
		if errors.Is(err, io.EOF) {
			slices.Sort(names)
			return names, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Head reads the head of the copy.
func (c *Copy) Head() (*Head, error) {
	h := &Head{}
	if err := c.readJSON(headFile, h); err != nil {
		return nil, err
	}
	if h.Format != headFormat {
		return nil, fmt.Errorf("%w: its format is %.40q, this program knows %s", errNoCopy, h.Format, headFormat)
	}
	return h, nil
}

// Provenance reads the provenance of the copy, which only a complete one has.
func (c *Copy) Provenance() (*Provenance, error) {
	p := &Provenance{}
	if _, _, err := c.find(provenanceFile); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: it has no %s; if freeze was interrupted, run it again with the same arguments",
			errNoCopy, provenanceFile)
	}
	if err := c.readJSON(provenanceFile, p); err != nil {
		return nil, err
	}
	if p.Format != provenanceFormat {
		return nil, fmt.Errorf("%w: the format of %s is %.40q, this program knows %s",
			errNoCopy, provenanceFile, p.Format, provenanceFormat)
	}
	return p, nil
}

func (c *Copy) readJSON(name string, into any) error {
	f, err := c.open(name, maxDocument)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("%w: reading %s: %w", errNoCopy, name, err)
	}
	return nil
}
