package art

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"petsupply/packs"
)

// A Starter is a new pack to be painted over: every slot has a plain layer of
// the right size in the right place, and every way to select one is used once.
type Starter struct {
	ID      string
	Author  string // "" is the author of ID
	Licence string // "" is CC0-1.0
}

// Write puts the starter into a directory that is empty or not there yet. The
// result opens, lints clean and can be served as it is.
func (s Starter) Write(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	case len(entries) > 0:
		return fmt.Errorf("making a pack in %s: there is something in it already", dir)
	}
	if err := s.write(dir); err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	return nil
}

func (s Starter) write(dir string) error {
	tree, err := fs.Sub(packs.Files, "starter")
	if err != nil {
		return err
	}
	data, err := s.manifest(tree)
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, tree); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, manifestFile), data, 0o644)
}

// manifest is the starter's pack.json under another name.
func (s Starter) manifest(tree fs.FS) ([]byte, error) {
	data, err := fs.ReadFile(tree, manifestFile)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(data)
	if err != nil {
		return nil, err
	}
	m.ID, m.Name = s.ID, s.ID
	m.Licence = cmp.Or(s.Licence, m.Licence)
	m.Credits = []Credit{{cmp.Or(s.Author, "author of "+s.ID), "art"}}
	if err := m.check(); err != nil {
		return nil, err
	}
	return encodeManifest(m)
}
