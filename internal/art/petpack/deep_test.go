package petpack

import (
	"archive/zip"
	"bytes"
	"runtime"
	"strings"
	"testing"
)

// TestDeepPathsAreRefused: a path of many folders is refused before a tree is made from it.
func TestDeepPathsAreRefused(t *testing.T) {
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	if _, err := w.Create(strings.Repeat("a/", 32_000) + "b"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = zipTree(r)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "folders") {
		t.Errorf("a path of 32,000 folders: %v", err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 1 {
		t.Errorf("it took %d MB", took)
	}
}
