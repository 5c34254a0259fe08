package frozen

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// smallCopy makes a complete copy of a few trivial files.
func smallCopy(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"data/head.json": `{"format":"petsupply-frozen/1"}`, "data/pet/000000.jsonl": "[]\n", "pack/pack.json": "{}",
		"pets/token/1.json": "{}", "pets/token-other": "", "supply/index.json": "[]",
	} {
		put(t, dir, name, text)
	}
	seal(t, dir)
	return dir
}

// seal writes SHA256SUMS and provenance.json.
func seal(t testing.TB, dir string) {
	t.Helper()
	root, err := writeSums(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	sealAs(t, dir, root)
}

func sealAs(t testing.TB, dir, root string) {
	t.Helper()
	p := Provenance{Format: provenanceFormat, Root: root, Pets: 1e18}
	if err := writeJSON(filepath.Join(dir, provenanceFile), p); err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// check opens and checks a copy.
func check(t testing.TB, name string, whole bool) error {
	t.Helper()
	c, err := Open(name)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Check(t.Context(), whole, func(int) {})
	return err
}

// refused checks a hostile copy. The check must fail with these words and use little memory.
func refused(t *testing.T, name, words string) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := check(t, name, true)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, errNoCopy) || !strings.Contains(err.Error(), words) {
		t.Errorf("%v, want %q", err, words)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("it took %d bytes of memory", used)
	}
}

func TestAlteredFoldersAreRefused(t *testing.T) {
	resum := func(t *testing.T, dir, sums string) {
		put(t, dir, sumsFile, sums)
		c, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		root, err := c.hash(sumsFile, maxSums)
		if err != nil {
			t.Fatal(err)
		}
		sealAs(t, dir, root)
	}
	sparse := func(t *testing.T, dir, name string, size int64) {
		put(t, dir, name, "")
		if err := os.Truncate(filepath.Join(dir, name), size); err != nil {
			t.Fatal(err)
		}
	}
	zeros := strings.Repeat("0", 64)
	for _, row := range []struct {
		name, words string
		served      bool // thaw without --check refuses it too
		alter       func(t *testing.T, dir string)
	}{
		{"row", "data/pet/000000.jsonl differs", true,
			func(t *testing.T, dir string) { put(t, dir, "data/pet/000000.jsonl", "[1]\n") }},
		{"pack", "pack/pack.json differs", true, func(t *testing.T, dir string) { put(t, dir, "pack/pack.json", "[]") }},
		{"document", "pets/token/1.json differs", false,
			func(t *testing.T, dir string) { put(t, dir, "pets/token/1.json", "[]") }},
		{"missing", "pets/token/1.json is missing", false,
			func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "pets/token/1.json")) }},
		{"last missing", "supply/index.json is missing", false,
			func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "supply/index.json")) }},
		{"extra", "pets/token/2.json is not listed in SHA256SUMS", false,
			func(t *testing.T, dir string) { put(t, dir, "pets/token/2.json", "") }},
		{"extra at the end", "zzz is not listed in SHA256SUMS", false,
			func(t *testing.T, dir string) { put(t, dir, "zzz", "") }},
		{"extra row", "data/z.jsonl is not listed in SHA256SUMS", true,
			func(t *testing.T, dir string) { put(t, dir, "data/z.jsonl", "") }},
		{"list", "SHA256SUMS differs", true, func(t *testing.T, dir string) { put(t, dir, sumsFile, "") }},
		{"no list", "SHA256SUMS is missing", true,
			func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, sumsFile)) }},
		{"no provenance", "it has no provenance.json", true,
			func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, provenanceFile)) }},
		{"other format", `"petsupply-provenance/9"`, true, func(t *testing.T, dir string) {
			put(t, dir, provenanceFile, `{"format":"petsupply-provenance/9"}`)
		}},
		{"no JSON", "reading provenance.json", true, func(t *testing.T, dir string) { put(t, dir, provenanceFile, "x") }},
		{"link", "data/link is not a plain file", true, func(t *testing.T, dir string) {
			if err := os.Symlink("/etc/passwd", filepath.Join(dir, "data/link")); err != nil {
				t.Fatal(err)
			}
		}},
		{"pipe", "SHA256SUMS is not a plain file", true, func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, sumsFile))
			if err := syscall.Mkfifo(filepath.Join(dir, sumsFile), 0o644); err != nil {
				t.Fatal(err)
			}
		}},
		{"large provenance", "provenance.json has 1099511627776 bytes", true,
			func(t *testing.T, dir string) { sparse(t, dir, provenanceFile, 1<<40) }},
		{"large list", "SHA256SUMS has 1099511627776 bytes", true,
			func(t *testing.T, dir string) { sparse(t, dir, sumsFile, 1<<40) }},
		{"large file", "data/pet/000000.jsonl has 1099511627776 bytes", true,
			func(t *testing.T, dir string) { sparse(t, dir, "data/pet/000000.jsonl", 1<<40) }},
		{"path outside", "line 1 of SHA256SUMS", true,
			func(t *testing.T, dir string) { resum(t, dir, zeros+"  ../secret\n") }},
		{"absolute path", "line 1 of SHA256SUMS", true,
			func(t *testing.T, dir string) { resum(t, dir, zeros+"  /etc/passwd\n") }},
		{"two lines", "line 2 of SHA256SUMS", true, func(t *testing.T, dir string) {
			resum(t, dir, strings.Repeat(firstLine(t, dir), 2))
		}},
		{"no order", "line 2 of SHA256SUMS", true, func(t *testing.T, dir string) {
			resum(t, dir, firstLine(t, dir)+zeros+"  a\n")
		}},
		{"no sum", "line 1 of SHA256SUMS", true, func(t *testing.T, dir string) { resum(t, dir, "data/a\n") }},
		{"long line", "line 1 of SHA256SUMS", true,
			func(t *testing.T, dir string) { resum(t, dir, strings.Repeat("0", 1<<20)) }},
		{"list of itself", "line 1 of SHA256SUMS", true,
			func(t *testing.T, dir string) { resum(t, dir, zeros+"  SHA256SUMS\n") }},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := smallCopy(t)
			if err := check(t, dir, true); err != nil {
				t.Fatal(err)
			}
			row.alter(t, dir)
			refused(t, dir, row.words)
			if err := check(t, dir, false); errors.Is(err, errNoCopy) != row.served {
				t.Errorf("with only rows and pack checked: %v", err)
			}
		})
	}
}

// firstLine returns the first line of SHA256SUMS.
func firstLine(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line + "\n"
}

// zipped makes a zip by hand.
func zipped(t testing.TB, write func(w *zip.Writer)) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// lengthened returns a zip of a copy in which a file has more bytes than its size says. Other
// programs unpack all of them.
func lengthened(t testing.TB) []byte {
	dir := os.DirFS(smallCopy(t))
	return zipped(t, func(w *zip.Writer) {
		err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := fs.ReadFile(dir, name)
			if err != nil {
				return err
			}
			long := text
			if name == "data/head.json" {
				long = append(bytes.Clone(text), " and more"...)
			}
			var packed bytes.Buffer
			deflate, err := flate.NewWriter(&packed, flate.BestSpeed)
			if err == nil {
				_, err = deflate.Write(long)
			}
			if err == nil {
				err = deflate.Close()
			}
			if err != nil {
				return err
			}
			out, err := w.CreateRaw(&zip.FileHeader{Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(long),
				CompressedSize64: uint64(packed.Len()), UncompressedSize64: uint64(len(text))})
			if err == nil {
				_, err = out.Write(packed.Bytes())
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestHostileZipsAreRefused(t *testing.T) {
	add := func(w *zip.Writer, names ...string) {
		for _, name := range names {
			if _, err := w.Create(name); err != nil {
				t.Fatal(err)
			}
		}
	}
	raw := func(w *zip.Writer, h zip.FileHeader, content string) {
		out, err := w.CreateRaw(&h)
		if err == nil {
			_, err = io.WriteString(out, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	small := zipped(t, func(w *zip.Writer) { add(w, "a") })
	// with returns a valid copy with these extra files.
	with := func(names ...string) []byte {
		return zipped(t, func(w *zip.Writer) {
			if err := w.AddFS(os.DirFS(smallCopy(t))); err != nil {
				t.Fatal(err)
			}
			add(w, names...)
		})
	}
	for _, row := range []struct {
		name, words string
		content     []byte
	}{
		{"nothing", "not a valid zip file", nil},
		{"no zip", "not a valid zip file", []byte(strings.Repeat("x", 100))},
		{"cut", "not a valid zip file", small[:len(small)-1]},
		{"no copy", "it has no provenance.json", small},
		{"many files", "it has no provenance.json", claimFiles(small, 1e18)},
		{"end elsewhere", "EOF", claimFiles(small, 1e18, 1<<62)},
		{"two files", "supply/index.json: duplicate entries", with("supply/index.json")},
		{"two provenances", "provenance.json: duplicate entries", with(provenanceFile)},
		{"path outside", `"../a" may mean another file`, with("../a")},
		{"absolute path", `"/etc/passwd" may mean another file`, with("/etc/passwd")},
		{"nameless file", `"\\" may mean another file`, with(`\`)},
		{"nameless folder", `"/" may mean another file`, with("/")},
		{"file with more bytes", "data/head.json has more bytes than its size says", lengthened(t)},
		{"bomb", "claims to hold 10485760", zipped(t, func(w *zip.Writer) {
			out, err := w.Create(provenanceFile)
			if err == nil {
				_, err = out.Write(make([]byte, 10<<20))
			}
			if err != nil {
				t.Fatal(err)
			}
		})},
		{"large file", `"a" has 1000000000000000000 bytes`, zipped(t, func(w *zip.Writer) {
			raw(w, zip.FileHeader{Name: "a", UncompressedSize64: 1e18, CompressedSize64: 1}, "x")
		})},
		{"many large files", "claims to hold 4294967296000", zipped(t, func(w *zip.Writer) {
			for i := range 1000 {
				raw(w, zip.FileHeader{Name: fmt.Sprint("a", i), UncompressedSize64: maxSums}, "")
			}
		})},
		{"more than it claims", "reading provenance.json", zipped(t, func(w *zip.Writer) {
			raw(w, zip.FileHeader{Name: provenanceFile, UncompressedSize64: 1, CompressedSize64: 5}, "{    ")
		})},
		{"unknown method", "opening provenance.json", zipped(t, func(w *zip.Writer) {
			raw(w, zip.FileHeader{Name: provenanceFile, Method: 99, UncompressedSize64: 1, CompressedSize64: 1}, "{")
		})},
	} {
		t.Run(row.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.zip")
			if err := os.WriteFile(file, row.content, 0o644); err != nil {
				t.Fatal(err)
			}
			refused(t, file, row.words)
		})
	}
}

// claimFiles changes the number of files in a zip's end record. The 64-bit record is at the end of
// the zip, or at the given place.
func claimFiles(content []byte, files uint64, at ...uint64) []byte {
	const endSize = 22
	content = bytes.Clone(content)
	end := content[len(content)-endSize:]
	binary.LittleEndian.PutUint16(end[10:], 0xffff)
	rest := content[:len(content)-endSize]
	offset := uint64(len(rest))
	if len(at) > 0 {
		offset = at[0]
	}
	out := append(bytes.Clone(rest), "PK\x06\x06"...)
	out = append(out, make([]byte, 52)...)
	binary.LittleEndian.PutUint64(out[len(rest)+4:], 44)
	binary.LittleEndian.PutUint64(out[len(rest)+24:], files)
	binary.LittleEndian.PutUint64(out[len(rest)+32:], files)
	out = append(out, "PK\x06\x07\x00\x00\x00\x00"...)
	out = binary.LittleEndian.AppendUint64(out, offset)
	out = append(out, 1, 0, 0, 0)
	return append(out, end...)
}

// The table of contents of a zip may be longer than its end record claims. Reading stops at the
// limit.
func TestLongTableOfContentsIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.zip")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	header := make([]byte, 46)
	copy(header, "PK\x01\x02")
	binary.LittleEndian.PutUint16(header[32:], 0xffff) // a comment of zeros, which takes no disk space
	const each, count = 46 + 0xffff, maxZipDirectory/(46+0xffff) + 10
	for i := range int64(count) {
		if _, err := f.WriteAt(header, i*each); err != nil {
			t.Fatal(err)
		}
	}
	end := make([]byte, 22)
	copy(end, "PK\x05\x06")
	binary.LittleEndian.PutUint16(end[8:], count%(1<<16))
	binary.LittleEndian.PutUint16(end[10:], count%(1<<16))
	binary.LittleEndian.PutUint32(end[12:], count*each)
	if _, err := f.WriteAt(end, count*each); err != nil {
		t.Fatal(err)
	}
	if err := check(t, file, true); err == nil || !strings.Contains(err.Error(), "table of contents has more than") {
		t.Error(err)
	}
}

// FuzzZip checks arbitrary bytes as a zipped copy.
func FuzzZip(f *testing.F) {
	file := filepath.Join(f.TempDir(), "x.zip")
	if err := Zip(f.Context(), smallCopy(f), file, func(int) {}); err != nil {
		f.Fatal(err)
	}
	seed, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add(claimFiles(seed, 1e18))
	f.Fuzz(func(t *testing.T, content []byte) {
		file := filepath.Join(t.TempDir(), "x.zip")
		if err := os.WriteFile(file, content, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := check(t, file, true); err != nil && !errors.Is(err, errNoCopy) {
			t.Errorf("not one of our errors: %v", err)
		}
	})
}
