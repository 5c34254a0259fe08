package art

import (
	"bytes"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"petsupply/internal/art/petpack"
)

// newPack writes the starter and returns its directory.
func newPack(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pack")
	if err := (Starter{ID: "mine"}).Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func paint(t *testing.T, dir, file string, shade uint8) {
	t.Helper()
	data := encodePNG(t, picture(44, 40, func(x, y int) color.NRGBA {
		return color.NRGBA{uint8(x / 8), shade, 9, 255}
	}))
	if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestNewPack does what an artist does: a new pack can be served, painted over and served again.
func TestNewPack(t *testing.T) {
	dir := newPack(t)
	if err := (Starter{ID: "mine"}).Write(dir); err == nil {
		t.Error("a pack is written over another")
	}
	first, err := Open(pets(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if first.Licence() != "CC0-1.0" || first.m.Credits[0].Name != "author of mine" || first.ID() != "mine" {
		t.Errorf("id %q, licence %q, credits %v", first.ID(), first.Licence(), first.m.Credits)
	}
	paint(t, dir, "pet/yellow-1.png", 1)
	second, faults := Lint(pets(), dir)
	if len(faults) > 0 {
		t.Fatalf("the pack has faults: %q", faults)
	}
	look := at{"egg": 3, "appearance": 1}
	if second.PictureVersion(second.Look(look)) == first.PictureVersion(first.Look(look)) {
		t.Error("painted over, but the picture keeps its version")
	}
}

// TestAFileMakesAPicture: a second creature needs only a picture that is saved under the next name.
func TestAFileMakesAPicture(t *testing.T) {
	dir := newPack(t)
	before, err := Open(pets(), dir)
	if err != nil {
		t.Fatal(err)
	}
	paint(t, dir, "pet/blue-2.png", 9)
	after, err := Open(pets(), dir)
	if err != nil {
		t.Fatal(err)
	}
	second := at{"appearance": 2}
	version := func(p *Pack, traits at) string { return p.PictureVersion(p.Look(traits)) }
	if version(before, second) != version(before, at{}) || version(after, second) == version(after, at{}) {
		t.Error("the new picture is not drawn")
	}
}

func TestCopy(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "copy")
	if err := Copy("embedded", dir); err != nil {
		t.Fatal(err)
	}
	want, err := treeOf(meadow(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := treeOf(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	delete(want, petpack.SchemaFile)
	for name, file := range want {
		if got[name] == nil || !bytes.Equal(got[name].Data, file.Data) {
			t.Errorf("%s is not in the copy, or differs", name)
		}
	}
	if got[petpack.SchemaFile] == nil || len(got) != len(want)+1 {
		t.Errorf("the copy has %d files, want %d and the schema for editors", len(got), len(want))
	}
	if err := Copy("embedded", dir); err == nil {
		t.Error("a pack is written over another")
	}
	if err := Copy("nowhere", filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a pack that does not exist was copied")
	}
}
