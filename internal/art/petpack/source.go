package petpack

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// A Source reads the files of one pack. It refuses files that are too long, and packs that are too
// large.
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
			err = fmt.Errorf("%s: %w", shown(name), err)
		}
	}()
	// Stat comes before opening, because opening a pipe would wait for a writer.
	info, err := fs.Stat(s.FS, name)
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

// Manifest reads pack.json and the names of the layers. The parameter traits has all traits of the
// pack's collection.
func (s *Source) Manifest(traits []Trait) (*Manifest, error) {
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
	return m, nil
}

// layers returns the PNGs of the pack, in order of their names.
func (s *Source) layers() ([]string, error) {
	var out []string
	seen := 0
	err := fs.WalkDir(s.FS, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		seen++
		if seen > MaxFiles {
			return fmt.Errorf("more than %d files", MaxFiles)
		}
		if name != "." && strings.HasPrefix(e.Name(), ".") { // hidden files of editors and systems
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !e.IsDir() && strings.EqualFold(path.Ext(name), ".png") {
			out = append(out, name)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}
