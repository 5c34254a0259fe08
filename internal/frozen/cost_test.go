package frozen

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"petsupply/internal/store"
	"petsupply/testkit/process"
)

// Checking a copy of any shape takes at most 100 MB of memory and little processor time for its
// size.
func TestAHostileCopyCostsLittle(t *testing.T) {
	const most, longest = 100 << 20, 10 * time.Second
	segments := strings.Repeat("a/", 32_000)
	for name, make := range map[string]func(w *zip.Writer) error{
		"deep names": func(w *zip.Writer) error {
			for i := range 100 {
				if _, err := w.Create(fmt.Sprint(i, "/", segments)); err != nil {
					return err
				}
			}
			return nil
		},
		"long names": func(w *zip.Writer) error {
			for i := range 700 {
				if _, err := w.Create(fmt.Sprint(strings.Repeat("a", 65_000), i)); err != nil {
					return err
				}
			}
			return nil
		},
		"the largest number of files": manyFiles(maxZipFiles),
		"many folders": func(w *zip.Writer) error {
			for i := range maxZipFiles {
				name := fmt.Sprint(i, "/", strings.Repeat("a/", maxZipDepth-1), "a")
				if _, err := w.CreateRaw(&zip.FileHeader{Name: name}); err != nil {
					return err
				}
			}
			return nil
		},
		"more files": manyFiles(2 * maxZipFiles),
		"many files that are listed, and one that is not": func(w *zip.Writer) error {
			const files = maxZipFiles - 10
			var sums bytes.Buffer
			for i := range files {
				fmt.Fprintf(&sums, "%x  pets/token/%07d.json\n", sha256.Sum256(nil), i)
			}
			p, err := encode(Provenance{Format: provenanceFormat, Root: fmt.Sprintf("%x", sha256.Sum256(sums.Bytes()))}, "")
			return errors.Join(err, content(w, sumsFile, sums.String()), content(w, provenanceFile, string(p)),
				manyFiles(files)(w), content(w, "zzz", ""))
		},
		"files that unpack to huge sizes": func(w *zip.Writer) error {
			return packed(w, 10, 10<<20)
		},
		"a document of lists": func(w *zip.Writer) error {
			return content(w, provenanceFile, `{"a":[`+strings.Repeat("[],", 5<<20)+"[]]}")
		},
		"a document of figures": func(w *zip.Writer) error {
			return content(w, provenanceFile, `{"figures":[`+strings.Repeat("{},", 5<<20)+"{}]}")
		},
		"a document of members": func(w *zip.Writer) error {
			return content(w, provenanceFile, "{"+strings.Repeat(`"":{},`, 2<<20)+`"":{}}`)
		},
		"a deep document": func(w *zip.Writer) error {
			return content(w, provenanceFile, strings.Repeat(`{"a":`, 3<<20))
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.zip")
			f, err := os.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			w := zip.NewWriter(f)
			if err := make(w); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			f.Close()
			w = nil
			began := process.OwnTime(t)
			peak := process.PeakHeap(func() { err = check(t, file, true) })
			took := process.OwnTime(t) - began
			if err == nil || peak > most || took > longest {
				t.Errorf("%d MB, %s, %v", peak>>20, took, err)
			}
			t.Logf("%d MB, %s, %.200v", peak>>20, took, err)
		})
	}
}

// Comparing the head and the provenance of a copy takes little, whatever they say.
func TestAHostileHeadCostsLittle(t *testing.T) {
	const most, longest = 100 << 20, 10 * time.Second
	block := `{"chain":"c","chainId":1,"number":1,"hash":"0x` + strings.Repeat("00", 32) + `","time":"2026-01-01T00:00:00Z"}`
	document := `{"blocks":[` + strings.Repeat(block+",", 255) + block + `]}`
	for name, row := range map[string]struct{ head, provenance, document string }{
		"an address that grows": {head: `"supplyUrl":"` + strings.Repeat("\xff", 16<<20-100) + `"`},
		"a long address":        {head: `"supplyUrl":"` + strings.Repeat("\u2028", (16<<20-100)/3) + `"`},
		"a long pack": {head: `"siteUrl":"` + strings.Repeat("x", 16<<20-100) + `"`,
			provenance: `"pack":{"id":"` + strings.Repeat("\u2028", (16<<20-100)/3) + `"}`},
		"a token in many places": {head: `"tokens":[` + strings.Repeat(`{"path":"gem"},`, 24_000) + `{"path":"gem"}]`,
			document: document},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{
				headFile:                `{"format":"` + headFormat + `",` + row.head + `}`,
				provenanceFile:          `{"format":"` + provenanceFormat + `",` + cmp.Or(row.provenance, `"feed":0`) + `}`,
				"supply/gem/index.json": cmp.Or(row.document, "{}"),
			} {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			row.head, row.provenance = "", ""
			c := &Copy{files: os.DirFS(dir), compared: map[string]bool{"supply/gem/index.json": true}}
			var err error
			began := process.OwnTime(t)
			peak := process.PeakHeap(func() {
				var p *Provenance
				if p, err = c.Provenance(); err == nil {
					_, err = c.Compare(t.Context(), p, nil)
				}
			})
			took := process.OwnTime(t) - began
			if !errors.Is(err, errNoCopy) || peak > most || took > longest {
				t.Errorf("%d MB, %s, %.200v", peak>>20, took, err)
			}
			t.Logf("%d MB, %s, %.200v", peak>>20, took, err)
		})
	}
}

func manyFiles(n int) func(w *zip.Writer) error {
	return func(w *zip.Writer) error {
		for i := range n {
			if _, err := w.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("pets/token/%07d.json", i)}); err != nil {
				return err
			}
		}
		return nil
	}
}

// packed adds files of zeros to a zip.
func packed(w *zip.Writer, files, size int) error {
	for i := range files {
		out, err := w.Create(fmt.Sprintf("%04d", i))
		if err == nil {
			_, err = io.Copy(out, io.LimitReader(zeros{}, int64(size)))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func content(w *zip.Writer, name, text string) error {
	out, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err == nil {
		_, err = io.Copy(out, bytes.NewReader([]byte(text)))
	}
	return err
}

// A crowded folder has a huge number of files that SHA256SUMS does not list.
type crowded struct {
	fs.FS
	files int
}

func (c crowded) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err == nil && name == "pets/token" {
		return &crowd{File: f, left: c.files}, nil
	}
	return f, err
}

type crowd struct {
	fs.File
	left int
}

func (c *crowd) ReadDir(n int) (out []fs.DirEntry, err error) {
	for ; len(out) < n && c.left > 0; c.left-- {
		out = append(out, named{name: fmt.Sprintf("%d.json", c.left)})
	}
	if len(out) == 0 {
		return nil, io.EOF
	}
	return out, nil
}

// named is a plain file with a name.
type named struct {
	fs.DirEntry
	name string
}

func (n named) Name() string      { return n.name }
func (n named) IsDir() bool       { return false }
func (n named) Type() fs.FileMode { return 0 }

// A folder of millions of files that do not belong to the copy costs little memory.
func TestACrowdedFolderCostsLittle(t *testing.T) {
	dir := smallCopy(t)
	for _, whole := range []bool{true, false} {
		var err error
		peak := process.PeakHeap(func() {
			_, err = (&Copy{files: crowded{os.DirFS(dir), 3_000_000}}).Check(t.Context(), whole, func(int) {})
		})
		if whole != (err != nil && strings.Contains(err.Error(), "is not listed in SHA256SUMS")) || peak > 100<<20 {
			t.Errorf("%d MB, %v", peak>>20, err)
		}
	}
}

// Rows of any form take little memory, and so do many large ones in a batch.
func TestHostileRowsCostLittle(t *testing.T) {
	db, err := store.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "x.db"), time.Minute, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var schema string
	err = db.Dump(t.Context(), func(h store.DumpHead) error { schema = h.Schema; return errStop }, nil)
	if !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	rows := func(line string, n int) string { return "[\"token\"]\n" + strings.Repeat(line+"\n", n) }
	for name, text := range map[string]string{
		"a row of numbers":     rows("["+strings.Repeat("1,", 10<<20)+"1]", 1),
		"a row of lists":       rows("["+strings.Repeat("[],", 10<<20)+"[]]", 1),
		"many columns":         "[" + strings.Repeat(`"",`, 10<<20) + "\"\"]\n[1]\n",
		"a row that goes deep": rows(strings.Repeat("[", 20<<20), 1),
		"many large rows":      rows(`["`+strings.Repeat("x", 1<<20)+`"]`, 120),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, dataDir, "proof_part"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, dataDir, "proof_part", "000000.jsonl"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			text = ""
			c := &Copy{files: os.DirFS(dir)}
			var err error
			peak := process.PeakHeap(func() {
				err = store.Restore(t.Context(), filepath.Join(dir, "x.db"), schema, c.rows(t.Context(), func(int) {}))
			})
			if err == nil || peak > 100<<20 {
				t.Errorf("%d MB, %.200v", peak>>20, err)
			}
			t.Logf("%d MB, %.200v", peak>>20, err)
		})
	}
}

// A pipe in place of a copy is refused at once.
func TestAPipeIsNoCopy(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- check(t, name, true) }()
	select {
	case err := <-ended:
		if !errors.Is(err, errNoCopy) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("Open waits for a writer of the pipe")
	}
}
