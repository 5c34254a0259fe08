package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"petsupply/testkit/process"
)

// TestReproducible builds the same release in two places, and runs what is in it.
func TestReproducible(t *testing.T) {
	process.SkipShort(t)
	copied := t.TempDir()
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = "../.."
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(strings.TrimRight(string(out), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // about to be removed
		}
		at := filepath.Join(copied, name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(at), 0o755)
		}
		if err == nil {
			err = os.WriteFile(at, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var archives [][]byte
	for _, source := range []string{"../..", copied} {
		r := &release{source: source, out: t.TempDir(), version: "v9.8.7", commit: "0123456789abcdef", date: "2026-01-31T12:00:00Z"}
		if err := r.run(t.Context(), []string{runtime.GOOS + "/" + runtime.GOARCH}); err != nil {
			t.Fatal(err)
		}
		check := exec.Command("sha256sum", "--check", "SHA256SUMS")
		check.Dir = r.out
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		found, err := filepath.Glob(filepath.Join(r.out, "petsupply-v9.8.7-*.tar.gz"))
		if err != nil || len(found) != 1 {
			t.Fatalf("%v %v", found, err)
		}
		data, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, data)
	}
	if !bytes.Equal(archives[0], archives[1]) {
		t.Error("the same sources in two places make two different archives")
	}
	said, err := exec.Command(unpacked(t, archives[0]), "version").Output()
	if err != nil || !strings.HasPrefix(string(said), "petsupply v9.8.7\ncommit 0123456789abcdef\ndate 2026-01-31T12:00:00Z\n") {
		t.Errorf("version says %q, %v", said, err)
	}
}

// unpacked writes the archive's binary out.
func unpacked(t *testing.T, archive []byte) string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	first := tar.NewReader(z)
	if _, err := first.Next(); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(first)
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(t.TempDir(), "petsupply")
	if err := os.WriteFile(at, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return at
}

func TestBadReleases(t *testing.T) {
	for _, r := range []release{{date: "2026-01-31T12:00:00Z"}, {version: "v1 -X", date: "2026-01-31T12:00:00Z"}, {version: "v1", date: "today"}} {
		if err := r.run(t.Context(), nil); err == nil {
			t.Errorf("%+v was built", r)
		}
	}
}
