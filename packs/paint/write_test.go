package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"petsupply/internal/art/petpack"
)

// This source paints the pack that the program embeds.
func TestCommittedPack(t *testing.T) {
	const dir = "../meadow"
	all := layers()
	for _, l := range all {
		data, err := encode(l.strip())
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(filepath.Join(dir, l.path()))
		if err != nil {
			t.Fatalf("%v; paint the pack again: go run ./packs/paint packs/meadow", err)
		}
		if !same(t, data, kept) {
			t.Errorf("%s is painted differently now; paint the pack again", l.file)
		}
	}
	if kept, err := os.ReadFile(filepath.Join(dir, "pack.json")); err != nil || !bytes.Equal(manifest(all), kept) {
		t.Errorf("pack.json says something else now (%v); paint the pack again", err)
	}
	words, err := petpack.Encode(dictionary())
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := os.ReadFile(filepath.Join(dir, "dictionary.json")); err != nil || !bytes.Equal(words, kept) {
		t.Errorf("dictionary.json is worded differently now (%v); paint the pack again", err)
	}
}

// The embedded pack draws the poster in the documents.
func TestCommittedPoster(t *testing.T) {
	file := filepath.Join(t.TempDir(), "poster.png")
	if err := run([]string{"poster", file}, io.Discard); err != nil {
		t.Fatal(err)
	}
	drawn, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../docs/sheet.png")
	if err != nil || !same(t, drawn, kept) {
		t.Errorf("docs/sheet.png is drawn differently now (%v); draw it again: make art", err)
	}
}

// same compares pixels, because the bytes of a PNG depend on its compressor.
func same(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, err := png.Decode(bytes.NewReader(a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if x.Bounds() != y.Bounds() {
		return false
	}
	for v := range x.Bounds().Dy() {
		for u := range x.Bounds().Dx() {
			if !alike(x.At(u, v), y.At(u, v)) {
				return false
			}
		}
	}
	return true
}

func alike(a, b color.Color) bool {
	return color.NRGBAModel.Convert(a) == color.NRGBAModel.Convert(b)
}

func TestEncodeRefuses(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 20, 20))
	if _, err := encode(img); err == nil {
		t.Error("an empty picture was accepted")
	}
	img.SetNRGBA(0, 0, color.NRGBA{1, 2, 3, 128})
	if _, err := encode(img); err == nil {
		t.Error("a partly transparent pixel was accepted")
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("old.png", "")
	write("mine.txt", "")
	write("pack.json", `{"id":"meadow"}`)
	if err := sweep(dir, packID, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "old.png")); err == nil {
		t.Error("a picture that is no longer painted was kept")
	}
	if _, err := os.Stat(filepath.Join(dir, "mine.txt")); err != nil {
		t.Error("a file that is not a picture was removed")
	}
	write("pack.json", `{"id":"other"}`)
	if err := sweep(dir, packID, nil); err == nil {
		t.Error("another pack would have been painted over")
	}
}
