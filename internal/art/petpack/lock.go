package petpack

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
)

const formatLock = "petpack-lock/1"

// A lock is pack.lock: the checksum of every file of the pack.
type lock struct {
	Format string            `json:"format"`
	Files  map[string]string `json:"files"`
}

func parseLock(data []byte) (*lock, error) {
	var l lock
	if err := decodeStrict(data, &l); err != nil {
		return nil, err
	}
	if l.Format != formatLock {
		return nil, fmt.Errorf("format is %q, not %q", l.Format, formatLock)
	}
	for _, name := range slices.Sorted(maps.Keys(l.Files)) {
		if err := sumForm.check("checksum of "+name, l.Files[name]); err != nil {
			return nil, err
		}
	}
	return &l, nil
}

func sumOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

// Stale compares a locked pack's files with its lock. It returns the files that differ: each name
// is mapped to "new", "changed" or "gone".
func (m *Manifest) Stale(fsys fs.FS) map[string]string {
	out := map[string]string{}
	src := NewSource(fsys)
	files := m.files()
	for _, name := range files {
		data, err := src.Read(name, maxManifest)
		switch want, ok := m.Locked[name]; {
		case err != nil: // the loader reports this error
		case !ok:
			out[name] = "new"
		case sumOf(data) != want:
			out[name] = "changed"
		}
	}
	for name := range m.Locked {
		if _, ok := slices.BinarySearch(files, name); !ok {
			out[name] = "gone"
		}
	}
	return out
}

// files returns the names of all files of the pack, sorted.
func (m *Manifest) files() []string {
	all := map[string]bool{ManifestFile: true, DictionaryFile: true}
	for _, a := range m.Assets {
		if a.File != "" {
			all[a.File] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Lock writes the current checksums of a pack directory's files into pack.lock. It returns how
// many files were added, changed or removed since pack.lock was last written.
func Lock(dir string) (changed int, err error) {
	root, err := os.OpenRoot(dir)
	if err == nil {
		defer root.Close()
		changed, err = lockRoot(root)
	}
	if err != nil {
		return 0, fmt.Errorf("locking %s: %w", dir, err)
	}
	return changed, nil
}

func lockRoot(root *os.Root) (changed int, err error) {
	src := NewSource(root.FS())
	m, err := src.Manifest(true, nil)
	if err != nil {
		return 0, err
	}
	l := lock{Format: formatLock, Files: map[string]string{}}
	for _, name := range m.files() {
		data, err := src.Read(name, maxManifest)
		if err != nil {
			return 0, err
		}
		l.Files[name] = sumOf(data)
	}
	if changed = len(m.Stale(root.FS())); changed == 0 {
		return 0, nil
	}
	data, err := Encode(l)
	if err != nil {
		return 0, err
	}
	// Write a new file and rename it, so that readers never see an incomplete one.
	if err := root.WriteFile(LockFile+".new", data, 0o644); err != nil {
		return 0, err
	}
	return changed, root.Rename(LockFile+".new", LockFile)
}
