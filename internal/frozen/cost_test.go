package frozen

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
)

// Checking a copy of any shape takes at most 100 MB and, by its size, little
// time.
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
		"as many files as may be": manyFiles(maxZipFiles),
		"more files":              manyFiles(2 * maxZipFiles),
		"files that unpack to very much": func(w *zip.Writer) error {
			return packed(w, 10, 10<<20)
		},
		"a document of lists": func(w *zip.Writer) error {
			return content(w, provenanceFile, `{"a":[`+strings.Repeat("[],", 5<<20)+"[]]}")
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
			began := time.Now()
			peak := peakOf(func() { err = check(t, file, true) })
			took := time.Since(began)
			if err == nil || peak > most || took > longest {
				t.Errorf("%d MB, %s, %v", peak>>20, took, err)
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

// packed adds files of zeros.
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

// peakOf returns by how much the heap grew while f ran, at most, with the garbage
// collector of the program's own setting.
func peakOf(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	runtime.GC()
	heap := func() uint64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before, done, peak := heap(), make(chan bool), make(chan uint64)
	go func() {
		most := before
		for {
			select {
			case <-done:
				peak <- most - before
				return
			case <-time.After(time.Millisecond):
				most = max(most, heap())
			}
		}
	}()
	f()
	close(done)
	return <-peak
}
