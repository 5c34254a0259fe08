package art

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"petsupply/internal/art/petpack"
)

// newPack writes the starter and returns its directory.
func newPack(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pack")
	if err := (Starter{ID: "mine", Author: `The "Painter"`, Licence: "CC-BY-4.0"}).Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func paint(t *testing.T, dir, file string, shade uint8) {
	t.Helper()
	data := encodePNG(t, picture(44, 40, func(x, y int) color.NRGBA { return color.NRGBA{uint8(x / 8), shade, 9, 255} }))
	if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAPackIsADraftUntilItIsLocked does what an artist does. A new pack can be viewed, painted over
// and viewed again. It can be published once it is locked. A later change is reported, with the
// remedy.
func TestAPackIsADraftUntilItIsLocked(t *testing.T) {
	dir := newPack(t)
	if err := (Starter{ID: "mine"}).Write(dir); err == nil {
		t.Error("a pack is written over another")
	}
	look := at{"egg": 3, "appearance": 1}
	first, err := OpenDraft(pets(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if first.Licence() != "CC-BY-4.0" || first.m.Credits[0].Name != `The "Painter"` || first.ID() != "mine" {
		t.Errorf("id %q, licence %q, credits %v", first.ID(), first.Licence(), first.m.Credits)
	}
	if _, err := openPublished(dir); err == nil || !strings.Contains(err.Error(), "pack lock") {
		t.Errorf("a draft is served: %v", err)
	}
	paint(t, dir, "pet/yellow-1.png", 1)
	second, err := OpenDraft(pets(), dir)
	if err != nil || second.PictureVersion(second.Look(look)) == first.PictureVersion(first.Look(look)) {
		t.Errorf("painted over, but the picture keeps its version: %v", err)
	}
	if n, err := petpack.Lock(dir); n == 0 || err != nil {
		t.Errorf("locking: %d, %v", n, err)
	}
	if n, err := petpack.Lock(dir); n != 0 || err != nil {
		t.Errorf("locking again: %d, %v", n, err)
	}
	third, err := openPublished(dir)
	if err != nil || third.PictureVersion(third.Look(look)) != second.PictureVersion(second.Look(look)) {
		t.Errorf("locking changes the version of a picture: %v", err)
	}
	if r, err := Lint(pets(), dir); err != nil || !r.OK() || len(r.Notes) > 0 {
		t.Errorf("after locking: %v, %v, %v", err, r.Faults, r.Notes)
	}
	for file, change := range map[string]func(){
		"pet/yellow-1.png": func() { paint(t, dir, "pet/yellow-1.png", 2) },
		"pet/yellow-2.png": func() { paint(t, dir, "pet/yellow-2.png", 3) },
		"dictionary.json":  func() { replaceIn(t, filepath.Join(dir, "dictionary.json"), "Yellow Example", "Other Example") },
		"pack.json":        func() { replaceIn(t, filepath.Join(dir, "pack.json"), `"y": -4`, `"y": -5`) },
	} {
		change()
		if _, err := openPublished(dir); err == nil || !strings.Contains(err.Error(), file) ||
			!strings.Contains(err.Error(), "pack lock") {
			t.Errorf("%s changed after locking: %v", file, err)
		}
		r, err := Lint(pets(), dir)
		if text := join(r.Faults); err != nil || !strings.Contains(text, file+": ") || !strings.Contains(text, "pack lock") {
			t.Errorf("%s changed after locking: lint says %q", file, text)
		}
		if n, err := petpack.Lock(dir); n != 1 || err != nil {
			t.Errorf("locking after a change of %s: %d, %v", file, n, err)
		}
	}
}

func replaceIn(t *testing.T, file, old, new string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(data), old, new, 1)
	if text == string(data) {
		t.Fatalf("%q is not in %s", old, file)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestStarterTexts: a text that equals one of the starter's own texts is kept.
func TestStarterTexts(t *testing.T) {
	for range 20 {
		dir := filepath.Join(t.TempDir(), "pack")
		if err := (Starter{ID: "mine", Author: "my-pack", Licence: "author of my-pack"}).Write(dir); err != nil {
			t.Fatal(err)
		}
		p, err := OpenDraft(pets(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if author := p.m.Credits[0].Name; author != "my-pack" || p.Licence() != "author of my-pack" {
			t.Fatalf("author %q, licence %q", author, p.Licence())
		}
	}
}

// TestAFileMakesAPicture: a second creature needs only a picture that is saved under the next name.
func TestAFileMakesAPicture(t *testing.T) {
	dir := newPack(t)
	before, err := OpenDraft(pets(), dir)
	if err != nil {
		t.Fatal(err)
	}
	paint(t, dir, "pet/blue-2.png", 9)
	after, err := OpenDraft(pets(), dir)
	if err != nil {
		t.Fatal(err)
	}
	second := at{"appearance": 2}
	version := func(p *Pack, traits at) string { return p.PictureVersion(p.Look(traits)) }
	if version(before, second) != version(before, at{}) || version(after, second) == version(after, at{}) {
		t.Error("the new picture is not drawn")
	}
	r, err := Lint(pets(), dir)
	if text := join(r.Faults); err != nil || !strings.Contains(text, "no name for egg 0, appearance 2") {
		t.Errorf("the faults are %q", text)
	}
}

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "copy")
	if err := Export("embedded", dir); err != nil {
		t.Fatal(err)
	}
	was, look := embedded(t), at{"appearance": 3, "rarity": 2}
	if p, err := openPublished(dir); err != nil || p.Key(p.Look(look), Whole) != was.Key(was.Look(look), Whole) {
		t.Errorf("the copy is not the pack: %v", err)
	}
	if err := Export("embedded", dir); err == nil {
		t.Error("a pack is written over another")
	}
	if err := Export("nowhere", filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a pack that does not exist was exported")
	}
}
