package petpack

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
)

// Stale compares a pack's files with its lock and returns a message for each
// that is not as it was locked. A pack of petpack/1 has none: its sums are
// compared as layers are read.
func (m *Manifest) Stale(fsys fs.FS) []string {
	if m.Listed() || m.Locked == nil {
		return nil
	}
	var out []string
	src := Source{FS: fsys, left: MaxPack}
	left := maps.Clone(m.Locked)
	for _, name := range m.files() {
		data, err := src.Read(name, MaxManifest)
		switch want, ok := left[name]; {
		case err != nil: // told by whoever reads the pack
		case !ok:
			out = append(out, name+": new since the pack was locked")
		case sumOf(data) != want:
			out = append(out, name+": changed since the pack was locked")
		}
		delete(left, name)
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		out = append(out, name+": gone since the pack was locked")
	}
	return out
}

// files are all that a pack is made of, by name.
func (m *Manifest) files() []string {
	all := map[string]bool{ManifestFile: true, DictionaryFile: true}
	for _, a := range m.Assets {
		if a.File != "" {
			all[a.File] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Lock writes the checksums of a pack directory's files as they are now, and
// returns how many of them changed: into pack.lock, or, of petpack/1, into
// pack.json. An artist calls it when a version is done.
func Lock(dir string) (changed int, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, fmt.Errorf("locking %s: %w", dir, err)
	}
	defer root.Close()
	src := NewSource(root.FS())
	m, err := src.Manifest(Draft)
	if err == nil && m.Listed() {
		changed, err = m.lockListed(root, src)
	} else if err == nil {
		changed, err = m.lockNamed(root, src)
	}
	if err != nil {
		return 0, fmt.Errorf("locking %s: %w", dir, err)
	}
	return changed, nil
}

func (m *Manifest) lockNamed(root *os.Root, src *Source) (changed int, err error) {
	l := lock{Format: formatLock, Files: map[string]string{}}
	for _, name := range m.files() {
		data, err := src.Read(name, MaxManifest)
		if err != nil {
			return 0, err
		}
		l.Files[name] = sumOf(data)
		if m.Locked[name] != l.Files[name] {
			changed++
		}
	}
	for name := range m.Locked {
		if l.Files[name] == "" {
			changed++
		}
	}
	if changed == 0 {
		return 0, nil
	}
	data, err := Encode(l)
	if err != nil {
		return 0, err
	}
	return changed, replace(root, LockFile, data)
}

func (m *Manifest) lockListed(root *os.Root, src *Source) (changed int, err error) {
	sums := map[string]string{"": ""}
	for i := range m.Assets {
		a := &m.Assets[i]
		sum, ok := sums[a.File]
		if !ok {
			data, err := src.Read(a.File, MaxManifest)
			if err != nil {
				return 0, err
			}
			sum = sumOf(data)
			sums[a.File] = sum
		}
		if a.SHA256 != sum {
			a.SHA256 = sum
			changed++
		}
	}
	if changed == 0 {
		return 0, nil
	}
	data, err := m.Encode()
	if err != nil {
		return 0, err
	}
	return changed, replace(root, ManifestFile, data)
}

// replace puts a file in the place of an older one so that nobody ever sees
// half of it.
func replace(root *os.Root, name string, data []byte) error {
	if err := root.WriteFile(name+".new", data, 0o644); err != nil {
		return err
	}
	return root.Rename(name+".new", name)
}
