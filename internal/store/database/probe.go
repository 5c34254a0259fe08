package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Probe returns the error that Open would return for the database at address. It creates no store
// and changes none.
func Probe(ctx context.Context, address string) error {
	scheme, path, _ := strings.Cut(address, "://")
	if scheme != "sqlite" {
		db, err := dialPostgres(address, 0)
		if err != nil {
			return err
		}
		defer db.Close()
		_, err = db.Schema(ctx)
		return err
	}
	err := checkFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return probeDirectory(filepath.Dir(path))
	}
	if err != nil {
		return err
	}
	db, err := dialFile(path, url.Values{"mode": {"ro"}})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Schema(ctx); err != nil {
		return explain(path, err)
	}
	return nil
}

// probeDirectory returns an error if no file can be created in a directory, which may not exist
// yet.
func probeDirectory(dir string) error {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		return probeDirectory(filepath.Dir(dir))
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	f, err := os.CreateTemp(dir, ".petsupply-*")
	if err != nil {
		if path, ok := errors.AsType[*fs.PathError](err); ok {
			err = path.Err // without the name of the temporary file
		}
		return fmt.Errorf("nothing can be written in %s: %w", dir, err)
	}
	f.Close()
	return os.Remove(f.Name())
}
