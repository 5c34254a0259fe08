//go:build soak

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestReproducible builds the same release in two places, and runs the program in it.
func TestReproducible(t *testing.T) {
	copied := t.TempDir()
	list := exec.Command("git", "ls-files", "-z")
	list.Dir = "../.."
	names, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(strings.TrimRight(string(names), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue // deleted, but not yet committed
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
	var sums []string
	var out string
	for _, source := range []string{copied, "../.."} {
		out = t.TempDir()
		r := &release{source: source, out: out, version: "v9.8.7", commit: "0123456789abcdef",
			date: "2026-01-31T12:00:00Z"}
		if err := r.run(t.Context(), []string{runtime.GOOS + "/" + runtime.GOARCH}); err != nil {
			t.Fatal(err)
		}
		check := exec.Command("sha256sum", "--check", "SHA256SUMS")
		check.Dir = out
		if said, err := check.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, said)
		}
		sums = append(sums, string(file(t, out, "SHA256SUMS")))
	}
	if sums[0] != sums[1] {
		t.Errorf("the same sources in two places make different files:\n%s\n%s", sums[0], sums[1])
	}
	program, inside := unpacked(t, file(t, out, "petsupply-v9.8.7-*.tar.gz"))
	said, err := exec.Command(program, "version").Output()
	want := "petsupply v9.8.7\ncommit 0123456789abcdef\ndate 2026-01-31T12:00:00Z\n"
	if err != nil || !strings.HasPrefix(string(said), want) {
		t.Errorf("version says %q, %v", said, err)
	}
	checkModules(t, program, inside, file(t, out, "petsupply-v9.8.7-*.cdx.json"))
}

// checkModules compares a list of modules with the go command's list for the binary, and looks for
// their licences among the names of the archive's files.
func checkModules(t *testing.T, program, names string, text []byte) {
	t.Helper()
	var list struct{ Components []component }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(names, "/LICENCES.md\n") {
		t.Error("the archive has no list of licences")
	}
	for _, c := range list.Components {
		text := regexp.MustCompile("(?im)/licences/" + regexp.QuoteMeta(c.Name) + "/(licen[cs]e|copying|bloom)")
		if !text.MatchString(names) {
			t.Errorf("the licence of %s is not in the archive", c.Name)
		}
	}
	var got []string
	for _, c := range list.Components[1:] { // without the standard library
		sum, err := hex.DecodeString(c.Hashes[0]["content"])
		if err != nil || len(c.Licences) != 1 {
			t.Errorf("the component %+v needs a hash and one licence: %v", c, err)
		}
		got = append(got, c.Name+" "+c.Version+" h1:"+base64.StdEncoding.EncodeToString(sum))
	}
	said, err := exec.Command("go", "version", "-m", program).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(said)) {
		if words := strings.Fields(line); words[0] == "dep" {
			want = append(want, strings.Join(words[1:], " "))
		}
	}
	if len(want) < 30 || !slices.Equal(got, want) {
		t.Errorf("the list has %q, the binary %q", got, want)
	}
}

// file returns the one file in dir that fits the pattern.
func file(t *testing.T, dir, pattern string) []byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: want one file, got %v, %v", pattern, found, err)
	}
	data, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// unpacked writes the archive's binary out. It also returns the names of all files.
func unpacked(t *testing.T, archive []byte) (program, names string) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewReader(z)
	if _, err := files.Next(); err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(files)
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(t.TempDir(), "petsupply")
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	for {
		h, err := files.Next()
		if err == io.EOF {
			return program, names
		}
		if err != nil {
			t.Fatal(err)
		}
		names += h.Name + "\n"
	}
}
