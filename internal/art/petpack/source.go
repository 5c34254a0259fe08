package petpack

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A Source reads the files of one pack. It refuses files that are too long, and packs that are too
// large. It counts the bytes that it reads, because the sizes that a zip file states can be wrong.
type Source struct {
	fs.FS
	left int64 // bytes that may still be read
}

// NewSource reads a pack from a file tree.
func NewSource(fsys fs.FS) *Source { return &Source{fsys, maxPack} }

// Read returns a whole file of at most limit bytes. The error names the file.
func (s *Source) Read(name string, limit int64) (data []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	info, err := fs.Stat(s.FS, name) // before opening it, because opening a pipe would wait for a writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("not a plain file")
	}
	f, err := s.FS.Open(name)
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
		return nil, fmt.Errorf("this file makes the pack larger than %d MB", maxPack>>20)
	}
	s.left -= int64(len(data))
	return data, nil
}

// Open opens a directory or a zip file. The caller closes it when the pack is loaded.
func Open(name string) (fs.FS, io.Closer, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		// os.OpenRoot, unlike os.DirFS, lets no symbolic link lead out of the directory.
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

// Limits of a path in an archive, in bytes and in folders. Each folder takes memory.
const (
	maxPath    = 512
	maxFolders = 16
)

// zipTree checks an archive's list of files before it unpacks anything. If the whole pack is in one
// folder, it returns that folder.
func zipTree(z *zip.Reader) (fs.FS, error) {
	if len(z.File) > MaxFiles {
		return nil, fmt.Errorf("the archive has %d files; at most %d are allowed", len(z.File), MaxFiles)
	}
	var total uint64
	seen := make(map[string]bool, len(z.File))
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, "/")
		switch {
		case !fs.ValidPath(name) || strings.Contains(name, "\\"):
			return nil, fmt.Errorf("%q: its path leaves the pack, or is not a clean path with forward slashes", f.Name)
		case len(name) > maxPath || strings.Count(name, "/") > maxFolders:
			return nil, fmt.Errorf("%.60q…: the path has more than %d bytes or %d folders", f.Name, maxPath, maxFolders)
		case seen[name]:
			return nil, fmt.Errorf("%q is in the archive twice", f.Name)
		case f.Mode()&^fs.ModePerm != 0 && !f.Mode().IsDir():
			return nil, fmt.Errorf("%q: not a plain file", f.Name)
		}
		seen[name] = true
		if total += f.UncompressedSize64; total > maxPack || f.UncompressedSize64 > maxPack {
			return nil, fmt.Errorf("%q: this file makes the pack unpack to more than %d MB", f.Name, maxPack>>20)
		}
	}
	if seen[ManifestFile] {
		return z, nil
	}
	entries, err := fs.ReadDir(z, ".")
	if err == nil && len(entries) == 1 && entries[0].IsDir() {
		return fs.Sub(z, entries[0].Name())
	}
	return z, nil
}

// Manifest reads pack.json, the names of the layers and pack.lock. A draft needs no pack.lock, and
// its checksums are not compared. The parameter traits has all traits of the pack's collection. If
// it is nil, any trait name is allowed, which is enough to list the pack's files.
func (s *Source) Manifest(draft bool, traits []Trait) (*Manifest, error) {
	data, err := s.Read(ManifestFile, maxManifest)
	if err != nil {
		return nil, err
	}
	files, err := s.layers()
	if err != nil {
		return nil, err
	}
	m, err := parse(data, files, traits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	m.Sum = sha256.Sum256(data)
	text, err := s.Read(LockFile, maxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist) && draft:
		return m, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w: the pack is a draft; `petsupply pack lock` writes this file", LockFile, fs.ErrNotExist)
	case err != nil:
		return nil, err
	}
	l, err := parseLock(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; petsupply pack lock writes a new one", LockFile, err)
	}
	m.Locked = l.Files
	if draft {
		return m, nil
	}
	m.Sum = sha256.Sum256(text)
	return m, m.lockedSums(sumOf(data))
}

// lockedSums gives every asset its checksum from pack.lock. manifest is the checksum of pack.json.
func (m *Manifest) lockedSums(manifest string) error {
	if m.Locked[ManifestFile] != manifest {
		return fmt.Errorf("%s: changed since the pack was locked; if this is intended, run petsupply pack lock", ManifestFile)
	}
	for i := range m.Assets {
		a := &m.Assets[i]
		if a.SHA256 = m.Locked[a.File]; a.SHA256 == "" && a.File != "" {
			return fmt.Errorf("%s: new since the pack was locked; if this is intended, run petsupply pack lock", a.File)
		}
	}
	return nil
}

// layers returns the PNGs of the pack, in order of their names.
func (s *Source) layers() ([]string, error) {
	var out []string
	seen := 0
	err := fs.WalkDir(s.FS, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if seen++; seen > MaxFiles {
			return fmt.Errorf("more than %d files", MaxFiles)
		}
		if name != "." && strings.HasPrefix(e.Name(), ".") { // hidden files of editors and systems
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !e.IsDir() && path.Ext(name) == ".png" {
			out = append(out, name)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}
