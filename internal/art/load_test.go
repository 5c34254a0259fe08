package art

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"petsupply/internal/art/petpack"
)

// assetOf returns the first asset with this file.
func assetOf(m *manifest, file string) *petpack.Asset {
	for i := range m.Assets {
		if m.Assets[i].File == file {
			return &m.Assets[i]
		}
	}
	panic("no asset " + file)
}

// lie changes the width and height in a PNG's header, and corrects its checksum.
func lie(data []byte, w, h uint32) []byte {
	data = bytes.Clone(data)
	binary.BigEndian.PutUint32(data[16:], w)
	binary.BigEndian.PutUint32(data[20:], h)
	binary.BigEndian.PutUint32(data[29:], crc32.ChecksumIEEE(data[12:29]))
	return data
}

// TestRefused breaks a valid pack in one way at a time. The error must name the file and the
// reason.
func TestRefused(t *testing.T) {
	manifestEdit := func(change func(*manifest)) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, tree fstest.MapFS) { edit(t, tree, change) }
	}
	text := func(old, new string) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, tree fstest.MapFS) {
			data := strings.Replace(string(tree[manifestFile].Data), old, new, 1)
			if data == string(tree[manifestFile].Data) {
				t.Fatalf("%q is not in the manifest", old)
			}
			tree[manifestFile] = &fstest.MapFile{Data: []byte(data)}
			lock(t, tree)
		}
	}
	layer := func(data func([]byte) []byte) func(*testing.T, fstest.MapFS) {
		return func(t *testing.T, tree fstest.MapFS) { put(t, tree, "frame.png", data(tree["frame.png"].Data)) }
	}
	for _, test := range []struct {
		name  string
		spoil func(*testing.T, fstest.MapFS)
		want  []string
	}{
		{"no manifest", func(t *testing.T, tree fstest.MapFS) { delete(tree, manifestFile) },
			[]string{"pack.json", "not exist"}},
		{"not JSON", text("{", "{{"), []string{"pack.json", "line 1"}},
		{"unknown key", text(`"grid": 90`, `"grid": 90, "depth": 3`), []string{"pack.json", "line 8", "depth", "grid, id"}},
		{"key twice", text(`"grid": 90`, `"grid": 90, "grid": 8`), []string{"pack.json", "grid", "twice"}},
		{"key in capitals", text(`"grid": 90`, `"Grid": 90`), []string{"pack.json", "Grid"}},
		{"two documents", func(t *testing.T, tree fstest.MapFS) {
			tree[manifestFile] = &fstest.MapFile{Data: append(tree[manifestFile].Data, '{', '}')}
		}, []string{"pack.json", "more follows"}},
		{"other format", text("petpack/2", "petpack/3"), []string{"line 2", "petpack/3"}},
		{"bad id", text(`"draft"`, `"../draft"`), []string{"id", "../draft"}},
		{"bad version", text(`"0.1.0"`, `"a/b"`), []string{"version", "a/b"}},
		{"huge grid", text(`"grid": 90`, `"grid": 10000`), []string{"grid", "10000"}},
		{"scale 0", text(`"scale": 4`, `"scale": 0`), []string{"scale is 0"}},
		{"no licence", text(`"CC0-1.0"`, `""`), []string{"no licence"}},
		{"licence on two lines", text(`"CC0-1.0"`, `"CC0\n1.0"`), []string{"licence"}},
		{"no slots", manifestEdit(func(m *manifest) { m.Slots, m.Assets = nil, nil }), []string{"0 slots"}},
		{"slot twice", manifestEdit(func(m *manifest) { m.Slots = append(m.Slots, m.Slots[0]) }),
			[]string{"scene-back", "twice"}},
		{"unknown switch", manifestEdit(func(m *manifest) { m.Slots[0].Switch = "sky" }), []string{"switch", "sky"}},
		{"unknown trait", manifestEdit(func(m *manifest) { m.Assets[0].When = map[string][]int{"mood": {1}} }),
			[]string{"mood", "traits are egg, rarity"}},
		{"asset of no slot", manifestEdit(func(m *manifest) { m.Assets[0].Slot = "hat" }), []string{"day-back.png", "hat"}},
		{"when without values", manifestEdit(func(m *manifest) {
			assetOf(m,
				"frame.png").When = map[string][]int{"rarity": {}}
		}), []string{"frame.png", "never drawn"}},
		{"when beyond the type", manifestEdit(func(m *manifest) {
			assetOf(m,
				"frame.png").When = map[string][]int{"rarity": {256}}
		}), []string{"frame.png", "256"}},
		{"when with a value twice", manifestEdit(func(m *manifest) {
			assetOf(m,
				"frame.png").When = map[string][]int{"rarity": {1, 1}}
		}), []string{"frame.png", "twice"}},
		{"ambiguous when", manifestEdit(func(m *manifest) {
			a := *assetOf(m, "frame.png")
			a.When = map[string][]int{"shiny": {1}}
			m.Assets = append(m.Assets, a)
		}), []string{"frame", "ambiguous", "rarity 1, shiny 1"}},
		{"two fallbacks", manifestEdit(func(m *manifest) { m.Assets = append(m.Assets, *assetOf(m, "shadow.png")) }),
			[]string{"shadow", "ambiguous"}},
		{"no fallback", manifestEdit(func(m *manifest) {
			assetOf(m,
				"scene/day-back.png").When = map[string][]int{"background": {0, 2, 3}}
		}),
			[]string{"scene-back", "background 4"}},
		{"path out of the pack", manifestEdit(func(m *manifest) { assetOf(m, "frame.png").File = "../../frame.png" }),
			[]string{"../../frame.png", "leaves the pack"}},
		{"absolute path", manifestEdit(func(m *manifest) { assetOf(m, "frame.png").File = "/etc/frame.png" }),
			[]string{"/etc/frame.png", "leaves the pack"}},
		{"backslashes", manifestEdit(func(m *manifest) { assetOf(m, "frame.png").File = `..\frame.png` }),
			[]string{"forward slashes"}},
		{"not a PNG by name", manifestEdit(func(m *manifest) { assetOf(m, "frame.png").File = "frame.gif" }),
			[]string{"frame.gif", ".png"}},
		{"missing file", func(t *testing.T, tree fstest.MapFS) { delete(tree, "element.png") },
			[]string{"element.png", "not exist"}},
		{"no checksum", func(t *testing.T, tree fstest.MapFS) {
			locked := tree[petpack.LockFile].Data
			tree[petpack.LockFile] = &fstest.MapFile{Data: bytes.Replace(locked, []byte("shadow.png"), []byte("other.png"), 1)}
		}, []string{"shadow.png", "new since the pack was locked"}},
		{"wrong checksum", func(t *testing.T, tree fstest.MapFS) {
			tree["shadow.png"] = &fstest.MapFile{Data: tree["frame.png"].Data}
		}, []string{"shadow.png", "checksum"}},
		{"unknown palette", manifestEdit(func(m *manifest) { assetOf(m, "shadow.png").Swap = "dusk" }),
			[]string{"shadow.png", "dusk"}},
		{"colour twice", manifestEdit(func(m *manifest) {
			m.Palettes["dusk"] = map[string]string{"#ABCDEF": "#000000",
				"#abcdef": "#111111"}
		}), []string{"#abcdef", "twice"}},
		{"bad colour", manifestEdit(func(m *manifest) { m.Palettes["dusk"] = map[string]string{"#fff": "#000000"} }),
			[]string{"dusk", "#rrggbb"}},
		{"unknown anchor", manifestEdit(func(m *manifest) { assetOf(m, "sparkle.png").At = "tail" }),
			[]string{"sparkle.png", "tail"}},
		{"missing anchor", manifestEdit(func(m *manifest) {
			assetOf(m, "pet/2-1.png").Anchors = map[string][2]int{"tail": {1,
				2}}
		}),
			[]string{"pet/2-1.png", "crest", "element.png"}},
		{"anchors on anchors", manifestEdit(func(m *manifest) {
			assetOf(m, "pet/2-1.png").Anchors, assetOf(m, "pet/2-1.png").At = nil, "crest"
		}), []string{"pet", "its own anchors"}},
		{"anchors in two slots", manifestEdit(func(m *manifest) {
			assetOf(m,
				"shadow.png").Anchors = map[string][2]int{"tail": {1, 2}}
		}),
			[]string{"anchors in slot", "shadow"}},
		{"far away", manifestEdit(func(m *manifest) { assetOf(m, "shadow.png").X = 1 << 40 }),
			[]string{"shadow.png", "want numbers from"}},
		{"too many combinations", manifestEdit(func(m *manifest) {
			a := assetOf(m, "pet/0-1.png")
			a.When["rarity"], a.When["element"], a.When["background"] = []int{0}, []int{0}, []int{0}
			for v := range 2000 {
				a.When["appearance"] = append(a.When["appearance"], v+2)
			}
		}), []string{"pet", "combinations"}},
		{"not a PNG", layer(func([]byte) []byte { return []byte("GIF89a") }), []string{"frame.png", "not a PNG"}},
		{"cut off", layer(func(b []byte) []byte { return b[:len(b)/2] }), []string{"frame.png", "the PNG is damaged"}},
		{"bytes behind the end", layer(func(b []byte) []byte { return append(bytes.Clone(b), "zip"...) }),
			[]string{"frame.png", "3 bytes follow"}},
		{"says it is smaller", layer(func(b []byte) []byte { return lie(b, 80, 80) }),
			[]string{"frame.png", "the PNG is damaged"}},
		{"says it is larger", layer(func(b []byte) []byte { return lie(b, 90, 91) }), []string{"frame.png", "90×91"}},
		{"says it is enormous", layer(func(b []byte) []byte { return lie(b, 1<<31-1, 1<<31-1) }), []string{"frame.png"}},
		{"10,000 pixels wide", func(t *testing.T, tree fstest.MapFS) {
			put(t, tree, "frame.png", encodePNG(t, image.NewPaletted(image.Rect(0, 0, 10000, 4), color.Palette{color.Black})))
		}, []string{"frame.png", "10000×4"}},
		{"long file", func(t *testing.T, tree fstest.MapFS) {
			put(t, tree, "frame.png", make([]byte, maxLayer+1))
		}, []string{"frame.png", "longer than"}},
		{"a directory for a file", func(t *testing.T, tree fstest.MapFS) {
			delete(tree, "shadow.png")
			tree["shadow.png/a"] = &fstest.MapFile{}
		}, []string{"shadow.png", "not a plain file"}},
		{"no dictionary", func(t *testing.T, tree fstest.MapFS) { delete(tree, dictionaryFile) },
			[]string{"dictionary.json", "not exist"}},
		{"bad dictionary", func(t *testing.T, tree fstest.MapFS) {
			tree[dictionaryFile] = &fstest.MapFile{Data: []byte(`{"eggs":[], "backgrounds":[1]}`)}
			lock(t, tree)
		}, []string{"dictionary.json", "a row is a text"}},
		{"a table twice", func(t *testing.T, tree fstest.MapFS) {
			tree[dictionaryFile] = &fstest.MapFile{Data: []byte(`{"eggs":[], "eggs":[]}`)}
			lock(t, tree)
		}, []string{"dictionary.json", "line 1", "twice"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree := small(t)
			open(t, tree)
			test.spoil(t, tree)
			p, err := openFS(tree)
			if err == nil || p != nil {
				t.Fatalf("opened: %t, %v", p != nil, err)
			}
			for _, w := range test.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if r := lintFS(pets(), tree); r.OK() {
				t.Error("lint finds nothing wrong")
			}
		})
	}
}

// pressed writes a zip file of the given entries.
func pressed(t *testing.T, write func(z *zip.Writer)) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pack.zip")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	write(z)
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return name
}

func addFile(t *testing.T, z *zip.Writer, name string, data []byte) {
	t.Helper()
	w, err := z.Create(name)
	if err == nil {
		_, err = w.Write(data)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestForms opens the same pack as a directory, as a zip file, and as a zip file with everything in
// one folder. All draw the same pictures.
func TestForms(t *testing.T) {
	tree := small(t)
	want := open(t, tree)
	dir := t.TempDir()
	if err := os.CopyFS(dir, tree); err != nil {
		t.Fatal(err)
	}
	zipped := func(prefix string) string {
		return pressed(t, func(z *zip.Writer) {
			for name, f := range tree {
				addFile(t, z, prefix+name, f.Data)
			}
		})
	}
	for _, name := range []string{dir, zipped(""), zipped("my-pack/")} {
		p, err := openPublished(name)
		if err != nil {
			t.Fatal(err)
		}
		l := p.Look(at{"appearance": 1, "element": 3}) // both select by these traits
		if p.Key(l, Whole) != want.Key(l, Whole) || !bytes.Equal(p.Draw(l, Whole), want.Draw(l, Whole)) {
			t.Errorf("%s draws other pictures", name)
		}
	}
}

// liar writes an archive in which frame.png claims to be short but unpacks to very much.
func liar(t *testing.T, z *zip.Writer, tree fstest.MapFS) {
	for name, f := range tree {
		if name != "frame.png" {
			addFile(t, z, name, f.Data)
		}
	}
	var deflated bytes.Buffer
	inner := zip.NewWriter(&deflated)
	addFile(t, inner, "x", make([]byte, 8<<20))
	if err := inner.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(deflated.Bytes()), int64(deflated.Len()))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := r.File[0].OpenRaw()
	if err != nil {
		t.Fatal(err)
	}
	head := r.File[0].FileHeader
	head.Name, head.UncompressedSize64, head.Flags = "frame.png", 100, 0
	w, err := z.CreateRaw(&head)
	if err == nil {
		_, err = io.Copy(w, raw)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestColoursInEitherCase: a palette means the same in upper and lower case.
func TestColoursInEitherCase(t *testing.T) {
	tree := small(t)
	low := open(t, tree)
	edit(t, tree, func(m *manifest) {
		for name, swaps := range m.Palettes {
			upper := map[string]string{}
			for from, to := range swaps {
				upper[strings.ToUpper(from)] = strings.ToUpper(to)
			}
			m.Palettes[name] = upper
		}
	})
	up := open(t, tree)
	l := up.Look(at{"appearance": 1, "rarity": 2, "element": 3, "shiny": 1})
	if d := differs(decodePNG(t, low.Draw(l, Whole)), decodePNG(t, up.Draw(l, Whole))); d > 0 {
		t.Errorf("pixels differ by %d", d)
	}
}

// TestTheEmbeddedPackUnpacksOnce: all first callers get the same pictures as from a pack that was
// checked when it was opened.
func TestTheEmbeddedPackUnpacksOnce(t *testing.T) {
	checked := open(t, meadow(t))
	p, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.index) > 0 {
		t.Error("the layers are unpacked before anything is drawn")
	}
	look, view := p.Look(at{"egg": 2, "appearance": 3, "rarity": 4}), View{Frame: true, Background: true}
	want := checked.Draw(look, view)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if !bytes.Equal(p.Draw(look, view), want) {
				t.Error("another picture than that of the checked pack")
			}
		})
	}
	all.Wait()
}

// TestNarrowStrip: a strip with fewer pixels than frames is refused for its width, not its size.
func TestNarrowStrip(t *testing.T) {
	_, err := decodeStrip(encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 3, 5))), 90, 4)
	if err == nil || !strings.Contains(err.Error(), "is 3 pixels wide, which cannot be divided into 4 equal frames") {
		t.Error(err)
	}
}
