package blobs

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path"
	"runtime"
	"strings"
)

// A directory keeps each blob in a file. Keys cannot lead out of the directory, even through
// symbolic links.
type directory struct{ root *os.Root }

func openDirectory(name string) (*directory, error) {
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/") // as in file:///C:/pictures
	}
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	return &directory{root}, err
}

func (d *directory) Get(_ context.Context, key string) ([]byte, error) {
	f, err := d.root.Open(key)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return readBlob(f, info.Size())
}

// Put writes a temporary file first, so that the key's file is always complete.
func (d *directory) Put(_ context.Context, key string, body []byte) error {
	if err := checkPut(key, body); err != nil {
		return err
	}
	if err := d.root.MkdirAll(path.Dir(key), 0o700); err != nil {
		return err
	}
	temporary := path.Join(path.Dir(key), ".put-"+rand.Text())
	err := d.root.WriteFile(temporary, body, 0o600)
	if err == nil {
		err = d.root.Rename(temporary, key)
	}
	if err != nil {
		err = errors.Join(err, d.root.Remove(temporary))
	}
	return err
}

func (d *directory) Close() error { return d.root.Close() }
