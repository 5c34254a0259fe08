package art

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"petsupply/packs"
)

// A source reads the files of one pack. It refuses files that are too long and
// stops when the whole pack has grown past its limit, whatever a header claims.
type source struct {
	fsys fs.FS
	left int64 // bytes that the rest of the pack may have
}

// read returns a whole file of at most limit bytes. The error names the file.
func (s *source) read(name string, limit int64) (data []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	info, err := fs.Stat(s.fsys, name) // before opening it: that of a pipe would wait for a writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("not a plain file")
	}
	f, err := s.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err = io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) > limit:
		return nil, fmt.Errorf("longer than %d bytes", limit)
	case int64(len(data)) > s.left:
		return nil, fmt.Errorf("with it the pack is larger than %d MB", maxPack>>20)
	}
	s.left -= int64(len(data))
	return data, nil
}

// embeddedName stands for the embedded pack where a path is asked for.
const embeddedName = "embedded"

func embeddedTree() (fs.FS, error) { return fs.Sub(packs.Files, "meadow") }

// openSource opens a directory, a zip file or the embedded pack. The caller
// closes it after load; nothing is read later.
func openSource(name string) (fs.FS, io.Closer, error) {
	if name == embeddedName {
		tree, err := embeddedTree()
		return tree, io.NopCloser(nil), err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		// A root and not os.DirFS: a symbolic link cannot lead out of it.
		root, err := os.OpenRoot(name)
		if err != nil {
			return nil, nil, err
		}
		return root.FS(), root, nil
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("neither a directory nor a zip file")
	}
	if info.Size() > maxPack {
		return nil, nil, fmt.Errorf("%s is larger than %d MB", filepath.Base(name), maxPack>>20)
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, nil, fmt.Errorf("neither a directory nor a zip file: %w", err)
	}
	fsys, err := zipTree(&z.Reader)
	if err != nil {
		z.Close()
		return nil, nil, err
	}
	return fsys, z, nil
}

// zipTree checks an archive's directory before anything is unpacked, and
// descends into its only folder if the whole pack lies in one.
func zipTree(z *zip.Reader) (fs.FS, error) {
	if len(z.File) > maxFiles {
		return nil, fmt.Errorf("%d files, more than %d", len(z.File), maxFiles)
	}
	var total uint64
	seen := make(map[string]bool, len(z.File))
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, "/")
		switch {
		case !fs.ValidPath(name) || strings.Contains(name, "\\"):
			return nil, fmt.Errorf("%q: its path leaves the pack or is not in plain slash form", f.Name)
		case seen[name]:
			return nil, fmt.Errorf("%q is in the archive twice", f.Name)
		case f.Mode()&^fs.ModePerm != 0 && !f.Mode().IsDir():
			return nil, fmt.Errorf("%q: not a plain file", f.Name)
		}
		seen[name] = true
		if total += f.UncompressedSize64; total > maxPack || f.UncompressedSize64 > maxPack {
			return nil, fmt.Errorf("%q: with it the pack unpacks to more than %d MB", f.Name, maxPack>>20)
		}
	}
	if seen[manifestFile] {
		return z, nil
	}
	entries, err := fs.ReadDir(z, ".")
	if err == nil && len(entries) == 1 && entries[0].IsDir() {
		return fs.Sub(z, entries[0].Name())
	}
	return z, nil
}
