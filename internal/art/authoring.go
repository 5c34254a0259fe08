package art

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"petsupply/internal/art/petpack"
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
	tree, err := fs.Sub(packs.Files, "starter")
	if err != nil {
		return err
	}
	data, err := s.manifest(tree)
	if err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	return writePack(dir, tree, data)
}

// manifest is the starter's pack.json under another name.
func (s Starter) manifest(tree fs.FS) ([]byte, error) {
	data, err := fs.ReadFile(tree, petpack.ManifestFile)
	if err != nil {
		return nil, err
	}
	quote := func(text string) string {
		quoted, _ := json.Marshal(text) // of a string, which does not fail
		return string(quoted)
	}
	data = []byte(strings.NewReplacer(
		`"my-pack"`, quote(s.ID),
		`"author of my-pack"`, quote(cmp.Or(s.Author, "author of "+s.ID)),
		`"CC0-1.0"`, quote(cmp.Or(s.Licence, "CC0-1.0")),
	).Replace(string(data)))
	return data, petpack.CheckHead(data)
}

// Export copies a pack, such as the embedded one, into a directory that is empty
// or not there yet, to start from.
func Export(name, dir string) error {
	fsys, closer, err := openSource(name)
	if err != nil {
		return fmt.Errorf("opening art pack %s: %w", name, err)
	}
	defer closer.Close()
	if _, err := petpack.NewSource(fsys).Manifest(draft, nil); err != nil {
		return fmt.Errorf("opening art pack %s: %w", name, err)
	}
	data, err := fs.ReadFile(fsys, petpack.ManifestFile)
	if err != nil {
		return err
	}
	return writePack(dir, fsys, data)
}

// writePack writes the files of a pack, its pack.json as given, with the schema
// for editors beside it.
func writePack(dir string, tree fs.FS, manifest []byte) error {
	if err := checkEmpty(dir); err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	err := os.CopyFS(dir, tree)
	for name, data := range map[string][]byte{petpack.ManifestFile: manifest, petpack.SchemaFile: petpack.Schema} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
		}
	}
	if err != nil {
		return fmt.Errorf("making a pack in %s: %w", dir, err)
	}
	return nil
}

// checkEmpty refuses a directory that has something in it.
func checkEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return errors.New("there is something in it already; name a directory that is empty or not there yet")
	}
	return nil
}
