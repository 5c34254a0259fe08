package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
)

// kept creates a store with one figure in a file and returns its path.
func kept(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "store.db")
	s := leading(t, "sqlite://"+path)
	saved(t, s, supply.Change{Record: record(jewel(t, demo.Start)), Publishes: true})
	if err := errors.Join(s.Resign(t.Context()), s.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOnlyTheOwnerCanReadFiles: only the owner can read the files of a new store, and of a store
// whose files were readable by all.
func TestOnlyTheOwnerCanReadFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file modes exist only on Unix")
	}
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "store.db")
	for _, before := range []string{"new", "opened to all"} {
		s := leading(t, "sqlite://"+path)
		saved(t, s, supply.Change{Record: record(jewel(t, demo.Start)), Publishes: true})
		files, err := filepath.Glob(path + "*")
		if err != nil || len(files) != 3 {
			t.Fatalf("%s: want 3 files, got %q, %v", before, files, err)
		}
		for _, file := range append(files, dir) {
			info, err := os.Stat(file)
			if err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: %s has mode %v, %v", before, file, info.Mode(), err)
			}
		}
		if err := errors.Join(s.Resign(t.Context()), s.Close()); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{path, path + "-wal", path + "-shm"} {
			f, err := os.OpenFile(file, os.O_CREATE, 0o644) // as an earlier version left them
			if err = errors.Join(err, f.Close(), os.Chmod(file, 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestDamageErrorNamesFileAndRemedy(t *testing.T) {
	for name, damage := range map[string]func(b []byte) []byte{
		"not a database":  func(b []byte) []byte { return append([]byte("not a database at all"), b[21:]...) },
		"a broken schema": func(b []byte) []byte { copy(b[100:], bytes.Repeat([]byte{0xa5}, 200)); return b },
		"half of it gone": func(b []byte) []byte { return b[:len(b)/2] },
		"a page of noise": func(b []byte) []byte {
			for page := 4096; page < len(b); page += 4096 {
				copy(b[page:], bytes.Repeat([]byte{0x5a}, 64))
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := kept(t, t.TempDir())
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			damaged := damage(whole)
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), "sqlite://"+path, time.Minute, nil)
			if err == nil {
				defer s.Close()
				err = s.Check(t.Context())
			}
			if !errors.Is(err, database.ErrDamaged) || s == nil && !strings.Contains(err.Error(), path) {
				t.Fatalf("the error is %v", err)
			}
			if after, err := os.ReadFile(path); err != nil || s == nil && !bytes.Equal(after, damaged) {
				t.Errorf("the file was changed (%v)", err)
			}
		})
	}
}
