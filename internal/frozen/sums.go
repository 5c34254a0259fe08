package frozen

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
)

// listed reports whether SHA256SUMS has a line for a file.
func listed(name string) bool { return name != sumsFile && name != provenanceFile }

// hash returns the SHA-256 of a file of at most max bytes, in hexadecimal.
func (c *Copy) hash(name string, max int64) (string, error) {
	f, err := c.open(name, max)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%w: reading %s: %w", errNoCopy, name, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// writeSums writes SHA256SUMS for the files in a folder, and returns the root: the
// SHA-256 of SHA256SUMS.
func writeSums(ctx context.Context, dir string) (root string, err error) {
	c, err := Open(dir)
	if err != nil {
		return "", err
	}
	defer c.Close()
	f, err := os.Create(filepath.Join(dir, sumsFile))
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(f, h))
	err = c.each(ctx, ".", func(name string) error {
		if !listed(name) {
			return nil
		}
		if strings.ContainsFunc(name, unicode.IsControl) || strings.Contains(name, `\`) {
			return fmt.Errorf("%s cannot list a file named %q; rename it", sumsFile, name)
		}
		sum, err := c.hash(name, maxFile)
		if err == nil {
			_, err = fmt.Fprintf(out, "%s  %s\n", sum, name)
		}
		return err
	})
	if err == nil {
		err = errors.Join(out.Flush(), f.Sync())
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// Check compares the copy with the root in its provenance. If whole is set it
// reads every file, otherwise those that Restore uses. The error names the first
// file that differs, is missing or does not belong to the copy.
func (c *Copy) Check(ctx context.Context, whole bool) (*Provenance, error) {
	p, err := c.Provenance()
	if err != nil {
		return nil, err
	}
	root, err := c.hash(sumsFile, maxSums)
	if err != nil {
		return nil, err
	}
	if root != p.Root {
		return nil, fmt.Errorf("%w: %s differs: its SHA-256 is %s, but %s names the root %.64q",
			errNoCopy, sumsFile, root, provenanceFile, p.Root)
	}
	dirs := []string{dataDir, packDir}
	if whole {
		dirs = []string{"."}
	}
	for _, dir := range dirs {
		if err := c.checkBelow(ctx, dir); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// checkBelow compares the files below a directory with their lines in SHA256SUMS.
// Both come in the same order.
func (c *Copy) checkBelow(ctx context.Context, dir string) error {
	f, err := c.open(sumsFile, maxSums)
	if err != nil {
		return err
	}
	defer f.Close()
	sums := &sumReader{lines: bufio.NewScanner(f), dir: dir}
	if err := sums.next(); err != nil {
		return err
	}
	err = c.each(ctx, dir, func(name string) error {
		switch {
		case !listed(name):
			return nil
		case sums.name == "" || name < sums.name:
			return fmt.Errorf("%w: %s does not belong to it", errNoCopy, name)
		case sums.name < name:
			return fmt.Errorf("%w: %s is missing", errNoCopy, sums.name)
		}
		sum, err := c.hash(name, maxFile)
		if err != nil {
			return err
		}
		if sum != sums.sum {
			return fmt.Errorf("%w: %s differs", errNoCopy, name)
		}
		return sums.next()
	})
	if dir == packDir && errors.Is(err, fs.ErrNotExist) {
		err = nil // pictures are plain cards, unless a line names a file of a pack
	}
	if err == nil && sums.name != "" {
		err = fmt.Errorf("%w: %s is missing", errNoCopy, sums.name)
	}
	return err
}

// A sumReader reads the lines of SHA256SUMS for the files below a directory.
type sumReader struct {
	lines *bufio.Scanner // refuses lines above 64 kB
	dir   string

	sum, name string // of the current line; "" after the last one
	number    int
	previous  string
}

// next reads the next line. The lines must be in the order of their paths, so no
// file can have two.
func (r *sumReader) next() error {
	r.sum, r.name = "", ""
	for r.lines.Scan() {
		r.number++
		sum, name, ok := strings.Cut(r.lines.Text(), "  ")
		if !ok || len(sum) != 2*sha256.Size || !fs.ValidPath(name) || !listed(name) || name <= r.previous {
			return fmt.Errorf("%w: line %d of %s is malformed or out of order", errNoCopy, r.number, sumsFile)
		}
		if r.previous = name; r.dir == "." || strings.HasPrefix(name, r.dir+"/") {
			r.sum, r.name = sum, name
			return nil
		}
	}
	if err := r.lines.Err(); err != nil {
		return fmt.Errorf("%w: line %d of %s: %w", errNoCopy, r.number+1, sumsFile, err)
	}
	return nil
}
