package art

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
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

// Lock writes the checksums of a pack directory's layers, as they are now, into
// its pack.json, and returns how many it had to change. An artist calls it
// after painting.
func Lock(dir string) (int, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, fmt.Errorf("locking %s: %w", dir, err)
	}
	defer root.Close()
	changed, err := lock(root)
	if err != nil {
		return 0, fmt.Errorf("locking %s: %w", dir, err)
	}
	return changed, nil
}

func lock(root *os.Root) (changed int, err error) {
	src := source{fsys: root.FS(), left: maxPack}
	old, err := src.read(manifestFile, maxManifest)
	if err != nil {
		return 0, err
	}
	var m manifest
	if err := decodeStrict(old, &m); err != nil {
		return 0, fmt.Errorf("%s: %w", manifestFile, err)
	}
	sums := map[string]string{"": ""}
	for i := range m.Assets {
		a := &m.Assets[i]
		sum, ok := sums[a.File]
		if !ok {
			data, err := src.read(a.File, maxLayer)
			if err != nil {
				return 0, err
			}
			sum = fmt.Sprintf("%x", sha256.Sum256(data))
			sums[a.File] = sum
		}
		if a.File != "" && a.SHA256 != sum {
			a.SHA256 = sum
			changed++
		}
	}
	if changed == 0 {
		return 0, nil
	}
	data, err := encodeManifest(&m)
	if err != nil {
		return 0, err
	}
	return changed, replace(root, manifestFile, data)
}

// encodeManifest writes a manifest in the form people edit.
func encodeManifest(m *manifest) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(m)
	return b.Bytes(), err
}

// replace puts a file in the place of an older one so that nobody ever sees
// half of it.
func replace(root *os.Root, name string, data []byte) error {
	if err := root.WriteFile(name+".new", data, 0o644); err != nil {
		return err
	}
	return root.Rename(name+".new", name)
}
