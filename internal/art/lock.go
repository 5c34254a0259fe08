package art

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
)

// Lock writes the checksums of a pack directory's layers, as they are now, into
// its pack.json, and returns how many it had to change. An artist calls it
// after painting.
func Lock(dir string) (int, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return 0, fmt.Errorf("locking %s: %w", dir, err)
	}
	defer root.Close()
	src := source{fsys: root.FS(), left: maxPack}
	old, err := src.read(manifestFile, maxManifest)
	if err != nil {
		return 0, fmt.Errorf("locking %s: %s: %w", dir, manifestFile, err)
	}
	var m manifest
	if err := strict(old, &m); err != nil {
		return 0, fmt.Errorf("locking %s: %s: %w", dir, manifestFile, err)
	}
	changed := 0
	sums := map[string]string{}
	for i := range m.Assets {
		a := &m.Assets[i]
		if a.File == "" {
			continue
		}
		if sums[a.File] == "" {
			if !fs.ValidPath(a.File) {
				return 0, fmt.Errorf("locking %s: %s: its path leaves the pack", dir, a.File)
			}
			data, err := src.read(a.File, maxLayer)
			if err != nil {
				return 0, fmt.Errorf("locking %s: %s: %w", dir, a.File, err)
			}
			sum := sha256.Sum256(data)
			sums[a.File] = hex.EncodeToString(sum[:])
		}
		if a.SHA256 != sums[a.File] {
			a.SHA256 = sums[a.File]
			changed++
		}
	}
	if changed == 0 {
		return 0, nil
	}
	data, err := encodeManifest(&m)
	if err != nil {
		return 0, fmt.Errorf("locking %s: %w", dir, err)
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
