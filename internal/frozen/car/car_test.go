package car

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

var soak = flag.Bool("soak", false, "pack a hundred thousand files too")

// folder writes n files with unlike names and contents into a directory, and
// beside it what is rare: an empty file, one of exactly a block, and one of more.
func folder(t *testing.T, n int) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name string, content []byte) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		write(fmt.Sprintf("pets/token/%d.json", i*i+i), fmt.Appendf(nil, `{"id":%d}`, i))
	}
	write("pets/contract.json", []byte("{}\n"))
	write("pets/ünder.txt", []byte("ü"))
	write("empty", nil)
	write("block", make([]byte, chunkSize))
	write("more", bytes.Repeat([]byte("0123456789abcde\n"), 3*chunkSize/16+1))
	return dir
}

// packed packs a directory into a file.
func packed(t *testing.T, dir string) (CID, string) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "x.car"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	root, err := Pack(context.Background(), os.DirFS(dir), f, nil)
	if err != nil {
		t.Fatal(err)
	}
	return root, f.Name()
}

func open(t *testing.T, name string) *Archive {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// ipfsCar runs the npm package of that name.
func ipfsCar(t *testing.T, args ...string) string {
	t.Helper()
	dir, err := tools.NPM(t.Context(), "testkit/ipfscar")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", append([]string{filepath.Join(dir, "node_modules", "ipfs-car", "bin.js")}, args...)...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ipfs-car %v: %v\n%s", args, err, &problems)
	}
	return strings.TrimSpace(string(out))
}

func TestRootIsThatOfIPFSCar(t *testing.T) {
	process.SkipShort(t)
	sizes := []int{10, 1000, 1001, 3000}
	if *soak {
		sizes = append(sizes, 100_000)
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			dir := folder(t, n)
			root, name := packed(t, dir)
			if want := ipfsCar(t, "pack", dir, "--output", filepath.Join(t.TempDir(), "ref.car")); root.String() != want {
				t.Fatalf("root %s, ipfs-car says %s", root, want)
			}
			if alone, err := Root(context.Background(), os.DirFS(dir)); err != nil || alone != root {
				t.Errorf("Root = %s, %v", alone, err)
			}
			if n == 1001 {
				if got := ipfsCar(t, "roots", name); got != root.String() {
					t.Errorf("ipfs-car reads the root %s", got)
				}
			}
			a := open(t, name)
			if err := a.Verify(); err != nil {
				t.Error(err)
			}
			same(t, a, os.DirFS(dir))
		})
	}
}

// same compares every name and byte of two file systems.
func same(t *testing.T, got, want fs.FS) {
	t.Helper()
	list := func(fsys fs.FS) map[string]string {
		files := map[string]string{}
		err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := fs.ReadFile(fsys, name)
			files[name] = string(b)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	g, w := list(got), list(want)
	if len(g) != len(w) {
		t.Errorf("%d files, want %d", len(g), len(w))
	}
	for name := range w {
		if g[name] != w[name] {
			t.Errorf("%s differs", name)
		}
	}
}

func TestArchiveIsAFileSystem(t *testing.T) {
	_, name := packed(t, folder(t, 1001))
	if err := fstest.TestFS(open(t, name), "empty", "pets/token/2.json", "more"); err != nil {
		t.Error(err)
	}
}

// Whatever byte of a CAR is altered, or wherever it is cut, somebody who reads
// all of it is told.
func TestAlteredByteIsFound(t *testing.T) {
	_, name := packed(t, folder(t, 1001))
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) error {
		a, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return err
		}
		return a.Verify()
	}
	if err := read(whole); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	positions := []int{0, 1, 20, 60, len(whole) - 1}
	for range 15 {
		positions = append(positions, r.IntN(len(whole)), len(whole)-1-r.IntN(200_000))
	}
	for _, at := range positions {
		whole[at] ^= 0x10
		err := read(whole)
		if !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrForeign) {
			t.Errorf("byte %d altered: %v", at, err)
		}
		whole[at] ^= 0x10
	}
	for range 10 {
		at := r.IntN(len(whole))
		if err := read(whole[:at]); !errors.Is(err, ErrCorrupt) && !errors.Is(err, ErrForeign) {
			t.Errorf("cut at %d: %v", at, err)
		}
	}
}

func TestForeignFilesAreRefused(t *testing.T) {
	process.SkipShort(t)
	one := filepath.Join(t.TempDir(), "one")
	if err := os.WriteFile(one, bytes.Repeat([]byte("x"), 2*chunkSize), 0o644); err != nil {
		t.Fatal(err)
	}
	single := filepath.Join(t.TempDir(), "single.car")
	ipfsCar(t, "pack", one, "--no-wrap", "--output", single)
	for what, content := range map[string]func() []byte{
		"nothing":       func() []byte { return nil },
		"a picture":     func() []byte { return []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 200)) },
		"a lone header": func() []byte { return header(cidOf(codecDagPB, nil)) },
		"one file":      func() []byte { b, _ := os.ReadFile(single); return b },
	} {
		b := content()
		if _, err := Open(bytes.NewReader(b), int64(len(b))); !errors.Is(err, ErrForeign) && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// FuzzOpen reads whatever is given as a CAR, all of it.
func FuzzOpen(f *testing.F) {
	dir := fstest.MapFS{"a/b": {Data: []byte("b")}, "c": {Data: []byte("c")}}
	for i := range 1100 {
		dir[fmt.Sprintf("many/%d", i)] = &fstest.MapFile{Data: []byte("x")}
	}
	var seed memory
	if _, err := Pack(context.Background(), dir, &seed, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(seed.bytes)
	f.Add(header(cidOf(codecDagPB, nil)))
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := Open(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		left := 10_000
		_ = fs.WalkDir(a, ".", func(name string, d fs.DirEntry, err error) error {
			if left--; left == 0 || err != nil {
				return fs.SkipAll
			}
			if !d.IsDir() {
				_, _ = a.ReadFile(name)
			}
			return nil
		})
	})
}

// FuzzNode reads blocks that have links: whatever is taken is written the same.
func FuzzNode(f *testing.F) {
	leaf := link{"07x", cidOf(codecRaw, []byte("x")), 1}
	f.Add((&node{kind: typeDirectory, links: []link{leaf}}).encode())
	f.Add((&node{kind: typeShard, links: []link{leaf}, bitmap: []byte{0x80}}).encode())
	f.Add((&node{kind: typeFile, links: []link{leaf, leaf}, sizes: []uint64{1, 1}}).encode())
	f.Fuzz(func(t *testing.T, b []byte) {
		if n, err := decodeNode(b); err == nil && !bytes.Equal(n.encode(), b) {
			t.Errorf("%x is written as %x", b, n.encode())
		}
	})
}

// memory is a file in memory.
type memory struct {
	bytes []byte
	at    int
}

func (m *memory) Write(b []byte) (int, error) {
	n := copy(m.bytes[m.at:], b)
	m.bytes = append(m.bytes, b[n:]...)
	m.at += len(b)
	return len(b), nil
}

func (m *memory) Seek(offset int64, _ int) (int64, error) {
	m.at = int(offset)
	return offset, nil
}
