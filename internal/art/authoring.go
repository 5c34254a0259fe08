package art

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet/collection"
	"petsupply/packs"
)

// A Starter is a new pack to paint over. Every slot has a plain layer of the right size in the
// right place, and every way to select a layer is used once.
type Starter struct {
	ID string
	// Collection is the collection that the pack is for; nil means the default one.
	Collection *collection.Collection
}

// Write puts the starter into a directory that is empty or does not exist yet. The pack passes Lint
// and can be served as it is.
func (s Starter) Write(dir string) error {
	tree, err := fs.Sub(packs.Files, "starter")
	if err != nil {
		return err
	}
	manifest, err := fs.ReadFile(tree, petpack.ManifestFile)
	write := func() error { return os.CopyFS(dir, tree) }
	if c := s.Collection; c != nil && len(newLoader(c, tree).load()) > 0 { // the default starter does not fit
		var files map[string][]byte
		files, err = newStarter(c)
		manifest = files[petpack.ManifestFile]
		write = func() error { return writeFiles(dir, files) }
	}
	if err != nil {
		return err
	}
	manifest, err = s.manifest(manifest)
	if err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	return writePack(dir, manifest, write)
}

func writeFiles(dir string, files map[string][]byte) error {
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// manifest returns a starter's pack.json with the id of s in it.
func (s Starter) manifest(data []byte) ([]byte, error) {
	data = bytes.ReplaceAll(data, []byte("my-pack"), []byte(s.ID))
	return data, petpack.CheckHead(data)
}

// Copy copies a pack, such as the embedded one, into a directory that is empty or does not exist
// yet.
func Copy(name, dir string) error {
	fsys, closer, err := openSource(name)
	if err != nil {
		return fmt.Errorf("opening art pack %s: %w", name, err)
	}
	defer closer.Close()
	return writePack(dir, nil, func() error { return os.CopyFS(dir, fsys) })
}

// writePack writes the files of a pack, and the schema for editors. If a manifest is given, it
// replaces pack.json.
func writePack(dir string, manifest []byte, files func() error) error {
	if err := checkEmpty(dir); err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	err := files()
	for name, data := range map[string][]byte{petpack.ManifestFile: manifest, petpack.SchemaFile: petpack.Schema} {
		if err == nil && data != nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
	}
	if err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	return nil
}

// checkEmpty refuses a directory that is not empty.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return errors.New("the directory is not empty; name one that is empty or does not exist yet")
	}
	return nil
}
