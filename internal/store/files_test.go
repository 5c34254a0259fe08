package store

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/testkit/process"
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

func TestWholeFilePassesItsCheck(t *testing.T) {
	s := open(t, "sqlite://"+kept(t, t.TempDir()))
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAStoreOnAReadOnlyDiskIsServed: a store on a read-only disk is served, with or without a log that a
// killed process left.
func TestAStoreOnAReadOnlyDiskIsServed(t *testing.T) {
	process.SkipShort(t)
	for _, killed := range []bool{false, true} {
		dir := t.TempDir()
		if out, err := exec.Command("mount", "-t", "tmpfs", "tmpfs", dir).CombinedOutput(); err != nil {
			t.Fatalf("mounting (needs root): %v %s", err, out)
		}
		t.Cleanup(func() { exec.Command("umount", "--lazy", dir).Run() })
		path := kept(t, dir)
		if killed {
			abandon(t, path)
		}
		if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
			t.Fatalf("remounting: %v %s", err, out)
		}
		var said bytes.Buffer
		s, err := Open(t.Context(), "sqlite://"+path, time.Minute, slog.New(slog.NewTextHandler(&said, nil)))
		if err != nil {
			t.Fatalf("killed %v: %v", killed, err)
		}
		records, err := s.Records(t.Context())
		if err != nil || len(records) != 1 {
			t.Fatalf("killed %v: %d records, %v", killed, len(records), err)
		}
		want := demo.Start
		if killed {
			want = want.Add(time.Hour)
		}
		if got := records[0].Snapshot.AsOf; !got.Equal(want) {
			t.Errorf("killed %v: the figure is of %v, want %v", killed, got, want)
		}
		if ok, err := s.Campaign(t.Context(), "a", time.Minute); ok || err == nil {
			t.Errorf("killed %v: a store that cannot be written is led: %v", killed, err)
		}
		if !strings.Contains(said.String(), "cannot be written") {
			t.Errorf("killed %v: logged %s", killed, &said)
		}
		s.Close()
	}
}

// abandon leaves a newer figure in the file's log, as a killed process does. It copies the files
// while the process runs and puts them back after its end.
func abandon(t *testing.T, path string) {
	t.Helper()
	s := leading(t, "sqlite://"+path)
	saved(t, s, supply.Change{Record: record(jewel(t, demo.Start.Add(time.Hour))), Publishes: true})
	left := map[string][]byte{}
	for _, ext := range []string{"", "-wal", "-shm"} {
		b, err := os.ReadFile(path + ext)
		if err != nil {
			t.Fatal(err)
		}
		left[path+ext] = b
	}
	s.Close()
	for name, b := range left {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
