package frozen

import (
	"archive/zip"
	"cmp"
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
	"unicode/utf8"

	"petsupply/internal/supply/proof"
)

// Limits for reading, because a hostile copy may contain anything.
const (
	maxDocument = 16 << 20  // bytes of a file that is read into memory
	maxFile     = 128 << 20 // bytes of a file other than SHA256SUMS
	maxSums     = 4 << 30   // bytes of SHA256SUMS
	maxNames    = 40 << 20  // files in one folder, when making a copy
	maxBatch    = 100_000   // names in memory at once during a check
)

// A Copy is a frozen copy opened for reading: a folder, complete or not, or a zip.
type Copy struct {
	files    fs.FS
	closer   io.Closer
	compared map[string]bool // files that Published opened
	buffer   []byte          // for the method hash
}

// Open opens a folder or a zip. The caller closes it.
func Open(name string) (*Copy, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() && !info.Mode().IsRegular() { // opening a pipe could block forever
		return nil, fmt.Errorf("%s: %w: neither a folder nor a plain file", name, errNoCopy)
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
	return &Copy{files: root.FS(), closer: root}, nil
}

// Close closes the folder or the zip.
func (c *Copy) Close() error { return c.closer.Close() }

// open opens a file of at most max bytes.
func (c *Copy) open(name string, max int64) (io.ReadCloser, error) {
	info, err := fs.Lstat(c.files, name) // before Open, because opening a pipe could block forever
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s is missing", errNoCopy, name)
	case err != nil:
		return nil, fmt.Errorf("%w: opening %s: %w", errNoCopy, name, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is not a plain file", errNoCopy, name)
	case info.Size() > max:
		return nil, fmt.Errorf("%w: %s has %d bytes, more than %d", errNoCopy, name, info.Size(), max)
	}
	f, err := c.files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%w: opening %s: %w", errNoCopy, name, err)
	}
	return &sizedFile{f, name, info.Size()}, nil
}

// A sizedFile is a file whose size is known. Reading it fails at the end if it has more bytes: a
// file in a folder may have grown, and other programs may unpack all bytes of a file in a zip.
type sizedFile struct {
	fs.File
	name string
	left int64
}

func (f *sizedFile) Read(b []byte) (int, error) {
	if f.left == 0 {
		n, err := f.File.Read(make([]byte, 1)) // in a zip this also compares the CRC
		if n > 0 || errors.Is(err, zip.ErrFormat) {
			err = fmt.Errorf("%w: %s has more bytes than its size says", errNoCopy, f.name)
		}
		return 0, err
	}
	n, err := f.File.Read(b[:min(int64(len(b)), f.left)])
	f.left -= int64(n)
	return n, err
}

// each calls fn with the name of every file below a directory, in byte order of the paths. It keeps
// the names of one directory per level in memory. most is the largest number of names that a
// directory may have.
func (c *Copy) each(ctx context.Context, dir string, most int, fn func(name string) error) error {
	var names []string // a subdirectory's name ends in a slash, so that its files sort by their whole path
	err := c.read(dir, func(name string) error {
		if names = append(names, name); len(names) > most {
			return fmt.Errorf("%w: %s has more than %d files", errNoCopy, dir, most)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		full := path.Join(dir, name)
		if strings.HasSuffix(name, "/") {
			err = c.each(ctx, full, most, fn)
		} else {
			err = fn(full)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// walk calls fn with the name of every file below a directory, in any order. It keeps only the
// names of folders in memory.
func (c *Copy) walk(ctx context.Context, dir string, fn func(name string) error) error {
	folders := []string{dir}
	for len(folders) > 0 {
		last := len(folders) - 1
		dir, folders = folders[last], folders[:last]
		err := c.read(dir, func(name string) error {
			full := path.Join(dir, name)
			if !strings.HasSuffix(name, "/") {
				return fn(full)
			}
			if folders = append(folders, full); len(folders) > maxBatch {
				return fmt.Errorf("%w: it has more than %d folders", errNoCopy, maxBatch)
			}
			return nil
		})
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// read calls fn with each name in a directory, if the directory exists. A subdirectory's name ends
// in a slash.
func (c *Copy) read(dir string, fn func(name string) error) error {
	f, err := c.files.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	in, ok := f.(fs.ReadDirFile)
	if !ok {
		return fmt.Errorf("%w: %s is not a folder", errNoCopy, dir)
	}
	for {
		some, err := in.ReadDir(1000) // reading all at once takes several times the memory
		for _, e := range some {
			name := e.Name()
			switch {
			case e.IsDir():
				name += "/"
			case !e.Type().IsRegular():
				return fmt.Errorf("%w: %s is not a plain file", errNoCopy, path.Join(dir, name))
			}
			if err := fn(name); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: listing %s: %w", errNoCopy, dir, err)
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

// Provenance reads the provenance, which only a complete copy has.
func (c *Copy) Provenance() (*Provenance, error) {
	p := &Provenance{}
	if _, err := fs.Lstat(c.files, provenanceFile); errors.Is(err, fs.ErrNotExist) {
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
	text, err := c.document(name)
	if err == nil && text == nil {
		err = fmt.Errorf("%w: %s is missing", errNoCopy, name)
	}
	if err == nil && !utf8.Valid(text) { // Unmarshal would replace each wrong byte by three
		err = fmt.Errorf("%w: %s is not UTF-8", errNoCopy, name)
	}
	if err != nil {
		return err
	}
	if err = proof.CheckKeys(text); err == nil { // before Unmarshal, which may take far more memory than the text
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("%w: reading %s: %w", errNoCopy, name, err)
	}
	return nil
}
