package frozen

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// listed reports whether a file must have a line in SHA256SUMS.
func listed(name string) bool { return name != sumsFile && name != provenanceFile }

// hash returns the SHA-256 of a file of at most max bytes, in hexadecimal.
func (c *Copy) hash(name string, max int64) (string, error) {
	f, err := c.open(name, max)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if c.buffer == nil {
		c.buffer = make([]byte, 32<<10)
	}
	if _, err := io.CopyBuffer(h, f, c.buffer); err != nil {
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
	err = c.each(ctx, ".", maxNames, func(name string) error {
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

// Check compares the copy with the root in its provenance. If whole is set it reads every file,
// otherwise only those that Restore uses. The error names the first file that differs, is missing
// or does not belong to the copy. progress is called with the number of files just read.
func (c *Copy) Check(ctx context.Context, whole bool, progress func(int)) (*Provenance, error) {
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
		if err := c.checkBelow(ctx, dir, progress); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// checkBelow compares the files below a directory with their lines in SHA256SUMS.
func (c *Copy) checkBelow(ctx context.Context, dir string, progress func(int)) error {
	err := c.sums(dir, func(sum, name string) error {
		own, err := c.hash(name, maxFile)
		if err == nil && own != sum {
			err = fmt.Errorf("%w: %s differs from its line in %s", errNoCopy, name, sumsFile)
		}
		progress(1)
		return cmp.Or(err, ctx.Err())
	})
	if err != nil {
		return err
	}
	var names []string
	err = c.walk(ctx, dir, func(name string) error {
		if !listed(name) {
			return nil
		}
		if names = append(names, name); len(names) < maxBatch {
			return nil
		}
		defer func() { names = names[:0] }()
		return c.belong(dir, names)
	})
	return cmp.Or(err, c.belong(dir, names))
}

// belong checks that SHA256SUMS has a line for each of the names, which are below dir.
func (c *Copy) belong(dir string, names []string) error {
	slices.Sort(names)
	err := c.sums(dir, func(_, name string) error {
		if len(names) > 0 && names[0] < name {
			return fmt.Errorf("%w: %s is not listed in %s", errNoCopy, names[0], sumsFile)
		}
		if len(names) > 0 && names[0] == name {
			names = names[1:]
		}
		return nil
	})
	if err == nil && len(names) > 0 {
		err = fmt.Errorf("%w: %s is not listed in %s", errNoCopy, names[0], sumsFile)
	}
	return err
}

// sums calls fn with the lines of SHA256SUMS for the files below a directory. The lines must be
// sorted by path, so no file can have two lines.
func (c *Copy) sums(dir string, fn func(sum, name string) error) error {
	f, err := c.open(sumsFile, maxSums)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, previous, number := bufio.NewScanner(f), "", 1 // the scanner rejects lines above 64 kB
	for ; lines.Scan(); number++ {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok || len(sum) != 2*sha256.Size || !fs.ValidPath(name) || !listed(name) || name <= previous {
			return fmt.Errorf("%w: line %d of %s is malformed or out of order", errNoCopy, number, sumsFile)
		}
		if previous = name; dir != "." && !strings.HasPrefix(name, dir+"/") {
			continue
		}
		if err := fn(sum, name); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%w: line %d of %s: %w", errNoCopy, number, sumsFile, err)
	}
	return nil
}
